"""What the parts of a hover share: the program, the options, and how to link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from nx_lsp.ide.documentation import documentation_block
from nx_lsp.ide.options import IdeOptions
from nx_lsp.ide.rendering import (
    Block,
    Code,
    Fence,
    Group,
    Inline,
    Link,
    Role,
    heading,
    note,
    with_role,
)
from nx_lsp.ide.shortening import counted, shorten_schema
from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId, Place
from nx_lsp.schema.answers import Schema
from nx_lsp.schema.keys import declared_name


class Links(Protocol):
    """How a hover links; the server knows addresses, this layer does not."""

    def to_place(self, place: Place) -> str | None:
        """An address for a place in a file of the workspace; ``None`` for any other."""

    def to_command(self, command: str, function: DeclarationId) -> str | None:
        """An address that runs one of our commands; ``None`` if the client runs none."""


class NoLinks:
    """For clients that follow no links."""

    def to_place(self, place: Place) -> str | None:
        """Nowhere."""
        return None

    def to_command(self, command: str, function: DeclarationId) -> str | None:
        """Nothing."""
        return None


NO_LINKS = NoLinks()


@dataclass(frozen=True, slots=True)
class HoverContext:
    """One hover in the making."""

    db: ProgramDatabase
    options: IdeOptions
    links: Links = NO_LINKS

    def linked(self, text: str, place: Place) -> Inline:
        """A name that leads to a place, if it can be reached by a link."""
        address = self.links.to_place(place)
        return Code(text) if address is None else Link(Code(text), address)

    def named(self, id: DeclarationId) -> Inline:
        """A declaration's name, leading to it."""
        return self.linked(declared_name(id), queries.name_place(self.db, id))

    def is_allowed_link(self, target: str) -> bool:
        """Whether documentation may link to ``target`` beside ``https:`` addresses."""
        return False

    def documentation(self, text: str | None) -> list[Block]:
        """The block of a documentation text; nothing for an empty one."""
        if text is None or not text.strip():
            return []
        return [documentation_block(text, self.is_allowed_link)]

    def limited(self, text: str, noun: str = "member") -> Fence:
        """Declaration text of one member a line, cut to the number of members to show."""
        lines = text.split("\n")
        most = self.options.hover_max_members
        closes = len(lines) > 1 and not lines[-1].startswith(" ")
        inside = lines[1:-1] if closes else lines[1:]
        if len(inside) > most:
            more = f"  // {counted(len(inside) - most, f'more {noun}')}"
            lines = [lines[0], *inside[:most], more, *(lines[-1:] if closes else [])]
        return Fence(text="\n".join(lines))

    def list_of_names(self, ids: Sequence[DeclarationId]) -> list[Inline]:
        """Names in a row, each leading to its declaration; cut to the number to show."""
        return self.row([self.named(id) for id in ids])

    def row(self, parts: Sequence[Inline]) -> list[Inline]:
        """Parts with commas between them, cut to the number to show."""
        most = self.options.hover_max_members
        written: list[Inline] = []
        for number, part in enumerate(parts[:most]):
            written += [", ", part] if number else [part]
        if len(parts) > most:
            written.append(f" and {len(parts) - most} more")
        return written


def schema_block(
    context: HoverContext, title: Literal["Input", "Output"], document: Schema | None
) -> list[Block]:
    """A heading and the schema below it, with what was shortened. When the hover is too long,
    one line takes the place of the schema."""
    title_block = heading(f"{title} schema")
    if document is None:
        missing = note(f"No {title.lower()} schema: see problems above.")
        return [title_block, missing]
    shown = Group(blocks=tuple(short_schema(context, document)))
    role: Role = "input" if title == "Input" else "output"
    return [title_block, with_role(shown, role, in_one_line(title, document))]


def short_schema(
    context: HoverContext, document: Schema, lines: int | None = None, characters: int | None = None
) -> list[Block]:
    """A schema within the limits of the options, and below it what was shortened."""
    options = context.options
    short = shorten_schema(
        document,
        lines or options.hover_max_schema_lines,
        characters or options.hover_max_schema_characters,
    )
    blocks: list[Block] = [Fence(text=short.text, language="json")]
    if short.notice is not None:
        blocks.append(note(short.notice))
    return blocks


def in_one_line(title: str, document: Schema) -> Block:
    """``Output: array of `Plan```: what a schema says in a few words."""
    return note(f"{title}: ", *_words(document))


def _words(schema: Schema) -> list[Inline]:
    if "$ref" in schema:
        return [Code(str(schema["$ref"]).removeprefix("#/$defs/"))]
    if "anyOf" in schema:
        choices = schema["anyOf"]
        if len(choices) == 2 and choices[1] == {"type": "null"}:
            return [*_words(choices[0]), " or null"]
        return [f"one of {counted(len(choices), 'choice')}"]
    if "enum" in schema:
        return [f"one of {counted(len(schema['enum']), 'value')}"]
    if schema.get("type") == "array" and "items" in schema:
        return ["array of ", *_words(schema["items"])]
    if "properties" in schema:
        return [f"object with {counted(len(schema['properties']), 'property')}"]
    if "not" in schema:
        return ["any value"]
    return [str(schema.get("type", "any value"))]
