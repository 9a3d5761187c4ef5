"""Problems found in the text of one piece, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Severity = Literal["error", "warning", "info", "hint"]


@dataclass(frozen=True, slots=True)
class RelatedSpan:
    """A second place that explains a problem. Code points, relative to the same piece."""

    start: int
    end: int
    message: str


@dataclass(frozen=True, slots=True)
class Problem:
    """One syntax error or tree-check finding.

    ``start``/``end``: half-open code point offsets, relative to the piece the problem
    belongs to (or to the file, for problems that belong to no piece)."""

    code: str
    message: str
    start: int
    end: int
    severity: Severity = "error"
    help: str | None = None
    related: tuple[RelatedSpan, ...] = ()

    def moved(self, distance: int) -> Problem:
        """The same problem with ``distance`` added to its offsets."""
        related = tuple(
            RelatedSpan(each.start + distance, each.end + distance, each.message)
            for each in self.related
        )
        return replace(self, start=self.start + distance, end=self.end + distance, related=related)
