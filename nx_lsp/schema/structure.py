"""What a type consists of: the sites of records and cases, the shapes of abstract records.

The document writer, the search for types without JSON form and the search for host-supplied
types all walk this one structure. It is finite: ``described`` folds applied types that grow
(schema-contract 9).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Union

from nx_lsp.engine import query
from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import (
    DeclarationId,
    Member,
    RecordDeclaration,
    UnionDeclaration,
    UpdateDeclaration,
)
from nx_lsp.types.model import CaseType, ItemType, ObjectType, RecordType, Type, UnionType
from nx_lsp.types.resolution import member_type, parameter_names

Entry = Union[RecordType, UnionType, CaseType]
"""An item type that has an entry of its own in a document."""

MAX_APPLIED_DEPTH = 4
"""Applied types nested deeper in type arguments are folded (schema-contract 9)."""


@dataclass(frozen=True, slots=True)
class Site:
    """A field or parameter and what may stand there.

    ``type`` is never zero: a type slot that admits zero is an error in the program and counts
    as the marked form (semantics 3.3), which ``optional`` says."""

    member: Member
    type: Type
    optional: bool

    @property
    def omissible(self) -> bool:
        """Whether a host may leave it out."""
        return self.optional or self.member.default is not None


def site_of(
    db: ProgramDatabase, member: Member, arguments: tuple[tuple[str, ItemType], ...] = ()
) -> Site:
    """The site of a member whose owner's type parameters stand for ``arguments``."""
    type = member_type(db, member, arguments)
    return Site(member, type.without_zero(), member.optional or type.occurrence.zero)


def described(item: RecordType) -> RecordType:
    """The record type that a mention of ``item`` is described as.

    Arguments that apply one record twice or more, or nest applied types more than four deep,
    are dropped: that keeps every document finite (schema-contract 9)."""
    applied: Counter[DeclarationId] = Counter()
    pending = [(argument, 1) for _, argument in item.arguments]
    while pending:
        argument, depth = pending.pop()
        if isinstance(argument, RecordType) and argument.arguments:
            applied[argument.declaration] += 1
            if depth > MAX_APPLIED_DEPTH or applied[argument.declaration] > 1:
                return RecordType(item.declaration)
            pending += [(inner, depth + 1) for _, inner in argument.arguments]
    return item


def is_update(db: ProgramDatabase, id: DeclarationId) -> bool:
    """Whether ``id`` is an update record."""
    return isinstance(queries.declaration(db, id), UpdateDeclaration)


def is_abstract(db: ProgramDatabase, id: DeclarationId) -> bool:
    """Whether ``id`` is an abstract record or action."""
    declaration = queries.declaration(db, id)
    return isinstance(declaration, RecordDeclaration) and declaration.abstract


@query
def record_sites(db: ProgramDatabase, record: RecordType) -> tuple[Site, ...]:
    """The effective fields of a record, action, update record or ``C.State``, inherited first.

    A type parameter without argument is open: its sites hold ``object``."""
    arguments = record.arguments or tuple(
        (name, ObjectType()) for name in parameter_names(db, record.declaration)
    )
    members = queries.effective_fields(db, record.declaration)
    return tuple(site_of(db, member, arguments) for member in members)


@query
def case_sites(db: ProgramDatabase, case: CaseType) -> tuple[Site, ...]:
    """The fields of a payload case: those of the union's base first, then its own."""
    return tuple(site_of(db, member) for member in queries.case_fields(db, case.union, case.case))


def case_types(db: ProgramDatabase, union: DeclarationId) -> tuple[CaseType, ...]:
    """All cases of a union, in declaration order."""
    return tuple(CaseType(union, name) for name in queries.case_names(db, union))


def constant_cases(db: ProgramDatabase, union: DeclarationId) -> tuple[str, ...]:
    """The names of the cases that are written as strings, in declaration order."""
    names = queries.case_names(db, union)
    return tuple(name for name in names if queries.is_constant_case(db, union, name))


def payload_cases(db: ProgramDatabase, union: DeclarationId) -> tuple[CaseType, ...]:
    """The cases that are written as objects, in declaration order."""
    constant = set(constant_cases(db, union))
    return tuple(case for case in case_types(db, union) if case.case not in constant)


@query
def shapes(db: ProgramDatabase, abstract: DeclarationId) -> tuple[RecordType | CaseType, ...]:
    """What a value at a site of an abstract record may be: the concrete records that extend it
    and every case of the unions that do, from all modules, in program order (schema-contract 8)."""
    found: list[RecordType | CaseType] = []
    for id in queries.descendants(db, abstract):
        if isinstance(queries.declaration(db, id), UnionDeclaration):
            found += case_types(db, id)
        else:
            found.append(RecordType(id))
    return tuple(found)
