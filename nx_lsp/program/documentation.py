"""What authors wrote about declarations (semantics 2.9): raw CommonMark, doc links unresolved."""

from __future__ import annotations

from collections.abc import Mapping

from nx_lsp.engine import query
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import (
    DeclarationId,
    Member,
    RecordDeclaration,
    UnionDeclaration,
)
from nx_lsp.program.declared import declaration
from nx_lsp.program.outlines import outline_of
from nx_lsp.program.places import piece_key
from nx_lsp.syntax import tree
from nx_lsp.syntax.docs import DocComment


def piece_comments(db: ProgramDatabase, module: str, key: str) -> Mapping[int, DocComment]:
    """The doc comments of a piece, by the ``start`` of what they document (0: the piece itself);
    offsets relative to the piece."""
    return db.comments(module, key)


@query
def documentation(db: ProgramDatabase, id: DeclarationId) -> str | None:
    """The text about a declaration or an inline emitted action. ``None`` without one, and for
    what nobody can document: the root element and the other derived declarations."""
    outline = outline_of(db, id)
    if outline is not None:
        return None if outline.is_root_element else _text(db, id, 0)
    found = declaration(db, id)
    if isinstance(found, RecordDeclaration):
        return _text(db, id, found.node.start)
    return None


def member_documentation(db: ProgramDatabase, member: Member) -> str | None:
    """The text about a field, property, state field or parameter, where it was declared."""
    return _text(db, member.owner, member.node.start)


@query
def case_documentation(db: ProgramDatabase, union: DeclarationId, case: str) -> str | None:
    """The text about a case of a union; ``None`` for a case of a property union."""
    found = declaration(db, union)
    for each in found.cases if isinstance(found, UnionDeclaration) else ():
        if each.name == case:
            return _text(db, union, each.node.start)
    return None


def emit_documentation(
    db: ProgramDatabase,
    component: DeclarationId,
    node: tree.EmitDefinition | tree.EmitReference,
) -> str | None:
    """The text about an ``emits`` entry of a component."""
    return _text(db, component, node.start)


def _text(db: ProgramDatabase, id: DeclarationId, start: int) -> str | None:
    key = piece_key(db, id)
    if key is None:
        return None
    comment = piece_comments(db, id.module, key).get(start)
    return comment.text if comment is not None else None
