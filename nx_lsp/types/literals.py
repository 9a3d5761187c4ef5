"""Literals and constant expressions, and what they become at a site (semantics 3.5)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from nx_lsp.syntax import tree
from nx_lsp.types.constraints import FLOATS, INTEGER_RANGES, holds, literal_value
from nx_lsp.types.model import INTEGERS, Constrained, ErrorType, ItemType, Primitive
from nx_lsp.types.relations import numeric_base

ZERO = Fraction(0)

LiteralProblem = Literal[
    "integer-literal-out-of-range",
    "float-literal-not-exact",
    "constant-division-by-zero",
    "constant-overflow",
    "literal-outside-constraint",
]


@dataclass(frozen=True, slots=True)
class Constant:
    """The value of a numeric literal or constant expression.

    An ``integer`` is exact; a real is the ``float64`` it would be at run time, or the exact
    literal. ``problem`` says why there is no value (``value`` is then 0); ``computed`` tells an
    expression from a plain or signed literal."""

    value: Fraction
    integer: bool
    computed: bool = False
    problem: LiteralProblem | None = None


def constant(node: tree.Node) -> Constant | None:
    """The value of a constant expression: ``+ - * / %`` and unary ``-`` over numeric literals,
    parentheses and one-item braces included; ``None`` for anything else."""
    match node:
        case tree.NumberLiteral(kind=kind, text=text):
            value = literal_value(text)
            if value is None:
                return Constant(ZERO, kind != "real", False, "constant-overflow")
            return Constant(value, kind != "real")
        case tree.Parenthesized(inner=inner):
            return constant(inner)
        case tree.Braced(items=[single]):
            return constant(single)
        case tree.Unary(operator="-", operand=operand):
            return _negated(constant(operand))
        case tree.Binary(operator="+" | "-" | "*" | "/" | "%" as operator, left=left, right=right):
            first = constant(left)
            second = constant(right) if first is not None else None
            if first is None or second is None:
                return None
            return _computed(operator, first, second)
    return None


def _negated(operand: Constant | None) -> Constant | None:
    if operand is None or operand.problem is not None:
        return operand
    if operand.computed:
        return _checked(-operand.value, operand.integer)
    return Constant(-operand.value, operand.integer)


def _computed(operator: str, first: Constant, second: Constant) -> Constant:
    problem = first.problem or second.problem
    integer = first.integer and second.integer
    if problem is not None:
        return Constant(ZERO, integer, True, problem)
    a, b = first.value, second.value
    if operator in "/%" and b == 0:
        return Constant(ZERO, integer, True, "constant-division-by-zero")
    if operator == "+":
        value = a + b
    elif operator == "-":
        value = a - b
    elif operator == "*":
        value = a * b
    else:
        quotient = Fraction(int(a / b))  # both truncate towards zero
        if integer:
            value = a - b * quotient if operator == "%" else quotient
        else:
            value = a - b * quotient if operator == "%" else a / b
    return _checked(value, integer)


def _checked(value: Fraction, integer: bool) -> Constant:
    """A computed value as it would run: a 64-bit integer, or a ``float64``."""
    if integer:
        low, high = INTEGER_RANGES["int64"]
        fits = low <= value <= high
    else:
        fits = abs(value) <= FLOATS["float64"].greatest
        value = Fraction(float(value)) if fits else value
    if not fits:
        return Constant(ZERO, integer, True, "constant-overflow")
    return Constant(value, integer, True)


def own_type(found: Constant) -> ItemType:
    """The type without a site: ``int`` for integers, ``float64`` for reals."""
    return Primitive("int" if found.integer else "float64")


def at_site(found: Constant, site: ItemType) -> tuple[ItemType, LiteralProblem | None]:
    """The item type a constant takes where ``site`` is expected, and what is wrong with it there.

    A constant whose type the site does not change is left as it is (an ordinary check follows),
    and so is one without a value. Constraints are looked through: see ``at_constrained_site``."""
    own = own_type(found)
    base = numeric_base(site)
    if base is None or (not found.integer and base in INTEGERS):
        return own, None
    stays = base in ("int", "int64") if found.integer else base == "float64"
    if found.problem is not None and not (stays and found.computed):
        return ErrorType(), found.problem
    if found.integer and base == "int32":
        low, high = INTEGER_RANGES[base]
        if not low <= found.value <= high:
            return ErrorType(), "integer-literal-out-of-range"
    elif found.integer and base in FLOATS and not FLOATS[base].holds(found.value):
        return ErrorType(), "float-literal-not-exact"
    return Primitive(base), None


def at_constrained_site(found: Constant, site: ItemType) -> tuple[ItemType, LiteralProblem | None]:
    """``at_site``; where ``site`` is a constrained type the value must lie in its interval, and
    then has that type (decision 1)."""
    item, problem = at_site(found, site)
    if problem is not None or not isinstance(site, Constrained):
        return item, problem
    if numeric_base(item) != site.base.name:
        return item, None
    if found.problem is not None:
        return ErrorType(), found.problem
    # A float64 is held against ends that are written in decimals too; a float32 is rounded first.
    value = FLOATS["float32"].nearest(found.value) if site.base.name == "float32" else found.value
    if not holds(site.interval, value):
        return ErrorType(), "literal-outside-constraint"
    return site, None
