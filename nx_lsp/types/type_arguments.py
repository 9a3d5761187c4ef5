"""Type arguments of a construction, written as properties (semantics 3.11, 5.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nx_lsp.program.declarations import DeclarationId
from nx_lsp.syntax import tree
from nx_lsp.types.environment import Binding
from nx_lsp.types.meanings import Slot
from nx_lsp.types.model import (
    ERROR,
    FunctionReferenceType,
    FunctionType,
    ItemType,
    NeverType,
    ObjectType,
    Parameter,
    RecordType,
    Type,
    TypeParameterType,
    UnresolvedType,
)
from nx_lsp.types.resolution import parameter_names, type_of_name

if TYPE_CHECKING:
    from nx_lsp.types.inference import Inference


@dataclass(frozen=True, slots=True)
class TypeArguments:
    """What the type parameters of an element's declaration stand for."""

    given: dict[str, ItemType]
    checked: dict[str, ItemType]
    """Like ``given``, with the error type for an argument that was reported: what depends on it
    is not checked."""
    slots: dict[str, Slot]
    missing: tuple[str, ...]
    """Parameters without an argument, but for those whose argument was reported."""


def type_arguments(inference: Inference, node: tree.Element, id: DeclarationId) -> TypeArguments:
    """Arguments written as properties: a bare type name each (semantics 3.11)."""
    wanted = parameter_names(inference.db, id)
    slots = {name: Slot(Binding("type parameter", name, declaration=id)) for name in wanted}
    given: dict[str, ItemType] = {}
    checked: dict[str, ItemType] = {}
    for entry in node.properties if wanted else ():
        if not isinstance(entry, tree.Property):
            for name in _conditional_arguments(inference, entry, wanted):
                checked.setdefault(name, ERROR.item)
        elif entry.name.text in wanted:
            before = len(inference.findings)
            item = given.setdefault(entry.name.text, _type_argument(inference, entry))
            sound = len(inference.findings) == before
            checked.setdefault(entry.name.text, item if sound else ERROR.item)
    missing = tuple(name for name in wanted if name not in checked)
    return TypeArguments(given, checked, slots, missing)


def _type_argument(inference: Inference, entry: tree.Property) -> ItemType:
    """What one argument means; reports one that is no bare name of an item type."""
    value, name = entry.value, entry.name.text
    if not isinstance(value, tree.ContextualName):
        if not isinstance(value, tree.MissingExpression):
            inference.find(
                "type-argument-not-a-type-name",
                f"`{name}` is a type parameter: its argument is the bare name of a type",
                entry,
                "Give a longer type a name with `type … = …` first.",
            )
        return ERROR.item
    meant = type_of_name(inference.db, inference.scope, value.name)
    if meant is None:
        message = f"There is no type `{value.name}` for `{name}` here"
        inference.find("unresolved-type-argument", message, entry, name=value.name)
        return UnresolvedType(value.name)
    suffix = value.suffixes or meant.occurrence.suffix
    if suffix:
        inference.find(
            "occurrence-type-argument",
            f"The type argument `{name}` must be one item type, but `{value.name}` "
            f"carries `{suffix}`",
            entry,
            "Put the suffix on the members that use the parameter.",
        )
    elif isinstance(meant.item, RecordType) and not meant.item.arguments:
        _check_applied(inference, entry, value.name, meant.item)
    return meant.item


def _check_applied(
    inference: Inference, entry: tree.Property, written: str, item: RecordType
) -> None:
    """A generic record stands in a type position with its arguments only."""
    wanted = parameter_names(inference.db, item.declaration)
    if wanted:
        given = " ".join(f"{each}=…" for each in wanted)
        inference.find(
            "type-parameter-not-specified",
            f"`{written}` is generic: {', '.join(f'`{each}`' for each in wanted)} must be given",
            entry,
            f"Declare `type … = <{written} {given} />` and write its name.",
        )


def _conditional_arguments(
    inference: Inference, node: tree.Node, wanted: tuple[str, ...]
) -> Iterator[str]:
    """A type argument cannot depend on a condition; the names of those that do."""
    for entry in _properties_in(node):
        if entry.name.text in wanted:
            inference.find(
                "conditional-type-argument",
                f"The type argument `{entry.name.text}` cannot depend on a condition",
                entry,
                "Write it outside the `if`.",
            )
            yield entry.name.text


def _properties_in(fragment: tree.Node) -> Iterator[tree.Property]:
    """The properties of a conditional fragment, those of elements in their values left out."""
    stack = [fragment]
    while stack:
        node = stack.pop()
        if isinstance(node, tree.Property):
            yield node
        elif not isinstance(node, tree.Element):
            stack.extend(tree.children(node))


# ---------------------------------------------------------------- unbound parameters


def names_of(type: Type, parameters: tuple[TypeParameterType, ...]) -> tuple[str, ...]:
    """Which of some type parameters a type names, at any depth."""
    return tuple(each.name for each in parameters if _names(type.item, each))


def _names(item: ItemType, parameter: TypeParameterType) -> bool:
    match item:
        case TypeParameterType():
            return item == parameter
        case RecordType(_, arguments):
            return any(_names(each, parameter) for _, each in arguments)
        case FunctionType(parameters, result):
            return _names(result.item, parameter) or any(
                _names(each.type.item, parameter) for each in parameters
            )
        case FunctionReferenceType(result):
            return _names(result.item, parameter)
    return False


def unbound(type: Type, parameters: tuple[TypeParameterType, ...], consumed: bool = False) -> Type:
    """A type with ``never`` for unbound parameters where it produces them, and ``object`` where
    a function consumes them (semantics 3.11)."""
    return Type(_unbound(type.item, parameters, consumed), type.occurrence)


def _unbound(item: ItemType, parameters: tuple[TypeParameterType, ...], consumed: bool) -> ItemType:
    match item:
        case TypeParameterType() if item in parameters:
            return ObjectType() if consumed else NeverType()
        case RecordType(declaration, arguments):
            return RecordType(
                declaration,
                tuple((name, _unbound(each, parameters, consumed)) for name, each in arguments),
            )
        case FunctionType(own, result):
            return FunctionType(
                tuple(
                    Parameter(
                        each.name,
                        unbound(each.type, parameters, not consumed),
                        each.optional,
                        each.content,
                    )
                    for each in own
                ),
                unbound(result, parameters, consumed),
            )
        case FunctionReferenceType(result):
            return FunctionReferenceType(unbound(result, parameters, consumed))
    return item
