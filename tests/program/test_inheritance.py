"""Bases, inherited members and descendants (semantics 3.6, 3.8, 3.9; codes 5.3)."""

from __future__ import annotations

import pytest
from program_reports import all_reports, main, only, program, secondary, spans, text_at

from nx_lsp.program.declarations import DeclarationId
from nx_lsp.program.inheritance import MAX_ANCESTORS
from nx_lsp.program.loading import from_sources
from nx_lsp.program.queries import (
    ancestors,
    base,
    base_fields,
    case_fields,
    descendants,
    effective_emits,
    effective_fields,
    effective_properties,
    effective_type_parameters,
    is_constant_case,
    is_constant_union,
    through_aliases,
)


def field_names(members: object) -> list[str]:
    return [member.name for member in members]  # type: ignore[attr-defined]


# ---------------------------------------------------------------- what is inherited


def test_inherited_fields_come_first() -> None:
    db = program(
        main="""
abstract type Living = { name:string }
abstract type Plant extends Living = { height:float64 }
type Tree extends Plant = { rings:int }
"""
    )
    assert all_reports(db) == ()
    assert field_names(effective_fields(db, main("Tree"))) == ["name", "height", "rings"]
    assert [m.owner.name for m in effective_fields(db, main("Tree"))] == ["Living", "Plant", "Tree"]
    assert ancestors(db, main("Tree")) == (main("Plant"), main("Living"))


def test_a_base_is_found_through_imports_and_aliases() -> None:
    db = program(
        main='import "./base.nx" as B\ntype Near = B.Far\ntype Tree extends Near = { rings:int }\n',
        base="export type Far = Living\nexport abstract type Living = { name:string }\n",
    )
    assert all_reports(db) == ()
    assert base(db, main("Tree")) == DeclarationId("base.nx", "Living")
    assert field_names(effective_fields(db, main("Tree"))) == ["name", "rings"]


def test_a_union_gives_its_bases_fields_to_every_case() -> None:
    db = program(
        main="""
abstract type Timed = { at:int }
type Visit extends Timed = arrived | left { early?:boolean }
type Plain = a | b { n:int } | c {}
"""
    )
    assert all_reports(db) == ()
    visit, plain = main("Visit"), main("Plain")
    assert field_names(base_fields(db, visit)) == ["at"]
    assert field_names(case_fields(db, visit, "left")) == ["at", "early"]
    assert not is_constant_case(db, visit, "arrived")
    assert is_constant_case(db, plain, "a")
    assert not is_constant_case(db, plain, "b")
    assert is_constant_case(db, plain, "c")
    assert not is_constant_case(db, plain, "nope")
    assert not is_constant_union(db, plain)
    assert case_fields(db, plain, "nope") == ()


def test_a_base_without_fields_still_makes_payload_cases() -> None:
    db = program(main="abstract type E = {}\ntype U extends E = a | b\n")
    assert not is_constant_union(db, main("U"))


def test_components_inherit_parameters_properties_and_emits() -> None:
    db = program(
        main="""
action Focused = {}
abstract component <Control K:type enabled:boolean = true emits { Focused Hidden { } } />
component <Picker extends Control T:type label?:string emits { Moved { far:boolean } } /> = { <b/> }
"""
    )
    assert all_reports(db) == ()
    picker = main("Picker")
    assert field_names(effective_properties(db, picker)) == ["enabled", "label"]
    assert effective_type_parameters(db, picker) == ((main("Control"), "K"), (picker, "T"))
    emits = effective_emits(db, picker)
    assert [(e.name, e.handler, e.action) for e in emits] == [
        ("Focused", "onFocused", main("Focused")),
        ("Hidden", "onHidden", main("Control.Hidden")),
        ("Moved", "onMoved", main("Picker.Moved")),
    ]


def chain(count: int, kind: str = "type") -> str:
    if kind == "type":
        lines = ["abstract type T0 = { f0:int }"]
        lines += [f"abstract type T{i} extends T{i - 1} = {{ f{i}:int }}" for i in range(1, count)]
    else:
        lines = ["abstract component <T0 f0:int />"]
        lines += [f"abstract component <T{i} extends T{i - 1} f{i}:int />" for i in range(1, count)]
    return "\n".join(lines)


def test_bases_are_read_up_to_a_limit() -> None:
    db = program(main=chain(MAX_ANCESTORS + 2))
    last, beyond = main(f"T{MAX_ANCESTORS}"), main(f"T{MAX_ANCESTORS + 1}")
    assert len(effective_fields(db, last)) == MAX_ANCESTORS + 1
    assert len(ancestors(db, last)) == MAX_ANCESTORS
    assert base(db, beyond) is None
    assert [each.message for each in all_reports(db)] == [
        f"The record `T{MAX_ANCESTORS + 1}` extends too many: `T{MAX_ANCESTORS}` has "
        f"{MAX_ANCESTORS} bases above it, and no more are read"
    ]


