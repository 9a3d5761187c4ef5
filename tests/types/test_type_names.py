"""From written types to type values, and what is wrong with them (semantics 2.7, 3, 5.4)."""

from __future__ import annotations

import pytest
from typed_programs import (
    codes,
    diagnostics,
    named,
    program,
    reported,
    results,
    type_of_annotation,
)

from nx_lsp.program.loading import from_sources
from nx_lsp.types.diagnostics import type_diagnostics
from nx_lsp.types.display import display, display_all
from nx_lsp.types.results import result_type

DECLARED = """
type Plan = { name:string }
type Page = { T:type items:T+ }
type Pair = { A:type B:type a:A b:B }
type Status = active | closed
type Names = string+
type Maybe = Plan?
type Stars = int where in 1..=5
type P = Plan
action Save = { path:string }
component <Card title:string /> = { state { n:int } <div/> }
component <Bare title:string /> = { <div/> }
"""


def shown(text: str, declared: str = DECLARED) -> str:
    db = program(f"{declared}\nlet probe(): {text} = 1")
    return display(type_of_annotation(db, "probe"))


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("int", "int"),
        ("float32?", "float32?"),
        ("string+", "string+"),
        ("boolean*", "boolean*"),
        ("object", "object"),
        ("Element+", "Element+"),
        ("(Plan)?", "Plan?"),
        ("P", "Plan"),
        ("Names", "string+"),
        ("Maybe", "Plan?"),
        ("Stars", "int where in 1..=5"),
        ("Stars?", "(int where in 1..=5)?"),
        ("Stars where > 2", "int where > 2 && <= 5"),
        ("int where > 0 && < 10", "int where > 0 && < 10"),
        ("int where in 0..10", "int where in 0..10"),
        ("float64 where >= 0.5", "float64 where >= 0.5"),
        ("float64 where >= 1", "float64 where >= 1.0"),
        ("Status", "Status"),
        ("Save", "Save"),
        ("Card", "Card"),
        ("Plan.Update", "Plan.Update"),
        ("Plan.Property*", "Plan.Property*"),
        ("Card.State", "Card.State"),
        ("Card.State.Update", "Card.State.Update"),
        ("Card.Update", "Card.State.Update"),
        ("<Page T=Plan/>", "<Page T=Plan />"),
        ("<Page T=P/>+", "<Page T=Plan />+"),
        ("<Pair B=int A=<Page T=string/> />", "<Pair A=<Page T=string /> B=int />"),
        ("<Page.Update T=Plan/>", "<Page.Update T=Plan />"),
        ("<Page/>", "Page"),
        ("<Page T=Plan U=int/>", "<Page T=Plan />"),
        ("<Page T=Plan T=int/>", "<Page T=Plan />"),
        ("<Pair A=int/>", "Pair"),
        ("<Plan T=int/>", "Plan"),
        ("<function />: int", "<function />: int"),
        (
            "<function a:int content b?:string+ />: Plan?",
            "<function a:int content b?:string+ />: Plan?",
        ),
        ("(<function a:int />: int)+", "(<function a:int />: int)+"),
        ("<function ... />: object*", "<function ... />: object*"),
        ("Nope", "Nope"),
        ("<Page T=Nope/>", "<Page T=Nope />"),
    ],
)
def test_a_written_type_is_shown_with_aliases_seen_through(written, expected):
    assert shown(written) == expected


def test_a_type_parameter_wins_over_everything_and_stays_in_its_declaration():
    assert reported("type Plan = { x:int }\ntype Box = { Plan:type item:Plan }") == []
    assert reported("type Box = { T:type item:T }\ntype Other = { item:T }") == [
        ("unresolved-type", "T")
    ]


def test_a_module_type_named_like_a_primitive_loses_but_object_and_element_do_not():
    declared = "type int = { x:string }\ntype object = { y:string }"
    assert shown("int", declared) == "int"
    db = program(f"{declared}\nlet f(o:object) = {{ o.y }}\nlet g(i:int) = {{ i.x }}")
    assert display(result_type(db, named("f"))) == "string"
    assert display(result_type(db, named("g"))) == "<error>"


def test_names_mean_what_they_mean_in_the_module_that_wrote_them():
    text = (
        'import { Outer } from "./other.nx"\ntype Inner = { b:int }\nlet f(o:Outer) = { o.inner.a }'
    )
    other = "export type Outer = { inner:Inner }\ntype Inner = { a:string }"
    assert results(text, other=other)["f"] == "string"


def test_two_declarations_of_one_name_are_told_apart():
    db = program(
        'import "./other.nx" as O\ntype Plan = { a:int }\nlet f(): Plan = 1\nlet g(): O.Plan = 1',
        other="export type Plan = { b:int }",
    )
    mine, other = type_of_annotation(db, "f"), type_of_annotation(db, "g")
    assert display(mine) == display(other) == "Plan"
    assert display_all(mine, other) == ("main.nx:Plan", "other.nx:Plan")


