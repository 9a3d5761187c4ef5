"""Tokens on demand: a cursor over NX source text (syntax 1).

NX cannot be tokenised ahead of parsing: what a character means depends on where the
grammar stands (syntax 1.11). So the parser holds a `Cursor`, which matches **one** regular
expression at its position when the grammar asks for the next token, and moves the position
freely where other scanners have been at work (element bodies).

The current token lies in the attributes ``kind``, ``start``, ``end`` and ``text``; there are
no token objects. Operators and names never collide with string literals, whose ``text``
includes the quotes, so ``cursor.text == "{"`` needs no look at ``kind``.

All offsets are code points in ``source``.
"""

from __future__ import annotations

import re
import sys
from typing import NamedTuple, NoReturn

from nx_lsp.syntax.problems import Problem, RelatedSpan
from nx_lsp.syntax.token_messages import bad_characters, bad_number, shorten
from nx_lsp.syntax.tree import MAX_DEPTH

RECURSION_LIMIT = 12_000
"""Python frames that the deepest permitted tree may need: ``MAX_DEPTH`` levels of nesting, at
most about ten frames each while parsing, and as much again for the passes over the tree."""

if sys.getrecursionlimit() < RECURSION_LIMIT:
    sys.setrecursionlimit(RECURSION_LIMIT)

SPACE = r"[ \t\r\n\v\f]"
COMMENT = r"(?://[^\r\n]*(?![^\r\n])|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/|<!--(?:[^-]|-(?!->))*-->)"
TRIVIA = rf"{SPACE}*(?:{COMMENT}{SPACE}*)*"
STRING_BODY = r'"[^"\\]*(?:\\.[^"\\]*)*"'

IDENT, OP, STRING, NUMBER, EOF, WORD, QUOTED, OPEN_STRING, OPEN_COMMENT, OTHER = range(1, 11)

_TOKEN = re.compile(
    TRIVIA
    + r"""(?:
      ([A-Za-z_][A-Za-z0-9_]*(?!\w))                                        # 1 IDENT
    | (\.\.\.|\.\.=|\.\.|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.
        |<(?!!--)|/(?!\*)|[>=:,.|?+\-*%!(){}\[\]])                          # 2 OP
    | ("""
    + STRING_BODY
    + r""")                                                                 # 3 STRING
    | (0[xX][0-9a-fA-F]+|[0-9]+(?:\.[0-9]+(?:[eE][+-]?[0-9]+)?)?)           # 4 NUMBER
    | (\Z)                                                                  # 5 EOF
    | ([^\W\d]\w*|\w+)                                                      # 6 WORD
    | ('[^'\n"]*'|`[^`\n]*`)                                                          # 7 QUOTED
    | (")                                                                   # 8 OPEN_STRING
    | (/\*|<!--)                                                            # 9 OPEN_COMMENT
    | ((?:;|[^\w \t\r\n\v\f"'/<.=!>&|?:,+\-*%(){}\[\];]+)
        (?:[ \t\r\n\v\f]*(?:;|[^\w \t\r\n\v\f"'/<.=!>&|?:,+\-*%(){}\[\];]+))*
        |(?s:.))                                                            # 10 OTHER
    )""",
    re.VERBOSE,
)
_match_token = _TOKEN.match
_LAST_REGULAR = STRING

TRIVIA_PATTERN = re.compile(TRIVIA)
"""Whitespace and comments; always matches."""

_NUMBER_TAIL = re.compile(r"\w+")
_DASH_TAIL = re.compile(r"[A-Za-z0-9_-]+")
_LENIENT_STRING = re.compile(r'"[^"\\]*(?:\\[\s\S][^"\\]*)*"')
_LINE_REST = re.compile(r"[^\r\n]*")

IDENT_TEXT = r"[A-Za-z_][A-Za-z0-9_]*"
_WS = rf"{SPACE}+"
_OWS = rf"{SPACE}*"

DECLARATION_WORDS = frozenset([
    "import", "private", "export", "abstract", "external", "type", "action", "let", "component",
    "enum", "contenttype",
])  # fmt: skip

DECLARATION_START = (
    rf"(?:import(?:{_OWS}[\"{{]|{_WS}{IDENT_TEXT})"
    rf"|(?:(?:private|export|abstract|external){_WS})+(?:type|action|let|component|enum|import)\b"
    rf"|(?:type|action|enum){_WS}{IDENT_TEXT}{_OWS}(?:=(?!=)|\{{|extends\b)"
    rf"|let{_WS}{IDENT_TEXT}{_OWS}(?:=(?!=)|:|\()"
    rf"|(?:let|component){_OWS}<"
    rf"|contenttype{_OWS}\")"
)
"""What surely begins a declaration. All its words are ordinary names elsewhere (syntax 1.5),
so a word alone proves nothing: the tokens behind it must fit as well."""


