"""Where the tree checks collect what they find."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Union

from nx_lsp.syntax import tree
from nx_lsp.syntax.problems import Problem, RelatedSpan

Place = Union[tree.Node, tuple[int, int]]
"""A node, or a half-open range of code points relative to the piece."""


@dataclass(slots=True)
class Findings:
    """The problems so far, and the nodes that a check of their parent has dealt with."""

    problems: list[Problem] = field(default_factory=list)
    settled: set[int] = field(default_factory=set)

    def error(
        self,
        code: str,
        span: Place,
        message: str,
        advice: str | None = None,
        first: tuple[Place, str] | None = None,
    ) -> None:
        """Add an error at ``span``; ``first`` is a second place and what it is."""
        start, end = _range(span)
        related = () if first is None else (RelatedSpan(*_range(first[0]), first[1]),)
        self.problems.append(Problem(code, message, start, end, help=advice, related=related))


def _range(span: Place) -> tuple[int, int]:
    return (span.start, span.end) if isinstance(span, tree.Node) else span
