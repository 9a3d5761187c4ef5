"""Bases and what extends them (semantics 3.6, 3.8, 3.9), seen through aliases.

``find_base`` says what the written ``extends`` means and what is wrong with it; ``base`` gives the
base only where it is valid, so that everything built on it is total: a cycle has no base at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from nx_lsp.engine import query
from nx_lsp.program.circles import Circle, circle_of, settle
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import (
    AliasDeclaration,
    ComponentDeclaration,
    DeclarationId,
    PropertyUnionDeclaration,
    RecordDeclaration,
    StateDeclaration,
    UnionDeclaration,
    UpdateDeclaration,
)
from nx_lsp.program.declared import declaration, derived_ids
from nx_lsp.program.outlines import DeclaredName, declared_names, outline_of, piece
from nx_lsp.program.scopes import lookup_type
from nx_lsp.syntax import tree

PRIMITIVE_NAMES = frozenset({"string", "int", "int32", "int64", "float32", "float64", "boolean"})
"""The names that mean a primitive in a type position, whatever a module declares."""

MAX_ANCESTORS = 400
"""Bases above each other that are read. Everything that extends takes time and memory for each of
them, and a base with more is reported."""

TypeKind = Literal[
    "record",
    "action",
    "union",
    "component",
    "update record",
    "property union",
    "state record",
]
Fault = Literal[
    "unresolved", "alias cycle", "not a declared type", "wrong kind", "concrete", "generic"
]


@dataclass(frozen=True, slots=True)
class FoundBase:
    """What a written base means. ``fault`` is ``None`` for a base that is valid by itself (it may
    still be part of a cycle)."""

    spelling: str
    fault: Fault | None
    target: DeclarationId | None = None
    """The declaration found, aliases seen through; also where it is no possible base."""
    kind: TypeKind | None = None


# ---------------------------------------------------------------- aliases


def named_type(node: tree.TypeNode | None) -> str | None:
    """The name a type consists of, parentheses aside; ``None`` for any other type."""
    while isinstance(node, tree.ParenthesizedType):
        node = node.inner
    return node.name.text if isinstance(node, tree.NamedType) else None


@query
def alias_target(db: ProgramDatabase, id: DeclarationId) -> DeclarationId | None:
    """The declaration whose name an alias consists of, not seen through; ``None`` where it
    stands for anything else, or is no alias."""
    found = declaration(db, id)
    if not isinstance(found, AliasDeclaration):
        return None
    name = named_type(found.node.type)
    if name is None or name in PRIMITIVE_NAMES:
        return None
    return lookup_type(db, found.id.module, name)


def _next_alias(db: ProgramDatabase) -> Callable[[DeclarationId], tuple[DeclarationId, ...]]:
    def needs(id: DeclarationId) -> tuple[DeclarationId, ...]:
        target = alias_target(db, id)
        return () if target is None else (target,)

    return needs


@query
def _alias_circle(db: ProgramDatabase, id: DeclarationId) -> Circle:
    return circle_of(db, _alias_circle, id, _next_alias(db))


@dataclass(frozen=True, slots=True)
class AliasEnd:
    """Where an alias leads by name: the last declaration on the way, which is a member of the
    circle where it leads into one."""

    last: DeclarationId
    circular: bool = False


def alias_end(db: ProgramDatabase, id: DeclarationId) -> AliasEnd:
    """Where a declaration leads through aliases by name; anything but an alias ends at itself, and
    so does an alias of something else than a declared name."""
    settle(db, _alias_end, id, _next_alias(db))
    return _alias_end(db, id)


@query
def _alias_end(db: ProgramDatabase, id: DeclarationId) -> AliasEnd:
    target = alias_target(db, id)
    if target is None:
        return AliasEnd(id)
    if _alias_circle(db, id):
        return AliasEnd(id, circular=True)
    return alias_end(db, target)


def through_aliases(db: ProgramDatabase, id: DeclarationId) -> DeclarationId | None:
    """The declaration behind an alias, through any number of them; ``id`` itself if it is none.
    ``None`` if the alias means anything but a declared name, or leads in a circle."""
    end = alias_end(db, id)
    if end.circular or isinstance(declaration(db, end.last), AliasDeclaration):
        return None
    return end.last


# ---------------------------------------------------------------- bases


def written_base(db: ProgramDatabase, id: DeclarationId) -> tree.DottedName | None:
    """The ``extends`` clause's name of a record, action, union or component; parses it."""
    found = declaration(db, id)
    if isinstance(found, (RecordDeclaration, UnionDeclaration, ComponentDeclaration)):
        return found.node.extends
    return None


