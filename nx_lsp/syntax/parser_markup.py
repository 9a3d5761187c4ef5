"""Elements: tags and their property lists (syntax 4.8). Bodies stand in ``parser_bodies``."""

from __future__ import annotations

import re

from nx_lsp.syntax import tree
from nx_lsp.syntax.lexer import (
    EOF,
    IDENT,
    NUMBER,
    SPACE,
    STRING,
    TRIVIA,
    Panic,
    State,
)
from nx_lsp.syntax.parser_base import Grammar, Mode, closing_name, property_begins

_value_missing_before_end = re.compile(
    rf"[A-Za-z_][A-Za-z0-9_-]*(?:{TRIVIA}\.{TRIVIA}[A-Za-z_][A-Za-z0-9_-]*)*{TRIVIA}=>"
).match
"""Whether a tag ends right behind the ``=`` of a property at an offset."""

_tag_closes = re.compile(rf"{SPACE}*>").match

_closer_follows = re.compile(r'[^{}<>"=]*(?:(?:"[^"]*"|=>?|\{[^{}]*\})[^{}<>"=]*)*\}').match
"""Whether a ``}`` follows in the tag that has no ``{`` behind an offset."""

_tag_goes_on = re.compile(r'[^<>"=]*(?:(?:"[^"]*"|=>?)[^<>"=]*)*/>').match
"""Whether the first ``>`` that is not of ``=>`` behind an offset is that of ``/>``."""


