"""The query engine: memo, dependencies, early cut-off, giving way, eviction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nx_lsp.engine import Database, QueryCancelled, QueryCycleError, query


@query
def length(db: Database, name: str) -> int:
    return len(db.input(name))


@query
def is_long(db: Database, name: str) -> bool:
    return length(db, name) > 3


@query
def verdict(db: Database, name: str) -> str:
    return f"{name} is {'long' if is_long(db, name) else 'short'}"


def test_an_answer_is_computed_once_and_then_reused() -> None:
    db = Database()
    db.set_input("a", "xy")
    assert [verdict(db, "a"), verdict(db, "a")] == ["a is short", "a is short"]
    assert db.runs["verdict"] == 1
    assert db.reused == 1


def test_an_equal_answer_stops_the_change_there() -> None:
    db = Database()
    db.set_input("a", "xy")
    verdict(db, "a")
    db.set_input("a", "xyz")
    assert verdict(db, "a") == "a is short"
    # The length became another, whether it is long did not: the verdict never ran again.
    assert (db.runs["length"], db.runs["is_long"], db.runs["verdict"]) == (2, 2, 1)
    assert db.cut_offs["is_long"] == 1


def test_a_change_reaches_only_its_readers() -> None:
    db = Database()
    db.set_inputs([("a", "xy"), ("b", "xy")])
    verdict(db, "a")
    verdict(db, "b")
    db.set_input("b", "wxyz")
    assert verdict(db, "a") == "a is short"
    assert verdict(db, "b") == "b is long"
    assert db.runs["verdict"] == 3
    assert db.runs["length"] == 3


def test_an_equal_input_starts_no_revision() -> None:
    db = Database()
    assert db.set_input("a", "xy")
    before = db.revision
    assert not db.set_input("a", "xy")
    assert db.revision == before


@query
def present(db: Database, name: str) -> bool:
    return db.input(name) is not None


def test_a_look_up_that_found_nothing_is_a_dependency() -> None:
    db = Database()
    assert not present(db, "later")
    db.set_input("later", "x")
    assert present(db, "later")


@query
def chosen(db: Database) -> str:
    return str(db.input("left") if db.input("switch") else db.input("right"))


def test_a_reader_forgets_what_it_no_longer_reads() -> None:
    db = Database()
    db.set_inputs([("switch", True), ("left", "l"), ("right", "r")])
    assert chosen(db) == "l"
    db.set_input("right", "r2")
    assert chosen(db) == "l"
    assert db.runs["chosen"] == 1
    db.set_input("switch", False)
    assert chosen(db) == "r2"
    db.set_input("left", "l2")
    assert chosen(db) == "r2"
    assert db.runs["chosen"] == 2


@query
def ping(db: Database, n: int) -> int:
    return pong(db, n) + 1


@query
def pong(db: Database, n: int) -> int:
    return ping(db, n) + 1 if db.input("cyclic") else n


def test_a_cycle_is_reported_and_leaves_the_database_usable() -> None:
    db = Database()
    db.set_input("cyclic", True)
    with pytest.raises(QueryCycleError, match="ping"):
        ping(db, 1)
    db.set_input("cyclic", False)
    assert ping(db, 1) == 2


def test_a_query_may_not_change_an_input() -> None:
    @query
    def meddles(db: Database) -> None:
        db.set_input("a", 1)

    with pytest.raises(RuntimeError, match="may not change"):
        meddles(Database())


def test_work_gives_way_and_can_be_taken_up_again() -> None:
    db = Database()
    db.set_input("a", "xyzw")

    @query
    def interrupted(db: Database) -> str:
        first = verdict(db, "a")
        if db.input("stop"):
            db.cancel()
        return first + " " + verdict(db, "b")

    db.set_inputs([("stop", True), ("b", "")])
    with pytest.raises(QueryCancelled):
        interrupted(db)
    db.resume()
    db.set_input("stop", False)
    assert interrupted(db) == "a is long b is short"
    assert db.runs["verdict"] == 2  # what was done before giving way was kept


def test_a_failing_query_is_asked_again() -> None:
    @query
    def fragile(db: Database) -> int:
        return 10 // int(db.input("n"))

    db = Database()
    db.set_input("n", 0)
    with pytest.raises(ZeroDivisionError):
        fragile(db)
    db.set_input("n", 5)
    assert fragile(db) == 2


def test_eviction_drops_answers_not_truth() -> None:
    db = Database()
    db.set_input("a", "xy")
    verdict(db, "a")
    assert db.evict(lambda name, key: name != "length") == 1
    assert db.remembered() == 2
    db.set_input("a", "wxyz")
    assert verdict(db, "a") == "a is long"


def test_what_is_kept_counts_as_having_read_what_was_dropped_below_it() -> None:
    db = Database()
    db.set_inputs([("a", "xy"), ("b", "xy")])
    verdict(db, "a")
    verdict(db, "b")
    db.evict(lambda name, key: name == "verdict")
    assert db.is_settled(verdict, "a")
    db.set_input("b", "wxyz")
    assert db.is_settled(verdict, "a")
    assert not db.is_settled(verdict, "b")
    before = db.runs.total()
    assert verdict(db, "a") == "a is short"
    assert db.runs.total() == before
    assert verdict(db, "b") == "b is long"


def test_what_was_doubtful_runs_again_after_an_eviction() -> None:
    db = Database()
    db.set_input("a", "xy")
    verdict(db, "a")
    db.set_input("a", "wxyz")
    length(db, "a")
    db.evict(lambda name, key: name == "verdict")
    assert verdict(db, "a") == "a is long"
    db.set_input("a", "x")
    assert verdict(db, "a") == "a is short"


def test_a_change_makes_doubtful_what_stands_on_it_and_nothing_else() -> None:
    db = Database()
    db.set_inputs([("a", "xy"), ("b", "xy")])
    assert not db.is_settled(verdict, "a")
    verdict(db, "a")
    verdict(db, "b")
    db.set_input("a", "xyz")
    assert not db.is_settled(verdict, "a")
    assert db.is_settled(verdict, "b")
    verdict(db, "a")
    assert db.is_settled(verdict, "a")


@query
def sum_of_all(db: Database) -> int:
    return sum(length(db, f"n{i}") for i in range(500))


def test_a_question_costs_what_has_become_doubtful() -> None:
    """Of five hundred answers below a sum one is looked at again; the others are only read."""
    db = Database()
    db.set_inputs([(f"n{i}", "x") for i in range(500)])
    assert sum_of_all(db) == 500
    before = db.runs.total()
    db.set_input("n7", "y")
    assert sum_of_all(db) == 500
    assert db.runs.total() == before + 1
    db.set_input("n7", "yy")
    assert sum_of_all(db) == 501
    assert db.runs.total() == before + 3


@query
def in_turns(db: Database) -> int:
    return length(db, "even") if db.input("turn") % 2 == 0 else length(db, "odd")


def test_readers_that_come_and_go_do_not_pile_up() -> None:
    db = Database()
    db.set_inputs([("even", "xx"), ("odd", "x")])
    for turn in range(2000):
        db.set_input("turn", turn)
        assert in_turns(db) == 2 - turn % 2
    assert max(len(memo.readers) for memo in db._memos.values()) <= 128


class Squares(Database):
    """Knows the first value of inputs that are numbers."""

    def first_value(self, key: object) -> object:
        return key * key if isinstance(key, int) else None


@query
def square(db: Squares, n: int) -> int:
    answer: int = db.input(n)
    return answer


def test_a_subclass_knows_inputs_that_were_never_set() -> None:
    db = Squares()
    assert square(db, 7) == 49
    assert db.has_input(7)
    assert not db.has_input(8)
    db.set_input(7, 50)
    assert square(db, 7) == 50
    db.set_input(7, 49)
    assert square(db, 7) == 49
    db.evict(lambda name, key: False)
    assert not db.has_input(7)
    assert square(db, 7) == 49


@dataclass(frozen=True)
class Boxed:
    inside: dict[str, int]
    note: str = field(default="", compare=False)


@query
def in_order(db: Database) -> object:
    return db.input("made")()


@query
def first_key(db: Database) -> object:
    found: Any = in_order(db)
    while not isinstance(found, dict):
        found = found.inside if isinstance(found, Boxed) else found[0]
    return next(iter(found))


@pytest.mark.parametrize(
    "wrapped", [lambda made: made, lambda made: [made], lambda made: (Boxed(made), 1), Boxed]
)
def test_the_order_of_a_mapping_is_part_of_an_answer(wrapped: Callable[[Any], object]) -> None:
    db = Database()
    db.set_input("made", lambda: wrapped({"a": 1, "b": 2}))
    assert first_key(db) == "a"
    db.set_input("made", lambda: wrapped({"b": 2, "a": 1}))
    assert first_key(db) == "b"
    runs = db.runs["first_key"]
    db.set_input("made", lambda: wrapped({"b": 2, "a": 1}))
    assert first_key(db) == "b"
    assert db.runs["first_key"] == runs


# A random graph of queries under random edits equals a from-scratch run.

NODES = 8
INPUTS = 4


@query
def node(db: Database, index: int) -> int:
    """Node ``index`` combines, as its input ``("rule", index)`` says, inputs and lower nodes;
    which it reads depends on what it finds."""
    total = 0
    for kind, target, divisor in db.input(("rule", index)):
        if kind == "input":
            total += db.input(("value", target))
        elif target < index:
            below = node(db, target)
            total += below // divisor
            if below % 2:
                break
    return total // 2


rules = st.lists(
    st.tuples(st.sampled_from(["input", "node"]), st.integers(0, NODES - 1), st.integers(1, 3)),
    max_size=4,
).map(lambda found: tuple((k, t % INPUTS if k == "input" else t, d) for k, t, d in found))
changes = st.one_of(
    st.tuples(st.just("value"), st.integers(0, INPUTS - 1), st.integers(0, 6)),
    st.tuples(st.just("rule"), st.integers(0, NODES - 1), rules),
    st.tuples(st.just("evict"), st.just(0), st.frozensets(st.integers(0, NODES - 1), min_size=1)),
)


@settings(max_examples=500, deadline=None)
@given(
    st.lists(rules, min_size=NODES, max_size=NODES),
    st.lists(st.tuples(changes, st.integers(0, NODES - 1)), max_size=25),
)
def test_any_sequence_of_edits_equals_a_fresh_run(start: list[object], edits: list[object]) -> None:
    inputs: dict[tuple[str, int], object] = {("rule", i): rule for i, rule in enumerate(start)}
    inputs |= {("value", i): i for i in range(INPUTS)}
    db = Database()
    db.set_inputs(inputs.items())
    for (kind, index, value), asked in edits:  # type: ignore[misc]
        if kind == "evict":
            db.evict(lambda name, key, gone=value: key[0] not in gone)
        else:
            inputs[kind, index] = value
            db.set_input((kind, index), value)
        fresh = Database()
        fresh.set_inputs(inputs.items())
        sure = [index for index in range(NODES) if db.is_settled(node, index)]
        runs = db.runs.total()
        assert [node(db, index) for index in sure] == [node(fresh, index) for index in sure]
        assert db.runs.total() == runs
        assert node(db, asked) == node(fresh, asked)


# ---------------------------------------------------------------- long chains


@query
def sum_from(db: Database, number: int) -> int:
    """The inputs from ``number`` on, up to the first that is missing; a chain of queries."""
    own = db.input(number)
    return 0 if own is None else own + sum_from(db, number + 1)


def test_a_chain_longer_than_the_stack_of_python_is_brought_up_to_date() -> None:
    length = 50_000
    db = Database()
    db.set_inputs([(number, 1) for number in range(length)])
    for number in range(length, -1, -1):  # innermost first, as nothing else could be asked
        sum_from(db, number)
    db.set_input(length - 1, 2)
    assert sum_from(db, 0) == length + 1
    db.set_input("unrelated", 1)
    assert sum_from(db, 0) == length + 1
    assert db.runs["sum_from"] == 2 * length + 1


def test_what_is_settled_is_what_runs_nothing() -> None:
    db = Database()
    db.set_input("a", "xy")
    assert not db.is_settled(verdict, "a")
    verdict(db, "a")
    assert db.is_settled(verdict, "a")
    assert db.is_settled(length, "a")
    assert not db.is_settled(verdict, "b")
    db.set_input("b", "xy")
    assert db.is_settled(verdict, "a")
    db.set_input("a", "xyz")
    assert not db.is_settled(verdict, "a")  # true or not, it has to be looked at


def test_asking_what_is_settled_is_no_dependency() -> None:
    @query
    def peeks(db: Database) -> str:
        return "done" if db.is_settled(verdict, "a") else "done later"

    db = Database()
    db.set_input("a", "xy")
    assert peeks(db) == "done later"
    db.set_input("a", "xyz")
    peeks(db)
    assert db.runs["peeks"] == 1


@query
def group(db: Database, name: str) -> tuple[str, ...]:
    """All names that the input ``members`` lists with ``name``; each lists the others."""
    found: tuple[str, ...] = db.input("members")
    if name not in found:
        return ()
    for each in found:
        db.share(each)
    return found


def test_a_shared_answer_holds_for_the_other_keys_until_it_changes() -> None:
    db = Database()
    db.set_input("members", ("a", "b", "c"))
    assert group(db, "a") == group(db, "b") == group(db, "c") == ("a", "b", "c")
    assert db.runs["group"] == 1
    db.set_input("unrelated", 1)
    assert group(db, "c") == ("a", "b", "c")
    assert db.runs["group"] == 1
    db.set_input("members", ("a", "b"))
    assert [group(db, name) for name in "cab"] == [(), ("a", "b"), ("a", "b")]
    db.set_input("members", ("c", "b"))
    assert [group(db, name) for name in "bca"] == [("c", "b"), ("c", "b"), ()]


def test_only_a_running_query_shares() -> None:
    with pytest.raises(RuntimeError):
        Database().share("a")
