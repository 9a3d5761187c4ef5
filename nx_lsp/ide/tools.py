"""The list of tools (editor-experience 8.2, ``nxlsp/listTools``)."""

from __future__ import annotations

from dataclasses import dataclass

from nx_lsp.ide.offers import is_tool, offers_of, tool_name
from nx_lsp.ide.options import DEFAULT_OPTIONS, IdeOptions
from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId
from nx_lsp.schema.keys import declared_name
from nx_lsp.schema.schema import derived_function, site_diagnostics


@dataclass(frozen=True, slots=True)
class ToolEntry:
    """One function that is, or could be, a tool.

    ``start``/``end``: its name, absolute code points. ``offered_by``: names of the agents or
    declarations that offer it, in program order. ``problems``: how many things keep it from
    having schemas."""

    id: DeclarationId
    name: str
    tool_name: str
    offered_by: tuple[str, ...]
    summary: str | None
    problems: int
    start: int
    end: int


def list_tools(
    db: ProgramDatabase, options: IdeOptions = DEFAULT_OPTIONS, *, offered_only: bool = False
) -> tuple[ToolEntry, ...]:
    """The functions that users wrote, in program order: all, or only those offered to a model or
    named in the setting ``nxlsp.schema.tools``."""
    return tuple(
        _entry(db, id, options)
        for id in user_functions(db)
        if not offered_only or is_tool(db, id, options)
    )


def user_functions(db: ProgramDatabase) -> tuple[DeclarationId, ...]:
    """Every function of the modules that users wrote, in program order."""
    return tuple(
        declared.id
        for module in db.modules
        if not module.origin.bundled
        for declared in queries.declared_names(db, module.identity)
        if declared.kind == "function"
    )


def _entry(db: ProgramDatabase, id: DeclarationId, options: IdeOptions) -> ToolEntry:
    derived = derived_function(db, id, options.host_supplied)
    start, end = queries.absolute(db, queries.name_place(db, id))
    return ToolEntry(
        id=id,
        name=declared_name(id),
        tool_name=tool_name(db, id),
        offered_by=tuple(dict.fromkeys(offer.offered_by for offer in offers_of(db, id))),
        summary=derived.summary if derived is not None else None,
        problems=sum(1 for _ in site_diagnostics(db, derived.sites)) if derived is not None else 0,
        start=start,
        end=end,
    )
