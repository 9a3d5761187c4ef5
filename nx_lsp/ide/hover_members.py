"""Hover on parameters, fields and properties (editor-experience 4.4)."""

from __future__ import annotations

from nx_lsp.ide.hover_context import HoverContext, short_schema
from nx_lsp.ide.offers import is_tool, tool_name
from nx_lsp.ide.rendering import Block, Code, Fence, line, note
from nx_lsp.program import queries
from nx_lsp.program.declarations import ComponentDeclaration, Member
from nx_lsp.program.doc_link_rules import CaseTarget, LinkTarget
from nx_lsp.schema.answers import Schema
from nx_lsp.schema.document import arguments_document, type_document
from nx_lsp.schema.host_supplied import host_supplied_by
from nx_lsp.schema.keys import declared_name
from nx_lsp.schema.reach import reachable_problems
from nx_lsp.schema.structure import Site, site_of
from nx_lsp.syntax.spelling import spell_expression, spell_property
from nx_lsp.types.display import display
from nx_lsp.types.model import Type
from nx_lsp.types.relations import holds_unknown
from nx_lsp.types.resolution import member_read_type, member_type

SHORT_LINES = 16
SHORT_CHARACTERS = 800
"""The size of a schema that is shown for a single member."""


def member_blocks(context: HoverContext, member: Member, type: Type | None) -> list[Block]:
    """The hover of a member; ``type`` is what it has at the place that was asked about."""
    if member.role == "parameter":
        return _parameter(context, member, type)
    blocks = _head(context, "property", member, type)
    owner = declared_name(member.owner) + (f".{member.case}" if member.case else "")
    place = queries.name_place(context.db, member.owner)
    marks = _marks(member)
    kind = "State of " if member.role == "state" else "Field of "
    if member.role == "property":
        kind = "Property of "
    blocks.append(line(kind, context.linked(owner, place), f" · {marks}"))
    blocks += _documented(context, member)
    if isinstance(queries.declaration(context.db, member.owner), ComponentDeclaration):
        return blocks
    return [*blocks, *_schema(context, site_of(context.db, member), "output")]


def _parameter(context: HoverContext, member: Member, type: Type | None) -> list[Block]:
    db, options = context.db, context.options
    blocks = _head(context, "parameter", member, type)
    blocks += _documented(context, member)
    supplied = host_supplied_by(db, member_type(db, member, ()), options.host_supplied)
    if supplied is not None:
        return [*blocks, note("Filled in by the host; the model never sees it")]
    blocks.append(note(_marks(member)))
    blocks += _schema(context, site_of(db, member), "input")
    function = member.owner
    tool = is_tool(db, function, options)
    name = tool_name(db, function) if tool else declared_name(function)
    return [*blocks, note("argument of ", Code(name))]


def _documented(context: HoverContext, member: Member) -> list[Block]:
    about: list[LinkTarget] = [member.owner]
    if member.case is not None:
        about.insert(0, CaseTarget(member.owner, member.case))
    return context.documentation(queries.member_documentation(context.db, member), *about)


def _head(context: HoverContext, kind: str, member: Member, type: Type | None) -> list[Block]:
    """The line of NX; below it the narrower type that the member has at this place."""
    blocks = context.language(Fence(text=f"({kind}) {spell_property(member.node)}"))
    if type is not None and not holds_unknown(type):
        declared = member_read_type(context.db, member)
        if type != declared:
            blocks += context.language(line("Here ", Code(display(type))))
    return blocks


def _marks(member: Member) -> str:
    if member.default is not None:
        return f"default {spell_expression(member.default)}"
    return "optional" if member.optional else "required"


def _schema(context: HoverContext, site: Site, direction: str) -> list[Block]:
    """The schema of one member, short; nothing for a type without JSON form."""
    if context.options.hover_schema in ("off", "link") or site.member.type is None:
        return []
    if reachable_problems(context.db, site.type.item):
        return [note("No JSON form")]
    document: Schema
    if direction == "input":
        arguments = arguments_document(context.db, [site])
        document = dict(arguments["properties"][site.member.name])
        if "$defs" in arguments:
            document["$defs"] = arguments["$defs"]
        document.pop("description", None)
    else:
        document = type_document(context.db, site.type, "output")
    return short_schema(context, document, SHORT_LINES, SHORT_CHARACTERS)
