"""Which defaults a schema shows, and how (schema-contract 6)."""

from __future__ import annotations

from typing import Union

from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import (
    ComponentDeclaration,
    DeclarationId,
    Member,
)
from nx_lsp.schema.bounds import json_number
from nx_lsp.schema.structure import Site
from nx_lsp.syntax import tree
from nx_lsp.types.constraints import literal_value
from nx_lsp.types.model import UnionType
from nx_lsp.types.resolution import declared_type

Default = Union[str, bool, int, float]


def shown_default(db: ProgramDatabase, site: Site) -> Default | None:
    """The value of ``default`` beside the site's schema, ``None`` if nothing is to be written.

    Shown are string, number (signed too) and boolean literals, and constant cases of the site's
    own union: bare, or qualified through that very union. Braces and parentheses around one
    value change nothing. Anything computed is not shown, and that is no problem."""
    written = site.member.default
    if written is None:
        return None
    if isinstance(written, tree.ContextualName):
        return _bare_case(db, site, written)
    value = _unwrapped(written)
    match value:
        case tree.StringLiteral(raw=raw):
            return raw
        case tree.BooleanLiteral(value=truth):
            return truth
        case tree.NumberLiteral():
            return _number(value, negative=False)
        case tree.Unary(operator="-", operand=tree.NumberLiteral() as number):
            return _number(number, negative=True)
        case tree.Member() | tree.QualifiedPattern():
            return _qualified_case(db, site, value)
        case _:
            return None


def _unwrapped(value: tree.Expression) -> tree.Expression:
    while True:
        if isinstance(value, tree.Braced) and len(value.items) == 1:
            value = value.items[0]
        elif isinstance(value, tree.Parenthesized):
            value = value.inner
        else:
            return value


def _number(literal: tree.NumberLiteral, *, negative: bool) -> int | float | None:
    value = literal_value(literal.text)
    if value is None:
        return None
    return json_number(-value if negative else value)


def _bare_case(db: ProgramDatabase, site: Site, name: tree.ContextualName) -> str | None:
    if name.suffixes or not isinstance(site.type.item, UnionType):
        return None
    return _constant_case(db, site.type.item.declaration, name.name)


def _qualified_case(
    db: ProgramDatabase, site: Site, value: tree.Member | tree.QualifiedPattern
) -> str | None:
    """``Status.active`` where ``Status`` means the site's union: not where it is a value."""
    names = _dotted(value)
    if names is None or not isinstance(site.type.item, UnionType):
        return None
    member = site.member
    if _bound_before(db, member, names[0]):
        return None
    module = member.owner.module
    if queries.lookup_value(db, module, names[0]) is not None:
        return None
    union = queries.lookup_type(db, module, ".".join(names[:-1]))
    if union is None:
        return None
    meant = declared_type(db, union)
    if meant is None or meant.item != site.type.item:
        return None
    return _constant_case(db, site.type.item.declaration, names[-1])


def _dotted(value: tree.Expression) -> list[str] | None:
    """The names of ``a.b.c``; ``None`` if the value is anything else."""
    if isinstance(value, tree.QualifiedPattern):
        return [part.text for part in value.name.parts]
    names: list[str] = []
    while isinstance(value, tree.Member) and not value.optional:
        names.append(value.name.text)
        value = value.receiver
    if not names or not isinstance(value, (tree.Identifier, tree.ContextualName)):
        return None
    names.append(value.name)
    return names[::-1]


def _bound_before(db: ProgramDatabase, member: Member, name: str) -> bool:
    """Whether the default of ``member`` sees a parameter or state field called ``name``: those
    declared before it, and for a state field the component's properties (semantics 2.5)."""
    if member.role == "parameter":
        visible = queries.parameters(db, member.owner)
    else:
        declaration = queries.declaration(db, member.owner)
        if not isinstance(declaration, ComponentDeclaration):
            return False
        properties = queries.effective_properties(db, member.owner)
        visible = (*properties, *(declaration.state or ()))
    for each in visible:
        if each.node is member.node:
            return False
        if each.name == name:
            return True
    return False


def _constant_case(db: ProgramDatabase, union: DeclarationId, case: str) -> str | None:
    if case in queries.case_names(db, union) and queries.is_constant_case(db, union, case):
        return case
    return None
