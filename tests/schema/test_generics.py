"""schema-contract 9: generics, aliases, update records, states."""

from __future__ import annotations

import pytest
from schema_validity import argument, ask_type, input_of, output_of, result, same, schema_of

PAGE = "type Page = { T:type items:T+ next?:T total:int = 0 }\ntype Plan = { n:int }\n"


def test_an_applied_record_has_its_own_entry():
    document = output_of(f"{PAGE}let f(): <Page T=Plan /> = {{}}")
    same(document["$ref"], "#/$defs/Page_Plan")
    same(
        document["$defs"]["Page_Plan"],
        {
            "type": "object",
            "properties": {
                "$type": {"const": "Page"},
                "items": {"type": "array", "items": {"$ref": "#/$defs/Plan"}, "minItems": 1},
                "next": {"$ref": "#/$defs/Plan"},
                "total": {"type": "integer", "default": 0},
            },
            "required": ["$type", "items", "total"],
            "additionalProperties": False,
        },
    )


def test_two_applications_are_two_entries():
    document = input_of(f"{PAGE}let f(a:<Page T=Plan />, b:<Page T=string />): int = 1")
    assert list(document["$defs"]) == ["Page_Plan", "Plan", "Page_string"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("int where > 0", "int where >= 1"),
        ("int where in 1..10", "int where > 0 && <= 0x9"),
        ("int32 where < 5", "int32 where <= 4"),
        ("float32 where < 1.0", "float32 where <= 0.999999940395355224609375"),
        ("float64 where > 0.5 && < 1.0", "float64 where < 1.0 && > 0.50"),
    ],
)
def test_two_spellings_of_one_application_are_one_entry(first, second):
    # A constraint is its interval, not its spelling, so the two types are equal.
    aliases = f"{PAGE}type A = {first}\ntype B = {second}\ntype Box = {{ T:type value:T }}\n"
    base = first.partition(" ")[0]
    document = input_of(f"{aliases}let f(a:<Page T=A />, b:<Page T=B />): int = 1")
    assert list(document["$defs"]) == [f"Page_{base}"]
    document = input_of(
        f"{aliases}let f(a:<Box T=<Page T=A /> />, b:<Box T=<Page T=B /> />): int = 1"
    )
    assert list(document["$defs"]) == [f"Box_Page_{base}", f"Page_{base}"]


def test_applications_with_unequal_intervals_are_two_entries():
    aliases = f"{PAGE}type A = int where > 0\ntype B = int where > 1\n"
    document = input_of(
        f"{aliases}let f(a:<Page T=A />, b:<Page T=B />, c:<Page T=int />): int = 1"
    )
    items = [each["properties"]["next"] for each in document["$defs"].values()]
    assert list(document["$defs"]) == ["Page_int", "Page_int_2", "Page_int_3"]
    same(
        items,
        [{"type": "integer", "minimum": 1}, {"type": "integer", "minimum": 2}, {"type": "integer"}],
    )


def test_named_without_arguments_its_parameter_is_open():
    properties = schema_of(PAGE, "Page")["$defs"]["Page"]["properties"]
    anything = {"not": {"type": "null"}}
    same(properties["items"], {"type": "array", "items": anything, "minItems": 1})
    same(properties["next"], anything)
    same(argument("Page", PAGE), {"$ref": "#/$defs/Page"})


def test_a_record_of_an_applied_record_substitutes_through():
    source = f"{PAGE}type Holder = {{ T:type page:<Page T=T /> }}\n"
    document = input_of(f"{source}let f(a:<Holder T=string />): int = 1")
    assert list(document["$defs"]) == ["Holder_string", "Page_string"]
    document = schema_of(source, "Holder")
    assert list(document["$defs"]) == ["Holder", "Page_object"]


def test_the_prelude_range():
    document = output_of("let f(): <Range T=int /> = {}")
    same(
        document["$defs"]["Range_int"]["properties"],
        {
            "$type": {"const": "Range"},
            "start": document["$defs"]["Range_int"]["properties"]["start"],
            "end": document["$defs"]["Range_int"]["properties"]["end"],
            "endInclusive": document["$defs"]["Range_int"]["properties"]["endInclusive"],
        },
    )
    assert document["$defs"]["Range_int"]["properties"]["start"]["type"] == "integer"


def test_a_record_that_applies_itself_to_itself_stays_finite():
    source = (
        "type Box = { T:type v:T inner?:<Box T=<Box T=T /> /> }\nlet f(b:<Box T=int />): int = 1"
    )
    document = input_of(source)
    # Box_Box_int would go on with a type that applies Box twice in its argument.
    same(
        {key: entry["properties"]["inner"] for key, entry in document["$defs"].items()},
        {
            "Box_int": {"$ref": "#/$defs/Box_Box_int"},
            "Box_Box_int": {"$ref": "#/$defs/Box"},
            "Box": {"$ref": "#/$defs/Box_Box_object"},
            "Box_Box_object": {"$ref": "#/$defs/Box"},
            "Box_object": {"$ref": "#/$defs/Box_Box_object"},
        },
    )
    same(document["$defs"]["Box_Box_int"]["properties"]["v"], {"$ref": "#/$defs/Box_int"})
    same(document["$defs"]["Box"]["properties"]["v"], {"not": {"type": "null"}})


def test_growth_through_another_record_stays_finite():
    source = """
type Box = { T:type wrap?:<Wrap T=<Box T=T /> /> }
type Wrap = { T:type box?:<Box T=<Wrap T=T /> /> }
let f(b:<Box T=int />): int = 1
"""
    assert len(input_of(source)["$defs"]) < 20


