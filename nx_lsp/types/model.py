"""Type values (semantics 3): item types, occurrences and their pairing.

All are immutable, hashable and compared by value; nominal types by ``DeclarationId``.
Nothing here looks at a program.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, Union

from nx_lsp.program.declarations import DeclarationId


class Occurrence(enum.Enum):
    """Semantics 3.2: (can be zero, can be many)."""

    ONE = (False, False)
    OPTIONAL = (True, False)
    SOME = (False, True)
    MANY = (True, True)

    @property
    def zero(self) -> bool:
        return self.value[0]

    @property
    def many(self) -> bool:
        return self.value[1]

    @property
    def suffix(self) -> str:
        return {"ONE": "", "OPTIONAL": "?", "SOME": "+", "MANY": "*"}[self.name]

    @classmethod
    def of(cls, zero: bool, many: bool) -> Occurrence:
        return cls((zero, many))

    @classmethod
    def from_suffix(cls, suffix: str) -> Occurrence:
        return {"": cls.ONE, "?": cls.OPTIONAL, "+": cls.SOME, "*": cls.MANY}[suffix]

    def fits(self, other: Occurrence) -> bool:
        """``self ≤ other``."""
        return (not self.zero or other.zero) and (not self.many or other.many)

    def join(self, other: Occurrence) -> Occurrence:
        return Occurrence.of(self.zero or other.zero, self.many or other.many)

    def sum(self, other: Occurrence) -> Occurrence:
        return Occurrence.of(self.zero and other.zero, True)

    def product(self, other: Occurrence) -> Occurrence:
        return Occurrence.of(self.zero or other.zero, self.many or other.many)

    def without_zero(self) -> Occurrence:
        return Occurrence.of(False, self.many)


PrimitiveName = Literal["string", "boolean", "int", "int32", "int64", "float32", "float64"]
NUMERIC: tuple[PrimitiveName, ...] = ("int32", "int", "int64", "float32", "float64")
INTEGERS: tuple[PrimitiveName, ...] = ("int32", "int", "int64")


@dataclass(frozen=True, slots=True)
class Primitive:
    name: PrimitiveName


@dataclass(frozen=True, slots=True)
class Interval:
    """The values a constraint leaves; exact. ``None`` is an open end. Kept as written (an
    exclusive integer end stays exclusive; ``schema`` writes it as its neighbour), but two
    intervals with the same values of the base are made equal by ``constraints.normalize``."""

    low: Fraction | None
    low_inclusive: bool
    high: Fraction | None
    high_inclusive: bool


@dataclass(frozen=True, slots=True)
class Constrained:
    """A numeric primitive narrowed to an interval (syntax 3.7, decision 1)."""

    base: Primitive
    interval: Interval


@dataclass(frozen=True, slots=True)
class ObjectType:
    """``object``, the top item type."""


@dataclass(frozen=True, slots=True)
class RecordType:
    """A record, action, update record or ``C.State``. ``arguments`` pairs each type parameter
    with its item type, in declaration order; empty for a non-generic record and for a generic
    one named without arguments."""

    declaration: DeclarationId
    arguments: tuple[tuple[str, ItemType], ...] = ()


@dataclass(frozen=True, slots=True)
class UnionType:
    """A union or ``X.Property``."""

    declaration: DeclarationId


@dataclass(frozen=True, slots=True)
class CaseType:
    """One case of a union; arises by inference only."""

    union: DeclarationId
    case: str


@dataclass(frozen=True, slots=True)
class ComponentType:
    declaration: DeclarationId


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function type; ``type`` is the *declared* slot type (mark not joined in)."""

    name: str
    type: Type
    optional: bool
    content: bool = False

    @property
    def read_type(self) -> Type:
        return self.type.or_empty() if self.optional else self.type


@dataclass(frozen=True, slots=True)
class FunctionType:
    parameters: tuple[Parameter, ...]
    result: Type


@dataclass(frozen=True, slots=True)
class FunctionReferenceType:
    """``<function ... />: R``."""

    result: Type


@dataclass(frozen=True, slots=True)
class TypeParameterType:
    """A rigid type parameter inside its declaration."""

    owner: DeclarationId
    name: str


@dataclass(frozen=True, slots=True)
class MarkupType:
    """``Element`` (``tag`` is ``"Element"``) or an element of an undeclared tag."""

    tag: str


@dataclass(frozen=True, slots=True)
class NeverType:
    """Bottom; the item type of ``{}``."""


@dataclass(frozen=True, slots=True)
class VariableType:
    """A result that is not known yet (semantics 4.2), shown as ``T0``, ``T1``, …"""

    number: int


@dataclass(frozen=True, slots=True)
class UnresolvedType:
    """A written name that means no type, or a cyclic alias. Behaves as the error type in
    relations; ``spelling`` is kept for messages and schema reports."""

    spelling: str


@dataclass(frozen=True, slots=True)
class ErrorType:
    """Already reported; relates to everything."""


ItemType = Union[
    Primitive,
    Constrained,
    ObjectType,
    RecordType,
    UnionType,
    CaseType,
    ComponentType,
    FunctionType,
    FunctionReferenceType,
    TypeParameterType,
    MarkupType,
    NeverType,
    VariableType,
    UnresolvedType,
    ErrorType,
]


@dataclass(frozen=True, slots=True)
class Type:
    """An item type under an occurrence."""

    item: ItemType
    occurrence: Occurrence = Occurrence.ONE

    def or_empty(self) -> Type:
        """The read type of an optional slot: joined with ``?``."""
        return Type(self.item, self.occurrence.join(Occurrence.OPTIONAL))

    def without_zero(self) -> Type:
        return Type(self.item, self.occurrence.without_zero())


STRING = Type(Primitive("string"))
BOOLEAN = Type(Primitive("boolean"))
INT = Type(Primitive("int"))
FLOAT64 = Type(Primitive("float64"))
OBJECT = Type(ObjectType())
EMPTY = Type(NeverType(), Occurrence.OPTIONAL)
ERROR = Type(ErrorType())
