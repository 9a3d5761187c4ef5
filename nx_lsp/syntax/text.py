"""Text positions: lines, columns, protocol positions, byte spans, incremental edits.

The rest of the package counts **code points** from the start of a text. This module alone
knows the other ways to count: UTF-8 bytes, UTF-16 code units, lines and columns
(editor-experience 12, schema-contract 1).

A line ends at LF, at CR LF or at a lone CR, and nowhere else: a form feed, U+0085 or U+2028
stays inside its line, as in every editor. A ``str`` may hold lone surrogates (a client can
send half of a pair); they count as one UTF-16 unit and as three UTF-8 bytes, and nothing here
raises for them.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Encoding = Literal["utf-8", "utf-16", "utf-32"]
"""How a protocol client counts the characters of a line."""

Position = tuple[int, int]
"""A zero-based line, and units of some ``Encoding`` from the start of that line."""

_LINE_END = re.compile(r"\r\n?|\n")
_WIDE: dict[Encoding, re.Pattern[str]] = {
    "utf-8": re.compile(r"[^\x00-\x7f]"),
    "utf-16": re.compile("[\U00010000-\U0010ffff]"),
}
"""The characters that take more than one unit; in UTF-32 none does."""


def units(text: str, encoding: Encoding) -> int:
    """The length of ``text`` in units of ``encoding``."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-16":
        return len(text.encode("utf-16-le", "surrogatepass")) // 2
    return len(text.encode("utf-8", "surrogatepass"))


def _column_at(line: str, wanted: int, encoding: Encoding) -> tuple[int, bool]:
    """The code point column that lies ``wanted`` units into ``line``, and whether it is exact.

    Inside a character the column is that character's start; past the end it is the end."""
    if wanted < 0:
        return 0, False
    extra = 0
    if encoding != "utf-32" and not line.isascii():
        for match in _WIDE[encoding].finditer(line):
            at = match.start()
            if at + extra >= wanted:
                break
            width = units(match.group(), encoding)
            if at + extra + width > wanted:
                return at, False
            extra += width - 1
    column = wanted - extra
    return (column, True) if column <= len(line) else (len(line), False)


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a source file as the schema contract gives it (schema-contract 1).

    ``start_byte``/``end_byte`` are half-open UTF-8 byte offsets. Lines and columns are
    one-based, and columns count Unicode scalar values."""

    start_byte: int
    end_byte: int
    start_line: int
    start_column: int
    end_line: int
    end_column: int

    def to_json(self) -> dict[str, int]:
        """The span as a JSON object, members in the contract's order."""
        return {
            "startByte": self.start_byte,
            "endByte": self.end_byte,
            "startLine": self.start_line,
            "startColumn": self.start_column,
            "endLine": self.end_line,
            "endColumn": self.end_column,
        }


