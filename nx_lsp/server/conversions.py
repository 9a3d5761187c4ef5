"""Between ``ide`` data (absolute code points) and protocol data (lines and units).

``ClientView`` is what the client can take; ``Translator`` converts the places of one snapshot.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import quote

from lsprotocol import types as lsp
from pygls.capabilities import ServerCapabilitiesBuilder

from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId, Place
from nx_lsp.server.configuration import ServerSettings
from nx_lsp.server.snapshots import Snapshot
from nx_lsp.syntax.problems import Severity
from nx_lsp.syntax.text import Encoding, LineIndex


@dataclass(frozen=True, slots=True)
class ClientView:
    """What the client said it can do, as far as it changes answers."""

    encoding: Encoding = "utf-16"
    """How it counts characters: its own first choice among those we know."""
    markdown_hover: bool = False
    nested_symbols: bool = False
    related_information: bool = False
    can_be_asked_for_settings: bool = False
    watches_on_request: bool = False
    shows_documents: bool = False
    shows_progress: bool = False
    action_literals: bool = False
    """It takes code actions; an old client takes bare commands only."""
    versioned_edits: bool = False
    annotated_edits: bool = False
    """It shows what an edit is about, and asks before it is made."""
    snippet_edits: bool = False
    command_links: bool = False
    """It runs links to our commands and has the commands themselves (VS Code)."""
    refreshes_lenses: bool = False
    schema_events: bool = False
    """It takes ``nxlsp/schemaDidChange``."""
    status_events: bool = False
    """It takes ``nxlsp/serverStatus``."""
    features: tuple[str, ...] = ()
    """What to offer; empty: everything (editor-experience 2)."""
    initial_settings: ServerSettings = field(default_factory=ServerSettings)

    @classmethod
    def of(cls, params: lsp.InitializeParams, options: object) -> ClientView:
        """Read the client's capabilities and (plain) initialization options."""
        capabilities = params.capabilities
        text = capabilities.text_document or lsp.TextDocumentClientCapabilities()
        workspace = capabilities.workspace or lsp.WorkspaceClientCapabilities()
        window = capabilities.window or lsp.WindowClientCapabilities()
        hover = text.hover.content_format if text.hover else None
        watched = workspace.did_change_watched_files
        edits = workspace.workspace_edit
        named = options.get("features") if isinstance(options, Mapping) else None
        return cls(
            encoding=_encoding(capabilities),
            markdown_hover=hover is not None and lsp.MarkupKind.Markdown in hover[:1],
            nested_symbols=bool(
                text.document_symbol and text.document_symbol.hierarchical_document_symbol_support
            ),
            related_information=bool(
                text.publish_diagnostics and text.publish_diagnostics.related_information
            ),
            can_be_asked_for_settings=bool(workspace.configuration),
            watches_on_request=bool(watched and watched.dynamic_registration),
            shows_documents=bool(window.show_document and window.show_document.support),
            shows_progress=bool(window.work_done_progress),
            action_literals=bool(text.code_action and text.code_action.code_action_literal_support),
            versioned_edits=bool(edits and edits.document_changes),
            annotated_edits=bool(edits and edits.change_annotation_support),
            snippet_edits=bool(edits and edits.snippet_edit_support),
            command_links=_experimental(capabilities, "commandLinks"),
            refreshes_lenses=bool(workspace.code_lens and workspace.code_lens.refresh_support),
            schema_events=_experimental(capabilities, "nxlspSchemaEvents"),
            status_events=_experimental(capabilities, "nxlspStatus"),
            features=tuple(str(one) for one in named) if isinstance(named, list) else (),
        )

    def offers(self, feature: str) -> bool:
        """Whether the client wants ``feature``."""
        return not self.features or feature in self.features


def _encoding(capabilities: lsp.ClientCapabilities) -> Encoding:
    chosen = ServerCapabilitiesBuilder.choose_position_encoding(capabilities)
    name = chosen.value if isinstance(chosen, lsp.PositionEncodingKind) else chosen
    return cast("Encoding", name)


def _experimental(capabilities: lsp.ClientCapabilities, name: str) -> bool:
    declared: Any = capabilities.experimental
    if isinstance(declared, Mapping):
        return bool(declared.get(name))
    return bool(getattr(declared, name, False))


SEVERITIES: dict[Severity, lsp.DiagnosticSeverity] = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "info": lsp.DiagnosticSeverity.Information,
    "hint": lsp.DiagnosticSeverity.Hint,
}


class Translator:
    """Converts places of the modules of one snapshot; used on the analysis thread."""

    def __init__(self, snapshot: Snapshot, db: ProgramDatabase, encoding: Encoding) -> None:
        self.snapshot = snapshot
        self.db = db
        self.encoding = encoding
        self._bundled: dict[str, LineIndex] = {}

    def index(self, module: str) -> LineIndex:
        """The line index of a module's text, of one that comes with the server too."""
        source = self.snapshot.source(module)
        if source is not None:
            return source.index
        if module not in self._bundled:
            found = self.db.module(module)
            self._bundled[module] = LineIndex(found.file.text if found is not None else "")
        return self._bundled[module]

    def uri(self, module: str) -> str:
        """The address of a module: the open document's own, the file's, or ``nx:``."""
        source = self.snapshot.source(module)
        return source.uri if source is not None else f"nx:/{module}"

    def offset(self, module: str, position: lsp.Position) -> int:
        """The code point that a protocol position means; clamped to the text."""
        return self.index(module).offset_at(position.line, position.character, self.encoding)

    def position(self, module: str, offset: int) -> lsp.Position:
        """The protocol position of an absolute code point offset."""
        return lsp.Position(*self.index(module).position(offset, self.encoding))

    def range(self, module: str, start: int, end: int) -> lsp.Range:
        """The protocol range of a half-open range of absolute code points."""
        return lsp.Range(self.position(module, start), self.position(module, end))

    def location(self, module: str, start: int, end: int) -> lsp.Location:
        """Address and range of a half-open range of absolute code points."""
        return lsp.Location(self.uri(module), self.range(module, start, end))

    def place(self, place: Place) -> lsp.Location:
        """Address and range of a place."""
        return self.location(place.module, *queries.absolute(self.db, place))


class HoverLinks:
    """Addresses for links in a hover: files of the workspace, and our commands where the client
    runs them. Arguments of a command are names and an address, never text to run."""

    def __init__(self, translator: Translator, command_links: bool) -> None:
        self._translator = translator
        self._command_links = command_links

    def to_place(self, place: Place) -> str | None:
        """The file and line of a place; ``None`` for modules that come with the server."""
        if self._translator.snapshot.source(place.module) is None:
            return None
        found = self._translator.place(place)
        if not found.uri.startswith("file:"):
            return None
        start = found.range.start
        return f"{found.uri}#L{start.line + 1},{start.character + 1}"

    def to_command(self, command: str, function: DeclarationId) -> str | None:
        """A ``command:`` link, for clients that declared ``commandLinks``."""
        if not self._command_links:
            return None
        target = {
            "project": self._translator.snapshot.project.uri,
            "module": function.module,
            "name": function.name,
        }
        return f"command:{command}?{quote(json.dumps([{'target': target}]), safe='')}"
