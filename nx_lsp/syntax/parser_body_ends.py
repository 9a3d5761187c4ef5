"""Where the body of an element ends if its closing tag is missing, or is another's.

Used by ``parser_bodies``."""

from __future__ import annotations

import re

from nx_lsp.syntax import tree
from nx_lsp.syntax.lexer import DECLARATION_START, SPACE, find_column_zero_declaration
from nx_lsp.syntax.parser_base import Grammar, closing_name

_NEARBY = 2000
"""Code points in which the right closing tag is looked for behind a wrong one."""

_MOST_DECLARATIONS = 8
"""So many runs of text with a line like a declaration make an open element a forgotten one."""


_BRACE_OR_CLOSING = re.compile(
    rf"[{{}}]|<{SPACE}*/{SPACE}*([A-Za-z_][A-Za-z0-9_.-]*)|^{DECLARATION_START}", re.MULTILINE
)
"""A brace, a closing tag with its name as group 1, or the beginning of a declaration."""

_else_branch = re.compile(rf"{SPACE}*else{SPACE}*\{{").match


class BodyEndGrammar(Grammar):
    """What to make of closing tags and declarations that a body does not expect."""

    def belongs_outside(self, position: int, name: str) -> bool:
        """Whether the closing tag at ``position`` is that of an element further out."""
        match = closing_name(self.source, position)
        if match is None or match.group(1) == name:
            return False
        return match.group(1) in self.open_tags[:-1]

    def stray_closing_tag(
        self, parts: list[tree.BodyPart], position: int, report: bool = True
    ) -> int | None:
        """The end of a closing tag that belongs to no open element, if the tag that closes the
        innermost one still follows; the stray one is kept as text, and reported unless markup
        in this text has been (``report``)."""
        match = closing_name(self.source, position)
        if match is None or match.group(1) in self.open_tags:
            return None
        name = re.escape(self.open_tags[-1])
        own = re.compile(rf"<{SPACE}*(/?){SPACE}*{name}(?![A-Za-z0-9_.-])")
        following = own.search(self.source, match.end(), match.end() + _NEARBY)
        if following is None or not following.group(1):
            return None
        declaration = find_column_zero_declaration(self.source, match.end(), following.start())
        if declaration is not None:
            return None
        if report:
            open_tag = self.open_tags[-1]
            self.error(
                f"`</{match.group(1)}>` closes nothing: the open element is `<{open_tag}>`",
                match.start(1),
                match.end(1),
                code="tag-mismatch",
            )
        end = match.end()
        if self.source.startswith(">", end):
            end += 1
        parts.append(tree.TextRun(position, end, self.source[position:end]))
        return end

    def behind_branches(self, position: int, nesting: int, no_opener: bool) -> int:
        """Where a body goes on after a failure at ``position`` in the branches of an ``if`` or
        ``for``, with ``nesting`` braces open there; before the closing tag of an element around
        them, and before a declaration, in any case.

        ``no_opener``: one more ``{`` is missing, whose ``}`` follows."""
        end, closed = self._behind_braces(position, nesting + no_opener)
        while closed:
            other = _else_branch(self.source, end)
            if other is None:
                break
            end, closed = self._behind_braces(other.end(), 1)
        return max(end, position)

    def closes_behind(self, position: int, nesting: int) -> bool:
        """Whether as many ``}`` follow in the body as close ``nesting`` open braces."""
        return self._behind_braces(position, nesting)[1]

    def _behind_braces(self, position: int, nesting: int) -> tuple[int, bool]:
        """The end of the ``}`` that closes the last of ``nesting`` braces, or of the last ``}``
        before the end of the body, and whether it is the former."""
        end = position
        if nesting <= 0:
            return end, True
        for match in _BRACE_OR_CLOSING.finditer(self.source, position):
            text = match.group()
            if text == "{":
                nesting += 1
            elif text == "}":
                nesting -= 1
                end = match.end()
                if nesting == 0:
                    return end, True
            elif match.group(1) is None or match.group(1) in self.open_tags:
                break
        return end, False

    def ends_broken(self, tag: tree.DottedName, parts: list[tree.BodyPart]) -> bool:
        """Whether the latest report stands in the last part of a body and nothing sound behind
        it: then the closing tag may be missing because this part is unfinished."""
        if not self.found or not parts:
            return False
        latest = next(reversed(self.found.values()))
        last = parts[-1]
        if last.start < self.cut_string <= last.end:
            return True
        if isinstance(last, tree.TextRun):
            return latest.start >= last.start
        return latest.start > last.start and latest.end >= last.end

    def give_up_body(self, begin: int) -> None:
        """Stop at the end of the source, but let a declaration in the body be read as one."""
        self.touched_end = True
        if self.gave_up is None:
            resume = self.text_declaration
            if resume is None:
                found = find_column_zero_declaration(self.source, begin)
                resume = found.start() if found else self.root_is_below(begin)
            if resume is None:
                resume = self.length
            self.give_up(resume)

    def run_of_text(self, start: int, end: int, begin: int) -> bool:
        """Note a run of text that looks like declarations; False if there are too many."""
        if self.source.find("\n", start - 1 if start else 0, end) < 0:
            return True
        found = find_column_zero_declaration(self.source, start, end)
        if found is None:
            return True
        if self.text_declaration is None:
            self.text_declaration = found.start()
        self.text_declarations += 1
        return self.text_declarations <= _MOST_DECLARATIONS
