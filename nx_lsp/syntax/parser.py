"""From the text of one piece to its tree and its syntax errors.

`parse_piece` takes the exact text of a piece. `read_piece` takes text from the start of a piece
*on* and finds out where the piece ends; the splitter uses it for what its patterns do not cover.

Neither raises on any input. One mistake gives one report: what follows a mistake is read without
reports up to the next field, case, item, tag or declaration.
"""

from __future__ import annotations

import difflib
import re
from typing import NamedTuple

from nx_lsp.syntax import tree
from nx_lsp.syntax.lexer import (
    DECLARATION_WORDS,
    EOF,
    IDENT,
    STRING,
    Cursor,
    Panic,
    at_line_start,
    begins_declaration,
    junk_end,
)
from nx_lsp.syntax.parser_bodies import BodyGrammar
from nx_lsp.syntax.parser_braces import BraceGrammar
from nx_lsp.syntax.parser_components import ComponentGrammar
from nx_lsp.syntax.parser_conditionals import ConditionalGrammar
from nx_lsp.syntax.parser_expressions import ExpressionGrammar
from nx_lsp.syntax.parser_imports import ImportGrammar
from nx_lsp.syntax.parser_markup import MarkupGrammar
from nx_lsp.syntax.parser_types import TypeGrammar
from nx_lsp.syntax.parser_values import ValueGrammar
from nx_lsp.syntax.problems import Problem


class ParsedPiece(NamedTuple):
    """A tree and the syntax errors found in it, in source order."""

    node: tree.PieceNode
    problems: tuple[Problem, ...]


class ReadPiece(NamedTuple):
    """A piece found at the start of a longer text.

    ``end``: offset behind its last token. ``at_window_end``: more text might change the answer."""

    node: tree.PieceNode
    end: int
    has_problems: bool
    at_window_end: bool


class Parser(
    BodyGrammar,
    MarkupGrammar,
    ConditionalGrammar,
    ExpressionGrammar,
    BraceGrammar,
    ValueGrammar,
    ComponentGrammar,
    ImportGrammar,
    TypeGrammar,
):
    """The whole grammar; one object reads one piece."""

    def piece(self) -> tree.PieceNode:
        """Read the piece that begins at the current token. Never raises."""
        try:
            return self._piece()
        except Panic:
            self.broken = True
            return tree.ErrorNode(0, max(self.prev_end, 1))

    def _piece(self) -> tree.PieceNode:
        start = self.start
        if self.text == "<" and self.peek() != "/":
            return self._root()
        if self.kind != IDENT:
            return self._no_declaration(start)
        modifiers = self.modifiers()
        text = self.text
        try:
            if self.kind != IDENT:
                return self._after_modifiers(start)
            if text == "type":
                return self.type_declaration(modifiers, start)
            if text == "action":
                return self.action_declaration(modifiers, start)
            if text == "let":
                return self.let_declaration(modifiers, start)
            if text == "component":
                return self.component_declaration(modifiers, start)
            if text == "import":
                for word, span in modifiers.words.items():
                    self.error(f"an import takes no `{word}`: remove the word", *span)
                return self.import_statement()
            if text == "enum" and self.peek()[:1].isalpha():
                return self.enum_declaration(modifiers, start)
            if text == "contenttype" and self.peek()[:1] == '"':
                self.error(
                    "the `contenttype` directive was removed: delete this line",
                    self.start,
                    self.end,
                )
                self.advance()
                self.advance()
                return tree.ErrorNode(start, self.prev_end)
        except Panic:
            self.broken = True
            return tree.ErrorNode(start, max(self.prev_end, start + 1))
        if modifiers.words:
            return self._after_modifiers(start)
        return self._no_declaration(start)

    def _root(self) -> tree.PieceNode:
        start = self.start
        try:
            element = self.element()
        except Panic:
            self.broken = True
            return tree.ErrorNode(start, max(self.prev_end, start + 1))
        self.advance()
        return tree.RootNode(start, element.end, element)

    def _after_modifiers(self, start: int) -> tree.PieceNode:
        word = self.source[self.prev_start : self.prev_end]
        self.broken = True
        if self.text == "<":
            self.error(f"the root element takes no `{word}`: remove the word", start, self.prev_end)
        else:
            close = difflib.get_close_matches(self.text, _KEYWORDS, 1)
            hint = f": did you mean `{close[0]}`?" if close and self.kind == IDENT else ""
            where = self.here()
            self.error(
                f"expected `type`, `action`, `let` or `component` after `{word}`, "
                f"found {self.what()}{hint}",
                *where,
            )
        return tree.ErrorNode(start, self.prev_end)

    def _no_declaration(self, start: int) -> tree.PieceNode:
        """What begins no piece: reported at its first token."""
        text = self.text
        self.broken = True
        if self.kind == IDENT:
            message = _FOREIGN.get(text, "")
            if not message:
                close = difflib.get_close_matches(text, _KEYWORDS, 1, 0.7)
                hint = f": did you mean `{close[0]}`?" if close else ""
                message = (
                    "expected a declaration (`type`, `action`, `let`, `component`), an `import` "
                    f"or the root element, found `{text}`{hint}"
                )
        elif self.kind == EOF:
            message = "expected a declaration"  # only for text of foreign characters: reported
        elif text in ("}", ")", "]"):
            message = f"this `{text}` closes nothing: remove it"
        elif text == "<":
            message = "this closing tag closes nothing: remove it"
        elif text == ",":
            message = "no comma stands between declarations: remove it"
        elif text == "{":
            message = "braces stand only inside declarations: expected `type`, `let`, …"
        elif self.kind == STRING:
            message = f"a value cannot stand alone: write `let name = {text}`"
        else:
            message = (
                "expected a declaration (`type`, `action`, `let`, `component`), an `import` "
                f"or the root element, found {self.what()}"
            )
        first = self.here()
        if not self.found or self.kind != EOF:
            self.error(message, *first)
        if self.kind != EOF:
            self.advance()
        return tree.ErrorNode(start, self.prev_end)


