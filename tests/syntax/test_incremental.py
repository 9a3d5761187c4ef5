"""After any edits a file equals a fresh one, and what an edit did not touch was kept."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from syntax_invariants import fixtures

from nx_lsp.syntax import docs, source_file, tree
from nx_lsp.syntax.file_documentation import FileDocumentation
from nx_lsp.syntax.source_file import SyntaxFile
from nx_lsp.syntax.splitter import FoundPiece
from nx_lsp.syntax.text import changed_range

SNIPPETS = [
    "type A = { x:int }",
    "type A = { x:int /// An x.\n}",
    "/// A doc.\n",
    "type U = | a { n:int } | b",
    "export type B = string*",
    "let f(a:int, b:string): int = a",
    "let g(): Element =\n  <p>it's { 1 } /// no comment</p>",
    "component <C x:int> = {\n  <p/>\n}",
    "action J = { n:int }",
    'import "./a"',
    "<page/>",
    *['"', "/*", "*/", "//", "///", "{", "}", "(", ")", "<", ">", "/>", "=", "|", ":", "\\"],
    *["private", "type", "let", "x", "1", " ", "\n", "\r\n", "\r", "\f", "\u2028", "\ufeff"],
    *["😀", "@", "\n\n", "\nlet ", "\ntype T ", "\nexport ", " extends "],
    *["if a is { 1 => 2 }", 'contenttype "x"'],
]

texts = st.lists(st.sampled_from(SNIPPETS), max_size=25).map("".join)
files = st.one_of(
    texts,
    st.lists(st.sampled_from(SNIPPETS), max_size=10).map("\n".join),
    st.sampled_from([text for _, text in fixtures("valid") if len(text) < 3000]),
)
places = st.floats(0, 1, allow_nan=False)
edits = st.lists(
    st.tuples(places, st.integers(0, 12), st.one_of(st.sampled_from(SNIPPETS), texts)),
    min_size=1,
    max_size=8,
)


def edited(text: str, place: float, removed: int, added: str) -> str:
    at = round(place * len(text))
    return text[:at] + added + text[at + removed :]


def shape(root: tree.Node) -> list[tuple[type, tuple[object, ...]]]:
    """A tree as what it consists of."""
    return [
        (
            type(node),
            tuple(
                getattr(node, each.name)
                for each in dataclasses.fields(node)
                if each.name not in node.child_fields
            ),
        )
        for node in tree.walk(root)
    ]


def check_equal(after: SyntaxFile, fresh: SyntaxFile) -> None:
    """The two files cannot be told apart."""
    assert after.text == fresh.text
    assert after.starts == fresh.starts
    for one, other in zip(after.pieces, fresh.pieces, strict=True):
        assert (one.key, one.text, one.outline) == (other.key, other.text, other.outline)
        assert shape(one.tree) == shape(other.tree)
        assert after.documentation(one.key) == fresh.documentation(other.key)
    assert after.problems() == fresh.problems()


@given(files, edits)
@settings(max_examples=400, deadline=None)
def test_a_file_equals_a_fresh_one_after_every_edit(
    text: str, sequence: Sequence[tuple[float, int, str]]
) -> None:
    file = SyntaxFile.parse(text)
    for place, removed, added in sequence:
        text = edited(text, place, removed, added)
        file = SyntaxFile.parse(text, file)
        check_equal(file, SyntaxFile.parse(text))


@given(files, texts, edits)
@settings(max_examples=100, deadline=None)
def test_any_text_may_follow_any_other(
    text: str, other: str, sequence: Sequence[tuple[float, int, str]]
) -> None:
    """A change on disk or a branch switch is an edit too; a file may not have been asked."""
    file = SyntaxFile.parse(other, SyntaxFile.parse(text))
    for place, removed, added in sequence:
        other = edited(other, place, removed, added)
        file = SyntaxFile.parse(other, file)
    check_equal(file, SyntaxFile.parse(other))


@given(texts, texts, texts, texts)
def test_the_changed_range_leaves_equal_parts(a: str, b: str, c: str, d: str) -> None:
    old, new = a + b + d, a + c + d
    first, old_end = changed_range(old, new)
    new_end = old_end + len(new) - len(old)
    assert 0 <= first <= min(old_end, new_end)
    assert old[:first] == new[:first]
    assert old[old_end:] == new[new_end:]
    assert old_end == first or new_end == first or old[first] != new[first]
    assert old_end == first or new_end == first or old[old_end - 1] != new[new_end - 1]


COMMENTS = [
    *["/// a", "/// b\n", "   /// c\n", "/// d\n  /// e\n", "// f\n", "/* g\n */ /// h\n", "\n"],
    *["\r", "\r\n", "type A = int", "type B = { x:int /// x\n }\n", "let f(a:int /// i\n) = a "],
    *["let c = 1 ", "    ", "\n\n", "<p>/// no</p>", "type A = int /// j\n             /// k\n"],
]


@given(st.lists(st.sampled_from(COMMENTS), max_size=14).map("".join))
@settings(max_examples=400, deadline=None)
def test_comments_by_group_are_those_of_the_whole_file(text: str) -> None:
    """`FileDocumentation` looks at few pieces at a time; `attach` to all of them says the same.

    Only a broken piece can end in a comment, which is then its own and not of the piece below."""
    file = SyntaxFile.parse(text)
    assume(not any(piece.syntax_errors for piece in file.pieces))
    comments: list[tuple[int, int]] = []
    items: list[tuple[int, int]] = []
    owners: list[tuple[str, int]] = []
    at = 0
    for start, piece in zip(file.starts, file.pieces, strict=True):
        comments += docs.comments_between(text, at, start)
        inside = docs.comments_of_piece(piece.tree, piece.text)
        comments += [(start + low, start + high) for low, high in inside]
        for node in docs.documentable(piece.tree):
            items.append((start + node.start, start + node.end))
            owners.append((piece.key, node.start))
        at = start + len(piece.text)
    comments += docs.comments_between(text, at, len(text))
    whole = docs.attach(text, comments, items)
    by_group = FileDocumentation(text, file.pieces, file.starts)
    assert list(by_group.problems()) == whole.problems
    expected: dict[str, dict[int, docs.DocComment]] = {piece.key: {} for piece in file.pieces}
    for item, comment in whole.comments.items():
        key, start = owners[item]
        expected[key][start] = comment.moved(-file.start_of(key))
    assert {piece.key: file.documentation(piece.key) for piece in file.pieces} == expected


# ---------------------------------------------------------------- what an edit costs


def declaration(number: int) -> str:
    return (
        f"/// Number {number}.\ntype R{number} = {{\n  /// A field.\n  a:int\n"
        f'  b:string = "{number}" /// Behind.\n}}\n\n'
    )


LARGE = 'import "./a"\n\n' + "".join(map(declaration, range(400)))


class Count:
    """How many pieces were looked for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.found = 0
        original = source_file.next_piece

        def counted(text: str, position: int) -> FoundPiece | None:
            self.found += 1
            return original(text, position)

        monkeypatch.setattr(source_file, "next_piece", counted)


