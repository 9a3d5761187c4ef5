"""Values and functions in both forms (syntax 2.9, 2.10)."""

from __future__ import annotations

import re

from nx_lsp.syntax import tree
from nx_lsp.syntax.lexer import EOF, IDENT, SPACE, Panic, find_column_zero_declaration
from nx_lsp.syntax.parser_declarations import DeclarationGrammar, Modifiers

_NEARBY = 2000
"""Code points in which a closing tag is looked for."""


class CallableGrammar(DeclarationGrammar):
    """Everything behind ``let``."""

    # ------------------------------------------------------------ let …

    def let_declaration(self, modifiers: Modifiers, start: int) -> tree.DeclarationNode:
        """Value or function; the word ``let`` is current."""
        self.advance()
        for word in ("abstract", "external"):
            self.refuse(modifiers, word, "a `let`")
        if self.text == "<":
            return self._element_function(modifiers, start)
        name = self.declared_name("let")
        if self.text == "(":
            return self._paren_function(modifiers, start, name)
        kind = self._annotation()
        equals: int | None = None
        try:
            equals = self.equals(f"`let {name.text}`", f"let {name.text} = …")
        except Panic:
            self.broken = True
        value = self.body_of(equals)
        end = max(value.end, self._last(kind, name, equals))
        return tree.ValueNode(start, end, modifiers.visibility, name, kind, value)

    def _last(self, kind: tree.Node | None, name: tree.Node, equals: int | None) -> int:
        if equals is not None:
            return equals + 1
        return kind.end if kind is not None else name.end

    def _annotation(self) -> tree.TypeNode | None:
        """``[ ":" Type ]``."""
        if self.text != ":":
            return None
        colon = self.start
        self.advance()
        if self.text == "=":
            self.error("expected a type after `:`", colon, colon + 1)
            return tree.MissingType(colon + 1, colon + 1)
        try:
            return self.type_expression()
        except Panic:
            self._skip_to_equals()
            return tree.MissingType(colon + 1, colon + 1)

    def _skip_to_equals(self) -> None:
        """After a failure before the ``=`` of a declaration, look for it, close by."""
        muted, self.muted = self.muted, True
        while self.kind != EOF and not self.at_declaration() and self.text not in ("=", "{", "}"):
            self.advance()
        self.skipped_to = self.start
        if self.gave_up is None:
            self.muted = muted
        if self.text != "=":
            self.broken = True

    def body_of(self, equals: int | None) -> tree.Expression:
        """The ``Unbraced`` behind ``=``; a failure in it leaves a missing expression."""
        if equals is None or self.broken:
            return tree.MissingExpression(self.prev_end, self.prev_end)
        state = self.save()
        self.value_in_tag = self.in_definitions = False
        try:
            value = self.unbraced(equals)
            if isinstance(value, tree.MissingExpression) and self.kind != EOF:
                self.broken = not self.at_declaration()
            return value
        except Panic:
            self.broken = True
            if self.gave_up is None:
                self.recover(state)
            return tree.MissingExpression(equals + 1, equals + 1)

    def _rest_of_function(
        self,
        modifiers: Modifiers,
        start: int,
        form: str,
        name: tree.DottedName,
        parameters: list[tree.PropertyDefinition],
    ) -> tree.FunctionNode:
        """``[ ":" Type ] "=" Unbraced``."""
        signature_end = self.prev_end
        result: tree.TypeNode | None = None
        equals: int | None = None
        if not self.broken:
            try:
                result = self._annotation()
                if result is not None:
                    signature_end = max(signature_end, result.end)
                if not self.broken:
                    equals = self._function_equals(name)
            except Panic:
                self.broken = True
        body = self.body_of(equals)
        end = max(body.end, signature_end, equals + 1 if equals is not None else 0)
        if form == "paren":
            return tree.FunctionNode(
                start,
                end,
                modifiers.visibility,
                "paren",
                name,
                parameters,
                result,
                signature_end,
                body,
            )
        return tree.FunctionNode(
            start,
            end,
            modifiers.visibility,
            "element",
            name,
            parameters,
            result,
            signature_end,
            body,
        )

    def _function_equals(self, name: tree.DottedName) -> int:
        if self.text == "=>":
            self.error("a function has `=` before its body, not `=>`", self.start, self.end)
            self.advance()
            return self.prev_start
        if self.text == "-" and self.peek()[:1] == ">":
            self.fail("the result of a function is written `: T`, not `-> T`")
        if self.kind == EOF or self.at_declaration():
            self.fail(
                f"the function `{name.text}` needs a body: write `= …` after its signature",
                self.prev_start,
                self.prev_end,
            )
        return self.equals(f"the signature of `{name.text}`", "… = { … }")

    # ------------------------------------------------------------ paren form

    def _paren_function(
        self, modifiers: Modifiers, start: int, name: tree.Name
    ) -> tree.FunctionNode:
        opener = self.start
        dotted = tree.DottedName(name.start, name.end, [name])
        parameters: list[tree.PropertyDefinition] = []
        self.advance()
        self.in_definitions, self.value_in_tag = True, False
        self.definitions_end = ")"
        try:
            self._parameters(opener, parameters)
        except Panic:
            self.broken = True
            self._leave_body(parameters)
        self.in_definitions = False
        self.definitions_end = "}"
        return self._rest_of_function(modifiers, start, "paren", dotted, parameters)

    def _parameters(self, opener: int, parameters: list[tree.PropertyDefinition]) -> None:
        """``[ PropDef { "," PropDef } ] ")"``; the token behind ``(`` is current."""
        missing_comma = False
        while self.text != ")":
            if self.kind == EOF or self.at_piece():
                self.unclosed("(", opener, opener + 1)
            start = self.start
            if self.text == "," and self.skipped_to == start:
                self.advance()
                continue
            if self.kind == IDENT and self.behind_junk() and self.peek()[:1] not in ("?", ":"):
                self.skip_in_definition(start)
                continue
            if self.kind != IDENT:
                if self.text in ("=", "{", ":"):
                    self.fail("this `(` is never closed: expected `)`", opener, opener + 1)
                self.error(
                    f"expected a parameter `name:type`, found {self.what()}", self.start, self.end
                )
                self.skip_in_definition(start)
                if self.text == "=":
                    raise Panic
            else:
                state = self.save()
                try:
                    parameters.append(self.property_definition("parameter"))
                except Panic:
                    if self.gave_up is not None:
                        raise
                    self.recover(state)
                    self.in_definitions = True
                    self.skip_in_definition(start)
            if self.kind == IDENT and self.skipped_to == self.start:
                continue
            if self.text == ",":
                comma = self.start
                self.advance()
                if self.text == ")":
                    self.error("no comma may stand before the `)`: remove it", comma, comma + 1)
            elif self.text != ")" and self.kind != EOF:
                if self.kind == IDENT and not self.at_declaration():
                    if not missing_comma and not self._type_missing(parameters):
                        missing_comma = True
                        self.error(
                            "parameters are separated by commas: expected `,` before "
                            f"`{self.text}`",
                            self.start,
                            self.end,
                        )
                    continue
                if self.at_declaration():
                    continue
                if self.text in ("=", "{", ":", "}"):
                    self.error("this `(` is never closed: expected `)`", opener, opener + 1)
                    if self.text == "}" or self.text == "{":
                        raise Panic
                    return
                self.error(
                    f"expected `,` or `)` after the parameter, found {self.what()}",
                    self.start,
                    self.end,
                )
                self.skip_in_definition(self.start)
        self.advance()

    def _leave_body(self, parameters: list[tree.PropertyDefinition]) -> None:
        """Take the default from a last parameter that cannot have one: behind a signature
        without end it is the body of the function."""
        if parameters and parameters[-1].optional_mark is not None:
            parameters[-1].default = None

    def _type_missing(self, parameters: list[tree.PropertyDefinition]) -> bool:
        """Whether the latest parameter is reported for having no type."""
        return bool(parameters) and isinstance(parameters[-1].type, tree.MissingType)

    # ------------------------------------------------------------ element form

    def _element_function(self, modifiers: Modifiers, start: int) -> tree.FunctionNode:
        opener = self.start
        self.advance()
        name = self.tag_name("the name of an element function after `let <`")
        parameters: list[tree.PropertyDefinition] = []
        self.value_in_tag = True
        try:
            parameters = self.property_definitions("parameter", ("/", ">", ">="))
            self.signature_end(opener, name)
        except Panic:
            self.broken = True
            self._leave_body(parameters)
        self.value_in_tag = False
        return self._rest_of_function(modifiers, start, "element", name, parameters)

    def signature_end(self, opener: int, name: tree.DottedName) -> None:
        """The ``/>`` of a signature; an open/close pair is reported."""
        if self.text[:1] == ">":
            self.split()
            self.error(f"a signature ends in `/>`: write `<{name.text} … />`", self.start, self.end)
            close = re.compile(rf"[^=]*?</{SPACE}*{re.escape(name.text)}{SPACE}*>")
            closing = close.match(self.source, self.end, self.end + _NEARBY)
            if closing and not find_column_zero_declaration(closing.group()):
                self.leave_at(closing.end())
            self.advance()
            return
        if self.text == "/" or self.kind == EOF or self.at_declaration():
            self.close_type(opener, name.end)
            return
        if self.text == "=" or self.text in ("}", ")", "=>"):
            self.never_closed(
                f"the signature `<{name.text}` is never closed: expected `/>`", opener, name.end
            )
            raise Panic
        self.close_type(opener, name.end)
