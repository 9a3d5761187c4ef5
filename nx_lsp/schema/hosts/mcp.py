"""A tool of the Model Context Protocol, version 2025-11-25: an entry of ``tools/list``."""

from __future__ import annotations

from copy import deepcopy

from nx_lsp.schema.hosts.model import Codec, HostCopy, HostNote, Json, Schema, Subject
from nx_lsp.schema.hosts.naming import host_name
from nx_lsp.schema.hosts.pointers import DEFS, with_needed_defs
from nx_lsp.schema.hosts.roots import without_meta_schema

WRAPPED = "result"
"""The member that holds a result which is no object."""


def mcp_copy(subject: Subject) -> HostCopy:
    """The copy for MCP. Refused only where there is no input schema."""
    name, notes = host_name(subject.name, "mcp", "/name")
    if subject.input_schema is None:
        return HostCopy("mcp", name, None, (HostNote("", "no-input-schema", _why(subject)),))
    document: dict[str, Json] = {"name": name}
    if subject.description is not None:
        document["description"] = subject.description
    given, more = without_meta_schema(subject.input_schema, subject.options, "/inputSchema")
    document["inputSchema"] = given
    notes += more
    codec = Codec()
    if subject.output_schema is None:
        message = "There is no `outputSchema`, so that nothing is promised about the result"
        notes += (HostNote("", "no-output-schema", f"{message}: {_why(subject)}"),)
    else:
        returned, more = without_meta_schema(
            subject.output_schema, subject.options, "/outputSchema"
        )
        document["outputSchema"], shaped, codec = _object_result(returned)
        notes += (*more, *shaped)
    return HostCopy("mcp", name, document, notes, result=codec)


def _why(subject: Subject) -> str:
    return " ".join(f"{reason}." for reason in subject.reasons)


def _object_result(schema: Schema) -> tuple[Schema, tuple[HostNote, ...], Codec]:
    """An output schema whose root is an object: a record's own entry in the place of a reference
    to it, anything else as the only member of an object."""
    pointer = "/outputSchema"
    defs: Schema = schema.get("$defs", {})
    head = {key: schema[key] for key in ("$schema",) if key in schema}
    body = {key: each for key, each in schema.items() if key not in ("$schema", "$defs")}
    if body.get("type") == "object":
        return schema, (), Codec()
    target = defs.get(str(body.get("$ref", "")).removeprefix(DEFS), {})
    if set(body) == {"$ref"} and target.get("type") == "object":
        message = "The record's own schema stands in the place of a reference to it: the root of "
        message += "an output schema must be an object"
        root = with_needed_defs({**head, **deepcopy(target)}, defs)
        return root, (HostNote(pointer, "result-inlined", message),), Codec()
    message = f'The result is wrapped as {{ "{WRAPPED}": … }}: structured content is an object'
    root = {
        **head,
        "type": "object",
        "properties": {WRAPPED: body},
        "required": [WRAPPED],
        "additionalProperties": False,
    }
    note = HostNote(pointer, "result-wrapped", message)
    return with_needed_defs(root, defs), (note,), Codec(_wrap, _unwrap)


def _wrap(value: Json) -> Json:
    return {WRAPPED: value}


def _unwrap(value: Json) -> Json:
    if isinstance(value, dict) and set(value) == {WRAPPED}:
        return value[WRAPPED]
    return value
