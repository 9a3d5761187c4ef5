"""Everything wrong with a module short of its types (semantics 1.5, 5.1 to 5.3)."""

from __future__ import annotations

from collections.abc import Iterator

from nx_lsp.engine import query
from nx_lsp.program.base_rules import check_base
from nx_lsp.program.component_rules import check_component
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import (
    ComponentDeclaration,
    Diagnostic,
    Label,
    Place,
    RecordDeclaration,
    UnionDeclaration,
)
from nx_lsp.program.declared import declaration
from nx_lsp.program.doc_link_rules import doc_link_diagnostics
from nx_lsp.program.imports import imports
from nx_lsp.program.outlines import ROOT_NAME, declared_names, own_names
from nx_lsp.program.places import place
from nx_lsp.program.scopes import library_conflict_diagnostics

INTRINSIC_NAMES = frozenset({"apply", "merge", "diff", "changed"})
"""Functions of the language itself; no function or value may take their names (semantics 2.5)."""


@query
def module_diagnostics(db: ProgramDatabase, module: str) -> tuple[Diagnostic, ...]:
    """All findings about a module but those of its types, in the order of semantics 1.5: syntax,
    duplicate declarations, imports and rules of declarations, doc links. Type findings belong
    before the last: see ``declaration_diagnostics`` and ``link_diagnostics``."""
    return (*declaration_diagnostics(db, module), *link_diagnostics(db, module))


@query
def declaration_diagnostics(db: ProgramDatabase, module: str) -> tuple[Diagnostic, ...]:
    """The findings that come before those of types."""
    return (
        *syntax_diagnostics(db, module),
        *_duplicates(db, module),
        *_import_problems(db, module),
        *library_conflict_diagnostics(db, module),
        *_declaration_rules(db, module),
    )


@query
def link_diagnostics(db: ProgramDatabase, module: str) -> tuple[Diagnostic, ...]:
    """The findings that come after those of types: doc links."""
    return doc_link_diagnostics(db, module)


@query
def syntax_diagnostics(db: ProgramDatabase, module: str) -> tuple[Diagnostic, ...]:
    """Syntax errors and tree checks, in source order."""
    found = db.module(module)
    if found is None:
        return ()
    reports = []
    for key, problem in found.file.problems():
        labels = [Label(Place(module, key, problem.start, problem.end), primary=True)]
        labels += [
            Label(Place(module, key, related.start, related.end), related.message)
            for related in problem.related
        ]
        reports.append(
            Diagnostic(problem.severity, problem.code, problem.message, tuple(labels), problem.help)
        )
    return tuple(reports)


def _duplicates(db: ProgramDatabase, module: str) -> Iterator[Diagnostic]:
    own = own_names(db, module)
    for declared in declared_names(db, module):
        if not declared.repeated:
            continue
        first = own[declared.name]
        both_roots = declared.name == ROOT_NAME and {first.kind, declared.kind} <= {
            "function",
            "value",
        }
        if both_roots:
            continue  # reported as `duplicate-root`
        yield Diagnostic(
            "error",
            "duplicate-declaration",
            f"`{declared.name}` is already declared in this module",
            (
                Label(place(db, declared.id), primary=True),
                Label(place(db, first.id), "declared first here"),
            ),
            "Remove one of them or give it another name.",
        )


def _import_problems(db: ProgramDatabase, module: str) -> Iterator[Diagnostic]:
    for resolved in imports(db, module):
        yield from resolved.problems


def _declaration_rules(db: ProgramDatabase, module: str) -> Iterator[Diagnostic]:
    for declared in declared_names(db, module):
        if declared.kind in ("function", "value") and declared.name in INTRINSIC_NAMES:
            yield Diagnostic(
                "error",
                "intrinsic-name-reserved",
                f"`{declared.name}` is a function of the language and cannot be declared",
                (Label(place(db, declared.id), primary=True),),
                "Give it another name.",
            )
        match declaration(db, declared.id):
            case RecordDeclaration() | UnionDeclaration() as found:
                yield from check_base(db, found)
            case ComponentDeclaration() as found:
                yield from check_base(db, found)
                yield from check_component(db, found)
            case _:
                pass
