"""Doc comments: finding them and attaching them to what they document (nx-syntax 1.3).

A doc comment is a line comment of exactly three slashes. To the parser it is trivia; here it
is attached by **lines and columns alone**, never by the node around it. ``attach`` holds the
rules; the rest finds its input; `file_documentation` asks for a whole
file. Strings and element text may contain ``///`` that is no
comment, so the comments of a piece are sought around the literals of its tree.

Offsets are code points from the start of whatever text a function is given.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nx_lsp.syntax import tree
from nx_lsp.syntax.problems import Problem, RelatedSpan
from nx_lsp.syntax.text import LineIndex

Range = tuple[int, int]
"""Half-open code point offsets."""

DANGLING = "dangling-doc-comment"
AMBIGUOUS = "ambiguous-trailing-doc-comment"
MISALIGNED = "misaligned-doc-comment-continuation"
DUPLICATE = "duplicate-doc-comment"


@dataclass(frozen=True, slots=True)
class DocComment:
    """What an author wrote about one item: CommonMark, lines joined by LF.

    ``start`` and ``end`` enclose all its ``///`` lines. ``line_starts`` gives for each line of
    ``text`` the offset of its first character in the source, so that a place in the text (a
    doc link) can be found again. In ``documentation`` the offsets are relative to the piece;
    those of a block above it are negative."""

    text: str
    start: int
    end: int
    line_starts: tuple[int, ...]

    def source_offset(self, offset: int) -> int:
        """The place in the source of ``offset`` in ``text``."""
        line = self.text.count("\n", 0, offset)
        return self.line_starts[line] + offset - (self.text.rfind("\n", 0, offset) + 1)

    def moved(self, distance: int) -> DocComment:
        """The same comment with ``distance`` added to its offsets."""
        lines = tuple(at + distance for at in self.line_starts)
        return DocComment(self.text, self.start + distance, self.end + distance, lines)


@dataclass(slots=True)
class Attachments:
    """The outcome of ``attach``: doc comments by the index of their item, and problems."""

    comments: dict[int, DocComment] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


# ---------------------------------------------------------------- finding comments and items

# Where no literal of the tree stands, these are comments. Strings are passed over as well:
# in a broken piece some are part of no node.
_COMMENT = re.compile(
    r"""//[^\r\n]*|/\*.*?(?:\*/|\Z)|<!--.*?(?:-->|\Z)|"(?:[^"\\]|\\.)*"?""", re.DOTALL
)
BLANK = " \t\v\f\r\n"
"""White space of the language (nx-syntax 1.1)."""

_BYTE_ORDER_MARK = "\ufeff"
"""Skipped at the start of a file (nx-syntax 1.1), where no other text can hold it."""

_VERBATIM = (tree.StringLiteral, tree.TextRun, tree.Entity, tree.Escape)
"""The nodes whose text may look like a comment and is none."""


def comments_between(text: str, start: int, end: int) -> Iterator[Range]:
    """The doc comments from ``start`` to ``end``, where no literal and no body text stands."""
    for match in _COMMENT.finditer(text, start, end):
        at, stop = match.span()
        if text.startswith("///", at, end) and not text.startswith("////", at, end):
            yield at, stop


def comments_of_piece(node: tree.Node, text: str) -> list[Range]:
    """The doc comments inside a piece, relative to it; ``text`` is its source."""
    if "///" not in text:
        return []
    found: list[Range] = []
    at = 0
    for literal in tree.walk(node):
        if isinstance(literal, _VERBATIM):
            found.extend(comments_between(text, at, literal.start))
            at = max(at, literal.end)
    found.extend(comments_between(text, at, len(text)))
    return found


def documentable(node: tree.Node) -> list[tree.Node]:
    """The nodes of a piece that a doc comment can document, in source order.

    A declaration, its members, cases and emitted actions; no type parameter, nothing in a
    function type, no expression; nothing at all for an import or a root element."""
    members = _MEMBERS.get(type(node))
    return [] if members is None else [node, *members(node)]


def _properties(definitions: Iterable[tree.PropertyDefinition] | None) -> Iterator[tree.Node]:
    return (each for each in definitions or () if not each.is_type_parameter)


def _case_members(node: tree.UnionNode) -> Iterator[tree.Node]:
    for case in node.cases:
        yield case
        yield from _properties(case.fields)


def _component_members(node: tree.ComponentNode) -> Iterator[tree.Node]:
    yield from _properties(node.properties)
    for entry in node.emits:
        yield entry
        if isinstance(entry, tree.EmitDefinition):
            yield from _properties(entry.fields)
    if node.body is not None:
        yield from _properties(node.body.state)


_MEMBERS: dict[type[tree.Node], Callable[[Any], Iterable[tree.Node]]] = {
    tree.RecordNode: lambda node: _properties(node.fields),
    tree.UnionNode: _case_members,
    tree.AliasNode: lambda node: (),
    tree.ValueNode: lambda node: (),
    tree.FunctionNode: lambda node: _properties(node.parameters),
    tree.ComponentNode: _component_members,
}


# ---------------------------------------------------------------- attaching


def attach(text: str, comments: Sequence[Range], items: Sequence[Range]) -> Attachments:
    """Attach doc comments to items by the rules of nx-syntax 1.3.

    ``comments`` are the doc comments of ``text`` in source order, ``items`` the ranges of
    what can be documented, in any order. Problems are given whether or not the file has
    syntax errors; the caller drops those that are ``DANGLING`` if it has."""
    return _Attacher(text, comments, items).run() if comments else Attachments()


