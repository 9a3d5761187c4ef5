"""What this server does differently from the protocol framework.

* The framework's own text store is not fed (see ``documents``).
* A message that cannot be read, or is none, is answered with an error; the framework would stay
  silent and the client would wait for ever.
* Our own requests arrive as plain JSON values, and may come without parameters.
* A refusal (unknown function, stale input) is an answer, not a fault to log with a stack trace.
"""

from __future__ import annotations

import logging
from collections.abc import Generator
from concurrent.futures import Future
from typing import Any, Union

import attrs
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol, lsp_method

logger = logging.getLogger(__name__)


class Refusal(JsonRpcException):
    """A request that is answered with an error on purpose; ``data`` has a ``code`` to tell
    refusals apart (editor-experience 8.2)."""

    @classmethod
    def unknown(
        cls,
        message: str,
        code: str = "schema-unknown-declaration",
        notes: list[dict[str, Any]] | None = None,
    ) -> Refusal:
        """There is no such function, type, module or view; ``notes``: what to change for it."""
        data = {"code": code, "notes": notes} if notes else {"code": code}
        return cls(message, lsp.LSPErrorCodes.RequestFailed.value, data)

    @classmethod
    def stale(cls, message: str) -> Refusal:
        """The text changed while the answer was being worked out."""
        return cls(message, lsp.LSPErrorCodes.ContentModified.value, {"code": "stale"})

    @classmethod
    def invalid(cls, message: str) -> Refusal:
        """The parameters are not what the request takes."""
        return cls(message, lsp.ErrorCodes.InvalidParams.value, {"code": "invalid-params"})


@attrs.define
class OwnRequest:
    """One of our own requests, or an unknown one; ``params`` is the JSON value as it came."""

    id: Union[int, str]
    method: str
    jsonrpc: str
    params: Any = None


@attrs.define
class Unreadable:
    """Stands for a message that was already answered with an error."""

    jsonrpc: str = "none"


def _is_id(value: object) -> bool:
    return isinstance(value, (int, str)) and not isinstance(value, bool)


Handling = Generator[Any, Any, None]