_KEYWORDS = ("type", "action", "let", "component", "import", "export", "private", "abstract")
_FOREIGN = {
    "const": "NX has no `const`: write `let name = …`",
    "var": "NX has no `var`: write `let name = …`",
    "val": "NX has no `val`: write `let name = …`",
    "function": "NX has no `function` declarations: write `let name(a:T): R = { … }`",
    "func": "NX has no `func`: write `let name(a:T): R = { … }`",
    "fn": "NX has no `fn`: write `let name(a:T): R = { … }`",
    "def": "NX has no `def`: write `let name(a:T): R = { … }`",
    "fun": "NX has no `fun`: write `let name(a:T): R = { … }`",
    "class": "NX has no `class`: write `type Name = { field:T }`",
    "struct": "NX has no `struct`: write `type Name = { field:T }`",
    "interface": "NX has no `interface`: write `abstract type Name = { field:T }`",
    "record": "NX has no `record`: write `type Name = { field:T }`",
    "union": "NX has no `union`: write `type Name = a | b`",
    "public": "NX has no `public`: write `export`, or nothing for the own library",
    "if": "an `if` cannot stand alone: write `let name = { if … }`",
    "for": "a `for` cannot stand alone: write `let name = { for … }`",
}


def parse_piece(text: str) -> ParsedPiece:
    """Parse the exact text of one piece, its first token at offset 0.

    What is left over behind a complete declaration is reported; the node then still covers the
    whole text, so that a piece and its tree have one extent."""
    parser = Parser(text)
    node = parser.piece()
    if (
        parser.kind != EOF
        and not parser.broken
        and not parser.muted
        and parser.cut_string != parser.prev_end
        and not isinstance(node, tree.ErrorNode)
        and not _ends_reported(parser)
    ):
        _report_leftover(parser, node)
    if not parser.found and (parser.broken or parser.gave_up is not None):
        _report_unfinished(parser, len(text.rstrip(_BLANK)))
    _limit_depth(parser, node)
    node.start, node.end = 0, len(text)
    problems = sorted(parser.found.values(), key=lambda p: (p.start, p.end))
    return ParsedPiece(node, tuple(problems))


