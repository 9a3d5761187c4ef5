"""Writing one schema document (schema-contract 2, 4, 6-9).

Entries of ``$defs`` are reserved at their first mention and filled at once, before the rest of
what mentioned them is written, so that they stand in the order of first mention. How deep
records mention each other is up to the program, so the walk keeps its own stack: writing is done
by generators that hand out each entry to be filled.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from typing import TypeVar, Union

from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.schema.answers import Direction, Schema
from nx_lsp.schema.bounds import primitive_schema
from nx_lsp.schema.defaults import shown_default
from nx_lsp.schema.descriptions import (
    case_description,
    declaration_description,
    member_description,
    union_description,
)
from nx_lsp.schema.keys import DefinitionKeys, declared_name
from nx_lsp.schema.structure import (
    Entry,
    Site,
    case_sites,
    constant_cases,
    described,
    is_abstract,
    is_update,
    payload_cases,
    record_sites,
    shapes,
)
from nx_lsp.types.model import (
    CaseType,
    Constrained,
    ItemType,
    ObjectType,
    Occurrence,
    Primitive,
    RecordType,
    Type,
    TypeParameterType,
    UnionType,
)

DIALECT = "https://json-schema.org/draft/2020-12/schema"


@dataclass(slots=True)
class _ClosedObject:
    """A record or payload case. Whether it carries ``$type`` may only turn out after it was
    written, when it is mentioned once more at the site of an abstract record."""

    discriminator: str
    discriminated: bool
    properties: dict[str, Schema] = field(default_factory=dict)
    required: list[str] = field(default_factory=list)
    description: str | None = None

    def schema(self) -> Schema:
        properties, required = self.properties, self.required
        if self.discriminated:
            properties = {"$type": {"const": self.discriminator}, **properties}
            required = ["$type", *required]
        return closed_object(properties, required, self.description)


def closed_object(
    properties: dict[str, Schema], required: list[str], description: str | None = None
) -> Schema:
    """A closed object, members in the contract's order."""
    schema: Schema = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    schema["additionalProperties"] = False
    if description is not None:
        schema["description"] = description
    return schema


R = TypeVar("R")
_Writing = Generator[Entry, None, R]
"""Writes something; hands out each entry that is to be filled before it goes on."""


def arguments_document(db: ProgramDatabase, sites: Iterable[Site]) -> Schema:
    """The document of a function's arguments, in the input direction.

    Every type at ``sites`` must have a JSON form (``reach.reachable_problems``)."""
    writer = _DocumentWriter(db, "input")
    return writer.document(writer.arguments(sites))


def type_document(db: ProgramDatabase, type: Type, direction: Direction) -> Schema:
    """The document of one type: a function's result, or a declared type.

    ``type`` must have a JSON form (``reach.reachable_problems``)."""
    writer = _DocumentWriter(db, direction)
    return writer.document(writer.type(type))


_Definition = Union[Schema, _ClosedObject]


