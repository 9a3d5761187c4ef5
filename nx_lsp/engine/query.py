"""Inputs, memoized queries with recorded dependencies, revisions and early cut-off.

How it works, in short. An answer that was asked for knows what it read, and what it read knows its
readers. Every change of an input starts a new *revision* and makes whatever stands on the input
*doubtful*, readers of readers included; all else stays *sure* and is given out without a look. A
doubtful answer that is asked for first has what it read made sure, in the order it was read. Only
if one of that became another does it run again, and if that gives an equal answer, the old one
stays and its readers need not run: early cut-off. So an edit costs what it reaches, and a question
what has become doubtful below it, however much else is known.

Invariants:

* a query reads nothing but its key, inputs and other queries; it has no effects;
* a sure memo equals what a fresh database would compute, and all it read is sure;
* whoever reads a sure cell is among its ``readers``; whoever reads a doubtful one is as doubtful;
* ``changed_at <= verified_at <= revision`` for every memo.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any, Concatenate, ParamSpec, TypeVar, Union, cast

DB = TypeVar("DB", bound="Database")
P = ParamSpec("P")
R = TypeVar("R")

_MISSING: Any = object()
_MAY_DIFFER = -1
"""``looked_at`` of an answer whose reads are not worth comparing: it has to run."""


class QueryCycleError(RuntimeError):
    """A query asked for its own answer. Queries that may meet cycles in user code (aliases,
    ``extends``) walk them with a visited set instead; reaching this is a defect of ours."""


class QueryCancelled(BaseException):
    """The work was asked to give way (``Database.cancel``). Derived from ``BaseException`` so
    that no handler for ordinary failures swallows it."""


class _Input:
    """One input: a value and the revision in which it last changed."""

    __slots__ = ("changed_at", "cleared_at", "readers", "value")

    def __init__(self, value: object, changed_at: int) -> None:
        self.value = value
        self.changed_at = changed_at
        self.cleared_at = changed_at
        self.readers: list[_Memo] = []


class _Memo:
    """The remembered answer of one query for one key."""

    __slots__ = (
        "answer",
        "arguments",
        "changed_at",
        "cleared_at",
        "dependencies",
        "function",
        "looked_at",
        "readers",
        "running",
        "shared",
        "sure",
        "verified_at",
    )

    def __init__(self, function: Callable[..., Any], arguments: tuple[Hashable, ...]) -> None:
        self.function = function
        self.arguments = arguments
        self.answer: Any = _MISSING
        self.sure = False
        """Whether the answer holds in the current revision."""
        self.changed_at = 0
        self.verified_at = 0
        """When the answer was last found to hold."""
        self.cleared_at = 0
        """When the readers were last told that it is doubtful, and forgotten."""
        self.dependencies: tuple[_Cell, ...] = ()
        self.readers: list[_Memo] = []
        """A stale entry does no harm: that memo is verified once more than it needs to be."""
        self.running = False
        self.looked_at: int | None = None
        """How many reads are known to have stayed while the others are still being compared."""
        self.shared = False
        """Whether the answer was taken over from another key (``Database.share``)."""


_Cell = Union[_Input, _Memo]


class Database:
    """Inputs and the memo of every query asked on them.

    Not safe for concurrent use: one thread asks at a time; ``cancel`` may be called from any."""

    def __init__(self) -> None:
        self.revision = 1
        self.runs: Counter[str] = Counter()
        """Times each query ran, by its name."""
        self.reused = 0
        """Times a remembered answer was given."""
        self.cut_offs: Counter[str] = Counter()
        """Times a run gave an equal answer again, which spared its readers."""
        self._inputs: dict[Hashable, _Input] = {}
        self._memos: dict[tuple[Callable[..., Any], tuple[Hashable, ...]], _Memo] = {}
        self._reading: list[dict[_Cell, None]] = []
        self._shared: list[list[tuple[Hashable, ...]]] = []
        """For each running query the other keys that its answer is the answer for."""
        self._cancelled = False

    # -- inputs

    def set_input(self, key: Hashable, value: object) -> bool:
        """Give the input ``key`` a value; return whether that changed it.

        An equal value changes nothing and starts no revision. Raises ``RuntimeError`` when
        called from inside a query."""
        return self.set_inputs([(key, value)])

    def set_inputs(self, changes: Iterable[tuple[Hashable, object]]) -> bool:
        """Give several inputs their values in one revision; return whether any changed."""
        if self._reading:
            raise RuntimeError("a query may not change an input")
        real = [
            (key, value)
            for key, value in changes
            if key not in self._inputs or not _same(self._inputs[key].value, value)
        ]
        if not real:
            return False
        self.revision += 1
        for key, value in real:
            cell = self._inputs.get(key)
            if cell is None:
                self._inputs[key] = _Input(value, self.revision)
            else:
                cell.value = value
                cell.changed_at = self.revision
                self._doubt_readers(cell)
        return True

    def input(self, key: Hashable) -> Any:
        """The value of the input ``key``, ``None`` if it was never set; recorded as read, also
        when it is missing, so that setting it later is noticed."""
        cell = self._inputs.get(key)
        if cell is None:
            cell = self._inputs[key] = _Input(self.first_value(key), self.revision)
        if self._reading:
            self._reading[-1][cell] = None
        return cell.value

    def first_value(self, key: Hashable) -> object:
        """The value of an input that is read before it was ever set: what a subclass can work
        out from other state, which it then sets anew whenever that changes."""
        return None

    def has_input(self, key: Hashable) -> bool:
        """Whether the input was set or read; not recorded as read."""
        return key in self._inputs

    def _doubt_readers(self, changed: _Cell) -> None:
        """Whatever stands on ``changed`` may no longer hold."""
        revision = self.revision
        waiting: list[_Cell] = [changed]
        while waiting:
            cell = waiting.pop()
            if cell.readers:
                cell.cleared_at = revision
                for reader in cell.readers:
                    if reader.sure:
                        reader.sure = False
                        waiting.append(reader)
                cell.readers = []

    # -- giving way

    def cancel(self) -> None:
        """Ask the running query to give way: it ends with ``QueryCancelled`` at its next read.
        May be called from another thread. Answers already remembered stay."""
        self._cancelled = True

    def resume(self) -> None:
        """Forget an earlier ``cancel``."""
        self._cancelled = False

    # -- memory

    def evict(self, keep: Callable[[str, tuple[Hashable, ...]], bool]) -> int:
        """Drop the answers for which ``keep(query name, key)`` is false; return how many.

        An answer that is kept then counts as having read what the dropped ones below it read: it
        stays as true as it was, and holds nothing of them in memory. Inputs that nobody reads any
        more and that ``first_value`` knows are dropped too. Raises ``RuntimeError`` when called
        from inside a query."""
        if self._reading:
            raise RuntimeError("a query may not evict")
        dropped = {
            memo: key
            for key, memo in self._memos.items()
            if not keep(memo.function.__name__, memo.arguments)
        }
        if not dropped:
            return 0
        for key in dropped.values():
            del self._memos[key]
        below: dict[_Memo, dict[_Cell, None]] = {}
        for memo in self._memos.values():
            if any(each in dropped for each in memo.dependencies):
                if memo.sure:
                    memo.dependencies = tuple(_without(memo.dependencies, dropped, below))
                else:
                    # What it read may have become another without its knowing: it must run again.
                    memo.dependencies = (_Input(None, self.revision + 1),)
        self._register_anew()
        return len(dropped)

    def _register_anew(self) -> None:
        """Every cell has as readers those memos that are left."""
        for cell in self._inputs.values():
            cell.readers = []
        for memo in self._memos.values():
            memo.readers = []
        for memo in self._memos.values():
            for each in memo.dependencies:
                each.readers.append(memo)
        unread = [
            key
            for key, cell in self._inputs.items()
            if not cell.readers and _same(cell.value, self.first_value(key))
        ]
        for key in unread:
            del self._inputs[key]

    def remembered(self) -> int:
        """How many answers are kept."""
        return len(self._memos)

    # -- what is known

    def is_settled(self, asked: Callable[..., Any], *arguments: Hashable) -> bool:
        """Whether the query ``asked`` has its answer for a key ready: asking runs nothing, and
        gives what it gave the last time. Recorded nowhere: good for the order in which one asks
        and for leaving out what is known, never for an answer."""
        memo = self._memos.get((getattr(asked, "__wrapped__", asked), arguments))
        return memo is not None and memo.sure

    def share(self, *arguments: Hashable) -> None:
        """Say, inside a query, that its answer is the one for this other key too, as long as the
        answer stays what it is. The members of a circle can so be answered by one walk.

        Raises ``RuntimeError`` outside of a query."""
        if not self._shared:
            raise RuntimeError("only a running query can share its answer")
        self._shared[-1].append(arguments)

    # -- the algorithm

    def _ask(self, function: Callable[..., Any], arguments: tuple[Hashable, ...]) -> Any:
        if self._cancelled:
            raise QueryCancelled
        key = (function, arguments)
        memo = self._memos.get(key)
        if memo is None:
            memo = self._memos[key] = _Memo(function, arguments)
            self._make_sure(memo)
        elif memo.sure:
            self.reused += 1
        else:
            self._make_sure(memo)
        if self._reading:
            self._reading[-1][memo] = None
        return memo.answer

    def _make_sure(self, memo: _Memo) -> None:
        """Make a doubtful ``memo`` hold for the current revision: at once if nothing that it read
        has changed, else by running it again.

        Reads are looked at in the order they were made, up to the first that changed (a later one
        may exist only because of what the earlier one said). The stack of what is being looked at
        is our own, so that no chain of reads is too long for Python's."""
        if memo.running:
            raise QueryCycleError(f"{memo.function.__name__}{memo.arguments!r} depends on itself")
        if memo.looked_at is not None:
            # What it read is being looked at, and on the way something runs that asks for it.
            self._run(memo)
            return
        stack = [memo]
        memo.looked_at = 0
        try:
            while stack:
                if self._cancelled:
                    raise QueryCancelled
                current = stack[-1]
                following = self._next_doubtful(current)
                if following is not None:
                    following.looked_at = 0
                    stack.append(following)
                    continue
                # An answer that another shares is compared for it and no more: to run one member
                # of a circle for another might ask for the one that is being asked for.
                stack.pop().looked_at = None
                if not current.sure:
                    if stack and stack[-1].shared:
                        stack[-1].looked_at = _MAY_DIFFER
                    else:
                        self._run(current)
        finally:
            for unfinished in stack:
                unfinished.looked_at = None

    def _next_doubtful(self, memo: _Memo) -> _Memo | None:
        """Look at what ``memo`` read: the first answer that has to be made sure before it can be
        compared. ``None`` when ``memo`` is sure, or has to run."""
        if memo.sure or memo.answer is _MISSING or memo.looked_at == _MAY_DIFFER:
            return None
        assert memo.looked_at is not None
        since, reads = memo.verified_at, memo.dependencies
        for position in range(memo.looked_at, len(reads)):
            cell = reads[position]
            if isinstance(cell, _Memo) and not cell.sure:
                if cell.running or cell.looked_at is not None:
                    return None  # it may need ``memo`` now: what was read before says nothing
                memo.looked_at = position
                return cell
            if cell.changed_at > since:
                return None
        self.reused += 1
        for cell in reads:
            if cell.cleared_at > since:
                cell.readers.append(memo)
        memo.verified_at = self.revision
        memo.sure = True
        return None

    def _run(self, memo: _Memo) -> None:
        reads: dict[_Cell, None] = {}
        self._reading.append(reads)
        self._shared.append([])
        memo.running = True
        try:
            answer = memo.function(self, *memo.arguments)
        finally:
            memo.running = False
            self._reading.pop()
            shared = self._shared.pop()
        self.runs[memo.function.__name__] += 1
        memo.shared = False
        self._remember(memo, answer, reads)
        for arguments in shared:
            key = (memo.function, arguments)
            other = self._memos.get(key)
            if other is None:
                other = self._memos[key] = _Memo(memo.function, arguments)
            if not other.sure and not other.running:
                other.shared = True
                self._remember(other, answer, {memo: None})

    def _remember(self, memo: _Memo, answer: object, reads: dict[_Cell, None]) -> None:
        """``memo`` has this answer, for which ``reads`` were read, all of them sure."""
        known = {cell for cell in memo.dependencies if cell.cleared_at <= memo.verified_at}
        for cell in reads:
            if cell not in known:
                _add_reader(cell, memo)
        memo.dependencies = tuple(reads)
        if memo.answer is not _MISSING and _same(memo.answer, answer):
            self.cut_offs[memo.function.__name__] += 1
        else:
            memo.answer = answer
            memo.changed_at = self.revision
        memo.verified_at = self.revision
        memo.sure = True


