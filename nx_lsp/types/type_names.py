"""What type names reach, before any type is made of them (semantics 2.7, 2.8, 3.11, 3.12).

A ``TypeScope`` says where a written type stands; a ``TypeProblem`` what is wrong with one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nx_lsp.engine import query
from nx_lsp.program import queries
from nx_lsp.program.circles import Circle, circle_of
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import (
    AliasDeclaration,
    ComponentDeclaration,
    DeclarationId,
    RecordDeclaration,
    StateDeclaration,
    UpdateDeclaration,
)
from nx_lsp.syntax import tree
from nx_lsp.types.model import (
    OBJECT,
    ItemType,
    MarkupType,
    PrimitiveName,
    Type,
    TypeParameterType,
)

PRIMITIVES: dict[str, PrimitiveName] = {
    "string": "string",
    "boolean": "boolean",
    "int": "int",
    "int32": "int32",
    "int64": "int64",
    "float32": "float32",
    "float64": "float64",
}

ELEMENT = Type(MarkupType("Element"))

BUILT_IN: dict[str, Type] = {"object": OBJECT, "Element": ELEMENT}
"""Looked up after everything declared, unlike primitives (semantics 2.7)."""

BARE_COMPANIONS = ("Property", "Update")
"""What a bare name means inside a component: its state's companions (semantics 2.8)."""


@dataclass(frozen=True, slots=True)
class TypeScope:
    """Where a written type stands: its module, the type parameters in scope with what they
    stand for, and the component around it."""

    module: str
    parameters: tuple[tuple[str, ItemType], ...] = ()
    component: DeclarationId | None = None


@dataclass(frozen=True, slots=True)
class TypeProblem:
    """Something wrong with a written type.

    ``node`` is the occurrence of the name, the suffix or the constraint that is wrong;
    ``annotation`` is true where the whole annotation is to be marked instead (semantics 5.4)."""

    code: str
    message: str
    start: int
    end: int
    help: str | None = None
    annotation: bool = False
    name: str | None = None
    """The name that does not resolve."""


Report = Callable[[TypeProblem], None]


@query
def type_scope(db: ProgramDatabase, id: DeclarationId) -> TypeScope:
    """The scope of the types written in a declaration: its type parameters, a component's
    inherited ones included (semantics 3.9, 3.11)."""
    declaration = queries.declaration(db, id)
    match declaration:
        case RecordDeclaration(node=tree.EmitDefinition()):
            component = DeclarationId(id.module, id.name.rpartition(".")[0])
            return TypeScope(id.module, (), component)
        case RecordDeclaration():
            return TypeScope(id.module, _rigid(db, id))
        case ComponentDeclaration():
            return TypeScope(id.module, _rigid(db, id), id)
        case StateDeclaration(component=component):
            return type_scope(db, component)
        case UpdateDeclaration(target=target):
            return type_scope(db, target)
    return TypeScope(id.module)


def _rigid(db: ProgramDatabase, id: DeclarationId) -> tuple[tuple[str, ItemType], ...]:
    """The type parameters in scope inside a declaration, each standing for itself."""
    parameters = queries.effective_type_parameters(db, id)
    return tuple((name, TypeParameterType(owner, name)) for owner, name in parameters)


def parameter_names(db: ProgramDatabase, id: DeclarationId) -> tuple[str, ...]:
    """The type parameters that a use of the record, update record or component may bind."""
    return tuple(name for _, name in queries.effective_type_parameters(db, id))


def look_up_type(db: ProgramDatabase, scope: TypeScope, name: str) -> DeclarationId | None:
    """The declaration that a type name reaches: the type namespace, then components. Primitives,
    type parameters and built-in names are the caller's."""
    if scope.component is not None and name in BARE_COMPANIONS:
        companion = component_companion(db, scope.component, name)
        if companion is not None:
            return companion
    return queries.lookup_type(db, scope.module, name)


def component_companion(
    db: ProgramDatabase, component: DeclarationId, name: str
) -> DeclarationId | None:
    """``C.State.Update`` or ``C.State.Property``; ``None`` for a component without state."""
    companion = DeclarationId(component.module, f"{component.name}.State.{name}")
    return companion if queries.declaration(db, companion) is not None else None


def named_declaration(
    db: ProgramDatabase, node: tree.NamedType | tree.AppliedType, scope: TypeScope
) -> DeclarationId | None:
    """The declaration whose name a type node spells (an alias itself, not its target);
    ``None`` for a primitive, a type parameter, ``object``, ``Element`` or an unknown name."""
    name = node.name.text
    if name in PRIMITIVES or any(parameter == name for parameter, _ in scope.parameters):
        return None
    return look_up_type(db, scope, name)


@query
def alias_references(db: ProgramDatabase, id: DeclarationId) -> tuple[DeclarationId, ...]:
    """The aliases that an alias's target names, at any depth of the written type."""
    declaration = queries.declaration(db, id)
    if not isinstance(declaration, AliasDeclaration):
        return ()
    scope = TypeScope(id.module)
    found: dict[DeclarationId, None] = {}
    for node in tree.walk(declaration.node.type):
        if isinstance(node, (tree.NamedType, tree.AppliedType)):
            target = named_declaration(db, node, scope)
            if target is not None and isinstance(queries.declaration(db, target), AliasDeclaration):
                found[target] = None
    return tuple(found)


@query
def alias_circle(db: ProgramDatabase, id: DeclarationId) -> Circle:
    """The aliases that stand for each other in a circle with this one (semantics 3.12), sorted;
    empty for any other."""
    return circle_of(db, alias_circle, id, lambda each: alias_references(db, each))


def is_cyclic_alias(db: ProgramDatabase, id: DeclarationId) -> bool:
    """Does the alias stand for itself, directly or through others (semantics 3.12)?"""
    return bool(alias_circle(db, id))
