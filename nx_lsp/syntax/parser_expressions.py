"""Operators, postfix forms and primaries (syntax 4.3, 4.4; precedence in 1.10)."""

from __future__ import annotations

import re
from typing import Literal, NoReturn

from nx_lsp.syntax import tree
from nx_lsp.syntax.lexer import (
    EOF,
    IDENT,
    IDENT_TEXT,
    NUMBER,
    SPACE,
    STRING,
    TRIVIA,
    Panic,
    find_column_zero_declaration,
)
from nx_lsp.syntax.parser_base import Grammar, field_begins
from nx_lsp.syntax.parser_operands import BINARY, number_literal
from nx_lsp.syntax.token_messages import shorten

_TAG = rf"{IDENT_TEXT}(?:{TRIVIA}\.{TRIVIA}[A-Za-z_][A-Za-z0-9_-]*)*"
_tag_may_begin = re.compile(rf"<{TRIVIA}{_TAG}{TRIVIA}(?:[A-Za-z_/>:])").match
"""Whether what follows a ``<`` could be an element at all (syntax 4.10.1)."""
_surely_tag = re.compile(
    rf"<{_TAG}(?:{TRIVIA}/{TRIVIA}>|{TRIVIA}:|{TRIVIA}{_TAG}{TRIVIA}=(?![=>])"
    rf"|(?:{TRIVIA}[A-Za-z_]\w*\b)+{TRIVIA}/{TRIVIA}>)"
).match
"""What begins a tag and cannot go on a comparison: its errors are those of an element."""


_BROKEN_TAG = rf"<{IDENT_TEXT}[^<>{{}}]*(?:\{{[^<>{{}}]*\}}[^<>{{}}]*)*"
_broken_tag = re.compile(rf"{_BROKEN_TAG}/>").match
_broken_opening_tag = re.compile(rf"{_BROKEN_TAG}>").match
_if_in_tag = re.compile(rf"<{IDENT_TEXT}{SPACE}+if(?![A-Za-z0-9_])").match
"""Tags with something in them that is no property."""

_OPEN_NAME = re.compile(rf"<{SPACE}*([A-Za-z_][A-Za-z0-9_.-]*)")
_NEARBY = 2000
"""Code points in which a closing tag is looked for."""


