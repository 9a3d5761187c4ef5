"""Intervals of constrained types: exact ends, both as written and as schemas need them."""

from __future__ import annotations

import struct
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nx_lsp.syntax import tree
from nx_lsp.types.constraints import (
    FLOATS,
    UNBOUNDED,
    bound_problem,
    contains,
    holds,
    intersect,
    inward,
    is_empty,
    literal_value,
    normalize,
    schema_ends,
)
from nx_lsp.types.model import NUMERIC, Interval, PrimitiveName

FLOAT32 = FLOATS["float32"]
FLOAT64 = FLOATS["float64"]


def closed(low: object, high: object) -> Interval:
    return Interval(
        None if low is None else Fraction(str(low)),
        low is not None,
        None if high is None else Fraction(str(high)),
        high is not None,
    )


def above(low: object) -> Interval:
    return Interval(Fraction(str(low)), False, None, False)


def below(high: object) -> Interval:
    return Interval(None, False, Fraction(str(high)), False)


def bound(text: str, negative: bool = False) -> tree.Bound:
    return tree.Bound(0, len(text), negative, text)


# ---------------------------------------------------------------- literals


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("007", 7),
        ("0xFF", 255),
        ("0X10", 16),
        ("1.5", Fraction(3, 2)),
        ("0.1", Fraction(1, 10)),
        ("1.5e3", 1500),
        ("2.0E-2", Fraction(1, 50)),
        ("1.0e999999999", None),
        ("1.0e-999999999", 0),
        ("9" * 5000, None),
        # beyond the greatest float64, as far as it rounds to that
        ("1.7976931348623158e308", Fraction("1.7976931348623158e308")),
        ("1.8e308", None),
        ("1.0e309", None),
        ("9" * 310, None),
        ("0x" + "F" * 300, None),
        ("0x", None),
    ],
)
def test_a_literal_has_its_exact_value_and_never_costs_much(text, value):
    assert literal_value(text) == value


# ---------------------------------------------------------------- the float grids


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_every_float32_is_on_the_grid(value):
    exact = Fraction(value)
    assert FLOAT32.holds(exact)
    assert FLOAT32.at_most(exact) == exact == FLOAT32.at_least(exact)


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_neighbours_of_a_float32_are_those_of_its_bits(value):
    if value == 0:
        assert FLOAT32.above(Fraction(0)) == Fraction(1, 2**149)
        return
    (bits,) = struct.unpack("<i", struct.pack("<f", abs(value)))
    following = struct.unpack("<f", struct.pack("<i", bits + 1))[0]
    outward = None if following == float("inf") else Fraction(following)
    if value > 0:
        assert FLOAT32.above(Fraction(value)) == outward
    else:
        found = FLOAT32.below(Fraction(value))
        assert (None if found is None else -found) == outward


@given(st.fractions(min_value=-(10**45), max_value=10**45))
def test_rounding_down_gives_the_greatest_value_at_most(value):
    for grid in (FLOAT32, FLOAT64):
        found = grid.at_most(value)
        if found is None:
            assert value < -grid.greatest
        else:
            assert grid.holds(found)
            assert found <= value
            following = grid.above(found)
            assert following is None or following > value


def test_the_greatest_values_are_the_ieee_ones():
    assert FLOAT32.greatest == Fraction(3.4028234663852886e38)
    assert FLOAT64.greatest == Fraction(1.7976931348623157e308)
    assert FLOAT64.above(Fraction(1)) == Fraction(1) + Fraction(1, 2**52)


# ---------------------------------------------------------------- ends


@pytest.mark.parametrize(
    ("base", "interval", "expected"),
    [
        ("int", above(0), closed(1, None)),
        ("int", below(10), closed(None, 9)),
        ("int32", closed(0, None), closed(0, None)),
        ("float64", Interval(Fraction(0), False, Fraction(1), False), None),
        ("float32", below(1), closed(None, "0.999999940395355224609375")),
        ("float32", closed("0.5", None), closed("0.5", None)),
    ],
)
def test_schema_ends_follow_the_contract(base, interval, expected):
    assert schema_ends(base, interval) == (interval if expected is None else expected)


def test_a_float32_end_moves_inside_so_that_nothing_rounds_out():
    moved = schema_ends("float32", closed("0.1", "0.1000001"))
    assert moved.low is not None
    assert moved.high is not None
    assert moved.low >= Fraction(1, 10)
    assert moved.high <= Fraction("0.1000001")
    assert FLOAT32.holds(moved.low)
    assert FLOAT32.holds(moved.high)


