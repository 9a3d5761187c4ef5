"""Inputs, memoized queries with recorded dependencies, revisions and early cut-off.

How it works, in short. Every change of an input starts a new *revision*. A memo remembers the
revision in which its answer was last known to hold (``verified_at``), the one in which its answer
last became another (``changed_at``), and what it read. Asked in a later revision it first looks
whether anything it read has changed since; only then does it run again. If the second run gives an
equal answer, the old answer stays and ``changed_at`` with it, so that whoever read it need not run:
early cut-off.

Invariants:

* a query reads nothing but its key, inputs and other queries; it has no effects;
* ``changed_at <= verified_at <= revision`` for every memo;
* a memo whose ``verified_at`` is the current revision equals what a fresh database would compute.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

DB = TypeVar("DB", bound="Database")
P = ParamSpec("P")
R = TypeVar("R")

_MISSING: Any = object()
_MAY_DIFFER = -1
"""In ``_Memo.looked_at``: what was read is not known to have stayed."""


class QueryCycleError(RuntimeError):
    """A query asked for its own answer. Queries that may meet cycles in user code (aliases,
    ``extends``) walk them with a visited set instead; reaching this is a defect of ours."""


class QueryCancelled(BaseException):
    """The work was asked to give way (``Database.cancel``). Derived from ``BaseException`` so
    that no handler for ordinary failures swallows it."""


class _Input:
    """One input: a value and the revision in which it last changed."""

    __slots__ = ("changed_at", "value")

    def __init__(self, value: object, changed_at: int) -> None:
        self.value = value
        self.changed_at = changed_at


class _Memo:
    """The remembered answer of one query for one key."""

    __slots__ = (
        "answer",
        "arguments",
        "changed_at",
        "dependencies",
        "function",
        "looked_at",
        "running",
        "shared",
        "verified_at",
    )

    def __init__(self, function: Callable[..., Any], arguments: tuple[Hashable, ...]) -> None:
        self.function = function
        self.arguments = arguments
        self.answer: Any = _MISSING
        self.changed_at = 0
        self.verified_at = 0
        self.dependencies: tuple[_Input | _Memo, ...] = ()
        self.running = False
        self.looked_at: int | None = None
        """While its reads are compared: how many are known to have stayed."""
        self.shared = False
        """Whether the answer is that of its one dependency."""


class Database:
    """Inputs and the memo of every query asked on them.

    Not safe for concurrent use: one thread asks at a time; ``cancel`` may be called from any."""

    def __init__(self) -> None:
        self.revision = 1
        self.runs: Counter[str] = Counter()
        """Times each query ran, by its name."""
        self.reuses: Counter[str] = Counter()
        """Times a remembered answer was given."""
        self.cut_offs: Counter[str] = Counter()
        """Times a run gave an equal answer again, which spared its readers."""
        self._inputs: dict[Hashable, _Input] = {}
        self._memos: dict[tuple[Callable[..., Any], tuple[Hashable, ...]], _Memo] = {}
        self._reading: list[dict[_Input | _Memo, None]] = []
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
        return True

    def input(self, key: Hashable) -> Any:
        """The value of the input ``key``, ``None`` if it was never set; recorded as read, also
        when it is missing, so that setting it later is noticed."""
        cell = self._inputs.get(key)
        if cell is None:
            cell = self._inputs[key] = _Input(None, self.revision if not self._reading else 0)
        if self._reading:
            self._reading[-1][cell] = None
        return cell.value

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

        What depended on a dropped answer is computed again when next asked after a change.
        Raises ``RuntimeError`` when called from inside a query."""
        if self._reading:
            raise RuntimeError("a query may not evict")
        dropped = [
            key
            for key, memo in self._memos.items()
            if not keep(memo.function.__name__, memo.arguments)
        ]
        for key in dropped:
            del self._memos[key]
        return len(dropped)

    def remembered(self) -> int:
        """How many answers are kept."""
        return len(self._memos)

    # -- long chains

    def is_settled(self, asked: Callable[..., Any], *arguments: Hashable) -> bool:
        """Whether the query ``asked`` has its answer for a key ready, so that asking it runs
        nothing. Recorded nowhere: good for the order in which one asks, never for an answer."""
        memo = self._memos.get((_function_of(asked), arguments))
        return memo is not None and memo.verified_at == self.revision

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
        if memo.verified_at == self.revision:
            self.reuses[function.__name__] += 1
        else:
            self._bring_up_to_date(memo)
        if self._reading:
            self._reading[-1][memo] = None
        return memo.answer

    def _bring_up_to_date(self, memo: _Memo) -> None:
        """Make ``memo`` hold for the current revision: at once if nothing that it read has
        changed, else by running it again.

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
                following = self._next_outdated(current)
                if following is not None:
                    following.looked_at = 0
                    stack.append(following)
                    continue
                # An answer that another shares is compared for it and no more: to run one member
                # of a circle for another might ask for the one that is being asked for.
                stack.pop().looked_at = None
                if current.verified_at != self.revision:
                    if stack and stack[-1].shared:
                        stack[-1].looked_at = _MAY_DIFFER
                    else:
                        self._run(current)
        finally:
            for unfinished in stack:
                unfinished.looked_at = None

    def _next_outdated(self, memo: _Memo) -> _Memo | None:
        """Look at what ``memo`` read: the first answer that has to be brought up to date before it
        can be compared. ``None`` when ``memo`` holds, or has to run: its revision tells."""
        since, revision = memo.verified_at, self.revision
        if since == revision or memo.answer is _MISSING:
            return None
        assert memo.looked_at is not None
        if memo.looked_at == _MAY_DIFFER:
            return None
        for position in range(memo.looked_at, len(memo.dependencies)):
            dependency = memo.dependencies[position]
            if isinstance(dependency, _Memo) and dependency.verified_at != revision:
                if dependency.running or dependency.looked_at is not None:
                    return None  # it may need ``memo`` now: what was read before says nothing
                memo.looked_at = position
                return dependency
            if dependency.changed_at > since:
                return None
        memo.verified_at = revision
        self.reuses[memo.function.__name__] += 1
        return None

    def _run(self, memo: _Memo) -> None:
        reads: dict[_Input | _Memo, None] = {}
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
        self._remember(memo, answer, tuple(reads))
        for arguments in shared:
            self._remember_shared(memo, arguments)

    def _remember(
        self, memo: _Memo, answer: object, dependencies: tuple[_Input | _Memo, ...]
    ) -> None:
        memo.dependencies = dependencies
        memo.verified_at = self.revision
        if memo.answer is not _MISSING and _same(memo.answer, answer):
            self.cut_offs[memo.function.__name__] += 1
        else:
            memo.answer = answer
            memo.changed_at = self.revision

    def _remember_shared(self, memo: _Memo, arguments: tuple[Hashable, ...]) -> None:
        """The answer of ``memo`` for another key: it holds as long as ``memo`` stays as it is."""
        key = (memo.function, arguments)
        other = self._memos.get(key)
        if other is None:
            other = self._memos[key] = _Memo(memo.function, arguments)
        if other.verified_at != self.revision and not other.running:
            other.shared = True
            self._remember(other, memo.answer, (memo,))


def _function_of(asked: Callable[..., Any]) -> Callable[..., Any]:
    """The function that ``query`` made a query of."""
    return cast("Callable[..., Any]", asked.__wrapped__)  # type: ignore[attr-defined]


def _same(old: object, new: object) -> bool:
    return old is new or bool(old == new)


def query(function: Callable[Concatenate[DB, P], R]) -> Callable[Concatenate[DB, P], R]:
    """Make ``function(db, *key)`` a memoized query. Keys are positional and hashable.

    Raises ``QueryCycleError`` when an answer is asked for while it is being computed, and
    ``QueryCancelled`` when the database was asked to give way."""

    @functools.wraps(function)
    def ask(db: DB, *arguments: Any) -> R:
        return cast("R", db._ask(function, arguments))

    return cast("Callable[Concatenate[DB, P], R]", ask)