class ExpressionGrammar(Grammar):
    """Expressions, without the braces around them."""

    # ------------------------------------------------------------ operators

    def expression(
        self, minimum: int = 0, primary: tree.Expression | None = None
    ) -> tree.Expression:
        """``Expr`` whose binary operators have at least level ``minimum``.

        ``primary`` is a first operand that has been read already."""
        left = self._prefix() if primary is None else self._postfix(primary)
        chain = 0
        while True:
            operator = self.text
            level = BINARY.get(operator)
            if level is None or level < minimum or not self._is_operator():
                return left
            if operator == "<" and self._tag_behind(left):
                return left
            start = self.start
            self.advance()
            if operator == "??":
                self.enter()
                right = self.expression(level)
                self.depth -= 1
            else:
                right = self.expression(level + 1)
            chain += 1
            if chain > tree.MAX_DEPTH:
                self.too_deep()
            self.links += 1
            left = tree.Binary(left.start, right.end, operator, start, left, right)

    def _is_operator(self) -> bool:
        """Whether the current ``<``, ``>`` or ``/`` is an operator and nothing of a tag."""
        operator = self.text
        if operator == "<":
            following = self.peek()
            if following == "/":
                return False
            if self.in_tag or _surely_tag(self.source, self.start):
                return False
            return not (self.in_list and self._element_here())
        if self.in_tag and operator in (">", ">="):
            return False
        return not (operator == "/" and self.peek()[:1] == ">")

    def _tag_behind(self, left: tree.Expression) -> bool:
        """Whether the ``<`` here begins a tag because an element stands before it in a list:
        elements have no order, so this is no comparison but a tag that is not finished."""
        if not self.in_list or not isinstance(left, tree.Element):
            return False
        return self.prev_end < self.start and self.source[self.end : self.end + 1].isalpha()

    def _element_here(self) -> bool:
        """Whether a complete element begins at the current ``<`` (syntax 4.10.1).

        The attempt is remembered by position, so that nesting costs no more than its length."""
        known = self.attempts.get(self.start)
        if known is not None:
            return known
        if not _tag_may_begin(self.source, self.start):
            return self._meant_as_tag()
        state = self.save()
        self.speculating += 1
        speculating = self.speculating
        try:
            self.element()
            succeeded = True
        except Panic:
            succeeded = False
            if self.gave_up is not None:
                raise
        finally:
            self.speculating = speculating - 1
        if self.gave_up is not None:
            raise Panic
        self.restore(state)
        decision = succeeded or self._closed_later() or self._meant_as_tag()
        self.attempts[self.start] = decision
        return decision

    def _meant_as_tag(self) -> bool:
        """Whether a ``/>`` follows, which no comparison has, or the closing tag."""
        if self.start == self.prev_end:
            return False
        meant = _broken_tag(self.source, self.start) or _if_in_tag(self.source, self.start)
        return meant is not None or (
            _broken_opening_tag(self.source, self.start) is not None and self._closed_later()
        )

    def _closed_later(self) -> bool:
        """Whether the closing tag for the ``<`` here follows close by: then what stands here is
        an element with a mistake in it, and the mistake is worth reporting."""
        opening = _OPEN_NAME.match(self.source, self.start)
        if opening is None:
            return False
        name = re.escape(opening.group(1))
        tag = re.compile(rf"<{SPACE}*(/?){SPACE}*{name}(?![A-Za-z0-9_.-])")
        following = tag.search(self.source, opening.end(), opening.end() + _NEARBY)
        return following is not None and following.group(1) == "/"

    def _prefix(self) -> tree.Expression:
        if self.text == "-" or self.text == "!":
            start = self.start
            operator: Literal["-", "!"] = "-" if self.text == "-" else "!"
            self.enter()
            self.advance()
            operand = self._prefix()
            self.depth -= 1
            return tree.Unary(start, operand.end, operator, operand)
        return self._postfix(self._primary())

    def _postfix(self, node: tree.Expression) -> tree.Expression:
        chain = 0
        while True:
            text = self.text
            if text == "." or text == "?.":
                self.advance()
                if self.kind != IDENT or self.at_declaration():
                    self._no_member(text)
                name = self.name()
                node = tree.Member(node.start, name.end, node, name, text == "?.")
            elif text == "(" and self.start == self.prev_end:
                node = self._call(node)
            elif text == "?":
                self.advance()
                node = tree.PresenceTest(node.start, self.prev_end, node)
            elif text == "[" and self.start == self.prev_end:
                self._indexing()
            else:
                return node
            chain += 1
            if chain > tree.MAX_DEPTH:
                self.too_deep()
            self.links += 1

    def _no_member(self, dot: str) -> NoReturn:
        before = self.source[max(self.prev_start - 20, 0) : self.prev_start]
        if self.kind == NUMBER:
            self.fail(f"a member has a name: `{self.text}` is a number, and lists have no index")
        digits = re.search(r"[0-9]+\Z", before)
        if dot == "." and digits:
            self.fail(
                f"a number has digits on both sides of its point: write `{digits.group()}.0`",
                self.prev_start - len(digits.group()),
                self.prev_end,
            )
        self.fail(
            f"expected the name of a member after `{dot}`, found {self.what()}",
            self.prev_start,
            self.prev_end,
        )

    def _indexing(self) -> None:
        """``a[0]`` does not exist: report it and read past the brackets."""
        start = self.start
        self.enter()
        state = self.save()
        self.muted = True
        try:
            self.advance()
            if self.text != "]":
                self.expression()
        except Panic:
            self.recover(state)
        if self.gave_up is not None:
            raise Panic
        end = self.end if self.text == "]" else start + 1
        self.muted = state.muted
        self.error(
            "NX has no indexing with `[…]`: go over a list with `for item, index in list { … }`",
            start,
            end,
        )
        if self.text != "]":
            raise Panic
        self.depth -= 1
        self.advance()

    def _call(self, callee: tree.Expression) -> tree.Expression:
        opener = self.start
        self.enter()
        in_list, in_tag, in_parens = self.in_list, self.in_tag, self.in_parens
        self.in_list, self.in_tag, self.in_parens = False, False, True
        self.advance()
        arguments: list[tree.Expression] = []
        while self.text != ")":
            if self.kind == EOF or self.at_declaration():
                self.unclosed("(", opener, opener + 1)
            if self.text == "/" and self.peek()[:1] == ">":
                self.fail("this `(` is never closed: expected `)` before `/>`", opener, opener + 1)
            if self.text == "," and arguments:
                if self.in_parameters() and field_begins(self.source, self.behind()):
                    self.fail("this `(` is never closed: expected `)`", opener, opener + 1)
                comma = self.start
                self.advance()
                if self.text == ")":
                    self.error("no comma may stand before the `)`: remove it", comma, comma + 1)
                    break
            elif arguments and (self.kind == EOF or not self.behind_junk()):
                self._argument_end(opener, arguments[-1])
                continue
            arguments.append(self._argument())
        self.depth -= 1
        self.in_list, self.in_tag, self.in_parens = in_list, in_tag, in_parens
        self.advance()
        return tree.Call(callee.start, self.prev_end, callee, opener, arguments)

    def _argument(self) -> tree.Expression:
        """``Arg``: an expression, or braces that may hold a list."""
        if self.text == "{":
            braces = self.braced()
            self.advance()
            if braces.items:
                return braces
            return self.expression(0, braces)
        return self.expression()

    def _argument_end(self, opener: int, last: tree.Expression) -> None:
        """Report what stands where ``,`` or ``)`` must follow an argument."""
        self.conditional_operator(last)
        if self.text in (")", ","):
            return
        if self.kind == EOF or self.text in ("}", "]", ">") or self.at_piece():
            if self.kind == EOF or self.at_piece():
                self.unclosed("(", opener, opener + 1)
            self.fail(
                f"this `(` is never closed: expected `)` before `{self.text}`", opener, opener + 1
            )
        if self.kind in (IDENT, STRING, NUMBER) or self.text in ("(", "{", "<"):
            self.fail(
                f"arguments are separated by commas: expected `,` or `)` before {self.what()}"
            )
        self.no_operator()
        self.fail(f"expected `,` or `)` after the argument, found {self.what()}")

    # ------------------------------------------------------------ primaries

    def _primary(self) -> tree.Expression:
        kind, text, start = self.kind, self.text, self.start
        if kind == IDENT:
            if text == "if":
                return self.conditional("value")
            if text == "for":
                return self.loop("value")
            if self.at_declaration():
                self.fail(f"expected a value before the next declaration, found {self.what()}")
            self.advance()
            if text == "true" or text == "false":
                return tree.BooleanLiteral(start, self.prev_end, text == "true")
            return tree.Identifier(start, self.prev_end, text)
        if kind == STRING:
            return self.string()
        if kind == NUMBER:
            self.advance()
            return number_literal(start, self.prev_end, text)
        if text == "(":
            return self._parenthesized()
        if text == "<":
            element = self.element()
            self.advance()
            return element
        if text == "{":
            outside, self.in_nested_braces = self.in_nested_braces, True
            reported = len(self.found)
            braces = self.braced()
            self.in_nested_braces = outside
            if braces.items and not outside and len(self.found) == reported:
                self._nested_braces(braces)
            self.advance()
            return braces
        self._no_operand()

    def string(self) -> tree.StringLiteral:
        """The current string token as a node."""
        start, text = self.start, self.text
        if "\n" in text:
            self._check_runaway_string()
            text = self.text
        self.advance()
        closed = len(text) > 1 and text[-1] == text[0]
        return tree.StringLiteral(start, self.prev_end, text[1 : -1 if closed else None])

    def _check_runaway_string(self) -> None:
        """Let a string end with its line if the quote that ends it begins another string.

        That quote then has something glued to it, or leaves a quote too many on its line."""
        start, end = self.start, self.end
        if end >= self.length:
            self.touched_end = True
        begins_value = re.match(r"""[={(,]"[\w"./@#-]""", self.source[end - 2 : end + 1])
        if not begins_value:
            if not find_column_zero_declaration(self.text):
                return
            rest_of_line = self.source[end : self._line_end(end)]
            glued = re.match(r"\w", self.source[end : end + 1])
            if not glued and rest_of_line.count('"') % 2 == 0:
                return
        if not self.speculating:
            self.error(
                'this string is never closed: expected a `"` at its end',
                start,
                self._line_end(start),
            )
        self._stand_in_for_string(start)

    def _nested_braces(self, braces: tree.Braced) -> None:
        if self.braces_reported:
            return
        self.braces_reported = True
        self.error(
            "braces with content cannot stand inside a list or an expression: lists are flat, "
            "write the items themselves, or use parentheses for a computation",
            braces.start,
            braces.end,
        )

    def _parenthesized(self) -> tree.Expression:
        start = self.start
        self.enter()
        in_list, in_tag, in_parens = self.in_list, self.in_tag, self.in_parens
        self.in_list, self.in_tag, self.in_parens = False, False, True
        self.advance()
        node: tree.Expression
        if self.text == ")":
            node = tree.UnitLiteral(start, self.end)
        else:
            if self.kind == EOF or self.at_declaration():
                self.unclosed("(", start, start + 1)
            inner = self.expression()
            if self.text != ")":
                self.conditional_operator(inner)
            if self.text != ")":
                self._parenthesis_end(start, inner)
            node = tree.Parenthesized(start, self.end, inner)
        self.depth -= 1
        self.in_list, self.in_tag, self.in_parens = in_list, in_tag, in_parens
        self.advance()
        return node

    def _parenthesis_end(self, opener: int, inner: tree.Expression) -> NoReturn:
        if self.kind == EOF or self.at_declaration():
            self.unclosed("(", opener, opener + 1)
        if self.text in ("}", "]", "/"):
            self.fail(
                f"this `(` is never closed: expected `)` before `{self.text}`", opener, opener + 1
            )
        if self.text == ",":
            self.fail("parentheses hold one expression: a list is written in braces, `{ a b }`")
        self.no_operator()
        self.fail(f"parentheses hold one expression: expected `)`, found {self.what()}")

    def _no_operand(self) -> NoReturn:
        """Report a token that cannot begin an operand."""
        text = self.text
        previous = self.source[self.prev_start : self.prev_end]
        glued = self.prev_end == self.start
        if text == "/" and self.peek()[:1] == ">":
            before = shorten(previous)
            self.fail(f"expected a value after `{before}`", self.prev_start, self.prev_end)
        if text == "[":
            self.fail("NX has no `[…]` for lists: write the items in braces, `{ 1 2 }`")
        if text == "+":
            if glued and previous == "+":
                self.fail("NX has no `++`: write `+ 1`", self.prev_start, self.end)
            self.fail("NX has no prefix `+`: leave it out")
        if text == "=" and glued and previous in ("==", "!="):
            self.fail(f"NX has no `{previous}=`: write `{previous}`", self.prev_start, self.end)
        if text == "*" and glued and previous == "*":
            self.fail("NX has no `**`: multiply with `*`", self.prev_start, self.end)
        if text == "|" or (text == "||" and previous == "|"):
            self.fail("NX has no `|` in expressions: “or” is `||`")
        if text == ">" and glued and previous == "-":
            self.fail(
                "NX has no `->`: a function type is `<function … />: T`", self.prev_start, self.end
            )
        if text == ".":
            if re.match(r"[0-9]", self.source[self.end : self.end + 1]):
                end = self.end
                self.fail(
                    "a number has digits on both sides of its point: write `0.…`", self.start, end
                )
            self.fail("a member access needs a value before its `.`")
        if text in ("..", "..="):
            self.fail(f"a range needs both ends: write a value before `{text}`")
        if text == "...":
            self.fail("NX has no `...` in expressions: a range is `a..b` or `a..=b`")
        if previous in ("..", "..=") and text in ("}", ")", ""):
            self.fail(
                f"a range needs both ends: write a value after `{previous}`",
                self.prev_start,
                self.prev_end,
            )
        if text in BINARY and previous not in ("(", "{", ","):
            self.fail(f"expected a value between `{shorten(previous)}` and `{text}`")
        if text in BINARY:
            self.fail(f"expected a value before `{text}`")
        if previous in BINARY or previous in ("!", ",", "="):
            start, end = (
                (self.prev_start, self.prev_end)
                if text in ("}", ")", "]", "")
                else (self.start, self.end)
            )
            self.fail(f"expected a value after `{previous}`, found {self.what()}", start, end)
        self.fail(f"expected a value, found {self.what()}")

    def no_operator(self) -> None:
        """Report a token that is an operator elsewhere, but not in NX; else do nothing."""
        text = self.text
        if text == "=":
            self.fail("NX has no assignment: to compare, write `==`")
        if text == "|":
            self.fail("NX has no `|` in expressions: “or” is `||`")
        if text == "=>":
            self.fail(
                "`=>` stands only in the arms of an `if`: NX has no lambdas, "
                "a function is passed by its name"
            )
        if text == "[":
            self.fail("NX has no `[…]` for lists: write the items in braces, `{ 1 2 }`")
        if text == "!":
            self.fail("expected an operator before `!`: “not equal” is `!=`")
