"""Schemas cut to a size that a hover can show (editor-experience 4.2).

What comes out is well-formed JSON at every size, and says what it leaves out. It is for
reading only: copies always take the whole document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nx_lsp.ide.json_text import is_no_longer, json_lines, write_json

Json = dict[str, Any]

DESCRIPTION_WIDTH = 80
ENUM_VALUES = 8
DEPTH = 2
"""Levels of subschemas that step 4 leaves alone."""


@dataclass(frozen=True, slots=True)
class ShortSchema:
    """``text``: the JSON to show. ``notice``: what was shortened, without emphasis marks, or
    ``None`` if nothing was."""

    text: str
    notice: str | None


def shorten_schema(document: Mapping[str, Any], max_lines: int, max_characters: int) -> ShortSchema:
    """``document`` (without its ``$schema``) as JSON of at most ``max_lines`` lines and
    ``max_characters`` characters; steps 1 to 5 of the specification are taken in order, as few
    as it takes."""
    schema = {key: value for key, value in document.items() if key != "$schema"}

    def fits(candidate: Json) -> bool:
        left = max_characters + 1
        for number, line in enumerate(json_lines(candidate)):
            left -= len(line) + 1
            if number >= max_lines or left < 0:
                return False
        return True

    whole = write_json(schema)
    if fits(schema):
        return ShortSchema(whole, None)
    short = schema
    for step in _STEPS:
        short = step(short, fits)
        if fits(short):
            break
    else:
        short = _only_what_fits(short, fits)
    text = write_json(short)
    return ShortSchema(text, _notice(schema, short, whole, text))


def count_summary(schema: object) -> str:
    """What a subschema holds in two words: ``6 properties``, ``3 choices``, ``12 values``."""
    if not isinstance(schema, Mapping):
        return "a schema"
    for key, noun in (("properties", "property"), ("anyOf", "choice"), ("enum", "value")):
        if key in schema:
            return counted(len(schema[key]), noun)
    if schema.get("type") == "array":
        return "array of " + count_summary(schema.get("items"))
    return str(schema.get("type", "a schema"))


def counted(number: int, noun: str) -> str:
    """``1 property``, ``2 properties``, ``0 choices``."""
    if number == 1:
        return f"1 {noun}"
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{number} {plural}"


# ---------------------------------------------------------------- the steps


Fits = Callable[[Json], bool]


def _cut_descriptions(schema: Json, fits: Fits) -> Json:
    """Step 1: descriptions are cut at a word near 80 characters."""

    def cut(node: Json) -> Json:
        text = node.get("description")
        return {**node, "description": cut_text(text)} if isinstance(text, str) else node

    return _map_schemas(schema, lambda node, _depth: cut(node))


def cut_text(text: str, width: int = DESCRIPTION_WIDTH) -> str:
    """``text`` on one line, cut before the word that passes ``width``, with ``…`` if cut."""
    flat = " ".join(text.split())
    if len(flat) <= width:
        return flat
    head = flat[:width]
    space = head.rfind(" ")
    if space >= width // 2:
        head = head[:space]
    return head.rstrip(" ,;:.") + "…"


def _close_distant_definitions(schema: Json, fits: Fits) -> Json:
    """Step 2: definitions that the root does not mention itself."""
    definitions = schema.get("$defs")
    if not definitions:
        return schema
    root = {key: value for key, value in schema.items() if key != "$defs"}
    mentioned = set(_references(root))
    closed = {
        name: entry if name in mentioned else _closed(entry) for name, entry in definitions.items()
    }
    return {**schema, "$defs": closed}


def _close_definitions(schema: Json, fits: Fits) -> Json:
    """Step 3: the other definitions, last first, until the schema fits."""
    definitions = dict(schema.get("$defs", {}))
    short = schema
    for name in reversed(definitions):
        definitions[name] = _closed(definitions[name])
        short = {**short, "$defs": dict(definitions)}
        if fits(short):
            break
    return short


def _close_deep_schemas(schema: Json, fits: Fits) -> Json:
    """Step 4: subschemas more than two levels deep."""
    return _map_schemas(
        schema, lambda node, depth: _closed(node) if depth > DEPTH and "$ref" not in node else node
    )


def _shorten_lists(schema: Json, fits: Fits) -> Json:
    """Step 5: long enums everywhere, then properties, choices and definitions beyond the number
    that fits."""
    short = _map_schemas(schema, lambda node, _depth: _cut_enum(node))
    if fits(short):
        return short
    for key, noun in (("properties", "property"), ("anyOf", "choice")):
        short = _keep_members(short, fits, key, noun)
        if fits(short):
            return short
    return _keep_definitions(short, fits)


_STEPS: tuple[Callable[[Json, Fits], Json], ...] = (
    _cut_descriptions,
    _close_distant_definitions,
    _close_definitions,
    _close_deep_schemas,
    _shorten_lists,
)


def _keep_members(schema: Json, fits: Fits, key: str, noun: str) -> Json:
    """``schema`` with as many members of every ``key`` as fit."""
    longest = max((len(node[key]) for node in _schemas(schema) if key in node), default=0)

    def cut(keep: int) -> Json:
        return _map_schemas(schema, lambda node, _depth: _keep_first(node, key, keep, noun))

    return _fewest_cut(longest, fits, cut)


def _fewest_cut(longest: int, fits: Fits, cut: Callable[[int], Json]) -> Json:
    """``cut`` at the largest number at which it fits (``cut(0)`` if at none)."""
    low, high = 0, longest
    while low < high:
        middle = (low + high + 1) // 2
        if fits(cut(middle)):
            low = middle
        else:
            high = middle - 1
    return cut(low)


def _cut_enum(node: Json) -> Json:
    values = node.get("enum")
    if not isinstance(values, list) or len(values) <= ENUM_VALUES:
        return node
    kept = {**node, "enum": values[:ENUM_VALUES]}
    return _with_comment(kept, counted(len(values) - ENUM_VALUES, "more value"))


def _keep_first(node: Json, key: str, keep: int, noun: str) -> Json:
    members = node.get(key)
    if not isinstance(members, (dict, list)) or len(members) <= keep:
        return node
    short = dict(node)
    if isinstance(members, dict):
        short[key] = dict(list(members.items())[:keep])
        if "required" in node:
            short["required"] = [name for name in node["required"] if name in short[key]]
    else:
        short[key] = members[:keep]
    return _with_comment(short, _more(len(members) - keep, noun))


def _keep_definitions(schema: Json, fits: Fits) -> Json:
    definitions = schema.get("$defs")
    if not definitions:
        return schema

    def cut(keep: int) -> Json:
        if keep >= len(definitions):
            return schema
        kept = dict(list(definitions.items())[:keep])
        short = {key: value for key, value in schema.items() if key != "$defs"}
        short = _with_comment(short, _more(len(definitions) - keep, "definition"))
        return {**short, "$defs": kept} if kept else short

    return _fewest_cut(len(definitions), fits, cut)


def _more(number: int, noun: str) -> str:
    return counted(number, f"more {noun}")


def _with_comment(node: Json, comment: str) -> Json:
    earlier = node.get("$comment")
    return {**node, "$comment": f"{earlier}, {comment}" if earlier else comment}


def _only_what_fits(schema: Json, fits: Fits) -> Json:
    """The last resort, for names and values that are long in themselves: the root's own members
    without their contents, then less."""
    summary = count_summary(schema)
    for candidate in ({**_without_contents(schema), "$comment": summary}, {"$comment": summary}):
        if fits(candidate):
            return candidate
    return {"$comment": "…"}


def _without_contents(schema: Json) -> Json:
    return {key: schema[key] for key in ("type", "additionalProperties") if key in schema}


# ---------------------------------------------------------------- walking schemas


def _closed(schema: Json) -> Json:
    """``{ "$comment": "6 properties" }``, or ``schema`` itself where that is no longer."""
    comment = count_summary(schema)
    closed = {"$comment": comment}
    return schema if is_no_longer(schema, len('{ "$comment": "" }') + len(comment)) else closed


def _map_schemas(schema: Json, change: Callable[[Json, int], Json], depth: int = 0) -> Json:
    """``schema`` with ``change`` applied to it and to every subschema, outer ones first.

    The root is at depth 0; the schema of a property, item, choice or definition is one deeper
    than the schema that holds it."""
    node = change(schema, depth)
    below: Json = {}
    for key, value in node.items():
        if key in ("properties", "$defs") and isinstance(value, dict):
            below[key] = {
                name: _map_schemas(sub, change, depth + 1) if isinstance(sub, dict) else sub
                for name, sub in value.items()
            }
        elif key in ("items", "not") and isinstance(value, dict):
            below[key] = _map_schemas(value, change, depth + 1)
        elif key == "anyOf" and isinstance(value, list):
            below[key] = [_map_schemas(sub, change, depth + 1) for sub in value]
        else:
            below[key] = value
    return below


def _schemas(schema: Json) -> Iterator[Json]:
    found: list[Json] = []

    def note(node: Json, _depth: int) -> Json:
        found.append(node)
        return node

    _map_schemas(schema, note)
    return iter(found)


def _references(schema: Json) -> Iterator[str]:
    """Keys of the definitions that ``schema`` mentions."""
    for node in _schemas(schema):
        reference = node.get("$ref")
        if isinstance(reference, str):
            yield reference.removeprefix("#/$defs/")


def _notice(schema: Json, short: Json, whole: str, text: str) -> str:
    """``Shortened: 3 of 9 definitions, 58 of 214 lines.``: what is shown of what there is."""
    parts = []
    definitions = schema.get("$defs", {})
    shown = short.get("$defs", {})
    kept = sum(1 for name in definitions if name in shown and not _is_closed(shown[name]))
    if kept < len(definitions):
        parts.append(f"{kept} of {counted(len(definitions), 'definition')}")
    lines, whole_lines = text.count("\n") + 1, whole.count("\n") + 1
    if lines < whole_lines:
        parts.append(f"{lines} of {whole_lines} lines")
    if not parts:
        parts.append("descriptions" if lines == whole_lines else "long values")
    return f"Shortened: {', '.join(parts)}."


def _is_closed(entry: Json) -> bool:
    return set(entry) == {"$comment"}
