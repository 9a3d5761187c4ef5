"""Elements of every meaning: calls, components, records, cases, markup (semantics 4.8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from nx_lsp.program import queries
from nx_lsp.program.declarations import (
    ComponentDeclaration,
    DeclarationId,
    FunctionDeclaration,
    Label,
    Member,
    RecordDeclaration,
    StateDeclaration,
    UpdateDeclaration,
)
from nx_lsp.syntax import tree
from nx_lsp.types import names
from nx_lsp.types.display import display
from nx_lsp.types.environment import Binding, Environment
from nx_lsp.types.meanings import Meaning, Slot
from nx_lsp.types.model import (
    ERROR,
    CaseType,
    ComponentType,
    FunctionReferenceType,
    FunctionType,
    MarkupType,
    Occurrence,
    RecordType,
    Type,
    TypeParameterType,
)
from nx_lsp.types.property_lists import judge_element
from nx_lsp.types.resolution import (
    BARE_COMPANIONS,
    component_companion,
    member_read_type,
    parameter_names,
    type_of_name,
)
from nx_lsp.types.type_arguments import names_of, type_arguments, unbound

if TYPE_CHECKING:
    from nx_lsp.types.inference import Inference


def infer_element(
    inference: Inference, node: tree.Element, env: Environment, expected: Type | None
) -> Type:
    """An element's type; its properties and body are inferred on the way."""
    meaning = meaning_of(inference, node, env)
    if meaning.binding is not None:
        inference.bind(node.tag, meaning.binding)
        if node.closing is not None:
            inference.bind(node.closing, meaning.binding)
    judge_element(inference, node, env, meaning)
    return meaning.type


# ---------------------------------------------------------------- what a tag means


def meaning_of(inference: Inference, node: tree.Element, env: Environment) -> Meaning:
    """The meaning of an element's tag, in the order of semantics 4.8."""
    name = node.tag.text
    if inference.scope.component is not None and name in BARE_COMPANIONS:
        companion = component_companion(inference.db, inference.scope.component, name)
        if companion is not None:
            return _declared(inference, node, companion) or Meaning(ERROR)
    for found in (
        _function_value(inference, node, name, env),
        _named(inference, node, name),
        _case(inference, node),
    ):
        if found is not None:
            return found
    if name == "Update" or name.endswith(".Update"):
        _unknown_update(inference, node, name)
        return Meaning(ERROR)
    return Meaning(Type(MarkupType(name)))


def _unknown_update(inference: Inference, node: tree.Element, name: str) -> None:
    """A tag ``….Update`` that means nothing is never a host element (semantics 2.8)."""
    component = inference.scope.component
    owner = name.rpartition(".")[0]
    if not owner and component is None:
        inference.find(
            "bare-update-outside-component",
            "A bare `Update` is the update record of the component around it, "
            "and there is no component here",
            node,
            "Write the name before it: `<Plan.Update … />`.",
        )
        return
    if not owner:
        message = f"`{component.name if component else ''}` has no `state`, so it has no `Update`"
    elif type_of_name(inference.db, inference.scope, owner) is None:
        message = f"There is no `{owner}` that `{name}` could be the update record of"
    else:
        message = f"`{owner}` has no update record"
    inference.find(
        "unknown-update-record",
        message,
        node,
        "A record, an action and a component with `state` have one.",
        name=owner or None,
    )


def _function_value(
    inference: Inference, node: tree.Element, name: str, env: Environment
) -> Meaning | None:
    """A value in scope whose type is a function; a declared function under its own name is
    taken by ``_named``."""
    local = env.locals.get(name)
    if local is not None:
        type = env.narrowed.get((local, ()), local.type)
        binding = Binding(local.kind, name, type, member=local.member, node=local.node)
    else:
        value = inference.top_level(name)
        declaration = None if value is None else queries.declaration(inference.db, value)
        if value is None or isinstance(declaration, FunctionDeclaration):
            return None
        type = env.narrowed.get((value, ()), names.value_of(inference, value))
        binding = Binding("declaration", value.name, type, declaration=value)
    if type.occurrence is not Occurrence.ONE:
        return None
    match type.item:
        case FunctionReferenceType():
            inference.find(
                "function-reference-not-callable",
                f"`{name}` cannot be called: it is a `{display(type)}`, "
                "and its parameters are not known",
                node,
            )
            return Meaning(ERROR, {}, binding, judged=False)
        case FunctionType(parameters, result):
            slots = {
                each.name: Slot(
                    Binding("member", each.name, each.read_type),
                    each.read_type,
                    required=not each.read_type.occurrence.zero,
                    content=each.content,
                )
                for each in parameters
            }
            return Meaning(result, slots, binding, "function value")
    return None


def _named(inference: Inference, node: tree.Element, name: str) -> Meaning | None:
    found = queries.lookup_element(inference.db, inference.module, name)
    return None if found is None else _declared(inference, node, found)


def _declared(inference: Inference, node: tree.Element, id: DeclarationId) -> Meaning | None:
    db = inference.db
    match queries.declaration(db, id):
        case FunctionDeclaration(parameters=parameters):
            result = inference.known.function_result(id)
            binding = Binding("declaration", id.name, names.value_of(inference, id), declaration=id)
            slots = _member_slots(parameters, {m: member_read_type(db, m) for m in parameters})
            return Meaning(result, slots, binding, "function", id)
        case ComponentDeclaration(node=component):
            return _component(inference, node, id, component.abstract)
        case RecordDeclaration() | UpdateDeclaration() | StateDeclaration():
            return _record(inference, node, id)
    return None


