"""schema-contract 7: unions."""

from __future__ import annotations

import pytest
from schema_validity import output_of, same, schema_of


@pytest.mark.parametrize("direction", ["input", "output"])
def test_constant_cases_only_is_a_string_enum(direction):
    same(
        schema_of("type HttpMethod = get | post | put", "HttpMethod", direction),
        {
            "$ref": "#/$defs/HttpMethod",
            "$defs": {"HttpMethod": {"type": "string", "enum": ["get", "post", "put"]}},
        },
    )


@pytest.mark.parametrize("direction", ["input", "output"])
def test_a_payload_case_always_has_its_discriminator(direction):
    same(
        schema_of("type Load = | failed { message:string retry?:int }", "Load", direction)["$defs"],
        {
            "Load": {"anyOf": [{"$ref": "#/$defs/Load.failed"}]},
            "Load.failed": {
                "type": "object",
                "properties": {
                    "$type": {"const": "Load.failed"},
                    "message": {"type": "string"},
                    "retry": {"type": "integer"},
                },
                "required": ["$type", "message"],
                "additionalProperties": False,
            },
        },
    )


def test_mixed_cases_are_one_enum_and_then_the_payload_cases():
    source = "type U = | b { n:int } | on | a { n:int } | off"
    same(
        schema_of(source, "U")["$defs"]["U"],
        {
            "anyOf": [
                {"type": "string", "enum": ["on", "off"]},
                {"$ref": "#/$defs/U.b"},
                {"$ref": "#/$defs/U.a"},
            ]
        },
    )


def test_an_empty_payload_is_a_constant_case():
    same(
        schema_of("type U = | a { } | b { n:int }", "U")["$defs"]["U"]["anyOf"][0],
        {"type": "string", "enum": ["a"]},
    )


def test_a_union_with_a_base_has_payload_cases_only():
    source = """
abstract type Event = { source:string = "ui" at:int }
type UiEvent extends Event = | closed | clicked { x:int }
"""
    document = schema_of(source, "UiEvent", "input")
    same(
        document["$defs"]["UiEvent"],
        {"anyOf": [{"$ref": "#/$defs/UiEvent.closed"}, {"$ref": "#/$defs/UiEvent.clicked"}]},
    )
    same(
        document["$defs"]["UiEvent.closed"],
        {
            "type": "object",
            "properties": {
                "$type": {"const": "UiEvent.closed"},
                "source": {"type": "string", "default": "ui"},
                "at": {"type": "integer"},
            },
            "required": ["$type", "at"],
            "additionalProperties": False,
        },
    )
    assert list(document["$defs"]["UiEvent.clicked"]["properties"]) == [
        "$type",
        "source",
        "at",
        "x",
    ]


def test_a_property_union_names_the_effective_fields():
    source = """
abstract type Base = { id:int }
type Plan extends Base = { name:string aria-label?:string }
"""
    same(
        schema_of(source, "Plan.Property"),
        {
            "$ref": "#/$defs/Plan.Property",
            "$defs": {"Plan.Property": {"type": "string", "enum": ["id", "name", "aria-label"]}},
        },
    )


def test_type_parameters_are_no_fields():
    document = schema_of("type Page = { T:type items:T+ total:int }", "Page.Property")
    assert document["$defs"]["Page.Property"]["enum"] == ["items", "total"]


def test_an_inferred_constant_case_is_an_enum_of_one():
    same(
        output_of("type Status = on | off\nlet f() = { Status.on }"),
        {"type": "string", "enum": ["on"]},
    )


def test_an_inferred_payload_case_is_a_reference_to_its_own_entry():
    source = 'type Load = | failed { message:string } | done\nlet f() = <Load.failed message="x" />'
    document = output_of(source)
    assert document["$ref"] == "#/$defs/Load.failed"
    assert list(document["$defs"]) == ["Load.failed"]


def test_inferred_cases_of_one_union_join_to_it():
    source = "type Status = on | off\nlet f(b:boolean) = { if b { Status.on } else { Status.off } }"
    assert output_of(source)["$ref"] == "#/$defs/Status"
