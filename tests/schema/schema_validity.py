"""Asking for schemas in tests. Every document that passes through here is checked: valid against
the 2020-12 metaschema, self-contained, and without an entry that nothing mentions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator

from nx_lsp import Program

Json = Any

_KEY = re.compile(r"[A-Za-z0-9_.-]+")
_REFERENCE = re.compile(r"#/\$defs/([A-Za-z0-9_.-]+)")


def assert_sound(document: Json) -> None:
    """The promises that hold for every document (schema-contract 2)."""
    Draft202012Validator.check_schema(document)
    members = list(document)
    assert members[0] == "$schema"
    assert document["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    definitions = document.get("$defs", {})
    if "$defs" in document:
        assert members[-1] == "$defs"
        assert definitions
    mentioned = list(_references(document))
    assert set(mentioned) == set(definitions)
    assert list(dict.fromkeys(_first_mentions(document))) == list(definitions)
    for key in definitions:
        assert _KEY.fullmatch(key)
    assert not any(schema == {"not": {}} for schema in _subschemas(document))
    for schema in _subschemas(document):
        if schema.get("type") == "object":
            assert schema["additionalProperties"] is False
            members = [key for key in schema if key != "$schema"]
            assert members[:2] == ["type", "properties"]
            assert "required" not in schema or schema["required"]
            assert set(schema.get("required", ())) <= set(schema["properties"])


def _subschemas(schema: Json) -> Iterator[dict[str, Json]]:
    if isinstance(schema, dict):
        yield schema
        for key in ("properties", "$defs"):
            for inner in schema.get(key, {}).values():
                yield from _subschemas(inner)
        for inner in schema.get("anyOf", ()):
            yield from _subschemas(inner)
        for key in ("items", "not"):
            if key in schema:
                yield from _subschemas(schema[key])


def _references(document: Json) -> Iterator[str]:
    for schema in _subschemas(document):
        if "$ref" in schema:
            match = _REFERENCE.fullmatch(schema["$ref"])
            assert match is not None, schema
            yield match[1]


def _first_mentions(document: Json) -> Iterator[str]:
    """The keys in the order in which a reader meets them who looks into each entry at its first
    mention, before reading on."""
    definitions = document.get("$defs", {})
    waiting = [_own_references(document)]
    seen = set()
    while waiting:
        for key in waiting[-1]:
            if key not in seen:
                seen.add(key)
                yield key
                waiting.append(_own_references(definitions[key]))
                break
        else:
            waiting.pop()


def _own_references(schema: Json) -> Iterator[str]:
    return _references({key: value for key, value in schema.items() if key != "$defs"})


# ---------------------------------------------------------------- asking


def program(sources: str | Mapping[str, str], **options: Any) -> Program:
    """One module ``main.nx``, or several of which ``main.nx`` is the entry."""
    if isinstance(sources, str):
        return Program.from_sources({"main.nx": sources})
    return Program.from_sources(sources, entry="main.nx", **options)


def ask(
    sources: str | Mapping[str, str] | Program,
    name: str = "f",
    host: list[tuple[str, str]] | None = None,
    module: str | None = None,
) -> dict[str, Json]:
    """The whole answer about a function, its documents checked."""
    asked = sources if isinstance(sources, Program) else program(sources)
    answer = asked.function_schema(name, module, host or ()).to_json()
    for document in ("inputSchema", "outputSchema"):
        if document in answer:
            assert_sound(answer[document])
    assert ("inputSchema" in answer and "outputSchema" in answer) == (answer["diagnostics"] == [])
    return answer


def ask_type(
    sources: str | Mapping[str, str] | Program,
    name: str,
    direction: str = "output",
    module: str | None = None,
) -> dict[str, Json]:
    """The whole answer about a type, its document checked."""
    asked = sources if isinstance(sources, Program) else program(sources)
    answer = asked.type_schema(name, module, direction).to_json()
    if "schema" in answer:
        assert_sound(answer["schema"])
    assert ("schema" in answer) == (answer["diagnostics"] == [])
    return answer


def body(document: dict[str, Json]) -> dict[str, Json]:
    """A document without its ``$schema``."""
    return {key: value for key, value in document.items() if key != "$schema"}


def input_of(sources: str | Mapping[str, str], name: str = "f", **options: Any) -> dict[str, Json]:
    """A function's input document without ``$schema``."""
    return body(ask(sources, name, **options)["inputSchema"])


def output_of(sources: str | Mapping[str, str], name: str = "f") -> dict[str, Json]:
    """A function's output document without ``$schema``."""
    return body(ask(sources, name)["outputSchema"])


def schema_of(
    sources: str | Mapping[str, str], name: str, direction: str = "output"
) -> dict[str, Json]:
    """A type's document without ``$schema``."""
    return body(ask_type(sources, name, direction)["schema"])


def argument(type: str, declarations: str = "") -> dict[str, Json]:
    """The property of a parameter of type ``type``."""
    schema = input_of(f"{declarations}\nlet f(a:{type}): int = 1")
    property: dict[str, Json] = schema["properties"]["a"]
    return property


def result(type: str, declarations: str = "") -> dict[str, Json]:
    """The root of the document of a result of type ``type``, without ``$schema``."""
    return output_of(f"{declarations}\nlet f(): {type} = {{}}")


def same(actual: Json, expected: Json) -> None:
    """Equal, the order of members included."""
    assert json.dumps(actual, indent=1) == json.dumps(expected, indent=1)


def codes(answer: dict[str, Json]) -> list[str]:
    return [diagnostic["code"] for diagnostic in answer["diagnostics"]]


def messages(answer: dict[str, Json]) -> list[str]:
    return [diagnostic["message"] for diagnostic in answer["diagnostics"]]


def labelled(sources: str | Mapping[str, str], label: dict[str, Json]) -> str:
    """The source text under a label."""
    text = sources if isinstance(sources, str) else sources[label["file"]]
    span = label["span"]
    return text.encode()[span["startByte"] : span["endByte"]].decode()
