"""Attachment of doc comments (nx-syntax 1.3), rule by rule."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nx_lsp.syntax import tree
from nx_lsp.syntax.docs import attach, comments_between, comments_of_piece, documentable
from nx_lsp.syntax.source_file import SyntaxFile

CODES = {
    "dangling-doc-comment",
    "ambiguous-trailing-doc-comment",
    "misaligned-doc-comment-continuation",
    "duplicate-doc-comment",
}


def label(node: tree.Node) -> str:
    """The name of a documentable node."""
    name = getattr(node, "name")  # noqa: B009 - every documentable node has one
    return str(name.text)


def documented(text: str) -> dict[str, str]:
    """What documents what in a file, by the names of the items."""
    file = SyntaxFile.parse(text)
    found: dict[str, str] = {}
    for piece in file.pieces:
        nodes = {node.start: node for node in reversed(documentable(piece.tree))}
        for start, comment in file.documentation(piece.key).items():
            found[label(nodes[start])] = comment.text
            # The offsets lead back to the text.
            begin = file.start_of(piece.key)
            assert text[begin + comment.start :].startswith("///")
            for line, at in zip(comment.text.split("\n"), comment.line_starts, strict=True):
                assert text[begin + at :].startswith(line)
    return found


def reported(text: str) -> list[tuple[str, str]]:
    """Codes of doc comment problems, with the text under each."""
    return [
        (problem.code, text[problem.start : problem.end])
        for key, problem in SyntaxFile.parse(text).problems()
        if problem.code in CODES and key is None
    ]


def check(
    text: str, comments: dict[str, str], problems: list[tuple[str, str]] | None = None
) -> None:
    """Compare both, for each way to end a line, and behind a byte-order mark."""
    assert documented(text) == comments
    assert reported(text) == (problems or [])
    for ending in ("\r\n", "\r"):
        other = text.replace("\n", ending)
        assert documented(other) == comments
        found = [(code, span.replace(ending, "\n")) for code, span in reported(other)]
        assert found == (problems or [])
    assert documented("\ufeff" + text) == comments
    assert reported("\ufeff" + text) == (problems or [])


# ---------------------------------------------------------------- the example of the page


def test_the_example_of_the_specification() -> None:
    check(
        """\
/// A plot of land.
///
/// Sizes are in square metres.
export type Plot = {
  area:float64           /// Usable area,
                         /// without the paths.

  /// What grows here.
  crop?:string
}

/// How ripe a fruit is.
type Ripeness =
  | green                /// Do not pick.
  | ripe { sugar:float64 }   /// Pick today.

type Label = string      /// One-line declarations take a trailing comment.
""",
        {
            "Plot": "A plot of land.\n\nSizes are in square metres.",
            "area": "Usable area,\nwithout the paths.",
            "crop": "What grows here.",
            "Ripeness": "How ripe a fruit is.",
            "green": "Do not pick.",
            "ripe": "Pick today.",
            "Label": "One-line declarations take a trailing comment.",
        },
    )


# ---------------------------------------------------------------- what can be documented


@pytest.mark.parametrize(
    ("declaration", "name"),
    [
        ("type A = {}", "A"),
        ("export abstract type A = { x:int }", "A"),
        ("private action A = {}", "A"),
        ("type A = | b", "A"),
        ("type A = b | c", "A"),
        ("type A = int", "A"),
        ("let a = 1", "a"),
        ("let a() = 1", "a"),
        ("export let <A.b /> = <p/>", "A.b"),
        ("component <A /> = { <p/> }", "A"),
        ("abstract external component <A />", "A"),
        ("external component <A /> = { state { x:int = 0 } }", "A"),
    ],
)
def test_every_declaration_starts_at_its_first_token(declaration: str, name: str) -> None:
    check(f"/// Doc.\n{declaration}\n", {name: "Doc."})
    check(f"let z = 0\n\n  /// Doc.\n\t{declaration}\n", {name: "Doc."})
    check(f"{declaration} /// Doc.\n", {name: "Doc."})


def test_every_member_is_documentable() -> None:
    check(
        """\
type U =
  /// First case.
  one
  /// Case.
  | two {
    /// Payload.
    p:int
  }
let f(
  /// Paren.
  a:int,
  b:int /// Trailing.
) = 1
let <G
  /// Content.
  content c:string
/> = <p/>
component <C
  /// Property.
  d:int
  emits {
    /// Definition.
    E {
      /// Payload field.
      e:int
    }
    /// Reference.
    x.F
    H /// Short.
  }