@pytest.mark.parametrize(
    ("old", "new", "most", "changed"),
    [
        ("/// Number 200.", "/// Number 200!", 3, 0),
        ("type R200 = {\n  /// A field.", "type R200 = {\n  /// A Field.", 3, 1),
        ('b:string = "200"', 'b:string? = "200"', 3, 1),
        ("type R200 = {", "type S200 = {", 3, 1),
        ("type R200 = {", "typ R200 = {", 3, 1),
        ("/// Number 200.\n", "let f(a:int) = a\n/// Number 200.\n", 4, 1),
        ("type R1 = {", "type R1 = ", 4, 1),
    ],
)
def test_an_edit_splits_only_what_is_around_it(
    old: str, new: str, most: int, changed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = SyntaxFile.parse(LARGE)
    before.problems()
    text = LARGE.replace(old, new, 1)
    assert text != LARGE
    count = Count(monkeypatch)
    after = SyntaxFile.parse(text, before)
    assert count.found <= most
    known = set(map(id, before.pieces))
    assert len([piece for piece in after.pieces if id(piece) not in known]) == changed
    check_equal(after, SyntaxFile.parse(text))


def test_what_an_edit_left_as_it_was_keeps_its_nodes() -> None:
    """In a function whose body is edited the parameters are the very same, and a comment that
    moves nothing leaves the whole tree."""
    before = SyntaxFile.parse("let f(a:int, b:string = {1 + 2}): int = { a + 1 } // one")
    function = before.pieces[0].tree
    assert isinstance(function, tree.FunctionNode)
    edited = SyntaxFile.parse(before.text.replace("a + 1", "a + 12"), before).pieces[0].tree
    assert isinstance(edited, tree.FunctionNode)
    assert edited is not function
    assert [*edited.parameters, edited.result] == [*function.parameters, function.result]
    commented = SyntaxFile.parse("type A = {\n  /// One.\n  a:int\n  /// Two.\n  b:string\n}\n")
    record = commented.pieces[0].tree
    other = SyntaxFile.parse(commented.text.replace("One", "Eno"), commented)
    assert other.pieces[0] is not commented.pieces[0]
    assert other.pieces[0].tree is record
    longer = SyntaxFile.parse(commented.text.replace("Two", "Three"), commented).pieces[0].tree
    assert isinstance(record, tree.RecordNode)
    assert isinstance(longer, tree.RecordNode)
    assert longer.fields[0] is record.fields[0]
    assert longer.fields[1] is not record.fields[1]
    assert longer.fields[1].type is not record.fields[1].type


def test_an_open_comment_takes_no_other_declaration() -> None:
    """A block comment that nothing closes ends where the next declaration surely begins; closed
    again, all is back."""
    before = SyntaxFile.parse(LARGE)
    opened = SyntaxFile.parse(LARGE.replace("/// Number 200.", "/* Number 200.", 1), before)
    check_equal(opened, SyntaxFile.parse(opened.text))
    assert len(opened.pieces) == len(before.pieces)
    known = set(map(id, before.pieces))
    assert [piece.key for piece in opened.pieces if id(piece) not in known] == ["R199"]
    check_equal(SyntaxFile.parse(LARGE, opened), before)
