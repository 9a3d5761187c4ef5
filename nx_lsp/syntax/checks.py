"""The rules that need only a finished tree (the **[V]** rules of nx-syntax, table 6.2).

Codes and ranges are those of nx-semantics 5.1, 5.3 and 5.4. Each kind of node has its own
check in one table; a check reports into ``Findings``. Where the parser left a ``Missing…``
node it has reported already, and nothing is added here. One mistake gives one finding: where
two rules meet on one property, the one whose advice repairs both speaks.

Rules about names and types across declarations are not here, nor is what a suffix behind an
alias does: they need more than a tree.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import Any, Protocol

from nx_lsp.syntax import tree
from nx_lsp.syntax.findings import Findings
from nx_lsp.syntax.problems import Problem, RelatedSpan
from nx_lsp.syntax.property_checks import (
    check_definitions,
    check_function_type,
    check_suffixes,
    marked,
)


class OutlinedPiece(Protocol):
    """What ``check_file`` needs of a piece; see ``source_file.Piece``."""

    @property
    def text(self) -> str: ...

    @property
    def outline(self) -> Outlined: ...


class Outlined(Protocol):
    """The kind and name of a piece; see ``source_file.Outline``."""

    @property
    def kind(self) -> str: ...

    @property
    def name(self) -> str | None: ...


def check_piece(node: tree.Node, reported: Iterable[Problem] = ()) -> list[Problem]:
    """Every tree check of one piece, in source order; offsets are relative to the piece.

    ``reported`` are its syntax errors: what overlaps one of them is not reported again."""
    findings = Findings()
    for each in tree.walk(node):
        check = _CHECKS.get(type(each))
        if check is not None:
            check(each, findings)
    broken = sorted((problem.start, problem.end) for problem in reported)
    starts = [start for start, _ in broken]
    reach = [0, *accumulate((end for _, end in broken), max)]  # of the first 0, 1, 2 … of them
    sound = [
        problem
        for problem in findings.problems
        if reach[bisect_left(starts, problem.end)] <= problem.start
    ]
    return sorted(sound, key=lambda problem: (problem.start, problem.end))


def check_file(pieces: Sequence[OutlinedPiece], starts: Sequence[int]) -> list[Problem]:
    """The tree checks that compare pieces, with offsets relative to the **file**.

    ``duplicate-root`` (nx-syntax 2.12): two ``let root``, or one beside a root element. A
    second root *element* is a syntax error and not reported here."""
    roots: list[tuple[bool, int, int]] = []
    problems: list[Problem] = []
    for piece, start in zip(pieces, starts, strict=True):
        kind, name = piece.outline.kind, piece.outline.name
        is_element = kind == "root"
        if not is_element and not (kind in ("value", "function") and name == "root"):
            continue
        end = start + len(piece.text)
        if roots and not (is_element and any(was_element for was_element, *_ in roots)):
            problems.append(
                Problem(
                    "duplicate-root",
                    "This element defines `root`, which the module already has"
                    if is_element
                    else "The module already has a `root`",
                    start,
                    end,
                    help="A module has one root: a `let root` or an element at its end.",
                    related=(RelatedSpan(*roots[0][1:], "the first `root`"),),
                )
            )
        roots.append((is_element, start, end))
    return problems


# ---------------------------------------------------------------- imports and declarations


def _check_import(node: tree.Import, findings: Findings) -> None:
    for item in node.items or ():
        if item.alias is None or not item.alias.parts or not item.name.text:
            continue
        parts = [part.text for part in item.alias.parts]
        if len(parts) == 2 and parts[1] == item.name.text:
            continue
        right = f"{item.name.text} as {parts[0]}.{item.name.text}"
        findings.error(
            "lowering-error",
            item.alias,
            f"`{item.alias.text}` cannot be an alias of `{item.name.text}`: "
            "it must be a prefix, one dot and the imported name",
            f"Write `{right}`.",
        )


def _check_record(node: tree.RecordNode, findings: Findings) -> None:
    what = "an action" if node.keyword == "action" else None
    check_definitions(node.fields, findings, "field", no_type_parameters_in=what)


def _check_union(node: tree.UnionNode, findings: Findings) -> None:
    first: dict[str, tree.Name] = {}
    for case in node.cases:
        before = first.setdefault(case.name.text, case.name)
        if before is not case.name and case.name.text:
            findings.error(
                "duplicate-union-case",
                case.name,
                f"`{node.name.text}` already has a case `{case.name.text}`",
                "Remove it or give it another name.",
                (before, "the first case of this name"),
            )
        check_definitions(
            case.fields or (), findings, "field", no_type_parameters_in="a union case"
        )


def _check_function(node: tree.FunctionNode, findings: Findings) -> None:
    check_definitions(node.parameters, findings, "parameter", no_type_parameters_in="a function")
    if node.form != "paren":
        return
    omissible: tree.PropertyDefinition | None = None
    for parameter in node.parameters:
        if parameter.is_type_parameter:
            continue
        if isinstance(parameter.default, tree.MissingExpression):
            continue
        if parameter.optional_mark is not None or parameter.default is not None:
            omissible = omissible or parameter
        elif omissible is not None:
            findings.error(
                "required-parameter-after-omissible",
                parameter,
                f"The required parameter `{parameter.name.text}` follows "
                f"`{omissible.name.text}`, which a caller may leave out",
                f"Move `{parameter.name.text}` before `{omissible.name.text}`, "
                f"or make it optional: `{marked(parameter)}`.",
                (omissible, "a caller may leave this one out"),
            )
            return


def _check_component(node: tree.ComponentNode, findings: Findings) -> None:
    check_definitions(node.properties, findings, "property")
    if node.body is not None:
        check_definitions(
            node.body.state or (), findings, "state field", no_type_parameters_in="`state`"
        )
    wrong = _wrong_body(node)
    if wrong is not None:
        message, advice = wrong
        findings.error("invalid-component-definition", node, message, advice)


def _wrong_body(node: tree.ComponentNode) -> tuple[str, str] | None:
    """What is wrong with the body of a component of its variety, and the fix (nx-syntax 2.11)."""
    name, body = node.name.text, node.body
    if node.abstract:
        if body is None:
            return None
        return (
            f"The abstract component `{name}` cannot have a body",
            "Remove the body, or the word `abstract`.",
        )
    if node.external:
        if body is None or (body.state is not None and not body.rendered):
            return None
        return (
            f"The body of the external component `{name}` may hold `state` and nothing else",
            "Remove the body but for a `state { … }`, or remove the word `external`.",
        )
    if body is None:
        return (
            f"The component `{name}` has no body",
            f"Write `component <{name} … /> = {{ … }}`, or put `abstract` or `external` before it.",
        )
    if not body.rendered:
        return (
            f"The component `{name}` renders nothing",
            "Put an expression behind its `state` group, or `external` before `component`.",
        )
    return None


def _check_emit(node: tree.EmitDefinition, findings: Findings) -> None:
    check_definitions(node.fields, findings, "field", no_type_parameters_in="an emitted action")


# ---------------------------------------------------------------- values and markup


def _check_binding(node: tree.Property, findings: Findings) -> None:
    """A suffix on the value of a property: one may be a type argument's, two never are."""
    value = node.value
    if not isinstance(value, tree.ContextualName) or not value.suffixes:
        return
    findings.settled.add(id(value))
    if len(value.suffixes) > 1:
        first = value.end - len(value.suffixes)
        findings.error(
            "second-occurrence-suffix",
            (first + 1, first + 2),
            f"`{value.suffixes[1]}` is a second occurrence suffix: a type takes one",
            f"Write `{value.name}`, and declare an alias for a type with an occurrence.",
            ((first, first + 1), "the first suffix"),
        )


