"""Emitted actions and state of components (semantics 3.9; codes 5.3)."""

from __future__ import annotations

import pytest
from program_reports import all_reports, main, only, program, secondary, spans

from nx_lsp.program.queries import effective_emits, lookup_type

ACTIONS = """
action Go = {}
action Stop = {}
type Record = {}
type GoAlias = Go
"""


def component(signature: str, before: str = "", state: str = "") -> str:
    return f"{ACTIONS}{before}\ncomponent <C {signature} /> = {{ {state} <b/> }}\n"


def test_references_may_go_through_aliases_and_imports() -> None:
    db = program(
        main='import "./other.nx" as O\n' + component("emits { GoAlias O.Far O.K.Inner }"),
        other="export action Far = {}\nexport component <K emits { Inner { } } /> = { <b/> }\n",
    )
    assert all_reports(db) == ()
    found = {e.name: str(e.action) for e in effective_emits(db, main("C"))}
    assert found == {
        "GoAlias": "main.nx:Go",
        "Far": "other.nx:Far",
        "Inner": "other.nx:K.Inner",
    }


@pytest.mark.parametrize(
    ("emits", "covered", "part"),
    [
        ("Nope", "Nope", "not declared"),
        ("Record", "Record", "is no action"),
        ("Go.Update", "Go.Update", "is no action"),
    ],
)
def test_a_reference_that_is_no_action(emits: str, covered: str, part: str) -> None:
    db = program(main=component(f"emits {{ {emits} }}"))
    assert spans(db) == [("lowering-error", covered)]
    assert part in only(db).message


def test_a_misspelled_action_is_suggested() -> None:
    assert only(program(main=component("emits { Stp }"))).help == "Did you mean `Stop`?"


@pytest.mark.parametrize("name", ["Update", "Property"])
def test_an_inline_action_may_not_take_a_companions_name(name: str) -> None:
    db = program(main=component(f"emits {{ {name} {{ }} }}"))
    assert spans(db) == [("lowering-error", name)]


def test_state_is_reserved_where_there_is_state() -> None:
    assert all_reports(program(main=component("emits { State { } }"))) == ()
    db = program(main=component("emits { State { } }", state="state { n:int = 0 }"))
    assert spans(db) == [("lowering-error", "State")]


def test_two_emits_need_two_handlers() -> None:
    db = program(main=component("emits { Go Go { } }"))
    report = only(db)
    assert report.message == "Two emitted actions would be handled by `onGo`"
    assert secondary(db, report) == [("main.nx", "Go")]


def test_an_inherited_emit_may_not_be_repeated() -> None:
    before = "abstract component <K emits { Go } />\n"
    db = program(main=component("extends K emits { Go }", before))
    report = only(db)
    assert report.message == "`Go` is already emitted by the base `K`"


@pytest.mark.parametrize(
    ("signature", "before", "covered"),
    [
        ("onGo:int emits { Go }", "", "onGo:int"),
        ("extends K onGo:int", "abstract component <K emits { Go } />\n", "onGo:int"),
        ("extends K emits { Go }", "abstract component <K onGo:int />\n", "Go"),
    ],
)
def test_a_property_may_not_take_a_handlers_name(signature: str, before: str, covered: str) -> None:
    db = program(main=component(signature, before))
    assert spans(db) == [("lowering-error", covered)]


def test_a_clash_in_the_base_is_reported_there_only() -> None:
    before = "abstract component <K onGo:int emits { Go } />\n"
    db = program(main=component("extends K", before))
    assert spans(db) == [("lowering-error", "onGo:int")]


def test_a_payload_may_not_use_the_components_type_parameters() -> None:
    db = program(main=component("T:type emits { Moved { a:T b:<function x:T />: int c:int } }"))
    assert spans(db) == [("lowering-error", "T"), ("lowering-error", "T")]
    db = program(
        main=component("extends K emits { Moved { a:T+ } }", "abstract component <K T:type />\n")
    )
    assert spans(db) == [("lowering-error", "T")]


def test_payloads_inherit_and_repeat_no_field() -> None:
    before = "abstract action Touch = { x:int }\n"
    db = program(main=component("emits { Moved extends Touch { x:int } }", before))
    assert spans(db) == [("lowering-error", "x:int")]


def test_a_state_field_is_no_property() -> None:
    db = program(main=component("n:int", state="state { n:int = 0 }"))
    report = only(db)
    assert (report.code, report.message) == (
        "duplicate-member",
        "The component already has a property `n`",
    )
    assert secondary(db, report) == [("main.nx", "n:int")]


def test_inline_actions_are_declarations() -> None:
    db = program(main=component("emits { Moved { x:int } }"))
    assert lookup_type(db, "main.nx", "C.Moved") == main("C.Moved")
    assert lookup_type(db, "main.nx", "C.Moved.Property") == main("C.Moved.Property")
