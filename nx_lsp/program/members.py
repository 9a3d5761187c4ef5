"""The members a declaration has with what it inherits (semantics 3.6 to 3.10).

Inherited members come first, then the own ones in declaration order. A name that is declared
again is reported elsewhere and left out here, so that names are unique.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from nx_lsp.engine import query
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import (
    ComponentDeclaration,
    DeclarationId,
    FunctionDeclaration,
    Member,
    PropertyUnionDeclaration,
    RecordDeclaration,
    StateDeclaration,
    UnionDeclaration,
    UpdateDeclaration,
)
from nx_lsp.program.declared import declaration
from nx_lsp.program.inheritance import ancestors, base, through_aliases
from nx_lsp.program.scopes import lookup_type
from nx_lsp.syntax import tree


def _merged(groups: Iterable[Iterable[Member]]) -> tuple[Member, ...]:
    found: dict[str, Member] = {}
    for group in groups:
        for member in group:
            found.setdefault(member.name, member)
    return tuple(found.values())


@query
def effective_fields(db: ProgramDatabase, id: DeclarationId) -> tuple[Member, ...]:
    """The fields of a record or action, inherited first; of an update record its target's; of
    ``C.State`` the state fields. Empty for anything else. Type parameters are no fields."""
    match declaration(db, id):
        case RecordDeclaration(own_fields=own):
            above = base(db, id)
            return own if above is None else _merged((effective_fields(db, above), own))
        case UpdateDeclaration(target=target):
            return effective_fields(db, target)
        case StateDeclaration(fields=fields):
            return fields
        case _:
            return ()


@query
def base_fields(db: ProgramDatabase, union: DeclarationId) -> tuple[Member, ...]:
    """The fields that every case of a union inherits from the union's base."""
    found = declaration(db, union)
    target = base(db, union) if isinstance(found, UnionDeclaration) else None
    return effective_fields(db, target) if target is not None else ()


@query
def case_fields(db: ProgramDatabase, union: DeclarationId, case: str) -> tuple[Member, ...]:
    """The fields of one case of a union: the base's first, then its own. Empty for a case of a
    property union, an unknown case and anything that is no union."""
    found = declaration(db, union)
    if not isinstance(found, UnionDeclaration):
        return ()
    for each in found.cases:
        if each.name == case:
            return _merged((base_fields(db, union), each.fields))
    return ()


@query
def case_names(db: ProgramDatabase, union: DeclarationId) -> tuple[str, ...]:
    """The cases of a union in order; of ``X.Property`` the effective field names of its target.
    Empty for anything else."""
    match declaration(db, union):
        case UnionDeclaration(cases=cases):
            return tuple(case.name for case in cases)
        case PropertyUnionDeclaration(target=target):
            return tuple(member.name for member in effective_fields(db, target))
        case _:
            return ()


@query
def is_constant_case(db: ProgramDatabase, union: DeclarationId, case: str) -> bool:
    """Whether a case has no fields and its union no base (semantics 3.8); every case of a property
    union is constant. ``False`` for an unknown case."""
    match declaration(db, union):
        case UnionDeclaration(cases=cases):
            own = next((each for each in cases if each.name == case), None)
            return own is not None and not own.fields and base(db, union) is None
        case PropertyUnionDeclaration():
            return case in case_names(db, union)
        case _:
            return False


@query
def is_constant_union(db: ProgramDatabase, union: DeclarationId) -> bool:
    """Whether a union, or property union, has constant cases only. ``False`` for anything else."""
    match declaration(db, union):
        case UnionDeclaration(cases=cases):
            return all(is_constant_case(db, union, case.name) for case in cases)
        case PropertyUnionDeclaration():
            return True
        case _:
            return False


@query
def effective_properties(db: ProgramDatabase, component: DeclarationId) -> tuple[Member, ...]:
    """The properties of a component, inherited first; type parameters are none. Empty for anything
    that is no component."""
    found = declaration(db, component)
    if not isinstance(found, ComponentDeclaration):
        return ()
    above, own = base(db, component), found.own_properties
    return own if above is None else _merged((effective_properties(db, above), own))


