"""Code actions for two declarations with one ``$type`` (``schema-ambiguous-discriminator``)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from nx_lsp.ide.action_model import QUICK_FIX, ActionRequest, CodeAction, ShowDeclaration
from nx_lsp.ide.diagnostics import PublishedDiagnostic
from nx_lsp.ide.edits import FileEdit, TextEdit
from nx_lsp.ide.references import references
from nx_lsp.ide.shortening import counted
from nx_lsp.ide.tool_types import told_to_models, tools_of
from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId
from nx_lsp.schema.findings import SchemaFinding, schema_findings
from nx_lsp.schema.keys import declared_name
from nx_lsp.types.model import CaseType


def clash_fixes(request: ActionRequest) -> Iterator[CodeAction]:
    """*Rename … in … to …* and *Go to the other …*, for each declaration of a clash here."""
    for diagnostic in request.with_fix("rename-clash"):
        for finding in _findings(request, diagnostic):
            clashing = _declarations(finding)
            for id in clashing:
                yield from _rename(request, id, diagnostic)
            yield from _go_to(request, clashing, diagnostic)


def _findings(request: ActionRequest, diagnostic: PublishedDiagnostic) -> Iterator[SchemaFinding]:
    found = schema_findings(request.db, request.module, request.options.host_supplied)
    for finding in found:
        start, _ = queries.absolute(request.db, finding.diagnostic.labels[0].place)
        if finding.cause.kind == "ambiguous" and start == diagnostic.start:
            yield finding


def _declarations(finding: SchemaFinding) -> tuple[DeclarationId, ...]:
    return tuple(
        dict.fromkeys(
            shape.union if isinstance(shape, CaseType) else shape.declaration
            for shape in finding.cause.shapes
        )
    )


# ---------------------------------------------------------------- renaming


def _rename(
    request: ActionRequest, id: DeclarationId, diagnostic: PublishedDiagnostic
) -> Iterator[CodeAction]:
    db = request.db
    module = db.module(id.module)
    if module is None or module.origin.bundled or "#" in id.name:
        return
    name, new = declared_name(id), new_name(db, id)
    edits = tuple(
        FileEdit(each, tuple(TextEdit(start, end, new) for start, end in places))
        for each, places in references(db, id).items()
    )
    title = f"Rename `{name}` in `{id.module}` to `{new}`"
    warning = (
        f"Changes what models see in {counted(_tools(request, id), 'tool')}: "
        f'`$type` becomes "{new}" on the wire'
    )
    yield CodeAction(title, QUICK_FIX, edits, fixes=(diagnostic,), warning=warning)


def new_name(db: ProgramDatabase, id: DeclarationId) -> str:
    """The name of a declaration with that of its file before it: ``Card`` of ``ui/left.nx`` is
    ``LeftCard``; with a number where some module knows that already."""
    stem = PurePosixPath(id.module).stem
    words = re.split(r"[^A-Za-z0-9]+", stem)
    prefix = "".join(word[:1].upper() + word[1:] for word in words)
    base = f"{prefix if prefix[:1].isalpha() else 'New'}{declared_name(id)}"
    taken = {name for module in db.identities for name in queries.own_names(db, module)}
    name, number = base, 2
    while name in taken:
        name, number = f"{base}{number}", number + 1
    return name


def _tools(request: ActionRequest, id: DeclarationId) -> int:
    options = request.options
    tools = tools_of(request.db, options)
    return sum(
        any(entry[0] == id for entry in told_to_models(request.db, (tool,), options.host_supplied))
        for tool in tools
    )


# ---------------------------------------------------------------- going there


def _go_to(
    request: ActionRequest, clashing: tuple[DeclarationId, ...], diagnostic: PublishedDiagnostic
) -> Iterator[CodeAction]:
    others = [id for id in clashing if id.module != request.module] or list(clashing)
    for id in others:
        where = f" in `{id.module}`" if len(others) > 1 else ""
        title = f"Go to the other `{declared_name(id)}`{where}"
        yield CodeAction(title, QUICK_FIX, command=ShowDeclaration(id), fixes=(diagnostic,))
