"""Paren calls and the four intrinsics (semantics 3.10, 4.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nx_lsp.program import queries
from nx_lsp.program.declarations import (
    DeclarationId,
    FunctionDeclaration,
    Label,
    RecordDeclaration,
)
from nx_lsp.syntax import tree
from nx_lsp.types import mismatches, names
from nx_lsp.types.display import display, display_all, list_names
from nx_lsp.types.environment import Binding, Environment
from nx_lsp.types.grouping import unwrapped
from nx_lsp.types.members import target_of, update_of
from nx_lsp.types.model import (
    ERROR,
    FunctionReferenceType,
    FunctionType,
    Occurrence,
    Parameter,
    RecordType,
    Type,
    UnionType,
    VariableType,
)
from nx_lsp.types.relations import is_error, same_item
from nx_lsp.types.sites import Site, check, declared_at

if TYPE_CHECKING:
    from nx_lsp.types.inference import Inference

INTRINSIC_KINDS = {
    "apply": ("record", "update"),
    "merge": ("update", "update"),
    "diff": ("concrete record", "concrete record"),
    "changed": ("update",),
}
"""What each argument of an intrinsic is (semantics 3.10)."""

INTRINSIC_ARITY = {name: len(kinds) for name, kinds in INTRINSIC_KINDS.items()}

INTRINSIC_USE = {
    "apply": "apply(value, update)",
    "merge": "merge(update, update)",
    "diff": "diff(before, after)",
    "changed": "changed(update)",
}


def infer_call(
    inference: Inference, node: tree.Call, env: Environment, expected: Type | None
) -> Type:
    """``f(a, …)``: the result of ``f``. An intrinsic's name is never looked up."""
    callee = node.callee
    if isinstance(callee, tree.Identifier) and callee.name in names.INTRINSICS:
        arguments = [inference.infer(each, env) for each in node.arguments]
        inference.bind(callee, Binding("intrinsic", callee.name))
        return _intrinsic(inference, node, callee.name, arguments)
    called = inference.infer(callee, env)
    function = _declared_function(inference, callee)
    parameters = _positional_parameters(inference, called, function)
    for index, each in enumerate(node.arguments):
        wanted = parameters[index].read_type if index < len(parameters) else None
        inference.infer(each, env, wanted)
    if is_error(called.item):
        return ERROR
    if not isinstance(called.item, FunctionType):
        _not_callable(inference, node, called)
        return ERROR
    if function is None or called.occurrence is not Occurrence.ONE:
        _by_name(inference, node, called.item, "positional-call-of-function-value")
    elif not _is_paren(function):
        _by_name(inference, node, called.item, "positional-call-of-element-function")
    else:
        _check_arguments(inference, node, function, called.item)
    return called.item.result if called.occurrence is Occurrence.ONE else ERROR


def _declared_function(inference: Inference, callee: tree.Expression) -> FunctionDeclaration | None:
    """The function that a callee names; ``None`` for a value of function type."""
    binding = inference.bindings.get(unwrapped(callee))
    if binding is None or binding.kind != "declaration" or binding.declaration is None:
        return None
    declaration = queries.declaration(inference.db, binding.declaration)
    return declaration if isinstance(declaration, FunctionDeclaration) else None


def _is_paren(function: FunctionDeclaration) -> bool:
    """Called with parentheses, like the implicit ``root``."""
    return not isinstance(function.node, tree.FunctionNode) or function.node.form == "paren"


def _positional_parameters(
    inference: Inference, called: Type, function: FunctionDeclaration | None
) -> tuple[Parameter, ...]:
    if function is None or not isinstance(called.item, FunctionType) or not _is_paren(function):
        return ()
    return called.item.parameters


def _not_callable(inference: Inference, node: tree.Call, called: Type) -> None:
    shown = display(called)
    if isinstance(called.item, FunctionReferenceType):
        inference.find(
            "function-reference-not-callable",
            f"A `{shown}` cannot be called: its parameters are not known",
            node,
        )
        return
    help = mismatches.unknown_result(called) if isinstance(called.item, VariableType) else None
    message = f"Only a function can be called, and this is `{shown}`"
    inference.find(
        "not-a-function", message, node, help, also=(inference.label(node.callee, f"`{shown}`"),)
    )


def _by_name(inference: Inference, node: tree.Call, function: FunctionType, code: str) -> None:
    """A function that is called as an element, by name."""
    callee = unwrapped(node.callee)
    binding = inference.bindings.get(callee)
    name = binding.name if binding is not None else "…"
    if code == "positional-call-of-function-value":
        message = "A value of function type is called as an element, by the names of its parameters"
    else:
        message = f"`{name}` is declared as an element and called as one, by name"
    given = "".join(f" {each.name}={{…}}" for each in function.parameters if not each.optional)
    inference.find(code, message, node, f"Write `<{name}{given} />`.")


# ---------------------------------------------------------------- arguments


