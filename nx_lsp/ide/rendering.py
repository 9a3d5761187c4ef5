"""Hover text from blocks, as Markdown and as plain text (editor-experience 4.2, 4.3).

Features build blocks; this module alone writes Markdown. Nothing that an author or a message
brings in can open a fence, a tag, an image or a link that was not meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Union

# ---------------------------------------------------------------- inline parts


@dataclass(frozen=True, slots=True)
class Code:
    """A name or other source text, in a code span."""

    text: str


@dataclass(frozen=True, slots=True)
class Strong:
    """Words in bold."""

    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """``text`` that leads to ``target``; plain text shows ``text`` only, or nothing where
    ``markdown_only``."""

    text: str | Code
    target: str
    markdown_only: bool = False


Inline = Union[str, Code, Strong, Link]
"""A ``str`` is text of ours or of a message; it is escaped."""

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&])")
_SPAN = re.compile(r"(`[^`]+`)")


def message_parts(message: str) -> tuple[Inline, ...]:
    """A message of ours: names in single back quotes become code spans, the rest is text."""
    return tuple(
        Code(part[1:-1]) if _SPAN.fullmatch(part) else part for part in _SPAN.split(message) if part
    )


def escape(text: str) -> str:
    """``text`` such that Markdown shows its very characters."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split("\n")))


def code_span(text: str) -> str:
    """A code span that holds ``text`` whatever back quotes are in it."""
    flat = " ".join(text.splitlines()) or " "
    ticks = "`" * (_longest_run(flat) + 1)
    padding = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{ticks}{padding}{flat}{padding}{ticks}"


