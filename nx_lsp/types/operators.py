"""Operators, presence and ranges (semantics 3.5, 4.3, 4.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nx_lsp.program.declarations import DeclarationId
from nx_lsp.program.identities import PRELUDE_IDENTITY
from nx_lsp.syntax import tree
from nx_lsp.types import literals
from nx_lsp.types.environment import Environment
from nx_lsp.types.model import (
    BOOLEAN,
    ERROR,
    STRING,
    ItemType,
    NeverType,
    Occurrence,
    Primitive,
    PrimitiveName,
    RecordType,
    Type,
)
from nx_lsp.types.relations import (
    common_number,
    comparable,
    is_error,
    item_satisfies,
    join,
    numeric_base,
)

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
    if node.operator == "!":
        return BOOLEAN if operand == BOOLEAN else ERROR
    base = number(operand)
    return ERROR if base is None else Type(Primitive(base))


def infer_binary(
    inference: Inference, node: tree.Binary, env: Environment, expected: Type | None
) -> Type:
    """Any binary operator; operands are inferred left to right."""
    left = inference.infer(node.left, env)
    right = inference.infer(node.right, env)
    if is_error(left.item) or is_error(right.item):
        return ERROR
    operator = node.operator
    if operator == "??":
        return join(inference.db, left.without_zero(), right)
    if operator in LOGICAL:
        return BOOLEAN if left == BOOLEAN and right == BOOLEAN else ERROR
    if operator in RANGES:
        return range_type(left, right)
    if operator == "+" and STRING in (left, right):
        return STRING if is_textual(left) and is_textual(right) else ERROR
    left, right = _adapted(node, left, right)
    if is_error(left.item) or is_error(right.item):
        return ERROR
    if operator in EQUALITIES:
        return BOOLEAN if comparable(inference.db, left.item, right.item) else ERROR
    if operator in COMPARISONS:
        return BOOLEAN if _ordered(inference, left, right) else ERROR
    return _promoted(left, right)


def infer_presence(
    inference: Inference, node: tree.PresenceTest, env: Environment, expected: Type | None
) -> Type:
    """``e?``."""
    operand = inference.infer(node.operand, env)
    return ERROR if is_error(operand.item) else BOOLEAN


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


def _adapted(node: tree.Binary, left: Type, right: Type) -> tuple[Type, Type]:
    """A literal or constant operand takes the other operand's numeric type (semantics 3.5)."""
    first, second = literals.constant(node.left), literals.constant(node.right)
    if first is not None and second is None:
        return _met(first, left, right, node.operator), right
    if second is not None and first is None:
        return left, _met(second, right, left, node.operator)
    return left, right


def _met(found: literals.Constant, own: Type, other: Type, operator: str) -> Type:
    if operator not in EQUALITIES and number(other) is None:
        return own
    item: ItemType = other.item
    if isinstance(item, NeverType):
        return own
    return Type(literals.at_site(found, item)[0], own.occurrence)
