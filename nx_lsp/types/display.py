"""How types are shown (semantics 3.13, decision 16): ``<Page T=Plan />+``, ``Union.case``."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction

from nx_lsp.program.declarations import DeclarationId
from nx_lsp.types.model import (
    INTEGERS,
    CaseType,
    ComponentType,
    Constrained,
    ErrorType,
    FunctionReferenceType,
    FunctionType,
    Interval,
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
    TypeParameterType,
    UnionType,
    UnresolvedType,
    VariableType,
)

LISTED_NAMES = 8
"""Names that a message lists one by one."""


def display(type: Type) -> str:
    """The type in NX spelling; two declarations of one name inside it as ``module:Name``."""
    return display_all(type)[0]


def display_all(*types: Type) -> tuple[str, ...]:
    """Several types of one message: a name that two different declarations share is shown as
    ``module:Name`` in all of them (semantics 3.1)."""
    modules: dict[str, set[DeclarationId]] = {}
    for type in types:
        for id in declarations_in(type):
            modules.setdefault(_plain(id), set()).add(id)
    shared = {name for name, ids in modules.items() if len(ids) > 1}
    return tuple(_type(type, shared) for type in types)


def display_item(item: ItemType) -> str:
    """An item type in NX spelling."""
    return display(Type(item))


def declarations_in(type: Type) -> Iterator[DeclarationId]:
    """The declarations that a type names, at any depth."""
    item = type.item
    if isinstance(item, (RecordType, UnionType, ComponentType)):
        yield item.declaration
        if isinstance(item, RecordType):
            for _, argument in item.arguments:
                yield from declarations_in(Type(argument))
    elif isinstance(item, CaseType):
        yield item.union
    elif isinstance(item, FunctionType):
        for parameter in item.parameters:
            yield from declarations_in(parameter.type)
        yield from declarations_in(item.result)
    elif isinstance(item, FunctionReferenceType):
        yield from declarations_in(item.result)


def _plain(id: DeclarationId) -> str:
    """The display name: without the number of a repeated declaration."""
    return id.name.partition("#")[0]


def _type(type: Type, shared: Collection[str]) -> str:
    if isinstance(type.item, NeverType):
        return "{}" if type.occurrence is not Occurrence.ONE else "never"
    spelled = _item(type.item, shared)
    if type.occurrence is Occurrence.ONE:
        return spelled
    grouped = isinstance(type.item, (FunctionType, FunctionReferenceType, Constrained))
    return f"({spelled}){type.occurrence.suffix}" if grouped else spelled + type.occurrence.suffix


def _name(id: DeclarationId, shared: Collection[str]) -> str:
    name = _plain(id)
    return f"{id.module}:{name}" if name in shared else name


def _item(item: ItemType, shared: Collection[str]) -> str:
    match item:
        case Primitive(name):
            return name
        case Constrained(base, interval):
            return f"{base.name} where {spell_interval(base.name, interval)}"
        case ObjectType():
            return "object"
        case RecordType(declaration, arguments):
            name = _name(declaration, shared)
            if not arguments:
                return name
            spelled = " ".join(f"{key}={_item(value, shared)}" for key, value in arguments)
            return f"<{name} {spelled} />"
        case UnionType(declaration) | ComponentType(declaration):
            return _name(declaration, shared)
        case CaseType(union, case):
            return f"{_name(union, shared)}.{case}"
        case FunctionType(parameters, result):
            signature = _spaced(_parameter(each, shared) for each in parameters)
            return f"<function {signature}/>: {_type(result, shared)}"
        case FunctionReferenceType(result):
            return f"<function ... />: {_type(result, shared)}"
        case TypeParameterType(_, name):
            return name
        case MarkupType(tag):
            return tag
        case NeverType():
            return "never"
        case VariableType(number):
            return f"T{number}"
        case UnresolvedType(spelling):
            return spelling
        case ErrorType():
            return "<error>"


def _spaced(parts: Iterable[str]) -> str:
    return "".join(f"{part} " for part in parts)


def _parameter(parameter: Parameter, shared: Collection[str]) -> str:
    content = "content " if parameter.content else ""
    mark = "?" if parameter.optional else ""
    return f"{content}{parameter.name}{mark}:{_type(parameter.type, shared)}"


# ---------------------------------------------------------------- lists


def list_names(names: Sequence[str]) -> str:
    """Names in a message: all, or the first few."""
    listed = ", ".join(f"`{each}`" for each in names[:LISTED_NAMES])
    return listed + (", …" if len(names) > LISTED_NAMES else "")


# ---------------------------------------------------------------- constraints


def spell_interval(base: PrimitiveName, interval: Interval) -> str:
    """The constraint after ``where`` (syntax 3.7): ``in 1..=10``, ``> 0 && < 1``, ``>= 0``."""
    low, high = interval.low, interval.high
    if low is not None and high is not None and interval.low_inclusive:
        dots = "..=" if interval.high_inclusive else ".."
        return f"in {spell_number(base, low)}{dots}{spell_number(base, high)}"
    terms = []
    if low is not None:
        terms.append(f"{'>=' if interval.low_inclusive else '>'} {spell_number(base, low)}")
    if high is not None:
        terms.append(f"{'<=' if interval.high_inclusive else '<'} {spell_number(base, high)}")
    return " && ".join(terms)


def spell_number(base: PrimitiveName, value: Fraction) -> str:
    """A number as an NX literal of ``base``: an integer as it is, a float with a point."""
    if base in INTEGERS:
        return str(int(value)) if value.denominator == 1 else str(float(value))
    return _decimal(value)


def _decimal(value: Fraction) -> str:
    """The shortest spelling that means exactly ``value``, else its nearest ``float64``."""
    nearest = repr(float(value))
    mantissa, marker, exponent = nearest.partition("e")
    return f"{mantissa}.0e{exponent}" if marker and "." not in mantissa else nearest
