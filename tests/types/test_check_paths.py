"""Paths through property fragments against a model that walks every path (semantics 4.8)."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st
from typed_programs import codes

NAMES = ("a", "b", "c")


@st.composite
def fragments(draw, depth=2):
    """A property list: a name, or (then, otherwise) with ``None`` for no ``else``."""
    kinds = st.sampled_from(NAMES)
    found = []
    for _ in range(draw(st.integers(0, 3))):
        if depth and draw(st.booleans()):
            otherwise = draw(st.none() | fragments(depth=depth - 1))
            found.append((draw(fragments(depth=depth - 1)), otherwise))
        else:
            found.append(draw(kinds))
    return found


def spelled(entries) -> str:
    words = []
    for entry in entries:
        if isinstance(entry, str):
            words.append(f"{entry}=1")
        else:
            then, otherwise = entry
            words.append(f"if q {{ {spelled(then)} }}")
            if otherwise is not None:
                words.append(f"else {{ {spelled(otherwise)} }}")
    return " ".join(words)


def paths(entries) -> list[list[str]]:
    """The properties that each path supplies."""
    choices = []
    for entry in entries:
        if isinstance(entry, str):
            choices.append([[entry]])
        else:
            then, otherwise = entry
            choices.append([*paths(then), *(paths(otherwise) if otherwise is not None else [[]])])
    return [[name for part in chosen for name in part] for chosen in product(*choices)]


@settings(deadline=None, max_examples=150, derandomize=True)
@given(fragments())
def test_missing_and_duplicate_properties_are_those_of_some_path(entries):
    every = paths(entries)
    found = codes(f"type R = {{ a:int b:int c:int }}\nlet f(q:boolean) = <R {spelled(entries)} />")
    assert ("missing-property" in found) == any(set(each) != set(NAMES) for each in every)
    assert ("duplicate-property" in found) == any(len(each) != len(set(each)) for each in every)
    assert set(found) <= {"missing-property", "duplicate-property"}
