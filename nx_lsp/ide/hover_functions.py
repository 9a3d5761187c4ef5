"""Hover on a function, and on a tool record that offers one (editor-experience 4.1, 4.4)."""

from __future__ import annotations

from collections.abc import Iterator

from nx_lsp.ide.hover_context import HoverContext, schema_block
from nx_lsp.ide.offers import Offer, is_tool, offers_of, tool_name
from nx_lsp.ide.rendering import (
    Block,
    Bullets,
    Code,
    Fence,
    Inline,
    Link,
    Rule,
    Strong,
    heading,
    line,
    message_parts,
    note,
    with_role,
)
from nx_lsp.ide.shortening import counted
from nx_lsp.program import queries
from nx_lsp.program.declarations import DeclarationId, Diagnostic, FunctionDeclaration, Place
from nx_lsp.schema.answers import ParameterEntry
from nx_lsp.schema.keys import declared_name
from nx_lsp.schema.schema import (
    NOT_INFERRED,
    DerivedFunction,
    derived_function,
    result_is_markup,
    site_diagnostics,
)
from nx_lsp.syntax import tree
from nx_lsp.syntax.spelling import spell_signature

SHOW_COMMAND = "nxlsp.showToolSchema"
COPY_COMMAND = "nxlsp.copyToolSchema"
"""The commands that a hover may link to."""

SIGNATURE_LINES = 24
"""Lines of a signature that is cut to keep a hover within its limits."""


def function_blocks(context: HoverContext, id: DeclarationId) -> list[Block]:
    """The hover of a function, in the order of editor-experience 4.1."""
    db, options = context.db, context.options
    declaration = queries.declaration(db, id)
    derived = derived_function(db, id, options.host_supplied)
    if not isinstance(declaration, FunctionDeclaration) or derived is None:
        return []
    blocks = context.language(*_signature(declaration, derived))
    documentation = context.documentation(queries.documentation(db, id), id)
    if result_is_markup(db, id) and not is_tool(db, id, options):
        untold = note("Not callable as a tool: the result is markup.")
        return [*blocks, *documentation, untold]
    blocks.append(_tool_line(context, id, derived.parameters))
    blocks += documentation
    blocks += _problems(context, id, derived)
    blocks += _schemas(context, derived)
    blocks += _links(context, id)
    return blocks


def offer_blocks(context: HoverContext, offer: Offer) -> list[Block]:
    """The hover of a tool record with a function: the tool as a host will see it."""
    derived = derived_function(context.db, offer.function, context.options.host_supplied)
    if derived is None:
        return []
    calls = line(
        Strong("Tool"), " ", Code(offer.tool_name), " · calls ", context.named(offer.function)
    )
    blocks: list[Block] = [calls]
    if offer.description is not None:
        blocks += context.documentation(offer.description)
    else:
        documentation = queries.documentation(context.db, offer.function)
        blocks += context.documentation(documentation, offer.function)
    hints = tuple(_hints(context, offer, derived))
    if hints:
        blocks += [heading("Hints"), Bullets(items=hints)]
    blocks += _problems(context, offer.function, derived)
    return [*blocks, *_schemas(context, derived), *_links(context, offer.function)]


def _hints(
    context: HoverContext, offer: Offer, derived: DerivedFunction
) -> Iterator[tuple[Inline, ...]]:
    """What a model is not told."""
    if not (offer.description or derived.description):
        yield ("The tool has no description.",)
    silent = [
        Code(entry.name)
        for entry in derived.parameters
        if entry.description is None and entry.host_supplied is None
    ]
    if silent:
        yield ("Without documentation: ", *context.row(silent), ".")


# ---------------------------------------------------------------- the parts


