"""Hover: what a name means and, for a function, both its schemas (editor-experience 4)."""

from __future__ import annotations

from dataclasses import dataclass

from nx_lsp.ide.hover_context import NO_LINKS, HoverContext, Links
from nx_lsp.ide.hover_functions import offer_blocks
from nx_lsp.ide.hover_members import member_blocks
from nx_lsp.ide.hover_types import (
    case_blocks,
    declaration_blocks,
    emit_blocks,
    modules_blocks,
)
from nx_lsp.ide.offers import offer_at
from nx_lsp.ide.options import DEFAULT_OPTIONS, IdeOptions
from nx_lsp.ide.rendering import Block, Fence, Rule, fit, to_markdown, to_plain_text
from nx_lsp.ide.targets import (
    CaseMeant,
    DeclarationMeant,
    EmitMeant,
    ExpressionMeant,
    LineMeant,
    Meant,
    MemberMeant,
    ModulesMeant,
    target_at,
)
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.types.display import display
from nx_lsp.types.relations import holds_unknown


@dataclass(frozen=True, slots=True)
class Hover:
    """``start``/``end``: the name, in absolute code points of the module's text."""

    markdown: str
    plain_text: str
    start: int
    end: int


def hover(
    db: ProgramDatabase,
    module: str,
    offset: int,
    options: IdeOptions = DEFAULT_OPTIONS,
    links: Links = NO_LINKS,
) -> Hover | None:
    """What is known about ``offset`` (absolute code points) of ``module``; ``None`` if nothing."""
    target = target_at(db, module, offset)
    if target is None:
        return None
    blocks = _blocks(HoverContext(db, options, links), target.meant)
    if not any(block != Rule() for block in blocks):
        return None
    fitted = fit(blocks, options.hover_max_lines, options.hover_max_characters)
    return Hover(to_markdown(fitted), to_plain_text(fitted), target.start, target.end)


def _blocks(context: HoverContext, meant: Meant) -> list[Block]:
    match meant:
        case DeclarationMeant(id, tag):
            offer = None if tag is None else offer_at(context.db, tag)
            if offer is not None and offer.record == id:
                return offer_blocks(context, offer)
            return declaration_blocks(context, id)
        case MemberMeant(member, type):
            return member_blocks(context, member, type)
        case CaseMeant(union, case):
            return case_blocks(context, union, case)
        case ModulesMeant():
            return modules_blocks(context, meant)
        case EmitMeant(emit):
            return emit_blocks(context, emit)
        case LineMeant(kind, text):
            return context.language(Fence(text=f"({kind}) {text}"))
        case ExpressionMeant(type):
            return [] if holds_unknown(type) else context.language(Fence(text=display(type)))
