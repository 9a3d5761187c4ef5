import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from nx_lsp.ide.shortening import cut_text, shorten_schema

SCHEMA_URI = "https://json-schema.org/draft/2020-12/schema"


def record(count: int, **more: object) -> dict[str, Any]:
    names = [f"field{number}" for number in range(count)]
    return {
        "type": "object",
        "properties": {name: {"type": "string"} for name in names},
        "required": names,
        "additionalProperties": False,
        **more,
    }


def shown(document: dict[str, Any], lines: int = 40, characters: int = 2000) -> dict[str, Any]:
    short = shorten_schema(document, lines, characters)
    assert short.text.count("\n") + 1 <= lines
    assert len(short.text) <= characters
    parsed: dict[str, Any] = json.loads(short.text)
    return parsed


def test_what_fits_is_left_alone_but_for_schema() -> None:
    document = {"$schema": SCHEMA_URI, "type": "object", "properties": {}}
    short = shorten_schema(document, 40, 2000)
    assert short.text == '{ "type": "object", "properties": {} }'
    assert short.notice is None


def test_step_1_cuts_descriptions_at_a_word_near_80_characters() -> None:
    text = "word " * 60
    document = {"type": "object", "properties": {"a": {"type": "string", "description": text}}}
    short = shorten_schema(document, 40, 280)
    cut = json.loads(short.text)["properties"]["a"]["description"]
    assert cut.endswith("word…")
    assert 60 <= len(cut) <= 81
    assert short.notice == "Shortened: descriptions."


def test_a_description_at_the_limit_is_not_cut() -> None:
    assert cut_text("x" * 80) == "x" * 80
    assert cut_text("x" * 81) == "x" * 80 + "…"
    assert cut_text("two\n  lines") == "two lines"


def test_step_2_closes_definitions_that_the_root_does_not_mention() -> None:
    document = {
        "type": "object",
        "properties": {"plan": {"$ref": "#/$defs/Plan"}},
        "$defs": {
            "Plan": {"type": "object", "properties": {"inner": {"$ref": "#/$defs/Inner"}}},
            "Inner": record(6),
        },
    }
    short = shorten_schema(document, 16, 2000)
    definitions = json.loads(short.text)["$defs"]
    assert definitions["Inner"] == {"$comment": "6 properties"}
    assert definitions["Plan"] == document["$defs"]["Plan"]  # type: ignore[index]
    assert short.notice is not None
    assert short.notice.startswith("Shortened: 1 of 2 definitions, ")


def test_step_3_closes_the_rest_last_first() -> None:
    names = ["A", "B", "C"]
    document = {
        "type": "object",
        "properties": {name.lower(): {"$ref": f"#/$defs/{name}"} for name in names},
        "$defs": {name: record(6) for name in names},
    }
    definitions = shown(document, lines=40)["$defs"]
    assert definitions["A"] == record(6)
    assert definitions["C"] == {"$comment": "6 properties"}


def test_step_4_closes_what_is_more_than_two_levels_deep() -> None:
    deep = {
        "type": "array",
        "items": {"type": "array", "items": {"type": "array", "items": record(30)}},
    }
    document = {"type": "object", "properties": {"a": deep}}
    # root 0, `a` 1, its items 2, theirs 3.
    a = shown(document)["properties"]["a"]
    assert a["items"]["items"] == {"$comment": "array of 30 properties"}


def test_step_5_keeps_8_values_of_an_enum() -> None:
    document = {"type": "string", "enum": [f"value{number:040}" for number in range(40)]}
    short = shown(document)
    assert short["enum"] == document["enum"][:8]
    assert short["$comment"] == "32 more values"


def test_step_5_replaces_properties_beyond_the_number_that_fits() -> None:
    short = shown(record(100))
    kept = list(short["properties"])
    assert kept == [f"field{number}" for number in range(len(kept))]
    assert short["required"] == kept
    assert short["$comment"] == f"{100 - len(kept)} more properties"
    # One more would not have fitted: every property takes a line of its own.
    assert len(kept) > 10


def test_many_choices_and_definitions_are_cut_too() -> None:
    names = [f"Choice{number}" for number in range(300)]
    document = {
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in names],
        "$defs": {name: record(3) for name in names},
    }
    short = shown(document)
    assert "more choices" in short["$comment"]
    assert "more definitions" in short["$comment"]


def test_names_that_are_too_long_leave_a_comment() -> None:
    document = {"type": "object", "properties": {"x" * 5000: {"type": "string"}}}
    assert "$comment" in shown(document)


NAMES = st.text("abcdefgh", min_size=1, max_size=30)


@st.composite
def schemas(draw: st.DrawFn, depth: int = 3) -> dict[str, Any]:
    kind = draw(st.sampled_from(["string", "enum", "object", "array", "anyOf", "$ref"]))
    schema: dict[str, Any]
    if depth == 0 or kind == "string":
        schema = {"type": "string"}
    elif kind == "enum":
        schema = {"type": "string", "enum": draw(st.lists(NAMES, max_size=30))}
    elif kind == "$ref":
        schema = {"$ref": f"#/$defs/{draw(NAMES)}"}
    elif kind == "array":
        schema = {"type": "array", "items": draw(schemas(depth - 1))}
    elif kind == "anyOf":
        schema = {"anyOf": draw(st.lists(schemas(depth - 1), max_size=8))}
    else:
        members = draw(st.dictionaries(NAMES, schemas(depth - 1), max_size=8))
        schema = {"type": "object", "properties": members, "required": sorted(members)}
    if draw(st.booleans()):
        schema["description"] = draw(st.text(max_size=300))
    return schema


@settings(deadline=None, max_examples=60)
@given(
    schemas(),
    st.dictionaries(NAMES, schemas(), max_size=12),
    st.integers(1, 60),
    st.integers(20, 3000),
)
def test_the_result_is_json_within_the_limits(
    root: dict[str, Any], definitions: dict[str, Any], lines: int, characters: int
) -> None:
    document = {**root, "$defs": definitions} if definitions else root
    short = shorten_schema(document, lines, characters)
    assert isinstance(json.loads(short.text), dict)
    assert short.text.count("\n") < lines
    assert len(short.text) <= characters
