"""Reading the parameters of our own requests, which arrive as plain JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types as lsp
from lsprotocol.validators import UINTEGER_MAX_VALUE

from nx_lsp.ide.tool_schema import named_declaration
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId
from nx_lsp.server.conversions import Translator
from nx_lsp.server.last_good import Find
from nx_lsp.server.projects import Project
from nx_lsp.server.protocol import Refusal
from nx_lsp.server.snapshots import Snapshot
from nx_lsp.server.uris import uri_key
from nx_lsp.syntax.text import Encoding

if TYPE_CHECKING:
    from nx_lsp.server.lifecycle import NxServer

Numbers = tuple[int, int]
Finder = Callable[[ProgramDatabase, str, int], DeclarationId]
"""Finds a declaration by module and offset; raises ``SchemaRequestError``."""


def object_of(value: object, what: str = "the parameters") -> Mapping[str, Any]:
    """``value`` as an object, empty for none. Raises ``Refusal`` for anything else."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise Refusal.invalid(f"{what} must be an object")
    return value


def text_of(params: Mapping[str, Any], name: str) -> str | None:
    """A text member, ``None`` if it is absent. Raises ``Refusal`` for anything else."""
    value = params.get(name)
    if value is not None and not isinstance(value, str):
        raise Refusal.invalid(f"`{name}` must be a text")
    return value


def choice_of(params: Mapping[str, Any], name: str, allowed: tuple[str, ...]) -> str:
    """A text member that is one of ``allowed``, the first by default; else ``Refusal``."""
    value = text_of(params, name) or allowed[0]
    if value not in allowed:
        known = ", ".join(f"`{one}`" for one in allowed)
        raise Refusal.invalid(f"`{name}` must be one of {known}, not `{value}`")
    return value


def uri_of_document(params: Mapping[str, Any]) -> str:
    """``textDocument.uri``. Raises ``Refusal`` if there is none."""
    uri = object_of(params.get("textDocument"), "`textDocument`").get("uri")
    if not isinstance(uri, str):
        raise Refusal.invalid("`textDocument.uri` must be a text")
    return uri


def position_of(params: Mapping[str, Any]) -> lsp.Position:
    """``position``, zero-based, clamped to what the protocol can say. Raises ``Refusal`` if there
    is none."""
    position = object_of(params.get("position"), "`position`")
    numbers = position.get("line"), position.get("character")
    if not all(isinstance(one, int) and not isinstance(one, bool) and one >= 0 for one in numbers):
        raise Refusal.invalid("`position` must have a `line` and a `character` from 0")
    line, character = (min(one, UINTEGER_MAX_VALUE) for one in cast(Numbers, numbers))
    return lsp.Position(line, character)


def project_of(server: NxServer, uri: str | None) -> Project:
    """The project with this root, or of this document; without one the first."""
    if uri is None:
        project = next(iter(server.projects), None)
        if project is None:
            raise Refusal.unknown("no NX project is open")
        return project
    for project in server.projects:
        if uri_key(project.uri).rstrip("/") == uri_key(uri).rstrip("/"):
            return project
    place = server.projects.locate(uri)
    if place is None:
        raise Refusal.unknown(f"there is no project at `{uri}`")
    return place[0]


class Target:
    """What a request is about: a place in a document, or a name."""

    def __init__(self, server: NxServer, value: object, at: Finder) -> None:
        target = object_of(value, "`target`")
        self.module: str | None = None
        if "textDocument" in target:
            uri, self.position = uri_of_document(target), position_of(target)
            place = server.projects.locate(uri)
            if place is None:
                raise Refusal.unknown(f"`{uri}` is not an NX document of an open project")
            self.project, self.module = place
            self._at = at
        else:
            self.project = project_of(server, text_of(target, "project"))
            self.name = text_of(target, "name")
            if not self.name:
                raise Refusal.invalid("`target` needs a `textDocument` and `position`, or a `name`")
            self.named_module = text_of(target, "module")

    @property
    def points_into(self) -> str | None:
        """The module whose broken text may hide the declaration."""
        return self.module if self.module is not None else self.named_module

    def find(self, snapshot: Snapshot, encoding: Encoding) -> Find:
        """How to find the declaration in a database; raises ``SchemaRequestError``."""

        def find(db: ProgramDatabase, carry: Callable[[int], int]) -> DeclarationId:
            if self.module is None:
                return named_declaration(db, self.named_module, cast("str", self.name))
            offset = Translator(snapshot, db, encoding).offset(self.module, self.position)
            return self._at(db, self.module, carry(offset))

        return find
