"""Names declared twice and reserved names (semantics 2.1, 2.5, 5.2)."""

from __future__ import annotations

import pytest
from program_reports import all_reports, only, program, secondary, spans


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("let Card = 1", "type Card = {}"),
        ("type Card = a | b", "component <Card /> = { <b/> }"),
        ("let <Card /> = <b/>", "let Card(a:int) = {a}"),
        ("private action Card = {}", "export type Card = string"),
    ],
)
def test_a_name_is_declared_once_in_any_namespace(first: str, second: str) -> None:
    db = program(main=f"{first}\n{second}\n")
    assert spans(db) == [("duplicate-declaration", second)]
    assert secondary(db, only(db)) == [("main.nx", first)]


def test_each_repetition_points_at_the_first() -> None:
    db = program(main="let a = 1\nlet a = 2\nlet a = 3\n")
    assert spans(db) == [
        ("duplicate-declaration", "let a = 2"),
        ("duplicate-declaration", "let a = 3"),
    ]
    assert [secondary(db, each) for each in all_reports(db)] == [[("main.nx", "let a = 1")]] * 2


def test_derived_names_are_exempt() -> None:
    db = program(main="type A = { a:int }\nlet <A.Update /> = <b/>\n")
    assert all_reports(db) == ()


def test_two_roots_are_one_mistake() -> None:
    assert [code for code, _ in spans(program(main="let root = 1\n<a/>\n"))] == ["duplicate-root"]
    codes = [code for code, _ in spans(program(main="type root = {}\n<a/>\n"))]
    assert codes == ["duplicate-declaration"]


@pytest.mark.parametrize("name", ["apply", "merge", "diff", "changed"])
def test_intrinsics_may_not_be_declared(name: str) -> None:
    for text in (f"let {name}(a:int) = {{a}}", f"let {name} = 1", f"let <{name} /> = <b/>"):
        assert spans(program(main=text + "\n")) == [("intrinsic-name-reserved", text)]
    assert all_reports(program(main=f"type {name} = {{}}\nlet f({name}:int) = 1\n")) == ()


def test_syntax_comes_first_then_duplicates_then_rules_then_links() -> None:
    db = program(
        main="""
/// See [Nope].
type A extends Missing = { a:int }
type A = {}
let b =
"""
    )
    assert [code for code, _ in spans(db)] == [
        "syntax-error",
        "duplicate-declaration",
        "lowering-error",
        "unresolved-doc-link",
    ]
