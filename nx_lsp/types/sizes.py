"""How large a type may be.

Aliases let a few lines stand for a type of any size, and types are compared and shown part by part.
What is larger than the limits is reported where it arises and then counts as reported.
"""

from __future__ import annotations

from nx_lsp.syntax.tree import MAX_DEPTH
from nx_lsp.types.model import (
    FunctionReferenceType,
    FunctionType,
    ItemType,
    RecordType,
    Type,
    UnresolvedType,
)

MAX_PARTS = 10_000
"""Most item types that a type may consist of, written out."""
MAX_LEVELS = MAX_DEPTH
"""Deepest nesting of item types: as deep as a type can be written."""

TOO_LARGE = Type(UnresolvedType("…"))
"""Stands for a type that was reported because of its size, or has one among its parts."""

CODE = "type-too-large"
MESSAGE = (
    f"This type is too large: written out, it has more than {MAX_PARTS:,} parts or more than "
    f"{MAX_LEVELS} levels"
)
HELP = "Put fewer function types and type arguments into each other; a record may stand for some."


def is_too_large(type: Type) -> bool:
    """Whether a type exceeds the limits. Stops there, whatever the size."""
    level: list[ItemType] = [type.item]
    levels = parts = 0
    while level:
        levels += 1
        parts += len(level)
        if parts > MAX_PARTS or levels > MAX_LEVELS:
            return True
        level = [each for item in level for each in parts_of(item)]
    return False


def parts_of(item: ItemType) -> tuple[ItemType, ...]:
    """The item types that one consists of directly."""
    match item:
        case RecordType(_, arguments):
            return tuple(each for _, each in arguments)
        case FunctionType(parameters, result):
            return (*(each.type.item for each in parameters), result.item)
        case FunctionReferenceType(result):
            return (result.item,)
    return ()
