"""The patterns of a match: what they may be, and whether they cover all (semantics 2.6, 4.3)."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from nx_lsp.program import queries
from nx_lsp.program.declarations import DeclarationId, Label
from nx_lsp.syntax import tree
from nx_lsp.types import literals, mismatches, names
from nx_lsp.types.display import display, display_all, list_names
from nx_lsp.types.environment import Binding, Environment
from nx_lsp.types.literal_reports import report_literal
from nx_lsp.types.model import EMPTY, ERROR, CaseType, Type
from nx_lsp.types.narrowing import is_empty_pattern
from nx_lsp.types.relations import holds_error, is_error, satisfies

if TYPE_CHECKING:
    from nx_lsp.types.inference import Inference

Value = Hashable
"""What a pattern stands for, so that equal patterns can be told."""

EMPTY_VALUE: Value = "{}"


def infer_pattern(
    inference: Inference, node: tree.Expression, scrutinee: Type, env: Environment
) -> Value | None:
    """Infer a pattern and report what is wrong with it; what it stands for, ``None`` for a
    pattern that cannot be used."""
    if is_empty_pattern(node):
        inference.types[node] = EMPTY
        if not scrutinee.occurrence.zero and not is_error(scrutinee.item):
            inference.find(
                "empty-pattern-never-matches",
                f"`{{}}` never matches: the value is `{display(scrutinee)}`, which is never empty",
                node,
                severity="warning",
            )
        return EMPTY_VALUE
    if isinstance(node, tree.ContextualName):
        return _bare(inference, node, scrutinee, env)
    found = inference.infer(node, env)
    if is_error(found.item) or is_error(scrutinee.item):
        return None
    union = names.union_of(scrutinee)
    if union is not None:
        return _of_union(inference, node, found, union)
    return _comparable(inference, node, found, scrutinee)


def _bare(
    inference: Inference, node: tree.ContextualName, scrutinee: Type, env: Environment
) -> Value | None:
    """A bare name is a case of the scrutinee's union, one with fields included."""
    inference.types[node] = ERROR
    if is_error(scrutinee.item):
        return None
    union = names.union_of(scrutinee)
    if union is None:
        names.no_union(inference, node, scrutinee)
        return None
    if node.name not in queries.case_names(inference.db, union):
        names.undefined_case(inference, node, union, node.name, "unresolved-contextual-name")
        return None
    type = Type(CaseType(union, node.name))
    inference.bind(node, Binding("case", node.name, type, declaration=union))
    inference.types[node] = type
    _displacing(inference, node, union, env)
    return node.name


def _displacing(
    inference: Inference, node: tree.ContextualName, union: DeclarationId, env: Environment
) -> None:
    """A pattern means the case, also where a value of its name is in scope."""
    local = env.locals.get(node.name)
    if local is None and inference.top_level(node.name) is None:
        return
    also: tuple[Label, ...] = ()
    if local is not None and local.node is not None and local.member is None:
        also = (inference.label(local.node, "this is not meant"),)
    name = union.name.partition("#")[0]
    inference.find(
        "contextual-name-displaces-binding",
        f"`{node.name}` is the case of `{name}` here, not the value `{node.name}` in scope",
        node,
        f"Write `{name}.{node.name}`, or give the value another name.",
        also=also,
    )


def _of_union(
    inference: Inference, node: tree.Expression, found: Type, union: DeclarationId
) -> Value | None:
    """With a union scrutinee every pattern is one of its cases."""
    match found.item:
        case CaseType(owner, case) if owner == union:
            return case
        case CaseType(owner, case):
            shown, wanted = display_all(found, Type(CaseType(union, case)))
            wanted = wanted.rpartition(".")[0]
            inference.find(
                "wrong-union-pattern",
                f"`{shown}` is a case of another union: the value is a `{wanted}`",
                node,
                _cases_advice(inference, union, case),
            )
            return None
    name = union.name.partition("#")[0]
    cases = queries.case_names(inference.db, union)
    help = _cases_advice(inference, union, None)
    if isinstance(node, tree.StringLiteral):
        help = mismatches.string_for_case(node, cases)
    inference.find(
        "invalid-union-case-pattern",
        f"The value is a `{name}`, so a pattern is one of its cases, not `{display(found)}`",
        node,
        help,
    )
    return None


