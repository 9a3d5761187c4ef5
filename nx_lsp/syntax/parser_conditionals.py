"""``if`` and ``for`` in their three shapes and three contexts (syntax 4.5 – 4.7, 4.8.2)."""

from __future__ import annotations

import re
from typing import NoReturn

from nx_lsp.syntax import tree
from nx_lsp.syntax.lexer import (
    EOF,
    IDENT,
    IDENT_TEXT,
    STRING_BODY,
    TRIVIA,
    TRIVIA_PATTERN,
    Panic,
)
from nx_lsp.syntax.parser_base import BRANCH, Context, Grammar

_arm_begins = re.compile(
    rf"\{{{TRIVIA}(?:{STRING_BODY}|{IDENT_TEXT}(?:\.{IDENT_TEXT})*|-?[0-9][0-9.]*|\{{{TRIVIA}\}})"
    rf"{TRIVIA}(?:=>|,)"
).match
"""Whether braces begin with the pattern of a match arm."""

_ELSE = re.compile(r"else(?![A-Za-z0-9_])")


class ConditionalGrammar(Grammar):
    """Conditionals and loops.

    In the ``body`` context both are left **on** their last token, as elements are; in the
    others the token behind them is current."""

    def conditional(self, context: Context) -> tree.If | tree.Match | tree.ConditionList:
        """Any ``if``; the word is current."""
        start, word_end = self.start, self.end
        self.enter()
        in_list, in_tag = self.in_list, self.in_tag
        self.in_list = self.in_tag = False
        self.advance()
        node: tree.If | tree.Match | tree.ConditionList
        if self.text == "is" and _arm_begins(self.source, self.behind()):
            self.error(
                "a match needs a value to match: write `if value is { … }`, or a condition list "
                "`if { condition => … }`",
                self.start,
                self.end,
            )
            missing = tree.MissingExpression(self.prev_end, self.prev_end)
            node = self._match(start, missing, context)
        elif self.text == "{" and self.peek() != "}":
            node = self._condition_list(start, context)
        else:
            condition = self._condition(start, word_end)
            if self.text == "is" and self.kind == IDENT:
                node = self._match(start, condition, context)
            else:
                node = self._simple(start, condition, context)
        self.depth -= 1
        self.in_list, self.in_tag = in_list, in_tag
        return node

    def _condition(self, start: int, word_end: int) -> tree.Expression:
        if self.text == "{":
            self.advance()
            self.advance()
            return self.expression(0, tree.Braced(self.prev_start - 1, self.prev_end, []))
        if self.text in ("}", ")") or self.kind == EOF:
            self.fail("expected a condition after `if`", start, word_end)
        return self.expression()

    # ------------------------------------------------------------ simple

    def _simple(self, start: int, condition: tree.Expression, context: Context) -> tree.If:
        if self.text != "{":
            self.conditional_operator(condition)
        then = self._branch(context, BRANCH, condition)
        end = then.end
        otherwise: tree.Branch | None = None
        if context == "body":
            position = TRIVIA_PATTERN.match(self.source, self.end)
            offset = position.end() if position else self.end
            if offset >= self.length:
                self.touched_end = True
            if _ELSE.match(self.source, offset):
                self.jump(offset)
                otherwise = self._else(context)
                end = otherwise.end
        elif self.text == "else" and self.kind == IDENT and self.peek() != "=>":
            otherwise = self._else(context)
            end = otherwise.end
        return tree.If(start, end, condition, then, otherwise)

    def _else(self, context: Context) -> tree.Branch:
        start, end = self.start, self.end
        self.advance()
        if self.text == "if" and self.kind == IDENT:
            if not self.in_else_if:
                self.error(
                    "`else if` does not exist in NX: nest the `if` inside `else { … }`, or use a "
                    "condition list `if { a => … b => … else => … }`",
                    start,
                    self.end,
                )
            outside, self.in_else_if = self.in_else_if, True
            nested = self.conditional(context)
            self.in_else_if = outside
            if context == "properties":
                return tree.PropertyBlock(nested.start, nested.end, [nested])
            if context == "body":
                return tree.BodyBlock(nested.start, nested.end, [nested])
            return nested
        if self.text != "{" and self.text == "=>":
            self.fail(
                "`else =>` ends a condition list or a match; after a branch write `else { … }`",
                start,
                self.end,
            )
        if self.text != "{" and self.kind == EOF:
            self.fail("expected `{ … }` after `else`", start, end)
        return self._branch(context, "the `else` branch", None)

    def _branch(
        self, context: Context, what: str, condition: tree.Expression | None
    ) -> tree.Branch:
        """The braces of a branch or loop; they are required."""
        if self.text != "{":
            self.no_opener = True
            if condition is not None:
                self._no_branch(what, condition)
            self.fail(f"{what} needs braces: expected `{{`, found {self.what()}")
        outside, self.in_else_if = self.in_else_if, False
        node: tree.Branch
        if context == "body":
            node = self.body_block(what)
        elif context == "properties":
            node = self._property_block()
        else:
            self.braces_are = "branch" if what == BRANCH else "value"
            node = self.braced()
            self.advance()
        self.in_else_if = outside
        return node

    def _no_branch(self, what: str, condition: tree.Expression) -> NoReturn:
        self._operator_hints(condition)
        if self.text == "then":
            self.fail("NX has no `then`: put the branch in braces, `if c { … }`")
        if self.text == "=>":
            self.fail(
                "`=>` belongs to the arms of a condition list: write `if { c => … }`, "
                "or `if c { … }`"
            )
        self.fail(f"{what} needs braces: expected `{{`, found {self.what()}")

    def _operator_hints(self, condition: tree.Expression) -> None:
        if self.text == "=":
            self.fail("NX has no assignment: to compare, write `==`")
        if self.text == "|":
            self.fail("NX has no `|` in expressions: “or” is `||`")

    def _property_block(self) -> tree.PropertyBlock:
        start, opener_end = self.start, self.end
        self.enter()
        value_in_tag, self.value_in_tag = self.value_in_tag, False
        self.advance()
        self.open_braces += 1
        items = self.properties(("}",), in_arm=False)
        if self.text != "}":
            self._block_end_missing(start, opener_end)
        self.open_braces -= 1
        self.value_in_tag = value_in_tag
        self.depth -= 1
        if self.text == "}":
            self.advance()
        return tree.PropertyBlock(start, max(self.prev_end, opener_end), items)

    def _block_end_missing(self, start: int, end: int) -> None:
        """Report what stands where the ``}`` of a block of properties must follow."""
        if self.kind == EOF or self.at_declaration():
            self.unclosed("{", start, end)
        if self.text[:1] == ">" or (self.text == "/" and self.peek()[:1] == ">"):
            self.never_closed(
                f"this `{{` is never closed: expected `}}` before `{self.text}`", start, end
            )
            return
        if self.peek() == "=>":
            self.fail(
                "arms `… => …` stand in a match or in a condition list: write "
                "`if value is { … }` or `if { … }`"
            )
        self.fail(f"expected a property or `}}`, found {self.what()}")

    # ------------------------------------------------------------ arms

    def _match(self, start: int, scrutinee: tree.Expression, context: Context) -> tree.Match:
        """``is { pattern => … }``; the word ``is`` is current."""
        word_start, word_end = self.start, self.end
        self.advance()
        if self.text != "{":
            self.no_opener = True
            self.fail(f"expected `{{` after `is`, found {self.what()}")
        opener = self.start
        self.open_braces += 1
        self.advance()
        arms: list[tree.MatchArm] = []
        otherwise: tree.Branch | None = None
        late = False
        else_start = 0
        while self.text != "}":
            if self.kind == EOF or self.at_piece():
                self.unclosed("{", opener, opener + 1)
            if otherwise is not None:
                if not late:
                    late = True
                    self._else_not_last()
                word: tree.Expression = tree.ContextualName(else_start, else_start + 4, "else")
                arms.append(tree.MatchArm(else_start, otherwise.end, [word], otherwise))
                otherwise = None
            if self.text == "else" and self.peek() == "=>":
                else_start = self.start
                otherwise = self._else_arm(context)
                continue
            if self.text == "," and arms:
                self.fail("arms are separated by whitespace: remove the `,`")
            arm_start = self.start
            patterns = [self.pattern()]
            while self.text == ",":
                self.advance()
                if self.text == "=>":
                    self.fail("expected a pattern after `,`", self.prev_start, self.prev_end)
                patterns.append(self.pattern())
            self._arrow(patterns[-1])
            body = self._arm_body(context)
            arms.append(tree.MatchArm(arm_start, body.end, patterns, body))
        if not arms:
            self._no_arms(word_start, word_end, otherwise)
        self._close_arms(context)
        return tree.Match(start, self._block_end(context), scrutinee, arms, otherwise)

    def _condition_list(self, start: int, context: Context) -> tree.ConditionList:
        """``if { condition => … }``; the ``{`` is current."""
        opener = self.start
        self.open_braces += 1
        self.advance()
        arms: list[tree.ConditionArm] = []
        otherwise: tree.Branch | None = None
        late = False
        else_start = 0
        while self.text != "}":
            if self.kind == EOF or self.at_declaration():
                self.unclosed("{", opener, opener + 1)
            if otherwise is not None:
                if not late:
                    late = True
                    self._else_not_last()
                word: tree.Expression = tree.Identifier(else_start, else_start + 4, "else")
                arms.append(tree.ConditionArm(else_start, otherwise.end, word, otherwise))
                otherwise = None
            if self.text == "else" and self.peek() == "=>":
                else_start = self.start
                otherwise = self._else_arm(context)
                continue
            if self.text == "," and arms:
                self.fail("arms are separated by whitespace: remove the `,`")
            condition = self.expression()
            if self.text == "}" and not arms and otherwise is None:
                self.fail(
                    "`if {` begins a condition list, whose arms are `condition => value`; "
                    "for one condition write `if c { … }`",
                    opener,
                    opener + 1,
                )
            self._arrow(condition)
            body = self._arm_body(context)
            arms.append(tree.ConditionArm(condition.start, body.end, condition, body))
        if not arms:
            self._no_arms(start, start + 2, otherwise)
        self._close_arms(context)
        return tree.ConditionList(start, self._block_end(context), arms, otherwise)

    def _arrow(self, before: tree.Expression) -> None:
        if self.text != "=>":
            if self.text in ("..", "..="):
                self.fail("a pattern is one value: ranges cannot be matched, use `if { … => }`")
            if self.text == "is":
                self.fail("arms hold no `is`: write `value =>` for a pattern")
            self._operator_hints(before)
            self.fail(f"expected `=>` in the arm of an `if`, found {self.what()}")
        self.advance()

    def _else_arm(self, context: Context) -> tree.Branch:
        self.advance()
        self.advance()
        return self._arm_body(context)

    def _else_not_last(self) -> None:
        """Report an arm behind ``else``, which then stays in the tree as an ordinary arm."""
        what = "the `else` arm comes last: move this arm before it"
        self.error(what, self.start, self.end)

    def _no_arms(self, start: int, end: int, otherwise: tree.Branch | None) -> None:
        if otherwise is None:
            self.error("at least one arm `… => …` is needed", start, end)
        else:
            self.error(
                "at least one arm is needed before `else`: without a choice, write the value alone",
                start,
                end,
            )

    def _close_arms(self, context: Context) -> None:
        """Step over the ``}``, unless body text may follow it."""
        self.open_braces -= 1
        if context != "body":
            self.advance()

    def _block_end(self, context: Context) -> int:
        return self.end if context == "body" else self.prev_end

    def _arm_body(self, context: Context) -> tree.Branch:
        if context == "properties":
            start = self.start if self.text not in ("}",) else self.prev_end
            items = self.properties(("}",), in_arm=True)
            if not items:
                return tree.PropertyBlock(self.prev_end, self.prev_end, items)
            return tree.PropertyBlock(start, items[-1].end, items)
        if context == "body":
            return self._markup_arm()
        if self.text == "}" or (self.text == "else" and self.peek() == "=>"):
            self.fail("expected a value after `=>`", self.prev_start, self.prev_end)
        if self.text == "{":
            self.braces_are = "arm"
            braces = self.braced()
            self.advance()
            if braces.items:
                return braces
            return self.expression(0, braces)
        body = self.expression()
        if self.text == "=>" and isinstance(body, tree.Binary) and body.operator == "-":
            self.error(
                "this `-` was read as a subtraction: put braces around the value before it, "
                f"`=> {{{self.source[body.left.start : body.left.end]}}}`, or move the arm to the "
                "front",
                body.operator_start,
                body.operator_start + 1,
            )
            raise Panic
        return body

    def _markup_arm(self) -> tree.Branch:
        """``BodyArm``: an element, or braces around body items."""
        if self.text == "{":
            block = self.body_block("the arm of an `if` in a body")
            self.advance()
            return block
        if self.text == "<" and self.peek() != "/":
            element = self.element()
            self.advance()
            return element
        self.fail(
            "in the body of an element an arm holds an element or braces around body items: "
            f"write `=> {{ {{…}} }}`, found {self.what()}"
        )

    # ------------------------------------------------------------ loops

    def loop(self, context: Context) -> tree.For:
        """Any ``for``; the word is current."""
        start = self.start
        self.enter()
        in_list, in_tag = self.in_list, self.in_tag
        self.in_list = self.in_tag = False
        self.advance()
        if self.text == "(":
            self.fail("the names of a `for` stand without parentheses: `for item, index in list`")
        if not self.at_name():
            self.fail(f"expected the name of the item after `for`, found {self.what()}")
        item = self.name()
        index: tree.Name | None = None
        if self.text == ",":
            self.advance()
            if not self.at_name():
                self.fail(f"expected the name of the index after `,`, found {self.what()}")
            index = self.name()
        if self.text != "in" or self.kind != IDENT:
            if self.text == "of":
                self.fail("a `for` goes over its values with `in`: replace the `of`")
            self.fail(f"expected `in` after the names of the `for`, found {self.what()}")
        self.advance()
        if self.text == "{" and self.peek() != "}":
            self._braced_iterable(start)
        else:
            iterable = self.expression()
        body = self._branch(context, "the body of a `for`", iterable)
        assert isinstance(body, (tree.Braced, tree.BodyBlock))
        self.depth -= 1
        self.in_list, self.in_tag = in_list, in_tag
        return tree.For(start, body.end, item, index, iterable, body)

    def _braced_iterable(self, start: int) -> NoReturn:
        """``for x in {a b} {…}``: what follows ``in`` is one expression."""
        self.fail(
            "a `for` goes over one expression, not over a list in braces: give the list a name "
            "with `let`",
            self.start,
            self.end,
        )
