"""Paren calls and the four intrinsics (semantics 3.10, 4.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nx_lsp.program import queries
from nx_lsp.program.declarations import DeclarationId, RecordDeclaration
from nx_lsp.syntax import tree
from nx_lsp.types import names
from nx_lsp.types.environment import Binding, Environment
from nx_lsp.types.members import target_of, update_of
from nx_lsp.types.model import (
    ERROR,
    FunctionType,
    Occurrence,
    RecordType,
    Type,
    UnionType,
)
from nx_lsp.types.relations import is_error, same_item

if TYPE_CHECKING:
    from nx_lsp.types.inference import Inference

INTRINSIC_ARITY = {"apply": 2, "merge": 2, "diff": 2, "changed": 1}


def infer_call(
    inference: Inference, node: tree.Call, env: Environment, expected: Type | None
) -> Type:
    """``f(a, …)``: the result of ``f``. An intrinsic's name is never looked up."""
    callee = node.callee
    if isinstance(callee, tree.Identifier) and callee.name in names.INTRINSICS:
        arguments = [inference.infer(each, env) for each in node.arguments]
        inference.bind(callee, Binding("intrinsic", callee.name))
        return _intrinsic(inference, callee.name, arguments)
    called = inference.infer(callee, env)
    for each in node.arguments:
        inference.infer(each, env)
    if called.occurrence is not Occurrence.ONE or not isinstance(called.item, FunctionType):
        return ERROR
    return called.item.result


def _intrinsic(inference: Inference, name: str, arguments: list[Type]) -> Type:
    if len(arguments) != INTRINSIC_ARITY[name]:
        return ERROR
    items = [each.item for each in arguments]
    if any(is_error(item) for item in items):
        return ERROR
    if any(each.occurrence is not Occurrence.ONE for each in arguments):
        return ERROR
    db = inference.db
    first, last = items[0], items[-1]
    target = target_of(db, last)
    match name:
        case "apply":
            return Type(first) if target is not None and same_item(first, target) else ERROR
        case "merge":
            return Type(first) if target is not None and same_item(first, last) else ERROR
        case "changed":
            return ERROR if target is None else _changed(target)
        case _:
            return _diff(inference, first, last)


def _diff(inference: Inference, first: object, last: object) -> Type:
    """``diff(a, b)``: both exactly one concrete ``X``."""
    if not isinstance(first, RecordType) or not isinstance(last, RecordType):
        return ERROR
    declaration = queries.declaration(inference.db, first.declaration)
    abstract = isinstance(declaration, RecordDeclaration) and declaration.abstract
    update = update_of(inference.db, first)
    if abstract or update is None or not same_item(first, last):
        return ERROR
    return Type(update)


def _changed(target: RecordType) -> Type:
    """The names of the fields an update record mentions."""
    id = target.declaration
    union = UnionType(DeclarationId(id.module, f"{id.name}.Property"))
    return Type(union, Occurrence.MANY)
