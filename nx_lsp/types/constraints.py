"""Intervals of constrained types (decision 1, semantics 7.1, schema-contract 5).

Everything here is exact: ends are ``Fraction``s, and the values of ``float32`` and ``float64``
are reckoned as the fractions that they are. Nothing here looks at a program.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from nx_lsp.syntax import tree
from nx_lsp.types.model import INTEGERS, Interval, PrimitiveName

UNBOUNDED = Interval(None, False, None, False)

MAX_NUMBER_LENGTH = 400
"""Longer literals are beyond every base; they are not converted (conversion is quadratic)."""

MAX_EXPONENT = 400
"""Decimal exponents beyond this are beyond ``float64`` in either direction."""


def literal_value(text: str) -> Fraction | None:
    """The exact value of an integer, real or hex literal without sign (syntax 1.6).

    ``None`` if it is beyond all NX numbers: what is answered converts to a finite ``float``. A
    real far below the least ``float64`` is 0."""
    if len(text) > MAX_NUMBER_LENGTH:
        return None
    try:
        value = _spelled_value(text.lower())
        float(value)
    except (ValueError, OverflowError):  # no number (the parser has reported it), or beyond all
        return None
    return value


def _spelled_value(text: str) -> Fraction:
    """The value of a literal in lower case."""
    if text.startswith("0x"):
        return Fraction(int(text, 16))
    mantissa, _, exponent = text.partition("e")
    power = int(exponent) if exponent else 0
    if power > MAX_EXPONENT:
        raise OverflowError
    return Fraction(0) if power < -2 * MAX_EXPONENT else Fraction(mantissa) * _ten(power)


def _ten(power: int) -> Fraction:
    return Fraction(10**power) if power >= 0 else Fraction(1, 10**-power)


# ---------------------------------------------------------------- the values of a base


@dataclass(frozen=True, slots=True)
class FloatFormat:
    """A binary floating-point format, by its grid: ``precision`` bits, least normal exponent,
    greatest exponent."""

    precision: int
    least_exponent: int
    greatest_exponent: int

    @property
    def greatest(self) -> Fraction:
        """The greatest finite value."""
        return (2 - Fraction(1, 2 ** (self.precision - 1))) * Fraction(2**self.greatest_exponent)

    @property
    def least_step(self) -> Fraction:
        """The distance of neighbours around zero, the smallest there is."""
        return Fraction(1, 2 ** (self.precision - 1 - self.least_exponent))

    def _step(self, value: Fraction) -> Fraction:
        """The distance of neighbours around ``value``, towards larger magnitudes."""
        size = abs(value)
        if size == 0:
            return self.least_step
        exponent = size.numerator.bit_length() - size.denominator.bit_length()
        if size < Fraction(2) ** exponent:
            exponent -= 1
        exponent = max(exponent, self.least_exponent)
        power: Fraction = Fraction(2) ** (exponent - self.precision + 1)
        return power

    def at_most(self, value: Fraction) -> Fraction | None:
        """The greatest finite value that is ``<= value``; ``None`` if there is none."""
        if value >= self.greatest:
            return self.greatest
        if value < -self.greatest:
            return None
        step = self._step(value)
        return floor(value / step) * step

    def at_least(self, value: Fraction) -> Fraction | None:
        """The least finite value of the format that is ``>= value``; ``None`` if there is none."""
        below = self.at_most(-value)
        return None if below is None else -below

    def below(self, value: Fraction) -> Fraction | None:
        """The greatest finite value that is ``< value``."""
        return (
            self.at_most(value - self.least_step / 2) if self.holds(value) else self.at_most(value)
        )

    def above(self, value: Fraction) -> Fraction | None:
        """The least finite value that is ``> value``."""
        below = self.below(-value)
        return None if below is None else -below

    def nearest(self, value: Fraction) -> Fraction:
        """The value of the format that is nearest to ``value``; beyond all of them, ``value``."""
        below, above = self.at_most(value), self.at_least(value)
        if below is None or above is None or abs(value) > self.greatest:
            return value
        return below if value - below <= above - value else above

    def holds(self, value: Fraction) -> bool:
        """Is ``value`` exactly a finite value of the format?"""
        return abs(value) <= self.greatest and self.at_most(value) == value


FLOATS: dict[str, FloatFormat] = {
    "float32": FloatFormat(24, -126, 127),
    "float64": FloatFormat(53, -1022, 1023),
}

INTEGER_RANGES: dict[str, tuple[int, int]] = {
    "int32": (-(2**31), 2**31 - 1),
    "int": (-(2**53) + 1, 2**53 - 1),
    "int64": (-(2**63), 2**63 - 1),
}


def base_range(base: PrimitiveName) -> tuple[Fraction, Fraction]:
    """The least and the greatest value of a numeric primitive (semantics 3.1)."""
    if base in FLOATS:
        greatest = FLOATS[base].greatest
        return -greatest, greatest
    low, high = INTEGER_RANGES[base]
    return Fraction(low), Fraction(high)


def bound_problem(base: PrimitiveName, bound: tree.Bound) -> str | None:
    """Why a written bound is no value for a constraint on ``base`` (semantics 3.5), as the end of
    a sentence that starts with the bound; ``None`` if it is one.

    An integer bound of a float must be exact; a real bound of a float is rounded inward
    (``schema_ends``), but not beyond the range; a real bound of an integer is never accepted."""
    value = bound_value(bound)
    if base in INTEGERS:
        if "." in bound.text:
            return f"is not an integer, and `{base}` has no other values"
        low, high = INTEGER_RANGES[base]
        if value is None or not low <= value <= high:
            return f"is outside the range of `{base}` ({low} to {high})"
        return None
    if value is None or abs(value) > FLOATS[base].greatest:
        return f"is outside the range of `{base}`"
    if "." not in bound.text and not FLOATS[base].holds(value):
        return f"is no exact `{base}` value"
    return None


def bound_value(bound: tree.Bound) -> Fraction | None:
    """The exact value of a bound, its sign included; ``None`` if beyond all numbers."""
    value = literal_value(bound.text)
    return -value if value is not None and bound.negative else value


# ---------------------------------------------------------------- intervals


def intersect(a: Interval, b: Interval) -> Interval:
    """The values in both; ends stay as written."""
    low, low_inclusive = _tighter(a.low, a.low_inclusive, b.low, b.low_inclusive, sign=1)
    high, high_inclusive = _tighter(a.high, a.high_inclusive, b.high, b.high_inclusive, sign=-1)
    return Interval(low, low_inclusive, high, high_inclusive)


def _tighter(
    a: Fraction | None, a_inclusive: bool, b: Fraction | None, b_inclusive: bool, sign: int
) -> tuple[Fraction | None, bool]:
    if a is None or b is None:
        return (b, b_inclusive) if a is None else (a, a_inclusive)
    if a == b:
        return a, a_inclusive and b_inclusive
    return (a, a_inclusive) if sign * a > sign * b else (b, b_inclusive)


def term_interval(base: PrimitiveName, term: tree.ConstraintTerm) -> Interval:
    """The interval of one written term on ``base``; an end beyond all numbers or missing is left
    open."""
    low, high = _end(base, term.low), _end(base, term.high)
    return Interval(
        low, low is not None and term.low_inclusive, high, high is not None and term.high_inclusive
    )


def _end(base: PrimitiveName, bound: tree.Bound | None) -> Fraction | None:
    """A written end. A ``float64`` literal is the nearest ``float64`` here as everywhere
    (semantics 3.5); a ``float32`` end is not rounded but moved inward (``schema_ends``)."""
    value = bound_value(bound) if bound is not None else None
    return Fraction(float(value)) if base == "float64" and value is not None else value


def inward(base: PrimitiveName, interval: Interval) -> Interval:
    """Ends as inclusive values of ``base``, each moved inside the interval (schema-contract 5).

    The result holds exactly the same values of ``base``. An end with no value of the base inside
    becomes an empty interval."""
    low, high = interval.low, interval.high
    new_low = _inside_low(base, low, interval.low_inclusive) if low is not None else None
    new_high = _inside_high(base, high, interval.high_inclusive) if high is not None else None
    if (low is not None and new_low is None) or (high is not None and new_high is None):
        return Interval(Fraction(1), True, Fraction(0), True)
    return Interval(new_low, new_low is not None, new_high, new_high is not None)


def _inside_low(base: PrimitiveName, low: Fraction, inclusive: bool) -> Fraction | None:
    if base in FLOATS:
        grid = FLOATS[base]
        return grid.at_least(low) if inclusive else grid.above(low)
    return Fraction(ceil(low)) if inclusive else Fraction(floor(low) + 1)


def _inside_high(base: PrimitiveName, high: Fraction, inclusive: bool) -> Fraction | None:
    below = _inside_low(base, -high, inclusive)
    return None if below is None else -below


def schema_ends(base: PrimitiveName, interval: Interval) -> Interval:
    """The ends as schema-contract 5 writes them: integers and ``float32`` moved inward to
    inclusive values of the base, ``float64`` as written."""
    return interval if base == "float64" else inward(base, interval)


def normalize(base: PrimitiveName, interval: Interval) -> Interval:
    """One spelling for all intervals with the same values of ``base``: inclusive ends that are
    values of the base, an end that the base has anyway left open."""
    closed = inward(base, interval)
    least, greatest = base_range(base)
    low = closed.low if closed.low is not None and closed.low > least else None
    high = closed.high if closed.high is not None and closed.high < greatest else None
    return Interval(low, low is not None, high, high is not None)


def is_empty(base: PrimitiveName, interval: Interval) -> bool:
    """Has the interval no value of ``base``?"""
    closed = inward(base, interval)
    least, greatest = base_range(base)
    low = least if closed.low is None else max(closed.low, least)
    high = greatest if closed.high is None else min(closed.high, greatest)
    return low > high


def contains(outer: Interval, inner: Interval) -> bool:
    """Is every real in ``inner`` in ``outer``? Normalize both on one base for the question about
    values."""
    return _reaches(outer.low, outer.low_inclusive, inner.low, inner.low_inclusive, sign=1) and (
        _reaches(outer.high, outer.high_inclusive, inner.high, inner.high_inclusive, sign=-1)
    )


def _reaches(
    outer: Fraction | None,
    outer_inclusive: bool,
    inner: Fraction | None,
    inner_inclusive: bool,
    sign: int,
) -> bool:
    if outer is None:
        return True
    if inner is None:
        return False
    if outer == inner:
        return outer_inclusive or not inner_inclusive
    return sign * outer < sign * inner


def holds(interval: Interval, value: Fraction) -> bool:
    """Is ``value`` in the interval?"""
    if interval.low is not None and (
        value < interval.low or (value == interval.low and not interval.low_inclusive)
    ):
        return False
    return interval.high is None or (
        value < interval.high or (value == interval.high and interval.high_inclusive)
    )
