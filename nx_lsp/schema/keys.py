"""Names of the entries of ``$defs`` (schema-contract 2)."""

from __future__ import annotations

import re

from nx_lsp.program.declarations import DeclarationId
from nx_lsp.types import constraints
from nx_lsp.types.model import (
    CaseType,
    ComponentType,
    Constrained,
    ItemType,
    MarkupType,
    ObjectType,
    Primitive,
    RecordType,
    TypeParameterType,
    UnionType,
)

_OTHER_CHARACTER = re.compile(r"[^A-Za-z0-9_.-]")


def declared_name(id: DeclarationId) -> str:
    """The name as written: without the number that tells repeated declarations apart."""
    return id.name.partition("#")[0]


def definition_key(name: str) -> str:
    """``name`` with every character that a key may not hold replaced by ``_``."""
    return _OTHER_CHARACTER.sub("_", name)


def _identity(item: ItemType) -> ItemType:
    """What all spellings of one type share: a constraint is the values that it leaves, so that
    ``<Page T=A />`` with ``> 0`` and with ``>= 1`` for ``A`` have one entry (semantics 7.1)."""
    match item:
        case Constrained(base, interval):
            return Constrained(base, constraints.inward(base.name, interval))
        case RecordType(declaration, arguments):
            return RecordType(declaration, tuple((n, _identity(each)) for n, each in arguments))
        case _:
            return item


class DefinitionKeys:
    """The keys that one document has given away."""

    def __init__(self) -> None:
        self._keys: dict[ItemType, str] = {}
        self._taken: set[str] = set()

    def take(self, item: ItemType) -> str:
        """The key of an item that has an entry; the same item always has the same key."""
        same = _identity(item)
        key = self._keys.get(same)
        if key is None:
            key = self._free(self._wanted(item))
            self._keys[same] = key
            self._taken.add(key)
        return key

    def _free(self, wanted: str) -> str:
        key, number = wanted, 1
        while key in self._taken:
            number += 1
            key = f"{wanted}_{number}"
        return key

    def _wanted(self, item: ItemType) -> str:
        match item:
            case RecordType(declaration, arguments):
                parts = [definition_key(declared_name(declaration))]
                parts += [self._argument(argument) for _, argument in arguments]
                return "_".join(parts)
            case UnionType(declaration):
                return definition_key(declared_name(declaration))
            case CaseType(union, case):
                return definition_key(f"{declared_name(union)}.{case}")
            case _:
                return self._plain(item)

    def _argument(self, item: ItemType) -> str:
        """An argument's own key: the one it has, or the one it would get if it were mentioned
        now. Nothing is given away by asking, since an argument need not be mentioned at all."""
        known = self._keys.get(_identity(item))
        if known is not None:
            return known
        if isinstance(item, (RecordType, UnionType, CaseType)):
            return self._free(self._wanted(item))
        return self._plain(item)

    @staticmethod
    def _plain(item: ItemType) -> str:
        match item:
            case Primitive(name):
                return name
            case Constrained(base, _):
                return base.name
            case ComponentType(declaration):
                return definition_key(declared_name(declaration))
            case MarkupType(tag):
                return definition_key(tag)
            case ObjectType() | TypeParameterType():
                return "object"
            case _:
                return "function"
