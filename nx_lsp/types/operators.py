"""Operators, presence and ranges (semantics 3.5, 4.3, 4.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nx_lsp.program import queries
from nx_lsp.program.declarations import DeclarationId, Label
from nx_lsp.program.identities import PRELUDE_IDENTITY
from nx_lsp.syntax import tree
from nx_lsp.types import literals, mismatches, names, narrowing
from nx_lsp.types.display import display, display_all
from nx_lsp.types.environment import Environment
from nx_lsp.types.literal_reports import report_literal
from nx_lsp.types.model import (
    BOOLEAN,
    ERROR,
    STRING,
    NeverType,
    Occurrence,
    Primitive,
    PrimitiveName,
    RecordType,
    Type,
    VariableType,
)
from nx_lsp.types.relations import (
    common_number,
    comparable,
    is_error,
    item_satisfies,
    join,
    numeric_base,
)
from nx_lsp.types.type_names import look_up_type

if TYPE_CHECKING:
    from nx_lsp.types.inference import Inference

RANGE = DeclarationId(PRELUDE_IDENTITY, "Range")
"""The record that ``a..b`` makes (semantics 1.7)."""

COMPARISONS = ("<", "<=", ">", ">=")
EQUALITIES = ("==", "!=")
RANGES = ("..", "..=")
LOGICAL = ("&&", "||")


def infer_unary(
    inference: Inference, node: tree.Unary, env: Environment, expected: Type | None
) -> Type:
    """``-a`` has the numeric type of ``a``, ``!a`` is a boolean."""
    operand = inference.infer(node.operand, env)
    if is_error(operand.item):
        return ERROR
    if node.operator == "!":
        if operand == BOOLEAN:
            return BOOLEAN
        _misfit(inference, node, "`!` takes exactly one `boolean`", (node.operand, operand))
        return ERROR
    base = number(operand)
    if base is None:
        _misfit(inference, node, "`-` takes exactly one number", (node.operand, operand))
        return ERROR
    return Type(Primitive(base))


def infer_binary(
    inference: Inference, node: tree.Binary, env: Environment, expected: Type | None
) -> Type:
    """Any binary operator; operands are inferred left to right. What follows ``&&`` is a branch
    that is taken where the left operand is true, and narrowed like one."""
    left = inference.infer(node.left, env)
    if node.operator == "&&":
        env = env.narrow(narrowing.when_true(inference, node.left, env))
    right = inference.infer(node.right, env)
    if is_error(left.item) or is_error(right.item):
        return ERROR
    operator = node.operator
    if operator == "??":
        return _fallback(inference, node, left, right)
    if operator in RANGES:
        return _range(inference, node, left, right)
    both = (node.left, left), (node.right, right)
    if operator in LOGICAL:
        if left == BOOLEAN and right == BOOLEAN:
            return BOOLEAN
        wrong = [each for each in both if each[1] != BOOLEAN]
        _misfit(inference, node, f"`{operator}` takes exactly one `boolean` on each side", *wrong)
        return ERROR
    if operator == "+" and STRING in (left, right):
        if is_textual(left) and is_textual(right):
            return STRING
        wrong = [each for each in both if not is_textual(each[1])]
        needs = "exactly one string, number or `boolean` can be joined to a string"
        _misfit(inference, node, needs[0].upper() + needs[1:], *wrong)
        return ERROR
    left, right = _adapted(inference, node, left, right)
    if is_error(left.item) or is_error(right.item):
        return ERROR
    if operator in EQUALITIES:
        if comparable(inference.db, left.item, right.item):
            return BOOLEAN
        _incomparable(inference, node, left, right)
        return ERROR
    if operator in COMPARISONS:
        if _ordered(inference, left, right):
            return BOOLEAN
        _unordered(inference, node, left, right)
        return ERROR
    promoted = _promoted(left, right)
    if is_error(promoted.item):
        _no_number(inference, node, left, right)
    return promoted


def infer_presence(
    inference: Inference, node: tree.PresenceTest, env: Environment, expected: Type | None
) -> Type:
    """``e?``; a warning where ``e`` cannot be empty."""
    operand = inference.infer(node.operand, env)
    if is_error(operand.item):
        return ERROR
    if not may_be_empty(operand):
        inference.find(
            "presence-test-always-true",
            f"This is always true: the value is `{display(operand)}`, which is never empty",
            node,
            severity="warning",
        )
    return BOOLEAN


def may_be_empty(type: Type) -> bool:
    """Can a value of the type be empty, as far as is known?"""
    return type.occurrence.zero or isinstance(type.item, VariableType)


def _fallback(inference: Inference, node: tree.Binary, left: Type, right: Type) -> Type:
    if not may_be_empty(left):
        inference.find(
            "fallback-never-taken",
            f"What follows `??` is never taken: the value before it is `{display(left)}`, "
            "which is never empty",
            node,
            "Remove `??` and what follows it.",
            severity="warning",
        )
    return join(inference.db, left.without_zero(), right)


# ---------------------------------------------------------------- reports

Operand = tuple[tree.Node, Type]


def _misfit(inference: Inference, node: tree.Node, needs: str, *wrong: Operand) -> None:
    """An operator whose operands do not fit it."""
    given = " and ".join(f"`{display(type)}`" for _, type in wrong)
    labels = tuple(
        inference.label(operand, f"this is `{display(type)}`") for operand, type in wrong
    )
    help = next(
        (each for operand, type in wrong if (each := _advice(inference, operand, type))), None
    )
    inference.find("type-mismatch", f"{needs}, not {given}", node, help, also=labels)


def _advice(inference: Inference, operand: tree.Node, type: Type) -> str | None:
    swapped = mismatches.swapped_loop_names(inference, operand, None)
    if swapped is not None:
        return swapped
    if isinstance(type.item, VariableType):
        return mismatches.unknown_result(type)
    if type.occurrence is Occurrence.OPTIONAL:
        return "It may be empty. Say with `??` what it is then, or test it with `?` before."
    return None


def _incomparable(inference: Inference, node: tree.Binary, left: Type, right: Type) -> None:
    first, second = display_all(left, right)
    help = None
    for value, type, other in ((node.left, left, right), (node.right, right, left)):
        union = names.union_of(other)
        if union is not None and type.item == STRING.item:
            cases = queries.case_names(inference.db, union)
            help = mismatches.string_for_case(value, cases, qualify=union.name)
    message = f"`{node.operator}` cannot compare `{first}` and `{second}`"
    labels = _both(inference, node, first, second)
    inference.find("type-mismatch", message, node, help, also=labels)


def _unordered(inference: Inference, node: tree.Binary, left: Type, right: Type) -> None:
    first, second = display_all(left, right)
    message = f"`{node.operator}` cannot compare `{first}` and `{second}`"
    help = _advice(inference, node.left, left) or _advice(inference, node.right, right)
    if help is None and Occurrence.ONE not in (left.occurrence, right.occurrence):
        help = "It compares exactly one value with exactly one other."
    inference.find("type-mismatch", message, node, help, also=_both(inference, node, first, second))


def _no_number(inference: Inference, node: tree.Binary, left: Type, right: Type) -> None:
    both = (node.left, left), (node.right, right)
    wrong = [each for each in both if number(each[1]) is None]
    if wrong:
        needs = f"`{node.operator}` takes exactly one number on each side"
        _misfit(inference, node, needs, *wrong)
    else:
        _no_common_number(inference, node, left, right)


def _no_common_number(inference: Inference, node: tree.Binary, left: Type, right: Type) -> None:
    first, second = display_all(left, right)
    inference.find(
        "type-mismatch",
        f"There is no number type that holds both `{first}` and `{second}`",
        node,
        "A conversion of either to the other would lose digits of some numbers.",
        also=_both(inference, node, first, second),
    )


def _both(inference: Inference, node: tree.Binary, first: str, second: str) -> tuple[Label, ...]:
    return (
        inference.label(node.left, f"this is `{first}`"),
        inference.label(node.right, f"this is `{second}`"),
    )


# ---------------------------------------------------------------- ranges


def _range(inference: Inference, node: tree.Binary, left: Type, right: Type) -> Type:
    """``a..b``; says what is wrong with its ends, and whether ``Range`` means it here."""
    both = (node.left, left), (node.right, right)
    wrong = [each for each in both if number(each[1]) is None]
    if wrong:
        given = " and ".join(f"`{display(type)}`" for _, type in wrong)
        inference.find(
            "range-operand-not-numeric",
            f"The ends of a range are exactly one number each, not {given}",
            node,
            _advice(inference, *wrong[0]),
            also=tuple(inference.label(each, f"this is `{display(type)}`") for each, type in wrong),
        )
        return ERROR
    found = range_type(left, right)
    if is_error(found.item):
        _no_common_number(inference, node, left, right)
        return ERROR
    db = inference.db
    if db.about(PRELUDE_IDENTITY) is None:
        message = "There is no prelude in this program, so there are no ranges"
        inference.find("range-prelude-unavailable", message, node)
        return ERROR
    meant = look_up_type(db, inference.scope, RANGE.name)
    if meant is not None and meant != RANGE:
        inference.find(
            "range-hidden",
            f"`{node.operator}` makes a `Range` of the language, "
            "but `Range` means something else here",
            node,
            "Give the other `Range` another name, or import it under a prefix.",
            also=(Label(queries.name_place(db, meant), "this `Range` hides it"),),
        )
    return found


def number(type: Type) -> PrimitiveName | None:
    """The numeric primitive of exactly one number."""
    return numeric_base(type.item) if type.occurrence is Occurrence.ONE else None


def is_textual(type: Type) -> bool:
    """Exactly one string, number or boolean: what ``+`` and text bodies join into a string."""
    return type in (STRING, BOOLEAN) or number(type) is not None


def range_type(left: Type, right: Type) -> Type:
    """``a..b``: a ``Range`` of the promotion of its ends."""
    promoted = _promoted(left, right)
    if is_error(promoted.item):
        return ERROR
    return Type(RecordType(RANGE, (("T", promoted.item),)))


def _promoted(left: Type, right: Type) -> Type:
    first, second = number(left), number(right)
    if first is None or second is None:
        return ERROR
    common = common_number(first, second)
    return ERROR if common is None else Type(Primitive(common))


def _ordered(inference: Inference, left: Type, right: Type) -> bool:
    """May the two be compared by ``<`` and its like?"""
    if left.occurrence is not Occurrence.ONE or right.occurrence is not Occurrence.ONE:
        return False
    first, second = numeric_base(left.item), numeric_base(right.item)
    if first is not None and second is not None:
        return common_number(first, second) is not None
    db = inference.db
    return item_satisfies(db, left.item, right.item) or item_satisfies(db, right.item, left.item)


def _adapted(inference: Inference, node: tree.Binary, left: Type, right: Type) -> tuple[Type, Type]:
    """A literal or constant operand takes the other operand's numeric type (semantics 3.5)."""
    first, second = literals.constant(node.left), literals.constant(node.right)
    if first is not None and second is None:
        return _met(inference, node, node.left, first, left, right), right
    if second is not None and first is None:
        return left, _met(inference, node, node.right, second, right, left)
    return left, right


def _met(
    inference: Inference,
    node: tree.Binary,
    operand: tree.Node,
    found: literals.Constant,
    own: Type,
    other: Type,
) -> Type:
    if node.operator not in EQUALITIES and number(other) is None:
        return own
    if isinstance(other.item, NeverType):
        return own
    item, problem = literals.at_site(found, other.item)
    if problem is not None:
        report_literal(inference, operand, found, problem, other.item)
    return Type(item, own.occurrence)
