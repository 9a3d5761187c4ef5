"""Schemas of the primitives, with the bounds of constrained ones (schema-contract 3, 5)."""

from __future__ import annotations

from fractions import Fraction

from nx_lsp.schema.answers import Schema
from nx_lsp.types.constraints import schema_ends
from nx_lsp.types.model import Constrained, Interval, Primitive

_OPEN = Interval(None, False, None, False)
_INT32 = Interval(Fraction(-(2**31)), True, Fraction(2**31 - 1), True)

_JSON_TYPES = {
    "string": "string",
    "boolean": "boolean",
    "int": "integer",
    "int32": "integer",
    "int64": "integer",
    "float32": "number",
    "float64": "number",
}

_PLAIN_DIGITS = 10**21
"""From here on an integral number is written with an exponent: its digits would be noise."""


def json_number(value: Fraction) -> int | float:
    """``value`` as a JSON number; an integral one without a fraction (schema-contract 5)."""
    if value.denominator == 1 and abs(value) < _PLAIN_DIGITS:
        return value.numerator
    number = float(value)
    return int(number) if number.is_integer() and abs(number) < _PLAIN_DIGITS else number


def primitive_schema(item: Primitive | Constrained) -> Schema:
    """The schema of a primitive: ``type``, then the low bound, then the high bound.

    A written end replaces the base's own. An end outside the base's range is an error in the
    program; the base's own end then stays, so that the schema is never wider than the type."""
    if isinstance(item, Primitive):
        return _bounded(item, _INT32 if item.name == "int32" else _OPEN)
    ends = schema_ends(item.base.name, item.interval)
    return _bounded(item.base, _within(_INT32, ends) if item.base.name == "int32" else ends)


def _within(outer: Interval, inner: Interval) -> Interval:
    """``inner`` (inclusive ends) with the ends of ``outer`` where it has none or goes beyond."""
    assert outer.low is not None
    assert outer.high is not None
    low = outer.low if inner.low is None else max(outer.low, inner.low)
    high = outer.high if inner.high is None else min(outer.high, inner.high)
    return Interval(low, True, high, True)


def _bounded(base: Primitive, ends: Interval) -> Schema:
    schema: Schema = {"type": _JSON_TYPES[base.name]}
    if ends.low is not None:
        schema["minimum" if ends.low_inclusive else "exclusiveMinimum"] = json_number(ends.low)
    if ends.high is not None:
        schema["maximum" if ends.high_inclusive else "exclusiveMaximum"] = json_number(ends.high)
    return schema