def test_bare_companions_mean_the_state_of_the_component_around_them():
    text = """
component <Stepper changed?:Property by:int = 1 /> = {
  state { n:int = 0 }
  <Button onTapped=<Update n={n + by} /> last={Property.n} />
}
"""
    assert reported(text) == []


# ---------------------------------------------------------------- what is wrong


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("let f(p:Contatc) = 1", [("unresolved-type", "Contatc")]),
        ("let f(p:Plan): Nope+ = 1", [("unresolved-type", "Nope")]),
        ("let v:Nope? = {}", [("unresolved-type", "Nope")]),
        ("type R = { a:Nope b:<function x:Nope />: Nope }", [("unresolved-type", "Nope")] * 3),
        ("type U = a { x:Nope } | b", [("unresolved-type", "Nope")]),
        ("component <C x:Nope emits { A { y:Nope } } /> = { state { z:Nope } <div/> }",
         [("unresolved-type", "Nope")] * 3),
        ("let f(s:Status.active) = 1", [("unresolved-type", "Status.active")]),
        ("let f(s:Status.Update) = 1", [("unresolved-type", "Status.Update")]),
        ("let f(s:Property) = 1", [("unresolved-type", "Property")]),
        ("let f(p:Page) = 1", [("type-parameter-not-specified", "Page")]),
        ("let f(p:<Page/>) = 1", [("type-parameter-not-specified", "<Page/>")]),
        ("let f(p:<Page/>+) = 1", [("type-parameter-not-specified", "<Page/>+")]),
        ("let f(p:<Plan T=int/>) = 1", [("applied-type-not-generic", "<Plan T=int/>")]),
        ("let f(p:<Page T=int U=int/>) = 1", [("unknown-type-argument", "<Page T=int U=int/>")]),
        ("let f(p:<Page T=int T=int/>) = 1", [("duplicate-type-argument", "<Page T=int T=int/>")]),
        ("let f(p:<Page T=Paln/>) = 1", [("unresolved-type-argument", "Paln")]),
        ("let f(p:<Page T=int?/>) = 1", [("occurrence-type-argument", "<Page T=int?/>")]),
        ("let f(p:<Page T=Names/>) = 1", [("occurrence-type-argument", "<Page T=Names/>")]),
        ("type R = { a:Maybe }", [("optional-in-type-slot", "a:Maybe")]),
        ("type R = { a:<function x:Maybe />: int }", [("optional-in-type-slot", "x:Maybe")]),
        ("type R = { a:Names b?:Names }", []),
        ("let f(): Names? = {}", [("second-occurrence-suffix", "Names?")]),
        ("let f(a:Names+) = 1", [("second-occurrence-suffix", "Names+")]),
        ("let f(a:(Names)+) = 1", [("second-occurrence-suffix", "(Names)+")]),
        ("type A = P2\ntype P2 = Page", [("type-parameter-not-specified", "Page")]),
        ("type A = B\ntype B = A\nlet f(a:A, b:B): A = 1",
         [("type-alias-cycle", "type A = B"), ("type-alias-cycle", "type B = A")]),
        ("type A = <Page T=A/>", [("type-alias-cycle", "type A = <Page T=A/>")]),
        ("type A = A2\ntype A2 = A2?", [("type-alias-cycle", "type A2 = A2?")]),
        # constraints
        ("type N = int where > 2.5", [("invalid-constraint", "2.5")]),
        ("type N = int where in 5..5", [("invalid-constraint", "where in 5..5")]),
        ("type N = int where > 5 && < 6", [("invalid-constraint", "where > 5 && < 6")]),
        ("type N = string where > 5", [("invalid-constraint", "where > 5")]),
        ("type N = Names where > 5", [("invalid-constraint", "where > 5")]),
        ("type N = int32 where < 9999999999", [("invalid-constraint", "9999999999")]),
        ("type N = Stars where > 5", [("invalid-constraint", "where > 5")]),
        ("type N = Stars where > 4", []),
        ("type N = float64 where > 5", []),
        ("type N = float32 where > 0.1", []),
        # a float64 literal is the nearest float64, so these leave one value each
        ("type N = float64 where in 0.1..=0.1", []),
        ("type N = float64 where >= 0.3 && <= 0.3", []),
        ("type N = float64 where > 0.1 && < 0.1", [("invalid-constraint", "where > 0.1 && < 0.1")]),
        # construction
        ("let f() = <Page items={1} />", [("type-parameter-not-specified", "<Page items={1} />")]),
        ("let f() = <Page T=Paln items={1} />", [("unresolved-type-argument", "T=Paln")]),
        ("let f() = <Page T=Names items={1} />", [("occurrence-type-argument", "T=Names")]),
        ('let f() = <Page T="Plan" items={1} />', [("type-argument-not-a-type-name", 'T="Plan"')]),
        ("let f() = <Nope.Update />", [("unknown-update-record", "<Nope.Update />")]),
        ("let f() = <Bare.Update />", [("unknown-update-record", "<Bare.Update />")]),
        ("let f() = <Update a=1 />", [("bare-update-outside-component", "<Update a=1 />")]),
        ("let f() = {Status.Property.a}", [("unknown-property-union", "Status.Property.a")]),
        ("let f() = {Property.a}", [("bare-property-outside-component", "Property.a")]),
        # names
        ("let f() = {nope}", [("undefined-identifier", "nope")]),
        ("let f() = {nope.x.y + 1}", [("undefined-identifier", "nope")]),
        ("let f() = {Status}", [("undefined-identifier", "Status")]),
        ("let f() = {Status.active}", []),
        ("let f() = {apply}", [("undefined-identifier", "apply")]),
        ("let f(x:int) = { for y in {1 2} { y } }", []),
    ],
)  # fmt: skip
def test_one_mistake_is_one_diagnostic_at_its_place(text, expected):
    found = reported(DECLARED + text)
    assert found == expected


