"""JSON pointers and what schemas refer to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Schema = dict[str, Any]

DEFS = "#/$defs/"


def join(pointer: str, *tokens: str | int) -> str:
    """``pointer`` with further reference tokens, escaped (RFC 6901)."""
    for token in tokens:
        pointer += "/" + str(token).replace("~", "~0").replace("/", "~1")
    return pointer


def referenced(schema: object) -> Iterator[str]:
    """The keys of ``$defs`` that a schema mentions, itself and below, in order."""
    if isinstance(schema, dict):
        for keyword, value in schema.items():
            if keyword == "$ref" and isinstance(value, str) and value.startswith(DEFS):
                yield value.removeprefix(DEFS)
            elif keyword not in ("const", "enum", "default"):
                yield from referenced(value)
    elif isinstance(schema, list):
        for each in schema:
            yield from referenced(each)


def with_needed_defs(root: Schema, defs: Schema) -> Schema:
    """``root`` with those entries of ``defs`` that it reaches, in their old order, at its end."""
    needed: set[str] = set()
    waiting = list(referenced(root))
    while waiting:
        key = waiting.pop()
        if key not in needed and key in defs:
            needed.add(key)
            waiting += referenced(defs[key])
    kept = {key: entry for key, entry in defs.items() if key in needed}
    return {**root, "$defs": kept} if kept else root
