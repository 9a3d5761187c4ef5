"""The outline of a file: declarations with their members (editor-experience 3).

Made from the trees alone, so that it stays while the code is broken; only which functions are
tools is asked of the program.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from nx_lsp.ide.offers import is_tool, tool_name
from nx_lsp.ide.options import DEFAULT_OPTIONS, IdeOptions
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId
from nx_lsp.syntax import tree
from nx_lsp.syntax.spelling import spell_type

SymbolKind = Literal[
    "record",
    "action",
    "union",
    "case",
    "alias",
    "value",
    "function",
    "component",
    "field",
    "property",
    "state",
    "type parameter",
]


@dataclass(frozen=True, slots=True)
class Symbol:
    """``start``/``end``: the whole declaration or member; ``name_start``/``name_end``: its name,
    inside. Absolute code points. ``detail`` is the type, after ``tool`` for a tool."""

    name: str
    kind: SymbolKind
    detail: str
    start: int
    end: int
    name_start: int
    name_end: int
    children: tuple[Symbol, ...] = ()


def document_symbols(
    db: ProgramDatabase, module: str, options: IdeOptions = DEFAULT_OPTIONS
) -> tuple[Symbol, ...]:
    """The declarations of a module in source order; empty for an unknown module."""
    found = db.module(module)
    if found is None:
        return ()
    symbols: list[Symbol] = []
    for piece, start in zip(found.file.pieces, found.file.starts, strict=True):
        id = DeclarationId(module, piece.key)
        symbol = _Outliner(start).declaration(piece.tree, _tool_mark(db, id, piece.tree, options))
        if symbol is not None:
            symbols.append(symbol)
    return tuple(symbols)


def _tool_mark(db: ProgramDatabase, id: DeclarationId, node: tree.Node, options: IdeOptions) -> str:
    if isinstance(node, (tree.FunctionNode, tree.RootNode)) and is_tool(db, id, options):
        return f"tool {tool_name(db, id)}"
    return ""


class _Outliner:
    """Makes the symbols of one piece, which starts at ``base``."""

    def __init__(self, base: int) -> None:
        self.base = base

    def declaration(self, node: tree.Node, mark: str) -> Symbol | None:
        match node:
            case tree.RecordNode(name=name, keyword=keyword, fields=fields, extends=base):
                kind: SymbolKind = "action" if keyword == "action" else "record"
                detail = f"extends {base.text}" if base is not None else ""
                return self.symbol(node, name, kind, detail, self.members(fields, "field"))
            case tree.UnionNode(name=name, cases=cases, extends=base):
                detail = f"extends {base.text}" if base is not None else ""
                return self.symbol(node, name, "union", detail, map(self.case, cases))
            case tree.AliasNode(name=name, type=type):
                return self.symbol(node, name, "alias", _spelled(type))
            case tree.ValueNode(name=name, type=type):
                return self.symbol(node, name, "value", _spelled(type))
            case tree.FunctionNode(name=dotted, result=result):
                detail = " · ".join(part for part in (mark, _spelled(result)) if part)
                return self.symbol(node, dotted, "function", detail)
            case tree.ComponentNode():
                return self.component(node)
            case tree.RootNode(element=element):
                detail = " · ".join(part for part in (mark, f"<{element.tag.text}>") if part)
                return self.symbol(node, element.tag, "function", detail, name="root")
            case _:
                return None

    def component(self, node: tree.ComponentNode) -> Symbol | None:
        detail = f"extends {node.extends.text}" if node.extends is not None else ""
        children = list(self.members(node.properties, "property"))
        for entry in node.emits:
            if isinstance(entry, tree.EmitDefinition):
                fields = self.members(entry.fields, "field")
                children.append(self.symbol(entry, entry.name, "action", "emits", fields))
            else:
                children.append(self.symbol(entry, entry.name, "action", "emits"))
        if node.body is not None:
            children += self.members(node.body.state or (), "state")
        return self.symbol(node, node.name, "component", detail, children)

    def case(self, node: tree.UnionCase) -> Symbol | None:
        return self.symbol(node, node.name, "case", "", self.members(node.fields or (), "field"))

    def members(
        self, definitions: Iterable[tree.PropertyDefinition], kind: SymbolKind
    ) -> list[Symbol | None]:
        return [
            self.symbol(
                node,
                node.name,
                "type parameter" if node.is_type_parameter else kind,
                _spelled(node.type, optional=node.optional_mark is not None),
            )
            for node in definitions
        ]

    def symbol(
        self,
        node: tree.Node,
        name_node: tree.Name | tree.DottedName,
        kind: SymbolKind,
        detail: str,
        children: Iterable[Symbol | None] = (),
        name: str | None = None,
    ) -> Symbol | None:
        """A symbol, or ``None`` where no name was written."""
        text = name or name_node.text
        if not text.strip("."):
            return None
        below = tuple(child for child in children if child is not None)
        start, end = node.start + self.base, node.end + self.base
        name_start = min(max(name_node.start + self.base, start), end)
        name_end = min(max(name_node.end + self.base, name_start), end)
        return Symbol(text, kind, detail, start, end, name_start, name_end, below)


def _spelled(type: tree.TypeNode | None, *, optional: bool = False) -> str:
    if type is None or isinstance(type, tree.MissingType):
        return ""
    text = spell_type(type)
    return f"{text}, optional" if optional else text
