"""What hosts have in common: the root of a document, the description, and why there is no copy."""

from __future__ import annotations

import json
from copy import deepcopy

from nx_lsp.schema.hosts.limits import LONG_DESCRIPTION
from nx_lsp.schema.hosts.model import Host, HostCopy, HostNote, Schema, Subject
from nx_lsp.schema.hosts.naming import host_name
from nx_lsp.schema.hosts.pointers import join

META_SCHEMA_SETTING = "nxlsp.copy.metaSchema"
RESULT_SETTING = "nxlsp.copy.resultInDescription"


def without_meta_schema(
    document: Schema, pointer: str, *, keep: bool = False
) -> tuple[Schema, tuple[HostNote, ...]]:
    """A copy of ``document`` of one's own, its ``$schema`` left out unless it is to be kept."""
    copied = deepcopy(document)
    if keep or copied.pop("$schema", None) is None:
        return copied, ()
    message = "The root `$schema` is left out"
    return copied, (HostNote(join(pointer, "$schema"), "meta-schema-left-out", message),)


def reasons(subject: Subject) -> str:
    """Why a schema is missing, as sentences."""
    return " ".join(f"{reason}." for reason in subject.reasons)


def refused(host: Host, subject: Subject, *notes: HostNote) -> HostCopy:
    """No copy; without ``notes`` because there is no input schema to copy."""
    if not notes:
        message = f"There is no input schema to copy: {reasons(subject)}".rstrip(": ")
        notes = (HostNote("", "no-input-schema", message),)
    return HostCopy(host, host_name(subject.name, host, "")[0], None, notes)


def described(
    subject: Subject, host: Host, pointer: str
) -> tuple[str | None, tuple[HostNote, ...]]:
    """The description of a tool at a host that has no place for the result's schema."""
    text = subject.description
    notes: list[HostNote] = []
    if subject.options.result_in_description and subject.output_schema is not None:
        schema = {key: each for key, each in subject.output_schema.items() if key != "$schema"}
        written = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
        told = f"Returns JSON that is valid against this schema: {written}"
        text = told if not text else f"{text}\n\n{told}"
        message = "The result's schema is told in the description"
        notes.append(HostNote(pointer, "result-in-description", message))
    else:
        message = f"Nothing is told about the result (setting `{RESULT_SETTING}`)"
        notes.append(HostNote("", "result-left-out", message))
    limit = LONG_DESCRIPTION.get(host)
    if limit is not None and text is not None and len(text) > limit:
        message = f"The description has {len(text)} characters; some services take at most {limit}"
        notes.append(HostNote(pointer, "description-long", message))
    return text, tuple(notes)
