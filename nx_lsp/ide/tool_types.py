"""Which declarations the schemas of tools mention."""

from __future__ import annotations

from nx_lsp.engine import query
from nx_lsp.ide.offers import is_tool
from nx_lsp.ide.options import IdeOptions
from nx_lsp.ide.tool_advice import arguments
from nx_lsp.ide.tools import user_functions
from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId
from nx_lsp.schema.host_supplied import Listed
from nx_lsp.schema.reach import reachable_entries
from nx_lsp.types.model import CaseType, RecordType
from nx_lsp.types.resolution import member_type
from nx_lsp.types.results import result_type


def tools_of(db: ProgramDatabase, options: IdeOptions) -> tuple[DeclarationId, ...]:
    """The functions that are offered, or named in the setting ``nxlsp.schema.tools``."""
    return tuple(id for id in user_functions(db) if is_tool(db, id, options))


@query
def told_to_models(
    db: ProgramDatabase, tools: tuple[DeclarationId, ...], host_supplied: Listed
) -> frozenset[tuple[DeclarationId, str | None]]:
    """The records, and the unions with their cases, whose own fields the schemas of ``tools``
    mention."""
    options = IdeOptions(host_supplied=host_supplied)
    found: set[tuple[DeclarationId, str | None]] = set()
    for tool in tools:
        types = [member_type(db, each) for each in arguments(db, tool, options)]
        result = result_type(db, tool)
        for type in (*types, *([result] if result is not None else [])):
            for entry in reachable_entries(db, type.item):
                if isinstance(entry, RecordType):
                    found.add((entry.declaration, None))
                    found.update((id, None) for id in queries.ancestors(db, entry.declaration))
                elif isinstance(entry, CaseType):
                    found.add((entry.union, entry.case))
    return frozenset(found)
