"""The guard around every handler (editor-experience 12, Failure).

A defect of ours must not end a session: it is logged with its stack trace and the request that
met it, the client gets an empty answer, and the same fault is logged only once.
"""

from __future__ import annotations

import functools
import logging
import traceback
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from pygls.exceptions import JsonRpcException

from nx_lsp.engine import QueryCancelled

logger = logging.getLogger(__name__)

P = TypeVar("P")
R = TypeVar("R")


class FaultLog:
    """Which faults were met, so that each is logged in full once."""

    def __init__(self) -> None:
        self.count = 0
        self._known: set[tuple[str, str]] = set()

    def record(self, what: str, error: BaseException) -> None:
        """Log ``error``, met while doing ``what``: in full the first time, not at all later."""
        self.count += 1
        frames = traceback.extract_tb(error.__traceback__)
        where = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""
        fault = (type(error).__name__, where)
        if fault in self._known:
            logger.debug("%s failed again as before: %s", what, error)
            return
        self._known.add(fault)
        logger.error("%s failed", what, exc_info=error)

    # A broad `except` is right in these two places alone: whatever goes wrong inside a handler,
    # the session must live on.

    def guarded(
        self, what: str, handler: Callable[[P], Awaitable[R]], empty: R
    ) -> Callable[[P], Awaitable[R]]:
        """``handler`` of a request, answering ``empty`` when it fails. Refusals pass."""

        @functools.wraps(handler)
        async def guard(params: P) -> R:
            try:
                return await handler(params)
            except JsonRpcException:
                raise
            except (Exception, QueryCancelled) as error:
                self.record(f"{what} {_place(params)}", error)
                return empty

        return guard

    def guarded_notification(self, what: str, handler: Callable[[P], None]) -> Callable[[P], None]:
        """``handler`` of a notification, which must not fail."""

        @functools.wraps(handler)
        def guard(params: P) -> None:
            try:
                handler(params)
            except Exception as error:
                self.record(f"{what} {_place(params)}", error)

        return guard


def _place(params: Any) -> str:
    """Where a request pointed, without any text of the document."""
    document = getattr(params, "text_document", None)
    position = getattr(params, "position", None)
    uri = getattr(document, "uri", "")
    return f"{uri}:{position.line}:{position.character}" if position is not None else str(uri)
