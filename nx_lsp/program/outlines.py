"""What a module declares, from the outline alone: no declaration is parsed for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nx_lsp.engine import query
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId, Place, Visibility
from nx_lsp.syntax.source_file import Piece

Namespace = Literal["type", "value", "element"]
DeclarationKind = Literal["record", "action", "union", "alias", "value", "function", "component"]

ROOT_NAME = "root"
"""The name of the function that a module's root element declares (semantics 1.3)."""

_NAMESPACES: dict[str, tuple[Namespace, ...]] = {
    "record": ("type", "element"),
    "action": ("type", "element"),
    "union": ("type",),
    "alias": ("type",),
    "value": ("value",),
    "function": ("value", "element"),
    "component": ("element",),
}


@dataclass(frozen=True, slots=True)
class DeclaredName:
    """One written declaration (or the root element) as its outline tells it."""

    name: str
    """As declared; an element function's or component's may hold dots."""
    id: DeclarationId
    """Its name is the key of the declaring piece: ``Plan``, for a repeated name ``Plan#2``."""
    kind: DeclarationKind
    visibility: Visibility
    abstract: bool
    external: bool
    extends: str | None
    """The written base, without trivia."""
    is_root_element: bool = False
    repeated: bool = False
    """Whether an earlier declaration of the module has the same name."""

    @property
    def namespaces(self) -> tuple[Namespace, ...]:
        """Where the name is looked up (semantics 2.1)."""
        return _NAMESPACES[self.kind]


def piece(db: ProgramDatabase, module: str, key: str) -> Piece | None:
    """A piece of a module by key; ``None`` if the module or the piece is not there."""
    return db.piece(module, key)


@query
def declared_names(db: ProgramDatabase, module: str) -> tuple[DeclaredName, ...]:
    """All written declarations of a module and its root element, in source order; empty for an
    unknown module. A declaration whose name could not be read is left out."""
    names: list[DeclaredName] = []
    met: set[str] = set()
    for key, outline in db.outlines(module):
        if outline.kind == "root":
            name, kind, is_root = ROOT_NAME, "function", True
        elif outline.kind in _NAMESPACES and outline.name:
            name, kind, is_root = outline.name, outline.kind, False
        else:
            continue
        names.append(
            DeclaredName(
                name=name,
                id=DeclarationId(module, key),
                kind=kind,  # type: ignore[arg-type]
                visibility="export" if is_root else outline.visibility,
                abstract=outline.abstract,
                external=outline.external,
                extends=outline.extends,
                is_root_element=is_root,
                repeated=name in met,
            )
        )
        met.add(name)
    return tuple(names)


@query
def own_names(db: ProgramDatabase, module: str) -> dict[str, DeclaredName]:
    """The declarations of a module by name, the first of each name, in source order."""
    names: dict[str, DeclaredName] = {}
    for declared in declared_names(db, module):
        names.setdefault(declared.name, declared)
    return names


@query
def lost_declarations(db: ProgramDatabase, module: str) -> bool:
    """Whether the module may declare more than is known: it holds a region that is no
    declaration, a declaration without a name, or could not be read at all."""
    if db.about(module) is None:
        return module in db.unreadable
    return any(
        outline.kind == "error" or (outline.kind in _NAMESPACES and not outline.name)
        for _, outline in db.outlines(module)
    )


@query
def outline_of(db: ProgramDatabase, id: DeclarationId) -> DeclaredName | None:
    """The outline of a written declaration, repeated ones included; ``None`` for any other id."""
    return _by_key(db, id.module).get(id.name)


def outline_place(db: ProgramDatabase, id: DeclarationId) -> Place:
    """The place of a written declaration's name, from its outline; of its start without one."""
    found = piece(db, id.module, id.name)
    if found is None or found.outline.name is None:
        return Place(id.module, id.name, 0, 0)
    return Place(id.module, id.name, found.outline.name_start, found.outline.name_end)


@query
def _by_key(db: ProgramDatabase, module: str) -> dict[str, DeclaredName]:
    return {declared.id.name: declared for declared in declared_names(db, module)}


def declarations(db: ProgramDatabase, module: str) -> tuple[DeclarationId, ...]:
    """The ids of all written declarations of a module, in source order; the root element counts,
    derived declarations do not."""
    return tuple(declared.id for declared in declared_names(db, module))