def _add_reader(cell: _Cell, reader: _Memo) -> None:
    """Note a reader. One that reads the cell in turns with others would be noted at every turn,
    so that repeated entries are taken out whenever the list would grow to twice its size."""
    readers = cell.readers
    count = len(readers)
    if count >= _LONG and not count & (count - 1):
        cell.readers = readers = list(dict.fromkeys(readers))
    readers.append(reader)


_LONG = 64


def _without(
    cells: Iterable[_Cell], dropped: Iterable[_Memo], below: dict[_Memo, dict[_Cell, None]]
) -> Iterator[_Cell]:
    """What ``cells`` come down to when ``dropped`` are replaced by what they read themselves;
    ``below`` remembers it for each of those."""
    found: dict[_Cell, None] = {}
    for cell in cells:
        if isinstance(cell, _Memo) and cell in dropped:
            found |= _below(cell, dropped, below)
        else:
            found[cell] = None
    return iter(found)


def _below(
    start: _Memo, dropped: Iterable[_Memo], below: dict[_Memo, dict[_Cell, None]]
) -> dict[_Cell, None]:
    """What a dropped memo comes down to. Without recursion: chains can be long."""
    waiting = [start]
    while waiting:
        memo = waiting[-1]
        missing = [
            cell
            for cell in memo.dependencies
            if isinstance(cell, _Memo) and cell in dropped and cell not in below
        ]
        if missing and memo not in below:
            waiting += missing
            continue
        waiting.pop()
        if memo not in below:
            found: dict[_Cell, None] = {}
            for cell in memo.dependencies:
                if isinstance(cell, _Memo) and cell in dropped:
                    found |= below[cell]
                else:
                    found[cell] = None
            below[memo] = found
    return below[start]


