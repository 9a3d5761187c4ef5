"""Schemas on request: of the function or type that a client points at or names (§8.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from nx_lsp.ide.json_text import write_compact_json, write_json
from nx_lsp.ide.offers import tool_description, tool_name
from nx_lsp.ide.options import DEFAULT_OPTIONS, IdeOptions
from nx_lsp.ide.targets import (
    DeclarationMeant,
    MemberMeant,
    function_around,
    target_at,
)
from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import (
    DeclarationId,
    FunctionDeclaration,
    ValueDeclaration,
)
from nx_lsp.schema.answers import Direction, FunctionSchema, TypeSchema
from nx_lsp.schema.hosts import CopyOptions, Host, HostCopy, HostNote
from nx_lsp.schema.keys import declared_name
from nx_lsp.schema.schema import function_schema as ask_function
from nx_lsp.schema.schema import type_schema as ask_type

UNKNOWN = "schema-unknown-declaration"

HOST_OF_VIEW: dict[str, Host] = {"mcp": "mcp"}
"""The views that are copies for hosts."""

VIEWS = ("answer", "input", "output", *HOST_OF_VIEW)
"""The views of a tool schema that can be asked for."""

Format = Literal["pretty", "compact"]


class SchemaRequestError(Exception):
    """A request that cannot be answered. ``code``: ``schema-unknown-declaration`` for what is not
    there, ``schema-view-unavailable``, ``schema-inexpressible-type`` for a view of a schema that
    the function does not have, or ``schema-host-refused`` with the notes that say why."""

    def __init__(self, code: str, message: str, notes: tuple[HostNote, ...] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.notes = notes


@dataclass(frozen=True, slots=True)
class ToolSchema:
    """A function's answer and the text of the view that was asked for."""

    id: DeclarationId
    tool_name: str
    answer: FunctionSchema
    document: str
    notes: tuple[HostNote, ...] = ()

    def to_json(self, version: int | None, *, stale: bool = False) -> dict[str, Any]:
        """The result of ``nxlsp/toolSchema``. ``version`` is that of the module's open document;
        ``stale`` says that this is the last good view of a text that is broken now."""
        return {
            "module": self.answer.module,
            "name": self.answer.name,
            "toolName": self.tool_name,
            "version": version,
            "stale": stale,
            "answer": self.answer.to_json(),
            "document": self.document,
            "notes": [note.to_json() for note in self.notes],
            "size": size_of(self.document),
        }


@dataclass(frozen=True, slots=True)
class TypeSchemaDocument:
    """A type's answer and its text."""

    id: DeclarationId
    answer: TypeSchema
    document: str

    def to_json(self, version: int | None, *, stale: bool = False) -> dict[str, Any]:
        """The result of ``nxlsp/typeSchema``."""
        return {
            "module": self.answer.module,
            "name": self.answer.name,
            "version": version,
            "stale": stale,
            "answer": self.answer.to_json(),
            "document": self.document,
        }


@dataclass(frozen=True, slots=True)
class SchemaPosition:
    """What a panel that follows the cursor shows: ``start``/``end`` is the declaration (absolute
    code points), ``pointer`` the JSON pointer of the member at the cursor in the answer."""

    id: DeclarationId
    kind: Literal["function", "type"]
    pointer: str | None
    start: int
    end: int

    @property
    def name(self) -> str:
        return declared_name(self.id)