def _member_slots(
    members: Iterable[Member], types: Mapping[Member, Type], omissible: bool = False
) -> dict[str, Slot]:
    return {
        each.name: Slot(
            Binding("member", each.name, types[each], member=each),
            types[each],
            # a slot whose type admits zero counts as marked (semantics 3.3)
            required=not (omissible or types[each].occurrence.zero or each.default is not None),
            content=each.content,
        )
        for each in members
    }


def _component(
    inference: Inference, node: tree.Element, id: DeclarationId, abstract: bool
) -> Meaning:
    """A component: its properties with the type arguments given, and its handlers."""
    db = inference.db
    arguments = type_arguments(inference, node, id)
    slots = arguments.slots
    properties = queries.effective_properties(db, id)
    given = tuple(arguments.checked.items())
    members = _member_slots(properties, {m: member_read_type(db, m, given) for m in properties})
    slots.update(_without_arguments(inference, id, members, arguments.missing))
    unknown: set[str] = set()
    for emit in queries.effective_emits(db, id):
        if emit.action is None:
            unknown.add(emit.handler)
        elif emit.handler not in slots:
            action = Type(RecordType(emit.action))
            binding = Binding("handler", emit.handler, action, declaration=emit.action)
            slots[emit.handler] = Slot(binding, action=action)
    if abstract:
        _abstract(inference, node, id, "component")
    return Meaning(
        Type(ComponentType(id)),
        slots,
        Binding("declaration", id.name, declaration=id),
        "component",
        id,
        judged=not abstract,
        unknown=frozenset(unknown),
        colliding=queries.colliding_handlers(db, id),
        open=queries.has_unknown_base(db, id),
    )


def _without_arguments(
    inference: Inference, id: DeclarationId, slots: dict[str, Slot], missing: tuple[str, ...]
) -> dict[str, Slot]:
    """The slots of a component some of whose type parameters have no argument."""
    if not missing:
        return slots
    owners = queries.effective_type_parameters(inference.db, id)
    parameters = tuple(TypeParameterType(owner, name) for owner, name in owners if name in missing)
    found: dict[str, Slot] = {}
    for name, slot in slots.items():
        named = names_of(slot.read_type, parameters) if slot.read_type is not None else ()
        if named and slot.read_type is not None:
            slot = replace(slot, read_type=unbound(slot.read_type, parameters), unbound=named)
        found[name] = slot
    return found


def _abstract(inference: Inference, node: tree.Element, id: DeclarationId, kind: str) -> None:
    """Report an element of an abstract record or component."""
    name = node.tag.text
    inference.find(
        f"abstract-{kind}-instantiation",
        f"`{name}` is abstract: there are only values of what extends it",
        node,
        f"Write the name of a {kind} that extends `{name}`.",
        also=(Label(queries.name_place(inference.db, id), f"`{name}` is declared here"),),
    )


def _record(inference: Inference, node: tree.Element, id: DeclarationId) -> Meaning:
    """A record, action or update record with the type arguments it is constructed with."""
    db = inference.db
    arguments = type_arguments(inference, node, id)
    slots, given = arguments.slots, arguments.given
    wanted = parameter_names(db, id)
    if arguments.missing:
        name = node.tag.text
        inference.find(
            "type-parameter-not-specified",
            f"`{name}` is generic: "
            f"{', '.join(f'`{each}`' for each in arguments.missing)} must be given",
            node,
            f"Write `<{name} {' '.join(f'{each}=…' for each in arguments.missing)} … />`.",
        )
    complete = all(name in given for name in wanted)
    item = RecordType(id, tuple((name, given[name]) for name in wanted) if complete else ())
    fields = queries.effective_fields(db, id)
    declaration = queries.declaration(db, id)
    is_update = isinstance(declaration, UpdateDeclaration)
    # a written value of an update record is checked against the field's read type in the target
    checked = arguments.checked
    bound = tuple((name, checked.get(name, ERROR.item)) for name in wanted)
    types = {each: member_read_type(db, each, bound) for each in fields}
    slots.update(_member_slots(fields, types, omissible=is_update))
    abstract = isinstance(declaration, RecordDeclaration) and declaration.abstract
    if abstract:
        _abstract(inference, node, id, "record")
    binding = Binding("declaration", id.name, declaration=id)
    return Meaning(
        Type(item),
        slots,
        binding,
        "record",
        id,
        judged=not abstract,
        open=queries.has_unknown_members(db, id),
    )


def _case(inference: Inference, node: tree.Element) -> Meaning | None:
    """``<Union.case … />``. An unknown case of a union is an error, not markup."""
    *before, last = [part.text for part in node.tag.parts]
    union = names.union_named(inference, ".".join(before)) if before else None
    if union is None:
        return None
    db = inference.db
    if last not in queries.case_names(db, union):
        names.undefined_case(inference, node, union, last)
        return Meaning(ERROR, {}, judged=False)
    fields = queries.case_fields(db, union, last)
    slots = _member_slots(fields, {each: member_read_type(db, each) for each in fields})
    type = Type(CaseType(union, last))
    binding = Binding("case", last, type, declaration=union)
    is_open = queries.has_unknown_base(db, union)
    return Meaning(type, slots, binding, "case", union, open=is_open)
