"""Our own requests: schemas, tools, status (editor-experience 8.2).

All take and return plain JSON. Unknown declarations are refused with -32803, answers that the
text has overtaken with -32801.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from lsprotocol import types as lsp

from nx_lsp import __version__
from nx_lsp.ide.options import IdeOptions
from nx_lsp.ide.tool_schema import (
    Format,
    SchemaRequestError,
    function_at,
    schema_at,
    told_size,
    tool_schema,
    type_at,
    type_schema,
)
from nx_lsp.ide.tools import list_tools
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId
from nx_lsp.schema.answers import DIRECTIONS, Direction
from nx_lsp.server.conversions import Translator
from nx_lsp.server.features import PATIENCE, ask, options_of
from nx_lsp.server.last_good import with_last_good
from nx_lsp.server.parameters import (
    Target,
    choice_of,
    object_of,
    position_of,
    project_of,
    text_of,
    uri_of_document,
)
from nx_lsp.server.projects import Project
from nx_lsp.server.protocol import Refusal
from nx_lsp.server.scheduling import Urgency
from nx_lsp.server.snapshots import Snapshot

if TYPE_CHECKING:
    from nx_lsp.server.lifecycle import NxServer

A = TypeVar("A")
Json = dict[str, Any]


async def _answer(
    server: NxServer,
    what: str,
    target: Target,
    answer: Callable[[ProgramDatabase, DeclarationId, IdeOptions], A],
    overlay: Mapping[str, str] | None = None,
) -> tuple[A, int | None, bool]:
    """The answer about a target, the version of the text it was made from, and whether that is
    an older text because the newest is broken."""
    project = target.project
    await project.wait_until_read(PATIENCE)
    snapshot = project.snapshot()
    options = options_of(server, project)
    find = target.find(snapshot, server.client.encoding)

    def job() -> tuple[A, int | None, bool, str]:
        if overlay:
            db = project.analysis.database_with(snapshot, overlay)
            id = find(db, lambda offset: offset)
            return answer(db, id, options), None, False, id.module
        found, id, stale, version = with_last_good(
            project.analysis,
            snapshot,
            find,
            lambda db, id: answer(db, id, options),
            target.points_into,
        )
        return found, version, stale, id.module

    try:
        found, version, stale, module = await server.worker.run(
            Urgency.REQUEST, what, job, project.analysis
        )
    except SchemaRequestError as error:
        notes = [note.to_json() for note in error.notes]
        raise Refusal.unknown(error.message, error.code, notes) from None
    if target.module is not None and not snapshot.is_current(target.module):
        raise Refusal.stale(f"`{module}` changed while its schema was derived")
    return found, version, stale


# ---------------------------------------------------------------- schemas


async def tool_schema_request(server: NxServer, params: object) -> Json:
    """``nxlsp/toolSchema``."""
    given = object_of(params)
    target = Target(server, given.get("target"), function_at)
    view = text_of(given, "view") or "answer"
    format_ = cast("Format", choice_of(given, "format", ("pretty", "compact")))
    overlay = _overlay(server, target.project, given.get("overlay"))
    found, version, stale = await _answer(
        server,
        "deriving a tool schema",
        target,
        lambda db, id, options: tool_schema(db, id, options, view, format_),
        overlay,
    )
    if not overlay:
        server.events.watch(
            target.project,
            found.id,
            f"{view} {format_}",
            lambda db, id, options: tool_schema(db, id, options, view, format_).document,
            found.document,
            stale,
        )
    return found.to_json(version, stale=stale)


async def type_schema_request(server: NxServer, params: object) -> Json:
    """``nxlsp/typeSchema``."""
    given = object_of(params)
    target = Target(server, given.get("target"), type_at)
    direction = cast("Direction", choice_of(given, "direction", (DIRECTIONS[1], DIRECTIONS[0])))
    found, version, stale = await _answer(
        server,
        "deriving a type schema",
        target,
        lambda db, id, _: type_schema(db, id, direction),
    )
    server.events.watch(
        target.project,
        found.id,
        direction,
        lambda db, id, _: type_schema(db, id, direction).document,
        found.document,
        stale,
    )
    return found.to_json(version, stale=stale)


def _overlay(server: NxServer, project: Project, value: object) -> dict[str, str]:
    texts: dict[str, str] = {}
    for uri, text in object_of(value, "`overlay`").items():
        if not isinstance(text, str):
            raise Refusal.invalid("`overlay` must map addresses to texts")
        place = server.projects.locate(uri)
        if place is not None and place[0] is project:
            texts[place[1]] = text
    return texts


async def schema_at_request(server: NxServer, params: object) -> Json | None:
    """``nxlsp/schemaAt``."""
    given = object_of(params)
    position = position_of(given)

    def question(at: Translator, module: str, _: IdeOptions) -> Json | None:
        found = schema_at(at.db, module, at.offset(module, position))
        if found is None:
            return None
        answer: Json = {"module": found.id.module, "name": found.name, "kind": found.kind}
        if found.pointer is not None:
            answer["pointer"] = found.pointer
        answer["range"] = _range(at.range(module, found.start, found.end))
        return answer

    return await ask(server, "schema position", uri_of_document(given), question)


def _range(range: lsp.Range) -> Json:
    return {
        "start": {"line": range.start.line, "character": range.start.character},
        "end": {"line": range.end.line, "character": range.end.character},
    }


# ---------------------------------------------------------------- tools


async def list_tools_request(server: NxServer, params: object) -> Json:
    """``nxlsp/listTools``: of one project, or of all."""
    given = object_of(params)
    uri = text_of(given, "project")
    projects = [project_of(server, uri)] if uri is not None else list(server.projects)
    tools: list[Json] = []
    for project in projects:
        await project.wait_until_read(PATIENCE)
        tools += await _tools(
            server, project, bool(given.get("offeredOnly")), bool(given.get("schemas"))
        )
    return {"tools": tools}


async def _tools(
    server: NxServer, project: Project, offered_only: bool, schemas: bool
) -> list[Json]:
    snapshot = project.snapshot()
    options = options_of(server, project)

    def job() -> list[Json]:
        db = project.analysis.database(snapshot)
        at = Translator(snapshot, db, server.client.encoding)
        listed = []
        for tool in list_tools(db, options, offered_only=offered_only):
            entry: Json = {
                "project": project.uri,
                "module": tool.id.module,
                "name": tool.name,
                "toolName": tool.tool_name,
                "uri": at.uri(tool.id.module),
                "range": _range(at.range(tool.id.module, tool.start, tool.end)),
                "offeredBy": list(tool.offered_by),
            }
            if tool.summary is not None:
                entry["summary"] = tool.summary
            entry["problems"] = tool.problems
            entry["size"] = told_size(db, tool.id, options)
            if schemas:
                entry["answer"] = tool_schema(db, tool.id, options).answer.to_json()
            listed.append(entry)
        return listed

    return await server.worker.run(Urgency.REQUEST, "listing tools", job, project.analysis)


# ---------------------------------------------------------------- status


async def status_request(server: NxServer, params: object) -> Json:
    """``nxlsp/status``."""
    idle = server.idle  # first: then what is counted below is counted at rest
    projects: list[Json] = []
    hits = misses = 0
    for project in server.projects:
        snapshot = project.snapshot()
        options = options_of(server, project)

        def job(
            project: Project = project,
            snapshot: Snapshot = snapshot,
            options: IdeOptions = options,
        ) -> tuple[int, dict[str, int]]:
            db = project.analysis.database(snapshot)
            return len(list_tools(db, options, offered_only=True)), project.analysis.counters()

        tools, counters = await server.worker.run(Urgency.REQUEST, "status", job, project.analysis)
        hits += counters["hits"]
        misses += counters["misses"]
        projects.append(
            {
                "root": project.uri,
                "modules": len(snapshot.sources),
                "tools": tools,
                "problems": server.publisher.count(project),
                "skipped": list(project.skipped),
                "partOfProgram": project.root is not None,
                "counters": counters,
            }
        )
    return {
        "version": __version__,
        "python": f"{platform.python_version()} ({sys.executable})",
        "encoding": server.client.encoding,
        "projects": projects,
        "memoryMB": _memory(),
        "queue": server.worker.queued,
        "lastAnalysisMs": round(server.worker.last_ms, 1),
        "loopLagMs": round(server.loop_lag_ms, 1),
        "cache": {"hits": hits, "misses": misses},
        "idle": idle,
        "faults": server.faults.count,
        "outOfStep": [one.uri for one in server.documents if one.out_of_step],
    }


def _memory() -> float | None:
    """Megabytes that the process holds in memory, where the system tells."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            pages = int(file.read().split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1024 / 1024, 1)