@pytest.mark.parametrize("kind", ["type", "component"])
def test_a_long_chain_is_reported_now_and_then(kind: str) -> None:
    """Where a base is refused the count begins anew."""
    db = program(main=chain(3 * (MAX_ANCESTORS + 1) + 1, kind))
    assert [text for _, text in spans(db)] == [
        f"T{times * (MAX_ANCESTORS + 1) - 1}" for times in (1, 2, 3)
    ]


# ---------------------------------------------------------------- wrong bases

DECLARED = """
type Concrete = { a:int }
action Act = {}
abstract action Doing = {}
abstract type Base = {}
type Union = x | y
type Text = string
type Loop = Loop2
type Loop2 = Loop
component <Solid /> = { <b/> }
abstract component <Shape />
component <Card /> = { state { n:int = 0 } <b/> }
abstract type Generic = { T:type a:T }
"""


@pytest.mark.parametrize(
    ("line", "covered", "part"),
    [
        ("type R extends Nope = {}", "Nope", "is not declared"),
        ("type R extends Concrete = {}", "Concrete", "not abstract"),
        ("type R extends Doing = {}", "Doing", "which is an action"),
        ("type R extends Union = {}", "Union", "which is a union"),
        ("type R extends Shape = {}", "Shape", "which is a component"),
        ("type R extends Text = {}", "Text", "is no record"),
        ("type R extends string = {}", "string", "is no record"),
        ("type R extends object = {}", "object", "is no record"),
        ("type R extends Loop = {}", "Loop", "leads back to itself"),
        ("type R extends Base.Update = {}", "Base.Update", "which is an update record"),
        ("type R extends Base.Property = {}", "Base.Property", "which is a property union"),
        ("type R extends Card.State = {}", "Card.State", "the state of a component"),
        ("type R extends Generic = {}", "Generic", "has type parameters"),
        ("action R extends Base = {}", "Base", "which is a record"),
        ("action R extends Act = {}", "Act", "not abstract"),
        ("type R extends Nope = a | b", "Nope", "the union `R` is not declared"),
        ("type R extends Doing = a | b", "Doing", "which is an action"),
        ("type R extends Concrete = a | b", "Concrete", "not abstract"),
        ("component <R extends Solid /> = { <b/> }", "Solid", "not abstract"),
        ("component <R extends Base /> = { <b/> }", "Base", "which is a record"),
        ("component <R extends Nope /> = { <b/> }", "Nope", "is not declared"),
        ("component <R emits { Go extends Act { } } /> = { <b/> }", "Act", "not abstract"),
        ("component <R emits { Go extends Base { } } /> = { <b/> }", "Base", "which is a record"),
    ],
)
def test_a_wrong_base_is_reported_at_the_clause(line: str, covered: str, part: str) -> None:
    db = program(main=f'import {{ {IMPORTED} }} from "./d.nx"\n{line}\n', d=exported(DECLARED))
    [report] = [each for each in all_reports(db) if each.primary]
    assert report.code == "lowering-error"
    assert report.primary is not None
    assert text_at(db, report.primary) == covered
    assert part in report.message
    assert base(db, main("R")) is None


def exported(text: str) -> str:
    return "\n".join(f"export {line}" for line in text.strip().splitlines())


IMPORTED = "Concrete, Act, Doing, Base, Union, Text, Loop, Solid, Shape, Card, Generic"


def test_messages_point_at_the_declaration_and_say_what_to_do() -> None:
    db = program(main="type Living = {}\ntype Tree extends Living = {}\n")
    report = only(db)
    assert report.message == "The record `Tree` cannot extend `Living`, which is not abstract"
    assert report.help == "Write `abstract` before the declaration of `Living`."
    assert secondary(db, report) == [("main.nx", "Living")]


def test_a_misspelled_base_is_suggested() -> None:
    db = program(main="abstract type Living = {}\ntype Tree extends Livng = {}\n")
    assert only(db).help == "Did you mean `Living`?"


def test_a_base_that_a_failed_import_may_bring_is_not_reported_twice() -> None:
    db = program(main='import { Living } from "./gone.nx"\ntype Tree extends Living = {}\n')
    assert [code for code, _ in spans(db)] == ["lowering-error"]
    assert effective_fields(db, main("Tree")) == ()


def test_a_circle_has_no_bases_and_is_reported_at_each_clause() -> None:
    db = program(
        main="""
abstract type A extends B = { a:int }
abstract type B extends A = { b:int }
type Below extends A = { c:int }
abstract type Self extends Self = {}
"""
    )
    reports = all_reports(db)
    assert [each.message for each in reports] == [
        "The record `A` extends itself, through `B`",
        "The record `B` extends itself, through `A`",
        "The record `Self` extends itself",
    ]
    assert [text for _, text in spans(db)] == ["B", "A", "Self"]
    assert base(db, main("A")) is None
    assert base(db, main("Below")) == main("A")
    assert field_names(effective_fields(db, main("Below"))) == ["a", "c"]
    assert ancestors(db, main("Below")) == (main("A"),)


