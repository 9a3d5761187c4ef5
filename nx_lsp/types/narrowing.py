"""What a condition or an arm says about paths (semantics 4.3, *Narrowing*).

Only paths are narrowed, and only inside branches: the facts made here enter an ``Environment``
when a branch is inferred.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nx_lsp.program.declarations import DeclarationId
from nx_lsp.syntax import tree
from nx_lsp.types.environment import Environment, Facts, Path
from nx_lsp.types.model import CaseType, Type

if TYPE_CHECKING:
    from nx_lsp.types.inference import Inference


def path_of(inference: Inference, node: tree.Node, env: Environment) -> Path | None:
    """The path that an expression spells: a binding, and the members read from it."""
    names: list[str] = []
    while True:
        if isinstance(node, tree.Parenthesized):
            node = node.inner
        elif isinstance(node, tree.Member):
            names.append(node.name.text)
            node = node.receiver
        else:
            break
    if not isinstance(node, tree.Identifier):
        return None
    root = env.locals.get(node.name) or inference.top_level(node.name)
    return None if root is None else (root, tuple(reversed(names)))


def when_true(inference: Inference, node: tree.Node, env: Environment) -> dict[Path, Type]:
    """What holds where the condition is true. The condition has been inferred in ``env``."""
    return _facts(inference, node, env, True)


def when_false(inference: Inference, node: tree.Node, env: Environment) -> dict[Path, Type]:
    """What holds where the condition is false."""
    return _facts(inference, node, env, False)


def _facts(
    inference: Inference, node: tree.Node, env: Environment, holds: bool
) -> dict[Path, Type]:
    match node:
        case tree.Parenthesized(inner=inner):
            return _facts(inference, inner, env, holds)
        case tree.Unary(operator="!", operand=operand):
            return _facts(inference, operand, env, not holds)
        case tree.Binary(operator="&&", left=left, right=right) if holds:
            return {**_facts(inference, left, env, True), **_facts(inference, right, env, True)}
        case tree.PresenceTest(operand=operand) if holds:
            return present(inference, operand, env)
    return {}


def present(inference: Inference, node: tree.Node, env: Environment) -> dict[Path, Type]:
    """``node`` is not empty, and neither is a receiver read by ``?.`` along it."""
    facts: dict[Path, Type] = {}
    _add_present(inference, node, env, facts)
    while True:
        if isinstance(node, tree.Parenthesized):
            node = node.inner
        elif isinstance(node, tree.Member):
            if node.optional:
                _add_present(inference, node.receiver, env, facts)
            node = node.receiver
        else:
            return facts


def _add_present(
    inference: Inference, node: tree.Node, env: Environment, facts: dict[Path, Type]
) -> None:
    path = path_of(inference, node, env)
    type = inference.types.get(node)
    if path is not None and type is not None:
        facts[path] = type.without_zero()


def is_empty_pattern(pattern: tree.Node) -> bool:
    """``{}``, the pattern for absence."""
    return isinstance(pattern, tree.Braced) and not pattern.items


def in_arm(
    inference: Inference,
    scrutinee: tree.Node,
    patterns: list[tree.Expression],
    union: DeclarationId | None,
    env: Environment,
) -> Facts:
    """What an arm says about its scrutinee: of one case pattern, that it has that case."""
    path = path_of(inference, scrutinee, env)
    if path is None or union is None or len(patterns) != 1:
        return {}
    binding = inference.bindings.get(patterns[0])
    if binding is None or binding.kind != "case" or binding.declaration != union:
        return {}
    return {path: Type(CaseType(union, binding.name))}


def after_empty_arm(inference: Inference, scrutinee: tree.Node, env: Environment) -> Facts:
    """What later arms know once ``{}`` has been matched: the scrutinee is not empty."""
    facts: dict[Path, Type] = {}
    _add_present(inference, scrutinee, env, facts)
    return facts
