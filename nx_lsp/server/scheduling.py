"""One thread that analyses, fed by the event loop in order of urgency (editor-experience 12).

Derived facts live in databases that may be asked by one thread at a time. So every question
becomes a job of this thread: what a person waits for goes first, and a check of the workspace is
cut into one job per module so that it never holds up a hover for long.
"""

from __future__ import annotations

import asyncio
import enum
import heapq
import itertools
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

R = TypeVar("R")

logger = logging.getLogger(__name__)

_STACK = 256 * 1024 * 1024
"""Bytes of stack: deep nesting ends at our own limits, long before this one."""


class Urgency(enum.IntEnum):
    """Who waits for a job; smaller goes first, equals in the order they came."""

    REQUEST = 0
    OWN_DIAGNOSTICS = 1
    DEPENDENTS = 2


class AnalysisThread:
    """The thread and its queue. ``what`` names a job in logs and in the status."""

    def __init__(self) -> None:
        self.last_ms = 0.0
        """Time that the last job took."""
        self.running: str | None = None
        """The job that runs now."""
        self._order = itertools.count()
        self._jobs: list[tuple[int, int, str, Callable[[], Any], Future[Any]]] = []
        self._wake = threading.Condition()
        self._thread: threading.Thread | None = None
        self._stopped = False

    @property
    def queued(self) -> int:
        """How many jobs wait."""
        return len(self._jobs)

    def submit(self, urgency: Urgency, what: str, job: Callable[[], R]) -> Future[R]:
        """Queue ``job``. A future that is cancelled before its turn is never run."""
        future: Future[R] = Future()
        with self._wake:
            if self._stopped:
                future.cancel()
                return future
            if self._thread is None:
                self._start()
            heapq.heappush(self._jobs, (urgency, next(self._order), what, job, future))
            self._wake.notify()
        return future

    async def run(self, urgency: Urgency, what: str, job: Callable[[], R]) -> R:
        """Await the answer of ``job``; whatever it raises is raised here."""
        return await asyncio.wrap_future(self.submit(urgency, what, job))

    def stop(self) -> None:
        """Drop what waits and let the thread end after its current job."""
        with self._wake:
            self._stopped = True
            for *_, future in self._jobs:
                future.cancel()
            self._jobs.clear()
            self._wake.notify()

    def _start(self) -> None:
        old = threading.stack_size(_STACK)
        try:
            self._thread = threading.Thread(target=self._work, name="analysis", daemon=True)
            self._thread.start()
        finally:
            threading.stack_size(old)

    def _work(self) -> None:
        while True:
            with self._wake:
                while not self._jobs and not self._stopped:
                    self._wake.wait()
                if self._stopped:
                    return
                _, _, what, job, future = heapq.heappop(self._jobs)
            if not future.set_running_or_notify_cancel():
                continue
            self.running = what
            started = time.perf_counter()
            try:
                answer = job()
            except BaseException as error:  # handed to whoever awaits the answer
                future.set_exception(error)
            else:
                future.set_result(answer)
            self.last_ms = (time.perf_counter() - started) * 1000
            self.running = None
            if self.last_ms > 1000:
                logger.info("slow: %s took %.0f ms", what, self.last_ms)
