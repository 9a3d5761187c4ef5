"""Files as lists of pieces: look-up, order, reuse, problems of the whole."""

from __future__ import annotations

import pytest

from nx_lsp.syntax import tree
from nx_lsp.syntax.source_file import SyntaxFile

TEXT = """\
import "./a"

/// A record.
type A = {
  x:int  /// An x.
}
type B = A // behind
let c = 1
<page/>
"""


def test_pieces_are_found_by_key_and_by_offset() -> None:
    file = SyntaxFile.parse(TEXT)
    assert [piece.key for piece in file.pieces] == ["import#1", "A", "B", "c", "root"]
    piece = file.piece("A")
    assert piece is not None
    start = file.start_of("A")
    assert TEXT[start:].startswith("type A")
    assert file.piece_at(start) == (piece, 0)
    assert file.piece_at(start + len(piece.text)) == (piece, len(piece.text))
    assert file.piece_at(start - 2) is None
    assert file.piece("Z") is None
    with pytest.raises(KeyError):
        file.start_of("Z")


def test_where_pieces_touch_the_later_one_is_taken() -> None:
    file = SyntaxFile.parse('let a = "x"let b = 1')
    found = file.piece_at(11)
    assert found is not None
    assert (found[0].key, found[1]) == ("b", 0)


def test_offsets_in_a_piece_survive_text_above_it() -> None:
    before = SyntaxFile.parse(TEXT)
    after = SyntaxFile.parse(
        TEXT.replace("/// A record.", "/// A record.\n///\n/// It has an x."), before
    )
    for key in ("import#1", "A", "B", "c", "root"):
        assert after.piece(key) is before.piece(key)
    assert after.start_of("A") > before.start_of("A")


def test_an_edit_replaces_only_what_it_touches() -> None:
    before = SyntaxFile.parse(TEXT)
    after = SyntaxFile.parse(TEXT.replace("x:int", "x:string"), before)
    kept = [piece.key for piece in after.pieces if before.piece(piece.key) is piece]
    assert kept == ["import#1", "B", "c", "root"]


def test_documentation_is_relative_to_the_piece() -> None:
    file = SyntaxFile.parse(TEXT)
    comments = file.documentation("A")
    node = file.pieces[1].tree
    assert isinstance(node, tree.RecordNode)
    assert {start: comment.text for start, comment in comments.items()} == {
        0: "A record.",
        node.fields[0].start: "An x.",
    }


def test_problems_come_in_source_order_with_their_piece() -> None:
    text = 'let b = {1 +}\ntype A = { a:int? }\nlet c = 1 import "x"\n/// nothing\n'
    file = SyntaxFile.parse(text)
    assert [(key, problem.code) for key, problem in file.problems()] == [
        ("b", "syntax-error"),
        ("A", file.problems()[1][1].code),
        ("import#1", "syntax-error"),
    ]
    assert file.has_syntax_errors


def test_dangling_doc_comments_are_reported_in_sound_files() -> None:
    file = SyntaxFile.parse("let b = 1\n/// nothing\n")
    assert [(key, problem.code) for key, problem in file.problems()] == [
        (None, "dangling-doc-comment")
    ]
    assert not file.has_syntax_errors


def test_nothing_is_parsed_before_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    from nx_lsp.syntax import source_file

    def never(text: str) -> None:
        raise AssertionError(text)

    monkeypatch.setattr(source_file, "parse_piece", never)
    file = SyntaxFile.parse(TEXT)
    assert file.reprint() == TEXT
    assert file.pieces[1].outline.name == "A"


def test_only_the_first_thing_after_the_root_is_reported() -> None:
    file = SyntaxFile.parse('<a/>\nlet x = 1\nlet y = 2\nimport "z"')
    assert [key for key, _ in file.problems()] == ["x"]
