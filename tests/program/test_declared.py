"""Declarations by id, derived ones included (semantics 2.8, 3.10, decision 2)."""

from __future__ import annotations

import pytest
from program_reports import main, program

from nx_lsp.program.declarations import (
    AliasDeclaration,
    ComponentDeclaration,
    DeclarationId,
    FunctionDeclaration,
    PropertyUnionDeclaration,
    RecordDeclaration,
    StateDeclaration,
    UnionDeclaration,
    UpdateDeclaration,
    ValueDeclaration,
)
from nx_lsp.program.queries import (
    absolute,
    case_names,
    declaration,
    declarations,
    declared_in,
    declared_names,
    derived_ids,
    effective_fields,
    name_place,
    place,
)
from nx_lsp.syntax import tree

EVERYTHING = """
export type Plan = { name:string price?:int = 2 }
private abstract action Go = {}
type Page = { T:type items:T+ }
type Status = active | failed { why:string }
type Names = string+
let limit:int = 3
let f(a:int, b?:string): int = {a}
let <Sign text:string /> = <b/>
component <Card title:string emits { Moved { x:int } Go } /> = { state { n:int = 0 m?:int } <b/> }
external component <Gauge /> = { state { peak:int = 0 } }
component <Plain /> = { <b/> }
<page/>
"""


def test_written_declarations_in_order() -> None:
    db = program(main=EVERYTHING)
    assert [id.name for id in declarations(db, "main.nx")] == [
        "Plan",
        "Go",
        "Page",
        "Status",
        "Names",
        "limit",
        "f",
        "Sign",
        "Card",
        "Gauge",
        "Plain",
        "root",
    ]


def test_outlines_tell_visibility_and_base() -> None:
    db = program(main="export abstract type A = {}\ntype B extends A = {}\nprivate let c = 1\n")
    found = {
        d.name: (d.kind, d.visibility, d.abstract, d.extends) for d in declared_names(db, "main.nx")
    }
    assert found == {
        "A": ("record", "export", True, None),
        "B": ("record", "internal", False, "A"),
        "c": ("value", "private", False, None),
    }


def test_each_kind_of_declaration() -> None:
    db = program(main=EVERYTHING)
    kinds = {
        "Plan": RecordDeclaration,
        "Go": RecordDeclaration,
        "Status": UnionDeclaration,
        "Names": AliasDeclaration,
        "limit": ValueDeclaration,
        "f": FunctionDeclaration,
        "Sign": FunctionDeclaration,
        "Card": ComponentDeclaration,
        "root": FunctionDeclaration,
        "Plan.Update": UpdateDeclaration,
        "Plan.Property": PropertyUnionDeclaration,
        "Go.Update": UpdateDeclaration,
        "Page.Update": UpdateDeclaration,
        "Card.State": StateDeclaration,
        "Card.State.Update": UpdateDeclaration,
        "Card.State.Property": PropertyUnionDeclaration,
        "Card.Moved": RecordDeclaration,
        "Card.Moved.Update": UpdateDeclaration,
        "Card.Moved.Property": PropertyUnionDeclaration,
        "Gauge.State": StateDeclaration,
    }
    for name, kind in kinds.items():
        found = declaration(db, main(name))
        assert isinstance(found, kind), name
        assert found.id == main(name)


@pytest.mark.parametrize(
    "name",
    [
        "Nope",
        "Status.Update",
        "Names.Update",
        "f.Update",
        "limit.Property",
        "Plan.Update.Update",
        "Plan.State",
        "Plain.State",
        "Plain.Update",
        "Card.Go",
        "Card.State.State",
        "Card.Moved.State",
        "",
        "..",
        "Plan.",
    ],
)
def test_what_is_not_declared(name: str) -> None:
    db = program(main=EVERYTHING)
    assert declaration(db, main(name)) is None
    assert declared_in(db, "main.nx", name) is None


def test_the_older_spellings_of_a_component_mean_its_state() -> None:
    db = program(main=EVERYTHING)
    assert declared_in(db, "main.nx", "Card.Update") == main("Card.State.Update")
    assert declared_in(db, "main.nx", "Card.Property") == main("Card.State.Property")
    found = declaration(db, main("Card.Update"))
    assert isinstance(found, UpdateDeclaration)
    assert found.target == main("Card.State")


