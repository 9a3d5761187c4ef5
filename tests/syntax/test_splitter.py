"""The quick patterns of the splitter find the pieces that the parser finds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syntax_invariants import check_file, fixtures

from nx_lsp.syntax import splitter
from nx_lsp.syntax.source_file import Piece, SyntaxFile
from nx_lsp.syntax.splitter import FoundPiece, next_piece


def quick_pieces(text: str) -> list[tuple[object, ...]]:
    return _pieces(text)


def parsed_pieces(text: str) -> list[tuple[object, ...]]:
    """The pieces of ``text`` without any quick pattern."""
    with pytest.MonkeyPatch.context() as patch:

        def no_quick_piece(text: str, start: int, word: str, limit: int) -> FoundPiece | None:
            return None

        patch.setattr(splitter, "_quick_piece", no_quick_piece)
        return _pieces(text)


def _pieces(text: str) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    position = 0
    while (piece := next_piece(text, position)) is not None:
        found.append((piece.start, piece.end, piece.outline))
        position = piece.end
    return found


VALID = fixtures("valid")


@pytest.mark.parametrize(("name", "text"), VALID, ids=[name for name, _ in VALID])
def test_fixtures(name: str, text: str) -> None:
    assert quick_pieces(text) == parsed_pieces(text)


DECLARATIONS = [
    'import "./a"',
    'import { A, B as C.B } from "x"',
    'type A = { a:int b:string = "} // { \\" " c:float64 = { (1 + 2) / 3 } }',
    "abstract type B extends A.B = {}",
    "export type C = { x:int where < 5 y:<Crate T=int/>+ z?:int // a } comment\n}",
    "type D = { e:Element = <p>it's { 1 } \"odd</p> }",
    "type E = a | b",
    "private type F extends B = | a { n:int } /* | x */ | b {} | c",
    "type G = string*",
    "type H = <function a:int />: string",
    "type I = <Crate T=int/>",
    "action J = { /* } */ n:int }",
    "let k = 1",
    'let l:string = "a // b"',
    "let m = autumn",
    "let n = - 3",
    'let o(a:int, b:string = ")"): int = { a * (b + 2) }',
    'let p() = <p>text } { x } " // </p>',
    "let q = { 1 2 <a/> }",
    "let r:int={1}",
    "export let s(x?:int): string? = {}",
    "let <T a:int /> = <p>// x\n</p>",
    "component <U a:int /> = { <b/> }",
    "external component <V a:int />",
    "let type = type",
    "let w = 0xFF",
    "let x = 1.5e-3",
    "let y(a:int) = if",
]
GAPS = [
    "\n",
    " ",
    "\n\n",
    '\n// a comment with { and "\n',
    " /* type X = { */ ",
    "\n/// doc\n",
    "\n<!-- c -->\n",
]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(GAPS), st.sampled_from(DECLARATIONS)), max_size=8))
def test_any_sequence_of_declarations(parts: list[tuple[str, str]]) -> None:
    text = "".join(gap + declaration for gap, declaration in parts)
    pieces = quick_pieces(text)
    assert pieces == parsed_pieces(text)
    assert len(pieces) == len(parts)


@pytest.mark.parametrize("declaration", DECLARATIONS)
def test_a_piece_is_the_same_whatever_follows(declaration: str) -> None:
    alone = quick_pieces(declaration)
    for gap in GAPS:
        for following in DECLARATIONS:
            text = declaration + gap + following
            assert quick_pieces(text)[: len(alone)] == alone, text


def test_an_answer_depends_only_on_the_text_behind_the_position() -> None:
    text = dict(VALID)["everything"]
    file = SyntaxFile.parse(text)
    for index, start in enumerate(file.starts):
        found = next_piece(text[start:], 0)
        assert found is not None
        assert found.end == len(file.pieces[index].text)
        assert found.outline == file.pieces[index].outline


def test_a_piece_longer_than_the_window_is_found() -> None:
    body = "".join(f"<b>text {number}</b>\n" for number in range(3000))
    text = f"let a = <p>{body}</p>\nlet b = 1"
    assert len(text) > 4 * splitter.WINDOW
    file = check_file(text)
    assert [piece.key for piece in file.pieces] == ["a", "b"]
    assert file.problems() == ()


def test_common_shapes_are_split_without_parsing(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(window: str) -> None:
        raise AssertionError(window)

    monkeypatch.setattr(splitter, "read_piece", never)
    text = (
        'import "./a"\n/// Doc { of.\nexport type R extends B = {\n  /// Field "a.\n  a:int = 3\n'
        "  b?:string+ // it's\n}\ntype U =\n  /// One.\n  | a { n:int = 1 }\n  | b\n"
        'let f(\n  /// A.\n  a:int,\n  b:string = "x"\n): string = { a + b }\naction A = {}\n'
        "type T = int? let v:int = 3"
    )
    assert [piece.key for piece in SyntaxFile.parse(text).pieces] == [
        "import#1", "R", "U", "f", "A", "T", "v",
    ]  # fmt: skip


def test_keys_and_outlines() -> None:
    text = (
        'import "a" import "b" abstract type A extends N.B = {} type A = x | y '
        "export abstract external component <K.C /> let root = 1\n)\n<root/>"
    )
    file = SyntaxFile.parse(text)
    assert [piece.key for piece in file.pieces] == [
        "import#1", "import#2", "A", "A#2", "K.C", "root", "error#1", "root#2",
    ]  # fmt: skip
    outline = file.pieces[2].outline
    assert (outline.kind, outline.name, outline.extends) == ("record", "A", "N.B")
    assert outline.abstract
    assert file.pieces[2].text[outline.name_start : outline.name_end] == "A"
    component = file.pieces[4].outline
    assert (component.visibility, component.external, component.name) == ("export", True, "K.C")


@pytest.mark.parametrize("name", ["error", "import", "root", "x"])
def test_no_two_pieces_have_one_key(name: str) -> None:
    text = f'import "a"\nimport "b"\n)\nlet {name} = 1\n)\nlet {name} = 2\n)\n<a/>\n<b/>\n'
    pieces = SyntaxFile.parse(text).pieces
    assert len(pieces) == 9
    assert len({piece.key for piece in pieces}) == 9


def test_a_piece_takes_its_text_alone() -> None:
    piece = SyntaxFile.parse("  type A = { a:int }  ").pieces[0]
    again = Piece(piece.key, piece.text, piece.outline)
    assert again.tree.end == piece.tree.end == len(piece.text)


# Every place where a name or a type is still to be written, at the end of what is being typed.
UNFINISHED = [
    "import {",
    "import { a as",
    "type",
    "type X extends",
    "type X =",
    "type X = a |",
    "type R = { a:int b",
    "type R = { a:int b:",
    "type R = { a?:",
    "type R = { a:(",
    "type R = { a:<",
    "type R = { a:<P T=",
    "type R = { f:<function a:",
    "type N = int where",
    "action A = { content",
    "let",
    "let v:",
    "let v =",
    "let v = <",
    "let v = <a.",
    "let v = <a b=",
    "let g(",
    "let g(a:",
    "let g(a:int, b:",
    "let g():",
    "let <",
    "let <g a:",
    "let g() = { a.",
    "let g() = { a +",
    "let g() = { for",
    "let g() = { for x,",
    "let g() = { for x in",
    "let g() = { if a is {",
    "component <",
    "component <C extends",
    "component <C a:",
    "component <C emits {",
    "component <C /> = { state { a:",
    "enum",
]


@pytest.mark.parametrize("unfinished", UNFINISHED)
@pytest.mark.parametrize(
    "below",
    [
        "export let f(a:int): int = { a }",
        "let f(a:int): int = { a }",
        "type f = { a:int }",
        "abstract type f = { a:int }",
        "component <f /> = { <b/> }",
    ],
)
def test_what_is_unfinished_does_not_swallow_the_declaration_below(
    unfinished: str, below: str
) -> None:
    file = SyntaxFile.parse(f"{unfinished}\n/// Documented.\n{below}\nlet last = 1\n")
    assert [piece.text for piece in file.pieces] == [unfinished, below, "let last = 1"]
    assert file.documentation("f")[0].text == "Documented."
    assert not file.pieces[1].problems
    assert file.pieces[0].problems


@pytest.mark.parametrize(
    "unfinished",
    [
        "import { A",
        "type R = {\n  a:int",
        "type R = {\n  a:int =",
        "type U = a |",
        "type A = (int",
        "type A = <Crate T=int",
        "type A extends",
        "action A",
        "let f(a:int",
        "let <F a:int",
        "let f()",
        "let x = {",
        "let x = { a +",
        "let x = { f(a,",
        "let x = { if a {",
        "let x = { if a is {\n  1 => {b}",
        'let x = "abc',
        "let x = <p",
        "let x = <p a=1",
        "let x = <p>",
        "let x = <p>\n  text <b/>",
        "component <C",
        "component <C /> =",
        "component <C /> = {",
    ],
)
@pytest.mark.parametrize("root", ["<app/>", "<app>\n  <p>text</p>\n</app>"])
def test_what_is_unfinished_does_not_swallow_the_root_element_below(
    unfinished: str, root: str
) -> None:
    file = SyntaxFile.parse(f"{unfinished}\n{root}\n")
    assert [piece.text for piece in file.pieces] == [unfinished, root]
    assert len(file.pieces[0].problems) == 1
    assert not file.pieces[1].problems


def test_a_line_comment_ends_with_its_line_however_lines_end() -> None:
    for ending in ("\n", "\r\n", "\r"):
        text = ending.join(["let x = 1 // c", "let y = { // d", "2 }", "// e", "type T = int // f"])
        assert [piece.key for piece in SyntaxFile.parse(text).pieces] == ["x", "y", "T"]
        assert not SyntaxFile.parse(text).problems()
