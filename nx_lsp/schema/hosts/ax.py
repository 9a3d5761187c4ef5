"""A function for Ax: name, description, ``parameters``, and what it ``returns``.

Ax has no references, no choices between schemas, and no bounds in the schemas of functions, and it
asks for a description of every parameter and field.
"""

from __future__ import annotations

from dataclasses import replace

from nx_lsp.schema.hosts.inlining import Inlining
from nx_lsp.schema.hosts.model import HostCopy, HostNote, Json, Schema, Subject
from nx_lsp.schema.hosts.naming import host_name
from nx_lsp.schema.hosts.pointers import nearest
from nx_lsp.schema.hosts.roots import reasons, refused, without_meta_schema

PARAMETERS, RETURNS = "/parameters", "/returns"


def ax_copy(subject: Subject) -> HostCopy:
    """The copy for Ax. Refused where something has no description, or where different schemas
    cannot be merged; the notes then say what to change."""
    if subject.input_schema is None:
        return refused("ax", subject)
    given, without = without_meta_schema(subject.input_schema, PARAMETERS)
    inlining = Inlining(given.pop("$defs", {}), PARAMETERS)
    parameters = inlining.schema(given, PARAMETERS)
    refusals = [*inlining.refusals]
    if not subject.description:
        message = "Ax needs a description: write a doc comment above the function"
        refusals.insert(0, HostNote("/description", "no-description", message))
    if refusals:
        return refused("ax", subject, *refusals)
    name, notes = host_name(subject.name, "ax", "/name")
    document: dict[str, Json] = {
        "name": name,
        "description": subject.description,
        "parameters": parameters,
    }
    returns, more = _returns(subject)
    if returns is not None:
        document["returns"] = returns
    changed = (_standing(note, PARAMETERS, parameters) for note in inlining.notes)
    return HostCopy("ax", name, document, (*notes, *without, *dict.fromkeys(changed), *more))


def _standing(note: HostNote, root: str, schema: Schema) -> HostNote:
    """``note`` at a place that there is: what a merged choice opened holds nothing that a note
    could point to. ``root`` is the pointer to ``schema``."""
    return replace(note, pointer=root + nearest(schema, note.pointer.removeprefix(root)))


def _returns(subject: Subject) -> tuple[Schema | None, tuple[HostNote, ...]]:
    """What is told about the result: nothing where Ax cannot take it. No model fills it in, so
    that a copy is of use without."""
    if subject.output_schema is None:
        why = f"Nothing is told about the result: {reasons(subject)}".rstrip(": ")
        return None, (HostNote("", "no-output-schema", why),)
    returned, without = without_meta_schema(subject.output_schema, RETURNS)
    inlining = Inlining(returned.pop("$defs", {}), RETURNS)
    schema = inlining.schema(returned, RETURNS)
    if inlining.refusals:
        why = " ".join(f"{each.message}." for each in inlining.refusals)
        message = f"There is no `returns`: {why}"
        return None, (HostNote("", "returns-left-out", message),)
    return schema, (*without, *(_standing(note, RETURNS, schema) for note in inlining.notes))
