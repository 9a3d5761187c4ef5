"""One schema in the place of several: wide enough for every value of each of them."""

from __future__ import annotations

from nx_lsp.schema.hosts.model import Schema

DISCRIMINATOR = "$type"


class CannotMerge(Exception):  # noqa: N818 (a signal between two modules)
    """The schemas have nothing in common; ``message`` says what to change in the source."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def merged(branches: list[Schema], what: str = "The choice") -> Schema:
    """One schema for all ``branches``, which hold no references or choices. Raises
    ``CannotMerge`` where they are of different kinds."""
    first, *others = branches
    if not others:
        return first
    kinds = {each.get("type") if isinstance(each.get("type"), str) else None for each in branches}
    if kinds == {"string"} and all("enum" in each for each in branches):
        return _of_enums(branches)
    if kinds == {"object"} and all("properties" in each for each in branches):
        return _of_objects(branches)
    if kinds == {"object"}:
        return _described({"type": "object"}, branches)  # one of them is open already
    if all(_bare(each) == _bare(first) for each in others):
        return _described(_bare(first), branches)
    raise CannotMerge(
        f"{what} is between values of different kinds, which Ax cannot say: "
        "use a union whose cases all have fields, or all have none"
    )


def nullable(schema: Schema) -> Schema:
    """``schema`` for a value that may also be null."""
    kind = schema.get("type")
    kinds = list(kind) if isinstance(kind, list) else [kind]
    widened = {**schema, "type": kinds if "null" in kinds else [*kinds, "null"]}
    if "enum" in schema and None not in schema["enum"]:
        widened["enum"] = [*schema["enum"], None]
    return widened


def _bare(schema: Schema) -> Schema:
    return {key: each for key, each in schema.items() if key != "description"}


def _of_enums(branches: list[Schema]) -> Schema:
    values = dict.fromkeys(value for each in branches for value in each["enum"])
    return _described({"type": "string", "enum": list(values)}, branches)


def _described(schema: Schema, branches: list[Schema]) -> Schema:
    """``schema`` with all that the branches say, each once."""
    told = [each["description"] for each in branches if each.get("description")]
    return {**schema, "description": "\n\n".join(dict.fromkeys(told))} if told else schema


def _of_objects(branches: list[Schema]) -> Schema:
    names = dict.fromkeys(name for each in branches for name in each["properties"])
    properties: Schema = {}
    for name in names:
        having = [each["properties"][name] for each in branches if name in each["properties"]]
        properties[name] = merged(having, f"`{name}`")
    if DISCRIMINATOR in properties:
        discriminator = properties[DISCRIMINATOR]
        properties[DISCRIMINATOR] = {
            **discriminator,
            "description": f"Says what this is. {_members(branches)}",
        }
    required = [
        name for name in names if all(name in each.get("required", ()) for each in branches)
    ]
    schema: Schema = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    return _described({**schema, "additionalProperties": False}, branches)


def _members(branches: list[Schema]) -> str:
    """What each kind of object has, for the reader of a description."""
    told = []
    for each in branches:
        kinds = each["properties"].get(DISCRIMINATOR, {}).get("enum", ("the rest",))
        kind = ", ".join(f"`{name}`" for name in kinds)
        rest = [f"`{name}`" for name in each["properties"] if name != DISCRIMINATOR]
        told.append(f"{kind} has {', '.join(rest) if rest else 'nothing else'}.")
    return " ".join(told)
