"""Types and declarations of the random programs of ``well_typed_programs``.

A model of semantics 3 of its own: nothing here asks the checker. It is smaller than the language
(it knows which types *certainly* satisfy others), because programs only have to be valid.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

Occurrence = Literal["", "?", "+", "*"]
NUMBERS = ("int", "float64", "int32", "int64", "float32")
PRIMITIVES = ("string", "boolean", *NUMBERS)
WIDER = {
    "int32": ("int", "int64", "float64"),
    "int": ("int64", "float64"),
    "float32": ("float64",),
}
COMMON = {
    "int": (("int", "int"), ("int", "int32"), ("int32", "int")),
    "float64": (("float64", "float64"), ("int", "float64"), ("float32", "int32")),
    "int32": (("int32", "int32"),),
    "int64": (("int64", "int64"), ("int", "int64")),
    "float32": (("float32", "float32"),),
}
"""Numeric types, and pairs of operand types of which arithmetic gives them (semantics 4.3). Where
one operand is a literal, all but the first pair may give a narrower type."""


@dataclass(frozen=True)
class Item:
    """An item type. ``name`` is a declared name, a primitive, or the owner of a derived type. A
    ``field`` is a case of a property union."""

    kind: Literal[
        "primitive",
        "constrained",
        "record",
        "union",
        "case",
        "update",
        "property",
        "field",
        "function",
        "any-function",
        "component",
        "parameter",
    ]
    name: str = ""
    case: str = ""
    low: int = 0
    high: int = 0
    argument: Item | None = None
    parameters: tuple[Slot, ...] = ()
    result: Type | None = None


@dataclass(frozen=True)
class Type:
    item: Item
    occurrence: Occurrence = ""

    @property
    def zero(self) -> bool:
        return self.occurrence in ("?", "*")

    @property
    def many(self) -> bool:
        return self.occurrence in ("+", "*")

    def with_(self, zero: bool, many: bool) -> Type:
        return Type(self.item, occurrence(zero, many))


@dataclass(frozen=True)
class Slot:
    """A property, parameter or field: ``item`` or ``item+``, perhaps marked or defaulted."""

    name: str
    item: Item
    many: bool = False
    optional: bool = False
    default: str | None = None
    content: bool = False

    @property
    def omissible(self) -> bool:
        return self.optional or self.default is not None

    @property
    def read(self) -> Type:
        return Type(self.item, occurrence(self.optional, self.many))


@dataclass
class Record:
    name: str
    base: Record | None = None
    abstract: bool = False
    action: bool = False
    generic: bool = False
    """With one type parameter, ``T``."""
    own: list[Slot] = field(default_factory=list)

    @property
    def fields(self) -> list[Slot]:
        return (self.base.fields if self.base else []) + self.own

    def descends_from(self, name: str) -> bool:
        return self.name == name or (self.base is not None and self.base.descends_from(name))


@dataclass
class UnionDeclared:
    name: str
    base: Record | None
    cases: dict[str, list[Slot]]

    def fields_of(self, case: str) -> list[Slot]:
        return (self.base.fields if self.base else []) + self.cases[case]


@dataclass
class Function:
    name: str
    parameters: list[Slot]
    result: Type
    element_form: bool = False
    annotated: bool = True


@dataclass
class Component:
    name: str
    abstract: bool = False
    generic: bool = False
    properties: list[Slot] = field(default_factory=list)
    emits: dict[str, Record] = field(default_factory=dict)
    """Emitted actions by the name that follows ``on`` in the name of their handlers."""
    state: list[Slot] = field(default_factory=list)


def occurrence(zero: bool, many: bool) -> Occurrence:
    if many:
        return "*" if zero else "+"
    return "?" if zero else ""


def primitive(name: str) -> Item:
    return Item("primitive", name)


STRING, BOOLEAN, INT = Type(primitive("string")), Type(primitive("boolean")), Type(primitive("int"))
OBJECT, ELEMENT = primitive("object"), primitive("Element")
RANGE = Record(
    "Range",
    generic=True,
    own=[
        Slot("start", Item("parameter", "T")),
        Slot("end", Item("parameter", "T")),
        Slot("endInclusive", BOOLEAN.item),
    ],
)


@dataclass
class World:
    """What is declared so far, in all modules. Names are unique in a program."""

    records: dict[str, Record] = field(default_factory=lambda: {"Range": RANGE})
    unions: dict[str, UnionDeclared] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    values: dict[str, Type] = field(default_factory=dict)
    components: dict[str, Component] = field(default_factory=dict)
    aliases: dict[str, Type] = field(default_factory=dict)
    exported: set[str] = field(default_factory=set)
    counts: dict[str, int] = field(default_factory=dict)

    def fresh(self, prefix: str) -> str:
        self.counts[prefix] = self.counts.get(prefix, 0) + 1
        return f"{prefix}{self.counts[prefix]}"

    # -- members

    def fields_of(self, item: Item) -> list[Slot]:
        """The members that ``.`` reads of a value, as slots (semantics 4.7)."""
        match item.kind:
            case "record":
                return [substituted(each, item) for each in self.shape(item.name)]
            case "update":
                return [
                    Slot(each.name, each.item, each.many, True)
                    for each in (substituted(each, item) for each in self.shape(item.name))
                ]
            case "union":
                base = self.unions[item.name].base
                return base.fields if base is not None else []
            case "case":
                return self.unions[item.name].fields_of(item.case)
        return []

    def shape(self, name: str) -> list[Slot]:
        """The fields of a record, or of the state ``C.State`` of a component."""
        if name.endswith(".State"):
            return self.components[name.removesuffix(".State")].state
        return self.records[name].fields

    def cases_of(self, item: Item) -> list[str]:
        if item.kind == "property":
            return [each.name for each in self.shape(item.name) if "-" not in each.name]
        return list(self.unions[item.name].cases)

    def is_constant(self, item: Item, case: str) -> bool:
        """Whether the bare name of a case is a value of it."""
        return item.kind == "property" or not self.unions[item.name].cases[case]

    def concrete(self, name: str) -> list[str]:
        """The records that can be built where ``name`` is expected."""
        return [
            each.name
            for each in self.records.values()
            if not each.abstract and each.descends_from(name)
        ]

    # -- satisfaction (semantics 3.4)

    def satisfies(self, given: Type, wanted: Type) -> bool:
        fits = (wanted.zero or not given.zero) and (wanted.many or not given.many)
        return fits and self.item_satisfies(given.item, wanted.item)

    def item_satisfies(self, given: Item, wanted: Item) -> bool:
        if given == wanted or wanted == OBJECT:
            return True
        match given.kind, wanted.kind:
            case "primitive", "primitive":
                return wanted.name in WIDER.get(given.name, ())
            case "constrained", "primitive":
                return wanted.name == given.name or wanted.name in WIDER.get(given.name, ())
            case "constrained", "constrained":
                inside = wanted.low <= given.low and given.high <= wanted.high
                return given.name == wanted.name and inside
            case "record", "record":
                known = not given.name.endswith(".State") and not wanted.name.endswith(".State")
                known = known and given.argument is None
                return known and self.records[given.name].descends_from(wanted.name)
            case ("case", "union") | ("field", "property"):
                return given.name == wanted.name
            case "union" | "case", "record":
                base = self.unions[given.name].base
                return base is not None and base.descends_from(wanted.name)
        return False


def substituted(slot: Slot, owner: Item) -> Slot:
    """A field of a generic record as a member of ``owner``."""
    if slot.item.kind != "parameter" or owner.argument is None:
        return slot
    return Slot(slot.name, owner.argument, slot.many, slot.optional, slot.default, slot.content)


def mentions(item: Item) -> Iterator[Item]:
    """The item types that ``item`` is made of, itself first."""
    yield item
    if item.argument is not None:
        yield from mentions(item.argument)
    for each in item.parameters:
        yield from mentions(each.item)
    if item.result is not None:
        yield from mentions(item.result.item)
