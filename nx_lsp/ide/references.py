"""Where a declaration is named: its own name, every use in the program, and doc links."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nx_lsp.ide.targets import DeclarationMeant, target_at
from nx_lsp.program.database import ModuleOrigin, ProgramDatabase
from nx_lsp.program.declarations import DeclarationId
from nx_lsp.program.doc_link_rules import doc_link_target, doc_links_in
from nx_lsp.schema.keys import declared_name

Range = tuple[int, int]
"""Half-open, absolute code points."""


def references(db: ProgramDatabase, id: DeclarationId) -> dict[str, tuple[Range, ...]]:
    """The places where the modules that users wrote name ``id`` by its declared name, in source
    order: the declaration, imports, types, tags, values, and doc links. A use under an import's
    alias is not among them, the alias's own definition is."""
    name = declared_name(id)
    found: dict[str, tuple[Range, ...]] = {}
    for module in db.modules:
        if module.origin in (ModuleOrigin.STANDARD, ModuleOrigin.PRELUDE):
            continue
        if name in module.file.text:
            places = {*_uses(db, module.identity, id, name), *_links(db, module.identity, id, name)}
            if places:
                found[module.identity] = tuple(sorted(places))
    return found


def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9_-]){re.escape(name)}(?![A-Za-z0-9_-])")


def _uses(db: ProgramDatabase, module: str, id: DeclarationId, name: str) -> Iterator[Range]:
    found = db.module(module)
    text = found.file.text if found is not None else ""
    for match in _word(name).finditer(text):
        target = target_at(db, module, match.start() + 1 if len(name) > 1 else match.start())
        if target is None or not isinstance(target.meant, DeclarationMeant):
            continue
        if target.meant.id == id and target.start <= match.start() and match.end() <= target.end:
            yield match.span()


def _links(db: ProgramDatabase, module: str, id: DeclarationId, name: str) -> Iterator[Range]:
    found = db.module(module)
    if found is None:
        return
    for link in doc_links_in(db, module):
        parts = link.target.split(".")
        for number, part in enumerate(parts):
            spelled = ".".join(parts[: number + 1])
            if part == name and doc_link_target(db, link.owners, module, spelled) == id:
                start = found.file.start_of(link.key) + link.start
                written = found.file.text[start : start + link.end - link.start]
                at = start + written.index(link.target) + len(spelled) - len(part)
                yield at, at + len(part)