def size_of(document: str) -> dict[str, int]:
    """Characters, and the usual estimate of tokens: a quarter of them, rounded up."""
    return {"characters": len(document), "tokensEstimate": -(-len(document) // 4)}


# ---------------------------------------------------------------- what is meant


def function_at(db: ProgramDatabase, module: str, offset: int) -> DeclarationId:
    """The function named at a position (absolute code points), else the one around it. Raises
    ``SchemaRequestError``."""
    found = function_around(db, module, offset)
    if found is None:
        raise SchemaRequestError(UNKNOWN, f"There is no function at this place of `{module}`.")
    return found


def named_declaration(db: ProgramDatabase, module: str | None, name: str) -> DeclarationId:
    """The declaration that a host names; without ``module`` the entry module's. Raises
    ``SchemaRequestError`` naming both."""
    identity = module if module is not None else db.entry
    if identity is None:
        raise SchemaRequestError(
            UNKNOWN, f"No module was named for `{name}`, and the program has no entry module."
        )
    if db.module(identity) is None:
        raise SchemaRequestError(UNKNOWN, f"There is no module `{identity}` to hold `{name}`.")
    found = queries.declared_in(db, identity, name)
    if found is None or queries.declaration(db, found) is None:
        raise SchemaRequestError(UNKNOWN, f"The module `{identity}` declares no `{name}`.")
    return found


def type_at(db: ProgramDatabase, module: str, offset: int) -> DeclarationId:
    """The type named at a position, else the one whose declaration is around it. Raises
    ``SchemaRequestError``."""
    target = target_at(db, module, offset)
    named = target.meant.id if target and isinstance(target.meant, DeclarationMeant) else None
    for id in (named, _declaration_around(db, module, offset)):
        if id is not None and _is_type(db, id):
            return id
    raise SchemaRequestError(UNKNOWN, f"There is no type at this place of `{module}`.")


def _declaration_around(db: ProgramDatabase, module: str, offset: int) -> DeclarationId | None:
    found = db.module(module)
    at = found.file.piece_at(offset) if found is not None else None
    id = DeclarationId(module, at[0].key) if at is not None else None
    return id if id is not None and queries.outline_of(db, id) is not None else None


def _is_type(db: ProgramDatabase, id: DeclarationId) -> bool:
    declaration = queries.declaration(db, id)
    return declaration is not None and not isinstance(
        declaration, (FunctionDeclaration, ValueDeclaration)
    )


# ---------------------------------------------------------------- answers


def tool_schema(
    db: ProgramDatabase,
    id: DeclarationId,
    options: IdeOptions = DEFAULT_OPTIONS,
    view: str = "answer",
    format: Format = "pretty",
) -> ToolSchema:
    """The answer about a function and the text of ``view``. Raises ``SchemaRequestError``."""
    answer = ask_function(db, id, options.host_supplied)
    if answer is None:
        raise SchemaRequestError(UNKNOWN, f"`{declared_name(id)}` of `{id.module}` is no function.")
    value, notes = _view(db, answer, view, options)
    return ToolSchema(id, tool_name(db, id), answer, _text(value, format), notes)


def _view(
    db: ProgramDatabase, answer: FunctionSchema, view: str, options: IdeOptions
) -> tuple[object, tuple[HostNote, ...]]:
    """The value that a view shows, and what was changed for it."""
    if view in HOST_OF_VIEW:
        copy = host_copy(db, answer, HOST_OF_VIEW[view], options)
        if copy.document is None:
            message = " ".join(f"{note.message}." for note in copy.notes)
            raise SchemaRequestError("schema-host-refused", message, copy.notes)
        return copy.document, copy.notes
    match view:
        case "answer":
            return answer.to_json(), ()
        case "input" | "output":
            whole = answer.input_schema if view == "input" else answer.output_schema
            if whole is None:
                reasons = " ".join(f"{each.message}." for each in answer.diagnostics)
                message = f"`{answer.name}` has no {view} schema. {reasons}".strip()
                raise SchemaRequestError("schema-inexpressible-type", message)
            return whole, ()
        case _:
            available = ", ".join(f"`{each}`" for each in VIEWS)
            message = f"The view `{view}` is not known; available are {available}."
            raise SchemaRequestError("schema-view-unavailable", message)


def told_size(
    db: ProgramDatabase, id: DeclarationId, options: IdeOptions = DEFAULT_OPTIONS
) -> dict[str, int]:
    """How much a model is told of a function: its tool as MCP has it, without white space, or the
    answer where there is no such copy."""
    answer = ask_function(db, id, options.host_supplied)
    if answer is None:
        return size_of("")
    copy = host_copy(db, answer, "mcp", options)
    told = copy.document if copy.document is not None else answer.to_json()
    return size_of(write_compact_json(told))


def host_copy(
    db: ProgramDatabase, answer: FunctionSchema, host: Host, options: IdeOptions = DEFAULT_OPTIONS
) -> HostCopy:
    """The copy of an answer for a host, under the name and description that the program's tool
    record gives it."""
    id = DeclarationId(answer.module, answer.name)
    wishes = CopyOptions(options.copy_meta_schema, options.copy_result_in_description)
    name, description = tool_name(db, id), tool_description(db, id)
    return answer.for_host(host, name=name, description=description, options=wishes)


def type_schema(
    db: ProgramDatabase,
    id: DeclarationId,
    direction: Direction = "output",
    format: Format = "pretty",
) -> TypeSchemaDocument:
    """The answer about a type. Raises ``SchemaRequestError``."""
    answer = ask_type(db, id, direction)
    if answer is None:
        raise SchemaRequestError(UNKNOWN, f"`{declared_name(id)}` of `{id.module}` is no type.")
    return TypeSchemaDocument(id, answer, _text(answer.to_json(), format))


def _text(value: object, format: Format) -> str:
    return write_json(value) if format == "pretty" else write_compact_json(value)


def schema_at(db: ProgramDatabase, module: str, offset: int) -> SchemaPosition | None:
    """The function or type declared around a position, for a panel that follows the cursor;
    ``None`` outside of any. Derives nothing."""
    id = _declaration_around(db, module, offset)
    outline = queries.outline_of(db, id) if id is not None else None
    if id is None or outline is None or outline.kind == "value":
        return None
    start, end = queries.absolute(db, queries.place(db, id))
    if outline.kind != "function":
        return SchemaPosition(id, "type", None, start, end)
    target = target_at(db, module, offset)
    pointer = None
    if target is not None and isinstance(target.meant, MemberMeant):
        member = target.meant.member
        if member.owner == id and member.role == "parameter":
            pointer = f"/inputSchema/properties/{_pointer_token(member.name)}"
    return SchemaPosition(id, "function", pointer, start, end)


def _pointer_token(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
