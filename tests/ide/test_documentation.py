import pytest
from hypothesis import given
from hypothesis import strategies as st
from ide_fixtures import all_fences_closed
from markdown_it import MarkdownIt

from nx_lsp.ide.documentation import cut_documentation, documentation_blocks, safe_markdown
from nx_lsp.ide.rendering import fit, to_markdown


@pytest.mark.parametrize(
    "text",
    [
        "Plain *text*, `code`, and [a link](https://example.org).",
        "- a list\n- of two\n\n1. and\n2. one more",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "```nx\nlet x = <div />\n```",
        "`<b>` in code, and 1 < 2 &lt; 3",
        "<https://example.org>",
        "    indented <code>",
        "escaped \\<b> and \\[x](y)",
    ],
)
def test_harmless_text_is_left_as_written(text: str) -> None:
    assert safe_markdown(text) == text


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("a <b>bold</b> word", "a \\<b>bold\\</b> word"),
        ("<script>alert(1)</script>", "\\<script>alert(1)\\</script>"),
        ("![pixel](https://example.org/x.png)", "\\![pixel](https://example.org/x.png)"),
        ("[http](http://example.org)", "\\[http](http://example.org)"),
        ("[run](command:nxlsp.showToolSchema)", "\\[run](command:nxlsp.showToolSchema)"),
        ("[js](javascript:alert)", "\\[js](javascript:alert)"),
        ("<http://example.org>", "\\<http://example.org>"),
        ("[r]\n\n[r]: file:///etc/passwd", "\\[r]\n\n[r]: file:///etc/passwd"),
        ("> <i>quoted</i>", "> \\<i>quoted\\</i>"),
        ("- item\n  - <u>deep</u>", "- item\n  - \\<u>deep\\</u>"),
        ("<!-- open", "\\<!-- open"),
    ],
)
def test_what_could_act_is_shown_as_text(text: str, safe: str) -> None:
    assert safe_markdown(text) == safe


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("```\nopen", "```\nopen\n```"),
        ("~~~~ nx\nopen\n~~~", "~~~~ nx\nopen\n~~~\n~~~~"),
        ("```", "```\n```"),
        ("```\nclosed\n```", "```\nclosed\n```"),
        ("text\n\n````\n```\n", "text\n\n````\n```\n````"),
    ],
)
def test_an_open_fence_is_closed(text: str, safe: str) -> None:
    assert safe_markdown(text) == safe


def test_links_can_be_allowed() -> None:
    text = "[main](file:///w/main.nx) [other](file:///etc/passwd)"
    safe = safe_markdown(text, lambda target: target.startswith("file:///w/"))
    assert safe == "[main](file:///w/main.nx) \\[other](file:///etc/passwd)"


MARKUP = st.text("ab`<>/![]():~\n -*#&\\\"'=?|1.ht", max_size=60)


@given(MARKUP)
def test_nothing_unsafe_is_left(text: str) -> None:
    safe = safe_markdown(text)
    for token in MarkdownIt("commonmark").parse(safe):
        assert token.type != "html_block"
        for child in token.children or ():
            assert child.type not in ("html_inline", "image")
            if child.type == "link_open":
                assert str(child.attrs["href"]).lower().startswith("https:")
    assert all_fences_closed(safe)


@given(MARKUP)
def test_a_section_below_documentation_stays_a_section(text: str) -> None:
    tokens = MarkdownIt("commonmark").parse(f"{safe_markdown(text)}\n\n---\n**Input schema**")
    assert [token.type for token in tokens[-4:]] == [
        "hr",
        "paragraph_open",
        "inline",
        "paragraph_close",
    ]
    assert tokens[-4].level == 0


def test_documentation_is_cut_after_a_block() -> None:
    first = "\n".join(f"line {number}" for number in range(20))
    second = "\n".join(f"more {number}" for number in range(20))
    assert cut_documentation(f"{first}\n\n{second}", 30, 3000) == first


def test_one_long_block_is_cut_at_a_line() -> None:
    text = "\n".join(f"line {number}" for number in range(50))
    assert cut_documentation(text, 30, 3000).split("\n") == text.split("\n")[:30]


def test_long_documentation_gives_way_first() -> None:
    text = "\n\n".join(f"Paragraph {number}." for number in range(200))
    blocks = fit(documentation_blocks(text), 120, 6000)
    markdown = to_markdown(blocks)
    assert markdown.split("\n")[-1] == "*More in the panel*"
    assert markdown.count("\n") <= 31
    assert markdown.startswith("Paragraph 0.\n\nParagraph 1.")


def test_documentation_of_any_size_fits_at_last() -> None:
    for text in ("x" * 100_000, "word " * 20_000, "```\n" + "x\n" * 30_000, "- a\n" * 30_000):
        markdown = to_markdown(fit(documentation_blocks(text), 20, 500))
        assert len(markdown) <= 500
        assert markdown.count("\n") < 20
        assert all_fences_closed(markdown)