@query
def find_base(db: ProgramDatabase, id: DeclarationId) -> FoundBase | None:
    """What the written base of a record, action, union, component or inline action means; ``None``
    without one. Of a written declaration only the outline is read."""
    outline = outline_of(db, id)
    if outline is not None:
        if outline.extends is None:
            return None
        spelling, kind = "".join(outline.extends.split()), outline.kind
    else:
        found = declaration(db, id)
        if not isinstance(found, RecordDeclaration) or found.node.extends is None:
            return None
        spelling, kind = found.node.extends.text, "action"
    if not spelling:
        return None  # reported as a syntax error
    wanted: TypeKind
    if kind == "component":
        wanted = "component"
    elif kind == "action":
        wanted = "action"
    elif kind in ("record", "union"):
        wanted = "record"
    else:
        return None
    return _judge(db, id.module, spelling, wanted)


def _judge(db: ProgramDatabase, module: str, spelling: str, wanted: TypeKind) -> FoundBase:
    if spelling in PRIMITIVE_NAMES:
        return FoundBase(spelling, "not a declared type")
    first = lookup_type(db, module, spelling)
    if first is None:
        fault: Fault = "not a declared type" if spelling in ("object", "Element") else "unresolved"
        return FoundBase(spelling, fault)
    end = alias_end(db, first)
    last = end.last
    if end.circular:
        return FoundBase(spelling, "alias cycle", last)
    outline = outline_of(db, last)
    kind = type_kind(db, last)
    if kind is None:
        return FoundBase(spelling, "not a declared type", last)
    if kind != wanted:
        return FoundBase(spelling, "wrong kind", last, kind)
    if outline is None or not outline.abstract:
        return FoundBase(spelling, "concrete", last, kind)
    if wanted != "component" and _is_generic(db, last):
        return FoundBase(spelling, "generic", last, kind)
    return FoundBase(spelling, None, last, kind)


def type_kind(db: ProgramDatabase, id: DeclarationId) -> TypeKind | None:
    """What kind of type a declaration is; ``None`` for an alias, a function or a value."""
    outline = outline_of(db, id)
    if outline is not None:
        kind = outline.kind
        return kind if kind in ("record", "action", "union", "component") else None
    match declaration(db, id):
        case RecordDeclaration():
            return "action"  # an inline emitted one
        case UpdateDeclaration():
            return "update record"
        case PropertyUnionDeclaration():
            return "property union"
        case StateDeclaration():
            return "state record"
        case _:
            return None


def _is_generic(db: ProgramDatabase, id: DeclarationId) -> bool:
    found = declaration(db, id)
    return isinstance(found, RecordDeclaration) and bool(found.type_parameters)


def _candidate(db: ProgramDatabase, id: DeclarationId) -> DeclarationId | None:
    found = find_base(db, id)
    return found.target if found is not None and found.fault is None else None


def _candidates(db: ProgramDatabase) -> Callable[[DeclarationId], tuple[DeclarationId, ...]]:
    def needs(id: DeclarationId) -> tuple[DeclarationId, ...]:
        candidate = _candidate(db, id)
        return () if candidate is None else (candidate,)

    return needs


@query
def inheritance_circle(db: ProgramDatabase, id: DeclarationId) -> Circle:
    """The declarations that extend each other in a circle through ``id``, sorted; empty where
    there is none. One that merely leads into a circle is no part of it."""
    return circle_of(db, inheritance_circle, id, _candidates(db))


def way_round(db: ProgramDatabase, id: DeclarationId, most: int) -> tuple[DeclarationId, ...]:
    """What a declaration of a circle extends, what that extends, and so on until it is ``id``
    again, which is left out; no more than ``most`` of them."""
    way: list[DeclarationId] = []
    current = _candidate(db, id)
    while current is not None and current != id and len(way) < most:
        way.append(current)
        current = _candidate(db, current)
    return tuple(way)


