"""Diagnostics about missing schemas: where they stand and what they say (schema-contract 11)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import (
    DeclarationId,
    Diagnostic,
    FunctionDeclaration,
    Label,
    Member,
    Place,
    UnionDeclaration,
)
from nx_lsp.schema.keys import declared_name
from nx_lsp.schema.reach import Cause, Reached, member_name
from nx_lsp.types.model import CaseType, RecordType

INEXPRESSIBLE = "schema-inexpressible-type"
AMBIGUOUS = "schema-ambiguous-discriminator"


@dataclass(frozen=True, slots=True)
class ParameterSite:
    """A parameter that a schema is asked for."""

    function: DeclarationId
    member: Member


@dataclass(frozen=True, slots=True)
class ResultSite:
    """The result of a function."""

    function: DeclarationId


@dataclass(frozen=True, slots=True)
class TypeSite:
    """A declared type that a schema is asked for by name."""

    type: DeclarationId


SchemaSite = Union[ParameterSite, ResultSite, TypeSite]
"""Where a schema starts."""


def site_name(site: SchemaSite) -> str:
    """The site as messages name it."""
    match site:
        case ParameterSite(_, member):
            return f"Parameter `{member.name}`"
        case ResultSite(function):
            return f"The result of `{declared_name(function)}`"
        case TypeSite(type):
            return f"The type `{declared_name(type)}`"


def site_place(db: ProgramDatabase, site: SchemaSite) -> Place:
    """A parameter's declaration; a result's annotation, or without one the whole function; a
    type's name."""
    match site:
        case ParameterSite(function, member):
            return queries.place(db, function, member.node)
        case ResultSite(function):
            declaration = queries.declaration(db, function)
            annotation = (
                declaration.result if isinstance(declaration, FunctionDeclaration) else None
            )
            return queries.place(db, function, annotation)
        case TypeSite(type):
            return queries.name_place(db, type)


def problem(db: ProgramDatabase, site: SchemaSite, reached: Reached) -> Diagnostic:
    """The diagnostic about something reached from ``site``, labelled at the member that holds
    it: a message that names the member, the type, and the way there if that says more."""
    if reached.member is None:
        name, place = site_name(site), site_place(db, site)
    else:
        name = f"`{member_name(reached.member)}`"
        place = queries.place(db, reached.member.owner, reached.member.node)
    way = f" (reached through `{reached.way}`)" if reached.way is not None else ""
    cause = reached.cause
    if cause.kind == "ambiguous":
        message = (
            f"{name} has the type `{cause.spelling}`, for which `$type` "
            f'"{cause.discriminator}" could mean {_count(cause)} declarations{way}'
        )
        labels = (Label(place, None, primary=True), *_ambiguous_labels(db, cause))
        return Diagnostic("error", AMBIGUOUS, message, labels, _help(cause, site, reached))
    if isinstance(site, TypeSite) and reached.member is None:
        message = f"{name} has no JSON form: {_reason(cause)}"
    else:
        message = f"{name} has the type `{cause.spelling}`, {_REASONS[cause.kind]}{way}"
    labels = (Label(place, None, primary=True),)
    return Diagnostic("error", INEXPRESSIBLE, message, labels, _help(cause, site, reached))


_REASONS = {
    "function": "and a function has no JSON form",
    "component": "and a component has no JSON form",
    "markup": "and markup has no JSON form",
    "childless": "an abstract record that nothing extends, which has no JSON form",
    "unresolved": "which names no type and so has no JSON form",
    "uninferred": "since it could not be inferred, and so has no JSON form",
}


def _reason(cause: Cause) -> str:
    match cause.kind:
        case "childless":
            return "it is an abstract record that nothing extends"
        case "unresolved":
            return f"`{cause.spelling}` names no type"
        case "uninferred":
            return "it could not be inferred"
        case kind:
            return f"`{cause.spelling}` is {_A[kind]}"


_A = {"function": "a function type", "component": "a component", "markup": "markup"}


def _count(cause: Cause) -> str:
    return "two" if len(cause.shapes) == 2 else str(len(cause.shapes))


def _help(cause: Cause, site: SchemaSite, reached: Reached) -> str:
    match cause.kind:
        case "ambiguous":
            return "Rename one of the declarations: `$type` is the declared name, without module."
        case "function":
            return "JSON cannot spell a function: take or return data instead."
        case "component":
            return "JSON cannot spell a component: use a record with the data that it shows."
        case "markup":
            return "JSON cannot spell markup: return the data, and render it elsewhere."
        case "childless":
            hint = ", or list it as host-supplied" if isinstance(site, ParameterSite) else ""
            return f"Declare a record that extends `{cause.spelling}`{hint}."
        case "unresolved":
            return "Declare or import the type, or correct its name."
        case "uninferred":
            if isinstance(site, ResultSite) and reached.member is None:
                return "Annotate the result type."
            return "Write the type out."


def _ambiguous_labels(db: ProgramDatabase, cause: Cause) -> tuple[Label, ...]:
    return tuple(
        Label(_shape_place(db, shape), f'this has `$type` "{cause.discriminator}"')
        for shape in cause.shapes
    )


def _shape_place(db: ProgramDatabase, shape: RecordType | CaseType) -> Place:
    if isinstance(shape, RecordType):
        return queries.name_place(db, shape.declaration)
    declaration = queries.declaration(db, shape.union)
    if isinstance(declaration, UnionDeclaration):
        for case in declaration.cases:
            if case.name == shape.case:
                return queries.place(db, shape.union, case.node.name)
    return queries.name_place(db, shape.union)
