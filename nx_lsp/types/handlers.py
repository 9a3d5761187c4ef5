"""What the value of a handler may be (semantics 3.9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from nx_lsp.program import queries
from nx_lsp.program.declarations import (
    DeclarationId,
    RecordDeclaration,
    StateDeclaration,
    UpdateDeclaration,
)
from nx_lsp.syntax import tree
from nx_lsp.types.display import display, display_item, list_names
from nx_lsp.types.grouping import unwrapped
from nx_lsp.types.model import ERROR, NeverType, RecordType, Type
from nx_lsp.types.relations import is_error

if TYPE_CHECKING:
    from nx_lsp.types.inference import Inference


def check(inference: Inference, value: tree.Expression) -> None:
    """Report results of a handler that are no action or update record, or none that fits the
    component around it. The value has been inferred."""
    sound = True
    for result in results(value):
        sound = _check_result(inference, result) and sound
    type = inference.types.get(value, ERROR)
    if sound and not is_error(type.item) and type.occurrence.zero:
        _empty(inference, unwrapped(value))


def results(node: tree.Node) -> Iterator[tree.Node]:
    """Each branch, each item: the expressions that a value comes from, empty ones left out."""
    node = unwrapped(node)
    match node:
        case tree.Braced(items=items) | tree.BodyBlock(items=items):
            inner: list[tree.Node | None] = list(items)
        case tree.If(then=then, otherwise=otherwise):
            inner = [then, otherwise]
        case tree.Match(arms=arms, otherwise=otherwise):
            inner = [*(arm.body for arm in arms), otherwise]
        case tree.ConditionList(arms=conditions, otherwise=otherwise):
            inner = [*(arm.body for arm in conditions), otherwise]
        case tree.For(body=body):
            inner = [body]
        case _:
            yield node
            return
    for each in inner:
        if each is not None:
            yield from results(each)


def _empty(inference: Inference, node: tree.Node) -> None:
    inference.find(
        "handler-result-empty",
        "A handler results in at least one action or update record, and this may be empty",
        node,
        "Give a result for every case.",
    )


def _check_result(inference: Inference, node: tree.Node) -> bool:
    """Judge one result; whether it is sound."""
    type = inference.types.get(node, ERROR)
    if is_error(type.item) or isinstance(type.item, NeverType):
        return True
    declaration = (
        queries.declaration(inference.db, type.item.declaration)
        if isinstance(type.item, RecordType)
        else None
    )
    component = inference.scope.component
    if isinstance(declaration, UpdateDeclaration):
        if component is None or _updates(inference, declaration, component):
            return True
        _wrong_target(inference, node, type, component)
        return False
    if isinstance(declaration, RecordDeclaration) and declaration.is_action:
        if component is None or _emits(inference, declaration.id, component):
            return True
        _not_emitted(inference, node, type, component)
        return False
    inference.find(
        "handler-result-not-action",
        f"A handler results in actions or update records, but this is `{display(type)}`",
        node,
    )
    return False


def _updates(inference: Inference, update: UpdateDeclaration, component: DeclarationId) -> bool:
    state = queries.declaration(inference.db, update.target)
    return isinstance(state, StateDeclaration) and state.component == component


def _wrong_target(
    inference: Inference, node: tree.Node, type: Type, component: DeclarationId
) -> None:
    inference.find(
        "handler-update-wrong-target",
        f"Inside `{component.name}` only its own state can be updated, "
        f"and this is `{display_item(type.item)}`",
        node,
        f"Write `<Update … />` for the state of `{component.name}`.",
    )


def _emits(inference: Inference, action: DeclarationId, component: DeclarationId) -> bool:
    return any(emit.action == action for emit in queries.effective_emits(inference.db, component))


def _not_emitted(
    inference: Inference, node: tree.Node, type: Type, component: DeclarationId
) -> None:
    emits = queries.effective_emits(inference.db, component)
    unresolved = any(emit.action is None for emit in emits)
    if unresolved or queries.has_unknown_base(inference.db, component):
        return
    names = [each.action.name for each in emits if each.action is not None]
    inference.find(
        "handler-action-not-emitted",
        f"`{component.name}` does not emit `{display_item(type.item)}`",
        node,
        f"It emits {list_names(names)}." if names else "It emits no actions.",
    )
