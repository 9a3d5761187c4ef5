"""Where doc links lead (semantics 2.9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Union

from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import (
    AliasDeclaration,
    ComponentDeclaration,
    DeclarationId,
    Diagnostic,
    FunctionDeclaration,
    Label,
    Member,
    Place,
    PropertyUnionDeclaration,
    RecordDeclaration,
    StateDeclaration,
    UnionDeclaration,
    UpdateDeclaration,
    ValueDeclaration,
)
from nx_lsp.program.declared import declaration, inline_actions
from nx_lsp.program.doc_links import find_doc_links
from nx_lsp.program.documentation import piece_comments
from nx_lsp.program.inheritance import through_aliases
from nx_lsp.program.members import (
    base_fields,
    case_fields,
    case_names,
    effective_emits,
    effective_fields,
    effective_properties,
)
from nx_lsp.program.near_names import nearest_name
from nx_lsp.program.outlines import Namespace, declared_names
from nx_lsp.program.scopes import incomplete, layers, lookup, scope
from nx_lsp.syntax import tree


@dataclass(frozen=True, slots=True)
class CaseTarget:
    """A union's case."""

    union: DeclarationId
    case: str


LinkTarget = Union[DeclarationId, Member, CaseTarget]
"""What a name of a doc link means."""

_NAMESPACES: tuple[Namespace, ...] = ("type", "element", "value")


def doc_link_target(
    db: ProgramDatabase, owners: tuple[LinkTarget, ...], module: str, name: str
) -> LinkTarget | None:
    """What the (dotted) name of a doc link means in documentation about ``owners``, the
    declaration documented or containing what is documented, innermost first: a member of them,
    else what the module's top level knows; each further name is a member of what precedes it."""
    parts = name.split(".")
    for owner in owners:
        start = link_members(db, owner).get(parts[0])
        found = _follow(db, start, parts[1:]) if start is not None else None
        if found is not None:
            return found
    for count in range(len(parts), 0, -1):
        for namespace in _NAMESPACES:
            id = lookup(db, module, namespace, ".".join(parts[:count]))
            found = _follow(db, id, parts[count:]) if id is not None else None
            if found is not None:
                return found
    return None


def _follow(db: ProgramDatabase, start: LinkTarget, names: list[str]) -> LinkTarget | None:
    current = start
    for name in names:
        following = link_members(db, current).get(name)
        if following is None:
            return None
        current = following
    return current


def link_members(db: ProgramDatabase, target: LinkTarget) -> Mapping[str, LinkTarget]:
    """The members that a doc link can name behind ``target``: fields, cases, payload fields,
    properties, state fields, emitted actions and parameters; behind a member those of the declared
    type its own type names."""
    if isinstance(target, CaseTarget):
        return _by_name(case_fields(db, target.union, target.case))
    if isinstance(target, Member):
        named = _type_of_member(db, target)
        return link_members(db, named) if named is not None else {}
    match declaration(db, target):
        case RecordDeclaration() | UpdateDeclaration() | StateDeclaration():
            return _by_name(effective_fields(db, target))
        case UnionDeclaration() | PropertyUnionDeclaration():
            cases = {name: CaseTarget(target, name) for name in case_names(db, target)}
            return {**_by_name(base_fields(db, target)), **cases}
        case ComponentDeclaration() as found:
            emitted = {
                emit.name: emit.action for emit in effective_emits(db, target) if emit.action
            }
            state = _by_name(found.state or ())
            return {**emitted, **state, **_by_name(effective_properties(db, target))}
        case FunctionDeclaration(parameters=parameters):
            return _by_name(parameters)
        case AliasDeclaration():
            seen_through = through_aliases(db, target)
            return link_members(db, seen_through) if seen_through is not None else {}
        case ValueDeclaration() as value:
            named = _declared_type(db, target.module, value.node.type)
            return link_members(db, named) if named is not None else {}
        case _:
            return {}


def _by_name(members: tuple[Member, ...]) -> dict[str, LinkTarget]:
    return {member.name: member for member in members}


def _type_of_member(db: ProgramDatabase, member: Member) -> DeclarationId | None:
    return _declared_type(db, member.owner.module, member.type)


def _declared_type(
    db: ProgramDatabase, module: str, node: tree.TypeNode | None
) -> DeclarationId | None:
    """The declaration that a written type names, apart from its suffix and through aliases."""
    while isinstance(node, (tree.ParenthesizedType, tree.SuffixedType)):
        node = node.inner
    if not isinstance(node, (tree.NamedType, tree.AppliedType)):
        return None
    found = lookup(db, module, "type", node.name.text)
    return through_aliases(db, found) if found is not None else None


# ---------------------------------------------------------------- diagnostics


@dataclass(frozen=True, slots=True)
class PlacedLink:
    """A doc link in documentation about ``owners``. ``start``/``end``: code points relative to
    the piece ``key``, brackets included."""

    owners: tuple[LinkTarget, ...]
    key: str
    target: str
    start: int
    end: int


def doc_links_in(db: ProgramDatabase, module: str) -> Iterator[PlacedLink]:
    """The doc links of a module, in source order."""
    for declared in declared_names(db, module):
        if declared.is_root_element:
            continue
        key = declared.id.name
        comments = piece_comments(db, module, key)
        for start, comment in sorted(comments.items(), key=lambda item: item[1].start):
            owners = _owners(db, declared.id, start)
            for link in find_doc_links(comment.text):
                at = comment.source_offset(link.start)
                yield PlacedLink(owners, key, link.target, at, at + link.end - link.start)


def doc_link_diagnostics(db: ProgramDatabase, module: str) -> tuple[Diagnostic, ...]:
    """A warning for each doc link of a module that means nothing, in source order."""
    return tuple(
        _report(db, link.owners, module, link.target, Place(module, link.key, link.start, link.end))
        for link in doc_links_in(db, module)
        if not _means_something(db, link.owners, module, link.target)
    )


def _owners(db: ProgramDatabase, id: DeclarationId, start: int) -> tuple[LinkTarget, ...]:
    """What documentation of the item at ``start`` in the piece of ``id`` is about."""
    inner: list[LinkTarget] = []
    match declaration(db, id):
        case UnionDeclaration(cases=cases):
            inner += [CaseTarget(id, c.name) for c in cases if c.node.start <= start < c.node.end]
        case ComponentDeclaration(node=node):
            inner += [
                DeclarationId(id.module, f"{id.name}.{entry.name.text}")
                for entry in inline_actions(node)
                if entry.start <= start < entry.end
            ]
        case _:
            pass
    return (*inner, id)


def _means_something(
    db: ProgramDatabase, owners: tuple[LinkTarget, ...], module: str, name: str
) -> bool:
    if doc_link_target(db, owners, module, name) is not None:
        return True
    if incomplete(db, module).may_bind(name):
        return True
    return any(layer.prefix == name for layer in layers(db, module))


def _report(
    db: ProgramDatabase,
    owners: tuple[LinkTarget, ...],
    module: str,
    name: str,
    where: Place,
) -> Diagnostic:
    known = scope(db, module)
    names = [member for owner in owners for member in link_members(db, owner)]
    names += [*known.types, *known.elements, *known.values]
    near = nearest_name(name, dict.fromkeys(names))
    return Diagnostic(
        "warning",
        "unresolved-doc-link",
        f"`[{name}]` links to nothing: no such member or declaration is in scope",
        (Label(where, primary=True),),
        f"Did you mean `[{near}]`?" if near else "Write `\\[` if no link is meant.",
    )
