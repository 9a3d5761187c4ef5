"""Fixtures as text: one or several modules, with a cursor mark ``<|>`` in one of them.

Several modules in one string are set apart by lines ``// file: name.nx``; without such a line the
text is ``main.nx``."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt

from nx_lsp.ide.hover import Hover, hover
from nx_lsp.ide.options import DEFAULT_OPTIONS, IdeOptions
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.loading import from_sources

CURSOR = "<|>"
_FILE = re.compile(r"^// file: (\S+)\n", re.MULTILINE)


def modules_of(text: str) -> dict[str, str]:
    """The modules of a fixture, by identity."""
    parts = _FILE.split(text)
    if len(parts) == 1:
        return {"main.nx": text}
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def program_of(text: str) -> ProgramDatabase:
    """The program of a fixture without a cursor."""
    modules = modules_of(text)
    return from_sources(modules, entry=next(iter(modules)))


def program_at(text: str) -> tuple[ProgramDatabase, str, int]:
    """The program, and the module and offset of the cursor mark."""
    modules = modules_of(text)
    module = next(name for name, source in modules.items() if CURSOR in source)
    offset = modules[module].index(CURSOR)
    modules[module] = modules[module].replace(CURSOR, "", 1)
    return from_sources(modules, entry=next(iter(modules))), module, offset


def hover_at(text: str, options: IdeOptions = DEFAULT_OPTIONS, **more: object) -> Hover | None:
    """The hover at the cursor mark."""
    db, module, offset = program_at(text)
    return hover(db, module, offset, options, **more)  # type: ignore[arg-type]


def markdown_at(text: str, options: IdeOptions = DEFAULT_OPTIONS) -> str:
    """The Markdown of the hover at the cursor mark, which must be there."""
    found = hover_at(text, options)
    assert found is not None, "nothing is shown"
    return found.markdown


def hovered_text(text: str) -> str:
    """The source text that the hover at the cursor mark marks."""
    db, module, offset = program_at(text)
    found = hover(db, module, offset)
    assert found is not None, "nothing is shown"
    source = db.module(module)
    assert source is not None
    return source.file.text[found.start : found.end]


def fences(markdown: str) -> list[tuple[str, str]]:
    """Language and text of every code block at the top level, in order."""
    tokens = MarkdownIt("commonmark").parse(markdown)
    return [(token.info, token.content) for token in tokens if token.type == "fence"]


def all_fences_closed(markdown: str) -> bool:
    """Whether every fence at the top level has its closing line."""
    lines = markdown.split("\n")
    for token in MarkdownIt("commonmark").parse(markdown):
        if token.type == "fence" and token.level == 0:
            assert token.map is not None
            last = lines[token.map[1] - 1].strip()
            if token.map[1] - token.map[0] < 2 or last.strip(token.markup[0]) or not last:
                return False
    return True