def _same(old: object, new: object) -> bool:
    """Whether two values cannot be told apart. Mappings in another order are equal to Python, but
    what is read off them is not: a schema shows its properties in the order of the fields."""
    return old is new or (bool(old == new) and _in_same_order(old, new))


def _in_same_order(old: Any, new: Any) -> bool:
    """Whether all mappings in two equal values have the same order."""
    if old is new or isinstance(old, _LEAVES):
        return True
    if isinstance(old, Mapping):
        return all(
            one == other and _in_same_order(old[one], new[other])
            for one, other in zip(old, new, strict=True)
        )
    if isinstance(old, (tuple, list)):
        return all(map(_in_same_order, old, new))
    names = _compared_fields(cast("Hashable", type(old)))
    return all(_in_same_order(getattr(old, name), getattr(new, name)) for name in names)


_LEAVES = (str, int, float, bool, frozenset, set, enum.Enum)


@functools.cache
def _compared_fields(type_: Any) -> tuple[str, ...]:
    """The fields by which two equal instances of a dataclass were compared; none for others."""
    if not dataclasses.is_dataclass(type_) or type_.__eq__ is object.__eq__:
        return ()
    return tuple(each.name for each in dataclasses.fields(type_) if each.compare)


def query(function: Callable[Concatenate[DB, P], R]) -> Callable[Concatenate[DB, P], R]:
    """Make ``function(db, *key)`` a memoized query. Keys are positional and hashable.

    Raises ``QueryCycleError`` when an answer is asked for while it is being computed, and
    ``QueryCancelled`` when the database was asked to give way."""

    @functools.wraps(function)
    def ask(db: DB, *arguments: Any) -> R:
        return cast("R", db._ask(function, arguments))

    return cast("Callable[Concatenate[DB, P], R]", ask)