@query
def effective_type_parameters(
    db: ProgramDatabase, id: DeclarationId
) -> tuple[tuple[DeclarationId, str], ...]:
    """The type parameters of a record or component with the declaration that writes each; a
    component has its bases' first. An update record has its target's."""
    match declaration(db, id):
        case RecordDeclaration(type_parameters=names):
            return tuple((id, name) for name in names)
        case UpdateDeclaration(target=target):
            return effective_type_parameters(db, target)
        case ComponentDeclaration(type_parameters=names):
            above = base(db, id)
            inherited = () if above is None else effective_type_parameters(db, above)
            met = {name for _, name in inherited}
            return (*inherited, *((id, name) for name in names if name not in met))
        case _:
            return ()


@dataclass(frozen=True, slots=True, eq=False)
class Emit:
    """One action that a component emits."""

    name: str
    """The last part of the written name: a use site binds ``on`` + name."""
    owner: DeclarationId
    """The component whose text holds the entry."""
    node: tree.EmitDefinition | tree.EmitReference
    action: DeclarationId | None
    """``None`` for a reference that means no action."""

    @property
    def handler(self) -> str:
        """The property under which a use site handles it."""
        return f"on{self.name}"


@query
def effective_emits(db: ProgramDatabase, component: DeclarationId) -> tuple[Emit, ...]:
    """The actions that a component emits, inherited first, the first of each name. Empty for
    anything that is no component."""
    above = base(db, component)
    inherited = () if above is None else effective_emits(db, above)
    found = {emit.name: emit for emit in inherited}
    for emit in own_emits(db, component):
        found.setdefault(emit.name, emit)
    return tuple(found.values())


@query
def colliding_handlers(db: ProgramDatabase, component: DeclarationId) -> frozenset[str]:
    """The handler names of a component that stand for two things, inherited ones included: for two
    emitted actions, or for an emitted action and a property. That is reported at the declaration
    (semantics 3.9), and a use cannot say which it means."""
    first: dict[str, Emit] = {}
    twice: set[str] = set()
    for each in (component, *ancestors(db, component)):
        for emit in own_emits(db, each):
            if first.setdefault(emit.handler, emit) is not emit:
                twice.add(emit.handler)
    properties = {member.name for member in effective_properties(db, component)}
    return frozenset(twice | (first.keys() & properties))


@query
def own_emits(db: ProgramDatabase, component: DeclarationId) -> tuple[Emit, ...]:
    """The ``emits`` entries of a component's own text, in order, repeated names included."""
    found = declaration(db, component)
    if not isinstance(found, ComponentDeclaration):
        return ()
    emits: list[Emit] = []
    for entry in found.node.emits:
        if isinstance(entry, tree.EmitDefinition):
            name = entry.name.text
            action: DeclarationId | None = DeclarationId(
                component.module, f"{component.name}.{name}"
            )
        else:
            name = entry.name.parts[-1].text
            action = _referenced_action(db, component.module, entry.name.text)
        if name:
            emits.append(Emit(name, component, entry, action))
    return tuple(emits)


def _referenced_action(db: ProgramDatabase, module: str, name: str) -> DeclarationId | None:
    found = lookup_type(db, module, name)
    target = through_aliases(db, found) if found is not None else None
    if target is None:
        return None
    action = declaration(db, target)
    return target if isinstance(action, RecordDeclaration) and action.is_action else None


@dataclass(frozen=True, slots=True)
class Signature:
    """What a function says of itself before its body."""

    parameters: tuple[Member, ...]
    """In order, without repeated names."""
    result: tree.TypeNode | None
    """The result annotation, if one is written."""


@query
def signature(db: ProgramDatabase, function: DeclarationId) -> Signature | None:
    """The signature of a function; ``None`` for anything else. Who reads it, and not the
    declaration, does not depend on the body."""
    found = declaration(db, function)
    if not isinstance(found, FunctionDeclaration):
        return None
    return Signature(found.parameters, found.result)


def parameters(db: ProgramDatabase, function: DeclarationId) -> tuple[Member, ...]:
    """The parameters of a function in order; empty for anything else."""
    found = signature(db, function)
    return found.parameters if found is not None else ()
