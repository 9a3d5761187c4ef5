"""schema-contract 2: what every document looks like."""

from __future__ import annotations

import json

import pytest
from schema_validity import ask, ask_type, input_of, output_of, program, same, schema_of


def test_root_members_stand_in_order():
    document = ask("type Plan = { n:int }\nlet f(): Plan = {}")["outputSchema"]
    same(
        document,
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$ref": "#/$defs/Plan",
            "$defs": {
                "Plan": {
                    "type": "object",
                    "properties": {"$type": {"const": "Plan"}, "n": {"type": "integer"}},
                    "required": ["$type", "n"],
                    "additionalProperties": False,
                }
            },
        },
    )


def test_no_definitions_without_something_to_define():
    answer = ask("let f(a:int, b:string): int = 1")
    assert "$defs" not in answer["inputSchema"]
    assert "$defs" not in answer["outputSchema"]


def test_every_mention_is_a_reference_to_one_entry():
    document = input_of("type Plan = { n:int }\nlet f(a:Plan, b:Plan+, c?:Plan): int = 1")
    reference = {"$ref": "#/$defs/Plan"}
    same(
        document["properties"],
        {"a": reference, "b": {"type": "array", "items": reference, "minItems": 1}, "c": reference},
    )
    assert list(document["$defs"]) == ["Plan"]


def test_a_record_that_mentions_itself_is_described_once():
    document = input_of("type Folder = { name:string children?:Folder+ }\nlet f(a:Folder): int = 1")
    same(
        document["$defs"]["Folder"]["properties"]["children"],
        {"type": "array", "items": {"$ref": "#/$defs/Folder"}, "minItems": 1},
    )


def test_aliases_and_abstract_records_have_no_entry():
    document = schema_of(
        "abstract type Base = { id:int }\ntype A extends Base = { }\ntype Also = Base\n"
        "type Holder = { a:Also b:Base }",
        "Holder",
    )
    assert list(document["$defs"]) == ["Holder", "A"]


def test_entries_stand_in_the_order_of_first_mention():
    # Each entry is looked into where it is first mentioned, before the next field is.
    source = """
type Plan = { b:B a:A }
type A = { n:int }
type C = { n:int }
type B = { c:C d?:D }
type D = | first { plan:Plan } | second { e:E }
type E = { n:int }
type Z = { n:int }
let f(z:Z, plan:Plan): int = 1
"""
    assert list(input_of(source)["$defs"]) == [
        "Z",
        "Plan",
        "B",
        "C",
        "D",
        "D.first",
        "D.second",
        "E",
        "A",
    ]


def test_keys_hold_ascii_letters_digits_and_few_signs_only():
    document = schema_of("type Größe = | riesig_ü { n:int }", "Größe")
    assert list(document["$defs"]) == ["Gr__e", "Gr__e.riesig__"]
    same(document["$defs"]["Gr__e"], {"anyOf": [{"$ref": "#/$defs/Gr__e.riesig__"}]})
    assert document["$defs"]["Gr__e.riesig__"]["properties"]["$type"] == {"const": "Größe.riesig_ü"}


CARDS = {
    "left.nx": "export type Card = { l:int }",
    "right.nx": "export type Card = { r:int }",
    "third.nx": "export type Card = { t:int }",
}


def test_a_taken_key_gets_a_number():
    source = """
import "./left.nx" as L
import "./right.nx" as R
import "./third.nx" as T
let f(a:L.Card, b:R.Card, c:T.Card, d:L.Card): int = 1
"""
    document = input_of({**CARDS, "main.nx": source})
    assert {k: v["$ref"] for k, v in document["properties"].items()} == {
        "a": "#/$defs/Card",
        "b": "#/$defs/Card_2",
        "c": "#/$defs/Card_3",
        "d": "#/$defs/Card",
    }
    assert list(document["$defs"]["Card_2"]["properties"]) == ["r"]


def test_a_key_may_be_taken_by_something_with_a_number_in_its_name():
    source = """
import "./left.nx" as L
import "./right.nx" as R
type Card_2 = { n:int }
let f(z:Card_2, a:L.Card, b:R.Card): int = 1
"""
    document = input_of({**CARDS, "main.nx": source})
    assert list(document["$defs"]) == ["Card_2", "Card", "Card_3"]


GENERIC = """
type Page = { T:type items:T+ }
type Pair = { B:type A:type a:A b:B }
type Plan = { n:int }
type Status = on | off
type Names = Plan
type Phantom = { T:type n:int }
abstract type Base = { id:int }
type Small extends Base = { }
"""


