"""Nodes that survive an edit inside their piece.

A piece that was edited is parsed as a whole, but most of its tree is what it was: in the tree of a
function whose body was edited the parameters are the same, at the same places. Taking them over as
objects lets whoever depends on them, and not on the body, stay as it is.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Hashable
from typing import Any, cast

from nx_lsp.syntax.tree import Node


def shared(new: Node, old: Node) -> Node:
    """``old`` if the two trees are the same, positions included; else ``new`` with every part
    below it that is the same taken over from ``old``. Positions are relative to the piece."""
    if type(new) is not type(old):
        return new
    same = True
    for name, holds_nodes in _fields(cast("Hashable", type(new))):
        ours, theirs = getattr(new, name), getattr(old, name)
        if not holds_nodes:
            same = same and ours == theirs
            continue
        taken = _shared_value(ours, theirs)
        if taken is not ours:
            setattr(new, name, taken)
        same = same and (taken is theirs or _is_same_list(taken, theirs))
    return old if same else new


def _shared_value(new: Any, old: Any) -> Any:
    if isinstance(new, Node):
        return shared(new, old) if isinstance(old, Node) else new
    if isinstance(new, list) and isinstance(old, list):
        both = [_shared_value(ours, theirs) for ours, theirs in zip(new, old, strict=False)]
        return [*both, *new[len(both) :]]
    return new


def _is_same_list(new: Any, old: Any) -> bool:
    return (
        isinstance(new, list)
        and isinstance(old, list)
        and len(new) == len(old)
        and all(one is other for one, other in zip(new, old, strict=True))
    )


@functools.cache
def _fields(kind: Any) -> tuple[tuple[str, bool], ...]:
    """The fields of a class of nodes, and whether they hold nodes."""
    return tuple((each.name, each.name in kind.child_fields) for each in dataclasses.fields(kind))
