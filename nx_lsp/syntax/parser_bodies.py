"""The bodies of elements in their four modes (syntax 4.9).

Body text is never read as tokens: here regular expressions scan the source from an offset, and
the cursor is sent to ``<`` and ``{``, where the grammar of tokens begins again."""

from __future__ import annotations

import re

from nx_lsp.syntax import tree
from nx_lsp.syntax.lexer import (
    IDENT_TEXT,
    SPACE,
    STRING_BODY,
    TRIVIA_PATTERN,
    Panic,
    find_column_zero_declaration,
)
from nx_lsp.syntax.parser_base import BRANCH, Mode
from nx_lsp.syntax.parser_body_ends import BodyEndGrammar
from nx_lsp.syntax.token_messages import shorten

_CLOSING = re.compile(rf"<{SPACE}*/(?![/*])")
_WORD = re.compile(r"(if|for|else)(?![A-Za-z0-9_])")
_ELSE = re.compile(r"else(?![A-Za-z0-9_])")
_BRANCHES_FOLLOW = re.compile(r"(?:=>|\b(?:if|is|else))\s*\Z")
_MIXED_RUN = re.compile(r"[^<{]+")
_MARKUP_COMMENT = re.compile(r"<!--(?:[^-]|-(?!->))*-->")
_UNTIL_COMMENT_END = re.compile(r"/\*|<!--")
_ENTITY_TEXT = r"&(?:[A-Za-z][A-Za-z0-9]*|#[0-9]+|#[xX][0-9a-fA-F]+);"
_ENTITY = re.compile(_ENTITY_TEXT)
_TEXT_RUN = re.compile(rf"(?:[^<{{}}\\&]+|\\(?![{{}}])|&(?!{_ENTITY_TEXT[1:]}))+")
_TYPED_RUN = re.compile(rf"(?:[^<{{}}\\&@]+|\\(?![{{}}@])|&(?!{_ENTITY_TEXT[1:]})|@(?!\{{))+")
_RAW_RUN = re.compile(r"[^<]+")
_PATTERN = rf"(?:{STRING_BODY}|-?[0-9][0-9.]*|{IDENT_TEXT}(?:\.{IDENT_TEXT})*)"
_ARM = re.compile(rf"{_PATTERN}(?:{SPACE}*,{SPACE}*{_PATTERN})*{SPACE}*=>")
_BARE_TEXT = re.compile(r"[^<{}]+")


