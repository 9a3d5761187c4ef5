"""Short forms of what a program reports, for tests of the program layer."""

from __future__ import annotations

from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId, Diagnostic, Label
from nx_lsp.program.diagnostics import module_diagnostics
from nx_lsp.program.loading import from_sources
from nx_lsp.program.queries import absolute


def program(**modules: str) -> ProgramDatabase:
    """A workspace of modules; ``main="…"`` is the module ``main.nx``."""
    return from_sources({f"{name}.nx": text for name, text in modules.items()})


def text_at(db: ProgramDatabase, label: Label) -> str:
    """The source text that a label covers."""
    module = db.module(label.place.module)
    assert module is not None
    start, end = absolute(db, label.place)
    return module.file.text[start:end]


def all_reports(db: ProgramDatabase, module: str = "main.nx") -> tuple[Diagnostic, ...]:
    return module_diagnostics(db, module)


def spans(db: ProgramDatabase, module: str = "main.nx") -> list[tuple[str, str]]:
    """Code and covered text of every diagnostic of a module."""
    found = []
    for each in module_diagnostics(db, module):
        assert each.primary is not None
        found.append((each.code, text_at(db, each.primary)))
    return found


def only(db: ProgramDatabase, module: str = "main.nx") -> Diagnostic:
    """The one diagnostic of a module."""
    reports = module_diagnostics(db, module)
    assert len(reports) == 1, [each.message for each in reports]
    return reports[0]


def secondary(db: ProgramDatabase, report: Diagnostic) -> list[tuple[str, str]]:
    """Module and covered text of the labels that are not primary."""
    return [(x.place.module, text_at(db, x)) for x in report.labels if not x.primary]


def main(name: str) -> DeclarationId:
    """The id of a declaration of ``main.nx``."""
    return DeclarationId("main.nx", name)
