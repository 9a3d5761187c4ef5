"""Rules of ``emits`` and ``state`` (semantics 3.9; codes: 5.3, decision 12)."""

from __future__ import annotations

from collections.abc import Iterator

from nx_lsp.program.base_rules import CODE, check_base
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import (
    ComponentDeclaration,
    DeclarationId,
    Diagnostic,
    Label,
    Member,
    RecordDeclaration,
)
from nx_lsp.program.declared import PROPERTY, STATE, UPDATE, declaration
from nx_lsp.program.inheritance import base
from nx_lsp.program.members import (
    Emit,
    effective_emits,
    effective_properties,
    effective_type_parameters,
    own_emits,
)
from nx_lsp.program.near_names import nearest_name
from nx_lsp.program.places import place
from nx_lsp.program.scopes import incomplete, lookup_type, visible_type_names
from nx_lsp.syntax import tree


def check_component(db: ProgramDatabase, found: ComponentDeclaration) -> Iterator[Diagnostic]:
    """What is wrong with the emitted actions and the state of a component."""
    emits = own_emits(db, found.id)
    for emit in emits:
        if isinstance(emit.node, tree.EmitDefinition):
            yield from _check_definition(db, found, emit, emit.node)
        else:
            yield from _check_reference(db, emit, emit.node)
    yield from _check_handlers(db, found, emits)
    yield from _check_state(db, found)


# ---------------------------------------------------------------- entries


def _check_reference(
    db: ProgramDatabase, emit: Emit, node: tree.EmitReference
) -> Iterator[Diagnostic]:
    if emit.action is not None:
        return
    module, written = emit.owner.module, node.name.text
    where = Label(place(db, emit.owner, node), primary=True)
    if lookup_type(db, module, written) is not None:
        message = f"`{written}` is no action, so it cannot be emitted"
        yield Diagnostic("error", CODE, message, (where,))
        return
    if incomplete(db, module).may_bind(written):
        return
    near = nearest_name(written, visible_type_names(db, module))
    yield Diagnostic(
        "error",
        CODE,
        f"The emitted action `{written}` is not declared",
        (where,),
        f"Did you mean `{near}`?"
        if near
        else f"Declare it, or define it here: `{written} {{ … }}`.",
    )


def _check_definition(
    db: ProgramDatabase, found: ComponentDeclaration, emit: Emit, node: tree.EmitDefinition
) -> Iterator[Diagnostic]:
    reserved = {UPDATE, PROPERTY} | ({STATE} if found.state is not None else set())
    component = found.node.name.text
    if emit.name in reserved:
        taken = f"`{component}.{emit.name}` is what NX derives from the component's state"
        yield Diagnostic(
            "error",
            CODE,
            f"An emitted action cannot be called `{emit.name}`: {taken}",
            (Label(place(db, found.id, node.name), primary=True),),
            "Give the action another name.",
        )
    parameters = {name: owner for owner, name in effective_type_parameters(db, found.id)}
    for field in node.fields if parameters else ():
        for part in tree.walk(field):
            if isinstance(part, tree.NamedType) and part.name.text in parameters:
                yield Diagnostic(
                    "error",
                    CODE,
                    f"The payload of `{emit.name}` cannot use the type parameter "
                    f"`{part.name.text}` of the component",
                    (Label(place(db, found.id, part), primary=True),),
                    "The action is a declaration of its own, without type parameters.",
                )
    assert emit.action is not None
    action = declaration(db, emit.action)
    if isinstance(action, RecordDeclaration) and action.node is node:
        yield from check_base(db, action)


# ---------------------------------------------------------------- handlers


def _check_handlers(
    db: ProgramDatabase, found: ComponentDeclaration, emits: tuple[Emit, ...]
) -> Iterator[Diagnostic]:
    """Each emitted action needs a handler name of its own, inherited names and properties
    included."""
    target = base(db, found.id)
    taken = {emit.name: emit for emit in effective_emits(db, target)} if target else {}
    for emit in emits:
        earlier = taken.setdefault(emit.name, emit)
        if earlier is emit:
            continue
        where = Label(place(db, emit.owner, emit.node), primary=True)
        if earlier.owner == emit.owner:
            message = f"Two emitted actions would be handled by `{emit.handler}`"
            label = Label(place(db, earlier.owner, earlier.node), "the first one")
        else:
            owner = earlier.owner.name
            message = f"`{emit.name}` is already emitted by the base `{owner}`"
            label = Label(place(db, earlier.owner, earlier.node), "inherited from here")
        yield Diagnostic(
            "error", CODE, message, (where, label), "Remove it or give it another name."
        )
    by_handler = {emit.handler: emit for emit in taken.values()}
    for member in effective_properties(db, found.id):
        handled = by_handler.get(member.name)
        if handled is not None and found.id in (member.owner, handled.owner):
            yield _handler_taken(db, found.id, member, handled)


def _handler_taken(
    db: ProgramDatabase, component: DeclarationId, member: Member, emit: Emit
) -> Diagnostic:
    at_property = Label(place(db, member.owner, member.node), primary=member.owner == component)
    at_emit = Label(place(db, emit.owner, emit.node), primary=member.owner != component)
    if at_property.primary:
        labels = (at_property, Label(at_emit.place, "the emitted action"))
    else:
        labels = (at_emit, Label(at_property.place, "the property"))
    return Diagnostic(
        "error",
        CODE,
        f"`{member.name}` is both a property and the handler of the emitted action `{emit.name}`",
        labels,
        "Give one of them another name.",
    )


# ---------------------------------------------------------------- state


def _check_state(db: ProgramDatabase, found: ComponentDeclaration) -> Iterator[Diagnostic]:
    """State fields and properties are bound side by side, so a name can be only one of them."""
    properties = {member.name: member for member in effective_properties(db, found.id)}
    for member in found.state or ():
        earlier = properties.get(member.name)
        if earlier is None:
            continue
        inherited = earlier.owner != found.id
        message = f"The component already has a property `{member.name}`"
        if inherited:
            message += f", inherited from `{earlier.owner.name}`"
        yield Diagnostic(
            "error",
            CODE if inherited else "duplicate-member",
            message,
            (
                Label(place(db, member.owner, member.node), primary=True),
                Label(place(db, earlier.owner, earlier.node), "the property"),
            ),
            "Give the state field another name.",
        )
