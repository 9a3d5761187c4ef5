"""Property definitions: fields, parameters, component properties (syntax 2.4)."""

from __future__ import annotations

from nx_lsp.syntax import tree
from nx_lsp.syntax.lexer import EOF, IDENT, NUMBER, STRING, Panic, State
from nx_lsp.syntax.parser_base import Grammar, field_begins


class FieldGrammar(Grammar):
    """One property definition, and the lists of them in braces and in signatures."""

    def property_definition(self, what: str) -> tree.PropertyDefinition:
        """``PropDef``; a name is current. ``what`` says "field", "parameter" or "property"."""
        start = self.start
        modifier: tree.Name | None = None
        self.extend_dashes()
        name = self.name()
        if self.kind == IDENT and not self.at_declaration():
            modifier = name
            self.extend_dashes()
            name = self.name()
        optional_mark: int | None = None
        if self.text[:1] == "?":
            self.split()
            optional_mark = self.start
            self.advance()
            if self.text == "?":
                self.error(
                    f"one `?` marks `{name.text}` optional: remove the second", self.start, self.end
                )
                self.advance()
        if self.text != ":":
            self._no_type_given(what, modifier, name)
        self.advance()
        state = self.save()
        kind: tree.TypeNode | None
        try:
            kind, is_parameter = self.property_type(name.text)
        except Panic:
            if self.speculating or self.gave_up is not None:
                raise
            self.recover(state)
            kind, is_parameter = tree.MissingType(state.prev_end, state.prev_end), False
            self.skip_in_definition(state.start, to_default=True)
        end = self.prev_end if kind is None else max(kind.end, state.prev_end)
        default: tree.Expression | None = None
        if self.text == "=":
            equals = self.start
            self.advance()
            default = self.unbraced(equals)
            end = max(default.end, equals + 1)
        return tree.PropertyDefinition(
            start, end, modifier, name, optional_mark, is_parameter, kind, default
        )

    def _no_type_given(self, what: str, modifier: tree.Name | None, name: tree.Name) -> None:
        if self.text == "=":
            self.fail(
                f"the {what} `{name.text}` needs a type before its default: write "
                f"`{name.text}:T = …`",
                name.start,
                name.end,
            )
        if modifier is not None and self.text == ",":
            self.fail(
                f"a type follows its name: write `{modifier.text}:{name.text}`",
                modifier.start,
                name.end,
            )
        self.fail(
            f"the {what} `{name.text}` needs a type: write `{name.text}:T`", name.start, name.end
        )

    # ------------------------------------------------------------ lists of definitions

    def fields(self, what: str = "field") -> list[tree.PropertyDefinition]:
        """``{ PropDef }``; ``{`` is current. Reads past the ``}``; without one, keeps the fields
        and gives up."""
        opener = self.start
        self.enter()
        value_in_tag, self.value_in_tag = self.value_in_tag, False
        outer_end, self.definitions_end = self.definitions_end, "}"
        self.advance()
        fields = self.property_definitions(what, ("}",))
        self.value_in_tag, self.definitions_end = value_in_tag, outer_end
        self.depth -= 1
        if self.text == "}":
            self.advance()
            return fields
        if self.text == "<" and not self.at_root():
            self.never_closed(
                f"this `{{` is never closed: expected `}}` before `<{self.peek()}`",
                opener,
                opener + 1,
            )
            return fields
        self.broken = True
        try:
            self.unclosed("{", opener, opener + 1)
        except Panic:
            if self.speculating:
                raise
        return fields

    def property_definitions(
        self, what: str, closers: tuple[str, ...]
    ) -> list[tree.PropertyDefinition]:
        """``{ PropDef }`` up to a token of ``closers`` (left current), or the end."""
        fields: list[tree.PropertyDefinition] = []
        outside, self.in_definitions = self.in_definitions, True
        comma = False
        while self.text not in closers and self.kind != EOF and not self.at_piece():
            start = self.start
            if self.kind == IDENT:
                if self.text == "emits" and "emits" in closers:
                    break
                if self.behind_junk() and not self._definition_begins():
                    self.skip_in_definition(start)
                    continue
                state = self.save()
                try:
                    fields.append(self.property_definition(what))
                    continue
                except Panic:
                    self._resume_definitions(state, start)
                    continue
            if self.text == ",":
                if not comma:
                    comma = True
                    self.error(
                        f"{_PLURALS[what]} are separated by whitespace: remove the `,`",
                        self.start,
                        self.end,
                    )
                self.advance()
                if self.kind in (NUMBER, STRING):
                    self.skip_in_definition(self.start)  # the next item of a list
                continue
            if self._closed_otherwise(what, closers, fields):
                break
            state = self.save()
            try:
                self._no_definition(what, fields)
            except Panic:
                self._resume_definitions(state, start)
        self.in_definitions = outside
        return fields

    def _closed_otherwise(
        self, what: str, closers: tuple[str, ...], fields: list[tree.PropertyDefinition]
    ) -> bool:
        """Whether a token that closes something else shows that the list ends here."""
        if "}" in closers:
            # Behind the state fields of a component stands an element.
            return self.text == "<" and what == "state field" and self.prev_end < self.start
        if self.text == "=":  # that of the body, unless a default stands before it
            return not fields or fields[-1].end != self.prev_end or fields[-1].default is None
        return self.text[:1] in (">", "}", ")") or self.text == "=>"

    def _no_definition(self, what: str, fields: list[tree.PropertyDefinition]) -> None:
        """Report a token that begins no property definition."""
        text = self.text
        if fields and self.start > 0:
            if text == "|":
                self.fail(
                    "a type cannot be a choice written in place: declare the union "
                    "`type Name = a | b` and use its name"
                )
            if text == "<":
                self.fail("type arguments are written inside the brackets: `<Name T=int/>`")
            if text == "[":
                self.fail("types take no brackets: write `T*` or `T+`")
            if text in (":", "?"):
                self.fail(f"expected the next {what}, found {self.what()}")
        if self.kind in (NUMBER, STRING):
            self.fail(f"expected a {what} `name:type`, found {self.what()}: names have no quotes")
        if text == "...":
            self.fail(
                "`...` stands only among the parameters of a function type: `<function ... />: T`"
            )
        self.fail(f"expected a {what} `name:type`, found {self.what()}")

    def _resume_definitions(self, state: State, start: int) -> None:
        if self.speculating:
            raise Panic
        self.recover(state)
        self.in_definitions = True
        if self.gave_up is not None:
            return
        self.skip_in_definition(start)

    def skip_in_definition(self, start: int, to_default: bool = False) -> None:
        """After a failure in a definition, read on to the next one, or to what ends the list.

        ``start``: the token where the broken part began; it is not stopped at again, unless it
        ends the list or begins a declaration.
        ``to_default``: the type was broken, stop at the ``=`` of a default."""
        muted, self.muted = self.muted, True
        source, here = self.source, self.start
        angles = source.count("<", start, here) - source.count("/>", start, here)
        parentheses = source.count("(", start, here) - source.count(")", start, here)
        openers: list[str] = ["("] * parentheses
        ends = self.text in (self.definitions_end, ",", "=") or self.at_declaration()
        if self.start == start and not ends:
            angles += self.text == "<"
            if self.text in _CLOSERS:
                openers.append(self.text)
            self.advance()
        while self.kind != EOF:
            text = self.text
            if text in _CLOSERS:
                openers.append(text)
            elif text in ("}", ")", "]"):
                matching = [at for at, opener in enumerate(openers) if _CLOSERS[opener] == text]
                if matching:
                    del openers[matching[-1] :]
                elif text == self.definitions_end:
                    break
            elif self.at_piece():
                break
            elif text == "<":
                angles += 1
            elif text == ">" and angles > 0:
                angles -= 1
            elif text == "/" and self.peek()[:1] == ">":
                if angles <= 0 and not openers:
                    break
                angles -= 1
                self.advance()
                self.split()
            elif not openers and angles <= 0:
                if text == "," or (text == "=" and to_default):
                    break
                if self.kind == IDENT and self._definition_begins():
                    break
            self.advance()
        self.skipped_to = self.start
        if self.gave_up is None:
            self.muted = muted

    def _definition_begins(self) -> bool:
        if field_begins(self.source, self.start):
            return True
        return self.text == "content" or self.text == "emits"


_CLOSERS = {"{": "}", "(": ")", "[": "]"}

_PLURALS = {
    "field": "fields",
    "parameter": "parameters of this form",
    "property": "properties",
    "state field": "fields",
}