ends = st.one_of(
    st.none(),
    st.integers(-(2**40), 2**40).map(Fraction),
    st.fractions(min_value=-1000, max_value=1000, max_denominator=10**6),
)


@st.composite
def intervals(draw: st.DrawFn, integer: bool = False) -> Interval:
    low, high = draw(ends), draw(ends)
    if integer:
        low = None if low is None else Fraction(int(low))
        high = None if high is None else Fraction(int(high))
    return Interval(
        low,
        low is not None and draw(st.booleans()),
        high,
        high is not None and draw(st.booleans()),
    )


def values_of(base: PrimitiveName) -> st.SearchStrategy[Fraction]:
    if base == "float32":
        return st.floats(width=32, allow_nan=False, allow_infinity=False).map(Fraction)
    if base == "float64":
        return st.floats(allow_nan=False, allow_infinity=False).map(Fraction)
    return st.integers(-(2**31), 2**31 - 1).map(Fraction)


@pytest.mark.parametrize("base", NUMERIC)
@given(data=st.data())
def test_moving_ends_inward_and_normalizing_keep_exactly_the_values_of_the_base(base, data):
    interval = data.draw(intervals(integer=not base.startswith("float")))
    value = data.draw(values_of(base))
    inside = holds(interval, value)
    assert holds(inward(base, interval), value) == inside
    assert holds(normalize(base, interval), value) == inside
    if inside:
        assert not is_empty(base, interval)


@pytest.mark.parametrize("base", NUMERIC)
@given(data=st.data())
def test_normalizing_twice_changes_nothing(base, data):
    interval = data.draw(intervals(integer=not base.startswith("float")))
    once = normalize(base, interval)
    if not is_empty(base, interval):
        assert normalize(base, once) == once


@given(intervals(), intervals(), st.fractions(min_value=-1000, max_value=1000))
def test_an_intersection_holds_what_both_hold(a, b, value):
    assert holds(intersect(a, b), value) == (holds(a, value) and holds(b, value))
    assert intersect(a, b) == intersect(b, a)
    assert intersect(a, UNBOUNDED) == a


@given(intervals(), intervals(), st.fractions(min_value=-1000, max_value=1000))
def test_a_containing_interval_holds_every_value_of_the_inner_one(outer, inner, value):
    if contains(outer, inner) and holds(inner, value):
        assert holds(outer, value)
    assert contains(outer, intersect(outer, inner))


@pytest.mark.parametrize(
    ("base", "interval"),
    [
        ("int", Interval(Fraction(5), False, Fraction(6), False)),
        ("int", closed(6, 5)),
        ("int32", above(2**31 - 1)),
        ("float32", Interval(Fraction(1), False, Fraction(1), True)),
        # between two neighbouring float32 values, though float64 has many there
        ("float32", closed("1.00000001", "1.00000002")),
    ],
)
def test_an_interval_without_a_value_of_the_base_is_empty(base, interval):
    assert is_empty(base, interval)


def test_what_is_empty_on_float32_may_hold_float64_values():
    assert not is_empty("float64", closed("1.00000001", "1.00000002"))


def test_equal_values_make_equal_intervals():
    assert normalize("int", above(0)) == normalize("int", closed(1, None))
    assert normalize("int32", closed(-(2**31), 5)) == normalize("int32", closed(None, 5))
    assert normalize("float64", above(0)) != normalize("float64", closed(0, None))


# ---------------------------------------------------------------- bounds


@pytest.mark.parametrize(
    ("base", "written", "fine"),
    [
        ("int", bound("10"), True),
        ("int", bound("40", negative=True), True),
        ("int", bound("0xFF"), True),
        ("int", bound("2.5"), False),
        ("int", bound("2.0"), False),
        ("int32", bound("2147483647"), True),
        ("int32", bound("2147483648"), False),
        ("int32", bound("2147483648", negative=True), True),
        ("int64", bound("9223372036854775807"), True),
        ("int64", bound("9223372036854775808"), False),
        ("float64", bound("10"), True),
        ("float64", bound("0.1"), True),
        ("float64", bound("9007199254740993"), False),
        ("float32", bound("16777217"), False),
        ("float32", bound("16777216"), True),
        ("float32", bound("0.1"), True),
        ("float32", bound("1.0e39"), False),
        ("float64", bound("1.0e999"), False),
    ],
)
def test_a_bound_must_convert_to_the_base(base, written, fine):
    assert (bound_problem(base, written) is None) == fine
