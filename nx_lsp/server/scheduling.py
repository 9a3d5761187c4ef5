"""One thread that analyses, fed by the event loop in order of urgency (editor-experience 12).

Derived facts live in databases that may be asked by one thread at a time. So every question
becomes a job of this thread: what a person waits for goes first, and a check of the workspace is
cut into one job per module. A job that runs gives way to a more urgent one and starts again after
it; what its database has remembered by then is not worked out twice.
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
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from nx_lsp.engine import QueryCancelled

R = TypeVar("R")

logger = logging.getLogger(__name__)

_STACK = 256 * 1024 * 1024
"""Bytes of stack: deep nesting ends at our own limits, long before this one."""


class Urgency(enum.IntEnum):
    """Who waits for a job; smaller goes first, equals in the order they came."""

    REQUEST = 0
    OWN_DIAGNOSTICS = 1
    DEPENDENTS = 2


FIRST_PATIENCE, LONGEST_PATIENCE = 0.05, 1.0
"""Seconds for which a job that had to give way once may then run, doubled each time: one that
remembers nothing on its way must come to its end too."""


class Interruptible(Protocol):
    """Derived facts that a job reads: they can be told to give way, from any thread."""

    def cancel(self) -> None:
        """Let the running job end with ``QueryCancelled`` at what it reads next."""

    def resume(self) -> None:
        """Forget an earlier ``cancel``."""


@dataclass(order=True)
class _Job:
    urgency: int
    number: int
    what: str = field(compare=False)
    work: Callable[[], Any] = field(compare=False)
    facts: Interruptible | None = field(compare=False)
    future: Future[Any] = field(compare=False, default_factory=Future)
    started: bool = field(compare=False, default=False)
    abandoned: bool = field(compare=False, default=False)
    """Nobody waits for the answer any more."""
    gave_way: int = field(compare=False, default=0)
    """How often."""
    since: float = field(compare=False, default=0.0)
    """When the current run began."""

    def interrupt(self) -> None:
        if self.facts is not None:
            self.facts.cancel()

    def patience(self) -> float:
        """Seconds for which the run may still go on when others want to be first."""
        if not self.gave_way:
            return 0.0
        doubled = FIRST_PATIENCE * 2.0 ** min(self.gave_way - 1, 10)
        allowed: float = min(doubled, LONGEST_PATIENCE)
        return max(self.since + allowed - time.monotonic(), 0.0)

    def begin(self) -> bool:
        """Whether the job is to run; called again when it had to give way."""
        if self.started:
            if self.abandoned:
                self.future.set_exception(QueryCancelled())
            return not self.abandoned
        self.started = self.future.set_running_or_notify_cancel()
        return self.started


class AnalysisThread:
    """The thread and its queue. ``what`` names a job in logs and in the status."""

    def __init__(self) -> None:
        self.last_ms = 0.0
        """Time that the last job took."""
        self._order = itertools.count()
        self._jobs: list[_Job] = []
        self._current: _Job | None = None
        self._wake = threading.Condition()
        self._thread: threading.Thread | None = None
        self._stopped = False

    @property
    def queued(self) -> int:
        """How many jobs wait."""
        return len(self._jobs)

    @property
    def running(self) -> str | None:
        """The job that runs now."""
        current = self._current
        return None if current is None else current.what

    def submit(
        self,
        urgency: Urgency,
        what: str,
        job: Callable[[], R],
        facts: Interruptible | None = None,
    ) -> Future[R]:
        """Queue ``job``. A future that is cancelled before its turn is never run. With ``facts``,
        which are what it reads, the job may have to give way, and run again from its start."""
        return self._submit(_Job(urgency, next(self._order), what, job, facts)).future

    async def run(
        self,
        urgency: Urgency,
        what: str,
        job: Callable[[], R],
        facts: Interruptible | None = None,
    ) -> R:
        """Await the answer of ``job``; whatever it raises is raised here. The job ends when
        whoever awaits it is cancelled."""
        submitted = self._submit(_Job(urgency, next(self._order), what, job, facts))
        try:
            answer: R = await asyncio.wrap_future(submitted.future)
        except asyncio.CancelledError:
            with self._wake:
                submitted.abandoned = True
                if submitted is self._current:
                    submitted.interrupt()
            raise
        return answer

    def _submit(self, job: _Job) -> _Job:
        with self._wake:
            if self._stopped:
                job.future.cancel()
                return job
            if self._thread is None:
                self._start()
            heapq.heappush(self._jobs, job)
            current = self._current
            if current is not None and job.urgency < current.urgency:
                self._interrupt_after(current, current.patience())
            self._wake.notify()
        return job

    def _interrupt_after(self, job: _Job, seconds: float) -> None:
        """Let ``job``, which runs now, give way when it has had its time and is still in the way
        of a more urgent one."""
        if seconds <= 0:
            job.interrupt()
            return
        run = job.since

        def interrupt() -> None:
            with self._wake:
                waiting = self._jobs and self._jobs[0].urgency < job.urgency
                if waiting and self._current is job and job.since == run:
                    job.interrupt()

        timer = threading.Timer(seconds, interrupt)
        timer.daemon = True
        timer.start()

    def stop(self) -> None:
        """Drop what waits and let the thread end after its current job."""
        with self._wake:
            self._stopped = True
            for job in self._jobs:
                job.future.cancel()
            self._jobs.clear()
            if self._current is not None:
                self._current.abandoned = True
                self._current.interrupt()
            self._wake.notify()

    def _start(self) -> None:
        old = threading.stack_size(_STACK)
        try:
            self._thread = threading.Thread(target=self._work, name="analysis", daemon=True)
            self._thread.start()
        finally:
            threading.stack_size(old)

    def _work(self) -> None:
        while (job := self._next()) is not None:
            started = time.perf_counter()
            try:
                answer = job.work()
            except QueryCancelled as given_way:
                self._gave_way(job, given_way)
                continue
            except BaseException as error:  # handed to whoever awaits the answer
                self._finish(job, started)
                job.future.set_exception(error)
            else:
                self._finish(job, started)
                job.future.set_result(answer)

    def _next(self) -> _Job | None:
        """Wait for a job that is to run; ``None`` at the end."""
        with self._wake:
            while not self._stopped:
                if not self._jobs:
                    self._wake.wait()
                    continue
                job = heapq.heappop(self._jobs)
                if job.begin():
                    self._current = job
                    job.since = time.monotonic()
                    if job.facts is not None:
                        job.facts.resume()
                    return job
        return None

    def _gave_way(self, job: _Job, given_way: QueryCancelled) -> None:
        """Queue the job again, ahead of those that came after it."""
        with self._wake:
            self._current = None
            job.gave_way += 1
            again = not (job.abandoned or self._stopped)
            if again:
                heapq.heappush(self._jobs, job)
        if not again:
            job.future.set_exception(given_way)

    def _finish(self, job: _Job, started: float) -> None:
        with self._wake:
            self._current = None
        self.last_ms = (time.perf_counter() - started) * 1000
        if self.last_ms > 1000:
            logger.info("slow: %s took %.0f ms", job.what, self.last_ms)
