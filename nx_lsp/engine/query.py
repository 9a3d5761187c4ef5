"""Databases and memoized queries."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

DB = TypeVar("DB", bound="Database")
P = ParamSpec("P")
R = TypeVar("R")

_RUNNING: Any = object()


class QueryCycleError(RuntimeError):
    """A query asked for its own answer. Queries that may meet cycles in user code (aliases,
    ``extends``) walk them with a visited set instead; reaching this is a defect of ours."""


class Database:
    """What queries run on: inputs fixed at construction, and the memo of every query."""

    def __init__(self) -> None:
        self._memo: dict[tuple[object, tuple[Hashable, ...]], Any] = {}
        self.queries_run = 0
        self.queries_reused = 0


def query(function: Callable[Concatenate[DB, P], R]) -> Callable[Concatenate[DB, P], R]:
    """Memoize ``function`` per database. Keys are positional and hashable.

    Raises ``QueryCycleError`` when the answer is asked for while it is being computed."""

    @functools.wraps(function)
    def ask(db: DB, *args: Any) -> R:
        memo = db._memo
        key = (function, args)
        try:
            answer = memo[key]
        except KeyError:
            pass
        else:
            if answer is _RUNNING:
                raise QueryCycleError(f"{function.__name__}{args!r} depends on itself")
            db.queries_reused += 1
            return cast("R", answer)
        memo[key] = _RUNNING
        try:
            answer = function(db, *args)  # type: ignore[call-arg]
        except BaseException:
            del memo[key]
            raise
        memo[key] = answer
        db.queries_run += 1
        return answer

    return cast("Callable[Concatenate[DB, P], R]", ask)