@pytest.mark.parametrize(
    ("type", "key"),
    [
        ("<A T=<B T=<C T=<D T=<E T=int /> /> /> /> />", "A_B_C_D_E_int"),  # four below A and E: 4
        ("<A T=<B T=<C T=<D T=<E T=<F T=int /> /> /> /> /> />", "A"),
    ],
)
def test_arguments_nest_four_deep_at_most(type, key):
    source = "".join(f"type {name} = {{ T:type n:T }}\n" for name in "ABCDEF")
    same(argument(type, source), {"$ref": f"#/$defs/{key}"})


def test_arguments_that_apply_one_record_twice_are_dropped():
    source = "type Box = { T:type v:T }\ntype Pair = { A:type B:type a:A b:B }\n"
    same(
        argument("<Pair A=<Box T=int /> B=<Box T=string /> />", source),
        {"$ref": "#/$defs/Pair"},
    )
    same(argument("<Pair A=<Box T=int /> B=int />", source), {"$ref": "#/$defs/Pair_Box_int_int"})


def test_an_alias_maps_to_its_target():
    source = "type Names = string+\ntype Plan = { n:int }\ntype Also = Plan\ntype Further = Also\n"
    same(argument("Names", source), {"type": "array", "items": {"type": "string"}, "minItems": 1})
    same(argument("Further", source), {"$ref": "#/$defs/Plan"})
    same(
        schema_of(source, "Names"),
        {"type": "array", "items": {"type": "string"}, "minItems": 1},
    )
    assert schema_of(source, "Further")["$ref"] == "#/$defs/Plan"


def test_an_alias_of_a_constrained_type():
    same(
        schema_of("type Stars = int where in 1..=5", "Stars"),
        {"type": "integer", "minimum": 1, "maximum": 5},
    )


USER = """
type Role = admin | guest
abstract type Base = { id:int }
/// A user.
type User extends Base = {
  name:string = "anon"
  /// Where to write.
  email?:string
  role:Role = guest
  tags?:string+
}
"""


def test_an_update_record_requires_nothing_and_clears_with_null():
    same(
        schema_of(USER, "User.Update")["$defs"]["User.Update"],
        {
            "type": "object",
            "properties": {
                "$type": {"const": "User.Update"},
                "id": {"type": "integer"},
                "name": {"type": "string"},
                "email": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "description": "Where to write.",
                },
                "role": {"$ref": "#/$defs/Role"},
                "tags": {
                    "anyOf": [
                        {"type": "array", "items": {"type": "string"}, "minItems": 1},
                        {"type": "null"},
                    ]
                },
            },
            "required": ["$type"],
            "additionalProperties": False,
        },
    )


def test_an_update_record_as_an_argument_has_no_discriminator():
    entry = schema_of(USER, "User.Update", "input")["$defs"]["User.Update"]
    assert "required" not in entry
    assert list(entry["properties"]) == ["id", "name", "email", "role", "tags"]


def test_an_update_of_an_abstract_record_is_a_record():
    same(result("Base.Update", USER)["$ref"], "#/$defs/Base.Update")


def test_an_update_of_a_generic_record_takes_its_arguments():
    document = input_of(f"{PAGE}let f(a:<Page.Update T=Plan />, b:Page.Update): int = 1")
    assert list(document["$defs"]) == ["Page.Update_Plan", "Plan", "Page.Update"]
    same(
        document["$defs"]["Page.Update_Plan"]["properties"]["next"],
        {"anyOf": [{"$ref": "#/$defs/Plan"}, {"type": "null"}]},
    )


COUNTER = """
component <Counter by:int = 1 emits { Moved { to:int } } /> = {
  state {
    /// How often.
    count:int = 0
    label?:string
    limit:int
  }
  <b/>
}
"""


def test_a_state_is_a_record_of_the_state_fields():
    same(
        schema_of(COUNTER, "Counter.State")["$defs"]["Counter.State"],
        {
            "type": "object",
            "properties": {
                "$type": {"const": "Counter.State"},
                "count": {"type": "integer", "description": "How often.", "default": 0},
                "label": {"type": "string"},
                "limit": {"type": "integer"},
            },
            "required": ["$type", "count", "limit"],
            "additionalProperties": False,
        },
    )
    entry = schema_of(COUNTER, "Counter.State", "input")["$defs"]["Counter.State"]
    assert entry["required"] == ["limit"]


def test_a_states_companions():
    entry = schema_of(COUNTER, "Counter.State.Update")["$defs"]["Counter.State.Update"]
    assert list(entry["properties"]) == ["$type", "count", "label", "limit"]
    assert entry["required"] == ["$type"]
    document = schema_of(COUNTER, "Counter.State.Property")
    same(
        document["$defs"]["Counter.State.Property"],
        {"type": "string", "enum": ["count", "label", "limit"]},
    )


def test_an_inline_emitted_action_is_a_record():
    same(
        schema_of(COUNTER, "Counter.Moved")["$defs"]["Counter.Moved"]["properties"],
        {"$type": {"const": "Counter.Moved"}, "to": {"type": "integer"}},
    )


def test_an_optional_alias_asked_for_by_name_is_described_like_a_result():
    same(
        schema_of("type Maybe = string?", "Maybe"),
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
    )


def test_derived_types_have_no_documentation_of_their_own():
    assert "description" not in ask_type(USER, "User.Update")
    assert ask_type(USER, "User")["description"] == "A user."
