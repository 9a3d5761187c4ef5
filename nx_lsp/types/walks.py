"""What is inferred in each kind of declaration, and what its names can see (semantics 2.5)."""

from __future__ import annotations

from collections.abc import Iterable

from nx_lsp.program import queries
from nx_lsp.program.declarations import (
    ComponentDeclaration,
    FunctionDeclaration,
    Label,
    Member,
    RecordDeclaration,
    UnionDeclaration,
    ValueDeclaration,
)
from nx_lsp.syntax import tree
from nx_lsp.types import sizes
from nx_lsp.types.environment import Binding, Environment, Local, LocalKind
from nx_lsp.types.inference import Inference
from nx_lsp.types.model import ERROR, FunctionType, NeverType, Type
from nx_lsp.types.names import bare_name_advice
from nx_lsp.types.resolution import member_read_type, member_type
from nx_lsp.types.sites import Site, check
from nx_lsp.types.sizes import TOO_LARGE


def walk_declaration(inference: Inference) -> Type | None:
    """Infer everything in the declaration of ``inference``; the type of a function's body or of
    a value, ``None`` for other kinds."""
    match queries.declaration(inference.db, inference.id):
        case FunctionDeclaration() as declaration:
            return _function(inference, declaration)
        case ValueDeclaration() as value:
            return _value(inference, value)
        case ComponentDeclaration() as declaration:
            _component(inference, declaration)
        case RecordDeclaration(own_fields=fields):
            _fields(inference, fields)
        case UnionDeclaration(cases=cases):
            for each in cases:
                _fields(inference, each.fields)
    return None


def _value(inference: Inference, declaration: ValueDeclaration) -> Type:
    node = declaration.node
    declared = inference.resolve(node.type) if node.type is not None else None
    found = inference.infer(node.value, Environment(), declared)
    name = node.name.text
    if declared is None:
        return _unannotated(inference, node.value, found, f"The value of `{name}`")
    labels = _annotated(inference, node.value, node.type)
    expects, gives = f"`{name}` is declared as", "its value is"
    site = Site(declared, "value-type-mismatch", expects, gives, None, labels)
    check(inference, node.value, found, site)
    return found


def _function(inference: Inference, declaration: FunctionDeclaration) -> Type:
    """A default sees only the parameters before it; the body sees all."""
    env = _bound(inference, declaration.parameters, "parameter", Environment())
    result, body = declaration.result, declaration.body
    declared = inference.resolve(result) if result is not None else None
    found = inference.infer(body, env, declared)
    name = declaration.id.name.partition("#")[0]
    if declared is None:
        return _unannotated(inference, body, found, f"The result of `{name}`")
    labels = _annotated(inference, body, result)
    expects, gives = f"`{name}` is declared to return", "its body is"
    site = Site(declared, "return-type-mismatch", expects, gives, None, labels)
    check(inference, body, found, site)
    return found


def _annotated(
    inference: Inference, value: tree.Node, annotation: tree.TypeNode | None
) -> tuple[Label, ...]:
    if annotation is None:
        return ()
    return (
        inference.label(value, "this is the value"),
        inference.label(annotation, "this is what is declared"),
    )


def _unannotated(inference: Inference, value: tree.Expression, found: Type, subject: str) -> Type:
    """Without an annotation a bare name has no union to be a case of, and `{}` no type; and a
    function that gives another can give a type of any size."""
    if sizes.is_too_large(found):
        inference.find(sizes.CODE, f"{subject} has a type that is too large", value, sizes.HELP)
        return TOO_LARGE
    if isinstance(value, tree.ContextualName):
        if not value.suffixes:
            inference.find(
                "contextual-name-without-expected-type",
                f"A bare name is a case of the union that is expected, and nothing says which "
                f"union `{value.name}` belongs to",
                None,
                bare_name_advice(value.name),
                also=(inference.label(value, "this name"),),
            )
    elif isinstance(found.item, NeverType) and not _inherits_emptiness(inference):
        inference.find(
            "empty-value-type-unknown",
            f"{subject} is always empty, and nothing says what it could be",
            None,
            "Write its type: `string?`, say.",
        )
    return found


def _inherits_emptiness(inference: Inference) -> bool:
    """Is something referred to that is always empty itself, and has been reported?"""
    return any(
        binding.kind == "declaration"
        and binding.type is not None
        and isinstance(_result(binding.type).item, NeverType)
        for binding in inference.bindings.values()
    )


def _result(type: Type) -> Type:
    return type.item.result if isinstance(type.item, FunctionType) else type


def _component(inference: Inference, declaration: ComponentDeclaration) -> None:
    """Properties, inherited first, then state: each default sees the fields before it."""
    properties = queries.effective_properties(inference.db, declaration.id)
    if not _evaluates(declaration):
        properties = declaration.own_properties  # nothing here can name an inherited one
    env = _bound(inference, properties, "property", Environment())
    env = _bound(inference, declaration.state or (), "state", env)
    for entry in declaration.node.emits:
        if isinstance(entry, tree.EmitDefinition):
            for node in entry.fields:
                if node.default is not None and node.type is not None:
                    declared = inference.resolve(node.type)
                    found = inference.infer(node.default, Environment(), declared)
                    _check_default(inference, node, found, declared, "field")
    if declaration.node.body is not None:
        for rendered in declaration.node.body.rendered:
            inference.infer(rendered, env)


def _evaluates(declaration: ComponentDeclaration) -> bool:
    """Whether an expression of a component can name its properties."""
    own = declaration.own_properties
    return declaration.node.body is not None or any(each.default is not None for each in own)


def _bound(
    inference: Inference, members: Iterable[Member], kind: LocalKind, env: Environment
) -> Environment:
    """``env`` with the members; each default of this declaration sees what is bound before it."""
    added: list[Local] = []
    for member in members:
        own = member.owner == inference.id
        if own and member.default is not None:
            env = env.bind(*added)
            added.clear()
            _default(inference, member, env)
        type = member_read_type(inference.db, member)
        added.append(Local(kind, member.name, type, member.node, member))
        if own:
            binding = Binding(kind, member.name, type, member=member, node=member.node)
            inference.bind(member.node.name, binding)
    return env.bind(*added)


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
    found = inference.infer(member.default, env, expected)
    _check_default(inference, member.node, found, expected, member.role)


DEFAULT_CODES = {
    "parameter": "parameter-default-type-mismatch",
    "field": "record-default-type-mismatch",
    "payload": "union-case-default-type-mismatch",
    "property": "component-default-type-mismatch",
    "state": "component-default-type-mismatch",
}
"""Codes of defaults that do not fit, by the role of the member."""


def _check_default(
    inference: Inference, node: tree.PropertyDefinition, found: Type, expected: Type, role: str
) -> None:
    """A default fits the declared type. One beside a mark has been reported for that."""
    if node.default is None or node.optional_mark is not None:
        return
    expects, gives = f"`{node.name.text}` takes", "its default is"
    check(inference, node.default, found, Site(expected, DEFAULT_CODES[role], expects, gives, node))
