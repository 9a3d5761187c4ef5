"""Running a server: over standard input and output, or over a loopback connection."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Coroutine
from typing import Any

from lsprotocol import types as lsp
from pygls.io_ import StdinAsyncReader, StdoutWriter

from nx_lsp.server.lifecycle import NxServer, create_server
from nx_lsp.server.transport import Reader, read_messages

logger = logging.getLogger(__name__)


def _log_to_stderr() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.getLogger().addHandler(handler)
    # The framework logs whole messages at `info`, and with them the text of documents.
    logging.getLogger("pygls").setLevel(logging.ERROR)
    logging.getLogger("nx_lsp").setLevel(logging.INFO)


def serve_stdio() -> int:
    """Serve on standard input and output until the client ends it; return the exit code.

    The real standard output is kept for the protocol: what anything prints goes to the log."""
    incoming = os.fdopen(os.dup(0), "rb")
    outgoing = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    _log_to_stderr()
    server = create_server()
    reader = StdinAsyncReader(incoming, server.thread_pool)

    async def session() -> None:
        await _serve(server, reader, StdoutWriter(outgoing))

    return _run(server, session())


def serve_tcp(host: str, port: int) -> int:
    """Serve one client on a loopback address, for debugging; return the exit code.

    Raises ``OSError`` when the address cannot be listened on."""
    _log_to_stderr()
    server = create_server()

    async def session() -> None:
        connected: asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]]
        connected = asyncio.get_running_loop().create_future()

        def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if connected.done():
                writer.close()  # the state of the server is that of one client
            else:
                connected.set_result((reader, writer))

        listener = await asyncio.start_server(connect, host, port)
        try:
            reader, writer = await connected
        finally:
            listener.close()
        await _serve(server, reader, writer)

    return _run(server, session())


async def _serve(server: NxServer, reader: Reader, writer: Any) -> None:
    protocol = server.protocol
    protocol.set_writer(writer)

    def refuse(message: str) -> None:
        protocol.refuse(None, lsp.ErrorCodes.ParseError, message)

    take = server.faults.guarded_notification("a message", protocol.receive)
    await read_messages(reader, take, refuse)


def _run(server: NxServer, session: Coroutine[Any, Any, None]) -> int:
    """Run a session to its end; return the exit code: 0 if the client asked for the end."""
    try:
        asyncio.run(session)
    except (BrokenPipeError, ConnectionError):
        logger.error("the client has gone")
    except (KeyboardInterrupt, SystemExit):
        pass  # the framework leaves by `SystemExit` when the client says `exit`
    finally:
        server.shutdown()
    return 0 if server.protocol.was_shut_down else 1