class _DocumentWriter:
    """One document in the making."""

    def __init__(self, db: ProgramDatabase, direction: Direction) -> None:
        self._db = db
        self._direction = direction
        self._keys = DefinitionKeys()
        self._definitions: dict[str, _Definition] = {}

    # ------------------------------------------------------------ the document

    def document(self, root: _Writing[Schema]) -> Schema:
        """The whole document around the schema that ``root`` writes."""
        document: Schema = {"$schema": DIALECT, **self._written(root)}
        if self._definitions:
            document["$defs"] = {
                key: definition.schema() if isinstance(definition, _ClosedObject) else definition
                for key, definition in self._definitions.items()
            }
        return document

    def _written(self, root: _Writing[Schema]) -> Schema:
        """Drive ``root`` to its end, filling each entry when it is handed out."""
        fillings: list[_Writing[None]] = []
        while True:
            try:
                entry = next(fillings[-1] if fillings else root)
            except StopIteration as stop:
                if not fillings:
                    schema: Schema = stop.value
                    return schema
                fillings.pop()
            else:
                fillings.append(self._fill(entry))

    # ------------------------------------------------------------ sites

    def arguments(self, sites: Iterable[Site]) -> _Writing[Schema]:
        """The closed object that holds a function's arguments."""
        properties: dict[str, Schema] = {}
        required: list[str] = []
        for site in sites:
            properties[site.member.name] = yield from self._property(site)
            if not site.omissible:
                required.append(site.member.name)
        return closed_object(properties, required)

    def _property(self, site: Site) -> _Writing[Schema]:
        """A property: its own schema, then ``description``, then ``default``."""
        schema = self._documented(site, (yield from self.type(site.type)))
        default = shown_default(self._db, site)
        if default is not None:
            schema["default"] = default
        return schema

    def _documented(self, site: Site, schema: Schema) -> Schema:
        description = member_description(self._db, site.member)
        return schema if description is None else {**schema, "description": description}

    # ------------------------------------------------------------ types

    def type(self, type: Type) -> _Writing[Schema]:
        """The schema of a type. ``T?`` is that of a result, the one place where it may stand."""
        item = yield from self._item(type.item)
        match type.occurrence:
            case Occurrence.ONE:
                return item
            case Occurrence.OPTIONAL:
                return {"anyOf": [item, {"type": "null"}]}
            case Occurrence.SOME:
                return {"type": "array", "items": item, "minItems": 1}
            case Occurrence.MANY:
                return {"type": "array", "items": item}

    def _item(self, item: ItemType) -> _Writing[Schema]:
        match item:
            case Primitive() | Constrained():
                return primitive_schema(item)
            case ObjectType() | TypeParameterType():
                return {"not": {"type": "null"}}
            case RecordType():
                return (yield from self._record(described(item)))
            case UnionType():
                return (yield from self._mention(item))
            case CaseType(union, case):
                if queries.is_constant_case(self._db, union, case):
                    return _string_enum([case])
                return (yield from self._mention(item))
            case _:
                # Not reached: the caller has asked ``reach`` first. Admit nothing rather
                # than anything.
                return {"not": {}}

    def _record(self, record: RecordType) -> _Writing[Schema]:
        if not is_abstract(self._db, record.declaration):
            return (yield from self._mention(record))
        choices: list[Schema] = []
        for shape in shapes(self._db, record.declaration):
            choices.append((yield from self._mention(shape)))
            definition = self._definitions[self._keys.take(shape)]
            if isinstance(definition, _ClosedObject):
                definition.discriminated = True
        return {"anyOf": choices}

    def _mention(self, entry: Entry) -> _Writing[Schema]:
        """A reference to an entry, which is reserved and filled if this is its first mention."""
        key = self._keys.take(entry)
        if key not in self._definitions:
            self._definitions[key] = {}
            yield entry
        return {"$ref": f"#/$defs/{key}"}

    # ------------------------------------------------------------ entries

    def _fill(self, entry: Entry) -> _Writing[None]:
        match entry:
            case RecordType(declaration, _) if is_update(self._db, declaration):
                yield from self._update(entry)
            case RecordType(declaration, _):
                object_ = _ClosedObject(
                    declared_name(declaration),
                    discriminated=self._direction == "output",
                    description=declaration_description(self._db, declaration),
                )
                yield from self._fields(entry, object_, record_sites(self._db, entry))
            case CaseType(union, case):
                object_ = _ClosedObject(
                    f"{declared_name(union)}.{case}",
                    discriminated=True,
                    description=case_description(self._db, union, case),
                )
                yield from self._fields(entry, object_, case_sites(self._db, entry))
            case UnionType():
                yield from self._union(entry)

    def _fields(
        self, entry: Entry, object_: _ClosedObject, sites: Iterable[Site]
    ) -> _Writing[None]:
        """Fields of a record or case. A runtime always writes a defaulted one."""
        self._definitions[self._keys.take(entry)] = object_
        for site in sites:
            object_.properties[site.member.name] = yield from self._property(site)
            may_lack = site.optional if self._direction == "output" else site.omissible
            if not may_lack:
                object_.required.append(site.member.name)

    def _update(self, record: RecordType) -> _Writing[None]:
        """An update record: no field required, none defaulted, ``null`` clears a marked one."""
        object_ = _ClosedObject(
            declared_name(record.declaration), discriminated=self._direction == "output"
        )
        self._definitions[self._keys.take(record)] = object_
        for site in record_sites(self._db, record):
            schema = yield from self.type(site.type)
            if site.optional:
                schema = {"anyOf": [schema, {"type": "null"}]}
            object_.properties[site.member.name] = self._documented(site, schema)

    def _union(self, union: UnionType) -> _Writing[None]:
        id = union.declaration
        payload = payload_cases(self._db, id)
        constant = constant_cases(self._db, id)
        if payload:
            choices = [_string_enum(constant)] if constant else []
            for case in payload:
                choices.append((yield from self._mention(case)))
            schema: Schema = {"anyOf": choices}
        else:
            schema = _string_enum(constant)
        description = union_description(self._db, id)
        if description is not None:
            schema["description"] = description
        self._definitions[self._keys.take(union)] = schema


def _string_enum(values: Iterable[str]) -> Schema:
    return {"type": "string", "enum": list(values)}
