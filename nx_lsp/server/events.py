"""What the server tells by itself: schemas that changed, lenses to ask for again, its state.

All of it follows from changes of a project, after a pause: ``nxlsp/schemaDidChange`` for schemas
that were asked for in this session, ``workspace/codeLens/refresh`` when a title changed, and
``nxlsp/serverStatus`` (editor-experience 7, 8.2). Only the last two requests of a client that said
it takes them are sent.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from nx_lsp.ide.options import IdeOptions
from nx_lsp.ide.tool_schema import SchemaRequestError, named_declaration
from nx_lsp.ide.tools import list_tools
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId
from nx_lsp.server.conversions import Translator
from nx_lsp.server.features import options_of
from nx_lsp.server.last_good import with_last_good
from nx_lsp.server.lenses import Memories, memory_of
from nx_lsp.server.projects import Project
from nx_lsp.server.scheduling import Urgency
from nx_lsp.server.snapshots import Snapshot

if TYPE_CHECKING:
    from nx_lsp.server.lifecycle import NxServer

SCHEMA_DID_CHANGE = "nxlsp/schemaDidChange"
SERVER_STATUS = "nxlsp/serverStatus"

SCHEMA_EVERY = 0.25
"""Seconds between two notifications about schemas."""
REFRESH_EVERY = 0.5
"""Seconds between two requests to ask for lenses again."""
SETTLING = 0.2
"""Seconds of work that the status does not mention."""
MOST_WATCHED = 500
"""Schemas of one project whose changes are told, the latest that were asked for."""

Json = dict[str, Any]
Text = Callable[[ProgramDatabase, DeclarationId, IdeOptions], str]
"""Derives the text of a schema; raises ``SchemaRequestError``."""


@dataclass(eq=False)
class _Watched:
    """A schema that the client asked for: how to derive its text, and what it has."""

    text: Text
    fingerprint: str


@dataclass(eq=False)
class _Following:
    """What is told about one project."""

    watched: dict[tuple[DeclarationId, str], _Watched] = field(default_factory=dict)
    task: asyncio.Task[None] | None = None


class SessionEvents:
    """Tells the client of one session. Everything runs on the event loop, except the jobs."""

    def __init__(self, server: NxServer) -> None:
        self._server = server
        self.lenses: Memories = WeakKeyDictionary()
        self._following: WeakKeyDictionary[Project, _Following] = WeakKeyDictionary()
        self._schemas_told = self._lenses_told = 0.0
        self._status: Json | None = None
        self._status_task: asyncio.Task[None] | None = None

    def watch(
        self, project: Project, id: DeclarationId, view: str, text: Text, document: str, stale: bool
    ) -> None:
        """The client now has ``document``, the ``view`` of the schema of ``id``."""
        if not self._server.client.schema_events:
            return
        watched = self._following.setdefault(project, _Following()).watched
        watched.pop((id, view), None)
        watched[id, view] = _Watched(text, _fingerprint(document, stale))
        while len(watched) > MOST_WATCHED:
            del watched[next(iter(watched))]

    def changed(self, project: Project, check: asyncio.Task[None]) -> None:
        """A project is another than before; ``check`` is the task that looks at it."""
        following = self._following.setdefault(project, _Following())
        if following.task is not None:
            following.task.cancel()
        following.task = self._start(self._follow(project, following), f"following {project.uri}")
        if self._server.client.status_events:
            check.add_done_callback(lambda _: self._look_at_status())
            self._look_at_status()

    def stop(self) -> None:
        """End all tasks; nothing is told any more."""
        for following in self._following.values():
            if following.task is not None:
                following.task.cancel()
        if self._status_task is not None:
            self._status_task.cancel()

    def _start(self, work: Any, what: str) -> asyncio.Task[None]:
        async def guard() -> None:
            try:
                await work
            except Exception as error:  # the guard of `faults`, for work that no request asked for
                self._server.faults.record(what, error)

        return asyncio.ensure_future(guard())

    # ------------------------------------------------------------ schemas and lenses

    async def _follow(self, project: Project, following: _Following) -> None:
        pause = project.settings.diagnostics_delay / 1000
        since = time.monotonic() - self._schemas_told
        await asyncio.sleep(max(pause, SCHEMA_EVERY - since))
        await project.ready.wait()
        if following.watched:
            await self._tell_schemas(project, following)
        if self._server.client.refreshes_lenses and project in self.lenses:
            await self._tell_lenses(project)

    async def _tell_schemas(self, project: Project, following: _Following) -> None:
        server, snapshot = self._server, project.snapshot()
        options = options_of(server, project)
        watched = dict(following.watched)

        def job() -> list[tuple[tuple[DeclarationId, str], str, int | None, bool]]:
            return [
                (key, *_now(project, snapshot, key[0], each.text, options))
                for key, each in watched.items()
            ]

        found = await server.worker.run(
            Urgency.OWN_DIAGNOSTICS, "following schemas", job, project.analysis
        )
        if not snapshot.is_current():
            return  # the change that came meanwhile has started its own task
        changed: dict[DeclarationId, Json] = {}
        for key, fingerprint, version, stale in found:
            if watched[key].fingerprint == fingerprint:
                continue
            watched[key].fingerprint = fingerprint
            id = key[0]
            names = {"project": project.uri, "module": id.module, "name": id.name}
            changed[id] = {**names, "version": version, "stale": stale}
        if changed:
            self._schemas_told = time.monotonic()
            server.protocol.notify(SCHEMA_DID_CHANGE, list(changed.values()))

    async def _tell_lenses(self, project: Project) -> None:
        server, snapshot = self._server, project.snapshot()
        options = options_of(server, project)

        def job() -> bool:
            db = project.analysis.database(snapshot)
            at = Translator(snapshot, db, server.client.encoding)
            return memory_of(self.lenses, project).have_changed(at, options)

        if not await server.worker.run(
            Urgency.DEPENDENTS, "following lenses", job, project.analysis
        ):
            return
        since = time.monotonic() - self._lenses_told
        await asyncio.sleep(max(REFRESH_EVERY - since, 0))
        self._lenses_told = time.monotonic()
        await server.workspace_code_lens_refresh_async(None)

    # ------------------------------------------------------------ status

    def _look_at_status(self) -> None:
        if self._status_task is None or self._status_task.done():
            self._status_task = self._start(self._tell_status(), "telling the status")

    async def _tell_status(self) -> None:
        """Tell of work that takes time while it lasts, and what came of it when it is done."""
        server = self._server
        await asyncio.sleep(SETTLING)
        if not server.idle:
            self._send_status({**(self._status or _UNKNOWN), "quiescent": False})
        while not server.idle:
            await asyncio.sleep(SETTLING)
        tools = uncallable = problems = 0
        for project in server.projects:
            found = await self._count_tools(project)
            tools, uncallable = tools + found[0], uncallable + found[1]
            problems += server.publisher.count(project)
        status: Json = {"health": "warning" if uncallable else "ok", "quiescent": True}
        if uncallable:
            status["message"] = f"{uncallable} of {tools} tools cannot be called"
        self._send_status({**status, "tools": tools, "problems": problems})

    async def _count_tools(self, project: Project) -> tuple[int, int]:
        snapshot, options = project.snapshot(), options_of(self._server, project)

        def job() -> tuple[int, int]:
            db = project.analysis.database(snapshot)
            found = list_tools(db, options, offered_only=True)
            return len(found), sum(tool.problems > 0 for tool in found)

        return await self._server.worker.run(
            Urgency.DEPENDENTS, "counting tools", job, project.analysis
        )

    def _send_status(self, status: Json) -> None:
        if status != self._status:
            self._status = status
            self._server.protocol.notify(SERVER_STATUS, status)


_UNKNOWN: Json = {"health": "ok", "tools": 0, "problems": 0}


def _fingerprint(document: str, stale: bool) -> str:
    digest = hashlib.sha256(document.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{digest} {stale}"


def _now(
    project: Project, snapshot: Snapshot, id: DeclarationId, text: Text, options: IdeOptions
) -> tuple[str, int | None, bool]:
    """Fingerprint of a schema as it is now, version of its text, and whether that is an older
    one. Runs on the analysis thread."""
    try:
        document, _, stale, version = with_last_good(
            project.analysis,
            snapshot,
            lambda db, _: named_declaration(db, id.module, id.name),
            lambda db, found: text(db, found, options),
            id.module,
        )
    except SchemaRequestError as refusal:
        return f"refused: {refusal.message}", None, False
    return _fingerprint(document, stale), version, stale
