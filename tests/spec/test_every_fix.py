"""Every quick fix of every program of the specification's pages and examples: it removes its
diagnostic and leaves a text that parses (editor-experience 16.15)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from mdtest import markdown_files, read_cases

from nx_lsp.ide.actions import code_actions
from nx_lsp.ide.diagnostics import PublishedDiagnostic, module_diagnostics
from nx_lsp.ide.edits import apply_edits
from nx_lsp.ide.options import IdeOptions
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.loading import from_sources

EXAMPLES = Path(__file__).parents[2] / "examples"
OPTIONS = IdeOptions(client_commands=True, command_links=True)
TO_BE_FILLED_IN = ("Add doc comment to", "Add description for")
"""Fixes that make room for words only an author has."""


def pages() -> Iterator[tuple[str, dict[str, str]]]:
    folders = ("syntax", "program", "types", "schema")
    for path in markdown_files(Path(__file__).parent, folders):
        cases = read_cases(path.name, path.read_text(encoding="utf-8"))
        for number, case in enumerate(cases):
            yield f"{path.parent.name}/{path.stem}-{number}", case.modules


def examples() -> Iterator[tuple[str, dict[str, str]]]:
    for root in (each for each in EXAMPLES.iterdir() if each.is_dir()):
        files = sorted(root.rglob("*.nx"))
        yield (
            root.name,
            {each.relative_to(root).as_posix(): each.read_text(encoding="utf-8") for each in files},
        )


def fixes(
    db: ProgramDatabase, module: str
) -> Iterator[tuple[PublishedDiagnostic, str, dict[str, str]]]:
    """Each diagnostic of a module with the title and the changed texts of each of its fixes."""
    for diagnostic in module_diagnostics(db, module, OPTIONS):
        at = diagnostic.start
        for action in code_actions(db, module, at, at, ["quickfix"], OPTIONS):
            if diagnostic not in action.fixes or action.title.startswith(TO_BE_FILLED_IN):
                continue
            changed = {}
            for file in action.edits:
                found = db.module(file.module)
                assert found is not None
                changed[file.module] = apply_edits(found.file.text, file.edits)
            if changed:
                yield diagnostic, action.title, changed


def test_every_fix_of_every_page() -> None:
    tried: dict[str, int] = {}
    for name, modules in (*pages(), *examples()):
        db = from_sources(modules)
        for module in modules:
            for diagnostic, title, changed in fixes(db, module):
                kind = title.partition("`")[0].strip()
                tried[kind] = tried.get(kind, 0) + 1
                after = from_sources({**modules, **changed})
                for each in changed:
                    before, now = db.module(each), after.module(each)
                    assert before is not None
                    assert now is not None
                    if now.file.has_syntax_errors and not before.file.has_syntax_errors:
                        pytest.fail(f"{name}: `{title}` breaks {each}")
                left = {one.message for one in module_diagnostics(after, module, OPTIONS)}
                if diagnostic.message in left:
                    pytest.fail(f"{name}: `{title}` leaves {diagnostic.message}")
    assert set(tried) == {
        "Add a record that extends",
        "Add result type…",
        "Import",
        "Rename",
        "Write inferred result type",
        "Write result type",
    }
