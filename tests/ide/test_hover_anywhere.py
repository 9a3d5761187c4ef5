"""Hover on any offset of any fixture: never a failure, and Markdown that holds together."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ide_fixtures import all_fences_closed

from nx_lsp.ide.diagnostics import module_diagnostics
from nx_lsp.ide.hover import hover
from nx_lsp.ide.options import DEFAULT_OPTIONS
from nx_lsp.ide.symbols import Symbol, document_symbols
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.loading import from_directory, from_sources

EXAMPLES = Path(__file__).parents[2] / "examples"
FOLDERS = sorted(folder for folder in EXAMPLES.iterdir() if folder.is_dir())

BROKEN = """
import { from "./x.nx"
type Plan = { name: seats:int
/// ```
let f(a:int where >, b:Plan = { a.
let <Card title: /> = { <p>{title}</p
union X = | | y { z: }
type = 3
component <C emits { A { x:int } /> = { state { n: } }
<root a={
"""

WORDS = [
    "let ", "type ", "f", "Plan", "a", ":", "int", "= ", "{", "}", "(", ")", "<", "/>", ">", "|",
    "?", "*", ".", ",", "\n", '"x"', "if ", "is ", "for ", "in ", "=>", "else ", "///", "// ",
    "import ", "component ", "emits ", "state ", "extends ", "abstract ", "where ", "1", " ",
]  # fmt: skip


def check_hover(db: ProgramDatabase, module: str, offset: int) -> None:
    found = hover(db, module, offset)
    if found is None:
        return
    source = db.module(module)
    assert source is not None
    assert 0 <= found.start <= offset <= found.end <= len(source.file.text)
    assert all_fences_closed(found.markdown)
    assert found.markdown.count("\n") < DEFAULT_OPTIONS.hover_max_lines
    assert len(found.markdown) <= DEFAULT_OPTIONS.hover_max_characters


def check_symbols(symbols: tuple[Symbol, ...], start: int, end: int) -> None:
    for symbol in symbols:
        assert symbol.name
        assert start <= symbol.start <= symbol.name_start <= symbol.name_end <= symbol.end <= end
        check_symbols(symbol.children, symbol.start, symbol.end)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_examples(folder: Path) -> None:
    db = from_directory(folder)
    for module in db.modules:
        if module.origin.bundled:
            continue
        text = module.file.text
        previous = ""
        for offset, character in enumerate(text):
            # The first character of each word and of each run of space is enough here.
            kind = "word" if character.isalnum() else "space" if character.isspace() else character
            if kind != previous or kind == character:
                check_hover(db, module.identity, offset)
            previous = kind
        check_symbols(document_symbols(db, module.identity), 0, len(text))


FENCE = re.compile(r"^```nx[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = sorted((Path(__file__).parents[1] / "spec").rglob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_specification_pages(page: Path) -> None:
    """The sources of a page, each as a program of one module: most lack what they import."""
    for source in FENCE.findall(page.read_text(encoding="utf-8")):
        db = from_sources({"main.nx": source})
        for word in re.finditer(r"\w+", source):
            check_hover(db, "main.nx", word.start())
        check_symbols(document_symbols(db, "main.nx"), 0, len(source))
        module_diagnostics(db, "main.nx")


def test_broken_text() -> None:
    db = from_sources({"main.nx": BROKEN})
    for offset in range(len(BROKEN) + 1):
        check_hover(db, "main.nx", offset)
    check_symbols(document_symbols(db, "main.nx"), 0, len(BROKEN))


def test_outside_of_the_text_and_of_the_program() -> None:
    db = from_sources({"main.nx": "let f(): int = 1"})
    assert hover(db, "main.nx", 1000) is None
    assert hover(db, "other.nx", 0) is None
    assert document_symbols(db, "other.nx") == ()


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(WORDS), max_size=40).map("".join))
def test_any_text(text: str) -> None:
    db = from_sources({"main.nx": text})
    for offset in range(len(text) + 1):
        check_hover(db, "main.nx", offset)
    check_symbols(document_symbols(db, "main.nx"), 0, len(text))
    for diagnostic in module_diagnostics(db, "main.nx"):
        assert 0 <= diagnostic.start <= diagnostic.end <= len(text)
        assert diagnostic.start < diagnostic.end or diagnostic.end == len(text)
