"""Missing schemas as an editor publishes them (schema-contract 11, editor-experience 5).

A problem shows where the member is declared and, when that is another declaration, at each
parameter or result that reaches it, so that neither place looks fine. What severity it gets, and
whether it is shown at all, depends on the functions concerned; that is for ``ide`` to say.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Union

from nx_lsp.engine import query
from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import (
    ComponentDeclaration,
    DeclarationId,
    Diagnostic,
    FunctionDeclaration,
    Label,
    Member,
    RecordDeclaration,
    StateDeclaration,
    UnionDeclaration,
)
from nx_lsp.schema.host_supplied import Listed
from nx_lsp.schema.problems import problem, site_name, site_place
from nx_lsp.schema.reach import Cause, MemberKey, holds_problems, member_key, member_name
from nx_lsp.schema.schema import SiteProblems, checked_sites
from nx_lsp.schema.structure import payload_cases
from nx_lsp.syntax.spelling import spell_type
from nx_lsp.types.model import RecordType

SYNTAX_CODES = frozenset({"syntax-error", "removed-enum-keyword", "removed-conditional-operator"})
"""Codes of problems that leave a declaration's tree incomplete (semantics 5.1)."""


_MemberKey = tuple[Union[MemberKey, None], Cause]


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
    key: MemberKey | None
    """The member; ``None`` for a parameter or result that is itself the reason."""
    written_type: str | None
    """The member's type as its author wrote it."""
    at_member: bool
    """At the member's declaration; otherwise at a parameter or result that reaches it."""


@dataclass(frozen=True, slots=True)
class OwnFindings:
    """What the functions of one module find: at their own parameters and results, and at the
    members that these reach, of any module, in the order of functions and sites."""

    sites: tuple[SchemaFinding, ...]
    members: tuple[SchemaFinding, ...]


def schema_findings(
    db: ProgramDatabase, module: str, host_supplied: Listed = ()
) -> tuple[SchemaFinding, ...]:
    """The findings whose place is in ``module``, in the order of their places.

    Functions of the whole program count: a member of ``module`` is reported when a function of
    another module reaches it. Other modules are looked at only if ``module`` has such a member."""
    listed = tuple(dict.fromkeys(host_supplied))
    members: tuple[SchemaFinding, ...] = ()
    if has_problem_members(db, module):
        members = _members_of_program(db, listed).get(module, ())
    return in_order(db, (*members, *own_findings(db, module, listed).sites))


def member_findings(
    db: ProgramDatabase, module: str, host_supplied: Listed = ()
) -> tuple[SchemaFinding, ...]:
    """Those of ``schema_findings`` that stand at members, and so may be due to other modules."""
    found = schema_findings(db, module, host_supplied)
    return tuple(each for each in found if each.key is not None and each.at_member)


def at_present_place(db: ProgramDatabase, earlier: SchemaFinding) -> SchemaFinding | None:
    """An older finding at a member where that stands now; ``None`` if the member is gone, or was
    given another type."""
    if earlier.key is None:
        return None
    owner, role, case, name = earlier.key
    diagnostic = earlier.diagnostic
    for member in _own_members(db, owner, case):
        if (member.role, member.case, member.name) == (role, case, name):
            if earlier.written_type != _written_type(member):
                return None
            first, *others = diagnostic.labels
            moved = replace(first, place=queries.place(db, owner, member.node))
            return replace(earlier, diagnostic=replace(diagnostic, labels=(moved, *others)))
    return None


def _written_type(member: Member) -> str | None:
    return None if member.type is None else spell_type(member.type)


def _own_members(db: ProgramDatabase, owner: DeclarationId, case: str | None) -> tuple[Member, ...]:
    if case is not None:
        return queries.case_fields(db, owner, case)
    match queries.declaration(db, owner):
        case RecordDeclaration() | StateDeclaration():
            return queries.effective_fields(db, owner)
        case UnionDeclaration():
            return queries.base_fields(db, owner)
        case ComponentDeclaration(state=state):
            return state or ()
        case _:
            return ()


def in_order(db: ProgramDatabase, findings: Iterable[SchemaFinding]) -> tuple[SchemaFinding, ...]:
    """Findings of one module in the order of their places, at equal places as they come."""
    return tuple(sorted(findings, key=lambda f: queries.absolute(db, f.diagnostic.labels[0].place)))


