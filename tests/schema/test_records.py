"""schema-contract 6: records, defaults, directions."""

from __future__ import annotations

import json

import pytest
from schema_validity import ask, input_of, output_of, same, schema_of


def fields(source, name="R", direction="output"):
    return schema_of(source, name, direction)["$defs"][name]


def test_a_record_is_a_closed_object_of_its_effective_fields():
    source = """
abstract type Entity = { id:int }
abstract type Named extends Entity = { name:string }
type User extends Named = { aria-label:string content body:string }
"""
    same(
        fields(source, "User"),
        {
            "type": "object",
            "properties": {
                "$type": {"const": "User"},
                "id": {"type": "integer"},
                "name": {"type": "string"},
                "aria-label": {"type": "string"},
                "body": {"type": "string"},
            },
            "required": ["$type", "id", "name", "aria-label", "body"],
            "additionalProperties": False,
        },
    )


def test_an_action_is_a_record():
    assert fields("action Go = { to:string }", "Go")["properties"] == {
        "$type": {"const": "Go"},
        "to": {"type": "string"},
    }


BOOKING = "type Booking = { host:string notes?:string durationMinutes:int = 30 }"


def test_required_in_the_input_direction():
    same(
        fields(BOOKING, "Booking", "input"),
        {
            "type": "object",
            "properties": {
                "host": {"type": "string"},
                "notes": {"type": "string"},
                "durationMinutes": {"type": "integer", "default": 30},
            },
            "required": ["host"],
            "additionalProperties": False,
        },
    )


def test_required_in_the_output_direction():
    assert fields(BOOKING, "Booking")["required"] == ["$type", "host", "durationMinutes"]


def test_an_inherited_field_means_what_it_means_where_it_is_written():
    sources = {
        "base.nx": "export type Tint = red | blue\n"
        "export abstract type Base = { tint:Tint = blue }",
        "main.nx": 'import { Base } from "./base.nx"\ntype Tint = { n:int }\n'
        "type R extends Base = { own:Tint }",
    }
    document = schema_of(sources, "R")
    same(
        document["$defs"]["R"]["properties"],
        {
            "$type": {"const": "R"},
            "tint": {"$ref": "#/$defs/Tint", "default": "blue"},
            "own": {"$ref": "#/$defs/Tint_2"},
        },
    )


UNIONS = """
type Status = active | paused
type Also = Status
type Other = active | off
type Mixed = plain | full { n:int }
abstract type Base = { id:int = 1 }
type Based extends Base = | fieldless
type Plan = { name:string size:int }
type Config = { paused:Status }
let c = <Config paused=active />
let active = 1
"""


@pytest.mark.parametrize(
    ("field", "default"),
    [
        ('a:string = "hi"', "hi"),
        ('a:string = ""', ""),
        (r'a:string = "a\nb"', r"a\nb"),  # NX decodes nothing
        ("a:int = 3", 3),
        ("a:int = -3", -3),
        ("a:int = - 3", -3),
        ("a:int = 0xFF", 255),
        ("a:float64 = 1.5", 1.5),
        ("a:float64 = -0.25", -0.25),
        ("a:float64 = 2.0", 2),
        ("a:float64 = 1.5e3", 1500),
        ("a:float64 = 1.0e-400", 0),  # the nearest float64 is zero
        ("a:float64 = 2.00000000000000000001", 2),
        ("a:boolean = true", True),
        ("a:boolean = false", False),
        ("a:int = {3}", 3),
        ("a:int = {-3}", -3),
        ('a:string = {"hi"}', "hi"),
        ("a:Status = active", "active"),
        ("a:Status = {Status.active}", "active"),
        ("a:Also = active", "active"),
        ("a:Status = {Also.active}", "active"),
        ("a:Mixed = plain", "plain"),
        ("a:Plan.Property = size", "size"),
        ("a:Plan.Property = {Plan.Property.size}", "size"),
    ],
)
def test_defaults_that_are_written(field, default):
    schema = fields(f"{UNIONS}type R = {{ {field} }}")["properties"]["a"]
    assert list(schema)[-1] == "default"
    assert json.dumps(schema["default"]) == json.dumps(default)
    # The same holds for parameters.
    schema = input_of(f"{UNIONS}let f({field}): int = 1")["properties"]["a"]
    assert json.dumps(schema["default"]) == json.dumps(default)