def _report_unfinished(parser: Parser, end: int) -> None:
    """Nothing broken is passed over in silence, whatever muted the report in its place."""
    parser.muted = False
    parser.error("this declaration is not finished", max(end - 1, 0), end)


def _ends_reported(parser: Parser) -> bool:
    """Whether the latest report is about the end of what was read: then what is left over belongs
    to the same mistake."""
    if not parser.found:
        return False
    return next(reversed(parser.found.values())).end >= parser.prev_end


def _report_leftover(parser: Parser, node: tree.PieceNode) -> None:
    what = _NOUNS[type(node)]
    if parser.found and parser.text in _CONTINUATIONS:
        return  # what belongs to it has been reported
    if parser.text in ("}", ")", "]"):
        message = f"this `{parser.text}` closes nothing: remove it"
    elif parser.text == ",":
        message = "no comma stands between declarations: remove it"
    else:
        message = f"expected a declaration after {what}, found {parser.what()}"
    parser.error(message, parser.start, parser.end)


_CONTINUATIONS = frozenset(["}", ")", "]", "=>", "else", "/", ":", "="])
"""What cannot begin anything, but goes on or closes something."""

_NOUNS: dict[type[tree.Node], str] = {
    tree.Import: "the import",
    tree.RecordNode: "the record",
    tree.UnionNode: "the union",
    tree.AliasNode: "the alias",
    tree.ValueNode: "the value",
    tree.FunctionNode: "the function",
    tree.ComponentNode: "the component",
    tree.RootNode: "the root element",
}


def read_piece(window: str) -> ReadPiece:
    """Read the piece at the start of ``window`` and find its end."""
    junk = junk_end(window)
    if junk:
        # Characters that begin no token stand for themselves; a declaration may follow them.
        at_end = not window[junk:].strip()
        return ReadPiece(tree.ErrorNode(0, junk), junk, True, at_end)
    parser = Parser(window)
    node = parser.piece()
    has_problems = bool(parser.found) or parser.broken
    unsure = False
    if parser.gave_up is not None:
        resume = min(parser.gave_up, parser.length)
        end, unsure = _resynchronise(window, max(resume, 1), line_start_only=True, text=True)
        has_problems = True
    elif isinstance(node, tree.ErrorNode):
        if parser.broken:
            end, unsure = _resynchronise(window, max(parser.prev_end, 1), line_start_only=False)
        else:
            end = node.end
    elif parser.broken or parser.cut_string == parser.prev_end:
        end, unsure = _resynchronise(window, max(parser.prev_end, 1), line_start_only=True)
    else:
        end = max(parser.prev_end, 1)
        leftover = parser.kind != EOF and not _may_follow(parser)
        if leftover:
            has_problems = True
            end, unsure = _resynchronise(window, end, line_start_only=False)
    if not has_problems:
        _limit_depth(parser, node)
        has_problems = bool(parser.found)
    at_end = parser.touched_end or parser.end >= parser.length or unsure
    return ReadPiece(node, end, has_problems, at_end)


def _may_follow(parser: Parser) -> bool:
    """Whether the token behind a complete piece can begin another piece.

    If not, it is left over in the piece before it, unless it stands on a line of its own."""
    if parser.text == "<":
        return True
    if parser.kind == IDENT and (
        parser.text in DECLARATION_WORDS or begins_declaration(parser.source, parser.start)
    ):
        return True
    return at_line_start(parser.source, parser.start)


_begins_root = re.compile(r"(?<=[\r\n])<[A-Za-z]").match


def _resynchronise(
    window: str, offset: int, *, line_start_only: bool, text: bool = False
) -> tuple[int, bool]:
    """The end of a broken piece: behind the last token before the next declaration, and
    whether the window ended before one was found.

    ``offset``: where reading stopped. ``text``: the region may be body text, so that a
    declaration at ``offset`` itself counts even if tokens make no sense."""
    begins = begins_declaration(window, offset) or _begins_root(window, offset)
    if text and begins and at_line_start(window, offset):
        return _end_before(window, offset), False
    cursor = Cursor.__new__(Cursor)
    _start_muted(cursor, window, offset)
    last = offset
    while cursor.kind != EOF:
        start = cursor.start
        if start > 0 and cursor.text in DECLARATION_WORDS and cursor.kind == IDENT:
            on_line = not line_start_only or at_line_start(window, start)
            if on_line and begins_declaration(window, start):
                return max(last, 1), False
        elif cursor.at_root():
            return max(last, 1), False
        if cursor.kind == STRING and "\n" in cursor.text:
            # A quote that was never closed must not hide the declarations below it.
            cursor.end = window.index("\n", cursor.start)
        last = cursor.end
        cursor.advance()
    return max(last, 1), True


