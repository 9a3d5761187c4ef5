"""Satisfaction, join, widening, comparability (semantics 3.4, 3.7, 4.4, decision 10)."""

from __future__ import annotations

from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId
from nx_lsp.types import constraints
from nx_lsp.types.model import (
    NUMERIC,
    OBJECT,
    CaseType,
    ComponentType,
    Constrained,
    ErrorType,
    FunctionReferenceType,
    FunctionType,
    ItemType,
    MarkupType,
    NeverType,
    ObjectType,
    Occurrence,
    Parameter,
    Primitive,
    PrimitiveName,
    RecordType,
    Type,
    UnionType,
    UnresolvedType,
    VariableType,
)

WIDENINGS: dict[PrimitiveName, frozenset[PrimitiveName]] = {
    "int32": frozenset({"int", "int64", "float64"}),
    "int": frozenset({"int64", "float64"}),
    "int64": frozenset(),
    "float32": frozenset({"float64"}),
    "float64": frozenset(),
}
"""What each numeric primitive widens to (semantics 3.4)."""

ANY_FUNCTION: ItemType = FunctionReferenceType(Type(ObjectType(), Occurrence.MANY))
"""``<function ... />: object*``, which accepts every function."""


def is_error(item: ItemType) -> bool:
    """Already reported: relates to everything (semantics 3.1)."""
    return isinstance(item, (ErrorType, UnresolvedType))


def numeric_base(item: ItemType) -> PrimitiveName | None:
    """The numeric primitive of a number, seen through a constraint; ``None`` for other types."""
    if isinstance(item, Constrained):
        return item.base.name
    if isinstance(item, Primitive) and item.name in NUMERIC:
        return item.name
    return None


def is_function_like(item: ItemType) -> bool:
    """A function type or a function reference type."""
    return isinstance(item, (FunctionType, FunctionReferenceType))


def widens(a: PrimitiveName, b: PrimitiveName) -> bool:
    """Is every ``a`` a ``b``? A numeric primitive widens to itself too."""
    return a == b or b in WIDENINGS.get(a, ())


def common_number(a: PrimitiveName, b: PrimitiveName) -> PrimitiveName | None:
    """The narrowest numeric primitive that both widen to; ``None`` for ``int64`` with a float."""
    return next((each for each in NUMERIC if widens(a, each) and widens(b, each)), None)


def normal(type: Type) -> Type:
    """``never·*`` and ``never·+`` as ``never?`` (semantics 3.2): an empty value stays empty."""
    if isinstance(type.item, NeverType) and type.occurrence.many:
        return Type(type.item, Occurrence.OPTIONAL)
    return type


# ---------------------------------------------------------------- identity


def same_item(a: ItemType, b: ItemType) -> bool:
    """Are two item types equal: nominal types by declaration and arguments, constraints by the
    values they leave, function types by parameter names?"""
    if a == b:
        return True
    match a, b:
        case Constrained(base, low), Constrained(other, high) if base == other:
            normalize = constraints.normalize
            return normalize(base.name, low) == normalize(base.name, high)
        case RecordType(declaration, first), RecordType(other_declaration, second):
            return declaration == other_declaration and _same_arguments(first, second)
        case FunctionType(parameters, result), FunctionType(other_parameters, other_result):
            return same_type(result, other_result) and _same_parameters(
                parameters, other_parameters
            )
        case FunctionReferenceType(result), FunctionReferenceType(other_result):
            return same_type(result, other_result)
    return False


def same_type(a: Type, b: Type) -> bool:
    """Equal occurrence and equal item type."""
    return a.occurrence is b.occurrence and same_item(a.item, b.item)


def _same_arguments(
    a: tuple[tuple[str, ItemType], ...], b: tuple[tuple[str, ItemType], ...]
) -> bool:
    others = dict(b)
    return len(a) == len(b) and all(
        name in others and same_item(item, others[name]) for name, item in a
    )


