"""What tags and their properties stand for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import (
    ComponentDeclaration,
    DeclarationId,
    FunctionDeclaration,
    Member,
    RecordDeclaration,
    StateDeclaration,
    UpdateDeclaration,
)
from nx_lsp.syntax import tree


class Case(NamedTuple):
    """A case of a union or property union."""

    union: DeclarationId
    name: str


def union_named(db: ProgramDatabase, module: str, name: str) -> DeclarationId | None:
    """The union (or property union) that a type name means in ``module``, aliases seen through."""
    found = queries.lookup_type(db, module, name)
    meant = queries.through_aliases(db, found) if found is not None else None
    return meant if meant is not None and queries.case_names(db, meant) else None


def tag_meaning(
    db: ProgramDatabase, module: str, component: DeclarationId | None, name: str
) -> DeclarationId | Case | None:
    """What the tag ``name`` means in ``module``: a declaration, a union case, or ``None`` for a
    host element. ``component`` is the component whose text holds the tag."""
    if component is not None and name == "Update":
        update = DeclarationId(component.module, f"{component.name}.State.Update")
        if queries.declaration(db, update) is not None:
            return update
    found = queries.lookup_element(db, module, name)
    if found is not None:
        return found
    before, _, last = name.rpartition(".")
    union = union_named(db, module, before) if before else None
    if union is not None and last in queries.case_names(db, union):
        return Case(union, last)
    return None


def tag_members(db: ProgramDatabase, meaning: DeclarationId | Case | None) -> tuple[Member, ...]:
    """What an element of this meaning can bind; handlers are not among them."""
    match meaning:
        case None:
            return ()
        case Case(union, name):
            return queries.case_fields(db, union, name)
    match queries.declaration(db, meaning):
        case RecordDeclaration() | UpdateDeclaration() | StateDeclaration():
            return queries.effective_fields(db, meaning)
        case ComponentDeclaration():
            return queries.effective_properties(db, meaning)
        case FunctionDeclaration(parameters=parameters):
            return parameters
        case _:
            return ()


def written_properties(element: tree.Element) -> Iterator[tree.Property]:
    """Every property written on a tag, those in branches included, in source order."""
    waiting: list[tree.Node] = list(reversed(element.properties))
    while waiting:
        node = waiting.pop()
        if isinstance(node, tree.Property):
            yield node
        elif isinstance(node, (tree.If, tree.Match, tree.ConditionList)):
            below = [
                each
                for branch in _branches(node)
                if isinstance(branch, tree.PropertyBlock)
                for each in branch.items
            ]
            waiting.extend(reversed(below))


def _branches(node: tree.If | tree.Match | tree.ConditionList) -> Iterator[tree.Node]:
    """The bodies of a branching node, in source order."""
    if isinstance(node, tree.If):
        yield node.then
    else:
        yield from (arm.body for arm in node.arms)
    if node.otherwise is not None:
        yield node.otherwise


def possible_values(node: tree.Node) -> Iterator[tree.Node]:
    """The expressions that a value may turn out to be: through braces, parentheses and
    branches."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        match current:
            case tree.Braced(items=items):
                waiting.extend(reversed(items))
            case tree.Parenthesized(inner=inner):
                waiting.append(inner)
            case tree.If() | tree.Match() | tree.ConditionList():
                waiting.extend(reversed(list(_branches(current))))
            case _:
                yield current