def junk_end(source: str) -> int:
    """The end of the characters at the start of ``source`` that begin no token; 0 for none."""
    match = _match_token(source)
    assert match is not None
    return match.end() if match.lastindex == OTHER and match.start(OTHER) == 0 else 0


begins_declaration = re.compile(DECLARATION_START).match
"""``begins_declaration(text, offset)``: whether a declaration begins at ``offset``."""

find_column_zero_declaration = re.compile(rf"(?:^|(?<=\r)){DECLARATION_START}", re.MULTILINE).search
"""``(text, offset)`` → the next declaration that begins in the first column, or ``None``."""


find_column_zero_root = re.compile(r"(?<=[\r\n])<[A-Za-z]").search
"""``(text, offset)`` → the next element in the first column, or ``None``."""


def at_line_start(text: str, offset: int) -> bool:
    """Whether only whitespace stands before ``offset`` on its line."""
    while offset > 0 and text[offset - 1] in " \t\v\f":
        offset -= 1
    return offset == 0 or text[offset - 1] in "\r\n"


class Panic(Exception):  # noqa: N818 - control flow, not an error of the program
    """Raised by the parser after a report, when it cannot go on where it stands.

    Caught where the grammar can resume: the next field, case, item, property, declaration.
    It never leaves the parser."""


class State(NamedTuple):
    """A position of a `Cursor` to come back to."""

    kind: int
    start: int
    end: int
    text: str
    prev_start: int
    prev_end: int
    problems: int
    depth: int
    in_list: bool
    in_tag: bool
    value_in_tag: bool
    in_definitions: bool
    in_parens: bool
    open_braces: int
    muted: bool