def _same_parameters(a: tuple[Parameter, ...], b: tuple[Parameter, ...]) -> bool:
    others = {each.name: each for each in b}
    return len(a) == len(b) and all(
        (other := others.get(each.name)) is not None
        and (each.optional, each.content) == (other.optional, other.content)
        and same_type(each.type, other.type)
        for each in a
    )


# ---------------------------------------------------------------- satisfaction


def satisfies(db: ProgramDatabase, a: Type, b: Type) -> bool:
    """Is a value of type ``a`` accepted where ``b`` is expected (semantics 3.4)?

    Literals and constant expressions meet their site first: ``constants``."""
    if is_error(a.item) or is_error(b.item):
        return True
    if isinstance(a.item, NeverType) and a.occurrence is Occurrence.ONE:
        return True
    if not a.occurrence.fits(b.occurrence):
        return False
    return item_satisfies(db, a.item, b.item)


def item_satisfies(db: ProgramDatabase, a: ItemType, b: ItemType) -> bool:
    """Satisfaction of item types, whatever the occurrences."""
    if _structurally_satisfies(db, a, b):
        return True
    match a, b:
        case RecordType(declaration, arguments), RecordType(other, others):
            return _same_arguments(arguments, others) and descends(db, declaration, other)
        case ComponentType(declaration), ComponentType(other):
            return descends(db, declaration, other)
        case CaseType(union), UnionType(declaration):
            return union == declaration
        case CaseType(union), RecordType(declaration, ()):
            return descends(db, union, declaration)
        case UnionType(union), RecordType(declaration, ()):
            return descends(db, union, declaration)
        case (
            (RecordType() | ComponentType() | MarkupType() | ObjectType()),
            MarkupType("Element"),
        ):
            # `object` is bound in no namespace, just like an undeclared tag (semantics 3.4).
            return True
    return False


def _structurally_satisfies(db: ProgramDatabase, a: ItemType, b: ItemType) -> bool:
    """The part of satisfaction that asks no declaration (semantics 4.4, rule 7)."""
    if same_item(a, b) or is_error(a) or is_error(b):
        return True
    if isinstance(a, NeverType) or isinstance(b, ObjectType):
        return True
    first, second = numeric_base(a), numeric_base(b)
    if first is not None and second is not None:
        if not isinstance(b, Constrained):
            return widens(first, second)
        return (
            isinstance(a, Constrained)
            and widens(first, second)
            and constraints.contains(
                constraints.inward(second, b.interval), constraints.normalize(first, a.interval)
            )
        )
    return is_function_like(a) and is_function_like(b) and _function_satisfies(db, a, b)


def _function_satisfies(db: ProgramDatabase, a: ItemType, b: ItemType) -> bool:
    """Semantics 3.7. The reference type satisfies no function type with stated parameters."""
    if not isinstance(a, (FunctionType, FunctionReferenceType)):
        return False
    if isinstance(b, FunctionReferenceType):
        return satisfies(db, a.result, b.result)
    if not isinstance(b, FunctionType) or not isinstance(a, FunctionType):
        return False
    offered = {each.name: each for each in b.parameters}
    for parameter in a.parameters:
        given = offered.get(parameter.name)
        if given is None or given.content != parameter.content:
            return False
        if not satisfies(db, given.read_type, parameter.read_type):
            return False
    return satisfies(db, a.result, b.result)


def descends(db: ProgramDatabase, id: DeclarationId, ancestor: DeclarationId) -> bool:
    """Is ``ancestor`` the declaration itself or one it extends, directly or not? One whose base is
    not known may extend anything."""
    if id == ancestor or ancestor in queries.ancestors(db, id):
        return True
    return queries.has_unknown_base(db, id)


# ---------------------------------------------------------------- join


def join(db: ProgramDatabase, a: Type, b: Type) -> Type:
    """The least type both branches fit (semantics 4.4): occurrences join, items by rule."""
    return normal(Type(join_items(db, a.item, b.item), a.occurrence.join(b.occurrence)))


