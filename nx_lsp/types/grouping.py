"""Parentheses and braces that only group."""

from __future__ import annotations

from nx_lsp.syntax import tree


def unwrapped(node: tree.Node) -> tree.Node:
    """An expression without the parentheses and one-item braces around it."""
    while True:
        if isinstance(node, tree.Parenthesized):
            node = node.inner
        elif isinstance(node, (tree.Braced, tree.BodyBlock)) and len(node.items) == 1:
            node = node.items[0]
        else:
            return node
