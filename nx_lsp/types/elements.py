"""Elements of every meaning: calls, components, records, cases, markup (semantics 4.8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nx_lsp.program import queries
from nx_lsp.program.declarations import (
    ComponentDeclaration,
    DeclarationId,
    FunctionDeclaration,
    Member,
    RecordDeclaration,
    StateDeclaration,
    UpdateDeclaration,
)
from nx_lsp.syntax import tree
from nx_lsp.types import control, names
from nx_lsp.types.environment import Binding, Environment, Local
from nx_lsp.types.members import bound_arguments, read_type
from nx_lsp.types.model import (
    ERROR,
    CaseType,
    ComponentType,
    FunctionReferenceType,
    FunctionType,
    ItemType,
    MarkupType,
    Occurrence,
    RecordType,
    Type,
    UnresolvedType,
)
from nx_lsp.types.resolution import (
    BARE_COMPANIONS,
    component_companion,
    member_read_type,
    parameter_names,
    type_of_name,
)

if TYPE_CHECKING:
    from nx_lsp.types.inference import Inference


@dataclass(frozen=True, slots=True)
class Slot:
    """What a property of an element binds. ``read_type`` is the type its value is checked
    against; ``action`` is what a handler's value sees under that name."""

    binding: Binding
    read_type: Type | None = None
    action: Type | None = None


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a tag means: the element's type, and the properties it takes by name. ``slots`` is
    ``None`` for markup, whose properties mean nothing."""

    type: Type
    slots: Mapping[str, Slot] | None = None
    binding: Binding | None = None


def infer_element(
    inference: Inference, node: tree.Element, env: Environment, expected: Type | None
) -> Type:
    """An element's type; its properties and body are inferred on the way."""
    meaning = meaning_of(inference, node, env)
    if meaning.binding is not None:
        inference.bind(node.tag, meaning.binding)
        if node.closing is not None:
            inference.bind(node.closing, meaning.binding)
    _properties(inference, node.properties, env, meaning.slots or {})
    if node.body:
        inference.sequence(list(node.body), env)
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
        _function_value(inference, node.tag, name, env),
        _named(inference, node, name),
        _case(inference, node.tag),
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
    inference: Inference, tag: tree.DottedName, name: str, env: Environment
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
            return Meaning(ERROR, {}, binding)
        case FunctionType(parameters, result):
            slots = {
                each.name: Slot(Binding("member", each.name, each.read_type), each.read_type)
                for each in parameters
            }
            return Meaning(result, slots, binding)
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
            return Meaning(result, slots, binding)
        case ComponentDeclaration():
            return _component(inference, node, id)
        case RecordDeclaration() | UpdateDeclaration() | StateDeclaration():
            return _record(inference, node, id)
    return None


def _member_slots(members: Iterable[Member], types: Mapping[Member, Type]) -> dict[str, Slot]:
    return {
        each.name: Slot(Binding("member", each.name, types[each], member=each), types[each])
        for each in members
    }


def _component(inference: Inference, node: tree.Element, id: DeclarationId) -> Meaning:
    """A component: its properties with the type arguments given, and its handlers."""
    db = inference.db
    arguments, slots = _type_arguments(inference, node, id)
    properties = queries.effective_properties(db, id)
    given = tuple(arguments.items())
    slots.update(_member_slots(properties, {m: member_read_type(db, m, given) for m in properties}))
    for emit in queries.effective_emits(db, id):
        if emit.action is not None and emit.handler not in slots:
            action = Type(RecordType(emit.action))
            binding = Binding("handler", emit.handler, action, declaration=emit.action)
            slots[emit.handler] = Slot(binding, action=action)
    return Meaning(Type(ComponentType(id)), slots, Binding("declaration", id.name, declaration=id))


def _record(inference: Inference, node: tree.Element, id: DeclarationId) -> Meaning:
    """A record, action or update record with the type arguments it is constructed with."""
    db = inference.db
    arguments, slots = _type_arguments(inference, node, id)
    wanted = parameter_names(db, id)
    missing = [name for name in wanted if name not in arguments]
    if missing:
        inference.find(
            "type-parameter-not-specified",
            f"`{node.tag.text}` is generic: "
            f"{', '.join(f'`{name}`' for name in missing)} must be given",
            node,
            f"Write `<{node.tag.text} {' '.join(f'{name}=…' for name in missing)} … />`.",
        )
    complete = not missing
    item = RecordType(id, tuple((name, arguments[name]) for name in wanted) if complete else ())
    fields = queries.effective_fields(db, id)
    if isinstance(queries.declaration(db, id), UpdateDeclaration):
        # a written value is checked against the field's read type in the target
        given = bound_arguments(db, item)
        types = {each: member_read_type(db, each, given) for each in fields}
    else:
        types = {each: read_type(db, item, each) for each in fields}
    slots.update(_member_slots(fields, types))
    return Meaning(Type(item), slots, Binding("declaration", id.name, declaration=id))


