"""Hover on types, components, values and modules (editor-experience 4.4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nx_lsp.ide.hover_context import HoverContext, short_schema
from nx_lsp.ide.hover_functions import function_blocks
from nx_lsp.ide.offers import offers_in
from nx_lsp.ide.rendering import (
    Block,
    Bullets,
    Code,
    Fence,
    Inline,
    Strong,
    heading,
    line,
    message_parts,
    note,
)
from nx_lsp.ide.shortening import counted
from nx_lsp.ide.targets import ModulesMeant
from nx_lsp.program import queries
from nx_lsp.program.declarations import (
    AliasDeclaration,
    ComponentDeclaration,
    DeclarationId,
    FunctionDeclaration,
    Member,
    Place,
    PropertyUnionDeclaration,
    RecordDeclaration,
    StateDeclaration,
    UnionDeclaration,
    UpdateDeclaration,
    ValueDeclaration,
)
from nx_lsp.program.doc_link_rules import CaseTarget
from nx_lsp.program.members import Emit
from nx_lsp.schema.answers import Schema
from nx_lsp.schema.keys import declared_name
from nx_lsp.schema.schema import derived_type, site_diagnostics
from nx_lsp.schema.structure import shapes
from nx_lsp.syntax import tree
from nx_lsp.syntax.spelling import (
    spell_case,
    spell_declaration,
    spell_emit,
    spell_property,
    spell_signature,
    spell_type,
)
from nx_lsp.types.display import display
from nx_lsp.types.model import CaseType, RecordType
from nx_lsp.types.relations import holds_unknown
from nx_lsp.types.resolution import alias_type
from nx_lsp.types.results import value_type


def declaration_blocks(context: HoverContext, id: DeclarationId) -> list[Block]:
    """The hover of any declaration, written or derived."""
    match queries.declaration(context.db, id):
        case FunctionDeclaration():
            return function_blocks(context, id)
        case RecordDeclaration() as record:
            return _record(context, record)
        case UpdateDeclaration(target=target):
            return _update(context, id, target)
        case StateDeclaration(fields=fields):
            text = _listing(f"type {declared_name(id)}", map(_spelled, fields))
            head = context.language(context.limited(text, "field"))
            return [*head, *_output_schema(context, id)]
        case PropertyUnionDeclaration(target=target):
            return _property_union(context, id, target)
        case UnionDeclaration() as union:
            return _union(context, union)
        case AliasDeclaration() as alias:
            return _alias(context, alias)
        case ComponentDeclaration() as component:
            return _component(context, component)
        case ValueDeclaration() as value:
            return _value(context, value)
        case None:
            return []


def _documented(context: HoverContext, id: DeclarationId) -> list[Block]:
    return context.documentation(queries.documentation(context.db, id), id)


# ---------------------------------------------------------------- records


def _record(context: HoverContext, record: RecordDeclaration) -> list[Block]:
    node = record.node
    if isinstance(node, tree.EmitDefinition):
        text = f"action {spell_emit(node)}"
    else:
        text = spell_declaration(node)
    blocks = context.language(context.limited(text, "field"), *_documented(context, record.id))
    inherited = [
        member
        for member in queries.effective_fields(context.db, record.id)
        if member.owner != record.id
    ]
    blocks += _inherited(context, inherited)
    if record.abstract:
        return [*blocks, *_descendants(context, record.id)]
    return [*blocks, *_output_schema(context, record.id)]


def _inherited(context: HoverContext, members: Sequence[Member]) -> list[Block]:
    """Members of bases, each base with its own, nearest base last."""
    by_owner: dict[DeclarationId, list[Member]] = {}
    for member in members:
        by_owner.setdefault(member.owner, []).append(member)
    blocks: list[Block] = []
    for owner, own in by_owner.items():
        lines = [_spelled(member) for member in own]
        most = context.options.hover_max_members
        if len(lines) > most:
            lines = [*lines[:most], f"// {counted(len(lines) - most, 'more member')}"]
        blocks.append(note("Inherited from ", context.named(owner)))
        blocks.append(Fence(text="\n".join(lines)))
    return context.language(*blocks)


def _descendants(context: HoverContext, id: DeclarationId) -> list[Block]:
    """What a value of an abstract record may be, in program order."""
    found = shapes(context.db, id)
    if not found:
        return [note("Nothing extends it: no JSON form")]
    most = context.options.hover_max_members
    items = [_shape(context, shape) for shape in found[:most]]
    if len(found) > most:
        items.append((f"{len(found) - most} more",))
    return [heading(counted(len(found), "descendant").capitalize()), Bullets(items=tuple(items))]


def _shape(context: HoverContext, shape: RecordType | CaseType) -> tuple[Inline, ...]:
    if isinstance(shape, CaseType):
        place = queries.name_place(context.db, shape.union)
        parts = [context.linked(f"{declared_name(shape.union)}.{shape.case}", place)]
    else:
        place = queries.name_place(context.db, shape.declaration)
        parts = [context.named(shape.declaration)]
    return (*parts, " in ", Code(place.module))


def _output_schema(context: HoverContext, id: DeclarationId) -> list[Block]:
    output = derived_type(context.db, id, "output")
    if output is None or context.options.hover_schema in ("off", "link"):
        return []
    if output.schema is None:
        reasons = site_diagnostics(context.db, output.sites)
        items = tuple(message_parts(each.message) for each in reasons)
        return [heading("Output schema"), note("No JSON form"), Bullets(items=items)]
    blocks: list[Block] = [heading("Output schema"), *short_schema(context, output.schema)]
    given = derived_type(context.db, id, "input")
    unnamed = given is not None and given.schema is not None and not _names_itself(given.schema, id)
    if unnamed and _names_itself(output.schema, id):
        blocks.append(note("as an argument: without ", Code("$type")))
    return blocks


def _names_itself(document: Schema, id: DeclarationId) -> bool:
    """Whether the record's own entry in a document has ``$type``."""
    key = str(document.get("$ref", "")).removeprefix("#/$defs/")
    entry = document.get("$defs", {}).get(key, document)
    return "$type" in entry.get("properties", {})


