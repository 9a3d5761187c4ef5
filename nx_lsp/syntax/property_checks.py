"""Checks of property definitions and of the types in them (nx-syntax 2.4 and 3).

One shape serves fields, parameters, component properties and ``state``; what differs between
them is said by the caller. See ``checks`` for the table that leads here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from nx_lsp.syntax import tree
from nx_lsp.syntax.findings import Findings
from nx_lsp.syntax.spelling import spell_expression, spell_type

RESERVED_TYPE_PARAMETERS = frozenset(
    ("string", "int", "int32", "int64", "float32", "float64", "boolean", "object", "Element")
)
"""Names a type parameter may not take (nx-syntax 2.4)."""


# ---------------------------------------------------------------- property definitions


def check_definitions(
    definitions: Iterable[tree.PropertyDefinition],
    findings: Findings,
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
    findings: Findings,
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
    findings: Findings,
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


def _check_no_default(definition: tree.PropertyDefinition, findings: Findings) -> None:
    if definition.default is None or isinstance(definition.default, tree.MissingExpression):
        return
    findings.error(
        "function-type-default",
        definition.default,
        f"The parameter `{definition.name.text}` of a function type cannot have a default",
        f"Remove it; to let a caller leave `{definition.name.text}` out, "
        f"write `{marked(definition)}`.",
    )


def _check_slot(
    definition: tree.PropertyDefinition, findings: Findings, defaults_allowed: bool
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
                f"Write `{with_default}` or `{marked(definition)}`.",
                (default, "the default"),
            )
        return
    suffixes = _chain(definition.type)[0]
    if len(suffixes) != 1 or suffixes[0].suffix not in ("?", "*"):
        return
    advice = f"Write `{marked(definition)}`"
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


def marked(definition: tree.PropertyDefinition) -> str:
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


def check_suffixes(node: tree.SuffixedType, findings: Findings) -> None:
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


def check_function_type(node: tree.FunctionTypeNode, findings: Findings) -> None:
    """The parameters of a function type, which follow rules of their own (nx-syntax 3.3)."""
    definitions = [each for each in node.parameters if isinstance(each, tree.PropertyDefinition)]
    ellipses = [each for each in node.parameters if isinstance(each, tree.EllipsisNode)]
    check_definitions(
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
