"""Reading messages from a stream (the base protocol of LSP).

The framework has such a loop too. This one also takes headers in any case, answers what is no
message instead of leaving its sender waiting, and ends at a length that cannot be meant.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Protocol

logger = logging.getLogger(__name__)

LARGEST_MESSAGE = 256 * 1024 * 1024
"""Bytes of the longest message that is read."""


class Reader(Protocol):
    """A stream that is read without holding up the event loop."""

    def readline(self) -> Awaitable[bytes]:
        """The next line with its end; empty at the end of the stream."""

    def readexactly(self, n: int, /) -> Awaitable[bytes]:
        """The next ``n`` bytes; fewer, or ``IncompleteReadError``, at the end of the stream."""


async def read_messages(
    reader: Reader, take: Callable[[object], None], refuse: Callable[[str], None]
) -> None:
    """Hand every message to ``take`` as a JSON value, until the stream ends or says nonsense
    about lengths. ``refuse`` gets the reason why a body is no JSON."""
    while (body := await _next_body(reader)) is not None:
        try:
            message = json.loads(body)
        except (ValueError, RecursionError) as error:
            logger.warning("a message of %d bytes is not JSON: %s", len(body), error)
            refuse("the message is not JSON")
            continue
        take(message)


async def _next_body(reader: Reader) -> bytes | None:
    """The body of the next message; ``None`` at the end."""
    length: int | None = None
    try:
        while header := await reader.readline():
            name, _, value = header.partition(b":")
            if name.strip().lower() == b"content-length" and value.strip().isdigit():
                length = int(value)
            # Lines without a length are none of ours: a wrapper script may have printed them.
            if header.strip() or length is None:
                continue
            if length > LARGEST_MESSAGE:
                logger.error("a message of %d bytes is announced; the session ends", length)
                return None
            body = await reader.readexactly(length)
            return body if len(body) == length else None
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError) as error:
        logger.warning("the connection was cut: %s", error)
    return None
