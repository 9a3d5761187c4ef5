"""The two queries: the schemas of a function, and the schema of a type (schema-contract 1).

``derived_function`` and ``derived_type`` hold everything that does not depend on where the text
stands; ``function_schema`` and ``type_schema`` add the spans, so that text added elsewhere in a
file derives nothing again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nx_lsp.engine import query
from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import (
    DeclarationId,
    Diagnostic,
    FunctionDeclaration,
    Member,
    UnionDeclaration,
    ValueDeclaration,
)
from nx_lsp.schema.answers import (
    Direction,
    FunctionSchema,
    ParameterEntry,
    Schema,
    TypeSchema,
)
from nx_lsp.schema.descriptions import (
    declaration_description,
    declaration_summary,
    first_block,
    member_description,
    union_description,
)
from nx_lsp.schema.document import arguments_document, type_document
from nx_lsp.schema.host_supplied import Listed, held_within, host_supplied_by
from nx_lsp.schema.keys import declared_name
from nx_lsp.schema.problems import (
    ParameterSite,
    ResultSite,
    SchemaSite,
    TypeSite,
    problem,
)
from nx_lsp.schema.reach import Cause, Reached, member_key, reachable_problems
from nx_lsp.schema.spans import SpanFinder
from nx_lsp.schema.structure import Site, site_of
from nx_lsp.syntax.spelling import spell_type
from nx_lsp.types.display import display
from nx_lsp.types.model import ComponentType, MarkupType, Occurrence, RecordType, Type, UnionType
from nx_lsp.types.relations import holds_unknown
from nx_lsp.types.resolution import declared_type, member_type
from nx_lsp.types.results import result_type

NOT_INFERRED = "?"
"""``resultType`` of a result that could not be inferred (decision 3)."""


@dataclass(frozen=True, slots=True)
class SiteProblems:
    """What was reached from one parameter, result or declared type; empty if all is well."""

    site: SchemaSite
    reached: tuple[Reached, ...]


@dataclass(frozen=True, slots=True)
class DerivedFunction:
    """A function's answer apart from spans."""

    description: str | None
    summary: str | None
    parameters: tuple[ParameterEntry, ...]
    input_schema: Schema | None
    output_schema: Schema | None
    result_type: str
    sites: tuple[SiteProblems, ...]
    """The checked parameters in order, then the result."""


@dataclass(frozen=True, slots=True)
class DerivedType:
    """A type's answer apart from spans."""

    description: str | None
    summary: str | None
    schema: Schema | None
    sites: tuple[SiteProblems, ...]


# ---------------------------------------------------------------- functions


def function_schema(
    db: ProgramDatabase, id: DeclarationId, host_supplied: Listed = ()
) -> FunctionSchema | None:
    """The answer about a function; ``None`` if ``id`` is no function of the program.

    Total otherwise: a broken body or an unknown type leaves out what it must and says why."""
    derived = derived_function(db, id, tuple(dict.fromkeys(host_supplied)))
    if derived is None:
        return None
    spans = SpanFinder(db)
    return FunctionSchema(
        module=id.module,
        name=declared_name(id),
        description=derived.description,
        summary=derived.summary,
        parameters=derived.parameters,
        input_schema=derived.input_schema,
        output_schema=derived.output_schema,
        result_type=derived.result_type,
        declaration=spans.span(queries.place(db, id, None)),
        diagnostics=tuple(map(spans.diagnostic, site_diagnostics(db, derived.sites))),
    )


@query
def derived_function(
    db: ProgramDatabase, id: DeclarationId, host_supplied: Listed
) -> DerivedFunction | None:
    """``function_schema`` without spans. ``host_supplied`` has no repeated names."""
    signature = queries.signature(db, id)
    if signature is None:
        return None
    entries: list[ParameterEntry] = []
    arguments: list[Site] = []
    for member in signature.parameters:
        site = site_of(db, member)
        entry = _parameter_entry(db, site, host_supplied)
        entries.append(entry)
        if entry.host_supplied is None:
            arguments.append(site)
    result, spelling = _result(db, id, signature)
    *inputs, output = checked_sites(db, id, host_supplied)
    has_input = not any(each.reached for each in inputs)
    return DerivedFunction(
        description=declaration_description(db, id),
        summary=declaration_summary(db, id),
        parameters=tuple(entries),
        input_schema=arguments_document(db, arguments) if has_input else None,
        output_schema=(
            type_document(db, result, "output")
            if result is not None and not output.reached
            else None
        ),
        result_type=spelling,
        sites=(*inputs, output),
    )


