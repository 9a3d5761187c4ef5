"""Room for a doc comment above a parameter, field or declaration.

A doc comment documents what begins on the line below it (nx-syntax 1.3), so a member that shares
its line with others first gets one of its own. Only white space is changed; no word is invented:
the author writes where the cursor is left, and an empty comment counts as none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nx_lsp.ide.edits import TextEdit, line_ending
from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId, Member
from nx_lsp.syntax import tree

MARK = "/// "
INDENT = "  "


def comment_above(text: str, start: int) -> TextEdit:
    """An empty doc comment above the declaration that begins at ``start``."""
    before = text[_line_start(text, start) : start]
    indent = before if not before.strip() else ""
    comment = f"{MARK}{line_ending(text)}{indent}"
    return TextEdit(start, start, comment, (len(MARK), len(MARK)))


def comments_above_members(
    db: ProgramDatabase, text: str, members: Iterable[Member]
) -> tuple[TextEdit, ...]:
    """Empty doc comments above ``members`` of one declaration whose module has the ``text``; the
    first has the cursor."""
    wanted = tuple(members)
    if not wanted:
        return ()
    start, _ = queries.absolute(db, queries.place(db, wanted[0].owner, wanted[0].node))
    base = start - wanted[0].node.start
    siblings = _siblings(db, wanted[0])
    nodes = [each.node for each in wanted]
    crowded = any(not _begins_its_line(text, base + node.start) for node in nodes)
    ending = line_ending(text)
    first = base + siblings[0].start
    indent = _line_indent(text, first) + ("" if _begins_its_line(text, first) else INDENT)
    edits: list[TextEdit] = []
    for node in siblings:
        at = base + node.start
        documented = node in nodes
        if _begins_its_line(text, at):
            if documented:
                edits.append(comment_above(text, at))
        elif crowded:
            gap = _gap_before(text, at)
            lines = f"{ending}{indent}"
            if documented:
                whole = f"{lines}{MARK}{lines}"
                cursor = len(lines) + len(MARK)
                edits.append(TextEdit(gap, at, whole, (cursor, cursor)))
            else:
                edits.append(TextEdit(gap, at, lines))
    if crowded:
        closing = _closing(text, base + siblings[-1].end)
        if closing is not None and not _begins_its_line(text, closing):
            gap = _gap_before(text, closing)
            edits.append(TextEdit(gap, closing, f"{ending}{indent[: -len(INDENT)]}"))
    first_edit, *others = sorted(edits, key=lambda edit: edit.cursor is None)
    bare = (TextEdit(edit.start, edit.end, edit.text) for edit in others)
    return tuple(sorted((first_edit, *bare), key=lambda edit: edit.start))


def _siblings(db: ProgramDatabase, member: Member) -> Sequence[tree.PropertyDefinition]:
    """All members that are written in one list with ``member``, in source order."""
    piece = queries.piece(db, member.owner.module, queries.piece_key(db, member.owner) or "")
    for node in tree.walk(piece.tree) if piece is not None else ():
        for name in ("parameters", "fields", "properties", "state"):
            listed = getattr(node, name, None)
            if isinstance(listed, list) and member.node in listed:
                return [each for each in listed if isinstance(each, tree.PropertyDefinition)]
    return [member.node]


def _closing(text: str, end: int) -> int | None:
    """Where the bracket stands that closes the list whose last member ends at ``end``; ``None``
    if something else comes first."""
    at = end
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return at if text[at : at + 1] in (")", "}", "/") and text[at : at + 1] else None


def _line_start(text: str, offset: int) -> int:
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def _line_indent(text: str, offset: int) -> str:
    line = text[_line_start(text, offset) : offset]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _begins_its_line(text: str, offset: int) -> bool:
    return not text[_line_start(text, offset) : offset].strip()


def _gap_before(text: str, offset: int) -> int:
    while offset > 0 and text[offset - 1] in " \t":
        offset -= 1
    return offset


def owner_text(db: ProgramDatabase, id: DeclarationId) -> str | None:
    """The text of the module that declares ``id``, if users may edit it."""
    module = db.module(id.module)
    return None if module is None or module.origin.bundled else module.file.text
