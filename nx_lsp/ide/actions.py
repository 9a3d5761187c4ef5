"""Code actions: what can be done at a place (editor-experience 6).

Each provider yields actions for a request; a further kind of action is one more provider.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from nx_lsp.ide.action_model import (
    ADD_DOCS,
    COPY,
    QUICK_FIX,
    REWRITE,
    SHOW,
    ActionCommand,
    ActionRequest,
    CodeAction,
)
from nx_lsp.ide.clash_fixes import clash_fixes
from nx_lsp.ide.doc_fixes import doc_fixes
from nx_lsp.ide.options import DEFAULT_OPTIONS, IdeOptions
from nx_lsp.ide.quick_fixes import quick_fixes
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.schema.schema import derived_function

Provider = Callable[[ActionRequest], Iterable[CodeAction]]


def code_actions(
    db: ProgramDatabase,
    module: str,
    start: int,
    end: int,
    only: Sequence[str] | None = None,
    options: IdeOptions = DEFAULT_OPTIONS,
) -> tuple[CodeAction, ...]:
    """The actions at a range of ``module`` (absolute code points). ``only``: the kinds that are
    wanted, each standing for all kinds below it; ``None`` for all."""
    if db.module(module) is None:
        return ()
    request = ActionRequest(db, module, start, end, options)
    return tuple(
        action
        for kinds, provide in _PROVIDERS
        if only is None or any(_overlap(kind, wanted) for kind in kinds for wanted in only)
        for action in provide(request)
        if only is None or any(_is_within(action.kind, wanted) for wanted in only)
    )


def _is_within(kind: str, wanted: str) -> bool:
    """Whether ``kind`` is the kind asked for, or lies below it."""
    return wanted in ("", kind) or kind.startswith(wanted + ".")


def _overlap(kind: str, wanted: str) -> bool:
    """Whether a provider whose actions lie at or below ``kind`` may have what is asked for."""
    return _is_within(kind, wanted) or _is_within(wanted, kind)


# ---------------------------------------------------------------- schema commands


def _show_schema(request: ActionRequest) -> Iterator[CodeAction]:
    if request.function is not None:
        name = _command(request, "nxlsp.showToolSchema")
        yield CodeAction("Show tool schema", SHOW, command=ActionCommand(name, request.function))


_COPIES = {"mcp": "MCP", "input": "input", "output": "output", "answer": "whole answer"}
"""The views that can be copied, with their titles."""


def _copy_schema(request: ActionRequest) -> Iterator[CodeAction]:
    function = request.function
    if function is None:
        return
    derived = derived_function(request.db, function, request.options.host_supplied)
    if derived is None:
        return
    name = _command(request, "nxlsp.copyToolSchema")
    for view, title in _COPIES.items():
        needed = derived.output_schema if view == "output" else derived.input_schema
        if view == "answer" or needed is not None:
            command = ActionCommand(name, function, view)
            yield CodeAction(f"Copy tool schema: {title}", f"{COPY}.{view}", command=command)


def _command(request: ActionRequest, client_command: str) -> str:
    """The client's own command where it has one, else the server's, which opens a document."""
    if request.options.client_commands:
        return client_command
    return "nxlsp.server.openSchemaDocument"


_PROVIDERS: tuple[tuple[tuple[str, ...], Provider], ...] = (
    ((QUICK_FIX, REWRITE), quick_fixes),
    ((QUICK_FIX, REWRITE, ADD_DOCS), doc_fixes),
    ((QUICK_FIX,), clash_fixes),
    ((SHOW,), _show_schema),
    ((COPY,), _copy_schema),
)
"""Providers with the kinds at or below which their actions lie."""
