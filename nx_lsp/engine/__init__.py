"""Inputs, memoized queries and early cut-off: the one place where derived facts are kept.

A *query* is a function ``f(db, *key)`` that reads nothing but its key, the inputs of ``db`` and
other queries. ``@query`` keeps its answer in the database it was asked on and records what it
read, so that a later revision runs again only what a change reached. The engine knows nothing
of NX.
"""

from __future__ import annotations

from nx_lsp.engine.query import Database, QueryCancelled, QueryCycleError, query

__all__ = ["Database", "QueryCancelled", "QueryCycleError", "query"]
