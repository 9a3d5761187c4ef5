"""Changes to source texts, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from nx_lsp.program import queries
from nx_lsp.program.bundled import STANDARD_LIBRARIES
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId
from nx_lsp.program.imports import relative_path
from nx_lsp.syntax import tree


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Put ``text`` in the place of ``start`` to ``end`` (absolute code points)."""

    start: int
    end: int
    text: str
    cursor: tuple[int, int] | None = None
    """What of ``text`` is to be selected afterwards, for the author to write over."""


@dataclass(frozen=True, slots=True)
class FileEdit:
    """The changes of one module; they do not overlap."""

    module: str
    edits: tuple[TextEdit, ...]


def apply_edits(text: str, edits: tuple[TextEdit, ...]) -> str:
    """``text`` with all ``edits`` made."""
    for edit in sorted(edits, key=lambda each: each.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def cursor_after(text: str, edits: tuple[TextEdit, ...]) -> tuple[int, int] | None:
    """The range to select in the text that ``edits`` make of ``text`` (code points)."""
    moved = 0
    for edit in sorted(edits, key=lambda each: each.start):
        if edit.cursor is not None:
            at = edit.start + moved
            return at + edit.cursor[0], at + edit.cursor[1]
        moved += len(edit.text) - (edit.end - edit.start)
    return None


def line_ending(text: str) -> str:
    """The line ending that a file uses: that of its first line."""
    end = text.find("\n")
    return "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"


def import_edit(db: ProgramDatabase, module: str, id: DeclarationId) -> TextEdit | None:
    """The edit that makes an exported declaration visible in ``module`` under its own name: one
    more entry in a selective import of its module, or a new import after the last one. ``None``
    where an import of its module is already written that cannot be extended."""
    target = db.module(id.module)
    if target is None:
        return None
    wanted = target.library_root if target.library_root is not None else id.module
    return import_from(db, module, wanted, id.name)


def import_from(db: ProgramDatabase, module: str, wanted: str, name: str) -> TextEdit | None:
    """``import_edit`` for ``name`` of the module or library ``wanted``, linked or not."""
    found = db.module(module)
    if found is None:
        return None
    for resolved in queries.imports(db, module):
        key = resolved.place.piece
        if key is None or resolved.target is None or resolved.target.name != wanted:
            continue
        piece = found.file.piece(key)
        node = piece.tree if piece is not None else None
        if not isinstance(node, tree.Import) or not node.items:
            return None
        at = found.file.start_of(key) + node.items[-1].end
        return TextEdit(at, at, f", {name}")
    path = wanted if wanted in STANDARD_LIBRARIES else relative_path(module, wanted)
    written = f'import {{ {name} }} from "{path}"'
    ending = line_ending(found.file.text)
    imports = [
        start + len(piece.text)
        for piece, start in zip(found.file.pieces, found.file.starts, strict=True)
        if piece.outline.kind == "import"
    ]
    if imports:
        return TextEdit(imports[-1], imports[-1], ending + written)
    return TextEdit(0, 0, written + ending + ending)
