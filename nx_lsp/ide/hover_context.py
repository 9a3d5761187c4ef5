"""What the parts of a hover share: the program, the options, and how to link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from markdown_it.common.normalize_url import normalizeLink

from nx_lsp.ide.documentation import documentation_blocks
from nx_lsp.ide.options import IdeOptions
from nx_lsp.ide.rendering import (
    Block,
    Code,
    Fence,
    Group,
    Inline,
    Link,
    Role,
    destination,
    heading,
    note,
    with_role,
)
from nx_lsp.ide.shortening import counted, shorten_schema
from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId, Member, Place, UnionDeclaration
from nx_lsp.program.doc_link_rules import CaseTarget, LinkTarget, doc_link_target
from nx_lsp.program.doc_links import find_doc_links
from nx_lsp.schema.answers import Schema
from nx_lsp.schema.descriptions import with_code_spans
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

    def language(self, *blocks: Block) -> list[Block]:
        """Parts that any server of the language shows: nothing beside another one."""
        return [] if self.options.schema_only else list(blocks)

    def documentation(self, text: str | None, *about: LinkTarget) -> list[Block]:
        """The block of a doc comment; nothing for an empty one, and beside another server.

        ``about`` is what its doc links may name members of, innermost first; without it they
        become code spans."""
        if text is None or not text.strip() or self.options.schema_only:
            return []
        plain = with_code_spans(text)
        linked, addresses = self._with_links(text, about)

        def allow(target: str) -> bool:
            return target in addresses

        return documentation_blocks(linked, plain, allow)

    def _with_links(self, text: str, about: tuple[LinkTarget, ...]) -> tuple[str, set[str]]:
        """``text`` with each doc link as a link or a code span, and the addresses it links to."""
        parts: list[str] = []
        addresses: set[str] = set()
        end = 0
        for link in find_doc_links(text):
            found = self._address(link.target, about)
            spelled = f"`{link.label}`"
            if found is not None:
                address = destination(found)
                addresses |= {address, normalizeLink(address)}
                spelled = f"[{spelled}]({address})"
            parts += [text[end : link.start], spelled]
            end = link.end
        return "".join([*parts, text[end:]]), addresses

    def _address(self, name: str, about: tuple[LinkTarget, ...]) -> str | None:
        if not about:
            return None
        module = _module_of(about[-1])
        target = doc_link_target(self.db, about, module, name)
        return None if target is None else self.links.to_place(_place_of(self.db, target))

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


def _module_of(target: LinkTarget) -> str:
    match target:
        case Member(owner=owner):
            return owner.module
        case CaseTarget(union=union):
            return union.module
        case id:
            return id.module


def _place_of(db: ProgramDatabase, target: LinkTarget) -> Place:
    match target:
        case Member():
            return queries.place(db, target.owner, target.node.name)
        case CaseTarget(union=union, case=case):
            found = queries.declaration(db, union)
            for each in found.cases if isinstance(found, UnionDeclaration) else ():
                if each.name == case:
                    return queries.place(db, union, each.node.name)
            return queries.name_place(db, union)
        case id:
            return queries.name_place(db, id)


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
