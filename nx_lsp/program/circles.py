"""Walks over "needs" relations between declarations: aliases, bases, unannotated functions.

A query that asked for its needs by plain recursion would fail on a circle and overflow on a long
chain. ``settle`` asks it innermost first; ``circle_of`` finds the circles. Both walk what was
walked before, in the same state of the program, only once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator

from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId

Needs = Callable[[DeclarationId], Iterable[DeclarationId]]
Circle = tuple[DeclarationId, ...]


def components(
    start: DeclarationId, needs: Needs, skip: Callable[[DeclarationId], bool] = lambda _: False
) -> Iterator[list[DeclarationId]]:
    """All declarations that ``start`` needs, directly or not, grouped: those that need each other
    together, and each group after the groups it needs, so that the last one holds ``start``.

    Declarations for which ``skip`` is true are not entered (``start`` always is). This is Tarjan's
    algorithm with a stack of its own; ``needs`` is asked once of each."""
    index: dict[DeclarationId, int] = {start: 0}
    lowest: dict[DeclarationId, int] = {start: 0}
    open_ones: list[DeclarationId] = [start]
    is_open = {start}
    stack: list[tuple[DeclarationId, Iterator[DeclarationId]]] = [(start, iter(needs(start)))]
    while stack:
        current, below = stack[-1]
        for each in below:
            if each not in index:
                if skip(each):
                    continue
                index[each] = lowest[each] = len(index)
                open_ones.append(each)
                is_open.add(each)
                stack.append((each, iter(needs(each))))
                break
            if each in is_open:
                lowest[current] = min(lowest[current], index[each])
        else:
            stack.pop()
            if stack:
                above = stack[-1][0]
                lowest[above] = min(lowest[above], lowest[current])
            if lowest[current] == index[current]:
                group: list[DeclarationId] = []
                while not group or group[-1] != current:
                    group.append(open_ones.pop())
                    is_open.discard(group[-1])
                group.reverse()
                yield group


def settle(
    db: ProgramDatabase,
    query: Callable[..., object],
    start: DeclarationId,
    needs: Needs,
    *rest: Hashable,
) -> None:
    """Ask ``query(db, id, *rest)`` of everything that ``start`` needs, innermost first; of
    ``start`` itself last. What is settled already is not walked again, so that all the walks over
    one chain together cost as much as one."""
    if db.is_settled(query, start, *rest):
        return
    for group in components(start, needs, lambda each: db.is_settled(query, each, *rest)):
        for each in group:
            query(db, each, *rest)


def circle_of(
    db: ProgramDatabase,
    query: Callable[..., Circle],
    id: DeclarationId,
    needs: Needs,
    *rest: Hashable,
) -> Circle:
    """The declarations that need each other in a circle with ``id``, ``id`` among them, sorted;
    empty if it does not need itself.

    The answer of ``query(db, id, *rest)``, which may do no more than call this. The members of a
    circle share it, so that each chain and each circle is walked once."""
    groups = list(components(id, needs, lambda each: db.is_settled(query, each, *rest)))
    for group in groups[:-1]:
        for each in group:
            query(db, each, *rest)
    members = groups[-1]
    inside = frozenset(members)
    if len(members) == 1 and id not in needs(id):
        inside = frozenset()
    for member in members:
        for each in needs(member):
            if each not in inside and each != id:
                settled = query(db, each, *rest)
                if id in settled:
                    return settled
    for each in inside:
        db.share(each, *rest)
    return tuple(sorted(inside))
