"""Is a document valid JSON Schema? Asked of every schema that anything in the tests produces."""

from __future__ import annotations

import json
from typing import Any

from jsonschema import Draft202012Validator

_seen: set[str] = set()


def assert_valid_schema(document: dict[str, Any]) -> None:
    """Valid against the 2020-12 metaschema.

    The metaschema is slow, and documents share most of their definitions: each definition is
    looked at by itself, once per text."""
    definitions = document.get("$defs")
    if isinstance(definitions, dict):
        for definition in definitions.values():
            _assert_valid(definition)
        document = {**document, "$defs": {}}
    _assert_valid(document)


def _assert_valid(schema: Any) -> None:
    text = json.dumps(schema)
    if text not in _seen:
        Draft202012Validator.check_schema(schema)
        _seen.add(text)


def assert_valid_schemas_in(value: Any) -> None:
    """Every document anywhere in plain JSON, found by its ``$schema``."""
    if isinstance(value, dict):
        if "$schema" in value:
            assert_valid_schema(value)
        for inner in value.values():
            assert_valid_schemas_in(inner)
    elif isinstance(value, list):
        for inner in value:
            assert_valid_schemas_in(inner)
