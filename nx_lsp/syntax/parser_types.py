"""Types (syntax 3): names, occurrence suffixes, function types, applied types."""

from __future__ import annotations

import re
from typing import Literal, Union

from nx_lsp.syntax import tree, where
from nx_lsp.syntax.lexer import EOF, IDENT, STRING, Panic, begins_declaration
from nx_lsp.syntax.parser_base import Grammar, field_begins

_ONE_END = re.compile(r"[^{}()<>]*/>")
_TWO_ENDS = re.compile(r"[^{}()<>]*/>[^{}()<>]*/>")
_SUFFIX_STARTS = frozenset(["?", "+", "*", "??", "?.", "["])


class TypeGrammar(Grammar):
    """The rules of syntax 3; the constraint grammar itself stands in ``where.py``."""

    def type_expression(self) -> tree.TypeNode:
        """``Type``: a base type with suffixes, or with a constraint."""
        node = self._base_type()
        while self.text in _SUFFIX_STARTS:
            node = self._suffixed(node)
            self.links += 1
        if self.text == "where" and where.at_where(self):
            return where.constrained_type(self, node)
        return node

    def _suffixed(self, inner: tree.TypeNode) -> tree.TypeNode:
        """One occurrence suffix; how many may stand is checked on the tree (syntax 3.2)."""
        if self.text == "?." and self.source[self.end : self.end + 1].isalpha():
            self.fail("`?.` cannot stand in a type: a dotted name has plain dots")
        self.split()
        start = self.start
        suffix: Literal["?", "+", "*", "[]"]
        if self.text == "[":
            if self.peek() != "]":
                self.fail("types take no brackets: write `T*` (zero or more) or `T+` (one or more)")
            self.advance()
            suffix = "[]"
        elif self.text == "?":
            suffix = "?"
        elif self.text == "+":
            suffix = "+"
        else:
            suffix = "*"
        self.advance()
        return tree.SuffixedType(inner.start, self.prev_end, inner, suffix, start)

    def _base_type(self) -> tree.TypeNode:
        if self.kind == IDENT and not self.at_declaration():
            name = self.dotted_name("a type")
            return tree.NamedType(name.start, name.end, name)
        if self.text == "<":
            return self._angle_type()
        if self.text == "(":
            return self._parenthesized_type()
        self.fail(self._no_type())

    def _no_type(self) -> str:
        if self.text == "...":
            return (
                "`...` stands only among the parameters of a function type: `<function ... />: T`"
            )
        if self.kind == STRING:
            return (
                f"expected a type, found {self.what()}: a fixed set of values is a union of "
                "its own, `type Name = first | second`"
            )
        if self.text == "{":
            return "a type cannot be written in place: declare `type Name = { … }` and use its name"
        if self.text == "[":
            return "lists are written `T*` (zero or more) or `T+` (one or more), without brackets"
        return f"expected a type, found {self.what()}"

    def _parenthesized_type(self) -> tree.TypeNode:
        start, end = self.start, self.end
        self.enter()
        self.advance()
        inner: tree.TypeNode = tree.MissingType(end, end)
        if self.text != "," or not self._definition_follows():
            inner = self.type_expression()
        if self._definition_follows():
            self.never_closed("this `(` is never closed: expected `)`", start, end)
            self.depth -= 1
            return tree.ParenthesizedType(start, max(self.prev_end, end), inner)
        if self.text != ")":
            if self.kind == EOF or self.at_piece():
                self.unclosed("(", start, end)
            if self.text in ("=", "=>", "}", "/", ">", ">="):
                self.fail("this `(` is never closed: expected `)`", start, end)
            self.fail(f"expected `)` after the type, found {self.what()}")
        self.depth -= 1
        self.advance()
        return tree.ParenthesizedType(start, self.prev_end, inner)

    def _angle_type(self) -> tree.TypeNode:
        """``<function … />: R`` or ``<Name T=int/>``."""
        start = self.start
        self.enter()
        self.advance()
        if self.text == "function" and self.kind == IDENT:
            node = self._function_type(start)
        else:
            node = self._applied_type(start)
        self.depth -= 1
        return node

    def close_type(self, start: int, name_end: int) -> None:
        """The ``/>`` of a type or signature; its ``>`` may be glued to a following ``=``."""
        opener = self.source[start:name_end]
        if self.text == "/":
            slash = self.start
            self.advance()
            if self.text[:1] != ">" and self.text != "=>":
                self.fail(f"expected `>` after `/`, found {self.what()}", slash, self.prev_end)
            self.split()
            self.advance()
            return
        if self.text[:1] == ">":
            self.split()
            self.error(f"`{opener}` ends in `/>`: write `/>` here", self.start, self.end)
            self.advance()
            return
        if self.kind == EOF or self.at_declaration():
            self.never_closed(f"`{opener}` is never closed: expected `/>`", start, name_end)
            self.give_up(self.start)
            raise Panic
        self.fail(f"expected `/>` to close `{opener}`, found {self.what()}")

    def _function_type(self, start: int) -> tree.TypeNode:
        name_end = self.end
        self.advance()
        parameters: list[Union[tree.PropertyDefinition, tree.EllipsisNode]] = []
        comma: int | None = None
        while self.text not in ("/", ">", ">=") and self.kind != EOF and not self.at_declaration():
            if self.text == "...":
                parameters.append(tree.EllipsisNode(self.start, self.end))
                self.advance()
            elif self.text == ",":
                if comma is None:
                    comma = self.start
                    self.error(
                        "parameters of a function type are separated by whitespace: remove the `,`",
                        self.start,
                        self.end,
                    )
                self.advance()
            elif self.kind == IDENT and self.behind_junk() and not self._parameter_begins():
                self.advance()
            elif self.kind == IDENT:
                parameters.append(self.property_definition("parameter"))
            elif self.text in (")", "}", ":", "=>"):
                if comma is not None:
                    self.found.pop(comma, None)  # it separates what stands around the type
                self.fail(_unclosed("function"), start, name_end)
            else:
                self.fail(f"expected a parameter or `/>`, found {self.what()}")
        slash = self.start
        self.close_type(start, name_end)
        if self.text == "=>" or (self.text == "-" and self.peek()[:1] == ">"):
            end = self.end if self.text == "=>" else self.end + 1
            self.error("the result of a function type is written `: T`", self.start, end)
            self.jump(end)
            result = self.type_expression()
            return tree.FunctionTypeNode(start, result.end, parameters, result)
        if self.text != ":":
            self.error(
                "a function type needs a result: write `: T` after its `/>`",
                slash,
                self.prev_end,
            )
            if not self._result_follows():
                missing = tree.MissingType(self.prev_end, self.prev_end)
                return tree.FunctionTypeNode(start, self.prev_end, parameters, missing)
        else:
            self.advance()
        result = self.type_expression()
        return tree.FunctionTypeNode(start, result.end, parameters, result)

    def _result_follows(self) -> bool:
        """Whether a result stands behind a function type without its ``:``."""
        if self.kind != IDENT or "\n" in self.source[self.prev_end : self.start]:
            return False
        if field_begins(self.source, self.start) or begins_declaration(self.source, self.start):
            return False
        return self.text not in ("emits", "content", "where")

    def _applied_type(self, start: int) -> tree.TypeNode:
        name = self.dotted_name("the name of a generic type after `<`")
        arguments: list[tree.TypeArgument] = []
        comma = False
        while self.text not in ("/", ">", ">=") and self.kind != EOF and not self.at_declaration():
            if self._definition_follows():
                self.never_closed(_unclosed(name.text), start, name.end)
                return tree.AppliedType(start, self.prev_end, name, arguments)
            if self.text == ",":
                if not comma:
                    comma = True
                    self.error(
                        "type arguments are separated by whitespace: remove the `,`",
                        self.start,
                        self.end,
                    )
                self.advance()
                continue
            if self.text == "=":
                self.fail(_unclosed(name.text), start, name.end)
            if self.behind_junk() and self.kind == IDENT and self.peek() != "=":
                self.advance()
                continue
            if self.kind != IDENT:
                self.fail(f"expected a type argument `T=…` or `/>`, found {self.what()}")
            argument = self.name()
            if self.text != "=":
                if self.text == ":":
                    self.fail(f"a type argument is written with `=`: `{argument.text}=…`")
                self.fail(
                    f"type arguments have names: write `T={argument.text}` with the name of the "
                    "parameter",
                    argument.start,
                    argument.end,
                )
            equals = self.start
            self.advance()
            if self._no_argument_type():
                self.error(f"expected a type after `{argument.text}=`", equals, equals + 1)
                target: tree.TypeNode = tree.MissingType(self.prev_end, self.prev_end)
            else:
                target = self.type_expression()
            arguments.append(tree.TypeArgument(argument.start, target.end, argument, target))
        self.close_type(start, name.end)
        return tree.AppliedType(start, self.prev_end, name, arguments)

    def _parameter_begins(self) -> bool:
        return self.text == "content" or field_begins(self.source, self.start) is not None

    def _no_argument_type(self) -> bool:
        """Whether the next type argument, or the end, follows the ``=`` of an argument."""
        if self.kind == IDENT:
            return self.peek() == "=" and self.text not in PRIMITIVES
        return self.text in ("/", ">", ",")

    def _definition_follows(self) -> bool:
        """Whether the next definition around a type begins here, behind a comma in parentheses:
        then the type is not closed."""
        if not self.in_definitions:
            return False
        if self.text == "," and self.definitions_end == ")":
            return field_begins(self.source, self.behind()) is not None
        if self.kind != IDENT or not field_begins(self.source, self.start):
            return False
        # `/>` behind it closes this type, or the signature around it.
        ends = _TWO_ENDS if self.value_in_tag else _ONE_END
        return ends.match(self.source, self.start) is None

    def property_type(self, name: str) -> tuple[tree.TypeNode | None, bool]:
        """What follows the ``:`` of a property definition: a type, or the word ``type``.

        Returns the type, ``None`` for a type parameter, and whether it is one."""
        if self.kind == IDENT:
            if self.text == "type" and not self.at_declaration() and self.peek() != ".":
                self.advance()
                if self.text in ("?", "+", "*", "??", "?.", "["):
                    suffix = self.text[0]
                    self.error(
                        f"`type` takes no suffix: the type parameter `{name}` stands for one type, "
                        f"write the `{suffix}` where `{name}` is used",
                        self.start,
                        self.start + 1,
                    )
                    while self.text in ("?", "+", "*", "??", "?.", "[", "]"):
                        self.split()
                        self.advance()
                return None, True
            if field_begins(self.source, self.start) and self.text not in PRIMITIVES:
                self._no_type_given_after(name)
                return tree.MissingType(self.prev_end, self.prev_end), False
        elif self.text in ("/", ">", "}", ")", ",", "="):
            self._no_type_given_after(name)
            return tree.MissingType(self.prev_end, self.prev_end), False
        return self.type_expression(), False

    def _no_type_given_after(self, name: str) -> None:
        self.error(f"expected a type after `{name}:`", self.prev_start, self.prev_end)


PRIMITIVES = frozenset(
    ("string", "int", "int32", "int64", "float32", "float64", "boolean", "object")
)
"""The words that are types wherever a type can stand (syntax 1.5)."""


def _unclosed(name: str) -> str:
    return f"`<{name}` is never closed: expected `/>`"