@query
def base(db: ProgramDatabase, id: DeclarationId) -> DeclarationId | None:
    """The valid base of a record, action, union or component, aliases seen through: an abstract
    declaration of the right kind that is not generic (components may be), no part of a circle, and
    with less than ``MAX_ANCESTORS`` bases above it. ``None`` where there is none, or for any other
    declaration."""
    return next(iter(ancestors(db, id)), None)


def ancestors(db: ProgramDatabase, id: DeclarationId) -> tuple[DeclarationId, ...]:
    """The base, its base, and so on: nearest first, without ``id`` itself. Where the way leads
    into a circle it ends at the first declaration of the circle, which has no base."""
    settle(db, _ancestors, id, _candidates(db))
    return _ancestors(db, id)


@query
def _ancestors(db: ProgramDatabase, id: DeclarationId) -> tuple[DeclarationId, ...]:
    candidate = _candidate(db, id)
    if candidate is None or inheritance_circle(db, id):
        return ()
    above = ancestors(db, candidate)
    return () if len(above) >= MAX_ANCESTORS else (candidate, *above)


@query
def has_unknown_base(db: ProgramDatabase, id: DeclarationId) -> bool:
    """Whether a record, action, union or component extends something that is no valid base,
    directly or not. That has been reported where it is written, or at the import that may have
    brought it: what the declaration is and inherits is not known, and no use of it is wrong."""
    return find_base(db, (id, *ancestors(db, id))[-1]) is not None


def has_unknown_members(db: ProgramDatabase, id: DeclarationId) -> bool:
    """Whether a declaration has an unknown base, or is a companion of one that has."""
    match declaration(db, id):
        case UpdateDeclaration(target=target) | PropertyUnionDeclaration(target=target):
            return has_unknown_base(db, target)
    return has_unknown_base(db, id)


# ---------------------------------------------------------------- what extends a base


@dataclass(frozen=True, slots=True)
class Extension:
    """One declaration that extends a valid base."""

    base: DeclarationId
    id: DeclarationId
    abstract: bool


@query
def extensions(db: ProgramDatabase, module: str) -> tuple[Extension, ...]:
    """The declarations of a module that extend something, inline actions included, in declaration
    order. Parses no declaration but components that define actions with a base."""
    found: list[Extension] = []
    for declared in declared_names(db, module):
        for id, abstract in _may_extend(db, declared):
            target = base(db, id)
            if target is not None:
                found.append(Extension(target, id, abstract))
    return tuple(found)


def _may_extend(
    db: ProgramDatabase, declared: DeclaredName
) -> Iterator[tuple[DeclarationId, bool]]:
    if declared.repeated:
        return
    if declared.extends is not None:
        yield declared.id, declared.abstract
    if declared.kind == "component":
        part = piece(db, declared.id.module, declared.id.name)
        if part is not None and "emits" in part.text and "extends" in part.text:
            for id in derived_ids(db, declared.id):
                if isinstance(declaration(db, id), RecordDeclaration):
                    yield id, False


@query
def extensions_by_base(
    db: ProgramDatabase,
) -> dict[DeclarationId, tuple[tuple[int, Extension], ...]]:
    """All extensions of the program by base, each with its position in program order."""
    found: dict[DeclarationId, list[tuple[int, Extension]]] = {}
    position = 0
    for module in db.identities:
        for extension in extensions(db, module):
            found.setdefault(extension.base, []).append((position, extension))
            position += 1
    return {key: tuple(values) for key, values in found.items()}


@query
def descendants(db: ProgramDatabase, id: DeclarationId) -> tuple[DeclarationId, ...]:
    """The concrete records or actions, and the unions, that extend ``id`` directly or through
    abstract ones, in all modules of the program: program order, then declaration order. For a
    component its concrete descendants."""
    by_base = extensions_by_base(db)
    found: list[tuple[int, DeclarationId]] = []
    waiting = [id]
    met = {id}
    while waiting:
        for position, extension in by_base.get(waiting.pop(), ()):
            if extension.id in met:
                continue
            met.add(extension.id)
            if extension.abstract:
                waiting.append(extension.id)
            else:
                found.append((position, extension.id))
    return tuple(each for _, each in sorted(found))