class MarkupGrammar(Grammar):
    """Tags, properties, and the ends of elements."""

    def element(self, in_text: bool = False) -> tree.Element:
        """``Element``; ``<`` is current. Leaves the cursor on the last ``>``.

        ``in_text``: a child of a text element, whose body is text again (syntax 4.9.2)."""
        start = self.start
        self.enter()
        context = self.save()
        if self.peek() == "/":
            self.fail("this closing tag closes nothing", start, self.behind() + 1)
        self.advance()
        if not self.at_name():
            self._no_tag(start)
        tag = self.tag_name("the name of an element")
        mode: Mode = "text" if in_text else "mixed"
        text_type: tree.Name | None = None
        if self.text == ":":
            mode, text_type = self._text_mode(mode, in_text)
        self.value_in_tag = True
        properties = self.properties(("/", ">"), in_arm=False)
        node = tree.Element(start, self.prev_end, tag, mode, text_type, properties, None, None)
        closed = self._tag_end(start, tag)
        while closed == "goes on":
            properties += self.properties(("/", ">"), in_arm=False)
            node.end = self.prev_end
            closed = self._tag_end(start, tag)
        self.value_in_tag = context.value_in_tag
        self.in_list, self.in_tag = context.in_list, context.in_tag
        if closed == "/>":
            node.end = self.end
            if mode != "mixed" and not in_text:
                self.error(
                    f"a text element needs a body: write `<{tag.text}:…> … </{tag.text}>`",
                    start,
                    tag.end,
                )
        else:
            unfinished = closed == "missing"
            outside = self.text in ("}", ")", ",", "=>") or self._next_arm_begins()
            if unfinished:
                self.leave_at(self.prev_end)
            if unfinished and outside:
                node.end = max(self.prev_end, tag.end)
            else:
                self._element_body(node, in_text, unfinished)
        self.depth = context.depth - 1
        return node

    def _no_tag(self, start: int) -> None:
        if self.text == ">":
            self.fail("an element needs a name: fragments `<>` do not exist", start, self.end)
        self.fail(f"expected the name of an element after `<`, found {self.what()}")

    def _text_mode(self, mode: Mode, in_text: bool) -> tuple[Mode, tree.Name | None]:
        """What follows the ``:`` of a text element (syntax 4.9.2)."""
        colon = self.start
        if in_text:
            self.error(
                "inside text an element takes no `:`: its body is text already",
                colon,
                colon + 1,
            )
        self.advance()
        text_type: tree.Name | None = None
        if not self.at_name():
            return "text", None
        if self.text == "raw":
            self.advance()
            return "raw", None
        if self.text == "if" or property_begins(self.source, self.start):
            return "text", None
        text_type = self.name()
        if self.text == "raw" and not property_begins(self.source, self.start):
            self.advance()
            return "raw", text_type
        return "typed", text_type

    def _tag_end(self, start: int, tag: tree.DottedName) -> str:
        """The end of an opening tag: ``/>``, ``>``, ``missing`` (reported), or ``goes on`` if
        a stray ``/`` has been reported and properties follow it.

        Leaves the cursor on the ``>``, or where it is missing."""
        if self.text == "/":
            slash = self.start
            self.advance()
            if self.text[:1] != ">":
                self.error(
                    f"expected `>` after `/` at the end of the tag `<{tag.text}`",
                    slash,
                    slash + 1,
                )
                if self.kind == IDENT and property_begins(self.source, self.start):
                    return "goes on"
                self.leave_at(self.prev_end)
                self.start = slash
            self.split()
            return "/>"
        if self.text[:1] == ">":
            self.split()
            return ">"
        self.never_closed(
            f"the tag `<{tag.text}` is never closed: expected `>` or `/>`", start, tag.end
        )
        root = self.at_root() and self.root_is_below(tag.end) == self.start
        if self.kind == EOF or self.at_declaration() or root:
            self.give_up(self.start)
            raise Panic
        return "missing"

    def _element_body(self, node: tree.Element, in_text: bool, unfinished: bool) -> None:
        """Read the body and closing tag of ``node``; the cursor stands on the tag's ``>``.

        ``unfinished``: that ``>`` is missing, so that a closing tag may not be meant either."""
        tag = node.tag
        declaration, declarations = self.text_declaration, self.text_declarations
        self.open_tags.append(tag.text)
        context = self.save()
        try:
            node.body, closed = self.body(node.mode, in_text, tag, unfinished)
        finally:
            self.open_tags.pop()
        self.recover(context)
        if not closed:
            node.end = max(self.prev_end, tag.end)
            node.end = node.body[-1].end if node.body else node.end
            self.leave_at(node.end)
            return
        self.text_declaration, self.text_declarations = declaration, declarations
        for _ in ("<", "/", "name"):
            self.advance()
        if self.at_name() and not self._name_is_of_next(tag):
            node.closing = self._closing_name()
        else:
            self.error(
                f"expected the name of the element in its closing tag: `</{tag.text}>`",
                self.prev_start,
                self.prev_end,
            )
        if self.text[:1] == ">":
            self.split()
        elif node.closing is None:
            self.leave_at(self.prev_end)
        else:
            slash = self.prev_end
            self.error(
                f"the closing tag `</{tag.text}` is not ended: expected `>`, found {self.what()}",
                *self.here(),
            )
            self.leave_at(slash)
        if self.crossing is not None:
            self._skip_crossing(tag)
        node.end = self.end

    def _skip_crossing(self, tag: tree.DottedName) -> None:
        """Behind ``<a><b>x</a>``, read past the ``</b>`` of the element that is reported."""
        name, self.crossing = self.crossing, None
        match = closing_name(self.source, self.behind())
        if match is None or match.group(1) != name or name in self.open_tags or name == tag.text:
            return
        end = _tag_closes(self.source, match.end())
        if end is not None:
            self.leave_at(end.end())

    def _name_is_of_next(self, tag: tree.DottedName) -> bool:
        """Whether the name behind ``</`` and a space is none of a closing tag: it is not that of
        the element, and no ``>`` follows."""
        if self.start == self.prev_end or self.text == tag.parts[0].text:
            return False
        return self.peek()[:1] not in (">", ".", "-")

    def _closing_name(self) -> tree.DottedName:
        self.extend_dashes()
        parts = [self.name()]
        while self.text == ".":
            self.advance()
            if self.kind != IDENT:
                self.error(
                    f"expected a name after `{parts[-1].text}.`, found {self.what()}", *self.here()
                )
                break
            self.extend_dashes()
            parts.append(self.name())
        return tree.DottedName(parts[0].start, parts[-1].end, parts)

    # ------------------------------------------------------------ properties

    def properties(self, closers: tuple[str, ...], in_arm: bool) -> list[tree.PropertyEntry]:
        """``PropList``, up to a token of ``closers``, or in an arm up to the next arm."""
        entries: list[tree.PropertyEntry] = []
        comma = False
        while True:
            text, start = self.text, self.start
            if self.kind == IDENT:
                if text == "if":
                    state = self.save()
                    self.no_opener = False
                    try:
                        entries.append(self.conditional("properties"))
                    except Panic:
                        self._resume(state, start)
                    continue
                if property_begins(self.source, start):
                    state = self.save()
                    try:
                        entries.append(self._property())
                    except Panic:
                        self._resume(state, start)
                    continue
            if text == "}" and text not in closers and not in_arm and self._stray_brace():
                continue
            if text in closers or self.kind == EOF or text[:1] in (">", "}"):
                return entries
            if in_arm or self.at_declaration():
                return entries
            if text == "<" or (text == "/" and self.peek()[:1] == ">"):
                return entries
            if self.open_braces and self._next_arm_begins():
                return entries
            if self.kind == IDENT and "}" not in closers and self._value_missing_here():
                self._property_without_value()
                continue
            if text == ")" and self.in_parens:
                return entries
            if text == ",":
                if not comma:
                    comma = True
                    self.error(
                        "properties are separated by whitespace: remove the `,`", start, self.end
                    )
                self.advance()
                self.skipped_to = self.start
                continue
            if self.skipped_to == start:
                self._skip_in_tag(start)  # still what has been reported
            else:
                self._no_property()

    def _stray_brace(self) -> bool:
        """Whether the ``}`` in a tag closes nothing, since the declaration has more ``}`` than
        ``{`` and the tag goes on; if so it is reported and read past."""
        tag_goes_on = property_begins(self.source, self.behind()) is not None
        if not tag_goes_on and self.peek()[:1] not in ("/", ">"):
            return False
        if not self.missing_braces():
            return False
        if not self.speculating:
            self.spare_braces -= 1
        self.error("this `}` closes nothing: remove it", self.start, self.end)
        self.advance()
        return True

    def _next_arm_begins(self) -> bool:
        """Whether the next arm of a conditional around the tag begins here."""
        if self.peek() != "=>":
            return False
        spaced = self.source[self.end : self.end + 1].isspace()
        return self.kind in (NUMBER, STRING) or (self.kind == IDENT and spaced)

    def _arrow_ends_tag(self) -> bool:
        """Whether the ``>`` of the ``=>`` here is the end of the tag, and no arm's arrow."""
        return self.open_braces == 0 and _tag_goes_on(self.source, self.end) is None

    def _value_missing_here(self) -> bool:
        """Whether ``name=>`` stands here, and the ``>`` is the end of the tag."""
        match = _value_missing_before_end(self.source, self.start)
        return match is not None and _tag_goes_on(self.source, match.end()) is None

    def _property_without_value(self) -> None:
        """``name=>``: the ``>`` closes the tag."""
        self.advance()
        while self.text in (".", "-") or self.kind == IDENT:
            self.advance()
        self.split()
        self.error("expected a value after `=`", self.start, self.end)
        self.advance()

    def _property(self) -> tree.Property:
        self.extend_dashes()
        parts = [self.name()]
        while self.text == ".":
            self.advance()
            self.extend_dashes()
            parts.append(self.name())
        name = tree.DottedName(parts[0].start, parts[-1].end, parts)
        equals = self.start
        self.advance()
        outside = self.value_in_tag, self.in_definitions
        self.value_in_tag, self.in_definitions = True, False
        value = self.unbraced(equals)
        self.value_in_tag, self.in_definitions = outside
        return tree.Property(name.start, max(value.end, equals + 1), name, value)

    def _resume(self, state: State, start: int) -> None:
        """After a failure in a property, read on to the next one or to the end of the tag."""
        if self.speculating or self.gave_up is not None:
            raise Panic
        nesting = self.open_braces - state.open_braces
        if self.no_opener and _closer_follows(self.source, self.start):
            nesting += 1
        self.recover(state)
        self._skip_in_tag(start, nesting)

    def _skip_in_tag(self, start: int, nesting: int = 0) -> None:
        muted, self.muted = self.muted, True
        if self.start == start:
            nesting += self.text in ("{", "(", "[")
            if self.text == "=>" and self._arrow_ends_tag():
                self.split()
            self.advance()
        while self.kind != EOF:
            text = self.text
            if text == "=>" and nesting == 0 and self._arrow_ends_tag():
                self.split()
            if text in ("{", "(", "["):
                nesting += 1
            elif text in ("}", ")", "]"):
                if nesting == 0:
                    break
                nesting -= 1
            elif self.at_declaration():
                break
            elif nesting == 0:
                if text[:1] == ">" or (text == "/" and self.peek()[:1] == ">"):
                    break
                if text == "<":
                    break
                if self.kind == IDENT and (
                    property_begins(self.source, self.start) or text == "if"
                ):
                    break
            self.advance()
        self.skipped_to = self.start
        if self.gave_up is None:
            self.muted = muted

    def _no_property(self) -> None:
        """Report what is no property inside a tag, and read past it."""
        text, start, end = self.text, self.start, self.end
        if self.kind == IDENT:
            self._word_in_tag()
        elif text == "{":
            self.error(
                "braces cannot stand alone in a tag: give the value a name, `name={…}`", start, end
            )
        elif self.kind in (STRING, NUMBER):
            self.error(f"a value in a tag needs a name: write `name={text}`", start, end)
        elif text == "...":
            self.error("NX has no spread: name each property, `name={…}`", start, end)
        else:
            self.error(
                f"expected a property `name=value`, `>` or `/>`, found {self.what()}", start, end
            )
        self._skip_in_tag(start)

    def _word_in_tag(self) -> None:
        start = self.start
        word = self.text
        muted, self.muted = self.muted, True
        state = self.save()
        self.extend_dashes()
        word = self.text
        end = self.end
        self.advance()
        following = self.text
        self.restore(state)
        self.muted = muted
        if self.gave_up is not None:
            raise Panic
        if following == "=>":
            message = f"a property is given with `=`, not `=>`: write `{word}=…`"
        elif word == "for":
            message = "a `for` cannot stand among properties: only an `if` can"
        elif following == ":":
            message = f"a property of an element is given with `=`: write `{word}=…`"
        elif following == "==":
            message = f"a property is given with one `=`: write `{word}=…`"
        else:
            message = f"the property `{word}` has no value: write `{word}=true` or `{word}=…`"
        self.error(message, start, end)
