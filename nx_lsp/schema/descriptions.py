"""Documentation as descriptions (schema-contract 10)."""

from __future__ import annotations

from markdown_it import MarkdownIt

from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId, Member
from nx_lsp.program.doc_links import find_doc_links
from nx_lsp.schema.structure import constant_cases

_MARKDOWN = MarkdownIt("commonmark")


def with_code_spans(text: str) -> str:
    """``text`` with each doc link written as a code span of its label, and nothing else changed."""
    parts: list[str] = []
    end = 0
    for link in find_doc_links(text):
        parts += [text[end : link.start], "`", link.label, "`"]
        end = link.end
    parts.append(text[end:])
    return "".join(parts)


def first_block(text: str) -> str | None:
    """The source of the first Markdown block of ``text``; ``None`` if it has no block.

    Reference definitions are no block."""
    for token in _MARKDOWN.parse(text):
        if token.map is not None:
            first, after = token.map
            return "\n".join(text.split("\n")[first:after]).strip("\n")
    return None


def _description(text: str | None) -> str | None:
    """The Markdown of a doc comment; an empty comment documents nothing."""
    return with_code_spans(text) if text is not None and text.strip() else None


def declaration_description(db: ProgramDatabase, id: DeclarationId) -> str | None:
    """The description of a function or type; derived types have none."""
    return _description(queries.documentation(db, id))


def declaration_summary(db: ProgramDatabase, id: DeclarationId) -> str | None:
    """The first Markdown block of ``declaration_description``."""
    description = declaration_description(db, id)
    return first_block(description) if description is not None else None


def member_description(db: ProgramDatabase, member: Member) -> str | None:
    """The description of a field or parameter: what is written where it is declared."""
    return _description(queries.member_documentation(db, member))


def case_description(db: ProgramDatabase, union: DeclarationId, case: str) -> str | None:
    """The description of a payload case."""
    return _description(queries.case_documentation(db, union, case))


def union_description(db: ProgramDatabase, union: DeclarationId) -> str | None:
    """The description of a union's entry: its documentation, then one line per documented
    constant case."""
    lines: list[str] = []
    for case in constant_cases(db, union):
        text = case_description(db, union, case)
        summary = first_block(text) if text is not None else None
        if summary is not None:
            lines.append(f"- `{case}`: {' '.join(summary.split())}")
    parts = [declaration_description(db, union), "\n".join(lines) or None]
    return "\n\n".join(part for part in parts if part is not None) or None
