"""What the parts of the parser know of each other.

The parser is one class, written in parts that call each other in circles: a type holds
property definitions, whose defaults hold elements, whose bodies hold expressions. Each part
derives from `Grammar`, which names the entries of the others.

Two conventions hold in all parts:

* A rule is entered with its first token current and left with the token *behind* it current.
* Exceptions are `element`, `braced` and `body_block`: they are left **on** their last token, with
  ``end`` behind it, because what follows may be body text, which must not be read as tokens.
  A caller in an expression goes on with ``advance()``.
"""

from __future__ import annotations

import re
from typing import Literal, NoReturn

from nx_lsp.syntax import tree
from nx_lsp.syntax.lexer import (
    EOF,
    SPACE,
    TRIVIA,
    Cursor,
    Panic,
    find_column_zero_declaration,
    find_column_zero_root,
)

Context = Literal["value", "body", "properties"]
"""Where a conditional or loop stands; it decides what its branches hold (syntax 4.5)."""

field_begins = re.compile(rf"[A-Za-z_][A-Za-z0-9_-]*{TRIVIA}\??{TRIVIA}:").match
"""Whether a property definition without modifier begins at an offset."""

property_begins = re.compile(
    rf"[A-Za-z_][A-Za-z0-9_-]*(?:{TRIVIA}\.{TRIVIA}[A-Za-z_][A-Za-z0-9_-]*)*{TRIVIA}=(?![=>])"
).match
"""Whether ``name=`` of a tag begins at an offset."""


closing_name = re.compile(rf"<{SPACE}*/{SPACE}*([A-Za-z_][A-Za-z0-9_.-]*)").match
"""The closing tag at an offset; its name is group 1."""

BRANCH = "the branch of an `if`"
"""What messages call the first branch of a simple ``if``, which ``else`` may follow."""

Mode = Literal["mixed", "text", "typed", "raw"]
"""How the body of an element is read (syntax 4.9)."""


