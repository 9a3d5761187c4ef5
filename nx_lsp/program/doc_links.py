"""Doc links in CommonMark text (semantics 2.9).

A doc link is a shortcut reference ``[a.b]`` or ``[`a.b`]`` without a matching reference definition,
not in code, not followed by ``(`` or ``[``. A CommonMark parser decides what is code, a link or a
definition; nothing here knows a program.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.common.utils import normalizeReference
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

_NAME = r"[A-Za-z_][A-Za-z0-9_-]*"
_DOC_LINK = re.compile(rf"\[(?P<tick>`?)(?P<target>{_NAME}(?:\.{_NAME})*)(?P=tick)\](?![(\[])")
_TOKEN = "nx_doc_link"


@dataclass(frozen=True, slots=True)
class DocLink:
    """One doc link. ``start``/``end``: code points of the text it was found in, brackets
    included."""

    start: int
    end: int
    label: str
    """What stands between the brackets, without code marks."""
    target: str
    """The (dotted) name it points to."""


def find_doc_links(text: str) -> tuple[DocLink, ...]:
    """The doc links of a documentation text, in order. Total on any text."""
    if "[" not in text:
        return ()
    text = text.replace("\0", "\ufffd")  # as the parser does
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    found: list[DocLink] = []
    for block in _PARSER.parse(text):
        if block.type != "inline" or block.map is None or not block.children:
            continue
        links = [token for token in block.children if token.type == _TOKEN]
        if links:
            origins = _line_origins(block, lines, starts)
            found += [link for token in links for link in _located(token, origins)]
    return tuple(sorted(found, key=lambda link: link.start))


def _located(token: Token, origins: list[tuple[int, int]]) -> list[DocLink]:
    """The link of a token, its offset in the block's content turned into one in the text."""
    at: int = token.meta["at"]
    length: int = token.meta["length"]
    for content_start, text_start in reversed(origins):
        if content_start <= at:
            start = text_start + at - content_start
            return [DocLink(start, start + length, token.content, token.content)]
    return []


def _line_origins(block: Token, lines: list[str], starts: list[int]) -> list[tuple[int, int]]:
    """For each line of a block's content: its offset there and in the text.

    The parser takes markers and indentation off the front of a line (and closing marks off the
    end), so a content line is looked for in its source line from the right. Its own indentation
    is left aside: spaces may stand there for a part of a tab."""
    assert block.map is not None
    origins: list[tuple[int, int]] = []
    number, content_start = block.map[0], 0
    for line in block.content.split("\n"):
        written = line.lstrip(" \t")
        while number < len(lines) and written not in lines[number]:
            number += 1
        if number >= len(lines):
            break
        indented = len(line) - len(written)
        origins.append((content_start + indented, starts[number] + lines[number].rfind(written)))
        content_start += len(line) + 1
        number += 1
    return origins


def _doc_link_rule(state: StateInline, silent: bool) -> bool:
    """Inline rule of the parser, tried where a ``[`` stands that begins no code."""
    # Silent calls only skip over text while the parser looks for the end of a link's own label:
    # brackets in it must stay brackets.
    if silent or state.src[state.pos] != "[" or state.linkLevel > 0:
        return False
    match = _DOC_LINK.match(state.src, state.pos, state.posMax)
    if match is None or _belongs_to_what_precedes(state.src, state.pos):
        return False
    label = match[0][1:-1]
    if normalizeReference(label) in state.env.get("references", {}):
        return False
    token = state.push(_TOKEN, "", 0)
    token.content = match["target"]
    token.meta = {"at": state.pos, "length": len(match[0])}
    state.pos = match.end()
    return True


def _belongs_to_what_precedes(text: str, bracket: int) -> bool:
    """Whether the brackets at ``bracket`` are the second part of ``[text][label]``, or those of
    an image ``![label]``: neither is a shortcut reference to a link."""
    before = bracket - 1
    if before < 0 or text[before] not in "!]" or _is_escaped(text, before):
        return False
    if text[before] == "!":
        return True
    depth = 1
    while before > 0 and depth:
        before -= 1
        if text[before] in "[]" and not _is_escaped(text, before):
            depth += 1 if text[before] == "]" else -1
    return depth == 0


def _is_escaped(text: str, offset: int) -> bool:
    return (offset - len(text[:offset].rstrip("\\"))) % 2 == 1


def _make_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark")
    parser.inline.ruler.before("link", _TOKEN, _doc_link_rule)
    return parser


_PARSER = _make_parser()