@pytest.mark.parametrize(
    ("type", "key"),
    [
        ("<Page T=Plan />", "Page_Plan"),
        ("<Page T=string />", "Page_string"),
        ("<Page T=object />", "Page_object"),
        ("<Page T=Status />", "Page_Status"),
        ("<Page T=Names />", "Page_Plan"),
        ("<Page T=Base />", "Page_Base"),
        ("<Page T=Plan.Update />", "Page_Plan.Update"),
        ("<Pair A=int B=Plan />", "Pair_Plan_int"),
        ("<Page T=<Phantom T=int /> />", "Page_Phantom_int"),
        ("<Page T=int where > 0 />", "Page_int"),
        ("Page", "Page"),
    ],
)
def test_an_applied_record_is_keyed_by_its_arguments_in_declaration_order(type, key):
    document = input_of(f"{GENERIC}let f(a:{type}): int = 1")
    same(document["properties"]["a"], {"$ref": f"#/$defs/{key}"})


def test_a_derived_record_takes_its_name():
    document = input_of(f"{GENERIC}let f(a:Plan.Update, b:Plan.Property): int = 1")
    assert list(document["$defs"]) == ["Plan.Update", "Plan.Property"]


def test_applied_records_that_differ_only_in_what_the_key_does_not_show_are_two_entries():
    document = input_of(f"{GENERIC}let f(a:<Page T=int where > 0 />, b:<Page T=int />): int = 1")
    assert list(document["$defs"]) == ["Page_int", "Page_int_2"]


def test_an_arguments_own_key_is_the_one_with_its_number():
    source = f"""
import "./left.nx" as L
import "./right.nx" as R
{GENERIC}
let f(a:L.Card, b:<Page T=R.Card />): int = 1
"""
    document = input_of({**CARDS, "main.nx": source})
    assert list(document["$defs"]) == ["Card", "Page_Card_2", "Card_2"]


def test_an_argument_that_is_not_mentioned_has_no_entry():
    document = input_of(f"{GENERIC}let f(a:<Phantom T=Plan />): int = 1")
    assert list(document["$defs"]) == ["Phantom_Plan"]


def test_the_same_question_gives_the_same_bytes():
    source = f"{GENERIC}let f(a:<Page T=Plan />, b:Base, c:Status = on): <Page T=Status /> = {{}}"
    first = json.dumps(ask(source), ensure_ascii=False)
    asked = program(source)
    asked.type_schema("Page")
    assert json.dumps(ask(asked), ensure_ascii=False) == first
    assert json.dumps(ask(asked), ensure_ascii=False) == first


def test_a_closed_object_has_its_members_in_order():
    document = schema_of("/// Doc.\ntype Plan = { n:int }", "Plan")
    assert list(document["$defs"]["Plan"]) == [
        "type",
        "properties",
        "required",
        "additionalProperties",
        "description",
    ]
    document = schema_of("/// Doc.\ntype Plan = { n?:int }", "Plan", "input")
    assert list(document["$defs"]["Plan"]) == [
        "type",
        "properties",
        "additionalProperties",
        "description",
    ]


def test_description_and_default_stand_beside_the_schema_in_that_order():
    source = """
type Status = on | off
let f(
  /// N.
  n:int = 3,
  /// S.
  s:Status = on,
  /// T.
  t?:int+
): int = 1
"""
    same(
        input_of(source)["properties"],
        {
            "n": {"type": "integer", "description": "N.", "default": 3},
            "s": {"$ref": "#/$defs/Status", "description": "S.", "default": "on"},
            "t": {
                "type": "array",
                "items": {"type": "integer"},
                "minItems": 1,
                "description": "T.",
            },
        },
    )


def test_the_root_of_the_arguments_is_a_closed_object_in_declaration_order():
    same(
        input_of("let f(b:int, a:string, c?:boolean): int = 1"),
        {
            "type": "object",
            "properties": {
                "b": {"type": "integer"},
                "a": {"type": "string"},
                "c": {"type": "boolean"},
            },
            "required": ["b", "a"],
            "additionalProperties": False,
        },
    )


def test_no_parameters_no_properties():
    same(
        input_of("let f(): int = 1"),
        {"type": "object", "properties": {}, "additionalProperties": False},
    )


def test_the_functions_own_documentation_is_not_in_its_documents():
    assert "description" not in ask("/// Doc.\nlet f(): int = 1")["inputSchema"]
    assert "description" not in ask("/// Doc.\nlet f(): int = 1")["outputSchema"]


def test_the_root_element_is_a_function():
    answer = ask("type Plan = { n:int }\n<Plan n={1} />", "root")
    assert answer["resultType"] == "Plan"
    assert output_of("type Plan = { n:int }\n<Plan n={1} />", "root")["$ref"] == "#/$defs/Plan"


def test_type_documents_have_references_at_their_root_too():
    assert ask_type("type Status = on | off", "Status")["schema"]["$ref"] == "#/$defs/Status"