def _start_muted(cursor: Cursor, window: str, offset: int) -> None:
    """Set up a cursor at ``offset`` that reports nothing."""
    Cursor.__init__(cursor, "")
    cursor.source = window
    cursor.length = len(window)
    cursor.muted = True
    cursor.jump(offset)


def _end_before(window: str, offset: int) -> int:
    """The end of the text before the declaration at ``offset``, without the whitespace there.

    Doc comments right above the declaration are left to it, unless they continue one behind
    the text (syntax 1.3)."""
    end = _trimmed(window, offset)
    line = _line_start(window, offset)
    above = line
    while above > 0:
        start = _line_start(window, above - 1)
        if not window[start:above].lstrip(_BLANK).startswith("///"):
            if above < line and "///" not in window[start:above]:
                end = _trimmed(window, above)
            break
        above = start
    return max(end, 1)


def _line_start(window: str, offset: int) -> int:
    """The start of the line with ``offset``, which may be on its line end."""
    if window[offset - 1 : offset + 1] == "\r\n":
        offset -= 1
    feed = window.rfind("\n", 0, offset)
    return max(feed, window.rfind("\r", feed + 1, offset)) + 1


def _trimmed(window: str, offset: int) -> int:
    return len(window[:offset].rstrip(_BLANK))


_BLANK = " \t\r\n\v\f"
"""White space of the language (syntax 1.1)."""


def _limit_depth(parser: Parser, root: tree.Node) -> None:
    """Cut what lies deeper than ``MAX_DEPTH`` out of the tree, and report it once.

    The parser bounds its own recursion, but one level of nesting can make several levels of
    tree, and chains such as ``a + b + c`` deepen the tree without recursion."""
    if parser.deepest * 3 + parser.links < tree.MAX_DEPTH:
        return
    stack: list[tuple[tree.Node, int]] = [(root, 1)]
    while stack:
        node, depth = stack.pop()
        if depth >= tree.MAX_DEPTH - _LEAF_LEVELS:
            _cut(parser, node)
            continue
        for child in tree.children(node):
            stack.append((child, depth + 1))


_LEAF_LEVELS = 8
"""Room for the small parts below a node: a property's name, its type's name, and the like."""

_TYPES = (
    tree.NamedType,
    tree.AppliedType,
    tree.FunctionTypeNode,
    tree.ParenthesizedType,
    tree.SuffixedType,
    tree.ConstrainedType,
)
_EXPRESSIONS = (
    tree.Unary,
    tree.Binary,
    tree.Call,
    tree.Member,
    tree.PresenceTest,
    tree.Parenthesized,
    tree.Braced,
    tree.If,
    tree.Match,
    tree.ConditionList,
    tree.For,
    tree.Element,
)


def _cut(parser: Parser, node: tree.Node) -> None:
    """Replace the composite children of ``node`` by missing ones."""
    for field in node.child_fields:
        value = getattr(node, field)
        children = value if isinstance(value, list) else [value]
        for index, child in enumerate(children):
            replacement: tree.Node | None = None
            if isinstance(child, _TYPES) and not isinstance(child, tree.NamedType):
                replacement = tree.MissingType(child.start, child.end)
            elif isinstance(child, _EXPRESSIONS):
                replacement = tree.MissingExpression(child.start, child.end)
            if replacement is None:
                continue
            if not parser.found:
                parser.muted = False
                parser.error(
                    f"nested too deeply: at most {tree.MAX_DEPTH} levels are read; "
                    "move an inner part to a declaration of its own",
                    child.start,
                    child.end,
                )
            if isinstance(value, list):
                value[index] = replacement
            else:
                setattr(node, field, replacement)
