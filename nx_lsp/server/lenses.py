"""Code lenses over the protocol: which there are, what they say, when they are asked for again.

A lens goes out with its range and the names of what it is about; its title and command follow when
it comes into view. While a text is broken, what was known of it last stays (editor-experience 7).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast, get_args
from weakref import WeakKeyDictionary

from lsprotocol import types as lsp

from nx_lsp.ide.lenses import (
    LAST_GOOD,
    Lens,
    LensFacts,
    LensKind,
    is_broken,
    lens_facts,
    lens_title,
    lenses,
)
from nx_lsp.ide.offers import offers_of
from nx_lsp.ide.options import IdeOptions
from nx_lsp.program import queries
from nx_lsp.program.declarations import DeclarationId, Place
from nx_lsp.server.conversions import Translator
from nx_lsp.server.features import ask
from nx_lsp.server.parameters import object_of, text_of
from nx_lsp.server.projects import Project
from nx_lsp.server.protocol import Refusal

if TYPE_CHECKING:
    from nx_lsp.server.lifecycle import NxServer

Json = dict[str, Any]
Shown = tuple[str, LensKind, str]
"""Module, kind, and declared key (empty for a file) of a lens."""


class LensMemory:
    """What was known last of the lenses of one project. Only the analysis thread touches it."""

    def __init__(self) -> None:
        self.facts: dict[str, dict[DeclarationId, LensFacts]] = {}
        self.good_titles: dict[Shown, str] = {}
        self.shown_titles: dict[Shown, str] = {}
        """The titles that the client has."""

    def known(
        self, at: Translator, module: str, options: IdeOptions
    ) -> dict[DeclarationId, LensFacts]:
        """Facts of the functions of ``module``: what was known before goes first while an open
        module is broken, since it may be the one that offers them."""
        now = lens_facts(at.db, module, options)
        before = self.facts.get(module, {})
        found = {**now, **{id: before[id] for id in now if id in before}} if _broken(at) else now
        self.facts[module] = found
        return found

    def title(
        self,
        at: Translator,
        module: str,
        kind: LensKind,
        id: DeclarationId | None,
        options: IdeOptions,
    ) -> str:
        """What a lens says now, or said last, marked, if its declaration does not parse."""
        key = (module, kind, id.name if id is not None else "")
        if id is not None and is_broken(at.db, id) and key in self.good_titles:
            return f"{LAST_GOOD}{self.good_titles[key]}"
        if id is None and _broken(at) and key in self.good_titles:
            return self.good_titles[key]
        title = lens_title(at.db, module, kind, id, options)
        self.good_titles[key] = title
        return title

    def have_changed(self, at: Translator, options: IdeOptions) -> bool:
        """Whether a lens that the client shows would say something else now."""
        changed = False
        for key, shown in list(self.shown_titles.items()):
            module, kind, name = key
            id = DeclarationId(module, name) if name else None
            source = at.snapshot.source(module)
            if source is None or source.document is None:
                del self.shown_titles[key]
                continue
            title = self.title(at, module, kind, id, options)
            if title != shown:
                self.shown_titles[key] = title
                changed = True
        return changed


def _broken(at: Translator) -> bool:
    """Whether the text of some open module does not parse."""
    open_modules = (
        at.db.module(each.identity)
        for each in at.snapshot.sources.values()
        if each.document is not None
    )
    return any(each is not None and each.file.has_syntax_errors for each in open_modules)


Memories = WeakKeyDictionary[Project, LensMemory]


def memory_of(memories: Memories, project: Project) -> LensMemory:
    """The memory of a project, made when it is first asked for."""
    return memories.setdefault(project, LensMemory())


# ---------------------------------------------------------------- requests


async def _code_lenses(server: NxServer, params: lsp.CodeLensParams) -> list[lsp.CodeLens] | None:
    uri = params.text_document.uri

    def question(at: Translator, module: str, options: IdeOptions) -> list[lsp.CodeLens]:
        project = at.snapshot.project
        facts = memory_of(server.events.lenses, project).known(at, module, options)
        return [
            lsp.CodeLens(at.range(module, lens.start, lens.end), data=_data(uri, lens))
            for lens in lenses(at.db, module, options, facts)
        ]

    if not server.client.offers("codeLens"):
        return None
    return await ask(server, "code lenses", uri, question)


def _data(uri: str, lens: Lens) -> Json:
    data = {"uri": uri, "kind": lens.kind}
    return data if lens.id is None else {**data, "name": lens.id.name}


async def _resolve(server: NxServer, lens: lsp.CodeLens) -> lsp.CodeLens:
    data = _as_object(lens.data)
    uri, kind, name = text_of(data, "uri"), text_of(data, "kind"), text_of(data, "name")
    if uri is None or kind not in get_args(LensKind):
        raise Refusal.invalid("this is no lens of ours")

    def question(at: Translator, module: str, options: IdeOptions) -> lsp.Command:
        wanted = cast("LensKind", kind)
        memory = memory_of(server.events.lenses, at.snapshot.project)
        id = DeclarationId(module, name) if name is not None else None
        title = memory.title(at, module, wanted, id, options)
        memory.shown_titles[(module, wanted, name or "")] = title
        return _command(at, title, wanted, module, id, options.client_commands)

    command = await ask(server, "a code lens", uri, question)
    return lsp.CodeLens(lens.range, command or lsp.Command("", ""), lens.data)


def _as_object(value: object) -> Mapping[str, Any]:
    """The data of a lens, of which the framework may have made an object."""
    return object_of(value._asdict() if hasattr(value, "_asdict") else value, "`data`")


def _command(
    at: Translator,
    title: str,
    kind: LensKind,
    module: str,
    id: DeclarationId | None,
    client_commands: bool,
) -> lsp.Command:
    """The command of a lens: the client's own where it has them, else one of ours. It names what
    it is about, so that it still hits after an edit."""
    project = at.snapshot.project.uri
    if id is None:
        name = "nxlsp.exportToolSchemas" if client_commands else "nxlsp.server.exportSchemas"
        return lsp.Command(title, name, arguments=[{"project": project}])
    target = {"project": project, "module": module, "name": id.name}
    if kind in ("usage", "descendants"):
        if client_commands:
            places = _places(at, kind, id)
            return lsp.Command(
                title, "nxlsp.showLocations", arguments=[{"title": title, "locations": places}]
            )
        if kind == "descendants":
            return lsp.Command(title, "nxlsp.server.typeSchema", arguments=[{"target": target}])
    if not client_commands:
        name = "nxlsp.server.openSchemaDocument"
    else:
        name = "nxlsp.copyToolSchema" if kind == "copy" else "nxlsp.showToolSchema"
    return lsp.Command(title, name, arguments=[{"target": target}])


def _places(at: Translator, kind: LensKind, id: DeclarationId) -> list[Json]:
    if kind == "usage":
        places: list[Place] = [offer.place for offer in offers_of(at.db, id)]
    else:
        places = [queries.name_place(at.db, each) for each in queries.descendants(at.db, id)]
    found = [at.place(place) for place in places]
    return [
        {
            "uri": one.uri,
            "range": {
                "start": {"line": one.range.start.line, "character": one.range.start.character},
                "end": {"line": one.range.end.line, "character": one.range.end.character},
            },
        }
        for one in found
    ]


def register(server: NxServer) -> None:
    """Register the handlers of this module."""

    async def on_code_lens(params: lsp.CodeLensParams) -> list[lsp.CodeLens] | None:
        return await _code_lenses(server, params)

    async def on_resolve(lens: lsp.CodeLens) -> lsp.CodeLens:
        return await _resolve(server, lens)

    options = lsp.CodeLensOptions(resolve_provider=True)
    server.on_request(lsp.TEXT_DOCUMENT_CODE_LENS, None, on_code_lens, options)
    server.on_request(lsp.CODE_LENS_RESOLVE, lsp.CodeLens(_NOWHERE), on_resolve)


_NOWHERE = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
