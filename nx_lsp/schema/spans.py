"""From places, which survive edits, to the spans that answers give."""

from __future__ import annotations

from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import Diagnostic, Place
from nx_lsp.schema.answers import SpannedDiagnostic, SpannedLabel
from nx_lsp.syntax.text import LineIndex, Span


class SpanFinder:
    """Finds spans in the texts of a program as they are now; keeps the line index of each file
    that it has met. For one answer, not for longer: it does not see edits."""

    def __init__(self, db: ProgramDatabase) -> None:
        self._db = db
        self._lines: dict[str, LineIndex] = {}

    def span(self, place: Place) -> Span:
        """The span of ``place``: UTF-8 bytes, and lines and columns from 1."""
        lines = self._lines.get(place.module)
        if lines is None:
            module = self._db.module(place.module)
            lines = LineIndex(module.file.text if module is not None else "")
            self._lines[place.module] = lines
        return lines.span(*queries.absolute(self._db, place))

    def diagnostic(self, diagnostic: Diagnostic) -> SpannedDiagnostic:
        """The diagnostic with spans for places."""
        labels = tuple(
            SpannedLabel(label.place.module, self.span(label.place), label.primary, label.message)
            for label in diagnostic.labels
        )
        return SpannedDiagnostic(
            diagnostic.severity, diagnostic.code, diagnostic.message, labels, diagnostic.help
        )