def test_alias_chains_end() -> None:
    db = program(main="type A = B\ntype B = A\ntype C = A\ntype D = (E)\ntype E = {}\n")
    assert through_aliases(db, main("A")) is None
    assert through_aliases(db, main("C")) is None
    assert through_aliases(db, main("D")) == main("E")
    assert through_aliases(db, main("E")) == main("E")


# ---------------------------------------------------------------- members and generics


def test_an_inherited_name_may_not_be_repeated() -> None:
    db = program(
        main="""
abstract type A = { id:int }
type R extends A = { id:string }
type U extends A = x { id:string } | y
abstract component <K size:int />
component <C extends K size:int /> = { <b/> }
"""
    )
    assert spans(db) == [
        ("lowering-error", "id:string"),
        ("lowering-error", "id:string"),
        ("lowering-error", "size:int"),
    ]
    first = all_reports(db)[0]
    assert first.message == "The field `id` is already inherited from `A`"
    assert secondary(db, first) == [("main.nx", "id:int")]
    record = effective_fields(db, main("R"))
    assert [(m.name, m.owner) for m in record] == [("id", main("A"))]


def test_a_second_content_member_beside_an_inherited_one() -> None:
    db = program(
        main="""
abstract type A = { content text:string }
type R extends A = { content more:string }
type U extends A = x { content more:string } | y
abstract component <K content text:string />
component <C extends K content more:string /> = { <b/> }
"""
    )
    assert spans(db) == [("lowering-error", "content more:string")] * 3


def test_a_generic_record_is_neither_abstract_nor_extends() -> None:
    db = program(
        main="""
abstract type A = { T:type a:T }
abstract type B = {}
type C extends B = { T:type a:T }
"""
    )
    assert spans(db) == [("lowering-error", "T:type"), ("lowering-error", "B")]
    messages = [each.message for each in all_reports(db)]
    assert messages == [
        "The record `A` has type parameters, so it cannot be abstract",
        "The record `C` has type parameters, so it cannot extend anything",
    ]


def test_inherited_type_parameters_of_a_component_may_not_be_repeated() -> None:
    db = program(
        main="""
abstract component <K T:type size:int />
component <C extends K T:type /> = { <b/> }
component <D extends K size:type /> = { <b/> }
"""
    )
    assert spans(db) == [("lowering-error", "T:type"), ("lowering-error", "size:type")]


# ---------------------------------------------------------------- descendants


def test_descendants_in_program_order_then_declaration_order() -> None:
    db = from_sources(
        {
            "b.nx": 'import "./lib"\ntype B2 extends Base = {}\n'
            "abstract type Mid extends Base = {}\ntype B1 extends Mid = {}\n",
            "a.nx": 'import "./lib"\ntype A1 extends Base = x | y\n',
            "unrelated.nx": "abstract type Base = {}\ntype U extends Base = {}\n",
            "lib/z.nx": "type Z extends Base = {}\n",
            "lib/base.nx": "export abstract type Base = {}\n",
        }
    )
    base_id = DeclarationId("lib/base.nx", "Base")
    assert [str(id) for id in descendants(db, base_id)] == [
        "lib/z.nx:Z",
        "b.nx:B2",
        "b.nx:B1",
        "a.nx:A1",
    ]


def test_inline_actions_descend_from_their_base() -> None:
    db = program(
        main="""
abstract action Touch = { x:int }
component <C emits { Moved extends Touch { far:boolean } Other { } } /> = { <b/> }
action Tap extends Touch = {}
"""
    )
    assert [id.name for id in descendants(db, main("Touch"))] == ["C.Moved", "Tap"]
    assert field_names(effective_fields(db, main("C.Moved"))) == ["x", "far"]


def test_update_records_and_broken_ones_are_no_descendants() -> None:
    db = program(
        main="abstract type A extends A = {}\nabstract type B = {}\ntype C extends Nope = {}\n"
    )
    assert descendants(db, main("A")) == ()
    assert descendants(db, main("B")) == ()


def test_looking_for_descendants_parses_nothing_that_extends_nothing() -> None:
    db = program(
        main="abstract type Base = { a:int }\ntype D extends Base = { b:int }\nlet f() = 1\n",
        other="type Unrelated = { a:int }\ncomponent <C emits { Go { } } /> = { <b/> }\n",
    )
    assert [id.name for id in descendants(db, main("Base"))] == ["D"]
    assert db.runs["declaration"] == 1  # Base: an abstract record may turn out to be generic
