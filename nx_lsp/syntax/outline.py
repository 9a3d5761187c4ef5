"""The outline of a piece: what other files may need to know of it, without its tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Union

from nx_lsp.syntax import tree

PieceKind = Literal[
    "import",
    "record",
    "action",
    "union",
    "alias",
    "value",
    "function",
    "component",
    "root",
    "error",
]


@dataclass(frozen=True, slots=True)
class Outline:
    """Kind, name and header words of a piece.

    ``name`` is the declared name (dotted for element functions and components), ``None`` for
    imports, the root element and error regions. ``extends`` is the base as written, its parts
    joined by dots. ``name_start``/``name_end``: code points, relative to the piece; both 0 if
    there is no name. ``external`` and ``abstract`` are the words written, allowed or not."""

    kind: PieceKind
    name: str | None = None
    visibility: Literal["private", "internal", "export"] = "internal"
    abstract: bool = False
    external: bool = False
    extends: str | None = None
    name_start: int = 0
    name_end: int = 0


def outline_of(node: tree.PieceNode) -> Outline:
    """The outline of a piece that has been parsed."""
    match node:
        case tree.Import():
            return Outline("import")
        case tree.RootNode():
            return Outline("root")
        case tree.ErrorNode():
            return Outline("error")
        case tree.RecordNode():
            kind: PieceKind = "action" if node.keyword == "action" else "record"
            return _declared(kind, node, node.extends, abstract=node.abstract)
        case tree.UnionNode():
            return _declared("union", node, node.extends)
        case tree.AliasNode():
            return _declared("alias", node)
        case tree.ValueNode():
            return _declared("value", node)
        case tree.FunctionNode():
            return _declared("function", node)
        case tree.ComponentNode():
            return _declared(
                "component", node, node.extends, abstract=node.abstract, external=node.external
            )


def _declared(
    kind: PieceKind,
    node: Union[
        tree.RecordNode,
        tree.UnionNode,
        tree.AliasNode,
        tree.ValueNode,
        tree.FunctionNode,
        tree.ComponentNode,
    ],
    extends: tree.DottedName | None = None,
    *,
    abstract: bool = False,
    external: bool = False,
) -> Outline:
    return Outline(
        kind,
        node.name.text,
        node.visibility or "internal",
        abstract,
        external,
        extends.text if extends is not None else None,
        node.name.start,
        node.name.end,
    )
