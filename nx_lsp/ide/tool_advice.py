"""What a model would miss in a tool (editor-experience 5, the codes that begin with ``tool-``).

Everything here is about functions that are offered to a model, or named in the setting
``nxlsp.schema.tools``; other functions are left in peace.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nx_lsp.engine import query
from nx_lsp.ide.offers import Offer, is_tool, offers, offers_in, offers_of
from nx_lsp.ide.options import DEFAULT_OPTIONS, IdeOptions
from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import (
    DeclarationId,
    Diagnostic,
    FunctionDeclaration,
    Label,
    Member,
    Place,
)
from nx_lsp.schema.findings import SYNTAX_CODES
from nx_lsp.schema.host_supplied import host_supplied_by
from nx_lsp.schema.hosts.limits import NAMES
from nx_lsp.schema.hosts.naming import host_name
from nx_lsp.schema.keys import declared_name
from nx_lsp.syntax import tree
from nx_lsp.syntax.problems import Severity
from nx_lsp.types.model import ObjectType
from nx_lsp.types.resolution import member_type

UNDOCUMENTED = "tool-undocumented-parameter"
UNDESCRIBED = "tool-missing-description"


@dataclass(frozen=True, slots=True)
class Advice:
    """A diagnostic of a tool; ``member`` is the parameter it is about, if it is about one."""

    diagnostic: Diagnostic
    function: DeclarationId
    member: str | None = None
    fixes: tuple[str, ...] = ()


def tool_advice(
    db: ProgramDatabase, module: str, options: IdeOptions = DEFAULT_OPTIONS
) -> Iterator[Advice]:
    """What is to be said at the tools of ``module`` and at the tool records in it."""
    for declared in queries.declared_names(db, module):
        id = declared.id
        if declared.kind == "function" and is_tool(db, id, options) and _parses(db, id):
            yield from _about_function(db, id, options)
    for offer in offers_in(db, module):
        yield from _about_name(db, offer)


def _parses(db: ProgramDatabase, id: DeclarationId) -> bool:
    piece = queries.piece(db, id.module, id.name)
    return piece is None or not any(each.code in SYNTAX_CODES for each in piece.problems)


# ---------------------------------------------------------------- the function


def _about_function(
    db: ProgramDatabase, id: DeclarationId, options: IdeOptions
) -> Iterator[Advice]:
    name = declared_name(id)
    if is_undescribed(db, id):
        message = f"The tool `{name}` has no description: a model cannot know when to call it"
        yield Advice(
            _at(
                queries.name_place(db, id),
                "warning",
                UNDESCRIBED,
                message,
                "Write a doc comment above the function.",
            ),
            id,
            fixes=("describe-tool",),
        )
    for member in arguments(db, id, options):
        place = queries.place(db, id, member.node.name)
        if not is_documented(db, member):
            message = f"Parameter `{member.name}` of the tool `{name}` has no documentation"
            help = "A model reads only its name and type: write a doc comment above it."
            found = _at(place, "hint", UNDOCUMENTED, message, help)
            yield Advice(found, id, member.name, ("document-member",))
        if isinstance(member_type(db, member).item, ObjectType):
            message = (
                f"Parameter `{member.name}` of the tool `{name}` is an `object`: "
                "the model is told nothing about it"
            )
            found = _at(place, "hint", "tool-open-object", message, "Declare a record for it.")
            yield Advice(found, id, member.name)


def is_undescribed(db: ProgramDatabase, id: DeclarationId) -> bool:
    """Whether a model that is offered the function gets no description: it has no documentation,
    and not every tool record with it has a description."""
    if (queries.documentation(db, id) or "").strip():
        return False
    found = offers_of(db, id)
    return not found or any(not offer.description for offer in found)


def is_documented(db: ProgramDatabase, member: Member) -> bool:
    """Whether there is a word about a parameter or field; an empty comment is none."""
    return bool((queries.member_documentation(db, member) or "").strip())


def arguments(
    db: ProgramDatabase, id: DeclarationId, options: IdeOptions = DEFAULT_OPTIONS
) -> tuple[Member, ...]:
    """The parameters that a model fills in."""
    declaration = queries.declaration(db, id)
    if not isinstance(declaration, FunctionDeclaration):
        return ()
    return tuple(
        member
        for member in declaration.parameters
        if host_supplied_by(db, member_type(db, member), options.host_supplied) is None
    )


def _at(place: Place, severity: Severity, code: str, message: str, help: str) -> Diagnostic:
    return Diagnostic(severity, code, message, (Label(place, None, primary=True),), help)


# ---------------------------------------------------------------- names


def _about_name(db: ProgramDatabase, offer: Offer) -> Iterator[Advice]:
    place = offer.name_place if offer.authored and offer.name_place is not None else offer.place
    allowed, notes = host_name(offer.tool_name, "mcp", "")
    if any(note.code == "name-changed" for note in notes):
        longest = NAMES["mcp"].longest
        message = f"`{offer.tool_name}` is no name for a tool"
        help = f"Names are 1 to {longest} letters, digits, `_`, `-` and `.`, like `{allowed}`."
        yield Advice(_at(place, "error", "tool-invalid-name", message, help), offer.function)
    earlier = _earlier(db, offer)
    if earlier is not None:
        message = f"`{offer.offered_by}` offers two tools with the name `{offer.tool_name}`"
        other = earlier.name_place if earlier.name_place is not None else earlier.place
        labels = (Label(place, None, primary=True), Label(other, "the first one"))
        help = "Give one of them another `name`: a model tells tools apart by name alone."
        yield Advice(
            Diagnostic("error", "tool-duplicate-name", message, labels, help), offer.function
        )


def _earlier(db: ProgramDatabase, offer: Offer) -> Offer | None:
    """The first offer of the same agent under the same name, if ``offer`` is not that."""
    if offer.place in _alternatives(db, offer.place.module):
        return None
    for one in _unconditional(db).get((offer.place.module, offer.offered_by, offer.tool_name), ()):
        return one if one.place != offer.place else None
    return None


@query
def _unconditional(db: ProgramDatabase) -> dict[tuple[str, str, str], tuple[Offer, ...]]:
    """The offers that are made whatever happens, by module, agent and name."""
    found: dict[tuple[str, str, str], tuple[Offer, ...]] = {}
    for offer in offers(db):
        if offer.place not in _alternatives(db, offer.place.module):
            key = (offer.place.module, offer.offered_by, offer.tool_name)
            found[key] = (*found.get(key, ()), offer)
    return found


@query
def _alternatives(db: ProgramDatabase, module: str) -> frozenset[Place]:
    """The offers of a module that stand in a branch or a loop, of which another may take the
    place."""
    return frozenset(
        offer.place for offer in offers_in(db, module) if _in_a_branch(db, offer.place)
    )


_BRANCHES = (tree.If, tree.Match, tree.ConditionList, tree.For)


def _in_a_branch(db: ProgramDatabase, place: Place) -> bool:
    piece = None if place.piece is None else queries.piece(db, place.module, place.piece)
    path = tree.path_to(piece.tree, place.start) if piece is not None else []
    return any(isinstance(node, _BRANCHES) for node in path)