def _update(context: HoverContext, id: DeclarationId, target: DeclarationId) -> list[Block]:
    fields = queries.effective_fields(context.db, target)
    lines = (
        f"{member.name}?:{spell_type(member.type)}" for member in fields if member.type is not None
    )
    text = _listing(f"type {declared_name(id)}", lines)
    about = line("Changes to a ", context.named(target), ": every field may be left out")
    head = context.language(context.limited(text, "field"))
    return [*head, about, *_output_schema(context, id)]


def _property_union(context: HoverContext, id: DeclarationId, target: DeclarationId) -> list[Block]:
    names = queries.case_names(context.db, id)
    text = "\n".join([f"type {declared_name(id)} =", *(f"  | {name}" for name in names)])
    about = line("The names of the fields of ", context.named(target))
    head = context.language(context.limited(text, "field"))
    return [*head, about, *_on_the_wire(context, id)]


def _listing(head: str, lines: Iterable[str]) -> str:
    members = [f"  {one}" for one in lines]
    return "\n".join([f"{head} = {{", *members, "}"]) if members else f"{head} = {{}}"


def _spelled(member: Member) -> str:
    return spell_property(member.node)


# ---------------------------------------------------------------- unions, aliases


def _union(context: HoverContext, union: UnionDeclaration) -> list[Block]:
    text = spell_declaration(union.node)
    blocks = context.language(context.limited(text, "case"), *_documented(context, union.id))
    blocks += _inherited(context, queries.base_fields(context.db, union.id))
    return [*blocks, *_on_the_wire(context, union.id)]


def _on_the_wire(context: HoverContext, union: DeclarationId) -> list[Block]:
    names = queries.case_names(context.db, union)
    parts: list[Inline] = []
    most = context.options.hover_max_members
    for number, name in enumerate(names[:most]):
        parts += [", "] if number else []
        parts += wire_value(context, union, name)
    if len(names) > most:
        parts.append(f" and {len(names) - most} more")
    return [line("On the wire: ", *parts)] if parts else []


def wire_value(context: HoverContext, union: DeclarationId, case: str) -> list[Inline]:
    """``"active"``, or ``$type`` ``"Shape.circle"`` for a case with a payload."""
    if queries.is_constant_case(context.db, union, case):
        return [Code(f'"{case}"')]
    return [Code("$type"), " ", Code(f'"{declared_name(union)}.{case}"')]