async def document_request(server: NxServer, params: object) -> Json | None:
    """``nxlsp/debug/document``: the text that the server has of an open document."""
    document = server.documents.get(uri_of_document(object_of(params)))
    if document is None:
        return None
    return {
        "uri": document.uri,
        "version": document.version,
        "text": document.text,
        "lines": document.index.line_count,
        "outOfStep": document.out_of_step,
    }


# ---------------------------------------------------------------- registering

Request = Callable[["NxServer", object], Awaitable[Any]]

REQUESTS: dict[str, Request] = {
    "nxlsp/toolSchema": tool_schema_request,
    "nxlsp/typeSchema": type_schema_request,
    "nxlsp/listTools": list_tools_request,
    "nxlsp/schemaAt": schema_at_request,
    "nxlsp/status": status_request,
    "nxlsp/debug/document": document_request,
}


def bound(server: NxServer, request: Request) -> Callable[[Any], Awaitable[Any]]:
    """``request`` as a handler of its parameters alone."""

    async def handler(params: Any) -> Any:
        return await request(server, params)

    return handler


def register(server: NxServer) -> None:
    """Register the handlers of this module. The parameters arrive as plain JSON."""
    for method, request in REQUESTS.items():
        handler = bound(server, request)

        async def on_message(params: Any, handler: Any = handler) -> Any:
            return await handler(params)

        server.on_request(method, None, on_message)
