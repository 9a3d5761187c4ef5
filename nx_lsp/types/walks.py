"""What is inferred in each kind of declaration, and what its names can see (semantics 2.5)."""

from __future__ import annotations

from collections.abc import Iterable

from nx_lsp.program import queries
from nx_lsp.program.declarations import (
    ComponentDeclaration,
    FunctionDeclaration,
    Member,
    RecordDeclaration,
    UnionDeclaration,
    ValueDeclaration,
)
from nx_lsp.syntax import tree
from nx_lsp.types.environment import Binding, Environment, Local, LocalKind
from nx_lsp.types.inference import Inference
from nx_lsp.types.model import ERROR, Type
from nx_lsp.types.resolution import member_read_type, member_type


def walk_declaration(inference: Inference) -> Type | None:
    """Infer everything in the declaration of ``inference``; the type of a function's body or of
    a value, ``None`` for other kinds."""
    match queries.declaration(inference.db, inference.id):
        case FunctionDeclaration() as declaration:
            return _function(inference, declaration)
        case ValueDeclaration(node=node):
            declared = inference.resolve(node.type) if node.type is not None else None
            return inference.infer(node.value, Environment(), declared)
        case ComponentDeclaration() as declaration:
            _component(inference, declaration)
        case RecordDeclaration(own_fields=fields):
            _fields(inference, fields)
        case UnionDeclaration(cases=cases):
            for each in cases:
                _fields(inference, each.fields)
    return None


def _function(inference: Inference, declaration: FunctionDeclaration) -> Type:
    """A default sees only the parameters before it; the body sees all."""
    env = _bound(inference, declaration.parameters, "parameter", Environment())
    result = declaration.result
    declared = inference.resolve(result) if result is not None else None
    return inference.infer(declaration.body, env, declared)


def _component(inference: Inference, declaration: ComponentDeclaration) -> None:
    """Properties, inherited first, then state: each default sees the fields before it."""
    properties = queries.effective_properties(inference.db, declaration.id)
    env = _bound(inference, properties, "property", Environment())
    env = _bound(inference, declaration.state or (), "state", env)
    for entry in declaration.node.emits:
        if isinstance(entry, tree.EmitDefinition):
            for node in entry.fields:
                if node.default is not None and node.type is not None:
                    inference.infer(node.default, Environment(), inference.resolve(node.type))
    if declaration.node.body is not None:
        for rendered in declaration.node.body.rendered:
            inference.infer(rendered, env)


def _bound(
    inference: Inference, members: Iterable[Member], kind: LocalKind, env: Environment
) -> Environment:
    for member in members:
        if member.owner == inference.id and member.default is not None:
            _default(inference, member, env)
        type = member_read_type(inference.db, member)
        local = Local(kind, member.name, type, member.node, member)
        if member.owner == inference.id:
            binding = Binding(kind, member.name, type, member=member, node=member.node)
            inference.bind(member.node.name, binding)
        env = env.bind(local)
    return env


def _fields(inference: Inference, members: Iterable[Member]) -> None:
    """Field defaults see the module's top level only."""
    for member in members:
        type = member_read_type(inference.db, member)
        binding = Binding("member", member.name, type, member=member, node=member.node)
        inference.bind(member.node.name, binding)
        if member.default is not None:
            _default(inference, member, Environment())


def _default(inference: Inference, member: Member, env: Environment) -> None:
    assert member.default is not None
    expected = member_type(inference.db, member) if member.type is not None else ERROR
    inference.infer(member.default, env, expected)
