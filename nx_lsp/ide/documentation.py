"""Documentation of authors, made safe to show and cut to size (editor-experience 4.2, 4.3).

A CommonMark parser decides what is code, markup, a link; the text itself is changed in as few
places as it takes: a back slash in front of what must not act.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableSequence, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from nx_lsp.ide.rendering import Block, Documentation, fence, note, with_role

MAX_DOCUMENTATION = 8_000
"""Characters of documentation that are looked at; no hover shows more."""

FULL_LINES = 30
"""Documentation over this many lines is the first to be cut."""

MORE = "More in the panel"

_SIZES = ((3, 300), (10, 1000), (FULL_LINES, 3000))
"""Lines and characters of the shorter forms of a documentation, shortest first."""

AllowLink = Callable[[str], bool]


def only_https(target: str) -> bool:
    """The links that documentation may hold without further checks."""
    return target[:6].lower() == "https:"


def safe_markdown(text: str, allow: AllowLink = only_https) -> str:
    """``text`` with open fences closed, raw HTML and images as text, and only links that are
    ``https:`` or that ``allow`` lets pass."""
    safe = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    for _ in range(safe.count("<") + safe.count("[") + 1):
        lines = safe.split("\n")
        tokens = _PARSER.parse(safe)
        places = sorted({place for token in tokens for place in _unsafe(token, lines, allow)})
        if not places:
            return _close_fence(safe, tokens)
        if places[0] < 0:
            break
        for place in reversed(places):
            safe = f"{safe[:place]}\\{safe[place:]}"
    return fence(text, "text")


def documentation_blocks(
    text: str, plain: str | None = None, allow: AllowLink = only_https
) -> list[Block]:
    """The block of a doc comment, with the shorter forms a crowded hover falls back to.

    ``text`` is its Markdown, ``plain`` the same for clients without Markdown."""
    markdown, words = text[:MAX_DOCUMENTATION], (text if plain is None else plain)
    smaller: tuple[Block, ...] = (note(MORE),)
    for lines, characters in _SIZES:
        cut = cut_documentation(markdown, lines, characters)
        if cut != text:
            short = cut_documentation(words[:MAX_DOCUMENTATION], lines, characters)
            block = Documentation(markdown=safe_markdown(cut, allow), plain=short)
            # The note of the smaller form is not needed twice.
            inner = smaller[:-1] or (Documentation(),)
            smaller = (with_role(block, "documentation", *inner), note(MORE))
    if len(text) > MAX_DOCUMENTATION:
        return list(smaller)
    whole = Documentation(markdown=safe_markdown(text, allow), plain=words)
    return [with_role(whole, "documentation", *smaller)]


def cut_documentation(text: str, max_lines: int, max_characters: int) -> str:
    """``text`` cut after the last whole block that keeps the limits; a first block that is too
    long by itself is cut at a line, or at a word."""
    lines = text.split("\n")
    if len(lines) <= max_lines and len(text) <= max_characters:
        return text
    end = 0
    for token in _PARSER.parse(text):
        if token.level == 0 and token.map and token.nesting >= 0:
            candidate = "\n".join(lines[: token.map[1]]).rstrip()
            if token.map[1] <= max_lines + 1 and len(candidate) <= max_characters:
                end = max(end, token.map[1])
    if end:
        cut = "\n".join(lines[:end]).rstrip()
        if cut.count("\n") < max_lines:
            return cut
    cut = "\n".join(lines[:max_lines])
    if len(cut) > max_characters:
        cut = cut[:max_characters].rsplit(" ", 1)[0] + "…"
    return cut


# ---------------------------------------------------------------- what must not act


def _unsafe(token: Token, lines: Sequence[str], allow: AllowLink) -> Iterator[int]:
    """Offsets in the text where a back slash takes away the meaning of what stands there; -1
    where the place cannot be told."""
    if token.type == "html_block" and token.map:
        start, end = token.map
        first = next((n for n in range(start, end) if "<" in lines[n]), None)
        yield -1 if first is None else _offset(lines, first, lines[first].index("<"))
    for child in token.children or ():
        target = str(child.attrs.get("href", ""))
        if child.type in ("html_inline", "image") or (
            child.type == "link_open" and not only_https(target) and not allow(target)
        ):
            yield _source_offset(token, child.meta.get("start", -1), lines)


def _offset(lines: Sequence[str], number: int, column: int) -> int:
    return sum(len(one) + 1 for one in lines[:number]) + column


def _source_offset(token: Token, at: int, lines: Sequence[str]) -> int:
    """The place in the text of ``at``, an offset in the content of an inline token."""
    if at < 0 or not token.map:
        return -1
    number = token.content.count("\n", 0, at)
    column = at - (token.content.rfind("\n", 0, at) + 1)
    content = token.content.split("\n")[number]
    source = lines[token.map[0] + number] if token.map[0] + number < len(lines) else ""
    found = source.rfind(content)
    return -1 if found < 0 else _offset(lines, token.map[0] + number, found + column)


def _close_fence(text: str, tokens: Sequence[Token]) -> str:
    """``text`` with a fence that was left open at its end closed."""
    last = tokens[-1] if tokens else None
    if last is None or last.type != "fence" or not last.map:
        return text
    lines = text.split("\n")
    closing = lines[last.map[1] - 1].strip() if last.map[1] - last.map[0] > 1 else ""
    if closing.startswith(last.markup) and not closing.strip(last.markup[0]):
        return text
    return f"{text}\n{last.markup}"


def _remembering_start(
    rule: Callable[[StateInline, bool], bool], opens: str
) -> Callable[[StateInline, bool], bool]:
    """``rule``, noting on the token it makes where in the content it started."""

    def noting(state: StateInline, silent: bool) -> bool:
        start, count = state.pos, len(state.tokens)
        matched = rule(state, silent)
        if matched and not silent:
            token = next((one for one in state.tokens[count:] if one.type == opens), None)
            if token is not None:
                token.meta["start"] = start
        return matched

    return noting


def _make_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark")
    rules: MutableSequence[Any] = parser.inline.ruler.__rules__
    opens = {
        "html_inline": "html_inline",
        "image": "image",
        "link": "link_open",
        "autolink": "link_open",
    }
    for rule in list(rules):
        if rule.name in opens:
            parser.inline.ruler.at(rule.name, _remembering_start(rule.fn, opens[rule.name]))
    # Every link counts as one here, so that none slips past the check above.
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    return parser


_PARSER = _make_parser()
