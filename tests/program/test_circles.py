"""Walks over needs: groups in order, circles that share their answer, what is walked how often."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nx_lsp.engine import query
from nx_lsp.program.circles import Circle, circle_of, components, settle
from nx_lsp.program.database import LinkedProgram, ProgramDatabase
from nx_lsp.program.declarations import DeclarationId

SIZE = 7
Graph = dict[int, tuple[int, ...]]

graphs = st.fixed_dictionaries(
    {n: st.lists(st.integers(0, SIZE - 1), max_size=3).map(tuple) for n in range(SIZE)}
)


def id_of(number: int) -> DeclarationId:
    return DeclarationId("main.nx", str(number))


def database(graph: Graph) -> ProgramDatabase:
    db = ProgramDatabase(LinkedProgram(()))
    db.set_inputs(list(graph.items()))
    return db


@query
def needs(db: ProgramDatabase, id: DeclarationId) -> tuple[DeclarationId, ...]:
    return tuple(map(id_of, db.input(int(id.name))))


@query
def circle(db: ProgramDatabase, id: DeclarationId) -> Circle:
    return circle_of(db, circle, id, lambda each: needs(db, each))


def reached(graph: Graph, start: int) -> set[int]:
    """What ``start`` needs, directly or not."""
    found: set[int] = set()
    waiting = list(graph[start])
    while waiting:
        number = waiting.pop()
        if number not in found:
            found.add(number)
            waiting.extend(graph[number])
    return found


def expected(graph: Graph, start: int) -> Circle:
    if start not in reached(graph, start):
        return ()
    both = (n for n in reached(graph, start) if start in reached(graph, n))
    return tuple(sorted(map(id_of, both)))


@given(graphs)
def test_groups_are_the_circles_each_after_what_it_needs(graph: Graph) -> None:
    met: set[DeclarationId] = set()
    last: list[DeclarationId] = []
    for group in components(id_of(0), lambda id: map(id_of, graph[int(id.name)])):
        numbers = {int(each.name) for each in group}
        assert set(group) == (set(expected(graph, min(numbers))) or set(group[:1]))
        needed = {id_of(other) for number in numbers for other in graph[number]}
        assert needed <= met | set(group)
        met |= set(group)
        last = group
    assert id_of(0) in last
    assert met == {id_of(n) for n in reached(graph, 0) | {0}}


@given(graphs, st.lists(st.tuples(st.integers(0, SIZE - 1), graphs), max_size=4))
def test_circles_are_found_whoever_is_asked_and_whatever_changes(
    graph: Graph, edits: list[tuple[int, Graph]]
) -> None:
    db = database(graph)
    graph = dict(graph)
    for first, other in [(0, graph), *edits]:
        graph[first] = other[first]
        graph[(first + 1) % SIZE] = other[(first + 1) % SIZE]
        db.set_inputs(list(graph.items()))
        for number in sorted(range(SIZE), key=lambda n: (n - first) % SIZE):
            assert circle(db, id_of(number)) == expected(graph, number)


def test_a_long_chain_and_a_large_circle_are_walked_once() -> None:
    length = 20_000
    chain: Graph = {n: (n + 1,) for n in range(length)} | {length: ()}
    db = database(chain)
    for number in range(0, length, 100):
        assert circle(db, id_of(number)) == ()
    assert db.runs["circle"] == length + 1
    db.set_input(length, (0,))
    for number in range(0, length, 100):
        assert len(circle(db, id_of(number))) == length + 1
    assert db.runs["circle"] == length + 2


def test_settling_asks_the_innermost_first() -> None:
    asked: list[str] = []

    @query
    def answer(db: ProgramDatabase, id: DeclarationId) -> None:
        asked.append(id.name)

    db = database({0: (1, 2), 1: (2,), 2: (), 3: (0,)})
    settle(db, answer, id_of(0), lambda each: needs(db, each))
    settle(db, answer, id_of(3), lambda each: needs(db, each))
    assert asked == ["2", "1", "0", "3"]