@query
def own_findings(db: ProgramDatabase, module: str, host_supplied: Listed) -> OwnFindings:
    """What the functions of a module find (see `OwnFindings`). ``host_supplied`` has no repeated
    names. A function whose own text does not parse is left out until it does
    (editor-experience 5)."""
    members: dict[_MemberKey, SchemaFinding] = {}
    sites: list[SchemaFinding] = []
    for function in queries.declarations(db, module):
        if _is_sound_function(db, function):
            for each in checked_sites(db, function, host_supplied):
                sites += _of_site(db, function, each, members)
    return OwnFindings(tuple(sites), tuple(members.values()))


@query
def _members_of_program(
    db: ProgramDatabase, host_supplied: Listed
) -> dict[str, tuple[SchemaFinding, ...]]:
    """The findings at members by the module that declares the member, each with the functions of
    the whole program, in program order."""
    merged: dict[_MemberKey, SchemaFinding] = {}
    for module in db.identities:
        about = db.about(module)
        if about is None or about.origin.bundled:
            continue
        for finding in own_findings(db, module, host_supplied).members:
            key = (finding.key, finding.cause)
            known = merged.get(key)
            if known is not None:
                finding = replace(known, functions=(*known.functions, *finding.functions))
            merged[key] = finding
    found: dict[str, list[SchemaFinding]] = {}
    for finding in merged.values():
        found.setdefault(finding.diagnostic.labels[0].place.module, []).append(finding)
    return {module: tuple(findings) for module, findings in found.items()}


@query
def has_problem_members(db: ProgramDatabase, module: str) -> bool:
    """Whether a function, of this or another module, may have no schema because of a member that
    ``module`` declares. A record with type parameters may always be the reason: what is given
    for them decides."""
    for declared in queries.declarations(db, module):
        for id in (declared, *queries.derived_ids(db, declared)):
            match queries.declaration(db, id):
                case RecordDeclaration() | StateDeclaration():
                    if queries.effective_type_parameters(db, id):
                        return True
                    if holds_problems(db, RecordType(id)):
                        return True
                case UnionDeclaration():
                    if any(holds_problems(db, case) for case in payload_cases(db, id)):
                        return True
                case _:
                    pass
    return False


def _of_site(
    db: ProgramDatabase,
    function: DeclarationId,
    site: SiteProblems,
    members: dict[_MemberKey, SchemaFinding],
) -> list[SchemaFinding]:
    """The findings at one parameter or result; those at members are gathered in ``members``."""
    at_site: list[SchemaFinding] = []
    for reached in site.reached:
        diagnostic = problem(db, site.site, reached)
        own_place = site_place(db, site.site)
        if reached.member is None:
            at_site.append(
                SchemaFinding(
                    diagnostic,
                    (function,),
                    site_name(site.site),
                    reached.cause,
                    None,
                    None,
                    at_member=True,
                )
            )
            continue
        name = f"`{member_name(reached.member)}`"
        key = (member_key(reached.member), reached.cause)
        written = _written_type(reached.member)
        known = members.get(key)
        if known is None:
            back = Label(own_place, f"{site_name(site.site)} reaches it")
            labelled = replace(diagnostic, labels=(*diagnostic.labels, back))
            members[key] = SchemaFinding(
                labelled, (function,), name, reached.cause, key[0], written, at_member=True
            )
        elif function not in known.functions:
            members[key] = replace(known, functions=(*known.functions, function))
        first, *others = diagnostic.labels
        there = Label(first.place, f"{name} is declared here")
        labels = (Label(own_place, None, primary=True), there, *others)
        message = f"{site_name(site.site)} has no schema: {diagnostic.message}"
        moved = replace(diagnostic, labels=labels, message=message)
        at_site.append(
            SchemaFinding(moved, (function,), name, reached.cause, key[0], written, at_member=False)
        )
    return at_site


def _is_sound_function(db: ProgramDatabase, id: DeclarationId) -> bool:
    return isinstance(queries.declaration(db, id), FunctionDeclaration) and _parses(db, id)


def _parses(db: ProgramDatabase, id: DeclarationId) -> bool:
    piece = queries.piece(db, id.module, id.name)
    return piece is None or not any(each.code in SYNTAX_CODES for each in piece.problems)
