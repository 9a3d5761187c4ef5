"""Which functions the program offers to models, and under which name (editor-experience 1).

A function is *offered* if the program constructs a tool record with it: a record that extends
``Tool`` of ``@nx/agent/agent.nx`` and has a function-typed member.
"""

from __future__ import annotations

from dataclasses import dataclass

from nx_lsp.engine import query
from nx_lsp.ide.markup import Case, possible_values, tag_meaning, written_properties
from nx_lsp.ide.options import IdeOptions
from nx_lsp.program import queries
from nx_lsp.program.database import ModuleOrigin, ProgramDatabase
from nx_lsp.program.declarations import (
    DeclarationId,
    FunctionDeclaration,
    Member,
    Place,
    RecordDeclaration,
)
from nx_lsp.schema.hosts.naming import snake_case
from nx_lsp.schema.keys import declared_name
from nx_lsp.syntax import tree
from nx_lsp.types.model import FunctionReferenceType, FunctionType
from nx_lsp.types.resolution import member_type

AGENT_MODULE = "@nx/agent/agent.nx"
TOOL = DeclarationId(AGENT_MODULE, "Tool")
AGENT = DeclarationId(AGENT_MODULE, "Agent")


@dataclass(frozen=True, slots=True)
class Offer:
    """One place that constructs a tool record with a function."""

    function: DeclarationId
    record: DeclarationId
    """The tool record: ``FunctionTool``, ``HttpTool`` or another."""
    tool_name: str
    authored: bool
    """Whether the name was written, or comes from the function's."""
    description: str | None
    """The authored description, if it is a literal."""
    offered_by: str
    """The name of the agent around it, or of the declaration that holds it."""
    place: Place
    """The tag's name."""
    name_place: Place | None
    """The authored name."""


def tool_name(db: ProgramDatabase, function: DeclarationId) -> str:
    """The name under which a model knows a function: the first authored one, else its own in
    snake case."""
    for offer in offers_of(db, function):
        if offer.authored:
            return offer.tool_name
    return snake_case(declared_name(function))


def tool_description(db: ProgramDatabase, function: DeclarationId) -> str | None:
    """The description that a tool record gives, the first authored one; ``None`` where the
    function's own documentation is what a model reads."""
    return next((each.description for each in offers_of(db, function) if each.description), None)


def is_tool(db: ProgramDatabase, function: DeclarationId, options: IdeOptions) -> bool:
    """Whether a function is offered, or named in the setting ``nxlsp.schema.tools``."""
    return options.names_tool(function) or bool(offers_of(db, function))


@query
def offers(db: ProgramDatabase) -> tuple[Offer, ...]:
    """Every offer of the program, in program order and source order."""
    return tuple(offer for module in db.identities for offer in offers_in(db, module))


@query
def _by_function(db: ProgramDatabase) -> dict[DeclarationId, tuple[Offer, ...]]:
    found: dict[DeclarationId, tuple[Offer, ...]] = {}
    for offer in offers(db):
        found[offer.function] = (*found.get(offer.function, ()), offer)
    return found


def offers_of(db: ProgramDatabase, function: DeclarationId) -> tuple[Offer, ...]:
    """The offers of one function."""
    return _by_function(db).get(function, ())


@query
def function_members(db: ProgramDatabase, record: DeclarationId) -> tuple[Member, ...]:
    """The members of a tool record that hold a function; empty for any other record."""
    found = queries.declaration(db, record)
    if not isinstance(found, RecordDeclaration) or found.abstract:
        return ()
    if TOOL not in queries.ancestors(db, record):
        return ()
    return tuple(
        member
        for member in queries.effective_fields(db, record)
        if isinstance(member_type(db, member).item, (FunctionType, FunctionReferenceType))
    )


@query
def tool_tags(db: ProgramDatabase, module: str) -> frozenset[str]:
    """The names under which a module can construct tool records with a function."""
    tools = [id for id in queries.descendants(db, TOOL) if function_members(db, id)]
    if not tools:
        return frozenset()
    elements = queries.scope(db, module).elements
    return frozenset(name for name, id in elements.items() if id in tools)


