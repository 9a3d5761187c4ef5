"""Expressions and values (syntax 4.1 – 4.4, 4.6, precedence in 1.10)."""

from __future__ import annotations

import re
from typing import Literal, NoReturn

from nx_lsp.syntax import tree
from nx_lsp.syntax.lexer import (
    EOF,
    IDENT,
    IDENT_TEXT,
    NUMBER,
    OP,
    STRING,
    TRIVIA,
    Panic,
    begins_declaration,
    find_column_zero_declaration,
    shorten,
)
from nx_lsp.syntax.parser_base import Grammar, closing_name, field_begins, property_begins

BINARY = {
    "??": 125,
    "*": 120,
    "/": 120,
    "%": 120,
    "+": 110,
    "-": 110,
    "..": 100,
    "..=": 100,
    "<": 90,
    "<=": 90,
    ">": 90,
    ">=": 90,
    "==": 80,
    "!=": 80,
    "&&": 40,
    "||": 30,
}
"""Binary operators and their level in the table of syntax 1.10."""

_TAG = rf"{IDENT_TEXT}(?:{TRIVIA}\.{TRIVIA}[A-Za-z_][A-Za-z0-9_-]*)*"
_tag_may_begin = re.compile(rf"<{TRIVIA}{_TAG}{TRIVIA}(?:[A-Za-z_/>:])").match
"""Whether what follows a ``<`` could be an element at all (syntax 4.10.1)."""
_surely_tag = re.compile(
    rf"<{_TAG}(?:{TRIVIA}/{TRIVIA}>|{TRIVIA}:|{TRIVIA}{_TAG}{TRIVIA}=(?![=>])"
    rf"|(?:{TRIVIA}[A-Za-z_]\w*\b)+{TRIVIA}/{TRIVIA}>)"
).match
"""What begins a tag and cannot go on a comparison: its errors are those of an element."""


def number_literal(start: int, end: int, text: str) -> tree.NumberLiteral:
    """A number token as a node."""
    kind: Literal["int", "real", "hex"] = "int"
    if text[:2] in ("0x", "0X"):
        kind = "hex"
    elif "." in text:
        kind = "real"
    return tree.NumberLiteral(start, end, kind, text)