/> = {
  state {
    /// State.
    s:int = 0
  }
  <p/>
}
""",
        {
            "one": "First case.",
            "two": "Case.",
            "p": "Payload.",
            "a": "Paren.",
            "b": "Trailing.",
            "c": "Content.",
            "d": "Property.",
            "E": "Definition.",
            "e": "Payload field.",
            "x.F": "Reference.",
            "H": "Short.",
            "s": "State.",
        },
    )


@pytest.mark.parametrize(
    "text",
    [
        '/// No.\nimport "./x"\n',
        "/// No.\n<a/>\n",
        "type R = {\n/// No.\nT:type\n}\n",
        "component <C\n  /// No.\n  T:type\n/> = { <p/> }\n",
        "type F = <function\n  /// No.\n  a:int\n/>: int\n",
        "let a = {\n  /// No.\n  1\n}\n",
        "let a = <p\n  /// No.\n  x=1/>\n",
        "/// No.",
        "/// No.\n",
        "/// No.\r",
        "let a = 1\n/// No.\n",
        "/// No.\n\nlet a = 1\n",
        "/// No.\n \t\nlet a = 1\n",
        "/// No.\n// x\nlet a = 1\n",
        "/// No.\n//// x\nlet a = 1\n",
        "/// No.\n/* x */ let a = 1\n",
        "/// No.\n<!-- x -->\nlet a = 1\n",
        "type R = {\n  a:int\n  /// No.\n}\n",
        "type R = {\n  a:int\n} /// No.\n",
        "let a = {\n  1 /// No.\n}\n",
        "/* x */ /// No.\nlet a = 1\n",
    ],
)
def test_what_cannot_be_documented_leaves_the_comment_dangling(text: str) -> None:
    assert documented(text) == {}
    assert reported(text) == [("dangling-doc-comment", "/// No.")]


def test_a_type_parameter_lets_a_trailing_comment_dangle() -> None:
    text = "type R = {\n  T:type /// No.\n  a:T\n}\n"
    check(text, {}, [("dangling-doc-comment", "/// No.")])


def test_a_dangling_block_is_reported_once_from_its_first_line_to_its_last() -> None:
    check(
        "/// One\n  /// two.\n\nlet a = 1\n",
        {},
        [("dangling-doc-comment", "/// One\n  /// two.")],
    )


# ---------------------------------------------------------------- leading blocks


def test_lines_of_a_block_need_not_line_up() -> None:
    check("  /// One\n/// two.\nlet a = 1\n", {"a": "One\ntwo."})


def test_only_the_lower_of_two_blocks_documents() -> None:
    check(
        "/// Above.\n\n/// Below.\nlet a = 1\n",
        {"a": "Below."},
        [("dangling-doc-comment", "/// Above.")],
    )


def test_the_first_item_of_the_next_line_is_meant() -> None:
    check("type R = {\n  /// First.\n  a:int b:int\n}\n", {"a": "First."})
    check("/// First.\nlet a = 1 let b = 2\n", {"a": "First."})


def test_a_block_inside_a_declaration_documents_what_starts_below_it() -> None:
    check(
        "let a = 1\n/// B.\nlet b =\n/// No.\n  1\n",
        {"b": "B."},
        [("dangling-doc-comment", "/// No.")],
    )


# ---------------------------------------------------------------- trailing comments


def test_the_outermost_item_on_the_line_is_meant() -> None:
    check("type Size = small | large   /// Both.\n", {"Size": "Both."})
    check("type R = { a:int } /// R.\n", {"R": "R."})
    check("type U =\n  | ripe { sugar:int } /// Ripe.\n  | b\n", {"ripe": "Ripe."})


def test_an_item_of_several_lines_is_not_on_the_line() -> None:
    check("type Size = small   /// S.\n  | large\n", {"small": "S."})
    check("type R = { a:int /// A.\n}\n", {"a": "A."})
    check("let f(a:int, /// A.\n  b:int) = 1\n", {"a": "A."})


def test_two_items_on_one_line_are_ambiguous() -> None:
    text = "type R = {\n  a:int b:int   /// Which?\n}\n"
    check(text, {}, [("ambiguous-trailing-doc-comment", "/// Which?")])
    text = "let a = 1 let b = 2 /// Which?\n"
    check(text, {}, [("ambiguous-trailing-doc-comment", "/// Which?")])
    text = "type S = | a /// Fine.\n"
    check(text, {"S": "Fine."})
    text = "type S =\n  | a | b /// Which?\n"
    check(text, {}, [("ambiguous-trailing-doc-comment", "/// Which?")])


def test_the_end_of_one_item_and_the_whole_of_another() -> None:
    check("let a = {\n1 } let b = 2 /// B.\n", {"b": "B."})
    check("let a = 1 let b = { /// A.\n2 }\n", {"a": "A."})


def test_a_comment_above_and_one_behind() -> None:
    text = "type R = {\n  /// Above.\n  a:int   /// Behind.\n}\n"
    check(text, {"a": "Above."}, [("duplicate-doc-comment", "/// Behind.")])
    [problem] = [p for key, p in SyntaxFile.parse(text).problems() if key is None]
    [related] = problem.related
    assert text[related.start : related.end] == "/// Above."


def test_a_block_of_another_item_is_no_duplicate() -> None:
    check("/// R.\ntype R = { a:int /// A.\n}\n", {"R": "R.", "a": "A."})


# ---------------------------------------------------------------- continuation


def test_lines_under_a_trailing_comment_continue_it() -> None:
    check(
        "type R = {\n  a:int /// One,\n        /// two.\n  b:int\n}\n",
        {"a": "One,\ntwo."},
    )


def test_a_line_that_does_not_line_up_ends_the_continuation() -> None:
    check(
        "type R = {\n  a:int /// One,\n        /// two,\n"
        "       /// three\n        /// four.\n  b:int\n}\n",
        {"a": "One,\ntwo,"},
        [("misaligned-doc-comment-continuation", "/// three\n        /// four.")],
    )


def test_a_continuation_never_documents_the_item_below() -> None:
    check(
        "let a = 1 /// A.\n/// B.\nlet b = 2\n",
        {"a": "A."},
        [("misaligned-doc-comment-continuation", "/// B.")],
    )
    check("let a = 1 /// A.\n\n/// B.\nlet b = 2\n", {"a": "A.", "b": "B."})


def test_a_tab_is_one_column() -> None:
    check("let a = 1 /// One,\n\t\t\t\t\t\t\t\t\t\t/// two.\n", {"a": "One,\ntwo."})


def test_a_continuation_of_a_comment_that_documents_nothing_is_no_second_error() -> None:
    text = "let a = {\n  1 /// No,\n    /// no.\n}\n"
    check(text, {}, [("dangling-doc-comment", "/// No,")])


# ---------------------------------------------------------------- what is a doc comment, its text


@pytest.mark.parametrize(
    "comment", ["// x", "//// x", "/////", "/** x */", "/*/// x */", "<!-- /// x -->"]
)
def test_other_comments_are_not_documentation(comment: str) -> None:
    check(f"{comment}\nlet a = 1 {comment}\n", {})


def test_one_space_is_dropped_and_no_more() -> None:
    check("///a\n///  b\n///\n///\tc \nlet x = 1\n", {"x": "a\n b\n\n\tc "})


@pytest.mark.parametrize(
    "value",
    [
        '"a /// b"',
        '"\n/// b\n"',
        '"\\" /// b"',
        "<p>see /// below</p>",
        "<p>x\n/// below\n</p>",
        "<p:>\n/// text\n</p>",
        "<p:md>\n/// text @{1}\n/// text\n</p>",
        "<p:raw>\n/// raw\n</p>",
        '<a b="///"/>',
    ],
)
def test_slashes_in_strings_and_bodies_are_text(value: str) -> None:
    check(f"let z = 0\nlet a = {value}\nlet b = 1\n", {})
    check(f"/// A.\nlet a = {value}\n/// B.\nlet b = 1 /// No.\n", {"a": "A.", "b": "B."},
          [("duplicate-doc-comment", "/// No.")])  # fmt: skip


def test_a_comment_between_the_items_of_a_body_is_a_comment() -> None:
    text = "let a =\n  <p>\n    /// No.\n    <b/>\n  </p>\n"
    check(text, {}, [("dangling-doc-comment", "/// No.")])


def test_comments_are_not_sought_in_other_comments() -> None:
    text = "/* /// a\n/// b */ <!-- /// c --> // /// d\n/// e"
    assert [text[start:end] for start, end in comments_between(text, 0, len(text))] == ["/// e"]


# ---------------------------------------------------------------- with syntax errors


def test_a_syntax_error_silences_dangling_comments_only() -> None:
    text = (
        "/// The broken one.\nlet f( = 1\n"
        "type R = {\n  a:int b:int /// Which?\n  c:int /// C,\n /// off.\n\n"
        "  /// D.\n  d:int /// D too.\n}\n"
        "/// At the end.\n"
    )
    assert [code for code, _ in reported(text)] == [
        "ambiguous-trailing-doc-comment",
        "misaligned-doc-comment-continuation",
        "duplicate-doc-comment",
    ]


@pytest.mark.parametrize(
    "broken", ["type R = {", "component <C", "<div>", "let g() = {{", "let g("]
)
def test_a_comment_below_a_broken_declaration_belongs_to_what_follows(broken: str) -> None:
    below = "/// D,\n  /// all.\nlet d = 1\n"
    check(f"{broken}\n{below}", {"d": "D,\nall."})
    check(f"{broken} // x\n\n{below}", {"d": "D,\nall."})


def test_a_comment_behind_a_broken_declaration_is_continued_all_the_same() -> None:
    check("type R = {\n  a:int /// A,\n        /// all.\nlet d = 1\n", {"a": "A,\nall."})


# ---------------------------------------------------------------- one piece at a time


def test_documentation_of_one_piece_needs_its_neighbours_only_on_its_own_lines() -> None:
    text = "/// A.\nlet a = 1\n/// B.\nlet b = 2 let c = 3\n/// D.\nlet d = 4 /// No.\n"
    file = SyntaxFile.parse(text)
    assert file.documentation("d")[0].text == "D."
    assert file.documentation("c") == {}
    assert file.documentation("b")[0].text == "B."


def test_documentation_does_not_change_when_its_piece_moves() -> None:
    text = "/// A.\ntype R = {\n  a:int /// Field.\n}\n"
    before = SyntaxFile.parse(text).documentation("R")
    after = SyntaxFile.parse("let x = 1\n\n" + text).documentation("R")
    assert before == after
    assert before[0].start == -7


def test_a_trailing_comment_of_the_piece_above_keeps_its_continuation() -> None:
    text = "let a = 1 /// A,\n          /// more.\nlet b = 2\n"
    check(text, {"a": "A,\nmore."})
    file = SyntaxFile.parse(text)
    assert file.documentation("b") == {}


def test_a_place_in_the_text_is_found_in_the_source() -> None:
    text = "  /// One\n  ///\n  ///  [Two]\nlet a = 1\n"
    comment = SyntaxFile.parse(text).documentation("a")[0]
    at = comment.text.index("[Two]")
    assert comment.source_offset(at) == text.index("[Two]") - text.index("let")


# ---------------------------------------------------------------- the rules without a parser


def test_attachment_looks_at_lines_and_columns_only() -> None:
    text = "/// T.\naaa(bbb ccc) /// X.\n"
    comments = [match.span() for match in re.finditer("///.*", text)]
    outer, first, second = (7, 19), (11, 14), (15, 18)
    result = attach(text, comments, [first, second, outer])
    assert {item: comment.text for item, comment in result.comments.items()} == {2: "T."}
    assert [problem.code for problem in result.problems] == ["duplicate-doc-comment"]
    result = attach(text, comments[1:], [first, second])
    assert [problem.code for problem in result.problems] == ["ambiguous-trailing-doc-comment"]
    result = attach(text, comments[:1], [(7, 10), (7, 14), outer])
    assert list(result.comments) == [2]


# ---------------------------------------------------------------- any file

FRAGMENTS = [
    "/// Doc.\n",
    "  /// Doc.\n",
    " /// Doc.\r\n",
    "// no\n",
    "/* no */ ",
    "\n",
    "\r\n",
    " ",
    "let a = 1",
    'let s = "\n/// text"',
    "type R = {\n  a:int /// A.\n        /// more\n  b:int c:int }",
    "type U = a /// a\n  | b { x:int }",
    "let f(x:int, /// X.\n  /// Y.\n  y:int) = 1",
    "let p = <p>\n/// text\n</p>",
    'import "./x"',
]


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join))
def test_piece_by_piece_is_the_same_as_all_at_once(text: str) -> None:
    file = SyntaxFile.parse(text)
    expected: dict[tuple[str, int], tuple[str, int]] = {}
    keys, items, comments, at = [], [], [], 0
    for piece, start in zip(file.pieces, file.starts, strict=True):
        comments += comments_between(text, at, start)
        comments += [(a + start, b + start) for a, b in comments_of_piece(piece.tree, piece.text)]
        at = start + len(piece.text)
        for node in documentable(piece.tree):
            keys.append((piece.key, node.start))
            items.append((node.start + start, node.end + start))
    comments += comments_between(text, at, len(text))
    for item, comment in attach(text, comments, items).comments.items():
        expected[keys[item]] = (comment.text, comment.start)
    assert {
        (piece.key, node): (comment.text, comment.start + file.start_of(piece.key))
        for piece in file.pieces
        for node, comment in file.documentation(piece.key).items()
    } == expected
