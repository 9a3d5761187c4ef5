"""Braces and lists (syntax 4.2), and the removed conditional operator in them."""

from __future__ import annotations

import re
from typing import Literal

from nx_lsp.syntax import tree
from nx_lsp.syntax.lexer import EOF, Panic
from nx_lsp.syntax.parser_base import Grammar, closing_name, field_begins
from nx_lsp.syntax.parser_operands import presence_mark
from nx_lsp.syntax.token_messages import shorten

_tag_ends = re.compile(r'[^{}<>"]*(?:"[^"]*"[^{}<>"]*)*>').match
"""Whether a tag ends behind an offset before any brace."""


class BraceGrammar(Grammar):
    """What stands between ``{`` and ``}`` in a value."""

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
        while self.found and next(reversed(self.found)) > mark:
            self.found.popitem()  # what was reported of its alternatives
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
        role, self.braces_are = self.braces_are, "value"
        self.in_list, self.in_tag = True, False
        self.advance()
        items: list[tree.Expression] = []
        try:
            if self.text != "}":
                self._items(start, items, role)
        except Panic:
            if self.speculating:
                raise
            nesting = self.open_braces - context.open_braces
            self.recover(context)
            self._skip_to_brace(nesting)
        if self.gave_up is None:
            self.muted = context.muted
        self.braces_reported = reported
        self.in_list, self.in_tag = context.in_list, context.in_tag
        self.depth = context.depth - 1
        if self.text == "}":
            return tree.Braced(start, self.end, items)
        end = max(self.prev_end, items[-1].end if items else start + 1)
        self.leave_at(end)
        return tree.Braced(start, end, items)

    def _items(
        self, opener: int, items: list[tree.Expression], role: Literal["value", "branch", "arm"]
    ) -> None:
        """The content of braces up to ``}``: one expression, or list items (syntax 4.2).

        ``role``: what the braces are, see ``braces_are``. If what follows them is met, they
        are reported as never closed and left there."""
        separated = False
        reported = len(self.found)
        while self.text != "}":
            if self.kind == EOF or self.at_declaration():
                self.unclosed("{", opener, opener + 1)
            if self._goes_on_outside(opener, items, role):
                return
            if opener < self.junk[0] < self.start and not self.speculating:
                self.muted = True  # it may as well be text, and one report is enough
            if self.text == "<" and self.peek() == "/":
                self._forget_since(opener)
                self.error(
                    "this `{` is never closed: expected `}` before the closing tag",
                    opener,
                    opener + 1,
                )
                raise Panic
            if self.text == "/" and self.peek()[:1] == ">":
                self.never_closed(
                    "this `{` is never closed: expected `}` before `/>`", opener, opener + 1
                )
                return
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
                self.no_operator()
                if self.text == ")":
                    self.fail("this `)` closes nothing: remove it")
                if self.text == "else":
                    if self.braces_reported:
                        raise Panic
                    self.fail(
                        "this `else` belongs to no `if`: the branches of an `if` stand in braces, "
                        "`if c { a } else { b }`"
                    )
            items.append(self.expression())
        if len(items) > 1 and len(self.found) == reported:
            self._check_list(items)

    def _forget_since(self, opener: int) -> None:
        """Forget what was reported behind an opener that is reported itself."""
        if self.junk[0] > opener and self.gave_up is None and self.found:
            self.muted = next(reversed(self.found)) < opener and self.muted
        while self.found and next(reversed(self.found)) > opener:
            self.found.popitem()

    def _goes_on_outside(
        self, opener: int, items: list[tree.Expression], role: Literal["value", "branch", "arm"]
    ) -> bool:
        """Whether what stands here, with the last item, belongs to what is around the braces:
        then their ``}`` is missing, which is reported, and the item is given back."""
        text = self.text
        before = items[-1] if items else None
        if text == ")":
            begins = self.in_parens or self.in_parameters()
            before = None
        elif text == "else" and items:
            following = self.peek()
            begins = role == "branch" and following in ("{", "if")
            begins = begins or (role == "arm" and following == "=>")
            before = None
        elif text == ",":
            begins = self.in_parameters() and field_begins(self.source, self.behind()) is not None
            before = None
        elif before is None:
            return False
        elif text == "=":
            begins = (
                self.value_in_tag
                and isinstance(before, tree.Identifier)
                and _tag_ends(self.source, self.end) is not None
            )
        elif text == ":":
            name = before.operand if isinstance(before, tree.PresenceTest) else before
            begins = self.in_definitions and isinstance(name, tree.Identifier)
            begins = begins and all(presence_mark(item) is None for item in items[:-1])
        elif text == "=>":
            begins = role == "arm" and len(items) > 1 and _is_pattern(before)
        else:
            return False
        if not begins:
            return False
        first = self.start if before is None else before.start
        self.never_closed(
            f"this `{{` is never closed: expected `}}` before `{self.source[first : self.end]}`",
            opener,
            opener + 1,
        )
        if before is not None:
            items.pop()
            self.jump(items[-1].end if items else opener + 1)
        return True

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


def _is_pattern(node: tree.Expression) -> bool:
    """Whether an expression could as well be a pattern of one name or literal (syntax 4.6)."""
    return isinstance(
        node, (tree.Identifier, tree.StringLiteral, tree.NumberLiteral, tree.BooleanLiteral)
    )
