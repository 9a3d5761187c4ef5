"""The last good view of a declaration whose text is broken just now (editor-experience 1.3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from nx_lsp.ide.tool_schema import SchemaRequestError
from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId
from nx_lsp.schema.findings import SYNTAX_CODES
from nx_lsp.server.snapshots import Analysis, Snapshot
from nx_lsp.syntax.text import changed_range

A = TypeVar("A")

Find = Callable[[ProgramDatabase, Callable[[int], int]], DeclarationId]
"""Finds what a request is about, in a database of the text as it is or as it was; the second
argument carries an offset of the newest text over to that of the database."""


def remember_good_text(
    analysis: Analysis, snapshot: Snapshot, db: ProgramDatabase, identity: str
) -> None:
    """Keep the text of an open module for later, if it parses."""
    text = snapshot.source(identity)
    if text is not None and text.document is not None and _module_parses(db, identity):
        analysis.good_texts[identity] = text


def with_last_good(
    analysis: Analysis,
    snapshot: Snapshot,
    find: Find,
    answer: Callable[[ProgramDatabase, DeclarationId], A],
    module: str | None,
) -> tuple[A, DeclarationId, bool, int | None]:
    """Find a declaration and answer about it: from the text as it is, or from the module's last
    good text if its own text does not parse.

    Returns the answer, the declaration, whether it is stale, and the version of the text it was
    made from. ``module`` is the one a request points into, ``None`` for one by name.
    Raises ``SchemaRequestError`` when there is nothing to answer about."""
    db = analysis.database(snapshot)
    try:
        id = find(db, _unmoved)
    except SchemaRequestError:
        # The name may be what is broken: look for it in the text that still had it.
        module = module or db.entry
        good = _good_database(analysis, snapshot, module)
        now = snapshot.source(module) if module is not None else None
        if good is None or module is None or now is None:
            raise
        old, version = good
        before = analysis.good_texts[module].text
        id = find(old, lambda offset: carried_over(now.text, before, offset))
        return answer(old, id), id, True, version
    source = snapshot.source(id.module)
    remember_good_text(analysis, snapshot, db, id.module)
    if not _parses(db, id):
        good = _good_database(analysis, snapshot, id.module)
        if good is not None and queries.declaration(good[0], id) is not None:
            old, version = good
            return answer(old, id), id, True, version
    return answer(db, id), id, False, source.version if source is not None else None


def _unmoved(offset: int) -> int:
    return offset


def carried_over(now: str, before: str, offset: int) -> int:
    """The offset in the text ``before`` that corresponds to ``offset`` in ``now``, which came
    from it by one edit; inside what the edit wrote, the place of the edit. Code points."""
    start, end = changed_range(now, before)
    if offset <= start:
        return offset
    if offset >= end:
        return len(before) - (len(now) - offset)
    return start


def _good_database(
    analysis: Analysis, snapshot: Snapshot, module: str | None
) -> tuple[ProgramDatabase, int | None] | None:
    good = analysis.good_texts.get(module) if module is not None else None
    now = snapshot.source(module) if module is not None else None
    if good is None or module is None or now is None or good.text == now.text:
        return None
    return analysis.database_with(snapshot, {module: good.text}), good.version


def _parses(db: ProgramDatabase, id: DeclarationId) -> bool:
    piece = queries.piece(db, id.module, id.name)
    return piece is None or not any(one.code in SYNTAX_CODES for one in piece.problems)


def _module_parses(db: ProgramDatabase, identity: str) -> bool:
    module = db.module(identity)
    return module is not None and not module.file.has_syntax_errors
