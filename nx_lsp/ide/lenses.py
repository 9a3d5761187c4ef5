"""Code lenses: what stands above functions, abstract records and a file (editor-experience 7).

Which lenses there are is read off outlines and offers, so that it costs little and does not change
while something is typed; what a lens says is worked out one by one, when it comes into view.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from nx_lsp.ide.offers import is_tool, offers_of
from nx_lsp.ide.options import DEFAULT_OPTIONS, IdeOptions
from nx_lsp.ide.shortening import counted
from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId
from nx_lsp.schema.findings import SYNTAX_CODES
from nx_lsp.schema.schema import derived_function, result_is_markup, site_diagnostics

LensKind = Literal["toolSchema", "summary", "copy", "usage", "descendants", "file"]

LAST_GOOD = "~"
"""Begins the title of a lens whose declaration does not parse just now."""


@dataclass(frozen=True, slots=True)
class Lens:
    """``start``/``end``: the name of the declaration (absolute code points), for a file an empty
    range at its start. ``id`` is ``None`` for a file."""

    kind: LensKind
    id: DeclarationId | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class LensFacts:
    """What decides which lenses a function has."""

    offered: bool
    markup: bool


Remembered = Mapping[DeclarationId, LensFacts]


def lens_facts(
    db: ProgramDatabase, module: str, options: IdeOptions = DEFAULT_OPTIONS
) -> dict[DeclarationId, LensFacts]:
    """What is known of each function of ``module``, in source order. Of functions with one name
    only the first counts: a command could not reach the others."""
    return {
        declared.id: LensFacts(is_tool(db, declared.id, options), result_is_markup(db, declared.id))
        for declared in queries.declared_names(db, module)
        if declared.kind == "function" and not declared.repeated
    }


def lenses(
    db: ProgramDatabase,
    module: str,
    options: IdeOptions = DEFAULT_OPTIONS,
    remembered: Remembered | None = None,
) -> tuple[Lens, ...]:
    """The lenses of a module in source order.

    ``remembered``: what was known of its functions while the program was whole; it goes before
    what the broken program tells, so that no lens comes or goes while somebody types."""
    facts = {**lens_facts(db, module, options), **(remembered or {})}
    found: list[Lens] = []
    for declared in queries.declared_names(db, module):
        start, end = queries.absolute(db, queries.name_place(db, declared.id))
        kinds: list[LensKind] = []
        if declared.kind == "function" and declared.id in facts:
            kinds += _function_kinds(facts[declared.id], options)
        elif declared.kind == "record" and declared.abstract and options.lens_descendants:
            kinds.append("descendants")
        found += [Lens(kind, declared.id, start, end) for kind in kinds]
    if options.lens_file and any(_offers(facts, lens) for lens in found):
        found.insert(0, Lens("file", None, 0, 0))
    return tuple(found)


def _offers(facts: Remembered, lens: Lens) -> bool:
    return lens.id is not None and lens.id in facts and facts[lens.id].offered


def _function_kinds(facts: LensFacts, options: IdeOptions) -> Iterator[LensKind]:
    if facts.markup and not facts.offered:
        return
    if options.lens_schema:
        yield "toolSchema"
    if facts.offered:
        if options.lens_summary:
            yield "summary"
        if options.lens_copy:
            yield "copy"
        if options.lens_usage:
            yield "usage"


# ---------------------------------------------------------------- titles


def is_broken(db: ProgramDatabase, id: DeclarationId) -> bool:
    """Whether the text of a declaration does not parse just now, or is gone."""
    piece = queries.piece(db, id.module, id.name)
    return piece is None or any(one.code in SYNTAX_CODES for one in piece.problems)


def lens_title(
    db: ProgramDatabase,
    module: str,
    kind: LensKind,
    id: DeclarationId | None,
    options: IdeOptions = DEFAULT_OPTIONS,
) -> str:
    """What a lens says, from the program as it is."""
    match kind, id:
        case "toolSchema", _:
            return "Tool schema"
        case "copy", _:
            return "Copy…"
        case "summary", DeclarationId():
            return _summary(db, id, options)
        case "usage", DeclarationId():
            agents = dict.fromkeys(offer.offered_by for offer in offers_of(db, id))
            return f"offered by {counted(len(agents), 'agent')}"
        case "descendants", DeclarationId():
            return counted(len(queries.descendants(db, id)), "descendant")
        case _:
            facts = lens_facts(db, module, options)
            return f"{counted(sum(each.offered for each in facts.values()), 'tool')} · Export…"


def _summary(db: ProgramDatabase, id: DeclarationId, options: IdeOptions) -> str:
    derived = derived_function(db, id, options.host_supplied)
    if derived is None:
        return "no function"
    problems = sum(1 for _ in site_diagnostics(db, derived.sites))
    if problems:
        return counted(problems, "problem")
    arguments = [entry for entry in derived.parameters if entry.host_supplied is None]
    optional = sum(not entry.required for entry in arguments)
    told = counted(len(arguments), "argument") if arguments else "no arguments"
    return f"{told} · {optional} optional" if optional else told