def test_what_a_declaration_brings_along() -> None:
    db = program(main=EVERYTHING)
    assert [id.name for id in derived_ids(db, main("Plan"))] == ["Plan.Update", "Plan.Property"]
    assert [id.name for id in derived_ids(db, main("Card"))] == [
        "Card.State",
        "Card.State.Update",
        "Card.State.Property",
        "Card.Moved",
        "Card.Moved.Update",
        "Card.Moved.Property",
    ]
    assert derived_ids(db, main("Plain")) == ()
    assert derived_ids(db, main("Status")) == ()


def test_derived_declarations_are_as_visible_as_their_target() -> None:
    db = program(main=EVERYTHING)
    for name, visibility in [("Plan.Update", "export"), ("Go.Property", "private")]:
        found = declaration(db, main(name))
        assert found is not None
        assert found.visibility == visibility


def test_fields_of_derived_records() -> None:
    db = program(main=EVERYTHING)

    def fields(name: str) -> list[str]:
        return [member.name for member in effective_fields(db, main(name))]

    assert fields("Plan.Update") == ["name", "price"]
    assert fields("Page") == fields("Page.Update") == ["items"]
    assert fields("Card.State") == fields("Card.State.Update") == ["n", "m"]
    assert fields("Card.Moved") == ["x"]
    assert case_names(db, main("Card.State.Property")) == ("n", "m")
    assert case_names(db, main("Page.Property")) == ("items",)
    assert case_names(db, main("Plan.Property")) == ("name", "price")


def test_members_know_where_they_were_written() -> None:
    db = program(main=EVERYTHING)
    plan = declaration(db, main("Plan"))
    assert isinstance(plan, RecordDeclaration)
    price = plan.own_fields[1]
    assert (price.optional, price.content, price.role) == (True, False, "field")
    start, end = absolute(db, place(db, price.owner, price.node))
    assert EVERYTHING[start:end] == "price?:int = 2"
    moved = declaration(db, main("Card.Moved"))
    assert isinstance(moved, RecordDeclaration)
    x = moved.own_fields[0]
    assert x.owner == main("Card.Moved")
    start, end = absolute(db, place(db, x.owner, x.node))
    assert EVERYTHING[start:end] == "x:int"


def test_type_parameters_are_no_fields() -> None:
    page = declaration(program(main=EVERYTHING), main("Page"))
    assert isinstance(page, RecordDeclaration)
    assert page.type_parameters == ("T",)


def test_repeated_names_are_numbered() -> None:
    db = program(main="type A = { a:int }\ntype A = { b:int }\n")
    second = declaration(db, main("A#2"))
    assert isinstance(second, RecordDeclaration)
    assert [member.name for member in second.own_fields] == ["b"]
    first = declaration(db, main("A"))
    assert isinstance(first, RecordDeclaration)
    assert [member.name for member in first.own_fields] == ["a"]


def test_repeated_members_count_once() -> None:
    db = program(main="type A = { a:int a:string }\nlet f(a:int, a:string) = {a}\ntype U = x | x\n")
    record, function, union = (declaration(db, main(name)) for name in ("A", "f", "U"))
    assert isinstance(record, RecordDeclaration)
    assert isinstance(function, FunctionDeclaration)
    assert isinstance(union, UnionDeclaration)
    assert [len(record.own_fields), len(function.parameters), len(union.cases)] == [1, 1, 1]


def test_the_root_element_is_a_function_without_parameters() -> None:
    found = declaration(program(main="<page/>\n"), main("root"))
    assert isinstance(found, FunctionDeclaration)
    assert isinstance(found.node, tree.RootNode)
    assert (found.visibility, found.parameters, found.result) == ("export", (), None)


@pytest.mark.parametrize(
    ("name", "declared", "named"),
    [
        ("Plan", "export type Plan = { name:string price?:int = 2 }", "Plan"),
        ("Plan.Update", "export type Plan = { name:string price?:int = 2 }", "Plan"),
        ("Card.Moved", "Moved { x:int }", "Moved"),
        ("Card.Moved.Update", "Moved { x:int }", "Moved"),
        ("Sign", "let <Sign text:string /> = <b/>", "Sign"),
        ("root", "<page/>", "page"),
    ],
)
def test_places_of_declarations_and_names(name: str, declared: str, named: str) -> None:
    db = program(main=EVERYTHING)
    start, end = absolute(db, place(db, main(name)))
    assert EVERYTHING[start:end] == declared
    start, end = absolute(db, name_place(db, main(name)))
    assert EVERYTHING[start:end] == named


def test_places_of_what_is_gone() -> None:
    db = program(main="")
    assert absolute(db, place(db, main("Nope"))) == (0, 0)
    assert absolute(db, name_place(db, DeclarationId("gone.nx", "A"))) == (0, 0)