class Protocol(LanguageServerProtocol):
    """``LanguageServerProtocol`` with the differences that the module names."""

    initialized = False

    @property
    def was_shut_down(self) -> bool:
        """Whether the client asked for the end before it left."""
        return self._shutdown

    # ------------------------------------------------------------ reading and answering

    def receive(self, data: object) -> None:
        """Take one JSON value that arrived: hand it on, or say why it is no message."""
        if not isinstance(data, dict) or data.get("jsonrpc") != self.VERSION:
            self.refuse(None, lsp.ErrorCodes.InvalidRequest, "this is not a JSON-RPC 2.0 message")
            return
        identity = data.get("id") if _is_id(data.get("id")) else None
        if "method" not in data:
            is_message = identity is not None and ("result" in data or "error" in data)
        else:
            is_message = isinstance(data["method"], str) and (
                "id" not in data or identity is not None
            )
        if not is_message:
            self.refuse(
                identity,
                lsp.ErrorCodes.InvalidRequest,
                "this is no request, notification or answer",
            )
            return
        try:
            self.handle_message(self.structure_message(data))
        except JsonRpcException as error:
            logger.warning("unreadable message %r: %s", data.get("method", "answer"), error)
            if "method" not in data and identity is not None:
                # Whoever asked must not wait until its patience ends.
                self._handle_response(identity, error=error.to_response_error())

    def refuse(self, identity: int | str | None, code: lsp.ErrorCodes, message: str) -> None:
        """Answer a message with an error; ``identity`` is ``None`` where it has none."""
        error = {"code": code.value, "message": message}
        self._send_data({"jsonrpc": self.VERSION, "id": identity, "error": error})

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Turn the JSON object of a message into what its type says; the parameters of methods
        that the protocol does not have stay plain JSON."""
        identity, method = data.get("id"), data.get("method")
        if method is not None and self.get_message_type(method) is None:
            if identity is None:
                logger.debug("ignored notification %r", method)
                return Unreadable()
            return OwnRequest(identity, method, data["jsonrpc"], data.get("params"))
        if method == lsp.INITIALIZED and data.get("params") is None:
            data = {**data, "params": {}}  # some clients leave them out
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if method is None or identity is None:
                raise
            refusal = Refusal.invalid(f"the parameters of `{method}` are not valid")
            logger.warning("unreadable request %r: %s", method, error)
            self._send_response(identity, error=refusal.to_response_error())
            return Unreadable()

    def handle_message(self, message: Any) -> None:
        """Hand a message to its handler; refuse what comes too early or too late."""
        if isinstance(message, Unreadable):
            return
        method, identity = getattr(message, "method", None), getattr(message, "id", None)
        if method is not None and method != lsp.EXIT:
            refusal: tuple[lsp.ErrorCodes, str] | None = None
            if self._shutdown:
                refusal = lsp.ErrorCodes.InvalidRequest, "the server is shutting down"
            elif method == lsp.INITIALIZE and self.initialized:
                refusal = lsp.ErrorCodes.InvalidRequest, "the server is initialized already"
            elif method != lsp.INITIALIZE and not self.initialized:
                refusal = lsp.ErrorCodes.ServerNotInitialized, "the server is not initialized"
            if refusal is not None:
                if identity is not None:
                    self.refuse(identity, *refusal)
                return
        if method == lsp.INITIALIZE:
            self.initialized = True
        super().handle_message(message)

    def _send_handler_result(self, future: Future[Any], *, msg_id: Any) -> None:
        if not future.cancelled() and isinstance(error := future.exception(), JsonRpcException):
            self._request_futures.pop(msg_id, None)
            self._send_response(msg_id, error=error.to_response_error())
            return
        super()._send_handler_result(future, msg_id=msg_id)

    # ------------------------------------------------------------ our own text store

    def _to_handler(self, method: str, params: Any) -> Handling:
        handler = self.fm.features.get(method)
        if handler is not None:
            yield handler, (params,), None

    @lsp_method(lsp.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: lsp.DidOpenTextDocumentParams) -> Handling:
        """Hand the notification on, without the framework's own bookkeeping."""
        yield from self._to_handler(lsp.TEXT_DOCUMENT_DID_OPEN, params)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: lsp.DidChangeTextDocumentParams) -> Handling:
        """Hand the notification on, without the framework's own bookkeeping."""
        yield from self._to_handler(lsp.TEXT_DOCUMENT_DID_CHANGE, params)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: lsp.DidCloseTextDocumentParams) -> Handling:
        """Hand the notification on, without the framework's own bookkeeping."""
        yield from self._to_handler(lsp.TEXT_DOCUMENT_DID_CLOSE, params)

    @lsp_method(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def lsp_workspace__did_change_workspace_folders(
        self, params: lsp.DidChangeWorkspaceFoldersParams
    ) -> Handling:
        """Hand the notification on, without the framework's own bookkeeping."""
        yield from self._to_handler(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, params)

    @lsp_method(lsp.WORKSPACE_EXECUTE_COMMAND)
    def lsp_workspace__execute_command(
        self, params: lsp.ExecuteCommandParams
    ) -> Generator[Any, Any, Any]:
        """Call the command with its first argument as a plain JSON value, ``None`` without."""
        handler = self.fm.commands.get(params.command)
        if handler is None:
            raise Refusal.invalid(f"there is no command `{params.command}`")
        argument = params.arguments[0] if params.arguments else None
        result = yield handler, (argument,), None
        return result

    @lsp_method(lsp.SHUTDOWN)
    def lsp_shutdown(self, *_: Any) -> Generator[Any, Any, None]:
        """Answer, and end what is still being worked on."""
        current = self.msg_id
        for identity, future in list(self._request_futures.items()):
            if identity != current and not future.done():
                future.cancel()
        self._shutdown = True
        return None
        yield
