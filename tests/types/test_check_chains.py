"""Long chains and large circles of declarations cost in proportion to their length.

Each of these took from ten seconds to minutes while a chain was walked again for each of its
members."""

from __future__ import annotations

import time

import pytest
from typed_programs import codes, diagnostics

LONG = 3_000

SECONDS = 20
"""Far more than is needed; a walk for each member takes more."""


def lines(format: str, first: str = "", last: str = "") -> str:
    """One line for each number: ``{i}``, the one before ``{h}``, the one after ``{j}``, and
    ``{r}``, the one after with the last before the first."""
    numbered = (
        format.format(i=i, h=i - 1, j=i + 1, r=(i + 1) % (LONG + 1)) for i in range(1, LONG)
    )
    return "\n".join([first, *numbered, last])


CHAINS = {
    "aliases": lines("type A{i} = A{j}", "type A0 = A1", f"type A{LONG} = int"),
    "aliases, innermost first": lines("type A{i} = A{h}", "type A0 = int"),
    "functions": lines("let f{i}(a:int) = {{ f{h}(a) }}", "let f0(a:int) = { a }"),
    "values": lines("let v{i} = {{ v{h} }}", "let v0 = { 1 }"),
    "records": lines(
        "type R{i} = {{ next?:R{r} }}", "type R0 = { next?:R1 }", f"type R{LONG} = R0"
    ),
}


@pytest.mark.parametrize("text", CHAINS.values(), ids=CHAINS)
def test_a_long_chain_is_judged(text: str) -> None:
    started = time.process_time()
    assert codes(text) == []
    assert time.process_time() - started < SECONDS


def test_a_function_at_the_start_of_a_chain_that_goes_on_below_knows_nothing() -> None:
    """What is called is declared later, so its result is a variable (semantics 4.2)."""
    text = lines("let f{i}(a:int) = {{ f{j}(a) }}", "let f0(a:int) = { f1(a) }")
    assert codes(f"{text}\nlet f{LONG}(a:int) = {{ a }}") == []
    last = f"let f{LONG}(a:int) = {{ a }}\nlet g(): int = {{ f0(1) }}"
    assert codes(f"{text}\n{last}") == ["return-type-mismatch"]


def test_each_member_of_a_large_circle_of_aliases_is_told() -> None:
    text = lines("type A{i} = A{r}", "type A0 = A1", f"type A{LONG} = A0")
    started = time.process_time()
    found = diagnostics(text)
    assert [each.code for each in found] == ["type-alias-cycle"] * (LONG + 1)
    assert time.process_time() - started < SECONDS
    assert found[7].message == (
        "The alias `A7` stands for itself: `A7` → `A8` → `A9` → `A10` → `A11` → `A12` → `A13` → "
        "`A14` → `A15` → … → `A7`"
    )


def test_what_leads_into_a_circle_is_no_part_of_it() -> None:
    text = lines("type A{i} = A{j}", "type A0 = A1", f"type A{LONG} = B\ntype B = C\ntype C = B")
    assert codes(text) == ["type-alias-cycle"] * 2
