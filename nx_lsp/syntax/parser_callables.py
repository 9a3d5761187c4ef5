"""Values, functions in both forms, and components (syntax 2.9 – 2.11)."""

from __future__ import annotations

from typing import NoReturn, Union

from nx_lsp.syntax import tree
from nx_lsp.syntax.lexer import EOF, IDENT, Panic
from nx_lsp.syntax.parser_base import field_begins
from nx_lsp.syntax.parser_declarations import DeclarationGrammar, Modifiers


class CallableGrammar(DeclarationGrammar):
    """Everything behind ``let`` and ``component``."""

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
            if self.gave_up is not None:
                raise
            self.broken = True
        value = self._body(equals)
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
            if self.gave_up is not None:
                raise
            self._skip_to_equals()
            return tree.MissingType(colon + 1, colon + 1)

    def _skip_to_equals(self) -> None:
        """After a failure before the ``=`` of a declaration, look for it, close by."""
        muted, self.muted = self.muted, True
        while self.kind != EOF and not self.at_declaration() and self.text not in ("=", "{", "}"):
            self.advance()
        if self.gave_up is None:
            self.muted = muted
        if self.text != "=":
            self.broken = True

    def _body(self, equals: int | None) -> tree.Expression:
        """The ``Unbraced`` behind ``=``; a failure in it leaves a missing expression."""
        if equals is None or self.broken:
            return tree.MissingExpression(self.prev_end, self.prev_end)
        state = self.save()
        self.value_in_tag = self.in_definitions = False
        try:
            return self.unbraced(equals)
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
        body = self._body(equals)
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
        self.in_definitions = False
        self.definitions_end = "}"
        return self._rest_of_function(modifiers, start, "paren", dotted, parameters)

    def _parameters(self, opener: int, parameters: list[tree.PropertyDefinition]) -> None:
        """``[ PropDef { "," PropDef } ] ")"``; the token behind ``(`` is current."""
        missing_comma = False
        while self.text != ")":
            if self.kind == EOF or self.at_declaration():
                self.unclosed("(", opener, opener + 1)
            start = self.start
            if self.kind != IDENT:
                if self.text in ("=", "{", ":") and parameters:
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
            if self.text == ",":
                comma = self.start
                self.advance()
                if self.text == ")":
                    self.error("no comma may stand before the `)`: remove it", comma, comma + 1)
            elif self.text != ")" and self.kind != EOF:
                if self.kind == IDENT and not self.at_declaration():
                    if not missing_comma:
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

    # ------------------------------------------------------------ element form

    def _element_function(self, modifiers: Modifiers, start: int) -> tree.FunctionNode:
        opener = self.start
        self.advance()
        name = self.tag_name("the name of an element function after `let <`")
        parameters: list[tree.PropertyDefinition] = []
        self.value_in_tag = True
        try:
            parameters = self.property_definitions("parameter", ("/", ">", ">="))
            self._signature_end(opener, name)
        except Panic:
            self.broken = True
        self.value_in_tag = False
        return self._rest_of_function(modifiers, start, "element", name, parameters)

    def _signature_end(self, opener: int, name: tree.DottedName) -> None:
        """The ``/>`` of a signature; an open/close pair is reported."""
        if self.text[:1] == ">":
            self.split()
            self.error(f"a signature ends in `/>`: write `<{name.text} … />`", self.start, self.end)
            self.advance()
            if self.text == "<" and self.peek() == "/":
                muted, self.muted = self.muted, True
                while self.text[:1] != ">" and self.kind != EOF and not self.at_declaration():
                    self.advance()
                self.split()
                self.advance()
                if self.gave_up is None:
                    self.muted = muted
            return
        if self.text == "/" or self.kind == EOF or self.at_declaration():
            self.close_type(opener, name.end)
            return
        if self.text == "=" or self.text in ("}", ")", "=>"):
            self.fail(
                f"the signature `<{name.text}` is never closed: expected `/>`", opener, name.end
            )
        self.close_type(opener, name.end)

    # ------------------------------------------------------------ components

    def component_declaration(self, modifiers: Modifiers, start: int) -> tree.ComponentNode:
        """``ComponentDecl``; the word ``component`` is current."""
        self.advance()
        if self.text != "<":
            self.fail(
                f"expected `<` after `component`, found {self.what()}: write "
                "`component <Name … /> = { … }`"
            )
        opener = self.start
        self.advance()
        name = self.tag_name("the name of a component after `<`")
        base: tree.DottedName | None = None
        properties: list[tree.PropertyDefinition] = []
        emits: list[Union[tree.EmitDefinition, tree.EmitReference]] = []
        body: tree.ComponentBody | None = None
        self.value_in_tag = True
        end = name.end
        try:
            base = self.extends()
            properties += self.property_definitions("property", ("/", ">", ">=", "emits"))
            if self.text == "emits":
                self._emits(emits)
                self._after_emits(properties, emits)
            self._signature_end(opener, name)
            end = self.prev_end
        except Panic:
            self.broken = True
            if self.gave_up is None:
                end = max(end, self.prev_end)
        self.value_in_tag = False
        if not self.broken and self.gave_up is None:
            body = self._component_body()
        end = max(end, body.end if body else end)
        last: list[tree.Node] = [*properties, *emits]
        end = max([end, *(node.end for node in last)])
        return tree.ComponentNode(
            start,
            end,
            modifiers.visibility,
            modifiers.abstract,
            modifiers.external,
            name,
            base,
            properties,
            emits,
            body,
        )

    def _after_emits(
        self,
        properties: list[tree.PropertyDefinition],
        emits: list[Union[tree.EmitDefinition, tree.EmitReference]],
    ) -> None:
        """``emits`` comes last: report what follows it inside the signature."""
        if self.kind != IDENT or self.at_declaration():
            return
        start = self.start
        if self.text == "emits":
            self.error("a component has one `emits { … }`", self.start, self.end)
        else:
            self.error(
                "`emits` comes last in a signature: move this property before it",
                self.start,
                self.end,
            )
        muted, self.muted = self.muted, True
        while self.kind == IDENT and not self.at_declaration():
            if self.text == "emits":
                self._emits([])
            else:
                # Kept out of the tree: children stand in source order.
                self.property_definitions("property", ("/", ">", ">=", "emits"))
            if self.start == start:
                break
            start = self.start
        if self.gave_up is None:
            self.muted = muted

    def _emits(self, entries: list[Union[tree.EmitDefinition, tree.EmitReference]]) -> None:
        """``emits { … }``; the word is current."""
        word_start, word_end = self.start, self.end
        self.advance()
        if self.text != "{":
            self.error(
                f"`emits` needs braces: expected `{{`, found {self.what()}", word_start, word_end
            )
            self._skip_unbraced_emits()
            return
        opener = self.start
        self.advance()
        comma = False
        while self.text != "}":
            if self.kind == EOF or self.at_declaration():
                self.unclosed("{", opener, opener + 1)
            if self.text == "," and entries:
                if not comma:
                    comma = True
                    self.error(
                        "emitted actions are separated by whitespace: remove the `,`",
                        self.start,
                        self.end,
                    )
                self.advance()
                continue
            if self.kind != IDENT:
                self.fail(f"expected the name of an action, found {self.what()}")
            state = self.save()
            try:
                entries.append(self._emit())
            except Panic:
                if self.gave_up is not None:
                    raise
                self.recover(state)
                self._skip_emit()
        if not entries and not any(p.start > opener for p in self.found.values()):
            self.error("`emits` needs at least one action: leave it out", word_start, self.end)
        self.advance()

    def _skip_unbraced_emits(self) -> None:
        muted, self.muted = self.muted, True
        while (
            self.kind == IDENT
            and not self.at_declaration()
            and not field_begins(self.source, self.start)
        ):
            self.advance()
            while self.text in (".", ","):
                self.advance()
        if self.gave_up is None:
            self.muted = muted

    def _skip_emit(self) -> None:
        muted, self.muted = self.muted, True
        nesting = 0
        while self.kind != EOF and not self.at_declaration():
            if self.text == "{":
                nesting += 1
            elif self.text == "}":
                if nesting == 0:
                    break
                nesting -= 1
            elif self.kind == IDENT and nesting == 0:
                break
            self.advance()
        if self.gave_up is None:
            self.muted = muted

    def _emit(self) -> Union[tree.EmitDefinition, tree.EmitReference]:
        name = self.dotted_name("the name of an action")
        if self.text == "extends" or self.text == "{":
            if len(name.parts) > 1:
                self.error(
                    "a new action is one name; a dotted name refers to an action that exists",
                    name.start,
                    name.end,
                )
            base = self.extends()
            if self.text != "{":
                self.fail(
                    f"the emitted action `{name.text}` needs its fields: write "
                    f"`{name.text} extends … {{ }}`",
                    *self._blame(name),
                )
            fields = self.record_fields()
            return tree.EmitDefinition(name.start, self.prev_end, name.parts[0], base, fields)
        if self.text == "=":
            self.fail(f"an emitted action has no `=`: write `{name.text} {{ … }}`")
        if self.text == ":":
            self.fail(
                "`emits` holds actions, not properties: write their names, or `Name { … }`",
                name.start,
                name.end,
            )
        return tree.EmitReference(name.start, name.end, name)

    def _blame(self, name: tree.Node) -> tuple[int, int]:
        return name.start, name.end

    def _component_body(self) -> tree.ComponentBody | None:
        """``[ "=" ComponentBody ]``."""
        if self.text != "=":
            if self.text == "{":
                self.error("a component has `=` before its body", self.start, self.end)
            else:
                return None
        else:
            equals = self.start
            self.advance()
            if self.text != "{":
                return self._unbraced_body(equals)
        opener = self.start
        self.enter()
        self.in_list, self.in_tag = True, False
        self.advance()
        state: list[tree.PropertyDefinition] | None = None
        rendered: list[tree.Expression] = []
        context = self.save()
        try:
            state = self._state()
            self._rendered(opener, rendered)
        except Panic:
            self.broken = True
            if self.gave_up is None:
                self.recover(context)
        self.depth -= 1
        if self.text == "}" and not self.broken:
            self.advance()
        end = self.prev_end
        if self.gave_up is not None or self.broken:
            ends = [opener + 1, *(n.end for n in rendered), *(n.end for n in state or [])]
            end = max(ends)
        return tree.ComponentBody(opener, end, state, rendered)

    def _unbraced_body(self, equals: int) -> tree.ComponentBody | None:
        if self.kind == EOF or self.at_declaration():
            self.error("expected the body `{ … }` after `=`", equals, equals + 1)
            return None
        start, end = self.here()
        value = self._body(equals)
        self.error(
            "the body of a component stands in braces: write `= { … }`",
            start,
            max(end, value.start + 1) if isinstance(value, tree.MissingExpression) else value.end,
        )
        if isinstance(value, tree.MissingExpression):
            return None
        return tree.ComponentBody(value.start, value.end, None, [value])

    def _state(self) -> list[tree.PropertyDefinition] | None:
        """``[ State ]`` at the start of a component body."""
        if self.text != "state" or self.kind != IDENT:
            return None
        if self.peek() != "{":
            self._state_without_braces()
        self.advance()
        return self.fields("state field")

    def _state_without_braces(self) -> NoReturn:
        self.fail("`state` needs braces: write `state { name:type … }`")

    def _rendered(self, opener: int, rendered: list[tree.Expression]) -> None:
        """The one expression of a component body."""
        reported = False
        while self.text != "}":
            if self.kind == EOF or self.at_declaration():
                self.unclosed("{", opener, opener + 1)
            if self.text == "state" and self.peek() == "{":
                message = (
                    "`state` comes first in the body of a component"
                    if rendered
                    else "a component has one `state { … }`: put all its fields there"
                )
                if not reported:
                    reported = True
                    self.error(message, self.start, self.end)
                self.advance()
                self.fields("state field")
                continue
            start = self.start
            if rendered and self.text in (",", ":", "=", "=>", ")", "]"):
                self.fail(f"expected `}}` after the rendered expression, found {self.what()}")
            expression = self.expression()
            if rendered and not reported:
                reported = True
                self.error(
                    "the body of a component is one expression: put the elements into one that "
                    "encloses them",
                    start,
                    expression.end,
                )
            rendered.append(expression)