def message_of(text: str) -> str:
    (found,) = diagnostics(DECLARED + text)
    return f"{found.message} {found.help or ''}"


def test_near_names_and_foreign_names_are_suggested():
    assert "`Plan`" in message_of("let f(p:Plann) = 1")
    assert "`string`" in message_of("let f(p:String) = 1")
    assert "`boolean`" in message_of("let f(p:bool) = 1")
    assert "`Status`" in message_of("let f(p:Status.active) = 1")
    assert "`amount`" in message_of("let f(amount:int) = {amuont}")


def test_an_alias_cycle_names_the_way():
    (found, *_) = diagnostics("type A = B\ntype B = C\ntype C = A")
    assert "`A` → `B` → `C` → `A`" in found.message
    assert len(found.labels) == 3


def test_a_failed_import_silences_what_it_would_have_brought():
    assert codes('import { Gone } from "./nowhere.nx"\nlet f(g:Gone): Other = 1') == [
        "unresolved-type"
    ]
    assert codes('import "./nowhere.nx"\nlet f(g:Gone): Other = {x}') == []


def test_a_name_of_two_imports_is_reported_where_it_is_used():
    text = 'import "./a.nx"\nimport "./b.nx"\nlet f(p:Plan) = {p}\nlet g() = {1}'
    (found,) = diagnostics(text, a="export type Plan = { a:int }", b="export type Plan = { b:int }")
    assert found.code == "lowering-error"
    assert "./a.nx" in found.message
    assert "./b.nx" in found.message
    assert len(found.labels) == 3


def test_broken_declarations_are_resolved_without_failing():
    for text in (
        "type A = ",
        "let f(a:",
        "type R = { a: b: }",
        "let f(): = {",
        "<",
        "type A = <Page T= />",
    ):
        diagnostics(text)


def test_a_very_long_chain_of_aliases_ends():
    lines = [f"type A{i} = A{i + 1}" for i in range(300)] + ["type A300 = int"]
    assert shown("A0", "\n".join(lines)) == "int"


# ---------------------------------------------------------------- names from two places


@pytest.mark.parametrize(
    ("imports", "message", "labels", "help_text"),
    [
        (
            ["./a.nx", "./b.nx"],
            '`Plan` is provided by "./a.nx" and "./b.nx"; it means the first',
            ["main.nx", "main.nx"],
            "prefix",
        ),
        (
            ["./lib"],
            "`Plan` is provided by `lib/x.nx` and `lib/y.nx`; it means the first",
            ["lib/x.nx", "lib/y.nx"],
            "Let only one module of the library export it",
        ),
        (
            ["./a.nx", "./lib"],
            '`Plan` is provided by "./a.nx" and `lib/x.nx` and `lib/y.nx`; it means the first',
            ["main.nx", "lib/x.nx", "lib/y.nx"],
            "prefix",
        ),
    ],
)
def test_a_name_from_two_places_names_each_of_them_once(imports, message, labels, help_text):
    names = ("a.nx", "b.nx", "lib/x.nx", "lib/y.nx")
    sources = dict.fromkeys(names, "export type Plan = { n:int }\n")
    lines = [f'import "{path}"' for path in imports]
    sources["main.nx"] = "\n".join([*lines, "let f(p:Plan): int = 1"])
    db = from_sources(sources)
    (found,) = type_diagnostics(db, "main.nx")
    assert found.message == message
    primary, *others = found.labels
    assert primary.place.module == "main.nx"
    assert [each.place.module for each in others] == labels
    assert len({(each.place, each.message) for each in others}) == len(others)
    assert help_text in found.help
