"""A problem as people read it in a terminal: message, place, the source lines, carets.

::

    error[unresolved-type]: there is no type `Plann`
     --> tools.nx:3:18
      |
    3 | let find(plan:Plann): int = { 1 }
      |               ^^^^^ did you mean `Plan`?
      = help: …
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from nx_lsp.syntax.problems import Severity
from nx_lsp.syntax.text import LineIndex

TAB = 4
LONGEST_LINE = 160
"""Columns of source shown at most; a longer line is cut around the mark."""

STYLES: dict[Severity, str] = {
    "error": "bold red",
    "warning": "bold yellow",
    "info": "bold blue",
    "hint": "bold cyan",
}


@dataclass(frozen=True, slots=True)
class Mark:
    """A range of a file (absolute code points) that a problem points to."""

    path: str
    index: LineIndex
    start: int
    end: int
    primary: bool
    message: str | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem with all that is shown of it; ``marks`` has the primary one first, or none."""

    severity: Severity
    code: str
    message: str
    marks: tuple[Mark, ...] = ()
    help: str | None = None

    @property
    def primary(self) -> Mark | None:
        """The place the problem is at; ``None`` for one of the whole program."""
        return self.marks[0] if self.marks else None


def render(problem: Problem) -> Text:
    """The problem as styled text without a final line end."""
    style = STYLES[problem.severity]
    out = Text()
    out.append(f"{problem.severity}[{problem.code}]", style=style)
    out.append(f": {_visible(problem.message)}", style="bold")
    lines = [mark.index.line_of(mark.start) + 1 for mark in problem.marks]
    gutter = len(str(max(lines, default=1)))
    path = None
    for mark in problem.marks:
        line, column = mark.index.line_column(mark.start)
        if path is None:
            out.append(f"\n{'':{gutter}}--> ", style="blue")
        else:
            out.append(f"\n{'':{gutter}}::: ", style="blue")
        out.append(f"{_visible(mark.path)}:{line + 1}:{column + 1}")
        path = mark.path
        source, carets = _marked_line(mark)
        sign = "^" if mark.primary else "-"
        out.append(f"\n{'':{gutter}} |", style="blue")
        out.append(f"\n{line + 1:>{gutter}} | ", style="blue")
        out.append(source)
        out.append(f"\n{'':{gutter}} | ", style="blue")
        told = f" {_visible(mark.message)}" if mark.message else ""
        out.append(
            " " * carets[0] + sign * carets[1] + told, style=style if mark.primary else "blue"
        )
    if problem.help:
        out.append(f"\n{'':{gutter}} = ", style="blue")
        out.append(f"help: {_visible(problem.help)}")
    return out


def _marked_line(mark: Mark) -> tuple[str, tuple[int, int]]:
    """The first line of the mark as shown, and where the carets go: columns before, columns."""
    index = mark.index
    line = index.line_of(mark.start)
    first, last = index.line_range(line)
    start, end = min(mark.start, last), min(max(mark.end, mark.start), last)
    before = _visible(index.text[first:start])
    inside = _visible(index.text[start:end], cell_len(before))
    after = _visible(index.text[end:last], cell_len(before) + cell_len(inside))
    room = LONGEST_LINE // 2
    if cell_len(before) > room:
        before = "…" + _last_cells(before, room)
    if cell_len(inside) > room:
        inside = _first_cells(inside, room) + "…"
    if cell_len(after) > room:
        after = _first_cells(after, room) + "…"
    return before + inside + after, (cell_len(before), max(cell_len(inside), 1))


def _visible(text: str, column: int = 0) -> str:
    """``text`` on one line without anything that a terminal acts on: tabs as blanks, control
    and formatting characters as a replacement sign."""
    out: list[str] = []
    for character in text:
        if character == "\t":
            width = TAB - column % TAB
            out.append(" " * width)
            column += width
            continue
        # Cc control, Cf formatting (also turns text around), Cs surrogate, Zl/Zp separators
        if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            character = "\N{REPLACEMENT CHARACTER}"
        out.append(character)
        column += cell_len(character)
    return "".join(out)


def _first_cells(text: str, cells: int) -> str:
    taken = 0
    for position, character in enumerate(text):
        taken += cell_len(character)
        if taken > cells:
            return text[:position]
    return text


def _last_cells(text: str, cells: int) -> str:
    return _first_cells(text[::-1], cells)[::-1]