class Grammar(Cursor):
    """The entries of all parts, and the small rules that all of them use."""

    def __init__(self, source: str) -> None:
        self.attempts: dict[int, bool] = {}
        """Outcome of attempts to read an element at a ``<`` (syntax 4.10.1), by offset."""
        self.open_tags: list[str] = []
        """Names of the elements whose bodies are being read, outermost first."""
        self.crossing: str | None = None
        """The element without closing tag in the element that is being closed, if any."""
        self.spare_braces = 0
        """How many more ``}`` than ``{`` the declaration has, as far as they are not reported."""
        self.braces_counted = False
        self.no_opener = False
        """Whether the latest failure is a ``{`` that is missing before a branch or arms."""
        self.braces_reported = False
        """Whether braces inside the current braces have been reported."""
        self.in_nested_braces = False
        """Whether the current braces stand inside braces that are reported for it."""
        self.braces_are: Literal["value", "branch", "arm"] = "value"
        """What the next braces are: the branch of an ``if``, which ``else`` may follow, the
        body of an arm, which the next arm may follow, or any other value."""
        self.definitions_end = "}"
        """What closes the innermost list of definitions in braces or parentheses."""
        self.in_else_if = False
        """Whether the current ``if`` is the tail of a reported ``else if``."""
        self.broken = False
        """Whether the declaration could not be read to its end (reported)."""
        self.text_declaration: int | None = None
        """The first line in the open element bodies that looks like a declaration."""
        self.text_declarations = 0
        """How many runs of text in the open element bodies hold such a line."""
        super().__init__(source)

    # ------------------------------------------------------------ entries of the parts

    def type_expression(self) -> tree.TypeNode:
        raise NotImplementedError

    def property_type(self, name: str) -> tuple[tree.TypeNode | None, bool]:
        raise NotImplementedError

    def close_type(self, start: int, name_end: int) -> None:
        raise NotImplementedError

    def property_definition(self, what: str) -> tree.PropertyDefinition:
        raise NotImplementedError

    def property_definitions(
        self, what: str, closers: tuple[str, ...]
    ) -> list[tree.PropertyDefinition]:
        raise NotImplementedError

    def unbraced(self, equals: int) -> tree.Expression:
        raise NotImplementedError

    def expression(
        self, minimum: int = 0, primary: tree.Expression | None = None
    ) -> tree.Expression:
        raise NotImplementedError

    def braced(self) -> tree.Braced:
        raise NotImplementedError

    def pattern(self) -> tree.Expression:
        raise NotImplementedError

    def conditional(self, context: Context) -> tree.If | tree.Match | tree.ConditionList:
        raise NotImplementedError

    def loop(self, context: Context) -> tree.For:
        raise NotImplementedError

    def element(self, in_text: bool = False) -> tree.Element:
        raise NotImplementedError

    def properties(self, closers: tuple[str, ...], in_arm: bool) -> list[tree.PropertyEntry]:
        raise NotImplementedError

    def body(
        self, mode: Mode, in_text: bool, tag: tree.DottedName, unfinished: bool
    ) -> tuple[list[tree.BodyPart], bool]:
        raise NotImplementedError

    def body_block(self, what: str) -> tree.BodyBlock:
        raise NotImplementedError

    # ------------------------------------------------------------ names

    def name(self) -> tree.Name:
        """The current identifier as a node; the caller has checked that it is one."""
        node = tree.Name(self.start, self.end, self.text)
        self.advance()
        return node

    def dotted_name(self, what: str) -> tree.DottedName:
        """``DottedName``: identifiers joined by dots."""
        if not self.at_name():
            self.fail(f"expected {what}, found {self.what()}")
        parts = [self.name()]
        while self.text == ".":
            self.advance()
            if not self.at_name():
                self.fail(*self._no_name_after_dot(parts[-1]))
            parts.append(self.name())
        return tree.DottedName(parts[0].start, parts[-1].end, parts)

    def tag_name(self, what: str) -> tree.DottedName:
        """``TagName``: as a dotted name, but later parts may hold dashes (syntax 1.4)."""
        if not self.at_name():
            self.fail(f"expected {what}, found {self.what()}")
        end = self.end
        self.extend_dashes()
        if self.end != end:
            self.error(
                f"the first part of {what} takes no `-`: "
                f"only a part behind a dot may hold one, as in `kit.{self.text}`",
                self.start,
                self.end,
            )
        parts = [self.name()]
        while self.text == ".":
            self.advance()
            if not self.at_name():
                self.error(*self._no_name_after_dot(parts[-1]))
                break
            self.extend_dashes()
            parts.append(self.name())
        return tree.DottedName(parts[0].start, parts[-1].end, parts)

    def _no_name_after_dot(self, before: tree.Name) -> tuple[str, int, int]:
        """What to report if no name stands here."""
        message = f"expected a name after `{before.text}.`, found {self.what()}"
        return message, self.prev_start, self.prev_end

    # ------------------------------------------------------------ recovery

    def in_parameters(self) -> bool:
        """Whether the current value is the default of a parameter in parentheses."""
        return self.in_definitions and self.definitions_end == ")"

    def skip_past_panic(self, start: int) -> None:
        """Make sure that a loop moves on after a `Panic` at its token ``start``."""
        if self.start == start and self.kind != EOF:
            self.advance()

    def conditional_operator(self, before: tree.Expression) -> None:
        raise NotImplementedError

    def report_conditional_operator(self, mark: int, unbraced: bool = False) -> None:
        raise NotImplementedError

    def no_operator(self) -> None:
        raise NotImplementedError

    def string(self) -> tree.StringLiteral:
        raise NotImplementedError

    def missing_braces(self) -> int:
        """How many ``{`` are missing, or ``}`` are too many, in the declaration; asked behind a
        failure, to find where it ends."""
        if not self.braces_counted:
            self.braces_counted = self.touched_end = True
            below = find_column_zero_declaration(self.source, self.end)
            end = below.start() if below else self.length
            self.spare_braces = self.source.count("}", 0, end) - self.source.count("{", 0, end)
        return max(self.spare_braces, 0)

    def root_is_below(self, offset: int) -> int | None:
        """Where the root element begins behind ``offset``, below a declaration with an element
        that is not closed: it is the only element in the first column."""
        if self.source[:1] == "<":
            return None
        root = find_column_zero_root(self.source, offset)
        if root is None or find_column_zero_root(self.source, root.end()):
            return None
        self.touched_end = True
        return root.start()

    def unclosed(self, opener: str, start: int, end: int) -> NoReturn:
        """Report the opener at ``start`` as never closed and stop reading.

        If a declaration begins here, it is where the file goes on."""
        closer = {"{": "}", "(": ")", "[": "]"}.get(opener, "/>")
        self.never_closed(f"this `{opener}` is never closed: expected `{closer}`", start, end)
        # Below a declaration, an element in the first column is the root element.
        below = self.kind == EOF and self.source[:1] != "<"
        root = find_column_zero_root(self.source, end) if below else None
        self.give_up(self.start if root is None else root.start())
        raise Panic