class LineIndex:
    """Where the lines of one text start; converts positions in both directions.

    Immutable. Offsets are code points from the start of the text; lines and columns are
    zero-based. Whatever lies outside the text is clamped to it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts: list[int] = [0]
        self.starts.extend(match.end() for match in _LINE_END.finditer(text))

    @property
    def line_count(self) -> int:
        """The number of lines; an empty text has one, and so has what follows a last line end."""
        return len(self.starts)

    def line_of(self, offset: int) -> int:
        """The zero-based line that holds the code point ``offset``."""
        return max(bisect_right(self.starts, offset) - 1, 0)

    def line_range(self, line: int) -> tuple[int, int]:
        """The offsets of ``line`` (zero-based, must exist) without its line end, half-open."""
        start, end = self.starts[line], self._line_limit(line)
        if end > start and self.text[end - 1] == "\n":
            end -= 1
        if end > start and self.text[end - 1] == "\r":
            end -= 1
        return start, end

    def line_text(self, line: int) -> str:
        """The text of ``line`` (zero-based, must exist) without its line end."""
        start, end = self.line_range(line)
        return self.text[start:end]

    def _line_limit(self, line: int) -> int:
        """The end of ``line``, its line end included."""
        return self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)

    def _clamped(self, offset: int) -> int:
        return min(max(offset, 0), len(self.text))

    # ------------------------------------------------------------ code point columns

    def line_column(self, offset: int) -> tuple[int, int]:
        """The line and code point column of ``offset``, both zero-based."""
        offset = self._clamped(offset)
        line = self.line_of(offset)
        return line, offset - self.starts[line]

    def offset(self, line: int, column: int) -> int:
        """The offset of a zero-based line and code point column."""
        return self.offset_at(line, column, "utf-32")

    # ------------------------------------------------------------ protocol positions

    def position(self, offset: int, encoding: Encoding) -> Position:
        """The protocol position of ``offset``: zero-based line, units of ``encoding``.

        Between CR and LF there is no such position; the end of the line stands for it."""
        offset = self._clamped(offset)
        line = self.line_of(offset)
        start, end = self.line_range(line)
        return line, units(self.text[start : min(offset, end)], encoding)

    def offset_at(self, line: int, character: int, encoding: Encoding) -> int:
        """The offset of a protocol position, clamped to the text and to its line.

        Inside a surrogate pair or a UTF-8 sequence it is the start of that character."""
        return self.locate(line, character, encoding)[0]

    def locate(self, line: int, character: int, encoding: Encoding) -> tuple[int, bool]:
        """Like ``offset_at``; also says whether the position exists (``False``: clamped)."""
        if line < 0:
            return 0, False
        if line >= len(self.starts):
            return len(self.text), False
        start, end = self.line_range(line)
        column, exact = _column_at(self.text[start:end], character, encoding)
        return start + column, exact

    # ------------------------------------------------------------ bytes and spans

    @cached_property
    def _byte_starts(self) -> list[int]:
        """The UTF-8 byte offset of every line; only needed for a text that is not ASCII."""
        starts = [0]
        for line in range(len(self.starts) - 1):
            text = self.text[self.starts[line] : self.starts[line + 1]]
            starts.append(starts[-1] + units(text, "utf-8"))
        return starts

    def byte_offset(self, offset: int) -> int:
        """The UTF-8 byte offset of the code point ``offset``."""
        offset = self._clamped(offset)
        if self.text.isascii():
            return offset
        line = self.line_of(offset)
        return self._byte_starts[line] + units(self.text[self.starts[line] : offset], "utf-8")

    def offset_of_byte(self, byte: int) -> int:
        """The code point offset of a UTF-8 byte offset; inside a character, its start."""
        if self.text.isascii():
            return self._clamped(byte)
        line = max(bisect_right(self._byte_starts, byte) - 1, 0)
        text = self.text[self.starts[line] : self._line_limit(line)]
        return self.starts[line] + _column_at(text, byte - self._byte_starts[line], "utf-8")[0]

    def span(self, start: int, end: int) -> Span:
        """The contract's span of the half-open code point range ``start``, ``end``."""
        start_line, start_column = self.line_column(start)
        end_line, end_column = self.line_column(end)
        return Span(
            self.byte_offset(start),
            self.byte_offset(end),
            start_line + 1,
            start_column + 1,
            end_line + 1,
            end_column + 1,
        )

    def range_of_span(self, span: Span) -> tuple[int, int]:
        """The half-open code point range of a contract span, found from its bytes."""
        return self.offset_of_byte(span.start_byte), self.offset_of_byte(span.end_byte)

    # ------------------------------------------------------------ editing

    def replaced(self, start: int, end: int, replacement: str) -> LineIndex:
        """The index of the text with ``start``–``end`` (valid code points) replaced.

        Only the lines around the edit are scanned again; line starts after it are shifted."""
        starts = self.starts
        # The line of the character before the edit is scanned again: a CR there may now
        # be followed by another character than before.
        first = self.line_of(max(start - 1, 0))
        # A line that starts behind the first kept character after the edit stays one:
        # both characters that decide about it are kept.
        kept = bisect_left(starts, end + 1)
        text = self.text[:start] + replacement + self.text[end:]
        delta = len(replacement) - (end - start)
        limit = end + delta
        result = LineIndex.__new__(LineIndex)
        result.text = text
        result.starts = starts[: first + 1]
        result.starts.extend(
            match.end()
            for match in _LINE_END.finditer(text, starts[first], min(limit + 1, len(text)))
            if match.end() <= limit
        )
        tail = starts[kept:]
        result.starts.extend(tail if delta == 0 else [at + delta for at in tail])
        return result


@dataclass(frozen=True, slots=True)
class TextChange:
    """One change of a document: ``text`` replaces the range from ``start`` to ``end``.

    Without a range it replaces the whole document."""

    text: str
    start: Position | None = None
    end: Position | None = None


@dataclass(frozen=True, slots=True)
class Edited:
    """The outcome of ``apply_changes``.

    ``clamped`` says that some range did not exist in the text it was meant for, so that
    the text may be out of step with the client's."""

    index: LineIndex
    clamped: bool

    @property
    def text(self) -> str:
        """The new text."""
        return self.index.text


def apply_changes(
    text: str | LineIndex, changes: Iterable[TextChange], encoding: Encoding
) -> Edited:
    """Apply ``changes`` one after the other, each to the result of those before it.

    ``text`` is the old text, or its line index where one is at hand (it saves scanning the
    text). Positions count units of ``encoding``. A range outside the text is clamped, and one
    that is turned around is turned back; both are told in the result, and nothing raises."""
    index = text if isinstance(text, LineIndex) else LineIndex(text)
    clamped = False
    for change in changes:
        if change.start is None or change.end is None:
            index = LineIndex(change.text)
            continue
        start, start_exact = index.locate(*change.start, encoding)
        end, end_exact = index.locate(*change.end, encoding)
        clamped = clamped or start > end or not (start_exact and end_exact)
        index = index.replaced(min(start, end), max(start, end), change.text)
    return Edited(index, clamped)


def changed_range(old: str, new: str) -> tuple[int, int]:
    """What an edit changed: ``(first, old_end)``, code points in ``old``.

    ``old[:first]`` and ``new[:first]`` are equal, and so are what follows ``old_end`` and what
    follows the same place in ``new``; the two parts of either text do not overlap. Slices are
    compared, which costs what copying the text costs."""
    shorter = min(len(old), len(new))
    first = _longest(shorter, lambda size: old[:size] == new[:size])
    tail = _longest(shorter - first, lambda size: old[len(old) - size :] == new[len(new) - size :])
    return first, len(old) - tail


def _longest(limit: int, holds: Callable[[int], bool]) -> int:
    """The largest size up to ``limit`` for which ``holds``, as it does for all below it."""
    low, high = 0, limit
    if holds(limit):
        return limit
    while low + 1 < high:
        middle = (low + high) // 2
        if holds(middle):
            low = middle
        else:
            high = middle
    return low
