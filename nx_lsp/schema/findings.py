"""Missing schemas as an editor publishes them (schema-contract 11, editor-experience 5).

A problem shows where the member is declared and, when that is another declaration, at each
parameter or result that reaches it, so that neither place looks fine. What severity it gets, and
whether it is shown at all, depends on the functions concerned; that is for ``ide`` to say.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from nx_lsp.engine import query
from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import (
    DeclarationId,
    Diagnostic,
    FunctionDeclaration,
    Label,
)
from nx_lsp.schema.host_supplied import Listed
from nx_lsp.schema.problems import problem, site_name, site_place
from nx_lsp.schema.reach import Cause, member_key, member_name
from nx_lsp.schema.schema import SiteProblems, derived_function

SYNTAX_CODES = frozenset({"syntax-error", "removed-enum-keyword", "removed-conditional-operator"})
"""Codes of problems that leave a declaration's tree incomplete (semantics 5.1)."""


@dataclass(frozen=True, slots=True)
class SchemaFinding:
    """One entry for a problem list.

    ``diagnostic`` has its primary label in the module that was asked for, and related labels at
    the other end. ``functions`` are all functions that have no schema because of it, in program
    order; ``member`` is the name of the member that is to be changed, ``cause`` what is wrong with
    its type."""

    diagnostic: Diagnostic
    functions: tuple[DeclarationId, ...]
    member: str
    cause: Cause
    at_member: bool
    """At the member's declaration; otherwise at a parameter or result that reaches it."""


def schema_findings(
    db: ProgramDatabase, module: str, host_supplied: Listed = ()
) -> tuple[SchemaFinding, ...]:
    """The findings whose place is in ``module``, in the order of their places.

    Functions of the whole program count: a member of ``module`` is reported when a function of
    another module reaches it."""
    found = [
        finding
        for finding in _program_findings(db, tuple(dict.fromkeys(host_supplied)))
        if finding.diagnostic.labels[0].place.module == module
    ]
    return tuple(sorted(found, key=lambda f: queries.absolute(db, f.diagnostic.labels[0].place)))


@query
def _program_findings(db: ProgramDatabase, host_supplied: Listed) -> tuple[SchemaFinding, ...]:
    members: dict[tuple[object, Cause], SchemaFinding] = {}
    sites: list[SchemaFinding] = []
    for function in _functions(db):
        derived = derived_function(db, function, host_supplied)
        for each in derived.sites if derived is not None else ():
            for finding in _of_site(db, function, each, members):
                sites.append(finding)
    return (*members.values(), *sites)


def _of_site(
    db: ProgramDatabase,
    function: DeclarationId,
    site: SiteProblems,
    members: dict[tuple[object, Cause], SchemaFinding],
) -> list[SchemaFinding]:
    """The findings at one parameter or result; those at members are gathered in ``members``."""
    at_site: list[SchemaFinding] = []
    for reached in site.reached:
        diagnostic = problem(db, site.site, reached)
        own_place = site_place(db, site.site)
        if reached.member is None:
            at_site.append(
                SchemaFinding(
                    diagnostic, (function,), site_name(site.site), reached.cause, at_member=True
                )
            )
            continue
        name = f"`{member_name(reached.member)}`"
        key = (member_key(reached.member), reached.cause)
        known = members.get(key)
        if known is None:
            back = Label(own_place, f"{site_name(site.site)} reaches it")
            labelled = replace(diagnostic, labels=(*diagnostic.labels, back))
            members[key] = SchemaFinding(labelled, (function,), name, reached.cause, at_member=True)
        elif function not in known.functions:
            members[key] = replace(known, functions=(*known.functions, function))
        first, *others = diagnostic.labels
        there = Label(first.place, f"{name} is declared here")
        labels = (Label(own_place, None, primary=True), there, *others)
        message = f"{site_name(site.site)} has no schema: {diagnostic.message}"
        moved = replace(diagnostic, labels=labels, message=message)
        at_site.append(SchemaFinding(moved, (function,), name, reached.cause, at_member=False))
    return at_site


def _functions(db: ProgramDatabase) -> list[DeclarationId]:
    """All functions that users wrote, in program order. One whose own text does not parse is
    left out until it does (editor-experience 5)."""
    return [
        id
        for module in db.modules
        if not module.origin.bundled
        for id in queries.declarations(db, module.identity)
        if _is_sound_function(db, id)
    ]


def _is_sound_function(db: ProgramDatabase, id: DeclarationId) -> bool:
    return isinstance(queries.declaration(db, id), FunctionDeclaration) and _parses(db, id)


def _parses(db: ProgramDatabase, id: DeclarationId) -> bool:
    piece = queries.piece(db, id.module, id.name)
    return piece is None or not any(each.code in SYNTAX_CODES for each in piece.problems)