def join_items(db: ProgramDatabase, a: ItemType, b: ItemType) -> ItemType:
    """The join of two item types, ``object`` if nothing closer is common."""
    if is_error(a) or is_error(b):
        return a if is_error(a) else b
    if same_item(a, b) or isinstance(b, NeverType):
        return a
    if isinstance(a, NeverType):
        return b
    nominal = _join_nominal(db, a, b)
    if nominal is not None:
        return nominal
    if is_function_like(a) and is_function_like(b):
        if _function_satisfies(db, a, b):
            return b
        return a if _function_satisfies(db, b, a) else ANY_FUNCTION
    first, second = numeric_base(a), numeric_base(b)
    if first is not None and second is not None:
        common = common_number(first, second)
        return OBJECT.item if common is None else Primitive(common)
    if _structurally_satisfies(db, a, b):
        return b
    return a if _structurally_satisfies(db, b, a) else OBJECT.item


def _join_nominal(db: ProgramDatabase, a: ItemType, b: ItemType) -> ItemType | None:
    """Rules 2 to 4; ``None`` where they do not decide. A union and a record that it extends are
    left to rule 7, so they give ``object`` (decision 10)."""
    match a, b:
        case ((CaseType(union) | UnionType(union)), (CaseType(other) | UnionType(other))):
            return UnionType(union) if union == other else None
        case RecordType(declaration, ()), RecordType(other, ()):
            nearest = _nearest_common(db, declaration, other)
            if nearest is None:
                return _unknown_join(db, declaration, other)
            return RecordType(nearest)
        case ComponentType(declaration), ComponentType(other):
            nearest = _nearest_common(db, declaration, other)
            if nearest is None:
                return _unknown_join(db, declaration, other)
            return ComponentType(nearest)
    return None


def _unknown_join(db: ProgramDatabase, a: DeclarationId, b: DeclarationId) -> ItemType | None:
    """What two declarations without a common base join to where the base of one is not known."""
    unknown = queries.has_unknown_base(db, a) or queries.has_unknown_base(db, b)
    return ErrorType() if unknown else None


def _nearest_common(
    db: ProgramDatabase, a: DeclarationId, b: DeclarationId
) -> DeclarationId | None:
    line = {b, *queries.ancestors(db, b)}
    return next((each for each in (a, *queries.ancestors(db, a)) if each in line), None)


def comparable(db: ProgramDatabase, a: ItemType, b: ItemType) -> bool:
    """May ``a == b`` be asked (semantics 4.3)? Occurrences play no role."""
    if is_error(a) or is_error(b) or isinstance(a, NeverType) or isinstance(b, NeverType):
        return True
    first, second = numeric_base(a), numeric_base(b)
    if first is not None and second is not None:
        return common_number(first, second) is not None
    if isinstance(a, CaseType) and isinstance(b, CaseType):
        return a.union == b.union
    if is_function_like(a) and is_function_like(b):
        return True
    return item_satisfies(db, a, b) or item_satisfies(db, b, a)


# ---------------------------------------------------------------- unknown parts


def holds_unknown(type: Type) -> bool:
    """Does the type hold, at any depth, a variable, an error, an unresolved name or ``never``?
    Then a result has no schema (semantics 4.2). A pending contextual name is an error type."""
    item = type.item
    match item:
        case RecordType(_, arguments):
            return any(holds_unknown(Type(each)) for _, each in arguments)
        case FunctionType(parameters, result):
            return holds_unknown(result) or any(holds_unknown(each.type) for each in parameters)
        case FunctionReferenceType(result):
            return holds_unknown(result)
    return is_error(item) or isinstance(item, (VariableType, NeverType))


def holds_error(type: Type) -> bool:
    """Does the type hold, at any depth, something that has been reported already?"""
    match type.item:
        case RecordType(_, arguments):
            return any(holds_error(Type(each)) for _, each in arguments)
        case FunctionType(parameters, result):
            return holds_error(result) or any(holds_error(each.type) for each in parameters)
        case FunctionReferenceType(result):
            return holds_error(result)
    return is_error(type.item)