@query
def checked_sites(
    db: ProgramDatabase, id: DeclarationId, host_supplied: Listed
) -> tuple[SiteProblems, ...]:
    """What has no JSON form in a function: its parameters that the caller gives, in order, then
    its result; empty if ``id`` is no function. No document is made for it."""
    signature = queries.signature(db, id)
    if signature is None:
        return ()
    inputs = (
        SiteProblems(
            ParameterSite(id, member), reachable_problems(db, site_of(db, member).type.item)
        )
        for member in signature.parameters
        if host_supplied_by(db, member_type(db, member, ()), host_supplied) is None
    )
    result, _ = _result(db, id, signature)
    return (*inputs, SiteProblems(ResultSite(id), _result_problems(db, result)))


def _parameter_entry(db: ProgramDatabase, site: Site, listed: Listed) -> ParameterEntry:
    member = site.member
    declared = member_type(db, member, ())
    supplied = host_supplied_by(db, declared, listed)
    return ParameterEntry(
        name=member.name,
        type=spell_type(member.type) if member.type is not None else "",
        required=not site.omissible,
        description=member_description(db, member),
        type_ref=_type_ref(declared),
        host_supplied=supplied,
        host_supplied_within=held_within(db, declared, listed) if supplied is None else (),
    )


def _type_ref(declared: Type) -> DeclarationId | None:
    """The record or union that a type names, through aliases; an applied type is no name."""
    item = declared.item
    if declared.occurrence is Occurrence.ONE and (
        isinstance(item, UnionType) or (isinstance(item, RecordType) and not item.arguments)
    ):
        return item.declaration
    return None


def _result(
    db: ProgramDatabase, id: DeclarationId, signature: queries.Signature
) -> tuple[Type | None, str]:
    """A function's result type, ``None`` if it could not be inferred, and its spelling."""
    type = result_type(db, id)
    if signature.result is not None:
        return type, spell_type(signature.result)
    if type is None or holds_unknown(type):
        return None, NOT_INFERRED
    return type, display(type)


def _result_problems(db: ProgramDatabase, result: Type | None) -> tuple[Reached, ...]:
    if result is None:
        return (Reached(Cause("uninferred", NOT_INFERRED), None, None),)
    return reachable_problems(db, result.item)


def result_is_markup(db: ProgramDatabase, id: DeclarationId) -> bool:
    """Whether a function renders: its result is elements, be they of components or not.

    Such a function is not called as a tool (editor-experience 4.1, 5)."""
    signature = queries.signature(db, id)
    if signature is None:
        return False
    type, _ = _result(db, id, signature)
    return type is not None and isinstance(type.item, (MarkupType, ComponentType))


# ---------------------------------------------------------------- types


def type_schema(db: ProgramDatabase, id: DeclarationId, direction: Direction) -> TypeSchema | None:
    """The answer about a declared or derived type; ``None`` if ``id`` is no type of the program.

    A component is a type without JSON form."""
    derived = derived_type(db, id, direction)
    if derived is None:
        return None
    spans = SpanFinder(db)
    return TypeSchema(
        module=id.module,
        name=declared_name(id),
        description=derived.description,
        summary=derived.summary,
        schema=derived.schema,
        diagnostics=tuple(map(spans.diagnostic, site_diagnostics(db, derived.sites))),
    )


@query
def derived_type(
    db: ProgramDatabase, id: DeclarationId, direction: Direction
) -> DerivedType | None:
    """``type_schema`` without spans."""
    declaration = queries.declaration(db, id)
    if declaration is None or isinstance(declaration, (FunctionDeclaration, ValueDeclaration)):
        return None
    type = declared_type(db, id)
    if type is None:
        return None
    problems = SiteProblems(TypeSite(id), reachable_problems(db, type.item))
    is_union = isinstance(declaration, UnionDeclaration)
    description = union_description(db, id) if is_union else declaration_description(db, id)
    return DerivedType(
        description=description,
        summary=first_block(description) if description is not None else None,
        schema=type_document(db, type, direction) if not problems.reached else None,
        sites=(problems,),
    )


# ---------------------------------------------------------------- diagnostics


def site_diagnostics(db: ProgramDatabase, sites: tuple[SiteProblems, ...]) -> Iterator[Diagnostic]:
    """One diagnostic per problem, told from the first site that reaches it."""
    told: set[tuple[object, Cause]] = set()
    for each in sites:
        for reached in each.reached:
            key = (_holder(each.site, reached.member), reached.cause)
            if key not in told:
                told.add(key)
                yield problem(db, each.site, reached)


def _holder(site: SchemaSite, member: Member | None) -> object:
    return site if member is None else member_key(member)
