"""Programs from one text for the tests of types."""

from __future__ import annotations

from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId, Diagnostic
from nx_lsp.program.loading import from_sources
from nx_lsp.syntax import tree
from nx_lsp.types.diagnostics import type_diagnostics
from nx_lsp.types.display import display
from nx_lsp.types.model import Type
from nx_lsp.types.resolution import resolve_in, type_scope
from nx_lsp.types.results import result_type, value_type

MAIN = "main.nx"


def program(text: str, **others: str) -> ProgramDatabase:
    """``text`` as ``main.nx``; other modules by name without ``.nx``."""
    sources = {MAIN: text, **{f"{name}.nx": source for name, source in others.items()}}
    return from_sources(sources, entry=MAIN)


def named(name: str, module: str = MAIN) -> DeclarationId:
    return DeclarationId(module, name)


def results(text: str, **others: str) -> dict[str, str]:
    """The result of each function and the type of each value of ``text``, as shown."""
    db = program(text, **others)
    found = {}
    for id in queries.declarations(db, MAIN):
        type = result_type(db, id) or value_type(db, id)
        if type is not None:
            found[id.name] = display(type)
    return found


def result(text: str, **others: str) -> str:
    """The result of the last function or the type of the last value of ``text``."""
    return list(results(text, **others).values())[-1]


def written_type(db: ProgramDatabase, text: str) -> Type:
    """The type that ``text`` means at the end of the program ``db``'s main module."""
    module = db.module(MAIN)
    assert module is not None
    other = program(f"{module.file.text}\nlet probe(): {text} = 1")
    return type_of_annotation(other, "probe")


def type_of_annotation(db: ProgramDatabase, function: str) -> Type:
    piece = queries.piece(db, MAIN, function)
    assert piece is not None
    assert isinstance(piece.tree, tree.FunctionNode)
    assert piece.tree.result is not None
    return resolve_in(db, piece.tree.result, type_scope(db, named(function)))


def diagnostics(text: str, **others: str) -> list[Diagnostic]:
    return list(type_diagnostics(program(text, **others), MAIN))


def reported(text: str, **others: str) -> list[tuple[str, str]]:
    """Code and marked text of each diagnostic of the main module."""
    db = program(text, **others)
    found = []
    for each in type_diagnostics(db, MAIN):
        assert each.primary is not None
        start, end = queries.absolute(db, each.primary.place)
        found.append((each.code, text[start:end]))
    return found


def codes(text: str, **others: str) -> list[str]:
    return [code for code, _ in reported(text, **others)]
