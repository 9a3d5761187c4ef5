"""A source file as a list of pieces: imports, declarations, the root element, error regions.

A piece is the unit of everything incremental. Its tree and its problems follow from its own text
alone, its offsets are relative to its first token, so an edit elsewhere changes neither.

Whitespace and comments between pieces belong to no piece. What the *order* of pieces must be
(syntax 2.1) is checked here, over the list.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from nx_lsp.syntax import docs, tree
from nx_lsp.syntax.checks import check_file, check_piece
from nx_lsp.syntax.docs import DocComment
from nx_lsp.syntax.file_documentation import FileDocumentation
from nx_lsp.syntax.outline import Outline, PieceKind, outline_of
from nx_lsp.syntax.parser import parse_piece
from nx_lsp.syntax.problems import Problem
from nx_lsp.syntax.sharing import shared
from nx_lsp.syntax.splitter import FoundPiece, next_piece
from nx_lsp.syntax.text import changed_range
from nx_lsp.syntax.tree import PieceNode

__all__ = ["Outline", "Piece", "PieceKind", "SyntaxFile", "outline_of"]


class Piece:
    """One top-level piece. Immutable; its tree is made when first asked for, and kept.

    ``key`` names it in its file and is stable: the declared name (``Plan``, repeated ``Plan#2``),
    ``import#1``, ``import#2`` …, ``root`` (``root#2`` when repeated or beside ``let root``),
    ``error#1``. ``text`` is the exact source from the first to the last token."""

    __slots__ = ("_before", "_node", "_problems", "_syntax_errors", "key", "outline", "text")

    def __init__(
        self,
        key: str,
        text: str,
        outline: Outline,
        node: tree.PieceNode | None = None,
        before: Piece | None = None,
    ) -> None:
        self.key = key
        self.text = text
        self.outline = outline
        self._before: PieceNode | None = None
        """The tree of an earlier text, to take over what stayed the same."""
        if before is not None:
            self._before = before._before if before._node is None else before._node
        self._node: PieceNode | None = None if node is None else self._sharing(node)
        self._syntax_errors: tuple[Problem, ...] | None = None if node is None else ()
        self._problems: tuple[Problem, ...] | None = None

    @property
    def tree(self) -> tree.PieceNode:
        """The syntax tree; ``start`` is 0 and ``end`` the length of ``text``."""
        if self._node is None:
            self._parse()
            assert self._node is not None
        return self._node

    @property
    def syntax_errors(self) -> tuple[Problem, ...]:
        """What the parser reports, without the checks on the tree."""
        if self._syntax_errors is None:
            self._parse()
            assert self._syntax_errors is not None
        return self._syntax_errors

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Syntax errors and tree checks (syntax 6.1 and 6.2), in source order."""
        if self._problems is None:
            errors = self.syntax_errors
            found = [*errors, *check_piece(self.tree, errors)]
            found.sort(key=lambda problem: (problem.start, problem.end))
            self._problems = tuple(found)
        return self._problems

    def renamed(self, key: str) -> Piece:
        """The same piece under another key; what it has made is shared."""
        other = Piece(key, self.text, self.outline)
        other._node, other._syntax_errors = self._node, self._syntax_errors
        other._problems = self._problems
        return other

    def _parse(self) -> None:
        node, self._syntax_errors = parse_piece(self.text)
        self._node = self._sharing(node)

    def _sharing(self, node: PieceNode) -> PieceNode:
        before, self._before = self._before, None
        return node if before is None else cast("PieceNode", shared(node, before))

    def __repr__(self) -> str:
        return f"Piece({self.key!r}, {self.outline.kind})"


@dataclass(frozen=True, slots=True)
class _Kept:
    """A piece that an edit left as it was; ``start`` and ``reach`` absolute, as in `FoundPiece`."""

    piece: Piece
    start: int
    reach: int

    @property
    def outline(self) -> Outline:
        return self.piece.outline


_IN_RUN = re.compile(r"[\w\s]").match


class SyntaxFile:
    """The pieces of one text, in order, and where each begins."""

    __slots__ = ("_by_key", "_documentation", "_problems", "_reaches", "pieces", "starts", "text")

    def __init__(
        self,
        text: str,
        pieces: tuple[Piece, ...],
        starts: tuple[int, ...],
        reaches: tuple[int, ...],
        previous: SyntaxFile | None,
    ) -> None:
        self.text = text
        self.pieces = pieces
        self.starts = starts
        self._reaches = reaches
        """How far behind its start the text was looked at to find each piece."""
        self._by_key = {piece.key: index for index, piece in enumerate(pieces)}
        self._problems: tuple[tuple[str | None, Problem], ...] | None = None
        self._documentation: FileDocumentation = FileDocumentation(
            text, pieces, starts, None if previous is None else previous._documentation
        )

    @classmethod
    def parse(cls, text: str, previous: SyntaxFile | None = None) -> SyntaxFile:
        """Split ``text``; nothing is parsed that splitting does not need.

        With ``previous``, an earlier state of the file, only what the edit between the two texts
        may have changed is split again; the answer equals a fresh one. Unchanged pieces are the
        very objects, with the trees they have made. A byte-order mark at offset 0 is skipped
        like whitespace."""
        if previous is None:
            return cls._joined(text, list(_pieces(text, _text_start(text))), {}, None)
        if text == previous.text:
            return previous
        return previous._edited(text)

    @classmethod
    def _joined(
        cls,
        text: str,
        found: list[FoundPiece | _Kept],
        known: Mapping[str, Piece],
        previous: SyntaxFile | None,
    ) -> SyntaxFile:
        """A file of the pieces ``found`` in ``text``; those that ``known`` has are taken over,
        and so is what ``previous`` found about comments."""
        pieces: list[Piece] = []
        starts: list[int] = []
        reaches: list[int] = []
        counts: dict[str, int] = {}
        for each in found:
            key = _key(each.outline, counts)
            if isinstance(each, _Kept):
                piece = each.piece if each.piece.key == key else each.piece.renamed(key)
            else:
                source = text[each.start : each.end]
                old = known.get(key)
                if old is not None and old.text == source and old.outline == each.outline:
                    piece = old
                else:
                    piece = Piece(key, source, each.outline, each.node, old)
            pieces.append(piece)
            starts.append(each.start)
            reaches.append(each.reach - each.start)
        return cls(text, tuple(pieces), tuple(starts), tuple(reaches), previous)

    def _edited(self, text: str) -> SyntaxFile:
        """The file with another text.

        Pieces before the edit stay if nothing behind the start of the edit was looked at to find
        them. Those behind it stay from the first boundary on that splitting meets again: where
        the next piece ends depends on nothing before it (`splitter`)."""
        first, old_end = changed_range(self.text, text)
        moved = len(text) - len(self.text)
        seen = _run_start(text, first)
        before: list[FoundPiece | _Kept] = []
        position = _text_start(text)
        if first >= position:
            for piece, start, reach in zip(self.pieces, self.starts, self._reaches, strict=True):
                if start + reach > seen:
                    break
                before.append(_Kept(piece, start, start + reach))
                position = start + len(piece.text)
        kept = len(before)
        index = bisect_left(self.starts, old_end)
        for found in _pieces(text, position):
            boundary = found.end - moved
            if boundary >= old_end:
                while index < len(self.pieces) and self._end(index) < boundary:
                    index += 1
                if index < len(self.pieces) and self._end(index) == boundary:
                    before.append(found)
                    before += (
                        _Kept(piece, start + moved, start + moved + reach)
                        for piece, start, reach in zip(
                            self.pieces[index + 1 :],
                            self.starts[index + 1 :],
                            self._reaches[index + 1 :],
                            strict=True,
                        )
                    )
                    break
            before.append(found)
        known = {piece.key: piece for piece in self.pieces[kept:]}
        return self._joined(text, before, known, self)

    def _end(self, index: int) -> int:
        return self.starts[index] + len(self.pieces[index].text)

    # ------------------------------------------------------------ finding pieces

    def piece(self, key: str) -> Piece | None:
        """The piece with this key, or ``None``."""
        index = self._by_key.get(key)
        return None if index is None else self.pieces[index]

    def start_of(self, key: str) -> int:
        """The absolute offset of the piece with this key; `KeyError` if there is none."""
        return self.starts[self._by_key[key]]

    def piece_at(self, offset: int) -> tuple[Piece, int] | None:
        """The piece that contains the absolute ``offset``, its end included, and the relative
        offset in it. Where two pieces touch, the later one is taken."""
        index = bisect_right(self.starts, offset) - 1
        if index < 0:
            return None
        relative = offset - self.starts[index]
        piece = self.pieces[index]
        return (piece, relative) if relative <= len(piece.text) else None

    # ------------------------------------------------------------ problems

    @property
    def has_syntax_errors(self) -> bool:
        """Whether anything in the file is reported by the parser or by the order of pieces."""
        return any(piece.syntax_errors for piece in self.pieces) or any(self._order_problems())

    def problems(self) -> tuple[tuple[str | None, Problem], ...]:
        """All problems of the file, each with the key of its piece, in source order.

        Offsets are relative to the piece. Problems that concern several pieces, and those of
        doc comments, have no key: their offsets are relative to the file."""
        if self._problems is None:
            found: list[tuple[str | None, Problem]] = []
            for piece in self.pieces:
                found += [(piece.key, problem) for problem in piece.problems]
            found += self._order_problems()
            found += [(None, problem) for problem in check_file(self.pieces, self.starts)]
            broken = self.has_syntax_errors
            found += [
                (None, problem)
                for problem in self._documentation.problems()
                # The broken declaration is usually what such a comment is about.
                if not (broken and problem.code == docs.DANGLING)
            ]
            self._problems = tuple(sorted(found, key=self._source_order))
        return self._problems

    def _source_order(self, entry: tuple[str | None, Problem]) -> tuple[int, int]:
        key, problem = entry
        base = 0 if key is None else self.start_of(key)
        return base + problem.start, base + problem.end

    def _order_problems(self) -> Iterator[tuple[str, Problem]]:
        """Imports come first, the root element last and once (syntax 2.1)."""
        declared = False
        root: Piece | None = None
        for piece in self.pieces:
            kind = piece.outline.kind
            if kind == "error":
                continue
            if root is not None:
                yield piece.key, _after_root(piece)
                return
            if kind == "root":
                # A root element that is broken may have ended too early.
                if piece.syntax_errors:
                    return
                root = piece
            elif kind == "import":
                if declared:
                    yield (
                        piece.key,
                        Problem(
                            "syntax-error",
                            "Imports come first: move this `import` above the declarations",
                            0,
                            len("import"),
                        ),
                    )
            else:
                declared = True

    def documentation(self, key: str) -> Mapping[int, DocComment]:
        """The doc comments of a piece and its members (syntax 1.3), by the ``start`` of what
        they document, 0 being the piece itself. `KeyError` if there is no such piece."""
        return self._documentation.of(self._by_key[key])

    # ------------------------------------------------------------ everything again

    def reprint(self) -> str:
        """The text put together again from the pieces and what lies between them."""
        parts: list[str] = []
        position = 0
        for start, piece in zip(self.starts, self.pieces, strict=True):
            parts.append(self.text[position:start])
            parts.append(piece.text)
            position = start + len(piece.text)
        parts.append(self.text[position:])
        return "".join(parts)


def _text_start(text: str) -> int:
    return 1 if text.startswith("\ufeff") else 0


def _pieces(text: str, position: int) -> Iterator[FoundPiece]:
    """The pieces of ``text`` from ``position`` on, which lies between two of them."""
    while (found := next_piece(text, position)) is not None:
        yield found
        position = found.end


def _run_start(text: str, offset: int) -> int:
    """Where the words and the space around ``offset`` begin, with the mark before them: what was
    looked at to see that a declaration begins is one such run and a mark behind it."""
    start = max(offset - 2, 0)
    while start > 0 and _IN_RUN(text, start - 1):
        start -= 1
    return start


def _after_root(piece: Piece) -> Problem:
    if piece.outline.kind == "root":
        message = "A module has one root element: this is the second"
    else:
        message = "Nothing can follow the root element: move this above it"
    first = piece.text.split(None, 1)[0] if piece.text else ""
    node = piece.tree
    end = node.element.tag.end if isinstance(node, tree.RootNode) else len(first)
    return Problem("syntax-error", message, 0, max(end, 1))


def _key(outline: Outline, counts: dict[str, int]) -> str:
    if outline.kind in ("import", "error"):
        counts[outline.kind + "#"] = number = counts.get(outline.kind + "#", 0) + 1
        return f"{outline.kind}#{number}"
    base = "root" if outline.kind == "root" or outline.name is None else outline.name
    counts[base] = number = counts.get(base, 0) + 1
    # `import` and `error` are names too, and must not meet the numbers of imports and errors.
    mark = "##" if base in ("import", "error") else "#"
    return base if number == 1 else f"{base}{mark}{number}"
