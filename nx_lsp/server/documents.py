"""The texts of open documents, kept by the server itself (editor-experience 12).

The protocol framework has a store of its own, which breaks lines at characters that no editor
breaks at and then applies edits in the wrong place; ``protocol`` switches it off.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nx_lsp.server.uris import uri_key
from nx_lsp.syntax.text import Encoding, LineIndex, TextChange, apply_changes

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """One version of an open document; an edit makes another.

    ``uri`` is the client's own spelling. ``out_of_step`` stays set once an edit pointed outside
    the text: what the client shows may then differ from ``text``."""

    uri: str
    version: int
    index: LineIndex
    out_of_step: bool = False

    @property
    def text(self) -> str:
        """The whole text, without a byte-order mark."""
        return self.index.text


class DocumentStore:
    """All open documents, found by any spelling of their URI."""

    def __init__(self) -> None:
        self._documents: dict[str, Document] = {}

    def __iter__(self) -> Iterator[Document]:
        return iter(tuple(self._documents.values()))

    def get(self, uri: str) -> Document | None:
        """The newest version of the document, ``None`` if it is not open."""
        return self._documents.get(uri_key(uri))

    def open(self, uri: str, version: int, text: str) -> Document:
        """Take over a document that the client opened; a second opening replaces the first."""
        document = Document(uri, version, LineIndex(text))
        self._documents[uri_key(uri)] = document
        return document

    def change(
        self, uri: str, version: int, changes: Iterable[TextChange], encoding: Encoding
    ) -> Document | None:
        """Apply all changes of one notification. ``None`` (and a line in the log) when the
        document was never opened."""
        old = self.get(uri)
        if old is None:
            logger.warning("a change for a document that is not open was ignored: %s", uri)
            return None
        edited = apply_changes(old.index, changes, encoding)
        if edited.clamped:
            logger.warning("an edit outside the text was clamped: %s, version %s", uri, version)
        document = Document(old.uri, version, edited.index, old.out_of_step or edited.clamped)
        self._documents[uri_key(uri)] = document
        return document

    def close(self, uri: str) -> Document | None:
        """Forget the document; return its last version, ``None`` if it was not open."""
        return self._documents.pop(uri_key(uri), None)
