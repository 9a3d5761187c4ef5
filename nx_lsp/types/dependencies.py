"""Walks over "needs" relations between declarations: aliases, unannotated functions.

A query that asked for its needs by recursion would fail on a cycle and overflow on a long chain;
these walks are iterative and meet every declaration once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from nx_lsp.program.declarations import DeclarationId

Needs = Callable[[DeclarationId], Iterable[DeclarationId]]


def dependency_order(start: DeclarationId, needs: Needs) -> list[DeclarationId]:
    """All declarations that ``start`` needs, directly or not, each after what it needs itself
    (``start`` last). In a cycle the order is that of the walk."""
    order: list[DeclarationId] = []
    seen = {start}
    stack: list[tuple[DeclarationId, Iterator[DeclarationId]]] = [(start, iter(needs(start)))]
    while stack:
        current, below = stack[-1]
        following = next((each for each in below if each not in seen), None)
        if following is None:
            order.append(current)
            stack.pop()
        else:
            seen.add(following)
            stack.append((following, iter(needs(following))))
    return order


def depends_on_itself(start: DeclarationId, needs: Needs) -> bool:
    """Does ``start`` need itself, directly or through others?"""
    seen: set[DeclarationId] = set()
    stack = list(needs(start))
    while stack:
        current = stack.pop()
        if current == start:
            return True
        if current not in seen:
            seen.add(current)
            stack.extend(needs(current))
    return False
