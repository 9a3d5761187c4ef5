"""Whether a value fits the place it stands at (semantics 3.4, 3.5; decision 1).

A ``Site`` is what is expected, and how a misfit is told. Numeric literals and constant expressions
meet their site before they are checked: on their own, as items of a sequence, as ends of a range.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nx_lsp.program import queries
from nx_lsp.program.declarations import Label, Member
from nx_lsp.syntax import tree
from nx_lsp.types import literals, mismatches
from nx_lsp.types.display import display_all
from nx_lsp.types.grouping import unwrapped
from nx_lsp.types.literal_reports import report_literal
from nx_lsp.types.model import ERROR, ItemType, RecordType, Type
from nx_lsp.types.operators import RANGE, RANGES, range_type
from nx_lsp.types.relations import holds_error, is_error, same_item, satisfies

if TYPE_CHECKING:
    from nx_lsp.types.inference import Inference


@dataclass(frozen=True, slots=True)
class Site:
    """A place that expects a type. ``expects`` begins the message (``The field `name` takes``),
    ``gives`` tells of the value (``this is``). ``node`` is what a misfit is reported at; ``None``
    is the whole declaration."""

    expected: Type
    code: str
    expects: str
    gives: str
    node: tree.Node | None
    also: tuple[Label, ...] = ()
    unbound: tuple[str, ...] = ()
    """Type parameters of a component that the expected type names and that have no argument: a
    misfit is then a missing argument (semantics 3.11)."""
    component: str = ""


def check(inference: Inference, value: tree.Node, found: Type, site: Site) -> bool:
    """Report a value of type ``found`` that does not fit its site; whether it fits."""
    if is_error(site.expected.item):
        return True
    return check_type(inference, meet(inference, value, found, site.expected), site, value)


def check_type(
    inference: Inference, found: Type, site: Site, value: tree.Node | None = None
) -> bool:
    """``check`` for a type whose literals have met the site."""
    expected = site.expected
    if satisfies(inference.db, found, expected) or holds_error(found) or holds_error(expected):
        return True
    if site.unbound:
        _missing_argument(inference, site)
        return False
    wanted, given = display_all(expected, found)
    help = mismatches.explain(inference, value, found, expected)
    message = f"{site.expects} `{wanted}`, but {site.gives} `{given}`"
    inference.find(site.code, message, site.node, help, also=site.also)
    return False


def _missing_argument(inference: Inference, site: Site) -> None:
    name = site.unbound[0]
    inference.find(
        "type-parameter-not-specified",
        f"`{site.component}` is generic, and what this may be depends on `{name}`, "
        "which is not given",
        site.node,
        f"Write `<{site.component} {name}=… … />`.",
        also=site.also,
    )


def declared_at(inference: Inference, member: Member | None) -> tuple[Label, ...]:
    """The second place of a misfit: where the member is declared."""
    if member is None:
        return ()
    place = queries.place(inference.db, member.owner, member.node)
    return (Label(place, f"`{member.name}` is declared here"),)


# ---------------------------------------------------------------- literals


def meet(inference: Inference, node: tree.Node, found: Type, expected: Type) -> Type:
    """The type of a value after the literals in it have met the site; the error type, reported,
    where one of them cannot."""
    node = unwrapped(node)
    if is_error(found.item) or is_error(expected.item):
        return found
    constant = literals.constant(node)
    if constant is not None:
        item, problem = literals.at_constrained_site(constant, expected.item)
        if problem is not None:
            report_literal(inference, node, constant, problem, expected.item)
            return ERROR
        return Type(item, found.occurrence)
    if isinstance(node, (tree.Braced, tree.BodyBlock)) and node.items:
        return meet_all(inference, node.items, expected) if expected.occurrence.many else found
    if isinstance(node, tree.Binary) and node.operator in RANGES:
        return _meet_range(inference, node, found, expected.item)
    return found


def meet_all(inference: Inference, items: Sequence[tree.Node], expected: Type) -> Type:
    """Several items of a sequence, each on its own (semantics 3.5, 4.5)."""
    one = Type(expected.item)
    types = [meet(inference, each, inference.types.get(each, ERROR), one) for each in items]
    return inference.spliced(types)


def _meet_range(inference: Inference, node: tree.Binary, found: Type, site: ItemType) -> Type:
    match site:
        case RecordType(declaration, (("T", wanted),)) if declaration == RANGE:
            pass
        case _:
            return found
    left, right = (
        meet(inference, end, inference.types.get(end, ERROR), Type(wanted))
        for end in (node.left, node.right)
    )
    if is_error(left.item) or is_error(right.item):
        return ERROR
    if same_item(left.item, wanted) and same_item(right.item, wanted):
        return Type(site)
    return range_type(left, right)