@dataclass(slots=True)
class _Comment:
    """One ``///`` line: its range, its line and its column."""

    start: int
    end: int
    line: int
    column: int


class _Attacher:
    """The state of one ``attach``: comments sorted into blocks and trailing comments."""

    def __init__(self, text: str, comments: Sequence[Range], items: Sequence[Range]) -> None:
        self.text = text
        self.index = LineIndex(text)
        self.items = items
        self.result = Attachments()
        self.blocks: list[list[_Comment]] = []
        self.trailing: dict[int, list[_Comment]] = {}
        """By line, each with the comments that continue it."""
        for start, end in comments:
            line, column = self.index.line_column(start)
            if line == 0 and text.startswith(_BYTE_ORDER_MARK):
                column -= 1
            comment = _Comment(start, end, line, column)
            if self.text[start - column : start].strip(BLANK):
                self.trailing[line] = [comment]
            elif self.blocks and self.blocks[-1][-1].line == line - 1:
                self.blocks[-1].append(comment)
            else:
                self.blocks.append([comment])

    def run(self) -> Attachments:
        outermost_at = self._items_by_start()
        for block in self.blocks:
            owner = self.trailing.get(block[0].line - 1)
            if owner is not None:
                self._continue(owner, block)
            else:
                self._lead(block, outermost_at)
        on_line = self._items_by_line() if self.trailing else {}
        for line, comments in sorted(self.trailing.items()):
            self._trail(comments, on_line.get(line, []))
        self.result.problems.sort(key=lambda problem: problem.start)
        return self.result

    def _items_by_start(self) -> dict[int, int]:
        """The longest item that starts at an offset."""
        found: dict[int, int] = {}
        for number, (start, end) in enumerate(self.items):
            if start not in found or end > self.items[found[start]][1]:
                found[start] = number
        return found

    def _items_by_line(self) -> dict[int, list[int]]:
        """For lines with a trailing comment: the items wholly on it, none inside another."""
        on_line: dict[int, list[int]] = {}
        # Longest first at one start, so that an item comes before those it contains.
        order = sorted(range(len(self.items)), key=lambda n: (self.items[n][0], -self.items[n][1]))
        for number in order:
            start, end = self.items[number]
            line = self.index.line_of(start)
            if line not in self.trailing or self.index.line_of(max(end - 1, start)) != line:
                continue
            outer = on_line.setdefault(line, [])
            if not outer or self.items[outer[-1]][1] < end:
                outer.append(number)
        return on_line

    def _continue(self, owner: list[_Comment], block: list[_Comment]) -> None:
        """Rule 1: a block right below a trailing comment belongs to it as far as it lines up."""
        column = owner[0].column
        for number, comment in enumerate(block):
            if comment.column != column:
                self._report(
                    MISALIGNED,
                    "This doc comment continues the one above it but does not line up with it, "
                    "so it documents nothing",
                    (comment.start, block[-1].end),
                    f"Start the `///` in column {column + 1}, or leave a blank line above it.",
                    RelatedSpan(owner[0].start, owner[0].end, "the comment it would continue"),
                )
                return
            owner.append(block[number])

    def _lead(self, block: list[_Comment], outermost_at: Mapping[int, int]) -> None:
        """Rule 2: a block documents the item that the very next line starts with."""
        below = block[-1].line + 1
        reason = "the file ends here"
        if below < self.index.line_count:
            start, end = self.index.line_range(below)
            line = self.text[start:end]
            blank = len(line) - len(line.lstrip(BLANK))
            item = outermost_at.get(start + blank)
            if item is not None:
                self.result.comments[item] = self._document(block)
                return
            if line.strip(BLANK):
                reason = "the next line does not start with anything that can be documented"
            elif below + 1 < self.index.line_count:
                reason = "the next line is blank"
        self._report(
            DANGLING,
            f"This doc comment documents nothing: {reason}",
            (block[0].start, block[-1].end),
            "Put it on the line above a declaration, field, case or parameter, "
            "or write it with `//`.",
        )

    def _trail(self, comments: list[_Comment], items: list[int]) -> None:
        """Rule 3: a trailing comment documents the one outermost item wholly on its line."""
        span = (comments[0].start, comments[0].end)
        if not items:
            self._report(
                DANGLING,
                "This doc comment documents nothing: nothing that can be documented "
                "starts and ends on its line",
                span,
                "Put it on the line above what it documents, or write it with `//`.",
            )
        elif len(items) > 1:
            self._report(
                AMBIGUOUS,
                f"This doc comment could document any of the {len(items)} items on its line",
                span,
                "Give each its own line, or put the comment on the line above one of them.",
            )
        elif items[0] in self.result.comments:
            above = self.result.comments[items[0]]
            self._report(
                DUPLICATE,
                "What stands on this line is already documented by the comment above it",
                span,
                "Keep one of the two, or write one with `//`.",
                RelatedSpan(above.start, above.end, "the comment above it"),
            )
        else:
            self.result.comments[items[0]] = self._document(comments)

    def _document(self, comments: list[_Comment]) -> DocComment:
        lines: list[str] = []
        starts: list[int] = []
        for comment in comments:
            start = comment.start + len("///")
            start += self.text.startswith(" ", start, comment.end)
            starts.append(start)
            lines.append(self.text[start : comment.end])
        return DocComment("\n".join(lines), comments[0].start, comments[-1].end, tuple(starts))

    def _report(
        self, code: str, message: str, span: Range, advice: str, *related: RelatedSpan
    ) -> None:
        problem = Problem(code, message, *span, help=advice, related=related)
        self.result.problems.append(problem)
