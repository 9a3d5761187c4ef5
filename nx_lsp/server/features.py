"""The standard requests about a document: hover, outline, code actions; and its diagnostics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types as lsp

from nx_lsp.ide.diagnostics import PublishedDiagnostic, module_diagnostics
from nx_lsp.ide.hover import hover
from nx_lsp.ide.options import IdeOptions
from nx_lsp.ide.symbols import Symbol, document_symbols
from nx_lsp.server.conversions import SEVERITIES, HoverLinks, Translator
from nx_lsp.server.last_good import remember_good_text
from nx_lsp.server.projects import Project
from nx_lsp.server.scheduling import Urgency
from nx_lsp.server.snapshots import Snapshot
from nx_lsp.server.uris import ANALYSED_SCHEMES, scheme_of

if TYPE_CHECKING:
    from nx_lsp.server.lifecycle import NxServer

R = TypeVar("R")

PATIENCE = 1.0
"""Seconds that a request waits for the first reading of the disk."""


def options_of(server: NxServer, project: Project) -> IdeOptions:
    """The settings of a project together with what the client can do."""
    links = server.client.command_links
    return replace(project.settings.ide, command_links=links, client_commands=links)


async def ask(
    server: NxServer,
    what: str,
    uri: str,
    question: Callable[[Translator, str, IdeOptions], R],
) -> R | None:
    """Put a question about a document to the analysis thread, with the newest text.

    ``question`` gets the translator of the snapshot, the module's identity and the options.
    ``None`` for a document that is not analysed."""
    if scheme_of(uri) not in ANALYSED_SCHEMES:
        return None
    place = server.projects.locate(uri)
    if place is None:
        return None
    project, identity = place
    if not project.settings.enable:
        return None
    await project.wait_until_read(PATIENCE)
    snapshot = project.snapshot()
    options = options_of(server, project)

    def job() -> R | None:
        db = project.analysis.database(snapshot)
        if db.module(identity) is None:
            return None
        return question(Translator(snapshot, db, server.client.encoding), identity, options)

    return await server.worker.run(Urgency.REQUEST, f"{what} in {identity}", job, project.analysis)


# ---------------------------------------------------------------- hover


async def _hover(server: NxServer, params: lsp.HoverParams) -> lsp.Hover | None:
    client = server.client

    def question(at: Translator, module: str, options: IdeOptions) -> lsp.Hover | None:
        offset = at.offset(module, params.position)
        found = hover(at.db, module, offset, options, HoverLinks(at, client.command_links))
        if found is None:
            return None
        if client.markdown_hover:
            content = lsp.MarkupContent(lsp.MarkupKind.Markdown, found.markdown)
        else:
            content = lsp.MarkupContent(lsp.MarkupKind.PlainText, found.plain_text)
        return lsp.Hover(content, at.range(module, found.start, found.end))

    return await ask(server, "hover", params.text_document.uri, question)


# ---------------------------------------------------------------- outline

_SYMBOL_KINDS: dict[str, lsp.SymbolKind] = {
    "record": lsp.SymbolKind.Struct,
    "action": lsp.SymbolKind.Event,
    "union": lsp.SymbolKind.Enum,
    "case": lsp.SymbolKind.EnumMember,
    "alias": lsp.SymbolKind.Interface,
    "value": lsp.SymbolKind.Constant,
    "function": lsp.SymbolKind.Function,
    "component": lsp.SymbolKind.Class,
    "field": lsp.SymbolKind.Field,
    "property": lsp.SymbolKind.Property,
    "state": lsp.SymbolKind.Variable,
    "type parameter": lsp.SymbolKind.TypeParameter,
}

Symbols = list[lsp.DocumentSymbol] | list[lsp.SymbolInformation]


async def _document_symbols(server: NxServer, params: lsp.DocumentSymbolParams) -> Symbols | None:
    def question(at: Translator, module: str, options: IdeOptions) -> Symbols:
        symbols = document_symbols(at.db, module, options)
        if server.client.nested_symbols:
            return [_nested(at, module, symbol) for symbol in symbols]
        return [entry for symbol in symbols for entry in _flat(at, module, symbol, None)]

    if not server.client.offers("documentSymbol"):
        return None
    return await ask(server, "outline", params.text_document.uri, question)


def _nested(at: Translator, module: str, symbol: Symbol) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        name=symbol.name,
        kind=_SYMBOL_KINDS[symbol.kind],
        range=at.range(module, symbol.start, symbol.end),
        selection_range=at.range(module, symbol.name_start, symbol.name_end),
        detail=symbol.detail or None,
        children=[_nested(at, module, child) for child in symbol.children],
    )


def _flat(
    at: Translator, module: str, symbol: Symbol, container: str | None
) -> list[lsp.SymbolInformation]:
    found = [
        lsp.SymbolInformation(
            location=at.location(module, symbol.start, symbol.end),
            name=symbol.name,
            kind=_SYMBOL_KINDS[symbol.kind],
            container_name=container,
        )
    ]
    for child in symbol.children:
        found += _flat(at, module, child, symbol.name)
    return found


# ---------------------------------------------------------------- diagnostics


def check(server: NxServer, snapshot: Snapshot, identity: str) -> list[lsp.Diagnostic]:
    """The diagnostics of one module, ready to be published. Runs on the analysis thread."""
    project = snapshot.project
    db = project.analysis.database(snapshot)
    if db.module(identity) is None:
        return []
    remember_good_text(project.analysis, snapshot, db, identity)
    at = Translator(snapshot, db, server.client.encoding)
    found = module_diagnostics(db, identity, options_of(server, project))
    language = server.client.offers("diagnostics")
    return [
        diagnostic(server, at, identity, one)
        for one in found
        if language or one.source == "nx-schema"
    ]


def diagnostic(
    server: NxServer, at: Translator, module: str, found: PublishedDiagnostic
) -> lsp.Diagnostic:
    """A diagnostic of ``module`` as the protocol has it."""
    related = None
    if server.client.related_information and found.related:
        related = [
            lsp.DiagnosticRelatedInformation(
                at.location(one.module, one.start, one.end), one.message
            )
            for one in found.related
        ]
    return lsp.Diagnostic(
        range=at.range(module, found.start, found.end),
        message=found.message,
        severity=SEVERITIES[found.severity],
        code=found.code,
        source=found.source,
        related_information=related,
        data=found.data.to_json(),
    )


# ---------------------------------------------------------------- registering


def register(server: NxServer) -> None:
    """Register the handlers of this module."""

    async def on_hover(params: lsp.HoverParams) -> lsp.Hover | None:
        return await _hover(server, params)

    async def on_document_symbol(params: lsp.DocumentSymbolParams) -> Any:
        return await _document_symbols(server, params)

    server.on_request(lsp.TEXT_DOCUMENT_HOVER, None, on_hover)
    server.on_request(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, None, on_document_symbol)
