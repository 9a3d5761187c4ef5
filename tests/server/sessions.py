"""Sessions with the real server over its standard input and output.

A session is shared by the tests of a module where they do not change what others see. Nothing
here sleeps: a test waits for a state and fails after a generous time.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from metaschema import assert_valid_schemas_in
from pygls.protocol import JsonRPCResponseMessage, default_converter
from pytest_lsp import LanguageClient
from pytest_lsp.client import register_lsp_features

LONG_ENOUGH = 20.0
SERVER = [sys.executable, "-m", "nx_lsp", "serve"]
FAULTY = [sys.executable, str(Path(__file__).with_name("faulty_server.py"))]


class Session(LanguageClient):
    """A client that remembers every publication, so that tests can wait for states."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.publications: list[lsp.PublishDiagnosticsParams] = []
        self.registrations: list[lsp.Registration] = []
        self.lens_refreshes = 0
        self.schema_changes: list[list[dict[str, Any]]] = []
        """What came with each ``nxlsp/schemaDidChange``."""
        self.statuses: list[dict[str, Any]] = []
        """What came with each ``nxlsp/serverStatus``."""
        self._happened = asyncio.Event()
        self._server_command: list[str] = []

    def happened(self) -> None:
        self._happened.set()

    async def until(self, state: Callable[[], bool], what: Callable[[], str]) -> None:
        """Wait until ``state()`` holds; looked at after everything that arrives."""

        async def wait() -> None:
            while not state():
                self._happened.clear()
                try:
                    await asyncio.wait_for(self._happened.wait(), 0.05)
                except asyncio.TimeoutError:
                    pass

        try:
            await asyncio.wait_for(wait(), LONG_ENOUGH)
        except asyncio.TimeoutError:
            raise AssertionError(f"waited in vain for {what()}") from None

    # -- documents

    def open(self, uri: str, text: str, version: int = 1) -> None:
        self.text_document_did_open(
            lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, "nx", version, text))
        )

    def replace(self, uri: str, text: str, version: int) -> None:
        self.edit(uri, version, lsp.TextDocumentContentChangeWholeDocument(text))

    def edit(self, uri: str, version: int, *changes: lsp.TextDocumentContentChangeEvent) -> None:
        self.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(version, uri), list(changes)
            )
        )

    def close(self, uri: str) -> None:
        self.text_document_did_close(
            lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri))
        )

    # -- diagnostics

    def codes(self, uri: str) -> list[str]:
        """The codes published last for a document."""
        return [str(one.code) for one in self.diagnostics.get(uri, ())]

    async def codes_become(self, uri: str, codes: list[str]) -> None:
        await self.until(
            lambda: uri in self.diagnostics and self.codes(uri) == codes,
            lambda: f"{codes} at {uri}, not {self.codes(uri)}",
        )

    def versions(self, uri: str) -> list[int | None]:
        """All versions published for a document, in order."""
        return [one.version for one in self.publications if one.uri == uri]

    async def version_published(self, uri: str, version: int) -> None:
        await self.until(
            lambda: self.versions(uri)[-1:] == [version],
            lambda: f"version {version} of {uri}, not {self.versions(uri)}",
        )

    async def idle(self) -> dict[str, Any]:
        """Wait until nothing is left to check; return the status."""
        while True:
            status = await self.own("nxlsp/status")
            if status["idle"] and status["queue"] == 0:
                return status

    # -- requests

    async def own(self, method: str, params: object = None) -> Any:
        """One of our own requests, with the result as plain JSON."""
        result = await self.protocol.send_request_async(method, params)
        assert_valid_schemas_in(result)
        return result

    async def command(self, name: str, argument: object = None) -> Any:
        arguments = [] if argument is None else [argument]
        result = await self.workspace_execute_command_async(
            lsp.ExecuteCommandParams(name, arguments=arguments)
        )
        assert_valid_schemas_in(result)
        return result

    async def hover(self, uri: str, line: int, character: int) -> lsp.Hover | None:
        return await self.text_document_hover_async(
            lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(line, character))
        )

    async def actions(
        self,
        uri: str,
        range_: lsp.Range,
        only: list[str] | None = None,
        trigger: lsp.CodeActionTriggerKind | None = None,
    ) -> list[lsp.CodeAction]:
        context = lsp.CodeActionContext([], only=only, trigger_kind=trigger)
        raw = await self.protocol.send_request_async(
            lsp.TEXT_DOCUMENT_CODE_ACTION,
            lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), range_, context),
        )
        structure = self.protocol._converter.structure
        return [structure(one, lsp.CodeAction) for one in raw or ()]

    async def server_text(self, uri: str) -> str:
        return (await self.own("nxlsp/debug/document", {"textDocument": {"uri": uri}}))["text"]


