"""The laws of occurrences (semantics 3.2)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nx_lsp.types.model import Occurrence

ONE, OPTIONAL, SOME, MANY = (
    Occurrence.ONE,
    Occurrence.OPTIONAL,
    Occurrence.SOME,
    Occurrence.MANY,
)
occurrences = st.sampled_from(list(Occurrence))
lengths = st.integers(0, 3)


def admits(occurrence: Occurrence, length: int) -> bool:
    """The meaning of an occurrence: how many items a value of it may have."""
    return (length > 0 or occurrence.zero) and (length < 2 or occurrence.many)


@pytest.mark.parametrize(
    ("a", "b", "fits"),
    [
        (ONE, OPTIONAL, True),
        (OPTIONAL, MANY, True),
        (ONE, SOME, True),
        (SOME, MANY, True),
        (OPTIONAL, SOME, False),
        (SOME, OPTIONAL, False),
        (MANY, SOME, False),
        (OPTIONAL, ONE, False),
    ],
)
def test_the_order(a, b, fits):
    assert a.fits(b) is fits


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (OPTIONAL.sum(OPTIONAL), MANY),
        (OPTIONAL.sum(ONE), SOME),
        (OPTIONAL.join(SOME), MANY),
        (SOME.product(OPTIONAL), MANY),
        (OPTIONAL.product(ONE), OPTIONAL),
        (OPTIONAL.without_zero(), ONE),
        (MANY.without_zero(), SOME),
    ],
)
def test_the_examples_of_the_specification(found, expected):
    assert found is expected


@given(occurrences, occurrences, lengths)
def test_a_fits_b_exactly_if_b_admits_all_that_a_admits(a, b, length):
    if a.fits(b) and admits(a, length):
        assert admits(b, length)
    assert a.fits(b) == all(admits(b, n) for n in range(4) if admits(a, n))


@given(occurrences, occurrences)
def test_join_is_the_least_upper_bound(a, b):
    joined = a.join(b)
    assert a.fits(joined)
    assert b.fits(joined)
    for other in Occurrence:
        if a.fits(other) and b.fits(other):
            assert joined.fits(other)


@given(occurrences, occurrences, lengths, lengths)
def test_a_sum_admits_every_concatenation(a, b, first, second):
    if admits(a, first) and admits(b, second):
        assert admits(a.sum(b), first + second)


@given(occurrences, occurrences, lengths, st.data())
def test_a_product_admits_every_loop(iterated, body, length, data):
    lengths_of_bodies = [data.draw(lengths) for _ in range(length)]
    if admits(iterated, length) and all(admits(body, each) for each in lengths_of_bodies):
        assert admits(iterated.product(body), sum(lengths_of_bodies))


@given(occurrences, occurrences, occurrences)
def test_the_operations_are_commutative_and_associative(a, b, c):
    for operation in (Occurrence.join, Occurrence.sum, Occurrence.product):
        assert operation(a, b) is operation(b, a)
        assert operation(operation(a, b), c) is operation(a, operation(b, c))


@given(occurrences)
def test_suffixes_are_read_back(occurrence):
    assert Occurrence.from_suffix(occurrence.suffix) is occurrence
