"""The rules that need only a finished tree (the **[V]** rules of nx-syntax, table 6.2).

Codes and ranges are those of nx-semantics 5.1, 5.3 and 5.4. Each kind of node has its own
check in one table; a check reports into ``_Findings``. Where the parser left a ``Missing…``
node it has reported already, and nothing is added here. One mistake gives one finding: where
two rules meet on one property, the one whose advice repairs both speaks.

Rules about names and types across declarations are not here, nor is what a suffix behind an
alias does: they need more than a tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from nx_lsp.syntax import tree
from nx_lsp.syntax.problems import Problem, RelatedSpan
from nx_lsp.syntax.spelling import spell_expression, spell_type

RESERVED_TYPE_PARAMETERS = frozenset(
    ("string", "int", "int32", "int64", "float32", "float64", "boolean", "object", "Element")
)
"""Names a type parameter may not take (nx-syntax 2.4)."""


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


def check_piece(node: tree.PieceNode) -> list[Problem]:
    """Every tree check of one piece, in source order; offsets are relative to the piece."""
    findings = _Findings()
    for each in tree.walk(node):
        check = _CHECKS.get(type(each))
        if check is not None:
            check(each, findings)
    findings.problems.sort(key=lambda problem: (problem.start, problem.end))
    return findings.problems


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


@dataclass(slots=True)
class _Findings:
    """The problems so far, and the nodes that a check of their parent has dealt with."""

    problems: list[Problem] = field(default_factory=list)
    settled: set[int] = field(default_factory=set)

    def error(
        self,
        code: str,
        span: tree.Node | tuple[int, int],
        message: str,
        advice: str | None = None,
        first: tuple[tree.Node | tuple[int, int], str] | None = None,
    ) -> None:
        """Add an error at ``span``; ``first`` is a second place and what it is."""
        start, end = _range(span)
        related = () if first is None else (RelatedSpan(*_range(first[0]), first[1]),)
        self.problems.append(Problem(code, message, start, end, help=advice, related=related))


def _range(span: tree.Node | tuple[int, int]) -> tuple[int, int]:
    return (span.start, span.end) if isinstance(span, tree.Node) else span


# ---------------------------------------------------------------- imports and declarations


def _check_import(node: tree.Import, findings: _Findings) -> None:
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


def _check_record(node: tree.RecordNode, findings: _Findings) -> None:
    what = "an action" if node.keyword == "action" else None
    _check_definitions(node.fields, findings, "field", no_type_parameters_in=what)


def _check_union(node: tree.UnionNode, findings: _Findings) -> None:
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
        _check_definitions(
            case.fields or (), findings, "field", no_type_parameters_in="a union case"
        )


def _check_function(node: tree.FunctionNode, findings: _Findings) -> None:
    _check_definitions(node.parameters, findings, "parameter", no_type_parameters_in="a function")
    if node.form != "paren":
        return
    omissible: tree.PropertyDefinition | None = None
    for parameter in node.parameters:
        if parameter.is_type_parameter:
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
                f"or make it optional: `{_marked(parameter)}`.",
                (omissible, "a caller may leave this one out"),
            )
            return


def _check_component(node: tree.ComponentNode, findings: _Findings) -> None:
    _check_definitions(node.properties, findings, "property")
    if node.body is not None:
        _check_definitions(
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


def _check_emit(node: tree.EmitDefinition, findings: _Findings) -> None:
    _check_definitions(node.fields, findings, "field", no_type_parameters_in="an emitted action")


# ---------------------------------------------------------------- property definitions


def _check_definitions(
    definitions: Iterable[tree.PropertyDefinition],
    findings: _Findings,
    word: Literal["field", "parameter", "property", "state field"],
    no_type_parameters_in: str | None = None,
    in_function_type: bool = False,
) -> None:
    """The rules of nx-syntax 2.4 for the definitions of one declaration.

    ``word`` names one of them; ``no_type_parameters_in`` the owner, if type parameters are
    not allowed there."""
    first: dict[str, tree.PropertyDefinition] = {}
    content: tree.PropertyDefinition | None = None
    member: tree.PropertyDefinition | None = None
    for each in definitions:
        name = each.name.text
        before = first.setdefault(name, each)
        if before is not each and name:
            findings.error(
                "duplicate-member",
                each,
                f"There already is a {_word(before, word)} `{name}`",
                "Remove it or give it another name.",
                (before, f"the first `{name}`"),
            )
        if each.is_type_parameter:
            _check_type_parameter(each, member, no_type_parameters_in, findings)
            continue
        member = member or each
        _check_modifier(each, content, findings, word, in_function_type)
        if each.modifier is not None and each.modifier.text == "content":
            content = content or each
        if in_function_type:
            _check_no_default(each, findings)
        _check_slot(each, findings, defaults_allowed=not in_function_type)


def _word(definition: tree.PropertyDefinition, word: str) -> str:
    return "type parameter" if definition.is_type_parameter else word


def _check_type_parameter(
    definition: tree.PropertyDefinition,
    member: tree.PropertyDefinition | None,
    not_allowed_in: str | None,
    findings: _Findings,
) -> None:
    """``T:type``; ``member`` is the first ordinary definition before it, if any."""
    name = definition.name.text
    right = f"Write `{name}:type`"
    first = None
    if not_allowed_in is not None:
        message = f"`{name}:type` is a type parameter, and {not_allowed_in} has none"
        advice = "Only a component and a plain `type` record declare type parameters."
    elif definition.modifier is not None:
        message = f"The type parameter `{name}` cannot have a modifier"
        advice = f"{right}, without `{definition.modifier.text}`."
    elif definition.optional_mark is not None:
        message = f"The type parameter `{name}` cannot be optional"
        advice = f"{right}, without `?`."
    elif definition.default is not None:
        message = f"The type parameter `{name}` cannot have a default"
        advice = f"{right}, without a default."
    elif name in RESERVED_TYPE_PARAMETERS:
        message = f"A type parameter cannot be called `{name}`, the name of a built-in type"
        advice = "Give it a name of its own, such as `T`."
    elif member is not None:
        message = f"The type parameter `{name}` stands after `{member.name.text}`"
        advice = f"Move `{name}:type` to the front: type parameters come before all others."
        first = (member, "it must stand before this")
    else:
        return
    findings.error("invalid-type-parameter", definition, message, advice, first)


def _check_modifier(
    definition: tree.PropertyDefinition,
    content: tree.PropertyDefinition | None,
    findings: _Findings,
    word: str,
    in_function_type: bool,
) -> None:
    """An unknown modifier, or a second ``content``; ``content`` is the first one."""
    if definition.modifier is None:
        return
    modifier, name = definition.modifier.text, definition.name.text
    if modifier != "content":
        findings.error(
            "lowering-error",
            definition,
            f"`{modifier}` is no modifier: only `content` can stand before a {word}",
            f"Remove `{modifier}`, or write `content {name}`.",
        )
    elif content is not None:
        findings.error(
            "function-type-duplicate-content" if in_function_type else "lowering-error",
            definition,
            f"`{name}` is a second `content` {word}, and only one can take the element body",
            f"Remove `content` before `{name}` or before `{content.name.text}`.",
            (content, f"the first `content` {word}"),
        )


def _check_no_default(definition: tree.PropertyDefinition, findings: _Findings) -> None:
    if definition.default is None or isinstance(definition.default, tree.MissingExpression):
        return
    findings.error(
        "function-type-default",
        definition.default,
        f"The parameter `{definition.name.text}` of a function type cannot have a default",
        f"Remove it; to let a caller leave `{definition.name.text}` out, "
        f"write `{_marked(definition)}`.",
    )


def _check_slot(
    definition: tree.PropertyDefinition, findings: _Findings, defaults_allowed: bool
) -> None:
    """The mark, the default and the occurrence of one property, which exclude each other."""
    name = definition.name.text
    if definition.optional_mark is not None and definition.default is not None:
        if defaults_allowed:
            default = definition.default
            with_default = f"{name}:{_admitting_one(definition.type)} = {_short(default)}"
            findings.error(
                "optional-property-with-default",
                (definition.optional_mark, definition.optional_mark + 1),
                f"`{name}` is marked optional and has a default: it cannot be both",
                f"Write `{with_default}` or `{_marked(definition)}`.",
                (default, "the default"),
            )
        return
    suffixes = _chain(definition.type)[0]
    if len(suffixes) != 1 or suffixes[0].suffix not in ("?", "*"):
        return
    advice = f"Write `{_marked(definition)}`"
    if definition.default is not None and defaults_allowed:
        with_default = f"{name}:{_admitting_one(definition.type)} = {_short(definition.default)}"
        advice += f", or keep the default and write `{with_default}`"
    findings.error(
        "optional-in-type-slot",
        definition,
        f"The type of `{name}` admits no value; whether `{name}` may be absent is said by "
        "a `?` on its name",
        advice + ".",
    )


def _admitting_one(node: tree.TypeNode | None) -> str:
    """The spelling of a type whose occurrence no longer admits zero: ``T`` or ``T+``."""
    suffixes, base = _chain(node)
    if len(suffixes) > 1 or base is None:
        return spell_type(node) if node is not None else "type"
    many = bool(suffixes) and suffixes[0].suffix in ("+", "*", "[]")
    return _suffixed(base, "+") if many else spell_type(base)


def _marked(definition: tree.PropertyDefinition) -> str:
    """The definition as an optional one: ``name?:T`` or ``name?:T+``."""
    return f"{definition.name.text}?:{_admitting_one(definition.type)}"


def _short(expression: tree.Expression) -> str:
    spelled = spell_expression(expression)
    return spelled if len(spelled) <= 40 else "…"


# ---------------------------------------------------------------- types


def _chain(
    node: tree.TypeNode | None,
) -> tuple[list[tree.SuffixedType], tree.TypeNode | None]:
    """The suffixes around a type, in source order, and the type they stand around.

    Parentheses do not start a new chain (nx-syntax 3.2)."""
    suffixes: list[tree.SuffixedType] = []
    while isinstance(node, (tree.SuffixedType, tree.ParenthesizedType)):
        if isinstance(node, tree.SuffixedType):
            suffixes.append(node)
        node = node.inner
    suffixes.reverse()
    return suffixes, node


def _suffixed(base: tree.TypeNode, suffix: str) -> str:
    spelled = spell_type(base)
    if isinstance(base, (tree.FunctionTypeNode, tree.ConstrainedType)):
        spelled = f"({spelled})"
    return spelled + suffix


def _check_suffixes(node: tree.SuffixedType, findings: _Findings) -> None:
    """All suffixes of one chain at its outermost; the inner ones are settled with it."""
    if id(node) in findings.settled:
        return
    suffixes, base = _chain(node)
    findings.settled.update(map(id, suffixes))
    if base is None or isinstance(base, tree.MissingType):
        return
    removed = [each for each in suffixes if each.suffix == "[]"]
    for each in removed:
        findings.error(
            "removed-list-suffix",
            _suffix_range(each),
            "A list is no longer written with `[]`",
            f"Write `{_suffixed(base, '*')}` for any number or `{_suffixed(base, '+')}` "
            "for at least one.",
        )
    if removed or len(suffixes) < 2:
        return
    written = {each.suffix for each in suffixes}
    zero, many = bool(written & {"?", "*"}), bool(written & {"+", "*"})
    single = "*" if zero and many else "?" if zero else "+"
    findings.error(
        "second-occurrence-suffix",
        _suffix_range(suffixes[1]),
        f"`{suffixes[1].suffix}` is a second occurrence suffix: a type takes one",
        f"Write `{_suffixed(base, single)}`.",
        (_suffix_range(suffixes[0]), "the first suffix"),
    )


def _suffix_range(node: tree.SuffixedType) -> tuple[int, int]:
    return node.suffix_start, node.end


def _check_function_type(node: tree.FunctionTypeNode, findings: _Findings) -> None:
    definitions = [each for each in node.parameters if isinstance(each, tree.PropertyDefinition)]
    ellipses = [each for each in node.parameters if isinstance(each, tree.EllipsisNode)]
    _check_definitions(
        definitions,
        findings,
        "parameter",
        no_type_parameters_in="a function type",
        in_function_type=True,
    )
    code = "function-type-ellipsis-with-parameters"
    if ellipses and definitions:
        findings.error(
            code,
            ellipses[0],
            "`...` takes the place of all parameters and cannot stand beside one",
            "Remove `...`, or write `<function ... />` without other parameters.",
            (definitions[0], "a parameter"),
        )
    elif len(ellipses) > 1:
        findings.error(
            code,
            ellipses[1],
            "`...` stands here twice; once is for all parameters",
            "Write `<function ... />`.",
            (ellipses[0], "the first `...`"),
        )


# ---------------------------------------------------------------- values and markup


def _check_binding(node: tree.Property, findings: _Findings) -> None:
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


def _check_contextual_name(node: tree.ContextualName, findings: _Findings) -> None:
    if not node.suffixes or id(node) in findings.settled:
        return
    findings.error(
        "occurrence-suffix-on-value",
        (node.end - len(node.suffixes), node.end),
        f"`{node.suffixes}` is an occurrence suffix: it stands on a type, never on a value",
        f"Write `{node.name}`.",
    )


def _check_element(node: tree.Element, findings: _Findings) -> None:
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


_CHECKS: dict[type[tree.Node], Callable[[Any, _Findings], None]] = {
    tree.Import: _check_import,
    tree.RecordNode: _check_record,
    tree.UnionNode: _check_union,
    tree.FunctionNode: _check_function,
    tree.ComponentNode: _check_component,
    tree.EmitDefinition: _check_emit,
    tree.FunctionTypeNode: _check_function_type,
    tree.SuffixedType: _check_suffixes,
    tree.Property: _check_binding,
    tree.ContextualName: _check_contextual_name,
    tree.Element: _check_element,
}
