"""All problems of a program, as the editor shows them."""

from __future__ import annotations

from dataclasses import replace

from nx_lsp.cli.excerpts import Mark, Problem
from nx_lsp.cli.progress import tracked
from nx_lsp.cli.sources import LoadedProgram
from nx_lsp.ide.diagnostics import PublishedDiagnostic, module_diagnostics
from nx_lsp.ide.options import DEFAULT_OPTIONS
from nx_lsp.program.declarations import DeclarationId
from nx_lsp.syntax.text import LineIndex


def find_problems(
    loaded: LoadedProgram, host_supplied: tuple[DeclarationId, ...]
) -> tuple[list[Problem], int]:
    """The problems of the program, and how many modules were looked at: those of the user, or the
    one that was named. Problems of the whole program come first."""
    db = loaded.database
    options = replace(DEFAULT_OPTIONS, host_supplied=host_supplied)
    problems = [Problem(one.severity, one.code, one.message, (), one.help) for one in db.problems]
    wanted = [
        module.identity
        for module in db.modules
        if not module.origin.bundled and loaded.module in (None, module.identity)
    ]
    indexes: dict[str, LineIndex] = {}
    for identity in tracked(wanted, "Checking"):
        found = module_diagnostics(db, identity, options)
        for one in sorted(found, key=lambda each: (each.start, each.end)):
            problems.append(_problem(loaded, identity, one, indexes))
    return problems, len(wanted)


def _problem(
    loaded: LoadedProgram,
    module: str,
    found: PublishedDiagnostic,
    indexes: dict[str, LineIndex],
) -> Problem:
    def mark(module: str, start: int, end: int, primary: bool, message: str | None = None) -> Mark:
        if module not in indexes:
            there = loaded.database.module(module)
            indexes[module] = LineIndex(there.file.text if there is not None else "")
        return Mark(loaded.shown_path(module), indexes[module], start, end, primary, message)

    message, _, help_text = found.message.partition("\n")
    return Problem(
        found.severity,
        found.code,
        message,
        (
            mark(module, found.start, found.end, True),
            *(mark(one.module, one.start, one.end, False, one.message) for one in found.related),
        ),
        help_text or None,
    )
