"""Why a type does not fit, in words that help (semantics 5.5, last paragraph)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nx_lsp.program import queries
from nx_lsp.syntax import tree
from nx_lsp.types import names
from nx_lsp.types.display import display, display_item, list_names
from nx_lsp.types.grouping import unwrapped
from nx_lsp.types.literals import constant
from nx_lsp.types.model import (
    INTEGERS,
    CaseType,
    Constrained,
    FunctionReferenceType,
    FunctionType,
    ItemType,
    NeverType,
    ObjectType,
    Occurrence,
    Primitive,
    PrimitiveName,
    Type,
    VariableType,
)
from nx_lsp.types.relations import item_satisfies, numeric_base, satisfies, widens

if TYPE_CHECKING:
    from nx_lsp.types.inference import Inference


def explain(
    inference: Inference, value: tree.Node | None, found: Type, expected: Type
) -> str | None:
    """Help for a value of type ``found`` where ``expected`` is wanted; ``None`` for nothing to
    say beyond the two types."""
    swapped = swapped_loop_names(inference, value, expected) if value is not None else None
    if swapped is not None:
        return swapped
    if isinstance(found.item, VariableType):
        return unknown_result(found)
    if isinstance(found.item, NeverType):
        return "A value is required here."
    if item_satisfies(inference.db, found.item, expected.item):
        return _occurrence(found, expected)
    return _items(inference, value, found.item, expected.item)


def unknown_result(found: Type) -> str:
    """Help about a result that is not known yet (semantics 4.2)."""
    return (
        f"`{display(found)}` is a result that is not known here: "
        "write the result type of the function that returns it."
    )


def _occurrence(found: Type, expected: Type) -> str | None:
    if isinstance(expected.item, ObjectType) and expected.occurrence is Occurrence.ONE:
        return "`object` takes exactly one value; `object*` takes any number."
    if found.occurrence.many and not expected.occurrence.many:
        return "It may hold several values, and exactly one is wanted. Use `for` to take each."
    if found.occurrence.zero and not expected.occurrence.zero:
        return "It may be empty. Say with `??` what it is then, or test it with `?` before."
    return None


def _items(
    inference: Inference, value: tree.Node | None, found: ItemType, expected: ItemType
) -> str | None:
    first, second = numeric_base(found), numeric_base(expected)
    if first is not None and second is not None:
        return _numbers(value, first, second, expected)
    if isinstance(found, (FunctionType, FunctionReferenceType)):
        return _functions(inference, found, expected)
    union = names.union_of(Type(expected))
    if union is not None and found == Primitive("string"):
        return string_for_case(value, queries.case_names(inference.db, union))
    if isinstance(found, CaseType) and expected == Primitive("string"):
        return "A case of a union is no string."
    return None


def string_for_case(
    value: tree.Node | None,
    cases: tuple[str, ...],
    qualify: str | None = None,
) -> str | None:
    """A string where a case is wanted: the bare names; inside an expression, where a bare name
    would be a variable, those that begin with the union ``qualify``."""
    literal = unwrapped(value) if value is not None else None
    before = f"{qualify}." if qualify is not None else ""
    if isinstance(literal, tree.StringLiteral) and literal.raw in cases:
        return f"Write `{before}{literal.raw}`, without quotes."
    cases = tuple(before + each for each in cases)
    return f"Write one of its cases, without quotes: {list_names(cases)}." if cases else None


# ---------------------------------------------------------------- numbers


def _numbers(
    value: tree.Node | None, found: PrimitiveName, base: PrimitiveName, expected: ItemType
) -> str | None:
    if isinstance(expected, Constrained) and widens(found, base):
        return (
            f"Not every such value lies in `{display_item(expected)}`; "
            "only a literal is checked against it by its value."
        )
    if found not in INTEGERS and base in INTEGERS:
        literal = constant(value) if value is not None else None
        if literal is not None and literal.problem is None and literal.value.denominator == 1:
            return f"Write `{int(literal.value)}`."
        return f"A conversion from `{found}` to `{base}` would lose what is behind the point."
    if found in INTEGERS and base not in INTEGERS:
        return f"A conversion from `{found}` to `{base}` would lose digits of large numbers."
    if found in INTEGERS:
        return f"A conversion from `{found}` to `{base}` would lose numbers that are too large."
    return f"A conversion from `{found}` to `{base}` would lose digits."


# ---------------------------------------------------------------- functions


def _functions(
    inference: Inference, found: FunctionType | FunctionReferenceType, expected: ItemType
) -> str | None:
    """The parameter or the result that decided it (semantics 3.7)."""
    db = inference.db
    if isinstance(found, FunctionReferenceType) and isinstance(expected, FunctionType):
        return "What parameters a `<function ... />` takes is not known."
    if isinstance(found, FunctionType) and isinstance(expected, FunctionType):
        offered = {each.name: each for each in expected.parameters}
        for parameter in found.parameters:
            name = f"The parameter `{parameter.name}`"
            given = offered.get(parameter.name)
            if given is None:
                return f"{name} of the function would never be given."
            if given.content != parameter.content:
                which = "the function" if parameter.content else "the expected type"
                return f"{name} is `content` in {which} only."
            if not satisfies(db, given.read_type, parameter.read_type):
                return (
                    f"{name} would be given `{display(given.read_type)}`, "
                    f"but the function takes `{display(parameter.read_type)}`."
                )
    if isinstance(expected, (FunctionType, FunctionReferenceType)) and not satisfies(
        db, found.result, expected.result
    ):
        return (
            f"The function returns `{display(found.result)}`, "
            f"and `{display(expected.result)}` is expected of it."
        )
    return None


# ---------------------------------------------------------------- loop variables


def swapped_loop_names(inference: Inference, value: tree.Node, expected: Type | None) -> str | None:
    """Help where the item of ``for item, i in …`` is taken for the index, or the other way
    round; with ``expected`` only if the other one would fit."""
    binding = inference.bindings.get(unwrapped(value))
    loop = inference.loops.get(binding.node) if binding is not None and binding.node else None
    if binding is None or loop is None or loop.index is None:
        return None
    other = loop.item if loop.index is binding.node else loop.index
    meant = inference.bindings.get(other)
    if expected is not None and (
        meant is None or meant.type is None or not satisfies(inference.db, meant.type, expected)
    ):
        return None
    return (
        f"In `for {loop.item.text}, {loop.index.text} in …` the item is `{loop.item.text}`, "
        f"and `{loop.index.text}` is its number."
    )