class ExpressionGrammar(Grammar):
    """Operators, postfix forms, primaries, braces and unbraced values."""

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
        if self.in_tag:
            if operator in (">", ">="):
                return False
            if operator == "/" and self.peek()[:1] == ">":
                return False
        return True

    def _element_here(self) -> bool:
        """Whether a complete element begins at the current ``<`` (syntax 4.10.1).

        The attempt is remembered by position, so that nesting costs no more than its length."""
        known = self.attempts.get(self.start)
        if known is not None:
            return known
        if not _tag_may_begin(self.source, self.start):
            return False
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
        self.attempts[self.start] = succeeded
        return succeeded

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
        before = self.source[: self.prev_start]
        if dot == "." and before[-1:].isdigit() and not self.kind == NUMBER:
            self.fail(
                "a number has digits on both sides of its point: write `5.0`",
                self.prev_start,
                self.prev_end,
            )
        self.fail(f"expected the name of a member after `{dot}`, found {self.what()}")

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
        in_list, in_tag = self.in_list, self.in_tag
        self.in_list = self.in_tag = False
        self.advance()
        arguments: list[tree.Expression] = []
        while self.text != ")":
            if self.kind == EOF or self.at_declaration():
                self.unclosed("(", opener, opener + 1)
            if self.text == "," and arguments:
                comma = self.start
                self.advance()
                if self.text == ")":
                    self.error("no comma may stand before the `)`: remove it", comma, comma + 1)
                    break
            elif arguments:
                self._argument_end(opener, arguments[-1])
                continue
            arguments.append(self._argument())
        self.depth -= 1
        self.in_list, self.in_tag = in_list, in_tag
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
        if self.text == ")":
            return
        if self.kind == EOF or self.text in ("}", "]", ">") or self.at_declaration():
            if self.kind == EOF or self.at_declaration():
                self.unclosed("(", opener, opener + 1)
            self.fail(
                f"this `(` is never closed: expected `)` before `{self.text}`", opener, opener + 1
            )
        if self.kind in (IDENT, STRING, NUMBER) or self.text in ("(", "{", "<"):
            self.fail(
                f"arguments are separated by commas: expected `,` or `)` before {self.what()}"
            )
        self._no_operator(last)
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
            braces = self.braced()
            if braces.items:
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
        """A string that swallows a declaration and ends glued to a word has lost its quote."""
        if (
            find_column_zero_declaration(self.text)
            and re.match(r"\w", self.source[self.end : self.end + 1])
            and not self.speculating
        ):
            start = self.start
            line_end = self._line_end(start)
            self.error('this string is never closed: expected a `"` at its end', start, line_end)
            self._stand_in_for_string(start)
            self.give_up(line_end)
            raise Panic

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
        in_list, in_tag = self.in_list, self.in_tag
        self.in_list = self.in_tag = False
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
        self.in_list, self.in_tag = in_list, in_tag
        self.advance()
        return node

    def _parenthesis_end(self, opener: int, inner: tree.Expression) -> NoReturn:
        if self.kind == EOF or self.at_declaration():
            self.unclosed("(", opener, opener + 1)
        if self.text in ("}", "]"):
            self.fail(
                f"this `(` is never closed: expected `)` before `{self.text}`", opener, opener + 1
            )
        if self.text == ",":
            self.fail("parentheses hold one expression: a list is written in braces, `{ a b }`")
        self._no_operator(inner)
        self.fail(f"parentheses hold one expression: expected `)`, found {self.what()}")

    def _no_operand(self) -> NoReturn:
        """Report a token that cannot begin an operand."""
        text = self.text
        previous = self.source[self.prev_start : self.prev_end]
        glued = self.prev_end == self.start
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

    def _no_operator(self, before: tree.Expression) -> None:
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

    # ------------------------------------------------------------ the removed conditional operator

    def conditional_operator(self, before: tree.Expression) -> None:
        """Report ``c ? a : b`` if that is what ``before`` and the current token belong to.

        Only asked where a token does not fit. Afterwards the operator has been read past."""
        mark = presence_mark(before)
        if mark is None or self.muted or self.speculating:
            return
        state = self.save()
        self.muted = True
        try:
            if self.text != ":":
                self.expression()
            matched = self.text == ":"
        except Panic:
            matched = False
        if self.gave_up is not None:
            raise Panic
        if not matched:
            self.restore(state)
            return
        self.muted = state.muted
        self.recover(state)
        self.report_conditional_operator(mark)
        self._skip_alternative()

    def report_conditional_operator(self, mark: int, unbraced: bool = False) -> None:
        """Report the removed operator at its ``?``."""
        shape = "if c { a } else { b }"
        if unbraced:
            shape = f"{{ {shape} }}"
        self.error(
            f"the conditional operator `? :` was removed: write `{shape}`",
            mark,
            mark + 1,
            code="removed-conditional-operator",
        )

    def _skip_alternative(self) -> None:
        """Read past ``: b``, and any further ``? :`` in it, without reports."""
        muted, self.muted = self.muted, True
        state = self.save()
        try:
            while self.text == ":":
                self.advance()
                self.expression()
                while self.text not in (":", "}", ")", ",", "]", "{", "=>") and self.kind != EOF:
                    self.expression()
        except Panic:
            self.recover(state)
        if self.gave_up is None:
            self.muted = muted

    # ------------------------------------------------------------ braces

    def braced(self) -> tree.Braced:
        """``Braced``; ``{`` is current. Leaves the cursor on the ``}``."""
        start = self.start
        self.enter()
        context = self.save()
        reported, self.braces_reported = self.braces_reported, False
        self.in_list, self.in_tag = True, False
        self.advance()
        items: list[tree.Expression] = []
        try:
            if self.text != "}":
                self._items(start, items)
        except Panic:
            if self.speculating:
                raise
            nesting = self.open_braces - context.open_braces
            self.recover(context)
            self._skip_to_brace(nesting)
        self.braces_reported = reported
        self.in_list, self.in_tag = context.in_list, context.in_tag
        self.depth = context.depth - 1
        if self.text == "}":
            return tree.Braced(start, self.end, items)
        end = max(self.prev_end, items[-1].end if items else start + 1)
        self.leave_at(end)
        return tree.Braced(start, end, items)

    def _items(self, opener: int, items: list[tree.Expression]) -> None:
        """The content of braces up to ``}``: one expression, or list items (syntax 4.2)."""
        separated = False
        while self.text != "}":
            if self.kind == EOF or self.at_declaration():
                self.unclosed("{", opener, opener + 1)
            if self.text == "<" and self.peek() == "/":
                self.error(
                    "this `{` is never closed: expected `}` before the closing tag",
                    opener,
                    opener + 1,
                )
                raise Panic
            if self.text == "," and items:
                if not separated:
                    separated = True
                    self.error(
                        "items are separated by whitespace: remove the `,`", self.start, self.end
                    )
                self.advance()
                continue
            if items and self.text == ":":
                for item in items:
                    mark = presence_mark(item)
                    if mark is not None:
                        self.report_conditional_operator(mark)
                        self._skip_alternative()
                        if self.text != "}":
                            raise Panic
                        return
                self.fail("`:` cannot stand between values: types are not written in expressions")
            if items:
                self._no_operator(items[-1])
                if self.text == ")":
                    self.fail("this `)` closes nothing: remove it")
                if self.text == "else":
                    self.fail(
                        "this `else` belongs to no `if`: the branches of an `if` stand in braces, "
                        "`if c { a } else { b }`"
                    )
            items.append(self.expression())
        if len(items) > 1:
            self._check_list(items)

    def _check_list(self, items: list[tree.Expression]) -> None:
        """Report the first item of a list that is an operator expression (syntax 4.2)."""
        for item in items:
            if not isinstance(item, (tree.Binary, tree.Unary)):
                continue
            text = shorten(self.source[item.start : item.end])
            if isinstance(item, tree.Unary) and item.operator == "-":
                message = (
                    f"an item of a list cannot begin with `-`, which would be read as a "
                    f"subtraction: put parentheses around it, `({text})`"
                )
            else:
                message = f"an operator in an item of a list needs parentheses: write `({text})`"
            self.error(message, item.start, item.end)
            return

    def _skip_to_brace(self, depth: int) -> None:
        """After a failure inside braces, read on to their ``}``, or to what shows it missing.

        ``depth``: how many braces inside them were open where it failed."""
        muted, self.muted = self.muted, True
        while self.kind != EOF:
            text = self.text
            if text == "{" or text == "(" or text == "[":
                depth += 1
            elif text == "}":
                if depth <= 0:
                    break
                depth -= 1
            elif text == ")" or text == "]":
                depth = max(0, depth - 1)
            elif text == "<" and self._closes_open_tag():
                break
            elif self.at_declaration():
                self.give_up(self.start)
                return
            self.advance()
        if self.kind == EOF:
            # No `}` is left for the braces around these either.
            self.give_up(self.length)
        if self.gave_up is None:
            self.muted = muted

    def _closes_open_tag(self) -> bool:
        """Whether the closing tag of an element around the broken braces stands here."""
        match = closing_name(self.source, self.start)
        return match is not None and match.group(1) in self.open_tags

    # ------------------------------------------------------------ unbraced values

    def unbraced(self, equals: int) -> tree.Expression:
        """``Unbraced``, the value behind an ``=`` at offset ``equals`` (syntax 4.1)."""
        start, kind, text = self.start, self.kind, self.text
        node: tree.Expression
        if kind == IDENT:
            if self.at_declaration() or self.value_missing():
                return self.missing_value(equals)
            self.advance()
            if text == "true" or text == "false":
                node = tree.BooleanLiteral(start, self.prev_end, text == "true")
            else:
                suffixes = ""
                while self.text[:1] in ("?", "+", "*") and self.text and self._suffix_touches():
                    self.split()
                    suffixes += self.text
                    self.advance()
                node = tree.ContextualName(start, self.prev_end, text, suffixes)
        elif kind == STRING:
            node = self.string()
        elif kind == NUMBER:
            self.advance()
            node = number_literal(start, self.prev_end, text)
        elif text == "{":
            node = self.braced()
            self.advance()
        elif text == "<" and self.peek() != "/":
            node = self.element()
            self.advance()
        elif text == "-":
            self.advance()
            if self.kind != NUMBER:
                return self._needs_braces(start, equals)
            number = number_literal(self.start, self.end, self.text)
            self.advance()
            node = tree.Unary(start, self.prev_end, "-", number)
        elif text in ("!", "+", "(", "[") or text in ("..", "..="):
            return self._needs_braces(start, equals)
        else:
            return self.missing_value(equals)
        if self._value_goes_on(node):
            return self._needs_braces(start, equals, node)
        return node

    def _suffix_touches(self) -> bool:
        """Whether the suffix touches the name and is not an operator with a right operand."""
        if self.start != self.prev_end:
            return False
        if self.text in ("??", "?."):
            return self.text == "??" and not self._operand_at(self.end)
        following = self.source[self.end : self.end + 1]
        if following and (following.isalnum() or following in '_("{-!'):
            return property_begins(self.source, self.end) is not None
        return True

    def _operand_at(self, offset: int) -> bool:
        match = re.match(r"[ \t]*[\w\"({]", self.source[offset : offset + 20])
        return match is not None

    def value_missing(self) -> bool:
        """Whether the name behind an ``=`` begins the next definition or property instead."""
        if self.value_in_tag and property_begins(self.source, self.start):
            return True
        return self.in_definitions and field_begins(self.source, self.start) is not None

    def missing_value(self, equals: int) -> tree.Expression:
        """Report that nothing usable follows the ``=``."""
        if self.kind == EOF or self.text in ("}", ")", ",", "/", ">", ">=", "|", "=>", "</"):
            found = ""
        else:
            found = f", found {self.what()}"
        self.error(f"expected a value after `=`{found}", equals, equals + 1)
        return tree.MissingExpression(self.prev_end, self.prev_end)

    def _value_goes_on(self, node: tree.Expression) -> bool:
        """Whether a token follows that makes the unbraced value part of a computation."""
        text = self.text
        if self.kind == OP:
            if text in (".", "?.", "?", "[", ".."):
                return True
            if text == "(":
                return self.start == self.prev_end
            if text in ("<", ">"):
                return False
            if text == "/":
                return self.peek()[:1] != ">"
            if text == ">=":
                return not self.value_in_tag
            return text in BINARY
        if not isinstance(node, tree.ContextualName):
            return False
        if self.kind == IDENT:
            return node.name in ("if", "for") and not self._next_begins()
        return self.kind in (NUMBER, STRING) and node.suffixes != ""

    def _next_begins(self) -> bool:
        """Whether the current name begins what may follow a value: it is no condition."""
        return bool(
            property_begins(self.source, self.start)
            or field_begins(self.source, self.start)
            or begins_declaration(self.source, self.start)
            or self.text == "if"
        )

    def _needs_braces(
        self, start: int, equals: int, node: tree.Expression | None = None
    ) -> tree.Expression:
        """Read an expression that lacks its braces, and report how to write it."""
        if self.speculating:
            raise Panic
        operator = self.text
        name_end = self.prev_end
        state = self.save()
        self.muted = True
        self.in_tag, self.in_list = self.value_in_tag, False
        result: tree.Expression
        removed: int | None = None
        try:
            if isinstance(node, (tree.Element, tree.Braced)):
                result = self.expression(0, node)
            else:
                self.jump(start)
                result = self.expression()
            removed = presence_mark(result)
            if removed is not None:
                removed = self._read_alternative(removed)
        except Panic:
            result = node or tree.MissingExpression(start, max(start, name_end))
        if self.gave_up is not None:
            raise Panic
        end = max(self.prev_end, start + 1)
        self.recover(state)
        text = shorten(self.source[start:end])
        if removed is not None:
            self.report_conditional_operator(removed, unbraced=True)
        elif isinstance(result, tree.Member) and _is_dotted(result):
            self.error(
                f"a dotted name needs braces here: write the last part alone, "
                f"`{result.name.text}`, if it is a case of the expected type, or `{{ {text} }}`",
                start,
                result.end,
            )
        elif operator == "?" and node is not None and isinstance(result, tree.PresenceTest):
            self.error(f"a presence test needs braces here: write `{{ {text} }}`", start, end)
        elif text.startswith("+"):
            self.error("NX has no prefix `+`: leave it out", start, start + 1)
        elif text.startswith("["):
            self.error(
                "NX has no `[…]` for lists: write the items in braces, `{ 1 2 }`", start, start + 1
            )
        elif isinstance(result, tree.MissingExpression) or text in ("-", "!", "("):
            self.error(f"expected a value after `{text}`", start, end)
        else:
            what = _computation(result)
            self.error(f"{what} needs braces here: write `{{ {text} }}`", start, end)
        return result

    def _read_alternative(self, mark: int) -> int | None:
        """Whether ``a : b`` follows; returns ``mark`` then, having read past it."""
        state = self.save()
        try:
            if self.text != ":":
                self.expression()
            if self.text == ":":
                self.advance()
                self.expression()
                return mark
        except Panic:
            if self.gave_up is not None:
                raise
        self.restore(state)
        return None

    # ------------------------------------------------------------ patterns

    def pattern(self) -> tree.Expression:
        """``Pattern`` (syntax 4.6)."""
        start, kind, text = self.start, self.kind, self.text
        if kind == IDENT:
            if text == "true" or text == "false":
                self.advance()
                return tree.BooleanLiteral(start, self.prev_end, text == "true")
            name = self.dotted_name("a pattern")
            if len(name.parts) == 1:
                return tree.ContextualName(start, name.end, name.parts[0].text)
            return tree.QualifiedPattern(start, name.end, name)
        if kind == STRING:
            return self.string()
        if kind == NUMBER:
            self.advance()
            return number_literal(start, self.prev_end, text)
        if text == "-":
            self.advance()
            if self.kind != NUMBER:
                self.fail(f"expected a number after `-` in a pattern, found {self.what()}")
            number = number_literal(self.start, self.end, self.text)
            self.advance()
            return tree.Unary(start, self.prev_end, "-", number)
        if text == "{" and self.peek() == "}":
            self.advance()
            self.advance()
            return tree.Braced(start, self.prev_end, [])
        self.fail(
            f"expected a pattern, found {self.what()}: a pattern is a literal, a name, "
            "a dotted name or `{}`"
        )


