"""Constrained types: ``int where in 1..=10``, ``int where > 0 && < 10`` (syntax 3.7).

The whole grammar of ``where`` stands here and nowhere else (decision 1 makes it part of the
language; its rules were proposed, so they may move).

``Constraint = Term { "&&" Term }``, ``Term = (">" | ">=" | "<" | "<=") Bound | "in" Range``.
"""

from __future__ import annotations

from typing import Literal

from nx_lsp.syntax import tree
from nx_lsp.syntax.lexer import IDENT, NUMBER, STRING, Cursor
from nx_lsp.syntax.token_messages import shorten

ALLOWED = "a constraint is built from `>`, `>=`, `<`, `<=` and `in`, joined by `&&`"

_TERM_STARTS = frozenset(["in", ">", ">=", "<", "<="])
_WRONG_STARTS = frozenset(
    ["==", "!=", "!", "(", "-", "||", "&&", "..", "..=", "...", "=>", "+", "*", "/", "%", "[", "??"]
)
_ENDS = frozenset(["", "}", ")", ","])


def at_where(cursor: Cursor) -> bool:
    """Whether the current token is the keyword ``where`` and not a property of that name.

    It is the keyword before the start of a term; before a token that could neither start a
    term nor follow a property's name it is taken for the keyword too, to be reported."""
    if cursor.text != "where" or cursor.kind != IDENT:
        return False
    following = cursor.peek()
    return (
        following in _TERM_STARTS
        or following in _ENDS
        or following in _WRONG_STARTS
        or (following[:1] in '0123456789"' and following != "")
    )


def constrained_type(cursor: Cursor, base: tree.TypeNode) -> tree.TypeNode:
    """Read ``where …`` behind ``base``; the cursor stands at ``where``."""
    constraint_start = cursor.start
    if isinstance(base, tree.SuffixedType):
        inner = cursor.source[base.start : base.suffix_start].strip()
        suffix = base.suffix
        cursor.error(
            f"a constraint applies to one number, so `{suffix}` goes outside: "
            f"write `({shorten(inner)} where …){suffix}`",
            base.suffix_start,
            base.end,
        )
    cursor.advance()
    terms: list[tree.ConstraintTerm] = []
    while True:
        terms.append(_term(cursor))
        if cursor.text == "&&":
            cursor.advance()
            continue
        if cursor.text in ("||", "==", "!=", "!"):
            cursor.fail(f"`{cursor.text}` cannot stand in a constraint: {ALLOWED}")
        if cursor.text in (">=", "<=", "<") or (cursor.text == "in" and cursor.kind == IDENT):
            # `>` is left alone: it may close a tag around the type.
            if cursor.text == "in" and cursor.peek()[:1] in ("?", ":"):
                break
            if cursor.text == "<" and not _bound_follows(cursor):
                break
            cursor.fail(f"two terms of a constraint are joined by `&&`: write `&& {cursor.text}`")
        if cursor.text in ("+", "-", "%") and cursor.peek()[:1].isdigit():
            cursor.fail("a bound is a number as written, nothing is computed in a constraint")
        break
    node: tree.TypeNode = tree.ConstrainedType(
        base.start, terms[-1].end, base, constraint_start, terms
    )
    if cursor.text in ("?", "+", "*", "??", "?.", "["):
        suffix_text = "[]" if cursor.text == "[" else cursor.text[0]
        constraint = cursor.source[base.start : node.end]
        cursor.error(
            f"a suffix cannot follow a constraint: write `({shorten(constraint)}){suffix_text}`",
            cursor.start,
            cursor.start + 1,
        )
        while cursor.text in ("?", "+", "*", "??", "?.", "[", "]"):
            node = _suffixed(cursor, node)
    if at_where(cursor):
        cursor.fail("a type takes one `where`: join the terms with `&&`")
    return node


def _suffixed(cursor: Cursor, inner: tree.TypeNode) -> tree.TypeNode:
    cursor.split()
    start, text = cursor.start, cursor.text
    cursor.advance()
    suffix: Literal["?", "+", "*", "[]"]
    if text == "?":
        suffix = "?"
    elif text == "+":
        suffix = "+"
    elif text == "*":
        suffix = "*"
    else:
        suffix = "[]"
        if cursor.text == "]":
            cursor.advance()
    return tree.SuffixedType(inner.start, cursor.prev_end, inner, suffix, start)


def _bound_follows(cursor: Cursor) -> bool:
    following = cursor.peek()
    return following == "-" or following[:1].isdigit()


def _term(cursor: Cursor) -> tree.ConstraintTerm:
    start = cursor.start
    operator = cursor.text
    if operator == "in" and cursor.kind == IDENT:
        cursor.advance()
        return _range(cursor, start)
    if operator == ">" or operator == ">=":
        cursor.advance()
        low = _bound(cursor)
        inclusive = operator == ">="
        sign: Literal[">", ">="] = ">=" if inclusive else ">"
        return tree.ConstraintTerm(start, low.end, sign, low, None, inclusive, False)
    if operator == "<" or operator == "<=":
        cursor.advance()
        high = _bound(cursor)
        inclusive = operator == "<="
        less: Literal["<", "<="] = "<=" if inclusive else "<"
        return tree.ConstraintTerm(start, high.end, less, None, high, False, inclusive)
    if operator in ("==", "!=", "||", "!", "("):
        cursor.fail(f"`{operator}` cannot stand in a constraint: {ALLOWED}")
    if operator in ("..", "..="):
        cursor.fail(f"a range is introduced by `in`: write `in {operator}…`")
    if cursor.kind == NUMBER or operator == "-":
        cursor.fail(
            "a term begins with its operator: write `> 0`, `<= 10` or `in 1..=10`; the value "
            "itself is not written"
        )
    if cursor.text in _ENDS:
        cursor.fail(
            f"expected a constraint after `where`: {ALLOWED}", cursor.prev_start, cursor.prev_end
        )
    cursor.fail(f"expected a term of the constraint, found {cursor.what()}: {ALLOWED}")


def _range(cursor: Cursor, start: int) -> tree.ConstraintTerm:
    low: tree.Bound | None = None
    if cursor.text not in ("..", "..="):
        low = _bound(cursor)
    operator = cursor.text
    if operator == "...":
        cursor.fail("a range has `..` (end left out) or `..=` (end included), not `...`")
    if operator not in ("..", "..="):
        cursor.fail(
            "`in` takes a range, not one number: write `in 1..=10` (end included), "
            "`in 0..10` (end left out), `in 0..` or `in ..5`",
            low.start if low else None,
            low.end if low else None,
        )
    cursor.advance()
    high: tree.Bound | None = None
    if cursor.kind == NUMBER or cursor.text == "-" or low is None or operator == "..=":
        high = _bound(cursor)
    inclusive = operator == "..="
    return tree.ConstraintTerm(
        start, cursor.prev_end, "in", low, high, low is not None, high is not None and inclusive
    )


def _bound(cursor: Cursor) -> tree.Bound:
    start = cursor.start
    negative = cursor.text == "-"
    if negative:
        cursor.advance()
    if cursor.kind != NUMBER:
        if cursor.kind in (IDENT, STRING) or cursor.text in ("(", "{"):
            cursor.fail(
                f"a bound is a number written out, such as `10` or `-0.5`, found {cursor.what()}"
            )
        if cursor.text == ".":
            cursor.fail("a number has a digit before its point: write `0.5`")
        cursor.fail(f"expected a number as bound, found {cursor.what()}")
    text = cursor.text
    cursor.advance()
    return tree.Bound(start, cursor.prev_end, negative, text)