def _plain_json() -> Any:
    """Results of our own requests stay plain JSON, whatever their keys are."""
    converter = default_converter()
    converter.register_structure_hook(
        JsonRPCResponseMessage, lambda message, _: JsonRPCResponseMessage(**message)
    )
    return converter


def session() -> Session:
    """A client with everything registered that the server may ask of it."""
    client = Session(converter_factory=_plain_json)
    register_lsp_features(client)
    # The library takes every code action that has a command for a bare command: read them raw.
    known = client.protocol.get_result_type
    client.protocol.get_result_type = (  # type: ignore[method-assign]
        lambda method: None if method == lsp.TEXT_DOCUMENT_CODE_ACTION else known(method)
    )
    del client.protocol.fm.features[lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS]

    @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def publish(params: lsp.PublishDiagnosticsParams) -> None:
        client.publications.append(params)
        client.diagnostics[params.uri] = params.diagnostics
        client.happened()

    @client.feature(lsp.WORKSPACE_CODE_LENS_REFRESH)
    def refresh_lenses(_: None) -> None:
        client.lens_refreshes += 1
        client.happened()

    @client.feature("nxlsp/schemaDidChange")
    def schema_did_change(changes: list[dict[str, Any]]) -> None:
        client.schema_changes.append(changes)
        client.happened()

    @client.feature("nxlsp/serverStatus")
    def server_status(status: Any) -> None:
        client.statuses.append(status._asdict())
        client.happened()

    @client.feature(lsp.CLIENT_REGISTER_CAPABILITY)
    def register(params: lsp.RegistrationParams) -> None:
        client.registrations.extend(params.registrations)
        client.happened()

    return client


def capabilities(
    encodings: list[str] | None = None, markdown: bool = True, **more: Any
) -> lsp.ClientCapabilities:
    """What a capable client says of itself."""
    return lsp.ClientCapabilities(
        general=lsp.GeneralClientCapabilities(position_encodings=encodings),
        text_document=lsp.TextDocumentClientCapabilities(
            hover=lsp.HoverClientCapabilities(
                content_format=[lsp.MarkupKind.Markdown if markdown else lsp.MarkupKind.PlainText]
            ),
            document_symbol=lsp.DocumentSymbolClientCapabilities(
                hierarchical_document_symbol_support=more.get("nested_symbols", True)
            ),
            publish_diagnostics=lsp.PublishDiagnosticsClientCapabilities(
                related_information=True, version_support=True
            ),
            code_action=lsp.CodeActionClientCapabilities(
                code_action_literal_support=lsp.ClientCodeActionLiteralOptions(
                    code_action_kind=lsp.ClientCodeActionKindOptions(value_set=[])
                )
            ),
        ),
        workspace=lsp.WorkspaceClientCapabilities(
            configuration=more.get("configuration", True),
            workspace_folders=True,
            did_change_watched_files=lsp.DidChangeWatchedFilesClientCapabilities(
                dynamic_registration=True
            ),
            code_lens=lsp.CodeLensWorkspaceClientCapabilities(refresh_support=True),
            workspace_edit=lsp.WorkspaceEditClientCapabilities(
                document_changes=True,
                snippet_edit_support=more.get("snippets"),
                change_annotation_support=(
                    lsp.ChangeAnnotationsSupportOptions() if more.get("annotations") else None
                ),
            ),
        ),
        window=lsp.WindowClientCapabilities(
            work_done_progress=True, show_document=lsp.ShowDocumentClientCapabilities(support=True)
        ),
        experimental=more.get("experimental"),
    )


def folders(*paths: Path) -> list[lsp.WorkspaceFolder]:
    return [lsp.WorkspaceFolder(path.as_uri(), path.name) for path in paths]


async def start(
    *paths: Path,
    encodings: list[str] | None = None,
    options: object = None,
    command: list[str] | None = None,
    env: dict[str, str] | None = None,
    settings: object = None,
    **more: Any,
) -> Session:
    """Start a server on these folders and shake hands with it."""
    client = session()
    client.set_configuration({"nxlsp": settings} if settings is not None else {})
    await client.start_io(*(command or SERVER), env=env)
    await client.initialize_session(
        lsp.InitializeParams(
            capabilities=capabilities(encodings, **more),
            workspace_folders=folders(*paths) or None,
            initialization_options=options,
        )
    )
    return client


async def end(client: Session) -> None:
    await client.shutdown_session()
    await client.stop()
