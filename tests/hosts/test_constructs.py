"""What becomes of each construct at each host: the table of editor-experience 10, row by row."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from host_programs import LONG, answers, notes_of

from nx_lsp import HOSTS, CopyOptions, Program
from nx_lsp.schema.hosts.merging import CannotMerge, merged, nullable

PLACES = {
    "mcp": "/inputSchema",
    "openai": "/function/parameters",
    "openai-strict": "/function/parameters",
    "anthropic": "/input_schema",
    "ax": "/parameters",
}
AS_THEY_ARE = ("mcp", "openai", "anthropic")
"""Hosts that take the schema of arguments as it is."""


def document(name: str, host: Any) -> dict[str, Any]:
    found = answers()[name].for_host(host).document
    assert found is not None
    return found


def parameters(name: str, host: Any) -> dict[str, Any]:
    found: Any = document(name, host)
    for token in PLACES[host].split("/")[1:]:
        found = found[token]
    return found


def codes(name: str, host: Any) -> set[str]:
    return {code for code, *_ in notes_of(answers()[name], host)}


def contract(name: str) -> dict[str, Any]:
    """The input schema without the root `$schema`."""
    schema = dict(answers()[name].input_schema or {})
    del schema["$schema"]
    return schema


# ---------------------------------------------------------------- taken as they are


@pytest.mark.parametrize("host", AS_THEY_ARE)
@pytest.mark.parametrize(
    "name",
    [
        "words",
        "evaluate",
        "pay",
        "payAnyhow",
        "anything",
        "bounded",
        "change",
        "hasUser",
        "nothing",
    ],
)
def test_these_hosts_take_what_the_contract_says(name: str, host: str) -> None:
    """References and recursion, `anyOf` below the root, `const`, `default`, bounds, `minItems`,
    optional arguments and `not`: kept."""
    assert parameters(name, host) == contract(name)
    root = f"{PLACES[host]}/$schema"
    about_arguments = {
        (code, pointer)
        for code, pointer, _ in notes_of(answers()[name], host)
        if pointer.startswith(PLACES[host])
    }
    assert about_arguments == {("meta-schema-left-out", root)}
    assert not answers()[name].for_host(host).lossy


# ---------------------------------------------------------------- recursion


def test_recursion_in_strict_mode_stays() -> None:
    assert parameters("words", "openai-strict")["$defs"]["Tree"] == {
        "type": "object",
        "properties": {
            "word": {"type": "string", "description": "What it says."},
            "children": {
                "anyOf": [
                    {"type": "array", "items": {"$ref": "#/$defs/Tree"}, "minItems": 1},
                    {"type": "null"},
                ],
                "description": "What is below.",
            },
        },
        "required": ["word", "children"],
        "additionalProperties": False,
        "description": "A tree of words.",
    }


def test_recursion_in_ax_becomes_an_open_object() -> None:
    assert parameters("words", "ax") == {
        "type": "object",
        "properties": {
            "tree": {
                "type": "object",
                "properties": {
                    "word": {"type": "string", "description": "What it says."},
                    "children": {
                        "type": "array",
                        "items": {"type": "object", "description": "A tree of words."},
                        "description": "What is below.\n\nAt least 1 item.",
                    },
                },
                "required": ["word"],
                "additionalProperties": False,
                "description": "The tree.",
            }
        },
        "required": ["tree"],
        "additionalProperties": False,
    }
    below = "/parameters/properties/tree/properties/children"
    assert list(notes_of(answers()["words"], "ax")) == [
        ("meta-schema-left-out", "/parameters/$schema", False),
        ("references-inlined", "/parameters", False),
        ("recursion-opened", f"{below}/items", True),
        ("bound-in-description", below, True),
        ("meta-schema-left-out", "/returns/$schema", False),
    ]


# ---------------------------------------------------------------- choices


def test_a_choice_in_strict_mode_stays_and_const_is_an_enum() -> None:
    found = parameters("pay", "openai-strict")
    assert found["$defs"]["Payment"]["anyOf"] == [
        {"$ref": "#/$defs/Payment.card"},
        {"$ref": "#/$defs/Payment.points"},
    ]
    card = found["$defs"]["Payment.card"]["properties"]
    assert card["$type"] == {"type": "string", "enum": ["Payment.card"]}
    note = ("const-as-enum", "/function/parameters/$defs/Payment.card/properties/$type", False)
    assert note in set(notes_of(answers()["pay"], "openai-strict"))


def test_a_choice_in_ax_is_merged() -> None:
    payment = parameters("pay", "ax")["properties"]["payment"]
    assert payment["properties"] == {
        "$type": {
            "type": "string",
            "enum": ["Payment.card", "Payment.points"],
            "description": "Says what this is. `Payment.card` has `number`, `now`. "
            "`Payment.points` has `amount`.",
        },
        "number": {"type": "string", "description": "Its number."},
        "now": {"type": "boolean", "description": "Whether now.\n\nUsed when left out: true."},
        "amount": {"type": "integer", "description": "How many.\n\nAt least 1."},
    }
    assert payment["required"] == ["$type"]
    assert payment["description"] == "How."
    notes = set(notes_of(answers()["pay"], "ax"))
    assert ("choice-merged", "/parameters/properties/payment", True) in notes
    assert ("const-as-enum", "/parameters/properties/payment/properties/$type", False) in notes


def test_a_choice_between_kinds_is_refused_by_ax() -> None:
    copy = answers()["payAnyhow"].for_host("ax")
    assert copy.document is None
    assert "choice-not-merged" in {note.code for note in copy.notes}
    assert any("a union whose cases all have fields" in note.message for note in copy.notes)


OBJECT = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}


@pytest.mark.parametrize(
    ("branches", "wanted"),
    [
        ([{"type": "integer"}], {"type": "integer"}),
        ([{"type": "integer"}, {"type": "integer"}], {"type": "integer"}),
        (
            [{"type": "string", "enum": ["a", "b"]}, {"type": "string", "enum": ["b", "c"]}],
            {"type": "string", "enum": ["a", "b", "c"]},
        ),
        ([OBJECT, {"type": "object"}], {"type": "object"}),
        (
            [
                {"type": "integer", "description": "One."},
                {"type": "integer", "description": "Two."},
                {"type": "integer", "description": "One."},
            ],
            {"type": "integer", "description": "One.\n\nTwo."},
        ),
    ],
)
def test_merging(branches: list[dict[str, Any]], wanted: dict[str, Any]) -> None:
    assert merged(branches) == wanted


@pytest.mark.parametrize(
    "branches",
    [
        [{"type": "integer"}, {"type": "string"}],
        [{"type": "string", "enum": ["a"]}, {"type": "string"}],
        [{"type": "string", "enum": ["a"]}, OBJECT],
        [OBJECT, {"type": "object", "properties": {"a": {"type": "string"}}}],
        [{"type": "array", "items": {"type": "string"}}, {"type": "array", "items": OBJECT}],
    ],
)
def test_what_cannot_be_merged(branches: list[dict[str, Any]]) -> None:
    with pytest.raises(CannotMerge):
        merged(branches)


def test_null_beside_a_type() -> None:
    assert nullable({"type": "integer"}) == {"type": ["integer", "null"]}
    enum = {"type": "string", "enum": ["a"]}
    assert nullable(enum) == {"type": ["string", "null"], "enum": ["a", None]}
    assert nullable(nullable(enum)) == nullable(enum)


# ---------------------------------------------------------------- any value


def test_any_value_is_refused_in_strict_mode() -> None:
    copy = answers()["anything"].for_host("openai-strict")
    assert copy.document is None
    (note,) = copy.notes
    assert (note.pointer, note.code) == ("/function/parameters/properties/what", "open-value")
    assert "declare a record" in note.message


def test_any_value_is_an_open_object_in_ax() -> None:
    assert parameters("anything", "ax")["properties"]["what"] == {
        "type": "object",
        "description": "What.",
    }
    assert ("open-object", "/parameters/properties/what", False) in set(
        notes_of(answers()["anything"], "ax")
    )


# ---------------------------------------------------------------- defaults, bounds, options


def test_defaults_bounds_and_options_in_strict_mode() -> None:
    found = parameters("bounded", "openai-strict")
    assert found["required"] == ["count", "share", "names"]
    assert found["properties"] == {
        "count": {
            "anyOf": [{"type": "integer", "minimum": 1, "maximum": 10}, {"type": "null"}],
            "description": "How many.\n\nUsed when left out: 3.",
        },
        "share": {
            "anyOf": [
                {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
                {"type": "null"},
            ],
            "description": "How much.",
        },
        "names": {
            "type": "array",
            "items": {"type": "string"},
            "minItems": 1,
            "description": "Names.",
        },
    }
    below = "/function/parameters/properties"
    assert list(notes_of(answers()["bounded"], "openai-strict"))[2:] == [
        ("optional-null", f"{below}/count", False),
        ("default-in-description", f"{below}/count", False),
        ("optional-null", f"{below}/share", False),
    ]


def test_defaults_and_bounds_in_ax() -> None:
    found = parameters("bounded", "ax")
    assert found["required"] == ["names"]
    assert found["properties"] == {
        "count": {
            "type": "integer",
            "description": "How many.\n\nAt least 1. At most 10. Used when left out: 3.",
        },
        "share": {
            "type": "number",
            "description": "How much.\n\nMore than 0. Less than 1.",
        },
        "names": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Names.\n\nAt least 1 item.",
        },
    }
    lossy = [code for code, _, lossy in notes_of(answers()["bounded"], "ax") if lossy]
    assert lossy == ["bound-in-description"] * 5


def test_a_reference_with_a_description_in_strict_mode() -> None:
    found = parameters("words", "openai-strict")["properties"]["tree"]
    assert found == {"anyOf": [{"$ref": "#/$defs/Tree"}], "description": "The tree."}
    note = ("reference-wrapped", "/function/parameters/properties/tree", False)
    assert note in set(notes_of(answers()["words"], "openai-strict"))


def test_an_update_in_strict_mode_keeps_null_and_absence_apart() -> None:
    found = parameters("change", "openai-strict")["$defs"]["User.Update"]["properties"]
    assert found["name"]["anyOf"] == [{"type": "string"}, {"type": "null"}]
    present = {
        "type": "object",
        "properties": {"value": {"anyOf": [{"type": "integer"}, {"type": "null"}]}},
        "required": ["value"],
        "additionalProperties": False,
    }
    assert found["age"]["anyOf"] == [present, {"type": "null"}]
    assert "optional-wrapped" in codes("change", "openai-strict")


# ---------------------------------------------------------------- names


@pytest.mark.parametrize(("host", "longest"), [("openai", 64), ("openai-strict", 64)])
def test_a_name_that_is_too_long_is_cut(host: Any, longest: int) -> None:
    copy = answers()[LONG].for_host(host)
    assert len(copy.name) == longest
    assert copy.name.startswith("a" * (longest - 9) + "_")
    assert copy.document is not None
    assert copy.document["function"]["name"] == copy.name
    assert ("name-changed", "/function/name", False) in set(notes_of(answers()[LONG], host))
    other = answers()[LONG].for_host(host, name="a" * 81)
    assert other.name != copy.name


@pytest.mark.parametrize("host", ["mcp", "anthropic", "ax"])
def test_these_take_128_characters(host: Any) -> None:
    assert answers()[LONG].for_host(host).name == LONG
    assert len(answers()[LONG].for_host(host, name="a" * 129).name) == 128


def test_anthropic_advises_64_and_insists_on_them_for_arguments() -> None:
    assert "name-long" in codes(LONG, "anthropic")
    ((short, _),) = parameters(LONG, "anthropic")["properties"].items()
    assert len(short) == 64
    assert parameters(LONG, "anthropic")["required"] == [short]
    copy = answers()[LONG].for_host("anthropic")
    assert copy.decode_arguments({short: 1}) == {LONG: 1}
    assert copy.encode_arguments({LONG: 1}) == {short: 1}


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("mcp", "a.b-c_d"),
        ("ax", "a.b-c_d"),
        ("openai", "a_b-c_d"),
        ("openai-strict", "a_b-c_d"),
        ("anthropic", "a_b-c_d"),
    ],
)
def test_characters_of_names(host: Any, name: str) -> None:
    assert answers()["nothing"].for_host(host, name="a.b-c_d").name == name
    assert answers()["nothing"].for_host(host, name="ä b").name == "__b"
    assert answers()["nothing"].for_host(host, name="").name == "tool"


# ---------------------------------------------------------------- descriptions and results


def test_ax_needs_descriptions() -> None:
    copy = answers()["undescribed"].for_host("ax")
    assert [(note.pointer, note.code) for note in copy.notes] == [
        ("/description", "no-description"),
        ("/parameters/properties/a", "no-description"),
    ]
    inside = answers()["plain"].for_host("ax")
    assert [note.pointer for note in inside.notes] == ["/parameters/properties/plain/properties/a"]
    # What is told in the place of a bound is no description.
    source = "/// Counts.\nlet f(n:int where > 0): int = 1\n"
    bound = Program.from_sources({"main.nx": source}).function_schema("f").for_host("ax")
    assert [note.code for note in bound.notes] == ["no-description"]
    for host in AS_THEY_ARE:
        assert not answers()["undescribed"].for_host(host).refused


def test_results_of_mcp() -> None:
    assert document("nothing", "mcp")["outputSchema"] == {
        "type": "object",
        "properties": {"result": {"type": "boolean"}},
        "required": ["result"],
        "additionalProperties": False,
    }
    assert "result-wrapped" in codes("nothing", "mcp")
    # A record is an object already.
    user = document("hasUser", "mcp")["outputSchema"]
    assert list(user["properties"]) == ["$type", "name", "age", "city"]
    assert "$defs" not in user
    assert "result-inlined" in codes("hasUser", "mcp")
    # A union, and what may be absent, are none.
    for name in ("pay", "change"):
        assert list(document(name, "mcp")["outputSchema"]["properties"]) == ["result"]
    assert document("pay", "mcp")["outputSchema"]["properties"]["result"] == {
        "$ref": "#/$defs/Payment"
    }
    assert set(document("pay", "mcp")["outputSchema"]["$defs"]) == {
        "Payment",
        "Payment.card",
        "Payment.points",
    }


def test_a_record_that_holds_itself_keeps_its_definition() -> None:
    answer = answers()["words"]
    tree = answer.input_schema["$defs"]["Tree"] if answer.input_schema else {}
    schema = {"$ref": "#/$defs/Tree", "$defs": {"Tree": tree, "Other": {"type": "string"}}}
    copy = replace(answer, output_schema=schema).for_host("mcp")
    assert copy.document is not None
    root = copy.document["outputSchema"]
    assert root["type"] == "object"
    assert set(root["$defs"]) == {"Tree"}


@pytest.mark.parametrize("host", ["openai", "openai-strict", "anthropic"])
def test_results_in_descriptions(host: Any) -> None:
    def description(copy: Any) -> str:
        found = copy.document.get("function", copy.document)
        return str(found["description"])

    answer = answers()["nothing"]
    assert description(answer.for_host(host)) == "Has no arguments."
    assert "result-left-out" in codes("nothing", host)
    told = answer.for_host(host, options=CopyOptions(result_in_description=True))
    assert description(told) == (
        'Has no arguments.\n\nReturns JSON that is valid against this schema: {"type":"boolean"}'
    )
    assert "result-in-description" in {note.code for note in told.notes}


def test_results_of_ax() -> None:
    assert document("nothing", "ax")["returns"] == {"type": "boolean"}
    assert document("hasUser", "ax")["returns"]["properties"]["$type"] == {
        "type": "string",
        "enum": ["User"],
        "description": "Says what this is: `User`.",
    }
    assert document("change", "ax")["returns"]["type"] == ["object", "null"]


def test_a_result_without_schema_leaves_a_copy_without() -> None:
    assert list(document("hands", "mcp")) == ["name", "description", "inputSchema"]
    assert "no-output-schema" in codes("hands", "mcp")
    assert "returns" not in document("hands", "ax")


def test_ax_leaves_out_a_result_that_it_cannot_take() -> None:
    answer = replace(answers()["nothing"], output_schema=answers()["plain"].output_schema)
    copy = answer.for_host("ax")
    assert copy.document is not None
    assert "returns" not in copy.document
    assert "returns-left-out" in {note.code for note in copy.notes}


@pytest.mark.parametrize("host", HOSTS)
def test_no_copy_without_an_input_schema(host: Any) -> None:
    copy = answers()["callsBack"].for_host(host)
    assert copy.refused
    (note,) = copy.notes
    assert note.code == "no-input-schema"
    assert "`f`" in note.message


@pytest.mark.parametrize("host", HOSTS)
def test_the_meta_schema(host: Any) -> None:
    answer = answers()["nothing"]
    kept = answer.for_host(host, options=CopyOptions(meta_schema=True))
    uri = "https://json-schema.org/draft/2020-12/schema"
    assert (uri in str(kept.document)) == (host == "mcp")
    assert uri not in str(answer.for_host(host).document)


def test_a_long_description_is_told_of() -> None:
    long = answers()["nothing"].for_host("openai", description="x" * 1025)
    assert "description-long" in {note.code for note in long.notes}
    assert long.document is not None
    assert len(long.document["function"]["description"]) == 1025


def test_an_unknown_host() -> None:
    with pytest.raises(ValueError, match='must be one of "mcp", "openai"'):
        answers()["nothing"].for_host("cobol")  # type: ignore[arg-type]
