"""Every copy keeps the rules that its host publishes, which are data in ``rules``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from host_programs import LONG, all_answers, answers, example_answers
from jsonschema import Draft202012Validator

from nx_lsp import HOSTS, HostCopy, Program
from nx_lsp.schema.hosts import limits
from nx_lsp.schema.hosts.sizes import excesses

RULES = Path(__file__).parent / "rules"


def rules(host: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((RULES / f"{host}.json").read_text(encoding="utf-8"))
    return loaded


def violations(copy: HostCopy) -> list[str]:
    """What a copy's document says that its host does not take."""
    validator = Draft202012Validator(rules(copy.host))
    return [each.message for each in validator.iter_errors(copy.document)]


def schemas_in(copy: HostCopy) -> dict[str, dict[str, Any]]:
    """The schemas of a copy's document, by pointer."""
    document = copy.document or {}
    found = {
        "/inputSchema": document.get("inputSchema"),
        "/outputSchema": document.get("outputSchema"),
        "/function/parameters": document.get("function", {}).get("parameters"),
        "/input_schema": document.get("input_schema"),
        "/parameters": document.get("parameters"),
        "/returns": document.get("returns"),
    }
    return {pointer: schema for pointer, schema in found.items() if schema is not None}


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("name", all_answers())
def test_a_copy_keeps_the_rules(name: str, host: Any) -> None:
    copy = all_answers()[name].for_host(host)
    if copy.document is None:
        assert copy.refused
        assert copy.notes
        return
    assert violations(copy) == []
    assert json.loads(json.dumps(copy.document)) == copy.document
    for schema in schemas_in(copy).values():
        Draft202012Validator.check_schema(schema)


REFUSED = {
    "mcp": set(),
    "openai": set(),
    "openai-strict": {"anything"},
    "anthropic": set(),
    "ax": {"payAnyhow", "undescribed", "plain"},
}
"""The functions that a host has no way to say, of those that have an input schema."""


@pytest.mark.parametrize("host", HOSTS)
def test_exactly_what_cannot_be_said_is_refused(host: Any) -> None:
    refused = {name for name, each in answers().items() if each.for_host(host).refused}
    assert refused == REFUSED[host] | {"callsBack"}


def test_the_rules_would_find_what_was_left_as_it_is() -> None:
    """The contract itself breaks the rules of every host that changes something about it."""
    bounded, anything = answers()["bounded"], answers()["anything"]
    function = {"name": "f", "parameters": bounded.input_schema, "strict": True}
    assert list(
        Draft202012Validator(rules("openai-strict")).iter_errors(
            {"type": "function", "function": function}
        )
    )
    tool = {
        "name": "f",
        "inputSchema": anything.input_schema,
        "outputSchema": anything.output_schema,
    }
    assert list(Draft202012Validator(rules("mcp")).iter_errors(tool))
    tool = {"name": "f", "input_schema": answers()[LONG].input_schema}
    assert list(Draft202012Validator(rules("anthropic")).iter_errors(tool))
    tool = {"name": "f", "description": "d", "parameters": bounded.input_schema}
    assert list(Draft202012Validator(rules("ax")).iter_errors(tool))


def test_the_table_and_the_rules_were_checked_on_one_day() -> None:
    for path in RULES.iterdir():
        assert f"Checked {limits.CHECKED}." in json.loads(path.read_text())["$comment"]
    sizes = rules("openai-strict-sizes")
    del sizes["$comment"]
    assert {name: getattr(limits.STRICT_SIZES, name) for name in sizes} == sizes


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("name", all_answers())
def test_a_note_points_into_the_document(name: str, host: Any) -> None:
    copy = all_answers()[name].for_host(host)
    for note in copy.notes if copy.document is not None else ():
        pointer = note.pointer
        if note.code == "meta-schema-left-out":
            pointer = pointer.rpartition("/")[0]
        at: Any = copy.document
        for token in pointer.split("/")[1:]:
            token = token.replace("~1", "/").replace("~0", "~")
            at = at[int(token)] if isinstance(at, list) else at[token]


@pytest.mark.parametrize("host", HOSTS)
def test_a_copy_is_a_function_of_the_answer(host: Any) -> None:
    for answer in (*answers().values(), *example_answers().values()):
        before = json.dumps(answer.to_json())
        first = answer.for_host(host)
        if first.document is not None:
            first.document.clear()
        again = answer.for_host(host)
        assert again.document or again.refused
        assert again.notes == first.notes
        assert json.dumps(answer.to_json()) == before


# ---------------------------------------------------------------- sizes


def chain(length: int) -> dict[str, Any]:
    """A document of objects inside each other."""
    defs = {
        f"D{at}": {
            "type": "object",
            "properties": {"a": {"$ref": f"#/$defs/D{at + 1}"}} if at < length - 2 else {},
        }
        for at in range(length - 1)
    }
    return {"type": "object", "properties": {"a": {"$ref": "#/$defs/D0"}}, "$defs": defs}


def enum(count: int, length: int) -> dict[str, Any]:
    values = [f"{at}".rjust(length, "x") for at in range(count)]
    return {"type": "object", "properties": {"a": {"type": "string", "enum": values}}}


@pytest.mark.parametrize(
    ("document", "told"),
    [
        (chain(10), []),
        (chain(11), ["11 levels"]),
        (chain(3000), ["3000 levels"]),
        ({"type": "object", "properties": {f"p{n}": {"type": "null"} for n in range(5000)}}, []),
        (
            {"type": "object", "properties": {f"p{n}": {"type": "null"} for n in range(5001)}},
            ["5001 properties"],
        ),
        (enum(1000, 15), []),
        (enum(1001, 14), ["1001 values in enums"]),
        (enum(250, 100), []),
        (enum(251, 60), ["15060 characters in one enum of more than 250 values"]),
        (enum(2, 59_999), []),
        (enum(2, 60_000), ["120001 characters in names and enum values"]),
    ],
)
def test_sizes_of_strict_mode(document: dict[str, Any], told: list[str]) -> None:
    found = list(excesses(document))
    assert len(found) == len(told)
    assert all(part in sentence for part, sentence in zip(told, found, strict=True))


def test_a_definition_inside_itself_counts_once() -> None:
    tree = answers()["words"].for_host("openai-strict")
    assert not tree.refused


def records(count: int, fields: int) -> str:
    """Records each of which holds the next one, and a function that takes the first."""
    lines = []
    for number in range(count):
        below = f"R{number + 1}" if number + 1 < count else "int"
        members = " ".join(f"f{each}:{below}" for each in range(fields))
        lines.append(f"type R{number} = {{ {members} }}")
    return "\n".join([*lines, "/// Takes it.\nlet f(r:R0): int = 1\n"])


@pytest.mark.parametrize(("count", "fields"), [(300, 1), (40, 2)])
def test_what_is_too_large_is_refused_in_time(count: int, fields: int) -> None:
    """Written out, forty records of two fields each would be a million million."""
    answer = Program.from_sources({"main.nx": records(count, fields)}).function_schema("f")
    for host, refused in (("ax", True), ("openai-strict", True), ("mcp", False)):
        copy = answer.for_host(host)  # type: ignore[arg-type]
        assert copy.refused == refused
        assert not refused or "too-large" in {note.code for note in copy.notes}
