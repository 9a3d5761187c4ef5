"""The second places of findings about values, and their severities (semantics 5)."""

from __future__ import annotations

import pytest
from typed_programs import MAIN, program

from nx_lsp.program import queries
from nx_lsp.types.diagnostics import type_diagnostics

DECLARED = """
type User = { name:string age:int = 1 }
type Status = active | closed
type Load = | ready | failed { message:string }
type Note = { title:string content text:string }
let add(a:int, b:int): int = {a + b}
"""


def related(text: str) -> tuple[str, list[str]]:
    """The code of the only finding, and the text under each of its second places."""
    db = program(DECLARED + text)
    (found,) = type_diagnostics(db, MAIN)
    module = db.module(MAIN)
    assert module is not None
    spans = [queries.absolute(db, label.place) for label in found.labels if not label.primary]
    return found.code, [module.file.text[start:end] for start, end in spans]


@pytest.mark.parametrize(
    ("text", "code", "places"),
    [
        ('let a:int = "x"', "value-type-mismatch", ['"x"', "int"]),
        ('let f(): int = "x"', "return-type-mismatch", ['"x"', "int"]),
        ("let f() = <User name=3 />", "record-field-type-mismatch", ["name:string"]),
        ('let f() = <User name={u} name={u} /> let u = ""', "duplicate-property", ["name={u}"]),
        ("let f() = {add(1, true)}", "type-mismatch", ["true", "b:int"]),
        ("let f() = {add(1)}", "arg-count-mismatch", ["add"]),
        ("let f() = {1 + true}", "type-mismatch", ["true"]),
        ('let f() = {1 == "a"}', "type-mismatch", ["1", '"a"']),
        ("let f(n:int) = { if n { 1 } }", "type-mismatch", ["n"]),
        ("let f() = {Status.on}", "undefined-union-case", ["Status"]),
        ("let f(l:Load) = {l.message}", "union-case-field-requires-narrowing", ["message:string"]),
        ("let f(u?:User) = {u.name}", "member-access-on-optional", ["u"]),
        ('let f() = <Note title="" text="a">b</Note>', "content-binding-conflict", ['text="a"']),
        ("type Range = { a:int } let f() = {1..2}", "range-hidden", ["Range"]),
    ],
)
def test_a_finding_shows_what_explains_it(text, code, places):
    assert related(text) == (code, places)


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("let f(n:int) = {n?}", "warning"),
        ("let f(n:int) = {n ?? 0}", "warning"),
        ('let f() = {<User name="" />?.name}', "warning"),
        ("let f(n:int) = { if n is { {} => 1 else => 2 } }", "warning"),
        ("let f(s:Status) = { if s is { active => 1 active => 2 closed => 3 } }", "hint"),
        ("let f(n:int) = {n.x}", "error"),
    ],
)
def test_severity(text, severity):
    (found,) = type_diagnostics(program(DECLARED + text), MAIN)
    assert found.severity == severity


def test_a_second_place_may_be_in_another_module():
    db = program(
        'import "./other.nx"\nlet f() = <Far n="x" />', other="export type Far = { n:int }"
    )
    (found,) = type_diagnostics(db, MAIN)
    assert [label.place.module for label in found.labels] == ["main.nx", "other.nx"]