def case_blocks(context: HoverContext, union: DeclarationId, case: str) -> list[Block]:
    """The hover of a union case, or of a case of ``X.Property``."""
    db = context.db
    declaration = queries.declaration(db, union)
    name = declared_name(union)
    text = case
    if isinstance(declaration, UnionDeclaration):
        text = next((spell_case(c.node) for c in declaration.cases if c.name == case), case)
    blocks = context.language(Fence(text=f"(case) {name}.{text}"))
    documentation = queries.case_documentation(db, union, case)
    blocks += context.documentation(documentation, CaseTarget(union, case), union)
    blocks += _inherited(context, queries.base_fields(db, union))
    return [*blocks, line("On the wire: ", *wire_value(context, union, case))]


def _alias(context: HoverContext, alias: AliasDeclaration) -> list[Block]:
    blocks: list[Block] = [Fence(text=spell_declaration(alias.node))]
    blocks += _documented(context, alias.id)
    meant = alias_type(context.db, alias.id)
    shown = display(meant)
    if not holds_unknown(meant) and shown != spell_type(alias.node.type):
        blocks.append(line("Stands for ", Code(shown)))
    return context.language(*blocks)


# ---------------------------------------------------------------- components, values, modules


def _component(context: HoverContext, component: ComponentDeclaration) -> list[Block]:
    text = spell_signature(component.node)
    blocks: list[Block] = [context.limited(text), *_documented(context, component.id)]
    properties = queries.effective_properties(context.db, component.id)
    blocks += _inherited(context, [m for m in properties if m.owner != component.id])
    if component.state:
        blocks.append(note("State"))
        text = "\n".join(spell_property(member.node) for member in component.state)
        blocks.append(Fence(text=text))
    return context.language(*blocks)


def _value(context: HoverContext, value: ValueDeclaration) -> list[Block]:
    found = None if value.node.type is not None else value_type(context.db, value.id)
    known = found is not None and not holds_unknown(found)
    result = display(found) if found is not None and known else None
    blocks: list[Block] = [Fence(text=spell_declaration(value.node, result=result))]
    if result is not None:
        blocks.append(note("type inferred"))
    return context.language(*blocks, *_documented(context, value.id))


def emit_blocks(context: HoverContext, emit: Emit) -> list[Block]:
    """The hover of a handler property: the action that it handles."""
    text = emit_documentation(context, emit)
    about = line("Handles ", Code(emit.name), " of ", context.named(emit.owner))
    action = [] if emit.action is None else declaration_blocks(context, emit.action)
    return [about, *context.documentation(text, emit.owner), *action]


def emit_documentation(context: HoverContext, emit: Emit) -> str | None:
    """What is written about an entry of ``emits`` that names an action declared elsewhere; an
    inline one is documented as a declaration."""
    if isinstance(emit.node, tree.EmitDefinition):
        return None
    return queries.emit_documentation(context.db, emit.owner, emit.node)


def modules_blocks(context: HoverContext, meant: ModulesMeant) -> list[Block]:
    """The hover of an import path: identity, file, exported names, count of tools."""
    db = context.db
    is_library = meant.modules != (meant.name,)
    kind = "Library" if is_library else "Module"
    parts: list[Inline] = [Strong(kind), " ", Code(meant.name)]
    if is_library:
        parts.append(f" · {counted(len(meant.modules), 'module')}")
    module = None if is_library else db.module(meant.name)
    if module is not None and module.path is not None:
        start = Place(meant.name, None, 0, 0)
        parts += [" · ", context.linked(module.path.name, start)]
    tools = {offer.function for each in meant.modules for offer in offers_in(db, each)}
    if tools:
        parts.append(f" · {counted(len(tools), 'tool')}")
    blocks: list[Block] = [line(*parts)]
    exported = [
        declared.id
        for each in meant.modules
        for declared in queries.declared_names(db, each)
        if declared.visibility == "export" and not declared.repeated
    ]
    if exported:
        blocks.append(line("Exports ", *context.list_of_names(exported)))
    else:
        blocks.append(line("Exports nothing"))
    return blocks