class Cursor:
    """The current token, the problems found, and how deep the grammar stands."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.length = len(source)
        self.kind = EOF
        self.start = 0
        self.end = 0
        self.text = ""
        self.prev_start = 0
        self.prev_end = 0
        self.found: dict[int, Problem] = {}
        """Problems by start offset: of two at one place the first is kept."""
        self.muted = False
        """Whether reports are dropped: the region is known to be broken."""
        self.speculating = 0
        """Above zero, any report raises `Panic` instead: the attempt has failed."""
        self.touched_end = False
        """Whether any decision may have depended on where ``source`` ends."""
        self.gave_up: int | None = None
        """Where parsing stopped for good; the rest of the source was not read."""
        self.depth = 0
        self.deepest = 0
        self.links = 0
        """Links of left-nested chains built: they deepen the tree without recursion."""
        self.in_list = False
        """Whether a ``<`` may begin another list item (syntax 4.10.1)."""
        self.in_tag = False
        """Whether ``>`` and ``/>`` close a tag around the expression being recovered."""
        self.value_in_tag = False
        """Whether unbraced values stand inside a tag or signature now."""
        self.semicolon_seen = False
        """Whether a ``;`` has been met: a habit of many lines is reported once."""
        self.open_braces = 0
        """Braces of arms and branches that are open: after a failure in them, as many ``}``
        belong to what failed."""
        self.cut_string = -1
        """The end of the latest unclosed string; what follows it may still be meant for it."""
        self.skipped_to = -1
        """Where reading on after the latest failure stopped."""
        self.in_definitions = False
        """Whether unbraced values are defaults, so that ``name:`` may follow them."""
        self.in_parens = False
        """Whether a ``)`` closes something around the current braces."""
        self.junk = (-1, -1)
        """The latest characters that began no token: where they start and end."""
        self.advance()
        self.prev_start = self.prev_end = self.start

    # ------------------------------------------------------------ moving

    def advance(self) -> None:
        """Read the next token, from ``self.end`` on."""
        self.prev_start = self.start
        self.prev_end = self.end
        kind = OTHER
        while kind == OTHER:
            match = _match_token(self.source, self.end)
            assert match is not None  # the last alternatives take anything
            kind = self.kind = match.lastindex or EOF
            self.start, self.end = match.span(kind)
            self.text = match.group(kind)
            if kind > _LAST_REGULAR:
                self._irregular(kind)

    def _irregular(self, kind: int) -> None:
        """Look closer at a token that may be no token: report it, and stand in for it."""
        start, end = self.start, self.end
        if kind == NUMBER:
            tail = _NUMBER_TAIL.match(self.source, end)
            if tail:
                self.end = tail.end()
                self.text = self.source[start : self.end]
                self.error(bad_number(self.text), start, self.end)
        elif kind == EOF:
            self.touched_end = True
        elif kind == WORD:
            self.kind = IDENT
            self.error(
                f"`{self.text}` is no name: names are made of the letters A-Z and a-z, digits "
                "and `_`, and do not begin with a digit",
                start,
                end,
            )
        elif kind == QUOTED:
            self.kind = STRING
            self.error(f'strings take double quotes: write `"{self.text[1:-1]}"`', start, end)
        elif kind == OPEN_STRING:
            self.touched_end = True
            if self._broken_line_in_string(start):
                return
            self.error(
                'this string is never closed: expected a `"` at its end',
                start,
                self._line_end(start),
            )
            self._stand_in_for_string(start)
        elif kind == OPEN_COMMENT:
            self.touched_end = True
            closer = "*/" if self.text == "/*" else "-->"
            self.error(f"this comment is never closed: expected `{closer}`", start, end)
            below = find_column_zero_declaration(self.source, end)
            self.give_up(below.start() if below else self.length)
        else:
            self._skip_other()

    def _broken_line_in_string(self, start: int) -> bool:
        """Whether a backslash before a line break is all that is wrong with the string."""
        match = _LENIENT_STRING.match(self.source, start)
        if match is None or find_column_zero_declaration(self.source, start, match.end()):
            return False
        self.kind = STRING
        self.end = match.end()
        self.text = match.group()
        slash = self.text.index("\\\n") + start
        self.error("a backslash cannot stand directly before a line break", slash, slash + 1)
        return True

    def _line_end(self, offset: int) -> int:
        match = _LINE_REST.match(self.source, offset)
        assert match is not None
        end = match.end()
        return offset + len(self.source[offset:end].rstrip())

    def _stand_in_for_string(self, start: int) -> None:
        """Make an unclosed string a token that ends with its line."""
        self.kind = STRING
        self.start, self.end = start, self._line_end(start)
        self.cut_string = self.end
        self.text = self.source[start : self.end]

    def _skip_other(self) -> None:
        """Report characters that begin no token; `advance` reads on behind them."""
        self.junk = self.start, self.end
        if self.text[0] == ";" and not self.speculating:
            if self.semicolon_seen:
                return
            self.semicolon_seen = True
        self.error(bad_characters(self.text), self.start, self.end)

    def behind_junk(self) -> bool:
        """Whether characters that begin no token stand right before the current token: what
        is wrong with it may be wrong because of them, and they have been reported."""
        start, end = self.junk
        return self.prev_end <= start and end <= self.start

    def jump(self, offset: int) -> None:
        """Read the token at ``offset``, which another scanner has reached."""
        self.leave_at(offset)
        self.advance()

    def leave_at(self, offset: int) -> None:
        """Let the next token be read from ``offset`` on."""
        if self.gave_up is None:
            self.end = offset

    def split(self) -> None:
        """Cut a longer operator down to its first character: ``>=`` to ``>``, ``??`` to ``?``.

        Where the grammar closes a tag or reads a suffix, the longer operators do not exist
        (syntax 1.11)."""
        if len(self.text) > 1 and self.kind == OP:
            self.text = self.text[0]
            self.end = self.start + 1

    def extend_dashes(self) -> None:
        """Let the current identifier run on as a ``DashName`` (syntax 1.4)."""
        tail = _DASH_TAIL.match(self.source, self.end)
        if tail:
            self.end = tail.end()
            self.text = self.source[self.start : self.end]

    def peek(self) -> str:
        """The text of the token behind the current one, without moving or reporting."""
        match = _match_token(self.source, self.end)
        assert match is not None
        if match.end() >= self.length:
            self.touched_end = True
        return match.group(match.lastindex or EOF)

    def behind(self) -> int:
        """The offset of the token behind the current one."""
        match = TRIVIA_PATTERN.match(self.source, self.end)
        return match.end() if match else self.end

    def save(self) -> State:
        """Remember the position, the context and the number of problems."""
        return State(
            self.kind,
            self.start,
            self.end,
            self.text,
            self.prev_start,
            self.prev_end,
            len(self.found),
            self.depth,
            self.in_list,
            self.in_tag,
            self.value_in_tag,
            self.in_definitions,
            self.in_parens,
            self.open_braces,
            self.muted,
        )

    def restore(self, state: State) -> None:
        """Go back to ``state``, forgetting the problems found since; not after `give_up`."""
        if self.gave_up is not None:
            raise Panic
        if self.end >= self.length:
            self.touched_end = True
        (
            self.kind,
            self.start,
            self.end,
            self.text,
            self.prev_start,
            self.prev_end,
            problems,
            self.depth,
            self.in_list,
            self.in_tag,
            self.value_in_tag,
            self.in_definitions,
            self.in_parens,
            self.open_braces,
            self.muted,
        ) = state
        while len(self.found) > problems:
            self.found.popitem()

    def recover(self, state: State) -> None:
        """After a `Panic`, take up the context of ``state`` where the cursor stands now."""
        self.depth = state.depth
        self.in_list = state.in_list
        self.in_tag = state.in_tag
        self.value_in_tag = state.value_in_tag
        self.in_definitions = state.in_definitions
        self.in_parens = state.in_parens
        self.open_braces = state.open_braces
        if self.gave_up is None:
            self.muted = state.muted

    # ------------------------------------------------------------ reporting

    def error(
        self,
        message: str,
        start: int,
        end: int,
        *,
        code: str = "syntax-error",
        help: str | None = None,
        related: tuple[RelatedSpan, ...] = (),
    ) -> None:
        """Report a problem, unless the region is muted or has one at the same offset."""
        if self.speculating:
            raise Panic
        if self.muted or (start == self.start and self.behind_junk()):
            return
        # Never an empty range, never beyond the source: an editor must have something to mark.
        start = max(min(start, end, self.length - 1), 0)
        end = min(max(end, start + 1), max(self.length, 1))
        if start in self.found:
            return
        sentence = message[:1].upper() + message[1:]
        self.found[start] = Problem(code, sentence, start, end, help=help, related=related)

    def never_closed(self, message: str, start: int, end: int) -> None:
        """Report at ``start`` to ``end`` what opens there and has no closer.

        Not if all that was read since the latest report inside it makes no sense: then the
        closer is missing because something unfinished stands before it, and one report of
        the two is enough."""
        if self.found and not self.speculating:
            latest = next(reversed(self.found.values()))
            unfinished = latest.end >= self.prev_end or self.skipped_to == self.start
            if latest.start > start and unfinished:
                return
        self.error(message, start, end)

    def fail(
        self,
        message: str,
        start: int | None = None,
        end: int | None = None,
        *,
        code: str = "syntax-error",
        help: str | None = None,
    ) -> NoReturn:
        """Report a problem, by default at the current token, and raise `Panic`.

        At the end of the source the report stands at the token before it."""
        if start is None or end is None:
            start, end = self.here()
        self.error(message, start, end, code=code, help=help)
        raise Panic

    def here(self) -> tuple[int, int]:
        """The span to blame for an unexpected token."""
        if self.kind == EOF or self.at_piece():
            return self.prev_start, self.prev_end
        return self.start, self.end

    def what(self) -> str:
        """The current token in words, for "found …"."""
        if self.kind == EOF or self.at_piece():
            return "the end of the declaration"
        if self.kind == STRING:
            return f"the string `{shorten(self.text)}`"
        if self.kind == NUMBER:
            return f"the number `{shorten(self.text)}`"
        return f"`{shorten(self.text)}`"

    def give_up(self, resume: int) -> None:
        """Stop reading: every loop of the grammar now finds the end of the source.

        ``resume`` is the offset from which the next declaration may be looked for."""
        if self.gave_up is None:
            self.gave_up = resume
        self.muted = True
        self.kind = EOF
        self.text = ""
        self.start = self.end = self.length

    # ------------------------------------------------------------ depth

    def enter(self) -> None:
        """Go one level down; leave with ``self.depth -= 1``."""
        self.depth += 1
        if self.depth > self.deepest:
            self.deepest = self.depth
            if self.depth > MAX_DEPTH:
                self.too_deep()

    def too_deep(self) -> NoReturn:
        """Report nesting beyond ``MAX_DEPTH``, once, and give up."""
        start, end = self.here()
        self.speculating = 0
        self.muted = False
        self.error(
            f"nested too deeply: at most {MAX_DEPTH} levels are read; "
            "move an inner part to a declaration of its own",
            start,
            end,
        )
        self.give_up(start)
        raise Panic

    # ------------------------------------------------------------ looking

    def at_name(self) -> bool:
        """Whether a name stands here. A word that begins a declaration on the next line is none:
        then a name is still missing, and what follows must not be lost."""
        return self.kind == IDENT and not self.at_declaration()

    def at_piece(self) -> bool:
        """Whether a declaration or the root element begins here, where neither is expected."""
        return self.at_root() if self.text == "<" else self.at_declaration()

    def at_root(self) -> bool:
        """Whether an element begins here in the first column; asked where none can stand."""
        start, end = self.start, self.end
        return (
            self.text == "<"
            and self.source[start - 1 : start] in ("\r", "\n")
            and self.source[end : end + 1].isalpha()
        )

    def at_declaration(self) -> bool:
        """Whether the current token begins a declaration at the start of a line.

        Only asked where something else is expected: then an opener before it was not closed."""
        return (
            self.text in DECLARATION_WORDS
            and self.kind == IDENT
            and begins_declaration(self.source, self.start) is not None
            and at_line_start(self.source, self.start)
        )
