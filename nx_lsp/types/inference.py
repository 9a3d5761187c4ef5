"""The type of every expression (semantics 4), and what is wrong with it (semantics 5.5).

``Inference`` is one walk over one declaration. It records the type of each expression node, what
each name refers to, and findings. The rules stand beside it, by kind of expression: ``names``,
``operators``, ``members``, ``calls``, ``control``, ``elements``; whether a value fits the place it
stands at is asked of ``sites``. Operands that fit no rule are reported and give the error type,
which fits everything, so that one mistake is one message.

What *other* declarations have for a type is asked of ``Known`` (see ``results``), which holds the
order rule of semantics 4.2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import (
    DeclarationId,
    FunctionDeclaration,
    Label,
    Place,
    ValueDeclaration,
)
from nx_lsp.syntax import tree
from nx_lsp.syntax.problems import Severity
from nx_lsp.types import calls, control, elements, literals, members, names, operators
from nx_lsp.types.environment import Binding, Environment, Finding
from nx_lsp.types.model import BOOLEAN, EMPTY, ERROR, STRING, Occurrence, Type
from nx_lsp.types.relations import join_items, normal
from nx_lsp.types.resolution import TypeScope, resolve_in, type_scope


class Known(Protocol):
    """What a walk may know about other declarations."""

    def function_result(self, id: DeclarationId) -> Type:
        """The result type seen of a function: declared, inferred, or a variable."""

    def value_type(self, id: DeclarationId) -> Type:
        """The type seen of a top-level value; the error type where it is not known."""


class Inference:
    """One walk over the declaration ``id``. Afterwards ``types`` has the type of every expression
    node met, ``bindings`` what its names refer to, ``findings`` what is wrong with them."""

    def __init__(self, db: ProgramDatabase, id: DeclarationId, known: Known) -> None:
        self.db = db
        self.id = id
        self.module = id.module
        self.known = known
        self.scope: TypeScope = type_scope(db, id)
        self.types: dict[tree.Node, Type] = {}
        self.bindings: dict[tree.Node, Binding] = {}
        self.findings: list[Finding] = []
        self.loops: dict[tree.Node, tree.For] = {}
        """The loop of each loop variable with an index, by the name that binds it."""

    # -- expressions

    def infer(self, node: tree.Node, env: Environment, expected: Type | None = None) -> Type:
        """The type of ``node`` in ``env``; recorded. ``expected`` is the type of its site, which
        only a bare name needs (semantics 2.6)."""
        rule = _RULES.get(type(node))
        found = ERROR if rule is None else rule(self, node, env, expected)
        self.types[node] = found
        return found

    def sequence(self, items: list[Any], env: Environment, expected: Type | None = None) -> Type:
        """Braced values and bodies (semantics 4.5): nothing, one item as it is, or a list."""
        if not items:
            return EMPTY
        if len(items) == 1:
            return self.infer(items[0], env, expected)
        return self.spliced([self.infer(item, env, expected) for item in items])

    def spliced(self, types: list[Type]) -> Type:
        """Several items in one sequence: the join of the item types under the sum of the
        occurrences."""
        item, zero = types[0].item, types[0].occurrence.zero
        for each in types[1:]:
            item = join_items(self.db, item, each.item)
            zero = zero and each.occurrence.zero
        return normal(Type(item, Occurrence.of(zero, True)))

    # -- names and types

    def top_level(self, name: str) -> DeclarationId | None:
        """The function or value that a name means at the module's top level."""
        found = queries.lookup_value(self.db, self.module, name)
        if found is None:
            return None
        declaration = queries.declaration(self.db, found)
        known = isinstance(declaration, (FunctionDeclaration, ValueDeclaration))
        return found if known else None

    def resolve(self, node: tree.TypeNode) -> Type:
        """A type written in this declaration."""
        return resolve_in(self.db, node, self.scope)

    def bind(self, node: tree.Node, binding: Binding) -> None:
        """Record what a name refers to."""
        self.bindings[node] = binding

    def find(
        self,
        code: str,
        message: str,
        node: tree.Node | None,
        help: str | None = None,
        name: str | None = None,
        candidates: tuple[str, ...] = (),
        severity: Severity = "error",
        also: tuple[Label, ...] = (),
    ) -> None:
        """Record that something is wrong at ``node``; without one, with the whole declaration."""
        place = self.place(node)
        self.findings.append(
            Finding(code, message, place.start, place.end, help, name, candidates, severity, also)
        )

    def place(self, node: tree.Node | None = None) -> Place:
        """The place of a node of this declaration's piece, or of the whole declaration."""
        return queries.place(self.db, self.id, node)

    def label(self, node: tree.Node, message: str) -> Label:
        """A second place of a finding, in this declaration."""
        return Label(self.place(node), message)


Rule = Callable[[Inference, Any, Environment, "Type | None"], Type]


def _literal(
    inference: Inference, node: tree.NumberLiteral, env: Environment, expected: Type | None
) -> Type:
    return Type(literals.own_type(literals.Constant(literals.ZERO, node.kind != "real")))


def _string(inference: Inference, node: tree.Node, env: Environment, expected: Type | None) -> Type:
    return STRING


def _boolean(
    inference: Inference, node: tree.Node, env: Environment, expected: Type | None
) -> Type:
    return BOOLEAN


def _parenthesized(
    inference: Inference, node: tree.Parenthesized, env: Environment, expected: Type | None
) -> Type:
    return inference.infer(node.inner, env, expected)


def _braced(
    inference: Inference,
    node: tree.Braced | tree.BodyBlock,
    env: Environment,
    expected: Type | None,
) -> Type:
    return inference.sequence(list(node.items), env, expected)


_RULES: dict[type[tree.Node], Rule] = {
    tree.StringLiteral: _string,
    tree.TextRun: _string,
    tree.Entity: _string,
    tree.Escape: _string,
    tree.BooleanLiteral: _boolean,
    tree.NumberLiteral: _literal,
    tree.Parenthesized: _parenthesized,
    tree.Braced: _braced,
    tree.BodyBlock: _braced,
    tree.Identifier: names.infer_identifier,
    tree.ContextualName: names.infer_contextual,
    tree.QualifiedPattern: names.infer_qualified,
    tree.Unary: operators.infer_unary,
    tree.Binary: operators.infer_binary,
    tree.PresenceTest: operators.infer_presence,
    tree.Member: members.infer_member,
    tree.Call: calls.infer_call,
    tree.If: control.infer_if,
    tree.Match: control.infer_match,
    tree.ConditionList: control.infer_conditions,
    tree.For: control.infer_for,
    tree.Element: elements.infer_element,
}
"""How each kind of node is inferred. ``()`` and missing expressions have no type of their own."""
