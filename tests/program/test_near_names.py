"""Did-you-mean (semantics 2.7)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nx_lsp.program.near_names import NameIndex, edit_distance, nearest_member, nearest_name

WORDS = st.text(alphabet="abAB", max_size=8)


def test_edit_distance_counts_single_edits() -> None:
    assert edit_distance("", "abc") == 3
    assert edit_distance("kitten", "sitting") == 3
    assert edit_distance("Contatc", "Contact") == 2


@given(WORDS, WORDS)
def test_edit_distance_is_symmetric_and_zero_only_for_equal_words(a: str, b: str) -> None:
    assert edit_distance(a, b) == edit_distance(b, a)
    assert (edit_distance(a, b) == 0) == (a == b)


@given(WORDS, WORDS, WORDS)
def test_edit_distance_takes_no_longer_way(a: str, b: str, c: str) -> None:
    assert edit_distance(a, c) <= edit_distance(a, b) + edit_distance(b, c)


def test_the_nearest_visible_name_is_suggested() -> None:
    assert nearest_name("Contatc", ["Contract", "Contact", "User"]) == "Contact"
    assert nearest_name("string", ["String"]) == "String"


def test_a_third_of_the_shorter_name_may_differ_but_always_one() -> None:
    assert nearest_name("Plxn", ["Plan"]) == "Plan"  # 1 edit, 4 letters: the limit is 1
    assert nearest_name("Pxxn", ["Plan"]) is None  # 2 edits
    assert nearest_name("Planxx", ["Planet"]) == "Planet"  # 2 edits, 6 letters


def test_less_than_the_whole_word_must_differ() -> None:
    assert nearest_name("a", ["b"]) is None
    assert nearest_name("a", ["A"]) == "A"


def test_case_decides_between_equally_near_names() -> None:
    assert nearest_name("planS", ["plans", "PLANS", "planSS"]) == "plans"
    assert nearest_name("Pln", ["plan", "Plan"]) == "Plan"


def test_members_may_differ_in_two_letters_at_least() -> None:
    assert nearest_member("actve", ["active", "done"]) == "active"
    assert nearest_member("ab", ["xy", "abcd"]) == "xy"
    assert nearest_member("something", ["done"]) is None


@given(
    st.text("abcAB1", min_size=1, max_size=7),
    st.lists(st.text("abcAB1", min_size=1, max_size=9), max_size=8),
)
def test_an_index_leaves_out_no_name_that_counts(written: str, names: list[str]) -> None:
    assert nearest_name(written, NameIndex.of(names).near(written)) == nearest_name(written, names)
