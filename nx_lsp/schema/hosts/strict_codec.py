"""Arguments on their way from and to strict mode: nulls back to absence.

The contract's schema says which members may be left out. Where a member may be left out *and* may
be null, as the fields of an update record that null clears, what is there is wrapped, so that the
two stay apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from nx_lsp.schema.hosts.model import Codec, Json, Schema
from nx_lsp.schema.hosts.pointers import DEFS

NULL: Schema = {"type": "null"}
VALUE = "value"
"""The member that holds what is there, of a member that may be absent or null."""


def admits_null(schema: Mapping[str, Any]) -> bool:
    """Whether null is a value of ``schema`` (of a contract, which says so in an ``anyOf``)."""
    return NULL in schema.get("anyOf", ())


def strict_codec(root: Schema) -> Codec:
    """The codec of arguments for a contract's input schema."""
    defs: Schema = root.get("$defs", {})

    def decode(value: Json) -> Json:
        return _walk(root, value, defs, _decoded_member)

    def encode(value: Json) -> Json:
        return _walk(root, value, defs, _encoded_member)

    return Codec(encode, decode)


class _Absent:
    """Stands for a member that is not there."""


ABSENT = _Absent()

Member = Callable[[Mapping[str, Any], "Json | _Absent", Callable[[Json], Json]], "Json | _Absent"]
"""What becomes of an optional member, by its schema and value; the last argument turns what is
inside the value."""


def _walk(schema: Mapping[str, Any], value: Json, defs: Schema, member: Member) -> Json:
    found = _resolved(schema, value, defs)
    if isinstance(value, list) and "items" in found:
        return [_walk(found["items"], each, defs, member) for each in value]
    if not isinstance(value, dict) or "properties" not in found:
        return value
    properties, required = found["properties"], found.get("required", ())
    turned: dict[str, Json] = {}
    for name, its in properties.items():
        there = value.get(name, ABSENT)

        def inside(one: Json, its: Mapping[str, Any] = its) -> Json:
            return _walk(its, one, defs, member)

        if name in required:
            result = there if isinstance(there, _Absent) else inside(there)
        else:
            result = member(its, there, inside)
        if not isinstance(result, _Absent):
            turned[name] = result
    # What the schema does not know is for the contract to refuse.
    turned.update({name: each for name, each in value.items() if name not in properties})
    return turned


def _decoded_member(
    schema: Mapping[str, Any], value: Json | _Absent, inside: Callable[[Json], Json]
) -> Json | _Absent:
    if value is None or isinstance(value, _Absent):
        return ABSENT
    if admits_null(schema) and isinstance(value, dict) and set(value) == {VALUE}:
        return inside(value[VALUE])
    return inside(value)


def _encoded_member(
    schema: Mapping[str, Any], value: Json | _Absent, inside: Callable[[Json], Json]
) -> Json | _Absent:
    if isinstance(value, _Absent):
        return None
    return {VALUE: inside(value)} if admits_null(schema) else inside(value)


def _resolved(schema: Mapping[str, Any], value: Json, defs: Schema) -> Mapping[str, Any]:
    """The schema of an object or a list that ``value`` is meant to be: references followed, of
    several choices the one that its ``$type`` or its kind names."""
    for _ in range(len(defs) + 2):
        if "$ref" in schema:
            schema = defs.get(str(schema["$ref"]).removeprefix(DEFS), {})
        elif "anyOf" in schema:
            schema = _chosen(schema["anyOf"], value, defs)
        else:
            break
    return schema


def _chosen(branches: list[Schema], value: Json, defs: Schema) -> Mapping[str, Any]:
    kind = "object" if isinstance(value, dict) else "array" if isinstance(value, list) else None
    fitting = []
    for branch in branches:
        target = branch
        if "$ref" in branch:
            target = defs.get(str(branch["$ref"]).removeprefix(DEFS), {})
        if target.get("type") == kind or "anyOf" in target:
            fitting.append(target)
        discriminator = target.get("properties", {}).get("$type", {}).get("const")
        if kind == "object" and discriminator is not None and discriminator == value.get("$type"):
            return target
    return fitting[0] if fitting else {}
