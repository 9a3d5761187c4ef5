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


# ---------------------------------------------------------------- types that grow


def too_large(text: str) -> list[str]:
    started = time.process_time()
    found = codes(text)
    assert time.process_time() - started < SECONDS
    return found


def test_aliases_that_double_are_reported_once() -> None:
    """Thirteen of them already stand for 8,192 numbers."""
    double = "type A{i} = <function a:A{h} />: A{h}"
    use = f"let f(a:A{LONG - 1}): A{LONG - 1} = {{ a }}"
    assert too_large(lines(double, "type A0 = int", use)) == ["type-too-large"]


def test_aliases_that_nest_are_reported_once() -> None:
    first = "type Box = { T:type item:T }\ntype A0 = int"
    nest = "type A{i} = <Box T=A{h} />"
    assert too_large(lines(nest, first)) == ["type-too-large"]
    few = "\n".join(nest.format(i=i, h=i - 1) for i in range(1, 300))
    assert too_large(f"{first}\n{few}\nlet f(a:A299): A299 = {{ a }}") == []


def test_functions_that_give_each_other_end() -> None:
    found = too_large(lines("let f{i}() = {{ f{h} }}", "let f0() = { 1 }"))
    assert set(found) == {"type-too-large"}


def test_type_arguments_that_double_with_each_member_end() -> None:
    declared = """
type Pair = { A:type B:type }
type Page = { T:type next:<Page T=<Pair A=T B=T /> /> }
"""
    assert too_large(f"{declared}let f(p:<Page T=int />) = {{ p{'.next' * 300} }}") == []
    short = f"{declared}let f(p:<Page T=int />): int = {{ p.next.next }}"
    assert too_large(short) == ["return-type-mismatch"]


def test_names_that_mean_nothing_are_cheap_to_report() -> None:
    found = too_large(lines("let f{i}(a:Foo{i}): int = {{ bar{i} }}"))
    assert found == ["unresolved-type", "undefined-identifier"] * (LONG - 1)
