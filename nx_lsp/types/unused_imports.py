"""Imports that nothing in their module uses, as hints.

A name counts as used wherever it is spelled: in a type, an expression, a tag, a pattern, a bare
name or a doc link. That forgives too much rather than too little.
"""

from __future__ import annotations

from collections.abc import Iterator

from nx_lsp.engine import query
from nx_lsp.program import queries
from nx_lsp.program.database import ModuleOrigin, ProgramDatabase
from nx_lsp.program.declarations import Diagnostic, Label, Place
from nx_lsp.program.doc_links import find_doc_links
from nx_lsp.program.documentation import piece_comments
from nx_lsp.program.identities import STANDARD_LIBRARY_ROOTS
from nx_lsp.program.imports import ImportTarget, ResolvedImport, bound_name, exports, imports
from nx_lsp.program.outlines import declared_names, lost_declarations, own_names
from nx_lsp.syntax import tree
from nx_lsp.types.members import dotted_names


def import_hints(db: ProgramDatabase, module: str) -> Iterator[Diagnostic]:
    """The unused imports of a module, and the unused names of selective ones. Nothing where part
    of the module could not be read."""
    found = imports(db, module)
    if not found or lost_declarations(db, module):
        return
    used = _used(db, module)
    own = own_names(db, module)
    for resolved in found:
        if resolved.target is None or resolved.problems or resolved.open:
            continue
        if resolved.wildcard:
            before = f"{resolved.prefix}." if resolved.prefix is not None else ""
            names = exports(db, resolved.target.modules)
            bound = (before + name for name in names if before + name not in own)
            if not any(name in used for name in bound) and not _matters(db, resolved.target):
                yield _hint(resolved.place, f'Nothing of "{resolved.path}" is used in this module')
        else:
            yield from _unused_items(db, resolved, used)


def _unused_items(
    db: ProgramDatabase, resolved: ResolvedImport, used: frozenset[str]
) -> Iterator[Diagnostic]:
    piece = queries.piece(db, resolved.place.module, resolved.place.piece or "")
    node = piece.tree if piece is not None else None
    if not isinstance(node, tree.Import) or resolved.target is None:
        return
    unused = [item for item in node.items or () if bound_name(item) not in used]
    if unused and len(unused) == len(node.items or ()):
        if not _matters(db, resolved.target):
            yield _hint(resolved.place, f'Nothing of "{resolved.path}" is used in this module')
        return
    for item in unused:
        place = Place(resolved.place.module, resolved.place.piece, item.start, item.end)
        yield _hint(place, f"`{bound_name(item)}` is not used in this module")


def _hint(place: Place, message: str) -> Diagnostic:
    return Diagnostic("hint", "unused-import", message, (Label(place, primary=True),))


def _matters(db: ProgramDatabase, target: ImportTarget) -> bool:
    """Does the import put something into the program that counts without being named? A library
    belongs to it only when imported, and with it what extends the types of others."""
    if target.name in STANDARD_LIBRARY_ROOTS:
        return False
    return any(
        found.origin is not ModuleOrigin.WORKSPACE
        and any(each.extends is not None for each in declared_names(db, name))
        for name in target.modules
        if (found := db.about(name)) is not None
    )


# ---------------------------------------------------------------- names that are spelled


def _used(db: ProgramDatabase, module: str) -> frozenset[str]:
    """Every name spelled in a module, with the dotted names that it begins with."""
    found: set[str] = set()
    for declared in declared_names(db, module):
        found |= _spelled(db, module, declared.id.name)
    return frozenset(found)


@query
def _spelled(db: ProgramDatabase, module: str, key: str) -> frozenset[str]:
    """The names spelled in one piece; apart, so that an edit elsewhere costs nothing."""
    piece = queries.piece(db, module, key)
    found: set[str] = set()
    for name in _names(piece.tree) if piece is not None else ():
        _add(found, name)
    for comment in piece_comments(db, module, key).values():
        for link in find_doc_links(comment.text):
            _add(found, link.target)
    return frozenset(found)


def _add(found: set[str], name: str) -> None:
    while name and name not in found:
        found.add(name)
        name = name.rpartition(".")[0]


def _names(root: tree.Node) -> Iterator[str]:
    for node in tree.walk(root):
        match node:
            case tree.DottedName():
                yield node.text
            case tree.Identifier(name=name) | tree.ContextualName(name=name):
                yield name
            case tree.Member():
                dotted = dotted_names(node)
                if dotted is not None:
                    yield ".".join(dotted)
