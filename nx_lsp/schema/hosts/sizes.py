"""How large a schema is, as OpenAI counts it in strict mode."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from nx_lsp.schema.hosts.limits import STRICT_SIZES, SizeLimits
from nx_lsp.schema.hosts.pointers import DEFS, referenced


@dataclass(slots=True)
class _Size:
    properties: int = 0
    enum_values: int = 0
    characters: int = 0
    large_enum_characters: int = 0


def excesses(root: dict[str, Any], limits: SizeLimits = STRICT_SIZES) -> Iterator[str]:
    """Each limit that a document exceeds, as a sentence without its full stop."""
    size = _Size()
    for key, entry in root.get("$defs", {}).items():
        size.characters += len(key)
        _count(entry, size, limits)
    _count({key: each for key, each in root.items() if key != "$defs"}, size, limits)
    told = (
        ("properties", size.properties, limits.properties),
        ("values in enums", size.enum_values, limits.enum_values),
        ("characters in names and enum values", size.characters, limits.characters),
        (
            f"characters in one enum of more than {limits.large_enum} values",
            size.large_enum_characters,
            limits.large_enum_characters,
        ),
        ("levels", _nesting(root), limits.nesting),
    )
    for what, there, allowed in told:
        if there > allowed:
            yield f"The schema has {there} {what}, and at most {allowed} are allowed"


def _count(schema: Any, size: _Size, limits: SizeLimits) -> None:
    if isinstance(schema, list):
        for each in schema:
            _count(each, size, limits)
    if not isinstance(schema, dict):
        return
    values = schema.get("enum", ())
    length = sum(len(each) for each in values if isinstance(each, str))
    size.enum_values += len(values)
    size.characters += length
    if len(values) > limits.large_enum:
        size.large_enum_characters = max(size.large_enum_characters, length)
    for name, each in schema.get("properties", {}).items():
        size.properties += 1
        size.characters += len(name)
        _count(each, size, limits)
    for keyword in ("items", "anyOf"):
        _count(schema.get(keyword), size, limits)


def _nesting(root: dict[str, Any]) -> int:
    """Objects and arrays inside each other, references followed. A definition inside itself counts
    once: nobody can say how deep its values go."""
    defs: dict[str, Any] = root.get("$defs", {})
    body = {key: each for key, each in root.items() if key != "$defs"}
    depths: dict[str, int] = {}
    for key in referenced(body):
        for each in _innermost_first(key, defs):
            if each not in depths:
                depths[each] = _depth(defs[each], depths)
    return _depth(body, depths)


def _innermost_first(key: str, defs: dict[str, Any]) -> Iterator[str]:
    """``key`` and what it reaches, each after what it mentions, apart from circles."""
    met = {key}
    stack = [(key, referenced(defs.get(key, {})))]
    while stack:
        current, mentions = stack[-1]
        following = next((each for each in mentions if each not in met and each in defs), None)
        if following is None:
            stack.pop()
            yield current
        else:
            met.add(following)
            stack.append((following, referenced(defs[following])))


def _depth(schema: dict[str, Any], depths: dict[str, int]) -> int:
    if "$ref" in schema:
        return depths.get(str(schema["$ref"]).removeprefix(DEFS), 0)
    below = [
        *schema.get("properties", {}).values(),
        *schema.get("anyOf", ()),
        *([schema["items"]] if "items" in schema else []),
    ]
    deepest = max((_depth(each, depths) for each in below), default=0)
    return deepest + (1 if "properties" in schema or "items" in schema else 0)
