"""Declarations (syntax 2.5 – 2.9): records, actions, unions, aliases, and the removed `enum`."""

from __future__ import annotations

import re
from typing import Literal

from nx_lsp.syntax import tree
from nx_lsp.syntax.lexer import EOF, IDENT, IDENT_TEXT, Panic
from nx_lsp.syntax.parser_fields import FieldGrammar

_NEARBY = 2000
"""Code points in which a closing tag is looked for."""

_ANGLE_TYPE = re.compile(r"<[^<>]*(?:/>|<)")
"""The beginning of a type in angle brackets; those of other languages end in ``>``."""

_ARGUMENT = re.compile(rf"<({IDENT_TEXT})>")

MODIFIERS = ("private", "export", "abstract", "external")


class Modifiers:
    """The words before the keyword of a declaration, and where they stand."""

    def __init__(self) -> None:
        self.words: dict[str, tuple[int, int]] = {}

    @property
    def visibility(self) -> Literal["private", "export"] | None:
        if "private" in self.words:
            return "private"
        return "export" if "export" in self.words else None

    @property
    def abstract(self) -> bool:
        return "abstract" in self.words

    @property
    def external(self) -> bool:
        return "external" in self.words


class DeclarationGrammar(FieldGrammar):
    """All declarations but functions and components, which stand in ``parser_callables``."""

    # ------------------------------------------------------------ shared parts

    def modifiers(self) -> Modifiers:
        """``[private | export] [abstract] [external]``, reported if out of order."""
        found = Modifiers()
        reported = False
        last = -1
        while self.kind == IDENT and self.text in MODIFIERS:
            word = self.text
            rank = {"private": 0, "export": 0, "abstract": 1, "external": 2}[word]
            message = ""
            if word in found.words:
                message = f"`{word}` is written twice"
            elif rank == 0 and found.visibility is not None:
                message = "a declaration is either `private` or `export`, not both"
            elif rank < last:
                before = next(w for w in reversed(found.words) if w != word)
                message = f"`{word}` stands before `{before}`: write `{word} {before}`"
            if message and self.at_declaration():
                break  # the declaration of the words so far is not written yet
            if message and not reported:
                reported = True
                self.error(message, self.start, self.end)
            found.words.setdefault(word, (self.start, self.end))
            last = max(last, rank)
            self.advance()
        return found

    def refuse(self, modifiers: Modifiers, word: str, what: str) -> None:
        """Report a modifier that ``what`` does not take."""
        span = modifiers.words.get(word)
        if span is not None:
            self.error(f"{what} cannot be `{word}`: remove the word", *span)

    def declared_name(self, keyword: str) -> tree.Name:
        """The ``Ident`` behind a declaration's keyword."""
        if self.kind != IDENT or self.at_declaration():
            self.fail(f"expected a name after `{keyword}`, found {self.what()}")
        end = self.end
        self.extend_dashes()
        if self.end != end:
            self.error(
                f"a declared name takes no `-`: write `{self.text.replace('-', '_')}`",
                self.start,
                self.end,
            )
        return self.name()

    def extends(self) -> tree.DottedName | None:
        """``[ "extends" DottedName ]``, with a report if there are several bases."""
        if self.text != "extends" or self.kind != IDENT:
            return None
        self.advance()
        if self.text in ("=", "{", "/", ">"):
            self.error(
                f"expected the name of a base after `extends`, found {self.what()}",
                self.prev_start,
                self.prev_end,
            )
            return None
        if not self.at_name():
            self.error(
                f"expected the name of a base after `extends`, found {self.what()}", *self.here()
            )
            if self.text == "<" and not self.at_root():
                muted, self.muted = self.muted, True
                while self.text != "/" and self.kind != EOF and not self.at_piece():
                    self.advance()
                if self.text == "/" and self.peek()[:1] == ">":
                    self.advance()
                    self.advance()
                if self.gave_up is None:
                    self.muted = muted
            self._skip_to_body()
            return None
        try:
            base = self.dotted_name("the name of a base after `extends`")
        except Panic:
            self._skip_to_body()
            return None
        if self.text == ",":
            start = self.start
            state = self.save()
            self.muted = True
            try:
                while self.text == ",":
                    self.advance()
                    self.dotted_name("a base")
            except Panic:
                pass
            end = self.prev_end
            self.recover(state)
            self.error("only one base can be extended: remove the others", start, end)
        return base

    def _skip_to_body(self) -> None:
        """After a failure in the head of a declaration, read on to its ``=`` or ``{``."""
        muted, self.muted = self.muted, True
        while self.text not in ("=", "{", "/") and self.kind != EOF and not self.at_piece():
            self.advance()
        if self.gave_up is None:
            self.muted = muted

    def equals(self, after: str, example: str) -> int:
        """The ``=`` of a declaration; returns its offset. Reports a missing one."""
        if self.text == "=":
            start = self.start
            self.advance()
            return start
        if self.text == "==":
            self.error("a declaration has one `=`", self.start, self.end)
            self.advance()
            return self.prev_start
        if self.text == "{":
            if self.source[self.prev_start : self.prev_end] == "extends":
                return self.start  # with the base that is missing, the `=` is
            self.error(
                f"{after} needs `=` before its `{{`: write `{example}`", self.start, self.end
            )
            return self.start
        self.fail(f"expected `=` after {after}, found {self.what()}: write `{example}`")

    # ------------------------------------------------------------ type …

    def type_declaration(self, modifiers: Modifiers, start: int) -> tree.DeclarationNode:
        """Record, union or alias; the word ``type`` is current."""
        self.advance()
        name = self.declared_name("type")
        word_start, word_end = self.start, self.end
        base = self.extends()
        self.refuse(modifiers, "external", "a type")
        if self.text == "|" or self._type_follows():
            self.error(
                f"expected `=` after `type {name.text}`: write `type {name.text} = …`",
                name.start,
                name.end,
            )
            if self.text == "|":
                return self.union(modifiers, start, name, base)
            return self._alias(modifiers, start, name)
        if self.text in ("<", "(") and not self.at_root():
            if self.text == "<":
                message = (
                    "type parameters are fields of a generic record: write "
                    f"`type {name.text} = {{ T:type … }}`"
                )
            else:
                message = f"a type takes no parameters: expected `=` after `type {name.text}`"
            self.error(message, self.start, self.end)
            self._skip_to_body()
        try:
            equals = self.equals(f"`type {name.text}`", f"type {name.text} = …")
        except Panic:
            missing = tree.MissingType(self.prev_end, self.prev_end)
            return tree.AliasNode(start, self.prev_end, modifiers.visibility, name, missing)
        if self.text == "{":
            fields = self.record_fields()
            return tree.RecordNode(
                start,
                self.prev_end,
                modifiers.visibility,
                modifiers.abstract,
                "type",
                name,
                base,
                fields,
            )
        if self.text in ("|", "||") or (
            self.kind == IDENT and not self.at_declaration() and self._first_case_here()
        ):
            self.refuse(modifiers, "abstract", "a union")
            return self.union(modifiers, start, name, base)
        if self.kind == EOF or self.at_declaration():
            self.error(
                "expected a record `{ … }`, the cases of a union `a | b`, or a type after `=`",
                equals,
                equals + 1,
            )
            missing = tree.MissingType(self.prev_end, self.prev_end)
            return tree.AliasNode(start, self.prev_end, modifiers.visibility, name, missing)
        self.refuse(modifiers, "abstract", "an alias")
        if base is not None:
            self.error(
                "an alias extends nothing: only records, actions, unions and components have a "
                "base",
                word_start,
                word_end,
            )
        return self._alias(modifiers, start, name)

    def _type_follows(self) -> bool:
        """Whether a type in angle brackets stands where the ``=`` of an alias must."""
        if self.at_root():
            return False
        if self.text == "(":
            return self.peek() == "<"
        return self.text == "<" and _ANGLE_TYPE.match(self.source, self.start) is not None

    def _first_case_here(self) -> bool:
        """Whether a name begins a union: ``|`` or ``{`` follows it (syntax 2.7)."""
        following = self.peek()
        if following == ",":
            return True
        if following == "-":
            state = self.save()
            self.extend_dashes()
            following = self.peek()
            self.restore(state)
        return following in ("|", "||", "{")

    def record_fields(self) -> list[tree.PropertyDefinition]:
        return self.fields("field")

    def _alias(self, modifiers: Modifiers, start: int, name: tree.Name) -> tree.AliasNode:
        try:
            target = self.type_expression()
        except Panic:
            missing = tree.MissingType(self.prev_end, self.prev_end)
            self.broken = True
            return tree.AliasNode(start, self.prev_end, modifiers.visibility, name, missing)
        node = tree.AliasNode(start, target.end, modifiers.visibility, name, target)
        if self.text == "<" and self._type_arguments_behind():
            self.broken = True
            self.error(
                "type arguments are written inside the brackets: `<Name T=int/>`",
                self.start,
                self.end,
            )
        elif self.text in ("|", "||", "&&"):
            self.broken = True
            self.error(
                "a union lists new cases by single names, it is not made of other types: write "
                f"`type {name.text} = first {{ … }} | second {{ … }}`",
                self.start,
                self.end,
            )
        elif self.text == "{":
            self.broken = True
            self.error(
                f"an alias ends with its type; a record is written `type {name.text} = {{ … }}`",
                self.start,
                self.end,
            )
        return node

    def _type_arguments_behind(self) -> bool:
        """Whether the ``<`` here begins ``Name<int>`` of other languages, and no root element."""
        opening = _ARGUMENT.match(self.source, self.start)
        if opening is None or self.start != self.prev_end:
            return False
        end = opening.end() + _NEARBY
        if end > self.length:
            self.touched_end = True
        return self.source.find(f"</{opening.group(1)}", opening.end(), end) < 0

    # ------------------------------------------------------------ unions

    def union(
        self,
        modifiers: Modifiers,
        start: int,
        name: tree.Name,
        base: tree.DottedName | None,
    ) -> tree.UnionNode:
        """``Cases``; the first ``|`` or case name is current."""
        cases: list[tree.UnionCase] = []
        comma = False
        bar = self.text in ("|", "||")
        while True:
            case_start = self.start
            if self.text in ("|", "||", ","):
                if self.text == "||":
                    self.error("cases are separated by a single `|`", self.start, self.end)
                elif self.text == "," and not comma:
                    comma = True
                    self.error("cases are separated by `|`: replace the `,`", self.start, self.end)
                self.advance()
                if self.source[case_start] == "," and self.text == "|":
                    self.advance()
            elif cases:
                break
            if self.kind != IDENT or self.at_declaration():
                if self.text == "|" and cases:
                    self.error("expected a case between the two `|`", self.start, self.end)
                    continue
                self.error(
                    f"expected the name of a case after `|`, found {self.what()}",
                    *(self.here() if self.kind != EOF else (self.prev_start, self.prev_end)),
                )
                self.broken = True
                break
            try:
                cases.append(self._case(case_start))
            except Panic:
                self.broken = True
                break
        if len(cases) == 1 and not bar and cases[0].fields is not None:
            case = cases[0].name
            self.error(
                f"a union with one case begins with a bar: write `type {name.text} = | "
                f"{case.text} {{ … }}`",
                case.start,
                case.end,
            )
        return tree.UnionNode(start, self.prev_end, modifiers.visibility, name, base, cases)

    def _case(self, start: int) -> tree.UnionCase:
        end = self.end
        self.extend_dashes()
        if self.end != end:
            self.error(
                f"the name of a case takes no `-`: write `{self.text.replace('-', '_')}`",
                self.start,
                self.end,
            )
        name = self.name()
        if self.text == ".":
            self.error(
                "a case is one new name; it cannot refer to a type by a dotted name",
                self.start,
                self.end,
            )
            while self.text == ".":
                self.advance()
                if self.kind == IDENT:
                    self.advance()
        if self.text in ("?", "+", "*") or self.text == "(" or self.text == ":":
            self.fail(
                f"a case is a new name with fields in braces: write `| {name.text} {{ value:T }}`"
            )
        fields = None
        if self.text == "{":
            fields = self.record_fields()
        return tree.UnionCase(start, self.prev_end, name, fields)

    # ------------------------------------------------------------ action …

    def action_declaration(self, modifiers: Modifiers, start: int) -> tree.DeclarationNode:
        """The record form with ``action``; that word is current."""
        self.advance()
        name = self.declared_name("action")
        base = self.extends()
        self.refuse(modifiers, "external", "an action")
        fields: list[tree.PropertyDefinition] = []
        try:
            self.equals(f"`action {name.text}`", f"action {name.text} = {{ … }}")
            if self.text != "{":
                self.fail(f"an action is a record: expected `{{` after `=`, found {self.what()}")
            fields = self.record_fields()
        except Panic:
            self.broken = True
        return tree.RecordNode(
            start,
            self.prev_end,
            modifiers.visibility,
            modifiers.abstract,
            "action",
            name,
            base,
            fields,
        )

    # ------------------------------------------------------------ removed words

    def enum_declaration(self, modifiers: Modifiers, start: int) -> tree.UnionNode:
        """The removed ``enum``: reported, and read as the union it was."""
        word_start, word_end = self.start, self.end
        self.advance()
        name = self.declared_name("enum")
        state = self.save()
        self.muted = True
        cases: list[tree.UnionCase] = []
        if self.text == "=":
            self.advance()
        closer = self.text == "{"
        try:
            if closer:
                self.advance()
            while self.kind != EOF and not self.at_declaration():
                case_start = self.start
                if self.text in ("|", "||", ","):
                    self.advance()
                if self.kind != IDENT or self.at_declaration():
                    break
                if cases and not closer and self.source[case_start] not in "|,":
                    break
                cases.append(self._case(case_start))
                if self.text == "=":
                    while self.text not in (",", "|", "}") and self.kind != EOF:
                        if self.at_piece():
                            break
                        self.advance()
            if closer and self.text == "}":
                self.advance()
        except Panic:
            self.broken = True
        self.recover(state)
        shape = " | ".join(case.name.text for case in cases[:3]) or "a | b"
        if len(cases) > 3:
            shape += " | …"
        bar = "| " if len(cases) == 1 else ""
        self.error(
            f"`enum` was removed: write `type {name.text} = {bar}{shape}`",
            word_start,
            word_end,
            code="removed-enum-keyword",
        )
        return tree.UnionNode(start, self.prev_end, modifiers.visibility, name, None, cases)
