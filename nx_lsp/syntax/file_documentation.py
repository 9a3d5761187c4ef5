"""The doc comments of a whole file, found group by group, so that an edit looks at one.

A *group* is a run of pieces that share lines: a comment on a line goes to one of them. What a
group makes of its comments follows from its pieces and from the text around them, from the last
character of the piece above to the start of the piece below; it is kept while these stay.

A gap between two groups is seen by both. A trailing comment on the line of the piece above, and
the comments that continue it, belong to the group above, all others to the group below.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from nx_lsp.syntax import docs, tree
from nx_lsp.syntax.docs import DocComment
from nx_lsp.syntax.problems import Problem
from nx_lsp.syntax.text import LineIndex


class DocumentedPiece(Protocol):
    """What is needed of a piece: its source and its tree."""

    @property
    def text(self) -> str: ...

    @property
    def tree(self) -> tree.Node: ...


@dataclass(frozen=True, slots=True)
class _Group:
    """What was found: ``comments`` by the piece's place in the group and the ``start`` of the
    documented node, relative to the piece; ``problems`` relative to the window."""

    pieces: tuple[DocumentedPiece, ...]
    window: str
    is_last: bool
    comments: tuple[Mapping[int, DocComment], ...]
    problems: tuple[Problem, ...]


_NOTHING: Mapping[int, DocComment] = {}


class FileDocumentation:
    """The doc comments of a file, and what is wrong with them (nx-syntax 1.3).

    ``text`` is the file, ``starts`` the offsets of its pieces, in code points. What ``previous``,
    the same of an earlier text, found for pieces that are still there is taken over."""

    def __init__(
        self,
        text: str,
        pieces: Sequence[DocumentedPiece],
        starts: Sequence[int],
        previous: FileDocumentation | None = None,
    ) -> None:
        self._text = text
        self._pieces = pieces
        self._starts = starts
        known: Mapping[int, _Group] = {} if previous is None else previous._known
        self._known: dict[int, _Group] = {
            id(each): known[id(each)] for each in pieces if id(each) in known
        }
        """By the identity of a group's first piece, which the group keeps alive."""

    def of(self, number: int) -> Mapping[int, DocComment]:
        """The doc comments of piece ``number`` and its members by the ``start`` of what they
        document, 0 being the piece itself; offsets are relative to the piece."""
        first, last = number, number
        while first > 0 and self._share_a_line(first - 1):
            first -= 1
        while last + 1 < len(self._pieces) and self._share_a_line(last):
            last += 1
        group = self._group(first, last)
        return _NOTHING if group is None else group.comments[number - first]

    def problems(self) -> Iterator[Problem]:
        """Everything wrong with the doc comments, relative to the file, in source order, those
        included that a syntax error in the file makes pointless (`docs.DANGLING`)."""
        if "///" not in self._text:
            return
        if not self._pieces:
            comments = list(docs.comments_between(self._text, 0, len(self._text)))
            yield from docs.attach(self._text, comments, ()).problems
            return
        first = 0
        while first < len(self._pieces):
            last = first
            while last + 1 < len(self._pieces) and self._share_a_line(last):
                last += 1
            group = self._group(first, last)
            if group is not None:
                begin, _ = self._window(first, last)
                for problem in group.problems:
                    yield problem.moved(begin)
            first = last + 1

    def _share_a_line(self, number: int) -> bool:
        """Whether piece ``number`` ends on the line on which the next one starts."""
        end, start = self._end(number), self._starts[number + 1]
        return self._text.find("\n", end, start) < 0 and self._text.find("\r", end, start) < 0

    def _end(self, number: int) -> int:
        return self._starts[number] + len(self._pieces[number].text)

    def _window(self, first: int, last: int) -> tuple[int, int]:
        # The last character of the piece above keeps a comment behind it a trailing one.
        begin = self._end(first - 1) - 1 if first else 0
        end = self._starts[last + 1] if last + 1 < len(self._pieces) else len(self._text)
        return begin, end

    def _group(self, first: int, last: int) -> _Group | None:
        """What is found for the pieces from ``first`` to ``last``; ``None``: no doc comment."""
        begin, end = self._window(first, last)
        if self._text.find("///", begin, end) < 0:
            return None
        pieces = tuple(self._pieces[first : last + 1])
        is_last = last + 1 == len(self._pieces)
        known = self._known.get(id(pieces[0]))
        if (
            known is not None
            and known.is_last == is_last
            and len(known.window) == end - begin
            and self._text.startswith(known.window, begin)
            and len(known.pieces) == len(pieces)
            and all(one is other for one, other in zip(known.pieces, pieces, strict=True))
        ):
            return known
        starts = [start - begin for start in self._starts[first : last + 1]]
        group = _look(pieces, starts, self._text[begin:end], first == 0, is_last)
        self._known[id(pieces[0])] = group
        return group


def _look(
    pieces: tuple[DocumentedPiece, ...],
    starts: Sequence[int],
    window: str,
    is_first: bool,
    is_last: bool,
) -> _Group:
    """What a group finds in ``window``; ``starts`` are relative to it, as is all in here."""
    comments = _comments(window, pieces, starts, 0 if is_first else 1)
    items: list[docs.Range] = []
    owners: list[tuple[int, int]] = []
    for number, (piece, start) in enumerate(zip(pieces, starts, strict=True)):
        for node in docs.documentable(piece.tree):
            items.append((start + node.start, start + node.end))
            owners.append((number, node.start))
    found = docs.attach(window, comments, items)
    attached: tuple[dict[int, DocComment], ...] = tuple({} for _ in pieces)
    for item, comment in found.comments.items():
        number, key = owners[item]
        attached[number][key] = comment.moved(-starts[number])
    index = LineIndex(window)
    low = 0 if is_first else _end_of_trailing(window, index, comments, 0)
    end = starts[-1] + len(pieces[-1].text)
    high = len(window) if is_last else _end_of_trailing(window, index, comments, end - 1)
    problems = tuple(each for each in found.problems if low <= each.start < high)
    return _Group(pieces, window, is_last, attached, problems)


def _end_of_trailing(
    window: str, index: LineIndex, comments: Sequence[docs.Range], end: int
) -> int:
    """Behind the comments that belong to the piece whose last character is at ``end``: one on
    its line, and the block right below that one."""
    line = index.line_of(end)
    result = end + 1
    for start, stop in comments:
        if start <= end:
            continue
        at, column = index.line_column(start)
        if at != line or (result > end + 1 and window[start - column : start].strip(docs.BLANK)):
            break
        line, result = line + 1, stop
    return result


def _comments(
    text: str, pieces: Sequence[DocumentedPiece], starts: Sequence[int], begin: int
) -> list[docs.Range]:
    """The doc comments of ``text`` from ``begin``, between and inside ``pieces``."""
    found: list[docs.Range] = []
    at = begin
    for piece, start in zip(pieces, starts, strict=True):
        found.extend(docs.comments_between(text, at, start))
        inside = docs.comments_of_piece(piece.tree, piece.text) if "///" in piece.text else []
        found.extend((start + low, start + high) for low, high in inside)
        at = start + len(piece.text)
    found.extend(docs.comments_between(text, at, len(text)))
    return found
