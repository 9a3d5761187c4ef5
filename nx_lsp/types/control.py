"""Branches and loops, in values, bodies and property lists alike (semantics 4.3, 4.6).

``branches`` infers the conditions or patterns of a conditional and gives each branch with what is
known in it; who asks decides what a branch holds: a value to be joined, or properties.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Union

from nx_lsp.syntax import tree
from nx_lsp.types import mismatches, names, narrowing, patterns
from nx_lsp.types.display import display
from nx_lsp.types.environment import Binding, Environment, Local
from nx_lsp.types.model import (
    BOOLEAN,
    EMPTY,
    ERROR,
    INT,
    INTEGERS,
    Occurrence,
    RecordType,
    Type,
    VariableType,
)
from nx_lsp.types.operators import RANGE
from nx_lsp.types.relations import is_error, join, normal, numeric_base

if TYPE_CHECKING:
    from nx_lsp.types.inference import Inference

Conditional = Union[tree.If, tree.Match, tree.ConditionList]


@dataclass(frozen=True, slots=True)
class Branches:
    """The branches of a conditional in order, each with its environment; ``exhaustive`` if one
    of them is always taken (an ``else``, or a match over a union)."""

    each: tuple[tuple[tree.Branch, Environment], ...]
    exhaustive: bool
    decided: bool = True
    """False where a scrutinee of unknown type leaves it open whether all is covered."""


def branches(inference: Inference, node: Conditional, env: Environment) -> Branches:
    """Infer conditions, scrutinee and patterns; say what each branch knows."""
    if isinstance(node, tree.If):
        return _of_if(inference, node, env)
    if isinstance(node, tree.Match):
        return _of_match(inference, node, env)
    return _of_conditions(inference, node, env)


def _of_if(inference: Inference, node: tree.If, env: Environment) -> Branches:
    _condition(inference, node, node.condition, env)
    found = [(node.then, env.narrow(narrowing.when_true(inference, node.condition, env)))]
    if node.otherwise is not None:
        refuted = env.narrow(narrowing.when_false(inference, node.condition, env))
        found.append((node.otherwise, refuted))
    return Branches(tuple(found), node.otherwise is not None)


def _of_conditions(inference: Inference, node: tree.ConditionList, env: Environment) -> Branches:
    """Like nested ``if``s: a later arm knows that the earlier conditions were false."""
    found: list[tuple[tree.Branch, Environment]] = []
    for arm in node.arms:
        _condition(inference, node, arm.condition, env)
        known = env.narrow(narrowing.when_true(inference, arm.condition, env))
        found.append((arm.body, known))
        env = env.narrow(narrowing.when_false(inference, arm.condition, env))
    if node.otherwise is not None:
        found.append((node.otherwise, env))
    return Branches(tuple(found), node.otherwise is not None)


def _of_match(inference: Inference, node: tree.Match, env: Environment) -> Branches:
    scrutinee = inference.infer(node.scrutinee, env)
    union = names.union_of(scrutinee)
    coverage = patterns.Coverage(inference, node, scrutinee)
    found: list[tuple[tree.Branch, Environment]] = []
    later = env
    for arm in node.arms:
        values = [
            patterns.infer_pattern(inference, pattern, scrutinee, env) for pattern in arm.patterns
        ]
        coverage.arm(arm, values)
        facts = narrowing.in_arm(inference, node.scrutinee, arm.patterns, union, later)
        found.append((arm.body, later.narrow(facts)))
        if any(narrowing.is_empty_pattern(pattern) for pattern in arm.patterns):
            later = later.narrow(narrowing.after_empty_arm(inference, node.scrutinee, env))
    coverage.finish()
    if node.otherwise is not None:
        found.append((node.otherwise, later))
        return Branches(tuple(found), True)
    one_union = union is not None and not scrutinee.occurrence.many
    return Branches(tuple(found), one_union, decided=not is_error(scrutinee.item))


def _condition(
    inference: Inference, node: Conditional, condition: tree.Expression, env: Environment
) -> None:
    """A condition is exactly one ``boolean``."""
    found = inference.infer(condition, env)
    if found == BOOLEAN or is_error(found.item):
        return
    shown = display(found)
    help = None
    if found.occurrence.zero:
        help = "Write `?` after the value to test whether it is there."
    elif isinstance(found.item, VariableType):
        help = mismatches.unknown_result(found)
    inference.find(
        "type-mismatch",
        f"A condition is exactly one `boolean`, but this is `{shown}`",
        node,
        help,
        also=(inference.label(condition, f"this is `{shown}`"),),
    )


# ---------------------------------------------------------------- values


def _joined(
    inference: Inference, node: Conditional, env: Environment, expected: Type | None
) -> Type:
    found = branches(inference, node, env)
    types = [inference.infer(branch, known, expected) for branch, known in found.each]
    if not found.decided or not types:
        return ERROR
    if not found.exhaustive:
        types.append(EMPTY)
    joined = types[0]
    for type in types[1:]:
        joined = join(inference.db, joined, type)
    return joined


def infer_if(inference: Inference, node: tree.If, env: Environment, expected: Type | None) -> Type:
    """The join of the branches; of one branch, with ``{}``."""
    return _joined(inference, node, env, expected)


def infer_match(
    inference: Inference, node: tree.Match, env: Environment, expected: Type | None
) -> Type:
    """The join of the arms; with ``{}`` where not all values of a non-union are covered."""
    return _joined(inference, node, env, expected)


def infer_conditions(
    inference: Inference, node: tree.ConditionList, env: Environment, expected: Type | None
) -> Type:
    """The join of the arms; without ``else`` with ``{}``."""
    return _joined(inference, node, env, expected)


# ---------------------------------------------------------------- loops


def infer_for(
    inference: Inference, node: tree.For, env: Environment, expected: Type | None
) -> Type:
    """The body's item type under the product of what is iterated and the body."""
    iterable = inference.infer(node.iterable, env)
    item, occurrence = iterated(iterable)
    if is_error(item.item) and not is_error(iterable.item):
        _not_iterable(inference, node, iterable)
    added = [Local("item", node.item.text, item, node.item)]
    inference.bind(node.item, Binding("item", node.item.text, item, node=node.item))
    if node.index is not None:
        added.append(Local("index", node.index.text, INT, node.index))
        inference.bind(node.index, Binding("index", node.index.text, INT, node=node.index))
        inference.loops[node.item] = inference.loops[node.index] = node
    body = inference.infer(node.body, env.bind(*added), expected)
    if is_error(item.item):
        return ERROR
    return normal(Type(body.item, occurrence.product(body.occurrence)))


