"""Values outside of braces (syntax 4.1) and patterns (syntax 4.6)."""

from __future__ import annotations

import re

from nx_lsp.syntax import tree
from nx_lsp.syntax.lexer import (
    EOF,
    IDENT,
    NUMBER,
    OP,
    STRING,
    Panic,
    begins_declaration,
)
from nx_lsp.syntax.parser_base import Grammar, field_begins, property_begins
from nx_lsp.syntax.parser_operands import BINARY, number_literal, presence_mark
from nx_lsp.syntax.token_messages import shorten


class ValueGrammar(Grammar):
    """Unbraced values, which compute nothing, and the patterns of a match."""

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
        elif text == "." and self.peek()[:1].isdigit():
            self.advance()
            self.error(
                f"a number has digits on both sides of its point: write `0.{self.text}`",
                start,
                self.end,
            )
            node = tree.NumberLiteral(start, self.end, "real", f".{self.text}")
            self.advance()
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
        """Whether the name behind an ``=`` begins the next definition, property or arm instead."""
        if self.value_in_tag and property_begins(self.source, self.start):
            return True
        if self.open_braces and self.value_in_tag and self.peek() == "=>":
            return True
        return self.in_definitions and field_begins(self.source, self.start) is not None

    def missing_value(self, equals: int) -> tree.Expression:
        """Report that nothing usable follows the ``=``."""
        if self.kind == EOF or self.text in ("}", ")", ",", "/", ">", ">=", "|", "=>", "</"):
            found = ""
        else:
            found = f", found {self.what()}"
        self.error(f"expected a value after `=`{found}", equals, equals + 1)
        if found and self.kind == OP and self.text not in ("<", ">", ">=", "/", "=", "=>", "|"):
            self._skip_value()
        return tree.MissingExpression(self.prev_end, self.prev_end)

    def _value_goes_on(self, node: tree.Expression) -> bool:
        """Whether a token follows that makes the unbraced value part of a computation."""
        text = self.text
        if self.kind == OP:
            if text in (".", "?.", "?", ".."):
                return True
            if text in ("{", "(", "!") and _is_control_word(node):
                return True
            if text == "(":
                return self.start == self.prev_end
            if text == "=>":
                return self._lambda_here()
            if text in ("<", ">"):
                return False
            if text == "/":
                return self._division_here()
            if text == "[":
                return self.start == self.prev_end
            if text == ">=":
                return not self.value_in_tag
            return text in BINARY
        if not isinstance(node, tree.ContextualName):
            return False
        control = _is_control_word(node)
        if self.kind == IDENT:
            return control and not self._next_begins()
        return self.kind in (NUMBER, STRING) and (control or node.suffixes != "")

    def _lambda_here(self) -> bool:
        """Whether the ``=>`` here is that of a lambda, and no arm's and no end of a tag."""
        if self.open_braces or self.prev_end == self.start:
            return False
        return self.source[self.end : self.end + 1].isspace()

    def _division_here(self) -> bool:
        """Whether the ``/`` here divides; in a tag it may be the beginning of its ``/>``."""
        following = self.peek()
        if following[:1] == ">":
            return False
        if not self.value_in_tag:
            return True
        goes_on = property_begins(self.source, self.behind()) is not None
        return not goes_on and following not in ("<", "}", ")", ",", "=>", "")

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
                raise
            if self._first_since(state.problems):
                self.recover(state)
                self._skip_value(self._open_since(start))
                return result
        if operator == "[" and self._first_since(state.problems):
            self.recover(state)
            return result  # indexing does not exist in braces either
        self._first_since(state.problems, 0)
        if removed is None and self._took_next_name():
            end = self._give_back_name()
            self.recover(state)
            return tree.MissingExpression(start, end)
        end = max(self.prev_end, start + 1)
        self.recover(state)
        text = shorten(self.source[start:end])
        if self.text == "=>" and self._lambda_here():
            self.error(
                "`=>` stands only in the arms of an `if`: NX has no lambdas, "
                "a function is passed by its name",
                self.start,
                self.end,
            )
            self.advance()
            self._skip_value()
        elif removed is not None:
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
        elif isinstance(result, tree.NumberLiteral) and operator == ".":
            self.error(
                f"a number has digits on both sides of its point: write `{result.text}.0`",
                start,
                end,
            )
        elif isinstance(result, tree.MissingExpression) or text in ("-", "!", "("):
            self.error(f"expected a value after `{text}`", start, end)
        else:
            what = _computation(result)
            self.error(f"{what} needs braces here: write `{{ {text} }}`", start, end)
        if self.text == "}" and self.missing_braces():
            self.spare_braces -= 1  # only the `{` is missing
            self.advance()
        return result

    def _first_since(self, count: int, keep: int = 1) -> bool:
        """Forget the problems found after the first ``count``, but for ``keep`` of them; returns
        whether there are any."""
        found = len(self.found) > count
        while len(self.found) > count + keep:
            self.found.popitem()
        return found

    def _took_next_name(self) -> bool:
        """Whether the last name read as an operand begins what may follow the value."""
        last = self.source[self.prev_start : self.prev_end]
        if self.text == "{" and last == "emits":
            return self.in_definitions and self.value_in_tag
        if self.text == "=>" and self.open_braces and self.value_in_tag:
            return last.isidentifier()
        if self.text == "=":
            return self.value_in_tag and property_begins(self.source, self.prev_start) is not None
        if self.text == ":":
            return self.in_definitions and field_begins(self.source, self.prev_start) is not None
        return False

    def _give_back_name(self) -> int:
        """Go back to the name behind an operator without operand, and report the operator;
        returns the end of the operator."""
        name = end = self.prev_start
        while self.source[end - 1].isspace():
            end -= 1
        operator = _last_operator(self.source[max(end - 3, 0) : end])
        text = operator.group() if operator else self.source[end - 1]  # a comment may stand here
        what = "name" if text in (".", "?.") else "value"
        self.error(f"expected a {what} after `{shorten(text)}`", end - len(text), end)
        self.jump(name)
        return end

    def _open_since(self, start: int) -> int:
        """How many brackets opened since ``start`` are to be closed behind a failure here; none
        if it is an opener that has been reported."""
        latest = next(reversed(self.found), 0)
        if self.source[latest : latest + 1] in ("(", "{", "["):
            return 0
        read = self.source[start : self.start]
        opened = sum(map(read.count, "({[")) - sum(map(read.count, ")}]"))
        return max(opened, 0)

    def _skip_value(self, nesting: int = 0) -> None:
        """After a failure in a value, read on to what may follow it, without reports.

        ``nesting``: how many brackets are open."""
        muted, self.muted = self.muted, True
        while self.kind != EOF and not self.at_piece():
            text = self.text
            if text in ("(", "{", "["):
                nesting += 1
            elif text in (")", "}", "]"):
                if nesting == 0:
                    break
                nesting -= 1
            elif nesting == 0:
                if text == "," or (self.kind == IDENT and self._next_begins()):
                    break
                if self.value_in_tag and (
                    text[:1] in ("<", ">") or (text == "/" and self.peek()[:1] == ">")
                ):
                    break
            self.advance()
        self.skipped_to = self.start
        if self.gave_up is None:
            self.muted = muted

    def _read_alternative(self, mark: int) -> int | None:
        """Whether ``a : b``, or the beginning of it, follows the ``?`` at ``mark``; returns
        ``mark`` then, having read past it."""
        state = self.save()
        try:
            if self.text != ":":
                if not self._operand_follows():
                    return None
                self.expression()
            if self.text == ":":
                self.advance()
                if self._operand_follows():
                    nested = presence_mark(self.expression())
                    if nested is not None:
                        self._read_alternative(nested)
            return mark
        except Panic:
            if self.gave_up is not None:
                raise
        self.restore(state)
        return None

    def _operand_follows(self) -> bool:
        """Whether an operand stands here, and nothing that may follow a value."""
        if self.kind in (NUMBER, STRING):
            return True
        if self.kind != IDENT:
            return self.text in ("{", "(", "-", "!") or (
                self.text == "<" and self.peek() != "/" and not self.at_root()
            )
        if begins_declaration(self.source, self.start) or (
            self.value_in_tag and property_begins(self.source, self.start)
        ):
            return False
        if self.in_definitions and field_begins(self.source, self.start):
            # `c ? a : b` has its spaces around the colon, `c ?` and a field has none before it.
            glued = self.source[self.end : self.end + 1] == ":" and self.prev_end < self.start
            return not glued and "\n" not in self.source[self.prev_end : self.start]
        following = self.peek()
        if self.open_braces and self.value_in_tag and following == "=>":
            return False
        return not (self.text == "emits" and self.in_definitions and following == "{")

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


_last_operator = re.compile(r"(?:\?\.|\.\.=?|[=!<>]=|&&|\|\||\?\?|[-+*/%<>!.?])\Z").search
"""The operator at the end of a text."""


def _is_control_word(node: tree.Expression) -> bool:
    """Whether an unbraced name is a word that begins a conditional or a loop in braces."""
    return isinstance(node, tree.ContextualName) and node.name in ("if", "for")


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
