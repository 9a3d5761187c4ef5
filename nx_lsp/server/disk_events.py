"""Changes of files by other programs: gathered for a moment, then taken over together."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable

from lsprotocol import types as lsp

from nx_lsp.program.loading import read_source
from nx_lsp.server.projects import Project, Projects
from nx_lsp.server.publishing import Publisher
from nx_lsp.server.uris import path_of

BURST, LONGEST_BURST = 0.1, 1.0
"""Seconds that a burst of events is waited for, and at most (editor-experience 13)."""


async def read_file_again(project: Project, identity: str) -> None:
    """Take over what a file of a project holds now; one that is gone leaves the program."""
    path = project.path_of(identity)
    if path is None:
        return
    read = await asyncio.to_thread(read_source, path, identity)
    gone = not isinstance(read, str) and not os.path.lexists(path)
    project.take_file(identity, path, None if gone else read)


class DiskEvents:
    """Events about files, until they are read."""

    def __init__(
        self,
        projects: Projects,
        publisher: Publisher,
        scan: Callable[[Project], Awaitable[None]],
        start: Callable[[Awaitable[None]], None],
    ) -> None:
        self._projects = projects
        self._publisher = publisher
        self._scan = scan
        self._start = start
        self._events: dict[str, lsp.FileEvent] = {}
        self._since = 0.0
        self._task: asyncio.Task[None] | None = None

    @property
    def waiting(self) -> bool:
        """Whether there are events that nobody reads yet."""
        return bool(self._events)

    def take(self, params: lsp.DidChangeWatchedFilesParams) -> None:
        """Note the events; they are read when no more have come for a moment."""
        now = time.monotonic()
        if not self._events:
            self._since = now
        self._events.update((event.uri, event) for event in params.changes)
        if self._task is not None:
            self._task.cancel()
        delay = min(BURST, max(self._since + LONGEST_BURST - now, 0))
        self._task = asyncio.ensure_future(self._wait(delay))

    async def _wait(self, delay: float) -> None:
        await asyncio.sleep(delay)
        events, self._events, self._task = self._events, {}, None
        self._start(self._read(events))

    async def _read(self, events: dict[str, lsp.FileEvent]) -> None:
        touched: dict[Project, set[str]] = {}
        for uri, event in events.items():
            path = path_of(uri)
            for project in self._projects.rooted:
                if path is None:
                    continue
                if project.changes_library(path):
                    await self._scan(project)
                    continue
                if not project.contains(path) and project.identity_of(path) is None:
                    continue
                if event.type == lsp.FileChangeType.Deleted:
                    # Of a folder only its own deletion may be told, not that of its files.
                    identities = set(project.files_below(path))
                elif path.is_dir():
                    await self._scan(project)
                    continue
                else:
                    identity = project.identity_of(path)
                    identities = {identity} if identity is not None else set()
                for identity in identities:
                    await read_file_again(project, identity)
                touched.setdefault(project, set()).update(identities)
        for project, identities in touched.items():
            self._publisher.changed(project, identities, at_once=True)