def presence_mark(node: tree.Expression) -> int | None:
    """The offset of the first ``?`` of a presence test along the operands of ``node``."""
    stack: list[tree.Node] = [node]
    marks: list[int] = []
    while stack:
        current = stack.pop()
        if isinstance(current, tree.PresenceTest):
            marks.append(current.end - 1)
            stack.append(current.operand)
        elif isinstance(current, (tree.Binary, tree.Unary)):
            stack.extend(tree.children(current))
        elif isinstance(current, tree.Member):
            stack.append(current.receiver)
        elif isinstance(current, tree.Call):
            stack.append(current.callee)
    return min(marks) if marks else None


def _is_dotted(node: tree.Expression) -> bool:
    while isinstance(node, tree.Member) and not node.optional:
        node = node.receiver
    return isinstance(node, tree.Identifier)


def _computation(node: tree.Expression) -> str:
    """What kind of expression stands without its braces."""
    match node:
        case tree.Call():
            return "a call"
        case tree.Member():
            return "a member access"
        case tree.Parenthesized() | tree.UnitLiteral():
            return "a value in parentheses"
        case tree.If() | tree.Match() | tree.ConditionList():
            return "an `if`"
        case tree.For():
            return "a `for`"
        case tree.Binary(operator=operator) if operator in ("..", "..="):
            return "a range"
        case tree.Unary(operator=operator):
            return f"the operator `{operator}`"
        case _:
            return "a computation"
