"""How far a check of a project is, shown by the client once it has taken a second."""

from __future__ import annotations

import asyncio
import time
import uuid

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.progress import Progress

PATIENCE = 1.0
"""Seconds of work before anything is shown."""
PAUSE = 0.2
"""Seconds between two reports."""
ANSWER_WAIT = 2.0
"""Seconds that the client has to agree to show something."""


class CheckProgress:
    """The progress of one run over ``total`` modules; ``bar`` is ``None`` for a client that shows
    none."""

    def __init__(self, bar: Progress | None, total: int) -> None:
        self._bar = bar
        self._total = total
        self._started = time.monotonic()
        self._reported = 0.0
        self._token: str | None = None

    async def step(self, done: int) -> bool:
        """``done`` modules are checked. Returns whether to go on: the user may have cancelled."""
        now = time.monotonic()
        if self._bar is None or now - self._started < PATIENCE:
            return True
        if self._token is None:
            await self._begin(self._bar)
        if self._bar is None or self._token is None:
            return True
        if self._bar.tokens[self._token].cancelled():
            return False
        if now - self._reported >= PAUSE:
            self._reported = now
            report = lsp.WorkDoneProgressReport(
                message=f"{done} of {self._total}", percentage=done * 100 // self._total
            )
            self._bar.report(self._token, report)
        return True

    def end(self) -> None:
        """The run is over, whichever way."""
        if self._bar is not None and self._token is not None:
            self._bar.end(self._token, lsp.WorkDoneProgressEnd())
            self._bar.tokens.pop(self._token, None)
            self._token = None

    async def _begin(self, bar: Progress) -> None:
        token = str(uuid.uuid4())
        try:
            await asyncio.wait_for(bar.create_async(token), ANSWER_WAIT)
        except (JsonRpcException, asyncio.TimeoutError):
            self._bar = None
            return
        self._token = token
        begin = lsp.WorkDoneProgressBegin("Indexing NX", cancellable=True, percentage=0)
        bar.begin(token, begin)
