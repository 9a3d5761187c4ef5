"""What holds of every syntax file, however broken its text."""

from __future__ import annotations

import re
from pathlib import Path

from nx_lsp.syntax import tree
from nx_lsp.syntax.lexer import TRIVIA
from nx_lsp.syntax.source_file import Piece, SyntaxFile

FIXTURES = Path(__file__).parent / "fixtures"


def fixtures(kind: str) -> list[tuple[str, str]]:
    """Name and text of the fixtures in a folder; line ends are kept."""
    paths = sorted((FIXTURES / kind).glob("*.nx"))
    return [(path.stem, path.read_bytes().decode("utf-8")) for path in paths]


def check_file(text: str) -> SyntaxFile:
    """Assert the invariants of a file and all its pieces."""
    file = SyntaxFile.parse(text)
    assert file.reprint() == text
    assert len({piece.key for piece in file.pieces}) == len(file.pieces)
    end = 0
    for start, piece in zip(file.starts, file.pieces, strict=True):
        assert end <= start
        assert piece.text
        end = start + len(piece.text)
        assert text[start:end] == piece.text
        check_tree(piece)
    for key, problem in file.problems():
        owner = file.piece(key) if key is not None else None
        limit = len(text) if owner is None else len(owner.text)
        assert 0 <= problem.start < problem.end <= limit
        assert problem.message
    return file


def check_tree(piece: Piece) -> None:
    """Children lie inside their parents, in order; no tree is too deep."""
    root = piece.tree
    assert (root.start, root.end) == (0, len(piece.text))
    stack: list[tuple[tree.Node, int]] = [(root, 1)]
    while stack:
        node, depth = stack.pop()
        assert depth <= tree.MAX_DEPTH
        assert node.start <= node.end
        at = node.start
        for child in tree.children(node):
            assert isinstance(child, tree.Node)
            assert at <= child.start <= child.end <= node.end, (type(node), type(child))
            at = child.end
            stack.append((child, depth + 1))


_LEAVES = (
    tree.Name,
    tree.NumberLiteral,
    tree.StringLiteral,
    tree.BooleanLiteral,
    tree.UnitLiteral,
    tree.Identifier,
    tree.ContextualName,
    tree.Bound,
    tree.TextRun,
    tree.Entity,
    tree.Escape,
)
_KEYWORDS = [
    "import",
    "from",
    "as",
    "private",
    "export",
    "abstract",
    "external",
    "type",
    "action",
    "let",
    "component",
    "extends",
    "emits",
    "state",
    "content",
    "function",
    "if",
    "for",
    "is",
    "in",
    "else",
    "raw",
    "where",
]
_GAP = re.compile(
    rf"(?:{TRIVIA}(?:\b(?:{'|'.join(_KEYWORDS)})\b|[<>/=:,.|?+\-*%!&(){{}}\[\]@]))*{TRIVIA}"
)


def check_lossless(piece: Piece) -> None:
    """Between two leaves stand only trivia, punctuation and keywords (of sound text)."""
    leaves = [node for node in tree.walk(piece.tree) if isinstance(node, _LEAVES)]
    leaves.sort(key=lambda node: (node.start, node.end))
    at = 0
    for leaf in [*leaves, None]:
        end = leaf.start if leaf is not None else len(piece.text)
        gap = piece.text[at:end]
        assert _GAP.fullmatch(gap), gap
        if leaf is not None:
            at = leaf.end
