"""Everything that an editor lists about a module, with the severity it shows (§5).

Language diagnostics come as the language says. Schema diagnostics depend on who could call the
function: an error on a tool, quieter on what no tool needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from nx_lsp.ide.offers import is_tool, offers
from nx_lsp.ide.options import DEFAULT_OPTIONS, IdeOptions
from nx_lsp.ide.tool_advice import tool_advice
from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId, Diagnostic, Label, Place
from nx_lsp.program.diagnostics import declaration_diagnostics, link_diagnostics
from nx_lsp.schema.findings import SYNTAX_CODES, SchemaFinding, schema_findings
from nx_lsp.schema.keys import declared_name
from nx_lsp.schema.schema import result_is_markup
from nx_lsp.syntax.problems import Severity
from nx_lsp.types.diagnostics import type_diagnostics

Source = Literal["nx", "nx-schema"]

AFFECTED = 5
"""Functions that a schema diagnostic names one by one."""


@dataclass(frozen=True, slots=True)
class Related:
    """A second place. Absolute code points of ``module``."""

    module: str
    start: int
    end: int
    message: str


@dataclass(frozen=True, slots=True)
class DiagnosticData:
    """What a code action needs to know: the declaration the diagnostic is in, the member if it is
    about one, and the ids of the fixes that may apply."""

    module: str
    name: str | None
    member: str | None = None
    fixes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        """The ``data`` of a published diagnostic, absent members left out."""
        answer: dict[str, object] = {"module": self.module}
        if self.name is not None:
            answer["name"] = self.name
        if self.member is not None:
            answer["member"] = self.member
        answer["fixes"] = list(self.fixes)
        return answer


@dataclass(frozen=True, slots=True)
class PublishedDiagnostic:
    """One entry of the problem list. ``start``/``end``: absolute code points, on one line, not
    empty except at the end of the file. ``message`` ends with the help, on its own line."""

    source: Source
    severity: Severity
    code: str
    message: str
    start: int
    end: int
    related: tuple[Related, ...]
    data: DiagnosticData


FIXES: dict[str, tuple[str, ...]] = {
    "unresolved-type": ("import-name",),
    "undefined-identifier": ("import-name",),
}
"""Fixes of language diagnostics, by code."""

SCHEMA_FIXES: dict[str, tuple[str, ...]] = {
    "uninferred": ("write-result-type",),
    "childless": ("add-extending-record", "host-supplied"),
    "function": ("host-supplied",),
    "component": ("host-supplied",),
    "ambiguous": ("rename-clash",),
}
"""Fixes of schema diagnostics, by the kind of their cause."""


def module_diagnostics(
    db: ProgramDatabase, module: str, options: IdeOptions = DEFAULT_OPTIONS
) -> tuple[PublishedDiagnostic, ...]:
    """All diagnostics of a module: those of the language in the order of semantics 1.5, then
    those of schemas, by place."""
    language = (
        _of_language(db, module, diagnostic) for diagnostic in language_diagnostics(db, module)
    )
    schemas = [*_of_schemas(db, module, options), *_of_tools(db, module, options)]
    return (*language, *sorted(schemas, key=lambda each: each.start))


def language_diagnostics(db: ProgramDatabase, module: str) -> tuple[Diagnostic, ...]:
    """What the compiler says about a module, in the order of semantics 1.5."""
    return (
        *declaration_diagnostics(db, module),
        *type_diagnostics(db, module),
        *link_diagnostics(db, module),
    )


def _of_language(db: ProgramDatabase, module: str, diagnostic: Diagnostic) -> PublishedDiagnostic:
    primary = diagnostic.primary
    name = None if primary is None else primary.place.piece
    data = DiagnosticData(module, name, None, FIXES.get(diagnostic.code, ()))
    return _published(db, module, "nx", diagnostic.severity, diagnostic, (), data)


# ---------------------------------------------------------------- schema diagnostics


def _of_schemas(
    db: ProgramDatabase, module: str, options: IdeOptions
) -> Iterator[PublishedDiagnostic]:
    for finding in schema_findings(db, module, options.host_supplied):
        place = finding.diagnostic.labels[0].place
        severity = _severity(db, finding, options)
        if severity is None or not _parses(db, place):
            continue
        member = _member(finding)
        fixes = SCHEMA_FIXES.get(finding.cause.kind, ())
        if member is None:
            fixes = tuple(fix for fix in fixes if fix != "host-supplied")
        data = DiagnosticData(module, place.piece, member, fixes)
        related = tuple(_affected(db, finding)) if finding.at_member else ()
        yield _published(db, module, "nx-schema", severity, finding.diagnostic, related, data)


def _member(finding: SchemaFinding) -> str | None:
    """The member's name alone: ``Row.template``, ``teamSize``; ``None`` for a result."""
    words, _, name = finding.member.rstrip("`").rpartition("`")
    return None if words.startswith("The result") else name


