"""The texts of a program at one moment, and the database that answers about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from nx_lsp.engine import QueryCancelled
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import Diagnostic
from nx_lsp.program.linking import ProgramInputs, Source
from nx_lsp.program.loading import build, rebuild, split_text
from nx_lsp.schema.findings import SchemaFinding
from nx_lsp.server.documents import Document
from nx_lsp.server.uris import uri_of
from nx_lsp.syntax.text import LineIndex

if TYPE_CHECKING:
    from nx_lsp.server.projects import Project


@dataclass(frozen=True, eq=False)
class SourceText:
    """One text of a program as it is now: an open document's, or a file's."""

    identity: str
    text: str
    path: Path | None = None
    document: Document | None = None

    @cached_property
    def index(self) -> LineIndex:
        """Where the lines of the text start."""
        return self.document.index if self.document is not None else LineIndex(self.text)

    @property
    def uri(self) -> str:
        """The client's spelling for an open document, else the file's URI."""
        if self.document is not None:
            return self.document.uri
        return uri_of(self.path) if self.path is not None else f"nx:/{self.identity}"

    @property
    def version(self) -> int | None:
        """The version of the open document, ``None`` for a file."""
        return self.document.version if self.document is not None else None


@dataclass(frozen=True, eq=False)
class Snapshot:
    """All texts of a project at one moment; a later edit makes another snapshot."""

    project: Project
    revision: int
    sources: Mapping[str, SourceText]
    """By identity, in the order of the program."""
    library_of: Mapping[str, str]
    """Identity to library root, for modules of libraries that the settings name."""
    unreadable: Mapping[str, Diagnostic]
    """Files that could not be read, by identity, with the reason."""

    def source(self, identity: str) -> SourceText | None:
        """The text of a module of the program, ``None`` for one that comes with the server."""
        return self.sources.get(identity)

    def is_current(self, identity: str | None = None) -> bool:
        """Whether nothing has changed since: in the project, or in the one module."""
        if identity is None:
            return self.project.revision == self.revision
        return self.project.text_of(identity) is self.sources.get(identity)


class Analysis:
    """The program database of one project. Only the analysis thread may touch it, but for
    ``cancel`` and ``resume``."""

    def __init__(self) -> None:
        self._cancelled = False
        self._database: ProgramDatabase | None = None
        self._of: Snapshot | None = None
        self._sources: dict[str, Source] = {}
        self.good_texts: dict[str, SourceText] = {}
        """The last text of each open module that had no syntax error."""
        self.member_findings: dict[str, tuple[SchemaFinding, ...]] = {}
        """What functions of the program last found at members of each module."""

    def database(self, snapshot: Snapshot) -> ProgramDatabase:
        """The database brought to ``snapshot``; what an edit did not reach stays answered.

        Raises ``QueryCancelled`` when told to give way."""
        if self._cancelled:
            raise QueryCancelled
        if self._database is None:
            self._database = build(self._inputs(snapshot))
        elif self._of is not snapshot:
            rebuild(self._database, self._inputs(snapshot))
        self._of = snapshot
        return self._database

    def database_with(self, snapshot: Snapshot, texts: Mapping[str, str]) -> ProgramDatabase:
        """A database of its own in which ``texts`` (by identity) stand for the project's."""
        inputs = self._inputs(snapshot)
        for identity, text in texts.items():
            inputs = inputs.with_text(identity, text)
        return build(inputs)

    def cancel(self) -> None:
        """Let the job that asks end with ``QueryCancelled`` at what it reads next."""
        self._cancelled = True
        if self._database is not None:
            self._database.cancel()

    def resume(self) -> None:
        """Forget an earlier ``cancel``."""
        self._cancelled = False
        if self._database is not None:
            self._database.resume()

    def counters(self) -> dict[str, int]:
        """How often queries ran, were answered from memory, or gave an equal answer again."""
        db = self._database
        if db is None:
            return {"hits": 0, "misses": 0, "cutOffs": 0}
        return {
            "hits": db.reused,
            "misses": db.runs.total(),
            "cutOffs": db.cut_offs.total(),
        }

    def _inputs(self, snapshot: Snapshot) -> ProgramInputs:
        old, self._sources = self._sources, {}
        settings = snapshot.project.settings
        workspace: list[Source] = []
        libraries: dict[str, list[Source]] = {}
        for identity, text in snapshot.sources.items():
            library = snapshot.library_of.get(identity)
            source = old.get(identity)
            if source is None or source.file.text != text.text or source.path != text.path:
                name = identity if library is None else identity.removeprefix(f"{library}/")
                before = None if source is None else source.file
                source = Source(name, split_text(text.text, before), text.path)
            self._sources[identity] = source
            members = workspace if library is None else libraries.setdefault(library, [])
            members.append(source)
        return ProgramInputs(
            workspace=tuple(workspace),
            libraries={root: tuple(members) for root, members in libraries.items()},
            entry=settings.entry,
            implicit_imports=settings.implicit_imports,
            unreadable=frozenset(snapshot.unreadable),
            problems=tuple(snapshot.unreadable.values()),
        )