class BodyGrammar(BodyEndGrammar):
    """Mixed, text, typed and raw bodies, and the braces of branches in bodies."""

    def body(
        self, mode: Mode, in_text: bool, tag: tree.DottedName, unfinished: bool
    ) -> tuple[list[tree.BodyPart], bool]:
        """Read a body from ``self.end`` on.

        Returns its parts, and whether the element's closing tag follows; if so ``end`` stands
        before it: three ``advance()`` reach its name. That it does not follow is reported, but
        not for an ``unfinished`` opening tag or behind a last part that is broken itself."""
        begin = self.end
        self.value_in_tag = self.in_tag = self.in_list = False
        self.in_definitions = self.in_parens = False
        parts: list[tree.BodyPart] = []
        if mode == "mixed":
            position = self._mixed_body(parts)
        elif mode == "text":
            position = self._text_body(parts)
        elif mode == "typed":
            position = self._typed_body(parts)
        else:
            position = self._raw_body(parts)
        ends = position >= self.length
        if ends or self.belongs_outside(position, tag.text):
            if not unfinished and not self.ends_broken(tag, parts):
                self.error(
                    f"`<{tag.text}>` is never closed: expected `</{tag.text}>`",
                    tag.start - 1,
                    tag.end,
                )
            if ends:
                self.give_up_body(begin)
            else:
                self.leave_at(position)
                self.crossing = tag.text
            return parts, False
        if mode != "mixed" and not parts:
            hint = f"`<{tag.text}/>`" if in_text else "a space between the tags"
            self.error(
                f"the body of a text element cannot be empty: write {hint}", tag.start - 1, tag.end
            )
        self.leave_at(position)
        return parts, True

    # ------------------------------------------------------------ mixed

    def _mixed_body(self, parts: list[tree.BodyPart]) -> int:
        """``MixedBody``; returns the offset of the closing tag, or the end of the source."""
        source = self.source
        position = begin = self.end
        while True:
            position = self._skip_trivia(position)
            if position >= self.length:
                return position
            character = source[position]
            if character == "<":
                if _CLOSING.match(source, position):
                    behind = self.stray_closing_tag(parts, position)
                    if behind is None:
                        return position
                    position = behind
                    continue
                self.jump(position)
                position = self._child(parts, position, False)
            elif character == "{":
                muted = self.muted
                self.muted = muted or self._in_broken_branches(parts, begin)
                self.jump(position)
                parts.append(self.braced())
                if self.gave_up is None:
                    self.muted = muted
                position = self.end
            elif self.found and _ELSE.match(source, position) and self._broken_since(begin):
                run = _MIXED_RUN.match(source, position)
                assert run is not None
                parts.append(tree.TextRun(position, run.end(), run.group()))
                position = run.end()
            else:
                word = _WORD.match(source, position)
                if word:
                    position = self._control(parts, position, word.group(1))
                    continue
                run = _MIXED_RUN.match(source, position)
                assert run is not None
                end = run.end()
                if not self.run_of_text(position, end, begin):
                    return self.length
                parts.append(tree.TextRun(position, end, run.group()))
                position = end
            if self.gave_up is not None:
                return self.length

    def _broken_since(self, begin: int) -> bool:
        """Whether anything has been reported in the body that begins at ``begin``."""
        return bool(self.found) and next(reversed(self.found)) >= begin

    def _in_broken_branches(self, parts: list[tree.BodyPart], begin: int) -> bool:
        """Whether braces in a body belong to an arm or a conditional that could not be read."""
        if not self._broken_since(begin) or not parts or not isinstance(parts[-1], tree.TextRun):
            return False
        last = parts[-1]
        if last.start in self.found and _WORD.match(self.source, last.start):
            return True
        ending = self.source[max(last.start, last.end - 40) : last.end]
        return _BRANCHES_FOLLOW.search(ending) is not None

    def _child(self, parts: list[tree.BodyPart], position: int, in_text: bool) -> int:
        """A child element at the current ``<``; returns where the body goes on."""
        state = self.save()
        try:
            parts.append(self.element(in_text))
            return self.end
        except Panic:
            if self.speculating or self.gave_up is not None:
                raise
            self.recover(state)
        # What stands here is no tag: keep the `<` as text and go on behind it.
        end = position + 1
        parts.append(tree.TextRun(position, end, "<"))
        return end

    def _skip_trivia(self, position: int) -> int:
        match = TRIVIA_PATTERN.match(self.source, position)
        assert match is not None
        position = match.end()
        if _UNTIL_COMMENT_END.match(self.source, position):
            self.jump(position)  # reports the comment that is never closed
        return position

    def _control(self, parts: list[tree.BodyPart], position: int, word: str) -> int:
        """``if`` or ``for`` at the start of a run; returns where the body goes on."""
        run = _MIXED_RUN.match(self.source, position)
        assert run is not None
        if word == "else":
            self.error(
                'this `else` follows no `if`: if it is text, write `{"else …"}`',
                position,
                position + 4,
            )
            parts.append(tree.TextRun(position, run.end(), run.group()))
            return run.end()
        self.jump(position)
        state = self.save()
        self.no_opener = False
        try:
            if word == "if":
                parts.append(self.conditional("body"))
            else:
                parts.append(self.loop("body"))
            return self.end
        except Panic:
            if self.speculating or self.gave_up is not None:
                raise
        begins = find_column_zero_declaration(self.source, position, run.end())
        if begins or run.end() >= self.length:
            # The body ends here unfinished: what is below it is not its text.
            self.recover(state)
            if begins and self.text_declaration is None:
                self.text_declaration = begins.start()
            text = self.source[position : begins.start() if begins else self.length].rstrip()
            parts.append(tree.TextRun(position, position + len(text), text))
            return self.length
        nesting = self.open_braces - state.open_braces
        self.no_opener = self.no_opener and self.closes_behind(self.prev_end, nesting + 1)
        if (
            self.no_opener
            or nesting
            or self.start >= run.end()
            or "<" in self.source[position : self.start]
        ):
            # The words made sense, their branches did not: go on behind their braces.
            self.recover(state)
            end = self.behind_branches(self.prev_end, nesting, self.no_opener)
            parts.append(tree.TextRun(position, end, self.source[position:end]))
            return end
        self._drop_since(state.problems)
        self.recover(state)
        self.error(
            f"the word `{word}` begins control flow here, but `{shorten(run.group())}` is none: "
            f'for text write `{{"{shorten(run.group().strip(), 30)}"}}`',
            position,
            position + len(word),
        )
        parts.append(tree.TextRun(position, run.end(), run.group()))
        return run.end()

    def _drop_since(self, count: int) -> None:
        while len(self.found) > count:
            self.found.popitem()

    # ------------------------------------------------------------ braces in mixed bodies

    def body_block(self, what: str) -> tree.BodyBlock:
        """``"{" BodyItem+ "}"``; ``{`` is current. Leaves the cursor on the ``}``."""
        start = self.start
        source = self.source
        self.enter()
        self.in_list = self.in_tag = False
        items: list[tree.BodyPart] = []
        self.open_braces += 1
        bare = False
        position = self.end
        while True:
            position = self._skip_trivia(position)
            if position >= self.length:
                self.jump(self.length)
                self.unclosed("{", start, start + 1)
            character = source[position]
            if character == "}":
                break
            if character == "<":
                if _CLOSING.match(source, position):
                    self.error(
                        "this `{` is never closed: expected `}` before the closing tag",
                        start,
                        start + 1,
                    )
                    end = items[-1].end if items else start + 1
                    self.leave_at(end)
                    self.open_braces -= 1
                    self.depth -= 1
                    return tree.BodyBlock(start, end, items)
                self.jump(position)
                position = self._child(items, position, False)
            elif character == "{":
                self.jump(position)
                items.append(self.braced())
                position = self.end
            else:
                word = _WORD.match(source, position)
                if word and word.group(1) == "else" and what == BRANCH and items:
                    self.never_closed(
                        "this `{` is never closed: expected `}` before `else`", start, start + 1
                    )
                    end = items[-1].end if items else start + 1
                    self.leave_at(end)
                    self.open_braces -= 1
                    self.depth -= 1
                    return tree.BodyBlock(start, end, items)
                if word and word.group(1) != "else":
                    self.jump(position)
                    items.append(
                        self.conditional("body") if word.group(1) == "if" else self.loop("body")
                    )
                    position = self.end
                    continue
                self.jump(position)
                if self.at_declaration():
                    self.unclosed("{", start, start + 1)
                self._no_arm_here(start, what, items, position)
                run = _BARE_TEXT.match(source, position)
                assert run is not None
                end, text = run.end(), run.group().rstrip()
                declaration = find_column_zero_declaration(source, position, end)
                if declaration is not None:
                    end = declaration.start()
                    text = text.split("\n", 1)[0].rstrip()
                if not bare:
                    bare = True
                    self.error(
                        f"{what} holds elements and braced values, not bare text: write "
                        f'`{{"{shorten(text, 30)}"}}` for text, `{{…}}` for a value',
                        position,
                        position + len(text),
                    )
                items.append(tree.TextRun(position, end, source[position:end]))
                position = self.skipped_to = end
            if self.gave_up is not None:
                raise Panic
        self.jump(position)
        if not items:
            self.error(
                f"{what} cannot be empty in the body of an element: leave it out, or write "
                "`{ {} }` for the empty value",
                start,
                self.end,
            )
        self.open_braces -= 1
        self.depth -= 1
        return tree.BodyBlock(start, self.end, items)

    def _no_arm_here(
        self, opener: int, what: str, items: list[tree.BodyPart], position: int
    ) -> None:
        """Report an arm where body items stand: either the ``}`` before it is missing, or the
        ``is`` of the match."""
        arm = _ARM.match(self.source, position)
        if arm is None:
            return
        if items:
            self.fail(
                "this `{` is never closed: expected `}` before the next arm", opener, opener + 1
            )
        self.fail(
            f"{what} holds no arms `… => …`: they stand in a match or in a condition list, "
            "`if value is { … }` or `if { … }`",
            position,
            arm.end(),
        )

    # ------------------------------------------------------------ text, typed text, raw text

    def _text_body(self, parts: list[tree.BodyPart]) -> int:
        source = self.source
        position = begin = self.end
        brace_reported = False
        while position < self.length:
            character = source[position]
            if character == "<":
                comment = _MARKUP_COMMENT.match(source, position)
                if comment:
                    position = comment.end()
                    continue
                if source.startswith("<!--", position):
                    self.jump(position)
                    return self.length
                if _CLOSING.match(source, position):
                    behind = self.stray_closing_tag(parts, position)
                    if behind is None:
                        return position
                    position = behind
                    continue
                self.jump(position)
                position = self._child(parts, position, True)
            elif character == "{":
                self.jump(position)
                parts.append(self.braced())
                position = self.end
            elif character == "}":
                if not brace_reported:
                    brace_reported = True
                    self.error("a `}` in text is written `\\}`", position, position + 1)
                parts.append(tree.TextRun(position, position + 1, "}"))
                position += 1
            else:
                position = self._text_piece(parts, position, _TEXT_RUN, begin)
            if self.gave_up is not None:
                return self.length
        return position

    def _text_piece(
        self, parts: list[tree.BodyPart], position: int, run: re.Pattern[str], begin: int
    ) -> int:
        """A run of text, an entity or an escape; returns its end."""
        source = self.source
        match = run.match(source, position)
        if match:
            end = match.end()
            if not self.run_of_text(position, end, begin):
                return self.length
            parts.append(tree.TextRun(position, end, match.group()))
            return end
        entity = _ENTITY.match(source, position)
        if entity:
            parts.append(tree.Entity(position, entity.end(), entity.group()))
            return entity.end()
        parts.append(tree.Escape(position, position + 2, source[position + 1]))
        return position + 2

    def _typed_body(self, parts: list[tree.BodyPart]) -> int:
        source = self.source
        position = begin = self.end
        brace_reported = element_reported = False
        while position < self.length:
            character = source[position]
            if character == "<":
                comment = _MARKUP_COMMENT.match(source, position)
                if comment:
                    position = comment.end()
                    continue
                if source.startswith("<!--", position):
                    self.jump(position)
                    return self.length
                if _CLOSING.match(source, position):
                    behind = self.stray_closing_tag(parts, position, not element_reported)
                    if behind is None:
                        return position
                    position = behind
                    continue
                position = self._element_in_typed_text(parts, position, not element_reported)
                element_reported = True
            elif character in "{}":
                if not brace_reported:
                    brace_reported = True
                    hint = " (a value is inserted with `@{…}`)" if character == "{" else ""
                    self.error(
                        f"a `{character}` in typed text is written `\\{character}`{hint}",
                        position,
                        position + 1,
                    )
                parts.append(tree.TextRun(position, position + 1, character))
                position += 1
            elif character == "@" and source.startswith("@{", position):
                self.jump(position + 1)
                empty = self.peek() == "}"
                braces = self.braced()
                braces.start = position
                if empty:
                    self.error(
                        "an interpolation cannot be empty: put a value into `@{…}`",
                        position,
                        braces.end,
                    )
                parts.append(braces)
                position = self.end
            else:
                position = self._text_piece(parts, position, _TYPED_RUN, begin)
            if self.gave_up is not None:
                return self.length
        return position

    def _element_in_typed_text(
        self, parts: list[tree.BodyPart], position: int, report: bool
    ) -> int:
        """A ``<`` in typed text, kept as text; reported if it is the first one there."""
        self.jump(position)
        following = self.source[self.end : self.end + 1]
        if not report:
            pass
        elif following.isalpha() or following == "_":
            self.error(
                "typed text holds no elements: write the markup of the text's own language, "
                "or use a text element `<p:>`",
                position,
                position + 1,
            )
        else:
            self.error("a `<` cannot stand in typed text", position, position + 1)
        parts.append(tree.TextRun(position, position + 1, "<"))
        end = _matching_close(self.source, position)
        if end:
            parts.append(tree.TextRun(position + 1, end, self.source[position + 1 : end]))
            return end
        return position + 1

    def _raw_body(self, parts: list[tree.BodyPart]) -> int:
        source = self.source
        position = begin = self.end
        reported = False
        while position < self.length:
            if source[position] != "<":
                match = _RAW_RUN.match(source, position)
                assert match is not None
                if not self.run_of_text(position, match.end(), begin):
                    return self.length
                parts.append(tree.TextRun(position, match.end(), match.group()))
                position = match.end()
                continue
            comment = _MARKUP_COMMENT.match(source, position)
            if comment:
                position = comment.end()
                continue
            if source.startswith("<!--", position):
                self.jump(position)
                return self.length
            if _CLOSING.match(source, position):
                behind = self.stray_closing_tag(parts, position, not reported)
                if behind is None:
                    return position
                reported = True
                position = behind
                continue
            if not reported:
                reported = True
                self.error(
                    f"a `<` cannot stand in raw text: it must begin `</{self.open_tags[-1]}>`",
                    position,
                    position + 1,
                )
            parts.append(tree.TextRun(position, position + 1, "<"))
            position += 1
        return position


_OPEN_NAME = re.compile(r"<\s*([A-Za-z_][\w.-]*)")


def _matching_close(source: str, position: int) -> int | None:
    """The end of ``<b>…</b>`` at ``position``, found by its name alone, for skipping it."""
    opening = _OPEN_NAME.match(source, position)
    if opening is None:
        return None
    closing = re.compile(rf"</\s*{re.escape(opening.group(1))}\s*>")
    match = closing.search(source, position, position + 10_000)
    return match.end() if match else None
