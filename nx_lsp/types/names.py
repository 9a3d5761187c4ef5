"""Names in expressions: references, bare names, cases (semantics 2.5, 2.6, 3.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nx_lsp.program import queries
from nx_lsp.program.declarations import (
    DeclarationId,
    FunctionDeclaration,
    PropertyUnionDeclaration,
    UnionDeclaration,
)
from nx_lsp.syntax import tree
from nx_lsp.types.environment import Binding, Environment, Local
from nx_lsp.types.model import (
    ERROR,
    CaseType,
    ComponentType,
    FunctionType,
    Parameter,
    RecordType,
    Type,
    UnionType,
)
from nx_lsp.types.relations import is_error
from nx_lsp.types.resolution import declared_type, look_up_type, member_type, type_of_name

if TYPE_CHECKING:
    from nx_lsp.types.inference import Inference

INTRINSICS = ("apply", "merge", "diff", "changed")


def infer_identifier(
    inference: Inference, node: tree.Identifier, env: Environment, expected: Type | None
) -> Type:
    """A reference: the binding's type, then any narrowing."""
    local = env.locals.get(node.name)
    if local is not None:
        return refer_to_local(inference, node, local, env)
    found = inference.top_level(node.name)
    if found is not None:
        return refer_to_declaration(inference, node, found, env)
    undefined(inference, node, env)
    return ERROR


def refer_to_local(inference: Inference, node: tree.Node, local: Local, env: Environment) -> Type:
    """The type of a local here; recorded as what ``node`` refers to."""
    type = env.narrowed.get((local, ()), local.type)
    binding = Binding(local.kind, local.name, type, member=local.member, node=local.node)
    inference.bind(node, binding)
    return type


def refer_to_declaration(
    inference: Inference, node: tree.Node, id: DeclarationId, env: Environment
) -> Type:
    """The type of a top-level function or value here; recorded as what ``node`` refers to."""
    type = env.narrowed.get((id, ())) or value_of(inference, id)
    inference.bind(node, Binding("declaration", id.name, type, declaration=id))
    return type


def value_of(inference: Inference, id: DeclarationId) -> Type:
    """A function's type as a value (semantics 3.7), or a value's type."""
    declaration = queries.declaration(inference.db, id)
    if isinstance(declaration, FunctionDeclaration):
        parameters = tuple(
            Parameter(each.name, member_type(inference.db, each), each.optional, each.content)
            for each in declaration.parameters
        )
        return Type(FunctionType(parameters, inference.known.function_result(id)))
    return inference.known.value_type(id)


def undefined(inference: Inference, node: tree.Identifier, env: Environment) -> None:
    """Report a name that no scope has; say so if it is something other than a value."""
    name = node.name
    meant = type_of_name(inference.db, inference.scope, name)
    element = queries.lookup_element(inference.db, inference.module, name)
    help = None
    if name in INTRINSICS:
        message, help = f"`{name}` is an intrinsic and can only be called", f"Write `{name}(…)`."
    elif meant is not None or element is not None:
        kind = "a type" if meant is not None else "an element"
        message = f"`{name}` is {kind}, not a value"
        if meant is not None and isinstance(meant.item, UnionType):
            cases = queries.case_names(inference.db, meant.item.declaration)
            help = f"Write `{name}.{cases[0]}`, say." if cases else None
        elif meant is None or isinstance(meant.item, (RecordType, ComponentType)):
            help = f"Write `<{name} … />` to make one."
    else:
        message = f"There is no `{name}` here"
        candidates = tuple(env.locals)
        inference.find("undefined-identifier", message, node, name=name, candidates=candidates)
        return
    inference.find("undefined-identifier", message, node, help)


# ---------------------------------------------------------------- cases


def is_union(inference: Inference, id: DeclarationId) -> bool:
    """Is it a union, or the constant union of a record's fields?"""
    declaration = queries.declaration(inference.db, id)
    return isinstance(declaration, (UnionDeclaration, PropertyUnionDeclaration))


def union_named(inference: Inference, name: str) -> DeclarationId | None:
    """The union that a written name means, aliases seen through; ``None`` for anything else."""
    found = look_up_type(inference.db, inference.scope, name)
    meant = declared_type(inference.db, found) if found is not None else None
    if meant is not None and isinstance(meant.item, UnionType):
        return meant.item.declaration
    return None


def union_of(type: Type | None) -> DeclarationId | None:
    """The union of a type, or of a case type, whatever the occurrence."""
    if type is not None:
        match type.item:
            case UnionType(declaration):
                return declaration
            case CaseType(union, _):
                return union
    return None


def has_own_fields(inference: Inference, union: DeclarationId, case: str) -> bool:
    """Does the case have fields of its own, so that it must be constructed?"""
    declaration = queries.declaration(inference.db, union)
    return isinstance(declaration, UnionDeclaration) and any(
        each.name == case and each.fields for each in declaration.cases
    )


def case_value(
    inference: Inference, node: tree.Node, union: DeclarationId, case: str
) -> Type | None:
    """The value ``Union.case``, recorded at ``node``; ``None`` if the union has no such case. A
    case with fields of its own must be constructed: an error."""
    if case not in queries.case_names(inference.db, union):
        return None
    type = Type(CaseType(union, case))
    inference.bind(node, Binding("case", case, type, declaration=union))
    return ERROR if has_own_fields(inference, union, case) else type


def infer_contextual(
    inference: Inference, node: tree.ContextualName, env: Environment, expected: Type | None
) -> Type:
    """A bare name takes its meaning from the union that its site expects (semantics 2.6)."""
    union = union_of(expected)
    if union is None or node.suffixes:
        return ERROR
    return case_value(inference, node, union, node.name) or ERROR


def infer_qualified(
    inference: Inference, node: tree.QualifiedPattern, env: Environment, expected: Type | None
) -> Type:
    """The pattern ``Outcome.done``: a case, one with fields included."""
    *before, last = [part.text for part in node.name.parts]
    union = union_named(inference, ".".join(before))
    if union is None or last not in queries.case_names(inference.db, union):
        return ERROR
    type = Type(CaseType(union, last))
    inference.bind(node, Binding("case", last, type, declaration=union))
    return type


def infer_pattern(
    inference: Inference, node: tree.Expression, scrutinee: Type, env: Environment
) -> Type:
    """A pattern: a bare name is a case of the scrutinee's union, one with fields included."""
    union = union_of(scrutinee)
    if isinstance(node, tree.ContextualName) and not is_error(scrutinee.item):
        known = union is not None and node.name in queries.case_names(inference.db, union)
        if union is None or not known:
            inference.types[node] = ERROR
            return ERROR
        type = Type(CaseType(union, node.name))
        inference.bind(node, Binding("case", node.name, type, declaration=union))
        inference.types[node] = type
        return type
    return inference.infer(node, env)
