"""schema-contract 3 to 5: primitives, occurrences and constrained types."""

from __future__ import annotations

import json

import pytest
from schema_validity import argument, ask, input_of, output_of, result, same, schema_of

PRIMITIVES = {
    "string": {"type": "string"},
    "boolean": {"type": "boolean"},
    "int": {"type": "integer"},
    "int64": {"type": "integer"},
    "int32": {"type": "integer", "minimum": -2147483648, "maximum": 2147483647},
    "float32": {"type": "number"},
    "float64": {"type": "number"},
    "object": {"not": {"type": "null"}},
}


@pytest.mark.parametrize("name", PRIMITIVES)
def test_primitives(name):
    same(argument(name), PRIMITIVES[name])
    same(result(name), PRIMITIVES[name])


@pytest.mark.parametrize("name", PRIMITIVES)
def test_occurrences(name):
    item = PRIMITIVES[name]
    some = {"type": "array", "items": item, "minItems": 1}
    same(argument(f"{name}+"), some)
    same(result(f"{name}+"), some)
    same(result(f"{name}*"), {"type": "array", "items": item})
    same(result(f"{name}?"), {"anyOf": [item, {"type": "null"}]})


def test_a_marked_parameter_has_the_schema_of_its_type_and_is_not_required():
    same(
        input_of("let f(a?:string, b?:int+): int = 1"),
        {
            "type": "object",
            "properties": {
                "a": {"type": "string"},
                "b": {"type": "array", "items": {"type": "integer"}, "minItems": 1},
            },
            "additionalProperties": False,
        },
    )


@pytest.mark.parametrize("direction", ["input", "output"])
def test_a_marked_field_never_admits_null(direction):
    entry = schema_of("type R = { a?:string b:int }", "R", direction)["$defs"]["R"]
    same(entry["properties"]["a"], {"type": "string"})
    assert "a" not in entry["required"]


def test_occurrences_come_through_aliases():
    declarations = "type Names = string+\ntype Maybe = string?\ntype Any = string*"
    same(
        argument("Names", declarations),
        {"type": "array", "items": {"type": "string"}, "minItems": 1},
    )
    same(result("Maybe", declarations), {"anyOf": [{"type": "string"}, {"type": "null"}]})
    same(result("Any", declarations), {"type": "array", "items": {"type": "string"}})


def test_an_inferred_result_may_be_null_too():
    same(
        output_of('let f(b:boolean) = { if b { "a" } }'),
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
    )


@pytest.mark.parametrize("slot", ["string?", "string*", "Maybe", "Any"])
def test_a_slot_that_admits_zero_counts_as_the_marked_form(slot):
    # An error in the program (optional-in-type-slot); users of the slot treat it as marked.
    source = f"type Maybe = string?\ntype Any = string*\nlet f(a:{slot}): int = 1"
    answer = ask(source)
    assert answer["parameters"][0]["required"] is False
    item = {"type": "string"}
    many = slot in ("string*", "Any")
    same(
        answer["inputSchema"]["properties"]["a"],
        {"type": "array", "items": item, "minItems": 1} if many else item,
    )
    assert "required" not in answer["inputSchema"]


@pytest.mark.parametrize(
    ("type", "schema"),
    [
        # the contract's own table
        ("int where in 1..=10", '{"type":"integer","minimum":1,"maximum":10}'),
        ("int where > 0", '{"type":"integer","minimum":1}'),
        (
            "float64 where > 0.0 && < 1.0",
            '{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1}',
        ),
        ("float32 where < 1.0", '{"type":"number","maximum":0.9999999403953552}'),
        ("int32 where >= 0", '{"type":"integer","minimum":0,"maximum":2147483647}'),
        # an open end adds nothing
        ("int where in 3..", '{"type":"integer","minimum":3}'),
        ("int where in ..=5", '{"type":"integer","maximum":5}'),
        # exclusive ends of integers become inclusive neighbours
        ("int where in 0..10", '{"type":"integer","minimum":0,"maximum":9}'),
        ("int64 where > -5 && < 5", '{"type":"integer","minimum":-4,"maximum":4}'),
        # a bound replaces the base's own on the same side only
        ("int32 where < 100", '{"type":"integer","minimum":-2147483648,"maximum":99}'),
        ("int32 where in 1..=2", '{"type":"integer","minimum":1,"maximum":2}'),
        # float64 as written, integral without a fraction
        ("float64 where >= 0.1", '{"type":"number","minimum":0.1}'),
        ("float64 where in 0.5..2.0", '{"type":"number","minimum":0.5,"exclusiveMaximum":2}'),
        ("float64 where > -1.0", '{"type":"number","exclusiveMinimum":-1}'),
        ("float64 where >= 3", '{"type":"number","minimum":3}'),
        ("float64 where in 0.1..=0.1", '{"type":"number","minimum":0.1,"maximum":0.1}'),
        ("float64 where > 1.0e-400", '{"type":"number","exclusiveMinimum":0}'),
        # float32: every end an inclusive float32 value inside the interval
        ("float32 where <= 1.0", '{"type":"number","maximum":1}'),
        ("float32 where > 1.0", '{"type":"number","minimum":1.0000001192092896}'),
        ("float32 where >= 0.1", '{"type":"number","minimum":0.10000000149011612}'),
        ("float32 where <= 0.1", '{"type":"number","maximum":0.09999999403953552}'),
        ("float32 where > 0.0", '{"type":"number","minimum":1.401298464324817e-45}'),
        # several terms
        ("int where > 0 && > 5 && <= 9", '{"type":"integer","minimum":6,"maximum":9}'),
        ("int where in 0x10..=0xFF", '{"type":"integer","minimum":16,"maximum":255}'),
    ],
)
def test_constrained_types(type, schema):
    assert json.dumps(argument(type), separators=(",", ":")) == schema
    assert json.dumps(result(type), separators=(",", ":")) == schema


def test_a_constrained_alias_constrained_again_intersects():
    declarations = "type Percent = int where in 0..=100"
    same(
        argument("Percent where > 50", declarations),
        {"type": "integer", "minimum": 51, "maximum": 100},
    )
    same(argument("Percent", declarations), {"type": "integer", "minimum": 0, "maximum": 100})


def test_constrained_types_under_occurrences():
    item = {"type": "integer", "minimum": 1}
    same(argument("(int where > 0)+"), {"type": "array", "items": item, "minItems": 1})
    same(result("(int where > 0)?"), {"anyOf": [item, {"type": "null"}]})


def test_the_entry_keeps_the_constraint_as_written():
    answer = ask("let f(a?:int where in 0x1..=10, b:(int where > 0)+): int = 1")
    assert [entry["type"] for entry in answer["parameters"]] == [
        "int where in 0x1..=10",
        "(int where > 0)+",
    ]


def test_a_bound_beyond_the_base_never_widens_it():
    # The bound is an error in the program; an int32 outside its range stays refused.
    same(
        argument("int32 where <= 3000000000"),
        {"type": "integer", "minimum": -2147483648, "maximum": 2147483647},
    )


def test_an_empty_interval_admits_nothing():
    same(argument("int where > 5 && < 3"), {"type": "integer", "minimum": 6, "maximum": 2})


def test_a_constraint_on_something_else_is_reported_and_total():
    answer = ask("type Plan = { n:int }\nlet f(a:Plan where > 0, b:string where > 0): int = 1")
    assert answer["module"] == "main.nx"