def _check_contextual_name(node: tree.ContextualName, findings: Findings) -> None:
    if not node.suffixes or id(node) in findings.settled:
        return
    findings.error(
        "occurrence-suffix-on-value",
        (node.end - len(node.suffixes), node.end),
        f"`{node.suffixes}` is an occurrence suffix: it stands on a type, never on a value",
        f"Write `{node.name}`.",
    )


def _check_element(node: tree.Element, findings: Findings) -> None:
    closing = node.closing
    if closing is None or not closing.parts or closing.text == node.tag.text:
        return
    findings.error(
        "tag-mismatch",
        closing,
        f"The closing tag `{closing.text}` does not match the opening tag `{node.tag.text}`",
        f"Write `</{node.tag.text}>`.",
        (node.tag, "the opening tag"),
    )


_CHECKS: dict[type[tree.Node], Callable[[Any, Findings], None]] = {
    tree.Import: _check_import,
    tree.RecordNode: _check_record,
    tree.UnionNode: _check_union,
    tree.FunctionNode: _check_function,
    tree.ComponentNode: _check_component,
    tree.EmitDefinition: _check_emit,
    tree.FunctionTypeNode: check_function_type,
    tree.SuffixedType: check_suffixes,
    tree.Property: _check_binding,
    tree.ContextualName: _check_contextual_name,
    tree.Element: _check_element,
}