@query
def offers_in(db: ProgramDatabase, module: str) -> tuple[Offer, ...]:
    """The offers that a module's text makes. Only declarations that mention a tool record are
    parsed for it."""
    found = db.module(module)
    if found is None or found.origin in (ModuleOrigin.STANDARD, ModuleOrigin.PRELUDE):
        return ()
    tags = tool_tags(db, module)
    last_parts = {name.rpartition(".")[2] for name in tags}
    if not last_parts:
        return ()
    return tuple(
        offer
        for part in found.file.pieces
        if part.outline.kind in ("function", "value", "component", "root", "record", "union")
        and any(name in part.text for name in last_parts)
        for offer in _offers_in_piece(db, module, part.key, part.tree)
    )


def offer_at(db: ProgramDatabase, place: Place) -> Offer | None:
    """The offer whose tag stands at ``place``."""
    return next((offer for offer in offers_in(db, place.module) if offer.place == place), None)


def _offers_in_piece(db: ProgramDatabase, module: str, key: str, piece: tree.Node) -> list[Offer]:
    found: list[Offer] = []
    waiting: list[tuple[tree.Node, str | None]] = [(piece, None)]
    while waiting:
        node, agent = waiting.pop()
        if isinstance(node, tree.Element):
            meaning = tag_meaning(db, module, None, node.tag.text)
            if meaning == AGENT:
                agent = _literal(node, "name") or agent
            elif meaning is not None and not isinstance(meaning, Case):
                found += _offers_of_element(db, module, key, node, meaning, agent)
        waiting.extend((child, agent) for child in reversed(list(tree.children(node))))
    return found


def _offers_of_element(
    db: ProgramDatabase,
    module: str,
    key: str,
    element: tree.Element,
    record: DeclarationId,
    agent: str | None,
) -> list[Offer]:
    members = function_members(db, record)
    if not members:
        return []
    found: list[Offer] = []
    authored = _literal_property(element, "name")
    for value in _values_of(element, members):
        function = _function_meant(db, module, value)
        if function is None:
            continue
        name = _text(authored)
        found.append(
            Offer(
                function=function,
                record=record,
                tool_name=name or snake_case(declared_name(function)),
                authored=bool(name),
                description=_literal(element, "description"),
                offered_by=agent or key,
                place=Place(module, key, element.tag.start, element.tag.end),
                name_place=None
                if authored is None
                else Place(module, key, authored.value.start, authored.value.end),
            )
        )
    return found


def _values_of(element: tree.Element, members: tuple[Member, ...]) -> list[tree.Node]:
    """What an element gives to ``members``: by name, or as its body for a content member."""
    names = {member.name for member in members}
    values: list[tree.Node] = []
    for written in written_properties(element):
        if written.name.text in names:
            values.extend(possible_values(written.value))
    if any(member.content for member in members):
        for part in element.body or ():
            if isinstance(part, tree.Braced):
                values.extend(possible_values(part))
    return values


def _function_meant(db: ProgramDatabase, module: str, value: tree.Node) -> DeclarationId | None:
    name = _dotted(value)
    found = queries.lookup_value(db, module, name) if name else None
    if found is None or not isinstance(queries.declaration(db, found), FunctionDeclaration):
        return None
    return found


def _dotted(node: tree.Node) -> str | None:
    """``a`` or ``A.b`` as one name."""
    parts: list[str] = []
    while isinstance(node, tree.Member) and not node.optional:
        parts.append(node.name.text)
        node = node.receiver
    if not isinstance(node, tree.Identifier):
        return None
    return ".".join([node.name, *reversed(parts)])


def _literal_property(element: tree.Element, name: str) -> tree.Property | None:
    for written in element.properties:
        if isinstance(written, tree.Property) and written.name.text == name:
            return written
    return None


def _text(written: tree.Property | None) -> str | None:
    """The text of a property that is given as a string, in braces or not."""
    value = None if written is None else written.value
    if isinstance(value, tree.Braced) and len(value.items) == 1:
        value = value.items[0]
    return value.raw if isinstance(value, tree.StringLiteral) else None


def _literal(element: tree.Element, name: str) -> str | None:
    return _text(_literal_property(element, name))
