"""Deep, long and circular texts are judged in little time (issue: bad input)."""

from __future__ import annotations

import time

import pytest
from typed_programs import codes

DEEP = 10_000
"""Deeper than the parser builds trees."""

NESTED = 190


@pytest.mark.parametrize(
    "text",
    [
        "let a:int = {" + "(" * DEEP + "1" + ")" * DEEP + "}",
        "let a:string = {" + "+".join(["1"] * DEEP) + "}",
        "let f() = " + "<a>" * DEEP + "</a>" * DEEP,
        "let f(c:boolean): int = {" + "if c {" * DEEP + "1" + "}" * DEEP + "}",
        "type A = " + "<P T=" * DEEP + "int" + "/>" * DEEP,
    ],
    ids=["parentheses", "sum", "elements", "conditions", "type arguments"],
)
def test_ten_thousand_levels_end(text):
    started = time.process_time()
    codes(text)
    assert time.process_time() - started < 10


def test_deep_conditions_are_judged():
    text = "if c {" * NESTED + "1" + "} else {2}" * NESTED
    assert codes(f"let f(c:boolean): int = {{{text}}}") == []
    assert codes(f"let f(c:boolean): string = {{{text}}}") == ["return-type-mismatch"]


def test_deep_property_fragments_are_judged():
    text = "if c { " * NESTED + "a=1" + " }" * NESTED
    declared = "type R = { a:int }\n"
    assert codes(f"{declared}let f(c:boolean) = <R {text} />") == ["missing-property"]
    assert codes(f"{declared}let f(c:boolean) = <R a=1 {text} />") == ["duplicate-property"]


def test_many_fragments_do_not_multiply():
    text = "if c { b=1 } else { b=2 } "
    declared = "type R = { a:int b:int }\n"
    found = codes(f"{declared}let f(c:boolean) = <R a=1 {text * 200} />")
    assert found == ["duplicate-property"] * 398


def test_a_long_sequence_meets_its_site():
    assert codes("let a:int32+ = {" + "1 " * 5000 + "}") == []


def test_a_long_circle_of_aliases_ends():
    lines = [f"type A{i} = A{(i + 1) % 300}" for i in range(300)]
    assert codes("\n".join(lines)) == ["type-alias-cycle"] * 300


def test_generics_of_themselves_end():
    text = """
type Page = { T:type item:T }
type Row = { more?:<Page T=Row/> }
let f(row:Row): Row? = { row.more?.item }
let g(): Row = <Row more=<Page T=Row item=<Row/> /> />
let h(): Row = <Row more=<Page T=Row item=1 /> />
"""
    assert codes(text) == ["record-field-type-mismatch"]