def _signature(declaration: FunctionDeclaration, derived: DerivedFunction) -> list[Block]:
    if isinstance(declaration.node, tree.RootNode):
        text, written = f"let root(): {derived.result_type}", False
    else:
        text = spell_signature(declaration.node, result=derived.result_type)
        written = declaration.node.result is not None
    whole = Fence(text=text)
    lines = text.split("\n")
    if len(lines) > SIGNATURE_LINES:
        more = f"  // {counted(len(lines) - SIGNATURE_LINES, 'more parameter')}"
        short = "\n".join([*lines[: SIGNATURE_LINES - 1], more, lines[-1]])
        blocks: list[Block] = [with_role(whole, "signature", Fence(text=short))]
    else:
        blocks = [whole]
    if not written and derived.result_type != NOT_INFERRED:
        blocks.append(note("result type inferred"))
    return blocks


def _tool_line(
    context: HoverContext, id: DeclarationId, parameters: tuple[ParameterEntry, ...]
) -> Block:
    parts: list[Inline] = []
    if is_tool(context.db, id, context.options):
        names = dict.fromkeys(offer.tool_name for offer in offers_of(context.db, id))
        parts += [Strong("Tool"), " "]
        for number, name in enumerate(names or (tool_name(context.db, id),)):
            parts += [", ", Code(name)] if number else [Code(name)]
    else:
        parts.append(Strong("Function"))
    arguments = [entry for entry in parameters if entry.host_supplied is None]
    parts.append(" · " + (counted(len(arguments), "argument") if arguments else "no arguments"))
    optional = sum(1 for entry in arguments if not entry.required)
    if optional:
        parts.append(f", {optional} optional")
    supplied = [Code(entry.name) for entry in parameters if entry.host_supplied is not None]
    if supplied:
        verb = "is" if len(supplied) == 1 else "are"
        parts += [" · ", *context.row(supplied), f" {verb} filled in by the host"]
    for entry in arguments:
        if entry.host_supplied_within:
            held = [Code(declared_name(each)) for each in entry.host_supplied_within]
            parts += [" · ", Code(entry.name), " holds host-supplied ", *context.row(held)]
    return line(*parts)


def _problems(context: HoverContext, id: DeclarationId, derived: DerivedFunction) -> list[Block]:
    own = queries.piece_key(context.db, id)
    items = []
    for diagnostic in site_diagnostics(context.db, derived.sites):
        parts: list[Inline] = [Code(diagnostic.code), " ", *message_parts(diagnostic.message)]
        place = _elsewhere(diagnostic, id.module, own)
        if place is not None:
            address = context.links.to_place(place)
            if address is not None:
                parts += [" ", Link("Go to it", address, markdown_only=True)]
            elif place.module != id.module:
                parts += [" (in ", Code(place.module), ")"]
        items.append(tuple(parts))
    return [heading("Problems"), Bullets(items=tuple(items))] if items else []


def _elsewhere(diagnostic: Diagnostic, module: str, piece: str | None) -> Place | None:
    """The place of a problem that stands outside the function."""
    label = diagnostic.primary
    if label is None or (label.place.module == module and label.place.piece == piece):
        return None
    return label.place


def _schemas(context: HoverContext, derived: DerivedFunction) -> list[Block]:
    shown = context.options.hover_schema
    blocks: list[Block] = []
    if shown in ("both", "input"):
        blocks += schema_block(context, "Input", derived.input_schema)
    if shown in ("both", "output"):
        blocks += schema_block(context, "Output", derived.output_schema)
    return [Rule(), *blocks] if blocks else []


def _links(context: HoverContext, id: DeclarationId) -> list[Block]:
    if not context.options.command_links or context.options.hover_schema == "off":
        return []
    links = (("Open full schema", SHOW_COMMAND), ("Copy as…", COPY_COMMAND))
    parts: list[Inline] = []
    for text, command in links:
        address = context.links.to_command(command, id)
        if address is not None:
            parts += [" · "] if parts else []
            parts.append(Link(text, address, markdown_only=True))
    return [line(*parts)] if parts else []
