"""What all hosts do with the root of a document."""

from __future__ import annotations

from copy import deepcopy

from nx_lsp.schema.hosts.model import CopyOptions, HostNote, Schema
from nx_lsp.schema.hosts.pointers import join


def without_meta_schema(
    document: Schema, options: CopyOptions, pointer: str
) -> tuple[Schema, tuple[HostNote, ...]]:
    """A copy of ``document`` of one's own, its ``$schema`` left out unless the user wants it."""
    copied = deepcopy(document)
    if options.meta_schema or "$schema" not in copied:
        return copied, ()
    del copied["$schema"]
    message = "The root `$schema` is left out (setting `nxlsp.copy.metaSchema`)"
    return copied, (HostNote(join(pointer, "$schema"), "meta-schema-left-out", message),)
