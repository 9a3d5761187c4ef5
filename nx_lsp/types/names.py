"""Names in expressions: references, bare names, cases (semantics 2.5, 2.6, 3.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nx_lsp.program import queries
from nx_lsp.program.declarations import (
    DeclarationId,
    FunctionDeclaration,
    Label,
    PropertyUnionDeclaration,
    UnionDeclaration,
)
from nx_lsp.program.near_names import nearest_member
from nx_lsp.syntax import tree
from nx_lsp.types.display import display, list_names
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
    component = inference.scope.component
    if component is not None and queries.has_unknown_base(inference.db, component):
        return  # it may be an inherited property
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
    if not has_own_fields(inference, union, case):
        return type
    name = union.name.partition("#")[0]
    inference.find(
        "payload-union-case-requires-constructor",
        f"The case `{case}` of `{name}` has fields, so it must be constructed",
        node,
        f"Write `<{name}.{case} … />`.",
        also=(Label(queries.name_place(inference.db, union), f"`{name}` is declared here"),),
    )
    return ERROR


def undefined_case(
    inference: Inference,
    node: tree.Node,
    union: DeclarationId,
    case: str,
    code: str = "undefined-union-case",
) -> None:
    """Report a case that a union does not have; suggests the nearest, or lists them."""
    cases = queries.case_names(inference.db, union)
    if not isinstance(
        queries.declaration(inference.db, union), UnionDeclaration
    ) and queries.has_unknown_members(inference.db, union):
        return  # a property union, which may have inherited the case
    name = union.name.partition("#")[0]
    near = nearest_member(case, cases)
    listed = f"It has {list_names(cases)}." if cases else None
    help = f"Did you mean `{near}`? {listed}" if near is not None else listed
    inference.find(
        code,
        f"`{name}` has no case `{case}`",
        node,
        help,
        also=(Label(queries.name_place(inference.db, union), f"`{name}` is declared here"),),
    )


def infer_contextual(
    inference: Inference, node: tree.ContextualName, env: Environment, expected: Type | None
) -> Type:
    """A bare name takes its meaning from the union that its site expects (semantics 2.6). Where
    nothing is expected who asks reports it."""
    if expected is None or node.suffixes or is_error(expected.item):
        return ERROR
    union = union_of(expected)
    if union is None:
        no_union(inference, node, expected)
        return ERROR
    found = case_value(inference, node, union, node.name)
    if found is None:
        undefined_case(inference, node, union, node.name, "unresolved-contextual-name")
    return found or ERROR


def no_union(inference: Inference, node: tree.ContextualName, expected: Type) -> None:
    """Report a bare name where no union is expected, so that it cannot be one of its cases."""
    inference.find(
        "contextual-name-requires-nominal-type",
        f"A bare name is a case of a union, and `{display(expected)}` is none",
        node,
        bare_name_advice(node.name),
    )


def bare_name_advice(name: str) -> str:
    """What the author of a bare name most likely meant to write."""
    if name == "null":
        return "NX has no `null`: write `{}` for no value."
    return f'Write `{{{name}}}` for the value of that name, or `"{name}"` for a string.'


def infer_qualified(
    inference: Inference, node: tree.QualifiedPattern, env: Environment, expected: Type | None
) -> Type:
    """The pattern ``Outcome.done``: a case, one with fields included."""
    *before, last = [part.text for part in node.name.parts]
    owner = ".".join(before)
    union = union_named(inference, owner)
    if union is None:
        inference.find(
            "invalid-union-case-pattern",
            f"`{node.name.text}` is no case: there is no union `{owner}` here",
            node,
            name=owner,
        )
        return ERROR
    if last not in queries.case_names(inference.db, union):
        undefined_case(inference, node, union, last)
        return ERROR
    type = Type(CaseType(union, last))
    inference.bind(node, Binding("case", last, type, declaration=union))
    return type