def _cases_advice(inference: Inference, union: DeclarationId, case: str | None) -> str | None:
    cases = queries.case_names(inference.db, union)
    if case in cases:
        return f"Write `{case}`."
    return f"It has {list_names(cases)}." if cases else None


def _comparable(
    inference: Inference, node: tree.Expression, found: Type, scrutinee: Type
) -> Value | None:
    """Any other pattern satisfies the scrutinee's type, or is satisfied by it."""
    db = inference.db
    constant = literals.constant(node)
    if constant is not None:
        item, problem = literals.at_site(constant, scrutinee.item)
        if problem is not None:
            report_literal(inference, node, constant, problem, scrutinee.item)
            return None
        found = Type(item)
    one = Type(scrutinee.item)
    if not (satisfies(db, found, one) or satisfies(db, one, found) or holds_error(scrutinee)):
        given, wanted = display_all(found, scrutinee)
        inference.find(
            "type-mismatch",
            f"The pattern is `{given}`, which the value, a `{wanted}`, never is",
            node,
        )
        return None
    if constant is not None:
        return constant.value
    if isinstance(node, tree.StringLiteral):
        return (node.raw,)
    if isinstance(node, tree.BooleanLiteral):
        return ("boolean", node.value)
    return found


# ---------------------------------------------------------------- coverage


class Coverage:
    """What the arms of a match have covered so far."""

    def __init__(self, inference: Inference, node: tree.Match, scrutinee: Type) -> None:
        self.inference = inference
        self.node = node
        self.scrutinee = scrutinee
        self.union = names.union_of(scrutinee) if not scrutinee.occurrence.many else None
        self.covered: set[Value] = set()
        self.sound = not is_error(scrutinee.item)
        """False once a pattern could not be used: nothing is then said about what is missing."""

    def wanted(self) -> tuple[str, ...]:
        """What all arms together must cover: the cases, ``{}`` last."""
        if self.union is None:
            return ()
        if isinstance(self.scrutinee.item, CaseType):
            cases: tuple[str, ...] = (self.scrutinee.item.case,)
        else:
            cases = queries.case_names(self.inference.db, self.union)
        return (*cases, str(EMPTY_VALUE)) if self.scrutinee.occurrence.zero else cases

    def arm(self, arm: tree.MatchArm, values: list[Value | None]) -> None:
        """Note the patterns of one arm; a hint on patterns that earlier ones have covered."""
        repeated = [
            (pattern, value)
            for pattern, value in zip(arm.patterns, values, strict=True)
            if value is not None and value in self.covered
        ]
        if repeated and len(repeated) == len(arm.patterns):
            self._unreachable(arm, "This arm is never taken: earlier arms cover its patterns")
        elif repeated:
            for pattern, _ in repeated:
                self._unreachable(pattern, "This pattern never matches: an earlier arm covers it")
        for value in values:
            if value is None:
                self.sound = False
            else:
                self.covered.add(value)

    def finish(self) -> None:
        """Report what is not covered, or an ``else`` that nothing is left for."""
        wanted = self.wanted()
        missing = [each for each in wanted if each not in self.covered]
        if self.node.otherwise is not None:
            if self.sound and wanted and not missing:
                message = "`else` is never taken: the arms cover every case"
                self._unreachable(self.node.otherwise, message)
            return
        if self.sound and missing and self.union is not None:
            name = self.union.name.partition("#")[0]
            listed = ", ".join(f"`{each}`" for each in missing)
            self.inference.find(
                "non-exhaustive-union-match",
                f"This match over `{name}` does not cover {listed}",
                self.node,
                f"Add {'an arm' if len(missing) == 1 else 'arms'} for {listed}, or an `else`.",
            )

    def _unreachable(self, node: tree.Node, message: str) -> None:
        self.inference.find("unreachable-arm", message, node, severity="hint")