def _not_iterable(inference: Inference, node: tree.For, iterable: Type) -> None:
    shown = display(iterable)
    if isinstance(iterable.item, RecordType) and iterable.item.declaration == RANGE:
        inference.find(
            "range-not-iterable",
            f"`for` goes over whole numbers, and this is a `{shown}`",
            node.iterable,
        )
        return
    help = f"`for` goes over `{shown}+`, `{shown}*`, `{shown}?` or a range."
    if isinstance(iterable.item, VariableType):
        help = mismatches.unknown_result(iterable)
    inference.find(
        "type-mismatch",
        f"`for` goes over a sequence, but this is exactly one `{shown}`",
        node.iterable,
        help,
    )


def iterated(iterable: Type) -> tuple[Type, Occurrence]:
    """The item and the occurrence of what a ``for`` goes over; an error item for what cannot be
    iterated. An integer range iterates its numbers; under ``?`` it is one optional item."""
    if is_error(iterable.item):
        return ERROR, Occurrence.MANY
    if iterable.occurrence is not Occurrence.ONE:
        return Type(iterable.item), iterable.occurrence
    match iterable.item:
        case RecordType(declaration, (("T", item),)) if declaration == RANGE:
            if numeric_base(item) in INTEGERS:
                return Type(item), Occurrence.MANY
    return ERROR, Occurrence.MANY
