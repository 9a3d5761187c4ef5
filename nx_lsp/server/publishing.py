"""When diagnostics are worked out and which of them reach the client (editor-experience 5, 12).

Each project has one task: it waits for a pause, checks the edited modules, then every other
module of the project, open ones first. An edit ends the task and starts another. A result is
published only while all texts it was made from are current, so versions never go back.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from lsprotocol import types as lsp
from pygls.progress import Progress

from nx_lsp.server.faults import FaultLog
from nx_lsp.server.progress import CheckProgress
from nx_lsp.server.projects import Project
from nx_lsp.server.scheduling import AnalysisThread, Urgency
from nx_lsp.server.snapshots import Snapshot, SourceText
from nx_lsp.server.uris import uri_key

logger = logging.getLogger(__name__)

PER_FILE, PER_PROJECT = 200, 2000
"""Most diagnostics of one file and of one project."""

Check = Callable[[Snapshot, str], list[lsp.Diagnostic]]
"""Works out the diagnostics of one module, on the analysis thread."""


@dataclass(eq=False)
class _Running:
    """The task of one project, and the modules whose text changed since it was last checked."""

    task: asyncio.Task[None] | None = None
    edited: set[str] = field(default_factory=set)


class Publisher:
    """Publishes the diagnostics of all projects, and takes them back."""

    def __init__(
        self,
        thread: AnalysisThread,
        faults: FaultLog,
        check: Check,
        send: Callable[[lsp.PublishDiagnosticsParams], None],
        progress_bar: Callable[[], Progress | None],
    ) -> None:
        self._thread = thread
        self._faults = faults
        self._check = check
        self._send = send
        self._progress_bar = progress_bar
        self._running: dict[Project, _Running] = {}
        self._published: dict[str, lsp.PublishDiagnosticsParams] = {}
        self._owner: dict[str, Project] = {}
        self.watcher: Callable[[Project, asyncio.Task[None]], None] = lambda project, check: None
        """Told of every change, with the check that it starts."""

    # ------------------------------------------------------------ starting and ending

    def changed(self, project: Project, edited: Iterable[str] = (), at_once: bool = False) -> None:
        """Something in the project is another than before; check it after a pause."""
        running = self._running.setdefault(project, _Running())
        running.edited.update(edited)
        if running.task is not None:
            running.task.cancel()
        delay = 0.0 if at_once else project.settings.diagnostics_delay / 1000
        if not at_once and self._thread.last_ms > 300:
            delay *= 2
        running.task = asyncio.ensure_future(self._guarded(project, running, delay))
        self.watcher(project, running.task)

    def ended(self, project: Project) -> None:
        """The project is gone: so are its diagnostics."""
        running = self._running.pop(project, None)
        if running is not None and running.task is not None:
            running.task.cancel()
        for key in [key for key, owner in self._owner.items() if owner is project]:
            self.clear(self._published[key].uri)

    def clear(self, uri: str) -> None:
        """Take back what was published for a document that is no longer checked."""
        key = uri_key(uri)
        self._owner.pop(key, None)
        old = self._published.pop(key, None)
        if old is not None and old.diagnostics:
            self._send(lsp.PublishDiagnosticsParams(uri=old.uri, diagnostics=[]))

    def stop(self) -> None:
        """End all tasks; nothing is published any more."""
        for running in self._running.values():
            if running.task is not None:
                running.task.cancel()
        self._running.clear()

    @property
    def busy(self) -> bool:
        """Whether some check has not come to its end."""
        return any(
            running.task is not None and not running.task.done()
            for running in self._running.values()
        )

    def count(self, project: Project) -> int:
        """How many diagnostics of the project are published now."""
        return sum(
            len(self._published[key].diagnostics)
            for key, owner in self._owner.items()
            if owner is project
        )

    # ------------------------------------------------------------ the task

    async def _guarded(self, project: Project, running: _Running, delay: float) -> None:
        try:
            await self._run(project, running, delay)
        except Exception as error:  # the guard of `faults`, for work that no request asked for
            self._faults.record(f"checking {project.uri}", error)

    async def _run(self, project: Project, running: _Running, delay: float) -> None:
        await asyncio.sleep(delay)
        await project.ready.wait()
        snapshot = project.snapshot()
        if not project.settings.enable:
            self._retain(project, ())
            return
        wanted = self._wanted(project, snapshot)
        self._retain(project, wanted)
        progress = CheckProgress(self._progress_bar(), len(wanted))
        try:
            for number, text in enumerate(wanted):
                if not await self._check_one(project, running, snapshot, text):
                    return
                if not await progress.step(number + 1):
                    logger.info("the check of %s was cancelled by the user", project.uri)
                    return
        finally:
            progress.end()
        self._publish_unreadable(project, snapshot)

    async def _check_one(
        self, project: Project, running: _Running, snapshot: Snapshot, text: SourceText
    ) -> bool:
        """Check and publish one module; ``False`` if the texts have changed meanwhile."""
        edited = text.identity in running.edited
        urgency = Urgency.OWN_DIAGNOSTICS if edited else Urgency.DEPENDENTS
        what = f"checking {text.identity}"
        try:
            found = await self._thread.run(
                urgency, what, lambda: self._check(snapshot, text.identity), project.analysis
            )
        except Exception as error:  # the guard of `faults`: the other modules are checked still
            self._faults.record(what, error)
            return snapshot.is_current()
        if not snapshot.is_current():
            return False
        running.edited.discard(text.identity)
        self._publish(project, text, found, edited)
        return True

    def _wanted(self, project: Project, snapshot: Snapshot) -> list[SourceText]:
        """What is to be checked: edited modules, other open ones, then the rest."""
        edited = self._running[project].edited if project in self._running else set()
        only_open = (
            project.settings.diagnostics_mode == "openFiles"
            or len(snapshot.sources) > project.settings.file_limit
        )
        texts = [
            text for text in snapshot.sources.values() if text.document is not None or not only_open
        ]
        return sorted(texts, key=lambda text: (text.identity not in edited, text.document is None))

    def _retain(self, project: Project, wanted: Iterable[SourceText]) -> None:
        """Take back what was published for modules that are no longer checked."""
        kept = {uri_key(text.uri) for text in wanted}
        kept.update(uri_key(uri) for uri, _ in _unreadable(project.snapshot()))
        gone = [key for key, owner in self._owner.items() if owner is project and key not in kept]
        for key in gone:
            self.clear(self._published[key].uri)

    # ------------------------------------------------------------ publishing

    def _publish(
        self, project: Project, text: SourceText, found: list[lsp.Diagnostic], edited: bool
    ) -> None:
        key = uri_key(text.uri)
        others = self.count(project) - len(
            self._published[key].diagnostics if self._owner.get(key) is project else ()
        )
        shown = _limited(found, others)
        old = self._published.get(key)
        if old is not None and old.uri != text.uri:
            # The client opened or closed the document under another spelling of its address, and
            # may keep a list for each.
            self.clear(old.uri)
            old = None
        if old is not None:
            same = old.diagnostics == shown
            newer = text.version is not None and old.version != text.version
            if same and not (newer and (edited or old.version is None)):
                self._owner[key] = project
                return
        elif not shown and text.version is None:
            return
        params = lsp.PublishDiagnosticsParams(text.uri, shown, text.version)
        self._published[key] = params
        self._owner[key] = project
        self._send(params)

    def _publish_unreadable(self, project: Project, snapshot: Snapshot) -> None:
        for uri, message in _unreadable(snapshot):
            start = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
            found = [
                lsp.Diagnostic(
                    start, message, lsp.DiagnosticSeverity.Error, code="invalid-utf8", source="nx"
                )
            ]
            key = uri_key(uri)
            old = self._published.get(key)
            if old is None or old.diagnostics != found:
                self._published[key] = lsp.PublishDiagnosticsParams(uri, found)
                self._owner[key] = project
                self._send(self._published[key])


def _unreadable(snapshot: Snapshot) -> list[tuple[str, str]]:
    """URI and message of every file that is there but is no text."""
    root = snapshot.project.root
    if root is None:
        return []
    return [
        ((root / identity).as_uri(), problem.message)
        for identity, problem in snapshot.unreadable.items()
        if problem.code == "invalid-utf8"
    ]


def _limited(found: list[lsp.Diagnostic], others: int) -> list[lsp.Diagnostic]:
    """The most urgent ones within the limits, and one that says what was left out."""
    room = min(PER_FILE, max(PER_PROJECT - others, 0))
    if len(found) <= room:
        return found
    kept = sorted(found, key=lambda one: one.severity or lsp.DiagnosticSeverity.Hint)[:room]
    kept.sort(key=lambda one: (one.range.start.line, one.range.start.character))
    left = len(found) - room
    return [
        *kept,
        lsp.Diagnostic(
            lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0)),
            f"{left} more problems of this file are not shown "
            f"(at most {PER_FILE} per file and {PER_PROJECT} per project).",
            lsp.DiagnosticSeverity.Information,
            code="too-many-problems",
            source="nx",
        ),
    ]
