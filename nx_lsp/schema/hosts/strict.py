"""A function of OpenAI's strict mode, in which a model cannot depart from the schema.

Strict mode takes a part of JSON Schema only. Every property is required there, so that an optional
one becomes one that may be ``null``; ``strict_codec`` turns such a null back into absence.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nx_lsp.schema.hosts.limits import ALLOWED_BOUNDS, BOUNDS
from nx_lsp.schema.hosts.model import HostCopy, HostNote, Schema, Subject
from nx_lsp.schema.hosts.naming import host_name
from nx_lsp.schema.hosts.openai import PARAMETERS, function_tool
from nx_lsp.schema.hosts.pointers import join
from nx_lsp.schema.hosts.prose import bound_in_words, default_in_words, with_sentences
from nx_lsp.schema.hosts.roots import described, refused, without_meta_schema
from nx_lsp.schema.hosts.sizes import excesses
from nx_lsp.schema.hosts.strict_codec import NULL, VALUE, admits_null, strict_codec

HOST = "openai-strict"


def strict_copy(subject: Subject) -> HostCopy:
    """The copy for OpenAI's strict mode. Refused where something can be any value, or where the
    schema is too large; the notes then say what to change."""
    if subject.input_schema is None:
        return refused("openai-strict", subject)
    name, notes = host_name(subject.name, "openai-strict", "/function/name")
    description, more = described(subject, "openai-strict", "/function/description")
    given, without = without_meta_schema(subject.input_schema, PARAMETERS)
    rewriting = _Rewriting()
    parameters = rewriting.document(given)
    refusals = [*rewriting.refusals]
    for excess in excesses(parameters):
        message = f"{excess}: take fewer or smaller arguments"
        refusals.append(HostNote(PARAMETERS, "too-large", message))
    if refusals:
        return refused("openai-strict", subject, *refusals)
    document = function_tool(name, description, parameters, strict=True)
    return HostCopy(
        "openai-strict",
        name,
        document,
        (*notes, *more, *without, *rewriting.notes),
        arguments=strict_codec(given),
    )


class _Rewriting:
    """Says a contract's schema in the part of JSON Schema that strict mode takes. ``refusals``
    are about what cannot be said."""

    def __init__(self) -> None:
        self.notes: list[HostNote] = []
        self.refusals: list[HostNote] = []

    def document(self, root: Schema) -> Schema:
        body = {key: each for key, each in root.items() if key != "$defs"}
        written = self.schema(body, PARAMETERS)
        if "$defs" in root:
            below = join(PARAMETERS, "$defs")
            written["$defs"] = {
                key: self.schema(entry, join(below, key)) for key, entry in root["$defs"].items()
            }
        return written

    def schema(self, schema: Mapping[str, Any], pointer: str) -> Schema:
        """One schema; a ``default`` in it goes to the description."""
        written = self._body(schema, pointer)
        if "description" in schema:
            written["description"] = schema["description"]
        sentences = self._moved(schema, pointer)
        written = with_sentences(written, sentences)
        if "$ref" in written and len(written) > 1:
            rest = {key: each for key, each in written.items() if key != "$ref"}
            self._note(
                pointer,
                "reference-wrapped",
                "The reference stands in an `anyOf` of one: strict mode allows nothing beside it",
            )
            written = {"anyOf": [{"$ref": written["$ref"]}], **rest}
        return written

    def _body(self, schema: Mapping[str, Any], pointer: str) -> Schema:
        if "not" in schema:
            self._refuse(pointer)
            return {}
        if "$ref" in schema:
            return {"$ref": schema["$ref"]}
        if "const" in schema:
            message = "`const` is written as an `enum` of one value"
            self._note(pointer, "const-as-enum", message)
            return {"type": "string", "enum": [schema["const"]]}
        if "anyOf" in schema:
            below = join(pointer, "anyOf")
            branches = enumerate(schema["anyOf"])
            return {"anyOf": [self.schema(each, join(below, at)) for at, each in branches]}
        written: Schema = {key: schema[key] for key in ("type", "enum") if key in schema}
        if schema.get("type") == "object":
            written.update(self._members(schema, pointer))
        if "items" in schema:
            written["items"] = self.schema(schema["items"], join(pointer, "items"))
        for keyword in BOUNDS:
            if keyword in schema and keyword in ALLOWED_BOUNDS[HOST]:
                written[keyword] = schema[keyword]
        return written

    def _members(self, schema: Mapping[str, Any], pointer: str) -> Schema:
        below = join(pointer, "properties")
        required = schema.get("required", ())
        properties = {
            name: self.schema(each, join(below, name))
            if name in required
            else self._optional(name, each, join(below, name))
            for name, each in schema.get("properties", {}).items()
        }
        return {
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }

    def _optional(self, name: str, schema: Mapping[str, Any], pointer: str) -> Schema:
        """A property that may be left out: one that may be null."""
        told = {key: schema[key] for key in ("description", "default") if key in schema}
        bare = {key: each for key, each in schema.items() if key not in told}
        if admits_null(schema):
            message = (
                f"`{name}` is optional and may be null: `null` means absent, and what is there "
                f'is given as {{ "{VALUE}": … }}'
            )
            self._note(pointer, "optional-wrapped", message)
            value = self.schema(bare, join(pointer, "anyOf", 0, "properties", VALUE))
            present: Schema = {
                "type": "object",
                "properties": {VALUE: value},
                "required": [VALUE],
                "additionalProperties": False,
            }
            outer: Schema = {"anyOf": [present, NULL]}
        else:
            message = f"`{name}` is optional: `null` means absent"
            self._note(pointer, "optional-null", message)
            inner = self.schema(bare, join(pointer, "anyOf", 0))
            branches = inner["anyOf"] if set(inner) == {"anyOf"} else [inner]
            outer = {"anyOf": [*branches, NULL]}
        if "description" in told:
            outer["description"] = told["description"]
        return with_sentences(outer, self._moved(told, pointer))

    def _moved(self, schema: Mapping[str, Any], pointer: str) -> list[str]:
        """What the description says in the place of keywords."""
        sentences: list[str] = []
        for keyword in BOUNDS:
            if keyword in schema and keyword not in ALLOWED_BOUNDS[HOST]:
                sentences.append(bound_in_words(keyword, schema[keyword]))
                message = f"`{keyword}` is told in the description"
                self._note(pointer, "bound-in-description", message, lossy=True)
        if "default" in schema:
            sentences.append(default_in_words(schema["default"]))
            message = "`default` is told in the description"
            self._note(pointer, "default-in-description", message)
        return sentences

    def _refuse(self, pointer: str) -> None:
        name = pointer.rpartition("/")[2]
        message = f"`{name}` can be any value but null, which strict mode cannot say: declare a "
        message += "record or another type for it instead of `object`"
        self.refusals.append(HostNote(pointer, "open-value", message))

    def _note(self, pointer: str, code: str, message: str, *, lossy: bool = False) -> None:
        self.notes.append(HostNote(pointer, code, message, lossy))
