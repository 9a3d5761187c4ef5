"""Commands for every editor, through ``workspace/executeCommand`` (editor-experience 8.1).

Most are the requests of ``requests`` under another name; their one argument is the same object.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs
from lsprotocol import types as lsp

from nx_lsp.ide.export import export_document
from nx_lsp.ide.json_text import write_json
from nx_lsp.ide.tool_schema import SchemaRequestError, function_at
from nx_lsp.ide.tool_types import tools_of
from nx_lsp.ide.tools import user_functions
from nx_lsp.program import queries
from nx_lsp.server import requests
from nx_lsp.server.conversions import Translator
from nx_lsp.server.features import PATIENCE, options_of
from nx_lsp.server.parameters import Target, object_of, project_of, text_of
from nx_lsp.server.protocol import Refusal
from nx_lsp.server.requests import Json, bound
from nx_lsp.server.scheduling import Urgency
from nx_lsp.server.uris import uri_of

if TYPE_CHECKING:
    from nx_lsp.server.lifecycle import NxServer


async def export_schemas(server: NxServer, params: object) -> Json:
    """The answers of all functions of a project, or with ``offeredOnly`` of its tools: the text,
    the same bytes for the same sources.

    Nothing is written; where to put the text is the client's business."""
    given = object_of(params)
    project = project_of(server, text_of(given, "project"))
    await project.wait_until_read(PATIENCE)
    snapshot = project.snapshot()
    options = options_of(server, project)

    def job() -> Json:
        db = project.analysis.database(snapshot)
        wanted = tools_of(db, options) if given.get("offeredOnly") else user_functions(db)
        document = export_document(db, options.host_supplied, wanted=wanted)
        return {"document": write_json(document) + "\n", "functions": len(document["functions"])}

    return await server.worker.run(Urgency.REQUEST, "exporting schemas", job, project.analysis)


async def open_schema_document(server: NxServer, params: object) -> Json:
    """Write a view of a tool schema as a read-only file into the user's cache, and ask the client
    to show it. Asked again, the same file is written anew."""
    found = await requests.tool_schema_request(server, params)
    given = object_of(params)
    view = text_of(given, "view") or "answer"
    project = Target(server, given.get("target"), function_at).project
    path = _document_path(project.uri, found["module"], found["name"], view)
    try:
        await asyncio.to_thread(_write_read_only, path, found["document"] + "\n")
    except OSError as error:
        why = error.strerror or str(error)
        raise Refusal.unknown(f"`{path}` cannot be written: {why}", "cache-unavailable") from None
    uri = uri_of(path)
    shown = False
    if server.client.shows_documents:
        answer = await server.window_show_document_async(
            lsp.ShowDocumentParams(uri, take_focus=True)
        )
        shown = bool(answer and answer.success)
    return {**found, "uri": uri, "shown": shown}


async def show_declaration(server: NxServer, params: object) -> Json:
    """Ask the client to show where a declaration stands, its name selected."""
    target = Target(server, object_of(params).get("target"), function_at)
    project = target.project
    await project.wait_until_read(PATIENCE)
    snapshot = project.snapshot()
    find = target.find(snapshot, server.client.encoding)

    def job() -> lsp.Location:
        db = project.analysis.database(snapshot)
        at = Translator(snapshot, db, server.client.encoding)
        return at.place(queries.name_place(db, find(db, lambda offset: offset)))

    try:
        found = await server.worker.run(
            Urgency.REQUEST, "finding a declaration", job, project.analysis
        )
    except SchemaRequestError as error:
        raise Refusal.unknown(error.message, error.code) from None
    shown = False
    if server.client.shows_documents:
        answer = await server.window_show_document_async(
            lsp.ShowDocumentParams(found.uri, take_focus=True, selection=found.range)
        )
        shown = bool(answer and answer.success)
    return {"uri": found.uri, "shown": shown}


def _document_path(project: str, module: str, name: str, view: str) -> Path:
    """One file for each function and view, told apart by project and module."""
    key = hashlib.sha256(f"{project}\n{module}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
    safe = re.sub(r"[^A-Za-z0-9_.-]", "_", name)[:80]
    folder = Path(platformdirs.user_cache_dir("nx-lsp", appauthor=False)) / "schemas" / key
    return folder / f"{safe}.{view}.json"


def _write_read_only(path: Path, text: str) -> None:
    """Replace the file in one step."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
    try:
        with open(handle, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(text)
        os.chmod(name, 0o444)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


COMMANDS: dict[str, requests.Request] = {
    "nxlsp.server.toolSchema": requests.tool_schema_request,
    "nxlsp.server.typeSchema": requests.type_schema_request,
    "nxlsp.server.listTools": requests.list_tools_request,
    "nxlsp.server.exportSchemas": export_schemas,
    "nxlsp.server.status": requests.status_request,
    "nxlsp.server.openSchemaDocument": open_schema_document,
    "nxlsp.server.showDeclaration": show_declaration,
}


def register(server: NxServer) -> None:
    """Register the commands. Their first argument arrives as plain JSON."""
    for name, command in COMMANDS.items():
        handler: Any = server.faults.guarded(name, bound(server, command), None)
        server.command(name)(handler)
