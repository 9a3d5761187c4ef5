"""A function of OpenAI's tool calling, without strict mode: an entry of ``tools``.

The shape is that of Chat Completions; the Responses API takes the members of ``function`` beside
``type``.
"""

from __future__ import annotations

from nx_lsp.schema.hosts.model import HostCopy, Json, Schema, Subject
from nx_lsp.schema.hosts.naming import host_name
from nx_lsp.schema.hosts.roots import described, refused, without_meta_schema

PARAMETERS = "/function/parameters"


def openai_copy(subject: Subject) -> HostCopy:
    """The copy for OpenAI. Refused only where there is no input schema."""
    if subject.input_schema is None:
        return refused("openai", subject)
    name, notes = host_name(subject.name, "openai", "/function/name")
    description, more = described(subject, "openai", "/function/description")
    parameters, without = without_meta_schema(subject.input_schema, PARAMETERS)
    document = function_tool(name, description, parameters, strict=False)
    return HostCopy("openai", name, document, (*notes, *more, *without))


def function_tool(
    name: str, description: str | None, parameters: Schema, *, strict: bool
) -> dict[str, Json]:
    """The tool as a request has it. ``strict`` is always written: one interface takes it to be
    on where nothing is said, the other to be off."""
    function: dict[str, Json] = {"name": name}
    if description is not None:
        function["description"] = description
    function["parameters"] = parameters
    function["strict"] = strict
    return {"type": "function", "function": function}
