"""Spelling trees back to NX text, for hovers, messages and the ``type`` of a parameter.

What comes out is what the author wrote, with comments dropped and white space settled by
decision 16: ``name:type`` without a space, one space after the ``:`` of a result,
``<Page T=Plan />``, ``int where in 1..=10``. Parentheses stay where the author put them.

One table maps a kind of node to its *parts*: texts, and nodes that are spelled in turn. A loop
with its own stack works the table off, so that no tree is too deep.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Union

from nx_lsp.syntax import tree
from nx_lsp.syntax.tree import Node

WIDTH = 80
"""The columns a signature may take on one line (editor-experience 4.1)."""

Part = Union[str, Node]

_LINE_BREAK = re.compile(r"[ \t]*[\r\n][ \t\r\n]*")


def spell_type(node: tree.TypeNode) -> str:
    """The NX spelling of a type as its author wrote it, constraint included (decision 16)."""
    return _spell([node])


def spell_expression(node: Node) -> str:
    """The spelling of an expression on one line, white space settled, comments dropped."""
    return _spell([node])


def spell_property(node: tree.PropertyDefinition) -> str:
    """A field, parameter or property: ``maxPrice?:int``, ``content body?:Element``."""
    return _spell([node])


def spell_case(node: tree.UnionCase) -> str:
    """A union case without its bar: ``failed { reason:string }``."""
    return _spell([node])


def spell_emit(node: tree.EmitDefinition | tree.EmitReference) -> str:
    """An entry of ``emits``: ``Moved extends Touch { far:boolean }`` or ``Picked``."""
    return _spell([node])


def spell_signature(
    node: tree.FunctionNode | tree.ComponentNode, width: int = WIDTH, result: str | None = None
) -> str:
    """The signature of a function or component, without its body (editor-experience 4.1).

    On one line if that takes at most ``width`` columns, else one parameter a line. ``result``
    is the spelling of an inferred type, shown where the author wrote no result."""
    if isinstance(node, tree.ComponentNode):
        return _component_signature(node, width)
    return _function_signature(node, width, result)


def spell_declaration(
    node: tree.DeclarationNode, width: int = WIDTH, result: str | None = None
) -> str:
    """Any declaration as a hover shows it: fields one a line, bodies and values left out.

    ``result`` is the spelling of an inferred type, for a function or value without one."""
    return _DECLARATIONS[type(node)](node, width, result)


# ---------------------------------------------------------------- declarations


def _words(*words: str | bool | None, **flags: bool) -> str:
    """The words that are there, each with a space behind it; a flag stands for its own name."""
    present = [word for word in words if isinstance(word, str)]
    present += [name for name, is_set in flags.items() if is_set]
    return "".join(word + " " for word in present)


def _extends(base: tree.DottedName | None) -> str:
    return f" extends {base.text}" if base is not None else ""


def _function_signature(node: tree.FunctionNode, width: int, result: str | None) -> str:
    written = spell_type(node.result) if node.result is not None else result
    tail = f": {written}" if written is not None else ""
    head = _words(node.visibility) + "let "
    parameters = [spell_property(parameter) for parameter in node.parameters]
    if node.form == "paren":
        head += node.name.text + "("
        line = head + ", ".join(parameters) + ")" + tail
        broken = _lines(head, [p + "," for p in parameters[:-1]] + parameters[-1:], ")" + tail)
    else:
        head += "<" + node.name.text
        line = " ".join([head, *parameters, "/>"]) + tail
        broken = _lines(head, parameters, "/>" + tail)
    return line if len(line) <= width or not parameters else broken


def _component_signature(node: tree.ComponentNode, width: int) -> str:
    head = _words(node.visibility, abstract=node.abstract, external=node.external)
    head += f"component <{node.name.text}{_extends(node.extends)}"
    properties = [spell_property(each) for each in node.properties]
    emits = [spell_emit(entry) for entry in node.emits]
    line = " ".join([head, *properties, *(["emits {", *emits, "}"] if emits else []), "/>"])
    if len(line) <= width or not (properties or emits):
        return line
    members = list(properties)
    if emits:
        members += ["emits {", *("  " + entry for entry in emits), "}"]
    return _lines(head, members, "/>")


def _lines(head: str, members: Iterable[str], tail: str) -> str:
    return "\n".join([head, *("  " + member for member in members), tail])


def _record(node: tree.RecordNode, width: int, result: str | None) -> str:
    head = _words(node.visibility, abstract=node.abstract)
    head += f"{node.keyword} {node.name.text}{_extends(node.extends)} = {{"
    if not node.fields:
        return head + "}"
    return _lines(head, map(spell_property, node.fields), "}")


def _union(node: tree.UnionNode, width: int, result: str | None) -> str:
    head = f"{_words(node.visibility)}type {node.name.text}{_extends(node.extends)} ="
    cases = [spell_case(case) for case in node.cases]
    bar = " | " if len(cases) == 1 else " "
    line = head + bar + " | ".join(cases)
    if len(line) <= width and all(case.fields is None for case in node.cases):
        return line
    return "\n".join([head, *("  | " + case for case in cases)])


def _alias(node: tree.AliasNode, width: int, result: str | None) -> str:
    return f"{_words(node.visibility)}type {node.name.text} = {spell_type(node.type)}"


def _value(node: tree.ValueNode, width: int, result: str | None) -> str:
    written = spell_type(node.type) if node.type is not None else result
    return f"{_words(node.visibility)}let {node.name.text}" + (f":{written}" if written else "")


_DECLARATIONS: dict[type[Node], Callable[[Any, int, str | None], str]] = {
    tree.RecordNode: _record,
    tree.UnionNode: _union,
    tree.AliasNode: _alias,
    tree.ValueNode: _value,
    tree.FunctionNode: _function_signature,
    tree.ComponentNode: lambda node, width, result: _component_signature(node, width),
}


# ---------------------------------------------------------------- the parts of a node


def _spell(parts: Sequence[Part]) -> str:
    """Work off ``parts``: texts are written, nodes are replaced by their own parts."""
    written: list[str] = []
    waiting: list[Part] = list(reversed(parts))
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            written.append(part)
        else:
            waiting.extend(reversed(_PARTS[type(part)](part)))
    return "".join(written)


def _joined(items: Iterable[Part], separator: str) -> list[Part]:
    """``items`` with ``separator`` between them."""
    parts: list[Part] = []
    for item in items:
        if parts:
            parts.append(separator)
        parts.append(item)
    return parts


def _fields(fields: Sequence[Node]) -> list[Part]:
    return ["{ ", *_joined(fields, " "), " }"] if fields else ["{}"]


def _property_definition(node: tree.PropertyDefinition) -> list[Part]:
    parts: list[Part] = [node.modifier.text + " "] if node.modifier is not None else []
    parts += [node.name.text, "?:" if node.optional_mark is not None else ":"]
    parts.append("type" if node.type is None else node.type)
    if node.default is not None:
        parts += [" = ", node.default]
    return parts


def _case(node: tree.UnionCase) -> list[Part]:
    parts: list[Part] = [node.name.text]
    if node.fields is not None:
        parts += [" ", *_fields(node.fields)]
    return parts


def _emit(node: tree.EmitDefinition) -> list[Part]:
    return [node.name.text, _extends(node.extends), " ", *_fields(node.fields)]


def _applied(node: tree.AppliedType) -> list[Part]:
    parts: list[Part] = ["<", node.name.text]
    for argument in node.arguments:
        parts += [" ", argument.name.text, "=", argument.type]
    return [*parts, " />"]


def _function_type(node: tree.FunctionTypeNode) -> list[Part]:
    return ["<function ", *_joined([*node.parameters, "/>: "], " "), node.result]


def _constrained(node: tree.ConstrainedType) -> list[Part]:
    return [node.base, " where ", *_joined(node.terms, " && ")]


def _term(node: tree.ConstraintTerm) -> list[Part]:
    bounds = [bound for bound in (node.low, node.high) if bound is not None]
    if node.operator != "in":
        return [node.operator, " ", *bounds]
    dots = "..=" if node.high is not None and node.high_inclusive else ".."
    low: list[Part] = [node.low] if node.low is not None else []
    high: list[Part] = [node.high] if node.high is not None else []
    return ["in ", *low, dots, *high]


def _binary(node: tree.Binary) -> list[Part]:
    tight = node.operator in ("..", "..=")
    return [node.left, node.operator if tight else f" {node.operator} ", node.right]


def _member(node: tree.Member) -> list[Part]:
    # Touching, the ? of a presence test and the dot would be the one token `?.`.
    dot = " ." if isinstance(node.receiver, tree.PresenceTest) else "."
    return [node.receiver, "?." if node.optional else dot, node.name]


def _call(node: tree.Call) -> list[Part]:
    return [node.callee, "(", *_joined(node.arguments, ", "), ")"]


def _braces(node: tree.Braced | tree.BodyBlock) -> list[Part]:
    """Braces around items, with the padding the author chose."""
    if not node.items:
        return ["{}"]
    padding = " " if node.end > node.items[-1].end + 1 else ""
    return ["{" + padding, *_joined(node.items, " "), padding + "}"]


def _branch(node: Node) -> list[Part]:
    """The branch of a simple ``if``: always in braces."""
    if isinstance(node, tree.PropertyBlock):
        return ["{ ", *_joined(node.items, " "), " }"] if node.items else ["{}"]
    return [node]


def _if(node: tree.If) -> list[Part]:
    parts: list[Part] = ["if ", node.condition, " ", *_branch(node.then)]
    if node.otherwise is not None:
        parts += [" else ", *_branch(node.otherwise)]
    return parts


def _arms(arms: Iterable[Node], otherwise: Node | None) -> list[Part]:
    parts = _joined(arms, " ")
    if otherwise is not None:
        parts += [" else => ", otherwise]
    return [*parts, " }"]


def _match(node: tree.Match) -> list[Part]:
    return ["if ", node.scrutinee, " is { ", *_arms(node.arms, node.otherwise)]


def _for(node: tree.For) -> list[Part]:
    names = node.item.text + (f", {node.index.text}" if node.index is not None else "")
    return [f"for {names} in ", node.iterable, " ", node.body]


def _element(node: tree.Element) -> list[Part]:
    tag = node.tag.text
    if node.mode != "mixed":
        kinds = [node.text_type.text] if node.text_type is not None else []
        tag += ":" + " ".join(kinds + (["raw"] if node.mode == "raw" else []))
    parts: list[Part] = ["<", *_joined([tag, *node.properties], " ")]
    if node.body is None:
        return [*parts, " />"]
    parts.append(">")
    before = node.body[0].start if node.body else 0
    for part in node.body:
        if part.start > before:
            parts.append(" ")
        # The value of typed text starts at its @ and is told from others by its element.
        if node.mode == "typed" and isinstance(part, tree.Braced):
            parts.append("@")
        parts.append(part)
        before = part.end
    return [*parts, "</", (node.closing or node.tag).text, ">"]


_PARTS: dict[type[Node], Callable[[Any], list[Part]]] = {
    tree.Name: lambda node: [node.text],
    tree.DottedName: lambda node: [node.text],
    # types
    tree.NamedType: lambda node: [node.name.text],
    tree.AppliedType: _applied,
    tree.EllipsisNode: lambda node: ["..."],
    tree.FunctionTypeNode: _function_type,
    tree.ParenthesizedType: lambda node: ["(", node.inner, ")"],
    tree.SuffixedType: lambda node: [node.inner, node.suffix],
    tree.Bound: lambda node: ["-" + node.text if node.negative else node.text],
    tree.ConstraintTerm: _term,
    tree.ConstrainedType: _constrained,
    tree.MissingType: lambda node: ["?"],
    # definitions
    tree.PropertyDefinition: _property_definition,
    tree.UnionCase: _case,
    tree.EmitDefinition: _emit,
    tree.EmitReference: lambda node: [node.name.text],
    # expressions
    tree.StringLiteral: lambda node: [f'"{node.raw}"'],
    tree.NumberLiteral: lambda node: [node.text],
    tree.BooleanLiteral: lambda node: ["true" if node.value else "false"],
    tree.UnitLiteral: lambda node: ["()"],
    tree.Identifier: lambda node: [node.name],
    tree.ContextualName: lambda node: [node.name, node.suffixes],
    tree.QualifiedPattern: lambda node: [node.name.text],
    tree.Unary: lambda node: [node.operator, node.operand],
    tree.Binary: _binary,
    tree.Call: _call,
    tree.Member: _member,
    tree.PresenceTest: lambda node: [node.operand, "?"],
    tree.Parenthesized: lambda node: ["(", node.inner, ")"],
    tree.Braced: _braces,
    tree.BodyBlock: _braces,
    tree.PropertyBlock: lambda node: _joined(node.items, " "),
    tree.If: _if,
    tree.MatchArm: lambda node: [*_joined(node.patterns, ", "), " => ", node.body],
    tree.Match: _match,
    tree.ConditionArm: lambda node: [node.condition, " => ", node.body],
    tree.ConditionList: lambda node: ["if { ", *_arms(node.arms, node.otherwise)],
    tree.For: _for,
    tree.MissingExpression: lambda node: ["…"],
    # markup
    tree.Property: lambda node: [node.name.text, "=", node.value],
    tree.Element: _element,
    tree.TextRun: lambda node: [_LINE_BREAK.sub(" ", node.raw)],
    tree.Entity: lambda node: [node.raw],
    tree.Escape: lambda node: ["\\" + node.value],
}
