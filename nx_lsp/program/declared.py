"""From ids to declarations, derived ones included (semantics 2.8, decision 2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from nx_lsp.engine import query
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import (
    AliasDeclaration,
    CaseDeclaration,
    ComponentDeclaration,
    Declaration,
    DeclarationId,
    FunctionDeclaration,
    Member,
    PropertyUnionDeclaration,
    RecordDeclaration,
    StateDeclaration,
    UnionDeclaration,
    UpdateDeclaration,
    ValueDeclaration,
    Visibility,
)
from nx_lsp.program.outlines import DeclaredName, outline_of, own_names, piece
from nx_lsp.syntax import tree

UPDATE = "Update"
PROPERTY = "Property"
STATE = "State"

Role = Literal["field", "payload", "property", "state", "parameter"]


@query
def declaration(db: ProgramDatabase, id: DeclarationId) -> Declaration | None:
    """What the text says now about a declaration; ``None`` when there is none of that id.

    Knows written declarations, the root element, derived declarations and inline emitted actions.
    The older spellings ``C.Update`` and ``C.Property`` of a component give ``C.State.Update`` and
    ``C.State.Property``. Parses the one piece concerned."""
    written = outline_of(db, id)
    if written is not None:
        return _written(db, written)
    split = split_id(db, id)
    if split is None:
        return None
    owner, suffix = split
    canonical = derived(db, owner, suffix)
    return _derived(db, canonical) if canonical is not None else None


def split_id(
    db: ProgramDatabase, id: DeclarationId
) -> tuple[DeclarationId, tuple[str, ...]] | None:
    """The written declaration that an id belongs to, with the names that follow it: none for a
    written declaration, ``("Update",)`` for ``Plan.Update``. ``None`` if there is none."""
    parts = id.name.split(".")
    for count in range(len(parts), 0, -1):
        owner = DeclarationId(id.module, ".".join(parts[:count]))
        if outline_of(db, owner) is not None:
            return owner, tuple(parts[count:])
    return None


def declared_in(db: ProgramDatabase, module: str, name: str) -> DeclarationId | None:
    """The declaration that ``name`` (declared or derived) means *inside* ``module``, whatever its
    visibility and whatever the module imports: the answer for a host that names a declaration.
    Older spellings give the canonical id."""
    own = own_names(db, module)
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        found = own.get(".".join(parts[:count]))
        if found is not None:
            answer = derived(db, found.id, tuple(parts[count:]))
            if answer is not None:
                return answer
    return None


def derived(
    db: ProgramDatabase, owner: DeclarationId, suffix: tuple[str, ...]
) -> DeclarationId | None:
    """The id of what a written declaration gives under ``suffix`` (semantics 2.8), ``owner``
    itself for an empty suffix, ``None`` if it gives nothing of that name."""
    if not suffix:
        return owner
    outline = outline_of(db, owner)
    if outline is None:
        return None
    first, rest = suffix[0], suffix[1:]
    if outline.kind in ("record", "action"):
        return _companion(owner, suffix)
    if outline.kind != "component":
        return None
    node = _component_node(db, owner)
    if node is None:
        return None
    if node.body is not None and node.body.state is not None:
        state = DeclarationId(owner.module, f"{owner.name}.{STATE}")
        if first == STATE:
            return _companion(state, rest) if rest else state
        if first in (UPDATE, PROPERTY):
            return _companion(state, suffix)
    if any(entry.name.text == first for entry in inline_actions(node)):
        action = DeclarationId(owner.module, f"{owner.name}.{first}")
        return _companion(action, rest) if rest else action
    return None


def derived_ids(db: ProgramDatabase, owner: DeclarationId) -> tuple[DeclarationId, ...]:
    """Everything that a written declaration brings along: companions, state, emitted actions."""
    outline = outline_of(db, owner)
    if outline is None:
        return ()
    if outline.kind in ("record", "action"):
        return _with_companions(owner)[1:]
    if outline.kind != "component":
        return ()
    node = _component_node(db, owner)
    if node is None:
        return ()
    found: list[DeclarationId] = []
    if node.body is not None and node.body.state is not None:
        found += _with_companions(DeclarationId(owner.module, f"{owner.name}.{STATE}"))
    for name in dict.fromkeys(entry.name.text for entry in inline_actions(node)):
        action = DeclarationId(owner.module, f"{owner.name}.{name}")
        if action not in found:
            found += _with_companions(action)
    return tuple(found)


def inline_actions(node: tree.ComponentNode) -> tuple[tree.EmitDefinition, ...]:
    """The actions that a component defines among its ``emits``, repeated ones included."""
    return tuple(entry for entry in node.emits if isinstance(entry, tree.EmitDefinition))


def _companion(target: DeclarationId, suffix: tuple[str, ...]) -> DeclarationId | None:
    if suffix in ((UPDATE,), (PROPERTY,)):
        return DeclarationId(target.module, f"{target.name}.{suffix[0]}")
    return None


def _with_companions(target: DeclarationId) -> tuple[DeclarationId, ...]:
    update = DeclarationId(target.module, f"{target.name}.{UPDATE}")
    return target, update, DeclarationId(target.module, f"{target.name}.{PROPERTY}")


def _component_node(db: ProgramDatabase, owner: DeclarationId) -> tree.ComponentNode | None:
    found = piece(db, owner.module, owner.name)
    node = found.tree if found is not None else None
    return node if isinstance(node, tree.ComponentNode) else None


# ---------------------------------------------------------------- making declarations


def _written(db: ProgramDatabase, written: DeclaredName) -> Declaration | None:
    id = written.id
    found = piece(db, id.module, id.name)
    visibility = written.visibility
    match found.tree if found is not None else None:
        case tree.RecordNode() as node:
            return _record(id, visibility, node, node.keyword == "action", node.abstract)
        case tree.UnionNode() as node:
            return UnionDeclaration(id, visibility, node, _cases(id, node))
        case tree.AliasNode() as node:
            return AliasDeclaration(id, visibility, node)
        case tree.ValueNode() as node:
            return ValueDeclaration(id, visibility, node)
        case tree.FunctionNode() as node:
            parameters = members(id, node.parameters, "parameter")
            return FunctionDeclaration(id, visibility, node, parameters)
        case tree.RootNode() as node:
            return FunctionDeclaration(id, visibility, node, ())
        case tree.ComponentNode() as node:
            state = node.body.state if node.body is not None else None
            return ComponentDeclaration(
                id,
                visibility,
                node,
                type_parameters(node.properties),
                members(id, node.properties, "property"),
                members(id, state, "state") if state is not None else None,
            )
        case _:
            return None


def _derived(db: ProgramDatabase, id: DeclarationId) -> Declaration | None:
    split = split_id(db, id)
    if split is None:
        return None
    owner, suffix = split
    target = declaration(db, owner)
    if target is None:
        return None
    visibility = target.visibility
    last = suffix[-1]
    before = DeclarationId(id.module, id.name.rpartition(".")[0])
    if last in (UPDATE, PROPERTY) and (len(suffix) > 1 or not _is_component(target)):
        if last == UPDATE:
            return UpdateDeclaration(id, visibility, before)
        return PropertyUnionDeclaration(id, visibility, before)
    if not isinstance(target, ComponentDeclaration):
        return None
    if last == STATE and target.state is not None:
        return StateDeclaration(id, visibility, owner, target.state)
    for entry in inline_actions(target.node):
        if entry.name.text == last:
            # Semantics 2.4 and 3.9: an inline action is as visible as its component.
            return _record(id, visibility, entry, is_action=True, abstract=False)
    return None


def _is_component(target: Declaration) -> bool:
    return isinstance(target, ComponentDeclaration)


def _record(
    id: DeclarationId,
    visibility: Visibility,
    node: tree.RecordNode | tree.EmitDefinition,
    is_action: bool,
    abstract: bool,
) -> RecordDeclaration:
    return RecordDeclaration(
        id,
        visibility,
        node,
        is_action,
        abstract,
        type_parameters(node.fields),
        members(id, node.fields, "field"),
    )


def _cases(id: DeclarationId, node: tree.UnionNode) -> tuple[CaseDeclaration, ...]:
    cases: dict[str, CaseDeclaration] = {}
    for case in node.cases:
        name = case.name.text
        if name not in cases:
            fields = members(id, case.fields or (), "payload", name)
            cases[name] = CaseDeclaration(name, case, fields)
    return tuple(cases.values())


def members(
    owner: DeclarationId,
    definitions: Iterable[tree.PropertyDefinition],
    role: Role,
    case: str | None = None,
) -> tuple[Member, ...]:
    """Members from their definitions: type parameters left out, the first of each name kept."""
    found: dict[str, Member] = {}
    for node in definitions:
        name = node.name.text
        if not node.is_type_parameter and name and name not in found:
            found[name] = Member(name, owner, node, role, case)
    return tuple(found.values())


def type_parameters(definitions: Sequence[tree.PropertyDefinition]) -> tuple[str, ...]:
    """The names of the type parameters among definitions, in order, without repeated ones."""
    names = (node.name.text for node in definitions if node.is_type_parameter)
    return tuple(dict.fromkeys(name for name in names if name))
