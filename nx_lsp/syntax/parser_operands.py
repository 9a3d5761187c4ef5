"""Small parts of expressions that several parts of the parser need."""

from __future__ import annotations

from typing import Literal

from nx_lsp.syntax import tree

BINARY = {
    "??": 125,
    "*": 120,
    "/": 120,
    "%": 120,
    "+": 110,
    "-": 110,
    "..": 100,
    "..=": 100,
    "<": 90,
    "<=": 90,
    ">": 90,
    ">=": 90,
    "==": 80,
    "!=": 80,
    "&&": 40,
    "||": 30,
}
"""Binary operators and their level in the table of syntax 1.10."""


def number_literal(start: int, end: int, text: str) -> tree.NumberLiteral:
    """A number token as a node."""
    kind: Literal["int", "real", "hex"] = "int"
    if text[:2] in ("0x", "0X"):
        kind = "hex"
    elif "." in text:
        kind = "real"
    return tree.NumberLiteral(start, end, kind, text)


def presence_mark(node: tree.Expression) -> int | None:
    """The offset of the first ``?`` of a presence test along the operands of ``node``."""
    stack: list[tree.Node] = [node]
    marks: list[int] = []
    while stack:
        current = stack.pop()
        if isinstance(current, tree.PresenceTest):
            marks.append(current.end - 1)
            stack.append(current.operand)
        elif isinstance(current, (tree.Binary, tree.Unary)):
            stack.extend(tree.children(current))
        elif isinstance(current, tree.Member):
            stack.append(current.receiver)
        elif isinstance(current, tree.Call):
            stack.append(current.callee)
    return min(marks) if marks else None