def _severity(db: ProgramDatabase, finding: SchemaFinding, options: IdeOptions) -> Severity | None:
    """The most severe of what the functions concerned ask for; ``None`` to show nothing."""
    asked = {function_severity(db, function, options) for function in finding.functions}
    for severity in ("error", "warning", "info", "hint"):
        if severity in asked:
            chosen = options.severity_of(finding.diagnostic.code) or severity
            return None if chosen == "off" else chosen
    return None


def function_severity(
    db: ProgramDatabase, function: DeclarationId, options: IdeOptions
) -> Severity | None:
    """How severe it is that a function has no schema; ``None`` for nothing at all."""
    if is_tool(db, function, options):
        return "error"
    if result_is_markup(db, function):
        return None
    match options.other_functions:
        case "auto":
            return "warning" if names_tools(db, options) else "error"
        case "off":
            return None
        case severity:
            return severity


def names_tools(db: ProgramDatabase, options: IdeOptions) -> bool:
    """Whether some agent or the setting names tools, so that other functions are none."""
    return bool(options.tools) or bool(offers(db))


def _affected(db: ProgramDatabase, finding: SchemaFinding) -> Iterator[Label]:
    """The functions that have no schema because of a member, beyond the first, which the
    diagnostic itself tells: up to five, then a count."""
    functions = finding.functions
    for function in functions[1:AFFECTED]:
        message = f"`{declared_name(function)}` has no schema because of it"
        yield Label(queries.name_place(db, function), message)
    more = len(functions) - AFFECTED
    if more > 0:
        noun = "function has" if more == 1 else "functions have"
        place = queries.name_place(db, functions[AFFECTED])
        yield Label(place, f"{more} more {noun} no schema because of it")


def _parses(db: ProgramDatabase, place: Place) -> bool:
    """Whether the declaration that a place is in has no syntax error of its own."""
    piece = None if place.piece is None else queries.piece(db, place.module, place.piece)
    return piece is None or not any(each.code in SYNTAX_CODES for each in piece.problems)


# ---------------------------------------------------------------- advice about tools


def _of_tools(
    db: ProgramDatabase, module: str, options: IdeOptions
) -> Iterator[PublishedDiagnostic]:
    for advice in tool_advice(db, module, options):
        severity = options.severity_of(advice.diagnostic.code) or advice.diagnostic.severity
        if severity != "off":
            function = advice.function
            data = DiagnosticData(function.module, function.name, advice.member, advice.fixes)
            yield _published(db, module, "nx-schema", severity, advice.diagnostic, (), data)


# ---------------------------------------------------------------- ranges


def _published(
    db: ProgramDatabase,
    module: str,
    source: Source,
    severity: Severity,
    diagnostic: Diagnostic,
    also: Iterable[Label],
    data: DiagnosticData,
) -> PublishedDiagnostic:
    primary = diagnostic.primary
    found = db.module(module)
    text = found.file.text if found is not None else ""
    start, end = (0, 0) if primary is None else queries.absolute(db, primary.place)
    start, end = shown_range(text, start, end)
    others = [label for label in (*diagnostic.labels, *also) if label is not primary]
    message = diagnostic.message
    if diagnostic.help is not None:
        message = f"{message}\n{diagnostic.help}"
    return PublishedDiagnostic(
        source,
        severity,
        diagnostic.code,
        message,
        start,
        end,
        tuple(_related(db, label) for label in others),
        data,
    )


def _related(db: ProgramDatabase, label: Label) -> Related:
    place = label.place
    start, end = queries.absolute(db, place)
    module = db.module(place.module)
    start, end = shown_range(module.file.text if module is not None else "", start, end)
    return Related(place.module, start, end, label.message or "see here")


def shown_range(text: str, start: int, end: int) -> tuple[int, int]:
    """A span clipped to its first line and never empty, except at the end of the file. Code
    points; lines end at LF, CRLF and CR."""
    start = min(max(start, 0), len(text))
    end = min(max(end, start), len(text))
    for ending in "\r\n":
        at = text.find(ending, start, end)
        if at >= 0:
            end = at
    if end > start or start == len(text):
        return start, end
    if text[start] not in "\r\n":
        return start, start + 1
    if start > 0 and text[start - 1] not in "\r\n":
        return start - 1, start
    return start, start + (2 if text.startswith("\r\n", start) else 1)
