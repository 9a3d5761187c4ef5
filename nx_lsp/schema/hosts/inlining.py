"""A schema with its references written out and its choices merged, for hosts that know neither."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nx_lsp.schema.hosts.limits import ALLOWED_BOUNDS, AX_DEPTH, AX_NODES, BOUNDS
from nx_lsp.schema.hosts.merging import CannotMerge, merged, nullable
from nx_lsp.schema.hosts.model import HostNote, Schema
from nx_lsp.schema.hosts.pointers import DEFS, join
from nx_lsp.schema.hosts.prose import bound_in_words, default_in_words, with_sentences

NULL = {"type": "null"}
DISCRIMINATOR = "$type"


class Inlining:
    """Rewrites the schemas of one document. ``notes`` tell what was changed, ``refusals`` what
    cannot be said."""

    def __init__(self, defs: Schema, root: str) -> None:
        """``root``: pointer to the schema that ``defs`` belongs to."""
        self._defs = defs
        self._root = root
        self._inside: list[str] = []
        self._nodes = 0
        self.notes: list[HostNote] = []
        self.refusals: list[HostNote] = []

    def schema(self, schema: Mapping[str, Any], pointer: str) -> Schema:
        """One schema. Its own description goes before that of what it refers to."""
        return with_sentences(self._as_written(schema, pointer), self._moved(schema, pointer))

    def _as_written(self, schema: Mapping[str, Any], pointer: str) -> Schema:
        """One schema, with no word of ours in its description."""
        self._nodes += 1
        if self._nodes > AX_NODES or len(self._inside) > AX_DEPTH:
            self._too_large(pointer)
            return {"type": "object"}
        written = self._body(schema, pointer)
        if "description" in schema:
            written.pop("description", None)
            written["description"] = schema["description"]
        return written

    def _too_large(self, pointer: str) -> None:
        if not any(each.code == "too-large" for each in self.refusals):
            message = (
                f"Written out in place, the schema has more than {AX_NODES} parts or "
                f"{AX_DEPTH} levels: take smaller arguments"
            )
            self.refusals.append(HostNote(pointer, "too-large", message))

    def _body(self, schema: Mapping[str, Any], pointer: str) -> Schema:
        if "$ref" in schema:
            return self._referenced(str(schema["$ref"]).removeprefix(DEFS), pointer)
        if "not" in schema:
            message = "Any value but null is told as an open object"
            self._note(pointer, "open-object", message, lossy=False)
            return {"type": "object"}
        if "const" in schema:
            message = "`const` is written as an `enum` of one value"
            self._note(pointer, "const-as-enum", message, lossy=False)
            return {"type": "string", "enum": [schema["const"]]}
        if "anyOf" in schema:
            return self._choice(schema["anyOf"], pointer)
        written: Schema = {key: schema[key] for key in ("type", "enum") if key in schema}
        if schema.get("type") == "object":
            below = join(pointer, "properties")
            written["properties"] = {
                name: self._property(name, each, join(below, name))
                for name, each in schema.get("properties", {}).items()
            }
            if "required" in schema:
                written["required"] = list(schema["required"])
            written["additionalProperties"] = False
        if "items" in schema:
            written["items"] = self.schema(schema["items"], join(pointer, "items"))
        return written

    def _property(self, name: str, schema: Mapping[str, Any], pointer: str) -> Schema:
        written = self._as_written(schema, pointer)
        if name == DISCRIMINATOR and "const" in schema and "description" not in written:
            written["description"] = f"Says what this is: `{schema['const']}`."
            message = f"`{DISCRIMINATOR}` gets a description, which authors cannot write"
            self._note(pointer, "discriminator-described", message, lossy=False)
        if not written.get("description", "").strip():
            message = f"Ax needs a description of each property: write a doc comment above `{name}`"
            refusal = HostNote(_standing(pointer), "no-description", message)
            if refusal not in self.refusals:
                self.refusals.append(refusal)
        return with_sentences(written, self._moved(schema, pointer))

    def _referenced(self, key: str, pointer: str) -> Schema:
        if not any(each.code == "references-inlined" for each in self.notes):
            message = "References are written out in place"
            self._note(self._root, "references-inlined", message, lossy=False)
        target = self._defs.get(key, {})
        if key in self._inside:
            message = f"`{key}` holds itself, and is told as an open object from here on"
            self._note(pointer, "recursion-opened", message, lossy=True)
            opened: Schema = {"type": "object"}
            if "description" in target:
                opened["description"] = target["description"]
            return opened
        self._inside.append(key)
        try:
            return self.schema(target, pointer)
        finally:
            self._inside.pop()

    def _choice(self, branches: list[Schema], pointer: str) -> Schema:
        written = [
            self.schema(each, join(pointer, "anyOf", at))
            for at, each in enumerate(branches)
            if each != NULL
        ]
        # Where the branches stood, nothing stands any more: their notes are about the whole.
        try:
            schema = merged(written)
        except CannotMerge as problem:
            self.refusals.append(HostNote(pointer, "choice-not-merged", problem.message))
            return {"type": "object"}
        if len(written) > 1:
            message = f"A choice of {len(written)} schemas is told as one object with all of them"
            self._note(pointer, "choice-merged", message, lossy=True)
        return nullable(schema) if NULL in branches else schema

    def _moved(self, schema: Mapping[str, Any], pointer: str) -> list[str]:
        sentences: list[str] = []
        for keyword in BOUNDS:
            if keyword in schema and keyword not in ALLOWED_BOUNDS["ax"]:
                sentences.append(bound_in_words(keyword, schema[keyword]))
                message = f"`{keyword}` is told in the description"
                self._note(pointer, "bound-in-description", message, lossy=True)
        if "default" in schema:
            sentences.append(default_in_words(schema["default"]))
            message = "`default` is told in the description"
            self._note(pointer, "default-in-description", message, lossy=False)
        return sentences

    def _note(self, pointer: str, code: str, message: str, *, lossy: bool) -> None:
        note = HostNote(_standing(pointer), code, message, lossy)
        if note not in self.notes:
            self.notes.append(note)


def _standing(pointer: str) -> str:
    """Where a place stands in the document once its choices are merged."""
    tokens = pointer.split("/")
    kept: list[str] = []
    at = 0
    while at < len(tokens):
        follows = tokens[at + 1] if at + 1 < len(tokens) else ""
        if tokens[at] == "anyOf" and follows.isdigit() and kept[-1:] != ["properties"]:
            at += 2
            continue
        kept.append(tokens[at])
        at += 1
    return "/".join(kept)
