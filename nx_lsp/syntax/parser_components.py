"""Components (syntax 2.11): signature, emitted actions, state, rendered expression."""

from __future__ import annotations

from typing import NoReturn, Union

from nx_lsp.syntax import tree
from nx_lsp.syntax.lexer import EOF, IDENT, Panic
from nx_lsp.syntax.parser_base import field_begins
from nx_lsp.syntax.parser_callables import CallableGrammar
from nx_lsp.syntax.parser_declarations import Modifiers


class ComponentGrammar(CallableGrammar):
    """Everything behind ``component``."""

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
            self.signature_end(opener, name)
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
                self._emits(emits)
            else:
                properties += self.property_definitions("property", ("/", ">", ">=", "emits"))
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
            if self.text == "/" and self.peek()[:1] == ">":
                while self.found and next(reversed(self.found)) > opener:
                    self.found.popitem()
                self.never_closed(
                    "this `{` is never closed: expected `}` before `/>`", opener, opener + 1
                )
                return
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
        if self.text in (":", "="):
            self.advance()
        if self.text in ("[", "(", "{"):
            while self.text not in ("/", ">") and self.kind != EOF and not self.at_declaration():
                self.advance()
        while (
            self.kind == IDENT
            and not self.at_declaration()
            and not field_begins(self.source, self.start)
        ):
            self.advance()
            while self.text in (".", ","):
                self.advance()
            if self.text == "{":
                self.fields("field")
        if self.text == "}":
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
        self.skipped_to = self.start
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
                if base is None:
                    raise Panic  # that `extends` has no base is reported
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
        if self.kind == EOF or self.at_piece():
            self.error("expected the body `{ … }` after `=`", equals, equals + 1)
            return None
        start, end = self.here()
        value = self.body_of(equals)
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
        if self.text == "{" and field_begins(self.source, self.behind()):
            self.error("the state of a component is written `state { … }`", self.start, self.end)
            return self.fields("state field")
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
                if reported:
                    raise Panic
                self.fail(f"expected `}}` after the rendered expression, found {self.what()}")
            if self.text == "let" and self.kind == IDENT and self.peek()[:1].isalpha():
                self.fail("a component has no local values: declare the `let` outside of it")
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