def _type_arguments(
    inference: Inference, node: tree.Element, id: DeclarationId
) -> tuple[dict[str, ItemType], dict[str, Slot]]:
    """Arguments written as properties: a bare type name each (semantics 3.11)."""
    wanted = parameter_names(inference.db, id)
    slots = {name: Slot(Binding("type parameter", name, declaration=id)) for name in wanted}
    given: dict[str, ItemType] = {}
    if not wanted:
        return given, slots
    for entry in node.properties:
        if not isinstance(entry, tree.Property):
            _conditional_arguments(inference, entry, wanted)
        elif entry.name.text in wanted:
            item = _type_argument(inference, entry)
            given.setdefault(entry.name.text, item)
    return given, slots


def _type_argument(inference: Inference, entry: tree.Property) -> ItemType:
    """What one argument means; reports one that is no bare name of an item type."""
    value, name = entry.value, entry.name.text
    if not isinstance(value, tree.ContextualName):
        if not isinstance(value, tree.MissingExpression):
            inference.find(
                "type-argument-not-a-type-name",
                f"`{name}` is a type parameter: its argument is the bare name of a type",
                entry,
                "Give a longer type a name with `type … = …` first.",
            )
        return ERROR.item
    meant = type_of_name(inference.db, inference.scope, value.name)
    if meant is None:
        message = f"There is no type `{value.name}` for `{name}` here"
        inference.find("unresolved-type-argument", message, entry, name=value.name)
        return UnresolvedType(value.name)
    suffix = value.suffixes or meant.occurrence.suffix
    if suffix:
        inference.find(
            "occurrence-type-argument",
            f"The type argument `{name}` must be one item type, but `{value.name}` "
            f"carries `{suffix}`",
            entry,
            "Put the suffix on the members that use the parameter.",
        )
    return meant.item


def _conditional_arguments(inference: Inference, node: tree.Node, wanted: tuple[str, ...]) -> None:
    """A type argument cannot depend on a condition."""
    for entry in tree.walk(node):
        if isinstance(entry, tree.Property) and entry.name.text in wanted:
            inference.find(
                "conditional-type-argument",
                f"The type argument `{entry.name.text}` cannot depend on a condition",
                entry,
                "Write it outside the `if`.",
            )


def _case(inference: Inference, tag: tree.DottedName) -> Meaning | None:
    """``<Union.case … />``. An unknown case of a union is an error, not markup."""
    *before, last = [part.text for part in tag.parts]
    union = names.union_named(inference, ".".join(before)) if before else None
    if union is None:
        return None
    db = inference.db
    if last not in queries.case_names(db, union):
        return Meaning(ERROR, {})
    fields = queries.case_fields(db, union, last)
    slots = _member_slots(fields, {each: member_read_type(db, each) for each in fields})
    type = Type(CaseType(union, last))
    return Meaning(type, slots, Binding("case", last, type, declaration=union))


# ---------------------------------------------------------------- properties


def _properties(
    inference: Inference,
    entries: Iterable[tree.PropertyEntry],
    env: Environment,
    slots: Mapping[str, Slot],
) -> None:
    """Infer the values of a property list, conditional fragments included."""
    for entry in entries:
        if isinstance(entry, tree.Property):
            _property(inference, entry, env, slots)
            continue
        for branch, known in control.branches(inference, entry, env).each:
            if isinstance(branch, tree.PropertyBlock):
                _properties(inference, branch.items, known, slots)


def _property(
    inference: Inference, entry: tree.Property, env: Environment, slots: Mapping[str, Slot]
) -> None:
    slot = slots.get(entry.name.text)
    if slot is None:
        inference.infer(entry.value, env)
        return
    inference.bind(entry.name, slot.binding)
    if slot.binding.kind == "type parameter" and isinstance(entry.value, tree.ContextualName):
        return  # a type, not a value
    if slot.action is not None:
        env = env.bind(Local("action", "action", slot.action))
    inference.infer(entry.value, env, slot.read_type)
