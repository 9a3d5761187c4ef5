"""Prints parts of a syntax tree for the ``grouping`` and ``documentation`` fences.

Grouping shows which operator holds which operand: every operator application stands in
round brackets, the author's own brackets are left out, list items are separated by commas."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from nx_lsp.syntax import tree
from nx_lsp.syntax.source_file import SyntaxFile


def groupings(file: SyntaxFile) -> dict[str, str]:
    """The body of every value, function and component of a file, and its root, as text."""
    shown = {}
    for piece in file.pieces:
        node = piece.tree
        if isinstance(node, tree.ValueNode):
            shown[piece.key] = grouped(node.value)
        elif isinstance(node, tree.FunctionNode):
            shown[piece.key] = grouped(node.body)
        elif isinstance(node, tree.ComponentNode) and node.body is not None:
            shown[piece.key] = ", ".join(grouped(e) for e in node.body.rendered)
        elif isinstance(node, tree.RootNode):
            shown[piece.key] = grouped(node.element)
    return shown


def grouped(node: tree.Node) -> str:
    """One expression, element or body part."""
    match node:
        case tree.StringLiteral():
            return json.dumps(node.raw, ensure_ascii=False)
        case tree.NumberLiteral():
            return node.text
        case tree.BooleanLiteral():
            return "true" if node.value else "false"
        case tree.UnitLiteral():
            return "()"
        case tree.Identifier():
            return node.name
        case tree.ContextualName():
            return f"'{node.name}{node.suffixes}"
        case tree.QualifiedPattern():
            return f"'{node.name.text}"
        case tree.Unary():
            return f"({node.operator}{grouped(node.operand)})"
        case tree.Binary():
            return f"({grouped(node.left)} {node.operator} {grouped(node.right)})"
        case tree.Call():
            return f"{grouped(node.callee)}({_listed(node.arguments)})"
        case tree.Member():
            dot = "?." if node.optional else "."
            return f"{grouped(node.receiver)}{dot}{node.name.text}"
        case tree.PresenceTest():
            return f"({grouped(node.operand)}?)"
        case tree.Parenthesized():
            return grouped(node.inner)
        case tree.Braced():
            return f"{{{_listed(node.items)}}}"
        case tree.BodyBlock():
            return f"{{{_listed(node.items)}}}"
        case tree.PropertyBlock():
            return f"[{_listed(node.items)}]"
        case tree.Property():
            return f"{node.name.text}={grouped(node.value)}"
        case tree.If():
            text = f"if {grouped(node.condition)} then {grouped(node.then)}"
            return f"({text}{_else(node.otherwise)})"
        case tree.Match():
            arms = "; ".join(f"{_listed(a.patterns)} => {grouped(a.body)}" for a in node.arms)
            return f"(match {grouped(node.scrutinee)}: {arms}{_else(node.otherwise)})"
        case tree.ConditionList():
            arms = "; ".join(f"{grouped(a.condition)} => {grouped(a.body)}" for a in node.arms)
            return f"(first: {arms}{_else(node.otherwise)})"
        case tree.For():
            names = node.item.text + (f", {node.index.text}" if node.index else "")
            return f"(for {names} in {grouped(node.iterable)} do {grouped(node.body)})"
        case tree.TextRun():
            return json.dumps(node.raw, ensure_ascii=False)
        case tree.Entity():
            return node.raw
        case tree.Escape():
            return "\\" + node.value
        case tree.Element():
            return _element(node)
        case _:
            return f"<{type(node).__name__}>"


def _listed(nodes: Iterable[tree.Node]) -> str:
    return ", ".join(grouped(node) for node in nodes)


def _else(node: tree.Node | None) -> str:
    return "" if node is None else f" else {grouped(node)}"


_MODES = {"mixed": "", "text": ":", "typed": ":", "raw": ":"}


def _element(node: tree.Element, in_text: bool = False) -> str:
    """``in_text``: a child of a text body, whose tag has no colon of its own."""
    head = node.tag.text + ("" if in_text else _MODES[node.mode])
    if node.text_type is not None:
        head += node.text_type.text
    if node.mode == "raw":
        head += " raw" if node.text_type is not None else "raw"
    head = " ".join([head, *(grouped(entry) for entry in node.properties)])
    if node.body is None:
        return f"<{head}/>"
    inside_text = node.mode == "text"
    body = (
        _element(part, inside_text) if isinstance(part, tree.Element) else grouped(part)
        for part in node.body
    )
    return f"<{head}>({', '.join(body)})"


def documented(file: SyntaxFile) -> list[str]:
    """``path: "text"`` for each documented item of a file, in source order."""
    shown = []
    for piece in file.pieces:
        comments = file.documentation(piece.key)
        for path, start in _documentable(piece.tree):
            if start in comments:
                shown.append(f"{path}: {json.dumps(comments[start].text, ensure_ascii=False)}")
                comments = {at: text for at, text in comments.items() if at != start}
        shown.extend(f"?@{at}: {json.dumps(c.text)}" for at, c in comments.items())
    return shown


def _documentable(node: tree.PieceNode) -> Iterator[tuple[str, int]]:
    match node:
        case tree.RecordNode():
            yield node.name.text, node.start
            yield from _members(node.name.text, node.fields)
        case tree.UnionNode():
            yield node.name.text, node.start
            for case in node.cases:
                path = f"{node.name.text}.{case.name.text}"
                yield path, case.start
                yield from _members(path, case.fields or ())
        case tree.AliasNode() | tree.ValueNode():
            yield node.name.text, node.start
        case tree.FunctionNode():
            yield node.name.text, node.start
            yield from _members(node.name.text, node.parameters)
        case tree.ComponentNode():
            yield node.name.text, node.start
            yield from _members(node.name.text, node.properties)
            for entry in node.emits:
                path = f"{node.name.text}.{entry.name.text}"
                yield path, entry.start
                if isinstance(entry, tree.EmitDefinition):
                    yield from _members(path, entry.fields)
            if node.body is not None:
                yield from _members(f"{node.name.text}.State", node.body.state or ())


def _members(
    path: str, definitions: Iterable[tree.PropertyDefinition]
) -> Iterator[tuple[str, int]]:
    for definition in definitions:
        if not definition.is_type_parameter:
            yield f"{path}.{definition.name.text}", definition.start
