"""Member access: fields, cases, imported prefixes (semantics 3.8, 3.10, 3.11, 4.7)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId, Member, UpdateDeclaration
from nx_lsp.syntax import tree
from nx_lsp.types import names, unknown_members
from nx_lsp.types.display import display
from nx_lsp.types.environment import Binding, Environment
from nx_lsp.types.model import (
    BOOLEAN,
    ERROR,
    CaseType,
    ErrorType,
    ItemType,
    Occurrence,
    RecordType,
    Type,
    UnionType,
)
from nx_lsp.types.narrowing import path_of
from nx_lsp.types.relations import is_error
from nx_lsp.types.resolution import (
    BARE_COMPANIONS,
    look_up_type,
    member_read_type,
    member_type,
    parameter_names,
    type_of_name,
)

if TYPE_CHECKING:
    from nx_lsp.types.inference import Inference


def infer_member(
    inference: Inference, node: tree.Member, env: Environment, expected: Type | None
) -> Type:
    """``e.m`` and ``e?.m``; also ``Union.case`` and a name under an import prefix."""
    static = _static(inference, node, env)
    if static is not None:
        return static
    if isinstance(node.receiver, tree.PresenceTest):
        return _of_presence_test(inference, node, node.receiver, env)
    receiver = inference.infer(node.receiver, env)
    if is_error(receiver.item) or not node.name.text:
        return ERROR
    if receiver.occurrence.many or (receiver.occurrence.zero and not node.optional):
        _unreadable(inference, node, receiver)
        return ERROR
    found = find_member(inference.db, receiver.item, node.name.text)
    if found is None:
        if not may_have_more(inference.db, receiver.item):
            unknown_members.report(inference, node, receiver.item)
        return ERROR
    if node.optional and not receiver.occurrence.zero:
        inference.find(
            "unnecessary-optional-step",
            f"`?.` is not needed: the value before it is `{display(receiver)}`, "
            "which is never empty",
            node,
            "Write `.`.",
            severity="warning",
        )
    member, type = found
    if receiver.occurrence is Occurrence.OPTIONAL:
        type = type.or_empty()
    path = path_of(inference, node, env)
    if path is not None and path in env.narrowed:
        type = env.narrowed[path]
    _bind_both(inference, node, Binding("member", member.name, type, member=member))
    return type


def _of_presence_test(
    inference: Inference, node: tree.Member, test: tree.PresenceTest, env: Environment
) -> Type:
    """``u? .name``: the test is a ``boolean`` and has no members."""
    operand = inference.infer(test.operand, env)
    inference.types[test] = BOOLEAN
    if not is_error(operand.item):
        inference.find(
            "member-access-on-presence-test",
            f"`?` tests whether the value is there, and the answer has no member "
            f"`{node.name.text}`",
            node,
            f"Write `?.{node.name.text}`, without a space, to read a member of what may be empty.",
        )
    return ERROR


def _unreadable(inference: Inference, node: tree.Member, receiver: Type) -> None:
    """Report a member of what may be empty or several."""
    name, shown = node.name.text, display(receiver)
    also = (inference.label(node.receiver, f"this is `{shown}`"),)
    if receiver.occurrence.many:
        inference.find(
            "member-access-on-sequence",
            f"`{name}` cannot be read from `{shown}`, which may hold several values",
            node,
            f"Take each of them: `for each in … {{ each.{name} }}`.",
            also=also,
        )
        return
    inference.find(
        "member-access-on-optional",
        f"`{name}` cannot be read from `{shown}`, which may be empty",
        node,
        f"Write `?.{name}`, or test the value with `?` before.",
        also=also,
    )


def _bind_both(inference: Inference, node: tree.Member, binding: Binding) -> None:
    inference.bind(node, binding)
    inference.bind(node.name, binding)


def dotted_names(node: tree.Node) -> list[str] | None:
    """The names of a chain of ``.`` that starts at a name; ``None`` for anything else."""
    names_read: list[str] = []
    while isinstance(node, tree.Member):
        if node.optional:
            return None
        names_read.append(node.name.text)
        node = node.receiver
    if not isinstance(node, tree.Identifier):
        return None
    names_read.append(node.name)
    return names_read[::-1]


def _static(inference: Inference, node: tree.Member, env: Environment) -> Type | None:
    """``Union.case`` or a prefixed top-level name; ``None`` if the receiver is a value."""
    dotted = dotted_names(node)
    if dotted is None:
        return None
    companion = inference.scope.component is not None and dotted[0] in BARE_COMPANIONS
    if not companion and (dotted[0] in env.locals or inference.top_level(dotted[0]) is not None):
        return None
    declared = inference.top_level(".".join(dotted))
    if declared is not None:
        type = names.refer_to_declaration(inference, node, declared, env)
        inference.bind(node.name, inference.bindings[node])
        return type
    *before, last = dotted
    union = names.union_named(inference, ".".join(before))
    if union is None:
        return _unknown_property_union(inference, node, before)
    named = look_up_type(inference.db, inference.scope, ".".join(before))
    shown = Binding("declaration", ".".join(before), declaration=named)
    inference.bind(node.receiver, shown)
    if isinstance(node.receiver, tree.Member):
        inference.bind(node.receiver.name, shown)
    found = names.case_value(inference, node, union, last)
    if found is None:
        if last:
            names.undefined_case(inference, node, union, last)
        return ERROR
    inference.bind(node.name, inference.bindings[node])
    return found


def _unknown_property_union(
    inference: Inference, node: tree.Member, before: list[str]
) -> Type | None:
    """A member of ``….Property`` that means nothing (semantics 2.8); ``None`` for others."""
    if before[-1] != "Property":
        return None
    component, owner = inference.scope.component, ".".join(before[:-1])
    if not owner and component is None:
        inference.find(
            "bare-property-outside-component",
            "A bare `Property` is the property union of the component around it, "
            "and there is no component here",
            node,
            "Write the name before it: `Plan.Property`.",
        )
        return ERROR
    if not owner:
        message = f"`{component.name if component else ''}` has no `state`, so it has no `Property`"
    elif type_of_name(inference.db, inference.scope, owner) is None:
        message = f"There is no `{owner}` that `{owner}.Property` could belong to"
    else:
        message = f"`{owner}` has no property union"
    inference.find(
        "unknown-property-union",
        message,
        node,
        "A record, an action and a component with `state` have one.",
        name=owner or None,
    )
    return ERROR


# ---------------------------------------------------------------- the members of a type


def find_member(db: ProgramDatabase, item: ItemType, name: str) -> tuple[Member, Type] | None:
    """The member ``name`` of exactly one value of type ``item``, with its read type (semantics
    4.7); ``None`` if it has none. A field of a generic record without arguments has the error
    type where its parameter stands (semantics 3.11)."""
    for member in members_of(db, item):
        if member.name == name:
            return member, read_type(db, item, member)
    return None


def members_of(db: ProgramDatabase, item: ItemType) -> tuple[Member, ...]:
    """The members that can be read from a value of the type, inherited ones first."""
    match item:
        case RecordType(declaration, _):
            return queries.effective_fields(db, declaration)
        case UnionType(declaration):
            return queries.base_fields(db, declaration)
        case CaseType(union, case):
            return queries.case_fields(db, union, case)
    return ()


def may_have_more(db: ProgramDatabase, item: ItemType) -> bool:
    """Whether a value of the type may have members that are not known, for want of its base."""
    match item:
        case RecordType(id, _) | UnionType(id) | CaseType(id, _):
            return queries.has_unknown_members(db, id)
    return False


def read_type(db: ProgramDatabase, item: ItemType, member: Member) -> Type:
    """What reading ``member`` of exactly one ``item`` gives. An update record's members may be
    absent, whatever their mark."""
    if not isinstance(item, RecordType):
        return member_read_type(db, member)
    arguments = bound_arguments(db, item)
    if isinstance(queries.declaration(db, item.declaration), UpdateDeclaration):
        return member_type(db, member, arguments).or_empty()
    return member_read_type(db, member, arguments)


def bound_arguments(db: ProgramDatabase, item: RecordType) -> tuple[tuple[str, ItemType], ...]:
    """A record's type arguments; the error type for each parameter that has none."""
    if item.arguments:
        return item.arguments
    return tuple((name, ErrorType()) for name in parameter_names(db, item.declaration))


def update_of(db: ProgramDatabase, record: RecordType) -> RecordType | None:
    """``X.Update`` with the arguments of ``X``."""
    id = DeclarationId(record.declaration.module, f"{record.declaration.name}.Update")
    if not isinstance(queries.declaration(db, id), UpdateDeclaration):
        return None
    return replace(record, declaration=id)


def target_of(db: ProgramDatabase, update: ItemType) -> RecordType | None:
    """``X`` with the arguments of an ``X.Update``; ``None`` for any other type."""
    if isinstance(update, RecordType):
        declaration = queries.declaration(db, update.declaration)
        if isinstance(declaration, UpdateDeclaration):
            return replace(update, declaration=declaration.target)
    return None
