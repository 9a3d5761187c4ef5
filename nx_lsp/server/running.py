"""Running a server: over standard input and output, or over a loopback connection."""

from __future__ import annotations

import logging
import os
import sys

from nx_lsp.server.lifecycle import create_server


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
    server.start_io(incoming, outgoing)
    return 0 if server.protocol.was_shut_down else 1


def serve_tcp(host: str, port: int) -> int:
    """Serve one client on a loopback address, for debugging; return the exit code."""
    _log_to_stderr()
    server = create_server()
    server.start_tcp(host, port)
    return 0
