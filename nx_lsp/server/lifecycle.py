"""The server object: start, settings, folders, text sync, end.

``create_server`` makes a complete server; ``serve_stdio`` and ``serve_tcp`` run one. There is no
state outside the object.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import platform
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

from nx_lsp import __version__
from nx_lsp.server import actions, commands, features, lenses, requests
from nx_lsp.server.configuration import SECTION, ServerSettings, read_settings
from nx_lsp.server.conversions import ClientView
from nx_lsp.server.disk import scan
from nx_lsp.server.disk_events import DiskEvents, read_file_again
from nx_lsp.server.documents import DocumentStore
from nx_lsp.server.events import SessionEvents
from nx_lsp.server.faults import FaultLog
from nx_lsp.server.projects import Folder, Project, Projects
from nx_lsp.server.protocol import Protocol
from nx_lsp.server.publishing import Publisher
from nx_lsp.server.scheduling import AnalysisThread, Urgency
from nx_lsp.server.uris import ANALYSED_SCHEMES, path_of, scheme_of, uri_key
from nx_lsp.syntax.text import TextChange

logger = logging.getLogger(__name__)

R = TypeVar("R")

SETTINGS_WAIT = 5.0
"""Seconds that the client has to tell its settings before the defaults apply."""
LONGEST_WAIT = 1.0
"""Seconds that a request waits for the session to be ready."""


class NxServer(LanguageServer):
    """A language server session with all its state."""

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__(
            "nx-lsp", __version__, protocol_cls=Protocol, converter_factory=default_converter
        )
        self.faults = FaultLog()
        self.documents = DocumentStore()
        self.projects = Projects()
        self.worker = AnalysisThread()
        self.client = ClientView()
        self.publisher = Publisher(
            self.worker,
            self.faults,
            lambda snapshot, identity: features.check(self, snapshot, identity),
            self.text_document_publish_diagnostics,
            lambda: self.work_done_progress if self.client.shows_progress else None,
        )
        self.events = SessionEvents(self)
        self.publisher.watcher = self.events.changed
        self.disk_events = DiskEvents(
            self.projects,
            self.publisher,
            self.scan_project,
            lambda work: self.start(work, "reading changed files"),
        )
        self.loop_lag_ms = 0.0
        self.arranged = asyncio.Event()
        """Set once the folders and their settings are known."""
        self._reported: set[str] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._unfinished: set[asyncio.Task[Any]] = set()

    # ------------------------------------------------------------ small services

    @property
    def idle(self) -> bool:
        """Whether everything that has arrived is read, checked and published."""
        return not (self._unfinished or self.disk_events.waiting or self.publisher.busy)

    def start(self, work: Awaitable[Any], what: str, awaited: bool = True) -> None:
        """Run ``work`` beside everything else; a fault in it is logged. The server is not idle
        before it ends, unless it is not ``awaited``."""

        async def guard() -> None:
            try:
                await work
            except Exception as error:  # the guard of `faults`, for work that no request asked for
                self.faults.record(what, error)

        task = asyncio.ensure_future(guard())
        for tasks in (self._tasks, self._unfinished) if awaited else (self._tasks,):
            tasks.add(task)
            task.add_done_callback(tasks.discard)

    def on_request(
        self,
        method: str,
        empty: R,
        handler: Callable[[Any], Awaitable[R]],
        options: object = None,
    ) -> None:
        """Register the handler of a request behind the guard. It is called once the folders of
        the session are known, which takes a question to the client about its settings."""

        async def when_arranged(params: Any) -> R:
            if not self.arranged.is_set():
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self.arranged.wait(), LONGEST_WAIT)
            return await handler(params)

        self.feature(method, options)(self.faults.guarded(method, when_arranged, empty))

    def on_notification(self, method: str, handler: Callable[[Any], None]) -> None:
        """Register the handler of a notification behind the guard."""
        self.feature(method)(self.faults.guarded_notification(method, handler))

    def report_once(self, message: str) -> None:
        """Tell the user something, once in a session."""
        if message not in self._reported:
            self._reported.add(message)
            logger.warning("%s", message)
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, message))

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Faults of the connection go to the log; a pop-up would not help anyone."""
        logger.error("%s: %s", getattr(source, "__name__", source), error)

    def shutdown(self) -> None:
        """End tasks and the analysis thread."""
        self.publisher.stop()
        self.events.stop()
        self.worker.stop()
        super().shutdown()  # type: ignore[no-untyped-call]

    # ------------------------------------------------------------ settings

    def apply_log_level(self, settings: ServerSettings) -> None:
        """Let the log hold what the setting asks for."""
        level = {"off": logging.CRITICAL + 1}.get(settings.log_level)
        package = logging.getLogger("nx_lsp")
        package.setLevel(level if level is not None else settings.log_level.upper())

    async def fetch_settings(self) -> None:
        """Ask the client for the settings of every folder, where it can be asked."""
        if not self.client.can_be_asked_for_settings:
            return
        folders = list(self.projects.folders.values())
        items = [lsp.ConfigurationItem(section=SECTION)]
        items += [lsp.ConfigurationItem(scope_uri=one.uri, section=SECTION) for one in folders]
        try:
            question = self.workspace_configuration_async(lsp.ConfigurationParams(items))
            values = await asyncio.wait_for(question, SETTINGS_WAIT)
        except (JsonRpcException, asyncio.TimeoutError) as error:
            logger.warning("the client did not tell its settings, defaults apply: %r", error)
            return
        answers = [*values, *[None] * (len(items) - len(values))]
        self.projects.default_settings = self._read(answers[0])
        for folder, value in zip(folders, answers[1:], strict=True):
            key = uri_key(folder.uri)
            if key in self.projects.folders:
                self.projects.folders[key] = Folder(folder.uri, folder.path, self._read(value))
        self.apply_log_level(self.projects.default_settings)

    def _read(self, values: object) -> ServerSettings:
        settings, messages = read_settings(values, self.client.initial_settings)
        for message in messages:
            self.report_once(message)
        return settings

    # ------------------------------------------------------------ folders and projects

    def add_folder(self, uri: str) -> None:
        """A workspace folder of the client; one that is no directory on disk has no programs."""
        path = path_of(uri)
        if path is None:
            logger.info("the folder %s is not on disk; its documents are analysed alone", uri)
            return
        folder = Folder(uri, Path(os.path.normpath(path)), self.projects.default_settings)
        self.projects.folders[uri_key(uri)] = folder

    def rearrange(self) -> None:
        """Make projects of the folders, scan new ones, end those that are gone, and hand every
        open document to the program it now belongs to."""
        for folder in self.projects.folders.values():
            for one in folder.roots_elsewhere:
                self.report_once(
                    f"Setting `{SECTION}.project.roots`: `{one}` is not a folder inside "
                    f"{folder.uri}. It is ignored."
                )
        added, gone = self.projects.arrange()
        for project in gone:
            self.publisher.ended(project)
        for project in self.projects.rooted:
            folder = next(
                one for one in self.projects.folders.values() if project.root in one.roots
            )
            if project.settings != folder.settings and project not in added:
                scanned = (project.settings.exclude, project.settings.libraries)
                project.use(folder.settings)
                if scanned != (folder.settings.exclude, folder.settings.libraries):
                    self.start(self.scan_project(project), f"reading {project.uri}")
                else:
                    self.publisher.changed(project, at_once=True)
                    self.start(self._report_program(project), f"linking {project.uri}")
        for project in added:
            project.use(self._folder_settings(project))
            self.start(self.scan_project(project), f"reading {project.uri}")
        for document in self.documents:
            self._place_again(document.uri)

    def _folder_settings(self, project: Project) -> ServerSettings:
        for folder in self.projects.folders.values():
            if project.root in folder.roots:
                return folder.settings
        return self.projects.default_settings

    def _place_again(self, uri: str) -> None:
        document = self.documents.get(uri)
        if document is None or scheme_of(uri) not in ANALYSED_SCHEMES:
            return
        alone = self.projects.forget_single(uri)
        if alone is not None:
            self.publisher.ended(alone)
        place = self.projects.opened(document)
        if place is not None:
            self.publisher.changed(place[0], [place[1]], at_once=True)

    async def scan_project(self, project: Project) -> None:
        """Read the project's files from disk, away from the loop."""
        if project.root is None:
            return
        started = time.perf_counter()
        found = await asyncio.to_thread(
            scan, project.root, project.excluded_patterns(), project.settings.libraries
        )
        project.take_scan(found)
        milliseconds = (time.perf_counter() - started) * 1000
        logger.info("%s: %d modules in %.0f ms", project.uri, len(found.files), milliseconds)
        if len(found.files) > project.settings.file_limit:
            self.report_once(
                f"{project.uri} has {len(found.files)} NX modules, more than "
                f"`nxlsp.files.limit` ({project.settings.file_limit}): "
                "only open files are checked."
            )
        self.publisher.changed(project, at_once=True)
        await self._report_program(project)

    async def _report_program(self, project: Project) -> None:
        """Tell what is wrong with a program as a whole: there is no line to put it at."""
        snapshot = project.snapshot()
        problems = await self.worker.run(
            Urgency.DEPENDENTS,
            f"linking {project.uri}",
            lambda: project.analysis.database(snapshot).problems,
            project.analysis,
        )
        for problem in problems:
            if problem.code == "invalid-utf8":
                logger.warning("%s", problem.message)  # published at the file
            else:
                self.report_once(f"{project.uri}: {problem.message}")

    # ------------------------------------------------------------ text sync

    def did_open(self, params: lsp.DidOpenTextDocumentParams) -> None:
        """A document was opened: its text counts from now on."""
        item = params.text_document
        document = self.documents.open(item.uri, item.version, item.text.removeprefix("\ufeff"))
        place = self.projects.opened(document)
        if place is not None:
            self.publisher.changed(place[0], [place[1]], at_once=True)

    def did_change(self, params: lsp.DidChangeTextDocumentParams) -> None:
        """Apply every change of the notification before anything else runs."""
        changes = [_text_change(change) for change in params.content_changes]
        identifier = params.text_document
        document = self.documents.change(
            identifier.uri, identifier.version, changes, self.client.encoding
        )
        if document is None:
            return
        place = self.projects.opened(document)
        if place is not None:
            self.publisher.changed(place[0], [place[1]])

    def did_close(self, params: lsp.DidCloseTextDocumentParams) -> None:
        """A document was closed: its file counts again, if it has one in a project."""
        uri = params.text_document.uri
        if self.documents.close(uri) is None:
            return
        place = self.projects.closed(uri)
        if place is None:
            return
        project, identity = place
        if self.projects.is_single(project):
            self.publisher.ended(project)
            return
        path = path_of(uri)
        if path is None:
            self.publisher.clear(uri)
            self.publisher.changed(project, at_once=True)
        else:
            # Saved while it was open, perhaps without an event about the file.
            self.start(self._read_again(project, identity), f"reading {uri}")

    def did_save(self, params: lsp.DidSaveTextDocumentParams) -> None:
        """The text on disk is the document's now, which counts already."""

    async def _read_again(self, project: Project, identity: str) -> None:
        await read_file_again(project, identity)
        self.publisher.changed(project, [identity], at_once=True)

    # ------------------------------------------------------------ the session

    def initialize(self, params: lsp.InitializeParams) -> None:
        """Take over what the client can do, and its folders."""
        options = _plain(params.initialization_options)
        settings, messages = read_settings(options)
        self.client = replace(ClientView.of(params, options), initial_settings=settings)
        self.projects.default_settings = settings
        self.apply_log_level(settings)
        for message in messages:
            self.report_once(message)
        folders = [folder.uri for folder in params.workspace_folders or ()]
        if not folders and params.root_uri:
            folders = [params.root_uri]
        elif not folders and params.root_path:
            folders = [Path(params.root_path).absolute().as_uri()]
        for uri in folders:
            self.add_folder(uri)
        logger.info(
            "nx-lsp %s, Python %s (%s), %s, positions in %s, folders: %s, features: %s",
            __version__,
            platform.python_version(),
            sys.executable,
            sys.platform,
            self.client.encoding,
            ", ".join(folders) or "none",
            ", ".join(self.client.features) or "all",
        )

    async def begin(self) -> None:
        """After the handshake: settings, watching, the first scan."""
        self.start(self._measure_lag(), "measuring the loop", awaited=False)
        await self.fetch_settings()
        self.rearrange()
        self.arranged.set()
        if self.client.watches_on_request:
            self.start(self._watch_files(), "asking to be told about files", awaited=False)

    async def _watch_files(self) -> None:
        watcher = lsp.FileSystemWatcher(glob_pattern="**/*.nx")
        registrations = [
            lsp.Registration(
                "nxlsp-watch",
                lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES,
                lsp.DidChangeWatchedFilesRegistrationOptions([watcher]),
            )
        ]
        await self.client_register_capability_async(lsp.RegistrationParams(registrations))

    async def configuration_changed(self, settings: object) -> None:
        """Read the settings again; ``settings`` is what a client sent that cannot be asked."""
        if self.client.can_be_asked_for_settings:
            await self.fetch_settings()
        else:
            values = settings.get(SECTION) if isinstance(settings, dict) else None
            read = self._read(values)
            self.projects.default_settings = read
            self.projects.folders = {
                key: Folder(folder.uri, folder.path, read)
                for key, folder in self.projects.folders.items()
            }
        self.rearrange()
        for project in self.projects:
            if self.projects.is_single(project):
                project.use(self.projects.default_settings)
            self.publisher.changed(project, at_once=True)

    def folders_changed(self, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        """Folders were added to the window or taken away."""
        for folder in params.event.removed:
            self.projects.folders.pop(uri_key(folder.uri), None)
        for folder in params.event.added:
            self.add_folder(folder.uri)
        self.start(self._settings_then_rearrange(), "changing folders")

    async def _settings_then_rearrange(self) -> None:
        await self.fetch_settings()
        self.rearrange()

    async def _measure_lag(self) -> None:
        """Notice when something holds the loop up (editor-experience 12)."""
        pause = 0.5
        while True:
            before = time.perf_counter()
            await asyncio.sleep(pause)
            self.loop_lag_ms = max((time.perf_counter() - before - pause) * 1000, 0.0)
            if self.loop_lag_ms > 200:
                logger.warning(
                    "the loop was held up for %.0f ms; the analysis thread was %s",
                    self.loop_lag_ms,
                    self.worker.running or "idle",
                )


def _text_change(change: lsp.TextDocumentContentChangeEvent) -> TextChange:
    if isinstance(change, lsp.TextDocumentContentChangePartial):
        start, end = change.range.start, change.range.end
        return TextChange(change.text, (start.line, start.character), (end.line, end.character))
    return TextChange(change.text)


def _plain(value: Any) -> Any:
    """Initialization options as plain JSON data; the framework may have made objects of them."""
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def create_server() -> NxServer:
    """A server with all its handlers, not yet connected to anything."""
    server = NxServer()
    server.on_notification(lsp.INITIALIZE, server.initialize)
    server.on_notification(lsp.INITIALIZED, lambda _: server.start(server.begin(), "starting"))
    server.on_notification(lsp.TEXT_DOCUMENT_DID_OPEN, server.did_open)
    server.on_notification(lsp.TEXT_DOCUMENT_DID_CHANGE, server.did_change)
    server.on_notification(lsp.TEXT_DOCUMENT_DID_CLOSE, server.did_close)
    server.feature(lsp.TEXT_DOCUMENT_DID_SAVE, lsp.SaveOptions(include_text=False))(
        server.faults.guarded_notification(lsp.TEXT_DOCUMENT_DID_SAVE, server.did_save)
    )
    server.on_notification(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, server.disk_events.take)
    server.on_notification(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, server.folders_changed)
    server.on_notification(
        lsp.WORKSPACE_DID_CHANGE_CONFIGURATION,
        lambda params: server.start(
            server.configuration_changed(_plain(params.settings)), "reading settings"
        ),
    )
    features.register(server)
    requests.register(server)
    commands.register(server)
    lenses.register(server)
    actions.register(server)
    return server