@pytest.mark.parametrize(
    "field",
    [
        "a:int = {1 + 2}",
        "a:float64 = 1.0e309",
        "a:float64 = -1.0e309",
        f"a:int = {'9' * 310}",
        "a:int = {c}",
        'a:string = {"a" + "b"}',
        "a:Status = {c.paused}",
        "a:Status = {active}",
        "a:Status = {Other.active}",
        "a:Status = unknown",
        "a:Status = {Status.unknown}",
        "a:string = active",
        "a:Mixed = full",
        "a:Mixed = {Mixed.full}",
        "a:Based = fieldless",
        "a:Based = {Based.fieldless}",
        'a:Plan = <Plan name="a" size={1} />',
        "a:int+ = {1 2}",
        "a:int = {}",
        "a:int = {if true {1} else {2}}",
        "a:int = {(1) (2)}",
    ],
)
def test_defaults_that_are_left_out_and_not_reported(field):
    answer = ask(f"{UNIONS}type R = {{ {field} }}\nlet f({field}): R = {{}}")
    assert "default" not in answer["inputSchema"]["properties"]["a"]
    assert "required" not in answer["inputSchema"]
    entry = answer["outputSchema"]["$defs"]["R"]
    assert "default" not in entry["properties"]["a"]
    assert entry["required"] == ["$type", "a"]
    assert answer["diagnostics"] == []


def test_a_case_is_qualified_through_a_prefix_too():
    sources = {
        "types.nx": "export type Status = active | paused",
        "main.nx": 'import "./types.nx" as T\ntype R = { a:T.Status = {T.Status.paused} }',
    }
    assert fields(sources)["properties"]["a"]["default"] == "paused"


def test_an_earlier_parameter_hides_the_union_of_its_name():
    source = """
type Status = active | paused
type Holder = { active:Status }
let f(Status:Holder, a:Status = {Status.active}): int = 1
let g(a:Status = {Status.active}, Status:int = 1): int = 1
"""
    assert "default" not in input_of(source, "f")["properties"]["a"]
    assert input_of(source, "g")["properties"]["a"]["default"] == "active"


SHAPES = """
abstract type Shape = { name?:string }
type Circle extends Shape = { r:float64 }
type Square extends Shape = { side:float64 within?:Circle }
"""


def test_an_argument_record_has_no_discriminator():
    document = input_of(f"{SHAPES}let f(a:Circle): int = 1")
    same(
        document["$defs"]["Circle"],
        {
            "type": "object",
            "properties": {"name": {"type": "string"}, "r": {"type": "number"}},
            "required": ["r"],
            "additionalProperties": False,
        },
    )


def test_a_result_record_has_its_discriminator_first():
    entry = output_of(f"{SHAPES}let f(): Circle = {{}}")["$defs"]["Circle"]
    assert list(entry["properties"]) == ["$type", "name", "r"]
    assert entry["properties"]["$type"] == {"const": "Circle"}
    assert entry["required"] == ["$type", "r"]


def test_an_argument_at_an_abstract_site_has_its_discriminator():
    definitions = input_of(f"{SHAPES}let f(a:Shape): int = 1")["$defs"]
    for name in ("Circle", "Square"):
        assert definitions[name]["properties"]["$type"] == {"const": name}
        assert definitions[name]["required"][0] == "$type"


@pytest.mark.parametrize(
    "parameters", ["a:Circle, b:Shape", "b:Shape, a:Circle", "a:Square, b:Shape"]
)
def test_a_record_mentioned_both_ways_has_one_entry_with_its_discriminator(parameters):
    document = input_of(f"{SHAPES}let f({parameters}): int = 1")
    assert sorted(document["$defs"]) == ["Circle", "Square"]
    for name in ("Circle", "Square"):
        entry = document["$defs"][name]
        assert next(iter(entry["properties"])) == "$type"
        assert entry["required"][0] == "$type"


def test_what_a_shape_mentions_needs_no_discriminator_of_its_own():
    source = f"{SHAPES}type Big extends Shape = {{ inner:Point }}\ntype Point = {{ x:int }}\n"
    definitions = input_of(f"{source}let f(a:Shape): int = 1")["$defs"]
    assert "$type" not in definitions["Point"]["properties"]
