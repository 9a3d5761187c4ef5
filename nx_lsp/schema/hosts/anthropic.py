"""A tool of Anthropic's Messages API: an entry of ``tools``, without strict mode."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from nx_lsp.schema.hosts.limits import ARGUMENT_NAME_LENGTH
from nx_lsp.schema.hosts.model import Codec, HostCopy, HostNote, Json, Schema, Subject
from nx_lsp.schema.hosts.naming import host_name
from nx_lsp.schema.hosts.pointers import join
from nx_lsp.schema.hosts.roots import described, refused, without_meta_schema


def anthropic_copy(subject: Subject) -> HostCopy:
    """The copy for Anthropic. Refused only where there is no input schema."""
    if subject.input_schema is None:
        return refused("anthropic", subject)
    name, notes = host_name(subject.name, "anthropic", "/name")
    description, more = described(subject, "anthropic", "/description")
    parameters, without = without_meta_schema(subject.input_schema, "/input_schema")
    renamed = _long_names(parameters)
    document: dict[str, Json] = {"name": name}
    if description is not None:
        document["description"] = description
    document["input_schema"] = _with_names(parameters, renamed)
    changed = tuple(
        HostNote(
            join("/input_schema/properties", short),
            "argument-renamed",
            f"The argument `{long}` is called `{short}` here: "
            f"names have at most {ARGUMENT_NAME_LENGTH} characters",
        )
        for long, short in renamed.items()
    )
    back = {short: long for long, short in renamed.items()}
    codec = Codec(lambda value: _rekeyed(value, renamed), lambda value: _rekeyed(value, back))
    return HostCopy(
        "anthropic", name, document, (*notes, *more, *without, *changed), arguments=codec
    )


def _long_names(parameters: Schema) -> dict[str, str]:
    """The arguments whose names are too long, with shorter ones that end with a digest."""
    return {
        name: f"{name[: ARGUMENT_NAME_LENGTH - 9]}_{hashlib.sha256(name.encode()).hexdigest()[:8]}"
        for name in parameters.get("properties", {})
        if len(name) > ARGUMENT_NAME_LENGTH
    }


def _with_names(parameters: Schema, renamed: Mapping[str, str]) -> Schema:
    if not renamed:
        return parameters
    properties = _rekeyed(parameters["properties"], renamed)
    changed: Schema = {**parameters, "properties": properties}
    if "required" in parameters:
        changed["required"] = [renamed.get(each, each) for each in parameters["required"]]
    return changed


def _rekeyed(value: Json, names: Mapping[str, str]) -> Json:
    if not isinstance(value, Mapping):
        return value
    return {names.get(key, key): each for key, each in value.items()}