def fence(text: str, language: str) -> str:
    """A code block, its fence one back quote longer than any run inside (at least three)."""
    ticks = "`" * max(3, _longest_run(text) + 1)
    return f"{ticks}{language}\n{text}\n{ticks}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall(r"`+", text)), default=0)


def _inline_markdown(parts: Iterable[Inline]) -> str:
    written = []
    for part in parts:
        match part:
            case str():
                written.append(escape(part))
            case Code(text):
                written.append(code_span(text))
            case Strong(text):
                written.append(f"**{escape(text)}**")
            case Link(text, target):
                written.append(f"[{_inline_markdown([text])}]({destination(target)})")
    return "".join(written)


def destination(target: str) -> str:
    """An address as the destination of a Markdown link."""
    return re.sub(r"[\s()<>\\]", lambda found: f"%{ord(found[0]):02X}", target)


def _inline_plain(parts: Iterable[Inline]) -> str:
    written = []
    for part in parts:
        match part:
            case str():
                written.append(part)
            case Code(text) | Strong(text):
                written.append(text)
            case Link(text, markdown_only=False):
                written.append(_inline_plain([text]))
            case Link():
                pass
    return "".join(written)


# ---------------------------------------------------------------- blocks


Role = Literal["signature", "documentation", "input", "output"]


@dataclass(frozen=True, slots=True)
class Block:
    """Base of blocks. ``role`` names those that may be shortened to keep a hover within its
    limits; ``shorter`` is what then takes this block's place."""

    role: Role | None = None
    shorter: tuple[Block, ...] | None = None


@dataclass(frozen=True, slots=True)
class Paragraph(Block):
    """One line of inline parts. ``emphasis``: in italics; ``heading``: above a block."""

    parts: tuple[Inline, ...] = ()
    emphasis: bool = False
    heading: bool = False


@dataclass(frozen=True, slots=True)
class Bullets(Block):
    """A list, one tuple of parts an item."""

    items: tuple[tuple[Inline, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Fence(Block):
    """A code block."""

    text: str = ""
    language: str = "nx"


@dataclass(frozen=True, slots=True)
class Documentation(Block):
    """Text of an author: safe Markdown (``documentation.safe_markdown``), and as plain text."""

    markdown: str = ""
    plain: str = ""


@dataclass(frozen=True, slots=True)
class Group(Block):
    """Blocks that are shortened together."""

    blocks: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule(Block):
    """The line that sets the schemas apart."""


def heading(text: str) -> Paragraph:
    """A bold line above a block; capitals in plain text."""
    return Paragraph(parts=(Strong(text),), heading=True)


def line(*parts: Inline) -> Paragraph:
    """A line of text."""
    return Paragraph(parts=parts)


def note(*parts: Inline) -> Paragraph:
    """A line in italics."""
    return Paragraph(parts=parts, emphasis=True)


def to_markdown(blocks: Sequence[Block]) -> str:
    """The blocks as Markdown, without a final newline."""
    written = ""
    before: Block | None = None
    for block in _flat(blocks):
        text = _block_markdown(block)
        if not text:
            continue
        if before is not None:
            written += "\n" if _touch(before, block) else "\n\n"
        written += text
        before = block
    return written


def to_plain_text(blocks: Sequence[Block]) -> str:
    """The same for clients without Markdown: headings in capitals, JSON indented by two, no
    links."""
    written = ""
    before: Block | None = None
    for block in _flat(blocks):
        text = _block_plain(block)
        if not text.strip():
            continue
        if before is not None:
            tight = isinstance(before, Paragraph) and before.heading
            written += "\n" if tight else "\n\n"
        written += text
        before = block
    return written


def _flat(blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        if isinstance(block, Group):
            yield from _flat(block.blocks)
        else:
            yield block


def _touch(before: Block, after: Block) -> bool:
    """Whether two blocks may follow each other without a blank line between them."""
    if isinstance(before, Documentation) or isinstance(after, (Documentation, Rule)):
        return False
    if isinstance(before, (Fence, Rule)):
        return True
    return isinstance(after, Fence) or (isinstance(before, Paragraph) and before.heading)


def _block_markdown(block: Block) -> str:
    match block:
        case Fence(text=text, language=language):
            return fence(text, language)
        case Documentation(markdown=markdown):
            return markdown
        case Rule():
            return "---"
        case Bullets(items=items):
            return "\n".join("- " + _inline_markdown(item) for item in items)
        case Paragraph(parts=parts, emphasis=emphasis):
            text = _inline_markdown(parts)
            return f"*{text}*" if emphasis and text else text
        case _:
            return ""


def _block_plain(block: Block) -> str:
    match block:
        case Fence(text=text, language="json"):
            return "\n".join("  " + one for one in text.split("\n"))
        case Fence(text=text):
            return text
        case Documentation(plain=plain):
            return plain
        case Bullets(items=items):
            return "\n".join("- " + _inline_plain(item).rstrip() for item in items)
        case Paragraph(parts=parts, heading=is_heading):
            text = _inline_plain(parts).strip(" ·")
            return text.upper() if is_heading else text
        case _:
            return ""


# ---------------------------------------------------------------- limits


_SHORTENED_IN_TURN: tuple[Role, ...] = ("documentation", "output", "input", "signature")


def fit(blocks: Sequence[Block], max_lines: int, max_characters: int) -> list[Block]:
    """``blocks`` shortened until they keep the limits of a hover: documentation first, then the
    output schema, the input schema, the signature. Other blocks are never cut."""
    fitted = list(blocks)
    for role in _SHORTENED_IN_TURN:
        while not _fits(fitted, max_lines, max_characters):
            at = next(
                (n for n, b in enumerate(fitted) if b.role == role and b.shorter is not None), None
            )
            if at is None:
                break
            fitted[at : at + 1] = fitted[at].shorter or ()
    return fitted


def _fits(blocks: Sequence[Block], max_lines: int, max_characters: int) -> bool:
    text = to_markdown(blocks)
    return text.count("\n") < max_lines and len(text) <= max_characters


def with_role(block: Block, role: Role, *shorter: Block) -> Block:
    """``block`` in ``role``; with ``shorter`` blocks to take its place when space is short."""
    return replace(block, role=role, shorter=shorter or None)