def _check_arguments(
    inference: Inference, node: tree.Call, function: FunctionDeclaration, type: FunctionType
) -> None:
    """The number of arguments and the type of each (semantics 4.9)."""
    members = function.parameters
    name = function.id.name.partition("#")[0]
    least = sum(1 for each in members if not each.optional and each.default is None)
    given = len(node.arguments)
    if not least <= given <= len(members):
        _wrong_count(inference, node, function, name, least)
        return
    for argument, member, parameter in zip(node.arguments, members, type.parameters, strict=False):
        if isinstance(argument, tree.MissingExpression):
            continue
        label = inference.label(argument, "this argument")
        site = Site(
            parameter.read_type,
            "type-mismatch",
            f"The parameter `{parameter.name}` of `{name}` takes",
            "this is",
            node,
            (label, *declared_at(inference, member)),
        )
        if not check(inference, argument, inference.types.get(argument, ERROR), site):
            return  # arguments in the wrong order are one mistake, told at the call


def _wrong_count(
    inference: Inference, node: tree.Call, function: FunctionDeclaration, name: str, least: int
) -> None:
    most, given = len(function.parameters), len(node.arguments)
    counted = str(least) if least == most else f"{least} to {most}"
    noun = "argument" if most == 1 else "arguments"
    listed = list_names([each.name for each in function.parameters])
    place = queries.name_place(inference.db, function.id)
    inference.find(
        "arg-count-mismatch",
        f"`{name}` takes {counted if most else 'no'} {noun}, and {given or 'none'} "
        f"{'is' if given <= 1 else 'are'} given",
        node,
        f"Its parameters are {listed}." if listed else None,
        also=(Label(place, f"`{name}` is declared here"),),
    )


# ---------------------------------------------------------------- intrinsics


def _intrinsic(inference: Inference, node: tree.Call, name: str, arguments: list[Type]) -> Type:
    wanted = INTRINSIC_ARITY[name]
    if len(arguments) != wanted:
        inference.find(
            "intrinsic-arg-count",
            f"`{name}` takes {wanted} argument{'s' if wanted > 1 else ''}, "
            f"and {len(arguments) or 'none'} {'is' if len(arguments) <= 1 else 'are'} given",
            node,
            f"Write `{INTRINSIC_USE[name]}`.",
        )
        return ERROR
    if any(is_error(each.item) for each in arguments):
        return ERROR
    kinds = INTRINSIC_KINDS[name]
    for index, (kind, type) in enumerate(zip(kinds, arguments, strict=True)):
        if not _is_kind(inference, kind, type):
            _wrong_kind(inference, node, name, index, type)
            return ERROR
    first, last = arguments[0].item, arguments[-1].item
    assert isinstance(first, RecordType)
    assert isinstance(last, RecordType)
    target = last if kinds[-1] != "update" else target_of(inference.db, last)
    own = first if kinds[0] != "update" else target_of(inference.db, first)
    if target is None or own is None:
        return ERROR
    if not same_item(own, target):
        _other_target(inference, node, name, arguments)
        return ERROR
    if name == "changed":
        return _changed(target)
    if name == "diff":
        update = update_of(inference.db, first)
        return ERROR if update is None else Type(update)
    return Type(first)


def _is_kind(inference: Inference, kind: str, type: Type) -> bool:
    """Exactly one record or action, concrete if asked, or exactly one update record."""
    if type.occurrence is not Occurrence.ONE or not isinstance(type.item, RecordType):
        return False
    if kind == "update":
        return target_of(inference.db, type.item) is not None
    if update_of(inference.db, type.item) is None:
        return False
    declaration = queries.declaration(inference.db, type.item.declaration)
    abstract = isinstance(declaration, RecordDeclaration) and declaration.abstract
    return not (abstract and kind == "concrete record")


def _wrong_kind(inference: Inference, node: tree.Call, name: str, index: int, type: Type) -> None:
    kind = INTRINSIC_KINDS[name][index]
    an = {
        "record": "exactly one record or action",
        "concrete record": "exactly one concrete record or action",
        "update": "exactly one update record",
    }[kind]
    which = ("first ", "second ")[index] if len(INTRINSIC_KINDS[name]) > 1 else ""
    shown = display(type)
    help = f"Write `{INTRINSIC_USE[name]}`."
    if isinstance(type.item, VariableType):
        help = mismatches.unknown_result(type)
    inference.find(
        "intrinsic-argument-type",
        f"The {which}argument of `{name}` is {an}, but this is `{shown}`",
        node,
        help,
        also=(inference.label(node.arguments[index], f"this is `{shown}`"),),
    )


def _other_target(inference: Inference, node: tree.Call, name: str, arguments: list[Type]) -> None:
    first, second = display_all(*arguments)
    inference.find(
        "intrinsic-target-mismatch",
        f"`{name}` takes two of the same: `{first}` and `{second}` do not belong together",
        node,
        f"Write `{INTRINSIC_USE[name]}`, both of the same `X`.",
        also=tuple(
            inference.label(each, f"this is `{shown}`")
            for each, shown in zip(node.arguments, (first, second), strict=True)
        ),
    )


def _changed(target: RecordType) -> Type:
    """The names of the fields an update record mentions."""
    id = target.declaration
    union = UnionType(DeclarationId(id.module, f"{id.name}.Property"))
    return Type(union, Occurrence.MANY)
