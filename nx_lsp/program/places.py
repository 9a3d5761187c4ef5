"""Where declarations stand, as places that survive edits elsewhere in their file."""

from __future__ import annotations

from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import (
    DeclarationId,
    FunctionDeclaration,
    Place,
    PropertyUnionDeclaration,
    RecordDeclaration,
    StateDeclaration,
    UpdateDeclaration,
)
from nx_lsp.program.declared import declaration, split_id
from nx_lsp.program.outlines import piece
from nx_lsp.syntax import tree


def piece_key(db: ProgramDatabase, id: DeclarationId) -> str | None:
    """The key of the piece whose text holds a declaration: for a derived one its target's."""
    split = split_id(db, id)
    return split[0].name if split is not None else None


def place(db: ProgramDatabase, id: DeclarationId, node: tree.Node | None = None) -> Place:
    """The place of ``node``, a node of the piece that holds the declaration; without one, of the
    whole declaration (an inline emitted action: its entry; any other derived one: its target).
    An id that is not there gives the start of its module."""
    key = piece_key(db, id)
    if key is None:
        return Place(id.module, None, 0, 0)
    if node is None:
        node = _declaration_node(db, id)
    if node is not None:
        return Place(id.module, key, node.start, node.end)
    found = piece(db, id.module, key)
    return Place(id.module, key, 0, len(found.text) if found is not None else 0)


def name_place(db: ProgramDatabase, id: DeclarationId) -> Place:
    """The place of a declaration's name; for a derived one its target's, for the root element the
    tag, and the whole declaration where no name was written."""
    match declaration(db, id):
        case UpdateDeclaration(target=target) | PropertyUnionDeclaration(target=target):
            return name_place(db, target)
        case StateDeclaration(component=component):
            return name_place(db, component)
        case FunctionDeclaration(node=tree.RootNode() as node):
            return place(db, id, node.element.tag)
        case None:
            return place(db, id)
        case found:
            assert not isinstance(found.node, tree.RootNode)
            return place(db, id, found.node.name)


def absolute(db: ProgramDatabase, where: Place) -> tuple[int, int]:
    """Start and end of a place as code points of the module's text as it is now. A module or
    piece that is gone gives ``(0, 0)``."""
    module = db.module(where.module)
    if module is None:
        return (0, 0)
    base = 0
    if where.piece is not None:
        if module.file.piece(where.piece) is None:
            return (0, 0)
        base = module.file.start_of(where.piece)
    return (base + where.start, base + where.end)


def _declaration_node(db: ProgramDatabase, id: DeclarationId) -> tree.Node | None:
    """The node that an id stands for where that is not the whole piece."""
    match declaration(db, id):
        case UpdateDeclaration(target=target) | PropertyUnionDeclaration(target=target):
            return _declaration_node(db, target)
        case RecordDeclaration(node=tree.EmitDefinition() as node):
            return node
        case _:
            return None
