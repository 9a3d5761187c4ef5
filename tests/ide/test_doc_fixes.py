"""Code actions that make room for documentation: editor-experience 6."""

import pytest
from test_actions import actions_at

from nx_lsp.ide.action_model import CodeAction
from nx_lsp.ide.edits import apply_edits, cursor_after
from nx_lsp.syntax.source_file import SyntaxFile

AGENT = 'import { FunctionTool } from "@nx/agent"\n'
OFFER = "let offer = <FunctionTool function={f} />\n"
DOC = "Add doc comment to `n`"
DOCS = "Add doc comments to 2 undocumented parameters"


def actions_of(source: str, title: str) -> list[CodeAction]:
    return [each for each in actions_at(source) if each.title == title]


def after(source: str, title: str, ending: str = "\n") -> str:
    """The text between the import and the offer after an action, ``<|>`` where the cursor is.
    What it leaves parses."""
    start, end = (each.replace("\n", ending) for each in (AGENT, OFFER))
    whole = start + source.replace("\n", ending) + end
    (file,) = actions_of(whole, title)[0].edits
    before = whole.replace("<|>", "")
    text, cursor = apply_edits(before, file.edits), cursor_after(before, file.edits)
    assert not SyntaxFile.parse(text).has_syntax_errors
    assert cursor is not None
    assert cursor[0] == cursor[1]
    text = text[: cursor[0]] + "<|>" + text[cursor[0] :]
    return text.removeprefix(start).removesuffix(end)


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        # A line of its own: nothing else moves.
        ("let f(\n  <|>n:int, m:int\n): int", "let f(\n  /// <|>\n  n:int, m:int\n): int"),
        ("let f(\n\t<|>n:int\n): int", "let f(\n\t/// <|>\n\tn:int\n): int"),
        # One line: first one parameter a line.
        ("let f(m:int, <|>n:int): int", "let f(\n  m:int,\n  /// <|>\n  n:int\n): int"),
        ("let f(<|>n:int): int", "let f(\n  /// <|>\n  n:int\n): int"),
        # The element form.
        ("let <f <|>n:int m:int />: int", "let <f\n  /// <|>\n  n:int\n  m:int\n/>: int"),
        # Two lines of two.
        (
            "let f(\n  m:int, <|>n:int,\n  o:int, p:int\n): int",
            "let f(\n  m:int,\n  /// <|>\n  n:int,\n  o:int,\n  p:int\n): int",
        ),
    ],
)  # fmt: skip
def test_a_comment_gets_a_line_above_the_parameter(source: str, wanted: str) -> None:
    source, wanted = (f"{each} = 1\n" for each in (source, wanted))
    assert after(source, DOC) == wanted
    assert after(source, DOC, "\r\n") == wanted.replace("\n", "\r\n")


def test_all_parameters_at_once() -> None:
    source = "/// Does it.\nlet <|>f(a:int, /// why\n  b:int, c:int): int = 1\n"
    wanted = (
        "/// Does it.\nlet f(\n  a:int, /// why\n  /// <|>\n  b:int,\n  /// \n  c:int\n): int = 1\n"
    )
    assert after(source, DOCS) == wanted
    kinds = [each.kind for each in actions_of(AGENT + source + OFFER, DOCS)]
    assert kinds == ["refactor.rewrite", "source.nxlsp.addMissingDocs"]


def test_a_description_above_the_function() -> None:
    source = "export let <|>f(): int = 1\n"
    assert after(source, "Add description for tool `f`") == "/// <|>\nexport let f(): int = 1\n"


@pytest.mark.parametrize(
    ("source", "offered"),
    [
        ("type Plan = { <|>n:int }\nlet f(p:Plan): int = 1\n", True),
        ("type Plan = { <|>n:int }\nlet f(): Plan+ = { <Plan n=1 /> }\n", True),
        ("abstract type B = { <|>n:int }\ntype P extends B = { }\nlet f(p:B): int = 1\n", True),
        ("type U = | a | b { <|>n:int }\nlet f(u:U): int = 1\n", True),
        ("type Plan = { <|>n:int }\nlet f(): int = 1\n", False),
        ("type Plan = { n:<|>int }\nlet f(p:Plan): int = 1\n", False),
        ("type Plan = {\n  /// Why.\n  <|>n:int\n}\nlet f(p:Plan): int = 1\n", False),
        ("type Plan = {\n  ///\n  <|>n:int\n}\nlet f(p:Plan): int = 1\n", False),
    ],
)  # fmt: skip
def test_fields_of_what_tools_take_and_give(source: str, offered: bool) -> None:
    assert bool(actions_of(AGENT + source + OFFER, DOC)) == offered


def test_a_field_on_one_line_gets_one_of_its_own() -> None:
    source = "type U =\n  | a\n  | b { m:int <|>n:int }\nlet f(u:U): int = 1\n"
    wanted = (
        "type U =\n  | a\n  | b {\n    m:int\n    /// <|>\n    n:int\n  }\nlet f(u:U): int = 1\n"
    )
    assert after(source, DOC) == wanted


def test_nothing_for_what_is_no_tool() -> None:
    assert not [one for one in actions_at("let f(<|>n:int): int = 1\n") if "doc" in one.title]
