"""Which parameters the host fills in (schema-contract 12)."""

from __future__ import annotations

from collections.abc import Iterator

from nx_lsp.engine import query
from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import AliasDeclaration, DeclarationId
from nx_lsp.schema.structure import (
    case_sites,
    case_types,
    described,
    is_abstract,
    record_sites,
    shapes,
)
from nx_lsp.types.model import CaseType, ItemType, Occurrence, RecordType, Type, UnionType
from nx_lsp.types.resolution import alias_type

Listed = tuple[DeclarationId, ...]
"""The host-supplied types, in the order in which the host lists them."""


def host_supplied_by(db: ProgramDatabase, declared: Type, listed: Listed) -> DeclarationId | None:
    """The first listed type that the parameter is declared with: the record itself or one that
    it extends, through any aliases. ``declared`` is the parameter's type without its mark.

    An occurrence of a listed type, or a union, is not host-supplied."""
    if not listed or declared.occurrence is not Occurrence.ONE:
        return None
    item = declared.item
    if not isinstance(item, RecordType):
        return None
    kinds = _kinds(db, item.declaration)
    return next((each for each in listed if _meant(db, each) in kinds), None)


def held_within(db: ProgramDatabase, type: Type, listed: Listed) -> Listed:
    """The listed types that ``type`` holds, at any depth, in list order and each once, under the
    first name that the list has for it."""
    if not listed:
        return ()
    held = held_declarations(db, type.item)
    named: dict[DeclarationId, DeclarationId] = {}
    for each in listed:
        named.setdefault(_meant(db, each), each)
    return tuple(each for meant, each in named.items() if meant in held)


@query
def held_declarations(db: ProgramDatabase, root: ItemType) -> frozenset[DeclarationId]:
    """Every record and union that a value of ``root`` may hold or be, with all that they extend."""
    held: set[DeclarationId] = set()
    seen: set[ItemType] = set()
    pending = [root]
    while pending:
        item = pending.pop()
        if isinstance(item, RecordType):
            pending += [argument for _, argument in item.arguments]
            item = described(item)
        if item in seen:
            continue
        seen.add(item)
        if isinstance(item, (RecordType, UnionType)):
            held |= _kinds(db, item.declaration)
        elif isinstance(item, CaseType):
            held |= _kinds(db, item.union)
        pending += _parts(db, item)
    return frozenset(held)


def _parts(db: ProgramDatabase, item: ItemType) -> Iterator[ItemType]:
    """The item types one step inside ``item``."""
    match item:
        case RecordType(declaration, _):
            yield from (site.type.item for site in record_sites(db, item))
            if is_abstract(db, declaration):
                yield from shapes(db, declaration)
        case CaseType():
            yield from (site.type.item for site in case_sites(db, item))
        case UnionType(declaration):
            yield from case_types(db, declaration)


def _kinds(db: ProgramDatabase, id: DeclarationId) -> frozenset[DeclarationId]:
    """A declaration and everything it extends. Derived records and unions extend nothing."""
    return frozenset((id, *queries.ancestors(db, id)))


def _meant(db: ProgramDatabase, listed: DeclarationId) -> DeclarationId:
    """The declaration that a listed name means, however it is spelled: an alias its target, the
    older name of something derived the present one. ``listed`` itself if it is not declared."""
    found = queries.declared_in(db, listed.module, listed.name)
    if found is not None and isinstance(queries.declaration(db, found), AliasDeclaration):
        target = alias_type(db, found)
        if target.occurrence is Occurrence.ONE and isinstance(target.item, (RecordType, UnionType)):
            return target.item.declaration
    return found or listed
