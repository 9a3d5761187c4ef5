"""After any edits every answer and every diagnostic is the one of a program made afresh."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest
from random_edits import NAMES, Editor, texts_of

from nx_lsp.api import Program
from nx_lsp.ide.diagnostics import module_diagnostics, own_diagnostics
from nx_lsp.ide.export import export_document
from nx_lsp.ide.hover import hover
from nx_lsp.ide.options import DEFAULT_HOST_SUPPLIED, DEFAULT_OPTIONS
from nx_lsp.ide.symbols import document_symbols
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.linking import ProgramInputs, Source, split_text
from nx_lsp.program.loading import build, rebuild
from nx_lsp.schema.findings import has_problem_members, member_findings, own_findings


class Workspace:
    """A program that follows its texts from edit to edit."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._sources = {one: Source(one, split_text(text)) for one, text in texts.items()}
        self.db = build(self._inputs())

    def _inputs(self) -> ProgramInputs:
        return ProgramInputs(
            tuple(self._sources[one] for one in sorted(self._sources)), {}, entry="main.nx"
        )

    def become(self, texts: Mapping[str, str]) -> None:
        self._sources = {
            one: self._sources[one].with_text(text)
            if one in self._sources
            else Source(one, split_text(text))
            for one, text in texts.items()
        }
        rebuild(self.db, self._inputs())


def everything(db: ProgramDatabase) -> dict[str, Any]:
    """Every answer about a program, as plain data."""
    program = Program(db)
    modules = [one for one in db.identities if not one.startswith("@nx/") and one != "<prelude>"]
    return {
        "functions": export_document(db, DEFAULT_HOST_SUPPLIED, iter),
        "types": [
            program.type_schema(id.name, id.module, direction).to_json()
            for id in program.types()
            for direction in ("input", "output")
        ],
        "problems": [each.to_json() for each in program.diagnostics()],
        **{module: module_diagnostics(db, module, DEFAULT_OPTIONS) for module in modules},
        **{
            f"{module}, outline": document_symbols(db, module, DEFAULT_OPTIONS)
            for module in modules
        },
    }


def some_questions(db: ProgramDatabase, modules: list[str], chance: random.Random) -> None:
    """What an editor asks between two edits, so that much is known when the next one comes."""
    module = chance.choice(modules)
    found = db.module(module)
    length = len(found.file.text) if found is not None else 0
    match chance.randint(0, 5):
        case 0:
            hover(db, module, chance.randint(0, length), DEFAULT_OPTIONS)
        case 1:
            document_symbols(db, module, DEFAULT_OPTIONS)
        case 2:
            own_diagnostics(db, module, DEFAULT_OPTIONS)
        case 3 | 4:
            module_diagnostics(db, module, DEFAULT_OPTIONS)
        case _:
            kept = chance.choice([{"module_diagnostics"}, {"declaration"}, {"lookup", "base"}])
            db.evict(lambda name, key: name in kept)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("example", NAMES)
def test_an_edited_program_equals_a_fresh_one(example: str, seed: int) -> None:
    """Nine runs of 225 edits, everything compared after every ninth."""
    editor = Editor(texts_of(example), seed)
    workspace = Workspace(editor.texts)
    for number, _ in enumerate(editor.edits(225)):
        workspace.become(editor.texts)
        some_questions(workspace.db, sorted(editor.texts), editor.random)
        if number % 9 == 8:
            fresh = Workspace(editor.texts).db
            now, then = everything(workspace.db), everything(fresh)
            for what, expected in then.items():
                assert now[what] == expected, (what, number)
            assert now.keys() == then.keys()


@pytest.mark.parametrize("example", NAMES)
def test_what_an_edited_module_says_alone_grows_into_all_it_says(example: str) -> None:
    """The first of the two publications is the second without what others find at members, and
    with the last of that where it still stands nothing is missing."""
    editor = Editor(texts_of(example), 7)
    workspace = Workspace(editor.texts)
    for identity in editor.edits(60):
        workspace.become(editor.texts)
        if identity not in editor.texts:
            continue
        db = workspace.db
        own = own_diagnostics(db, identity, DEFAULT_OPTIONS)
        whole = module_diagnostics(db, identity, DEFAULT_OPTIONS)
        assert set(own) <= set(whole)
        assert own_diagnostics(db, identity, DEFAULT_OPTIONS) == whole
        db.evict(lambda name, key: name != "module_diagnostics")
        members = member_findings(db, identity, DEFAULT_HOST_SUPPLIED)
        db.evict(lambda name, key: False)
        assert own_diagnostics(db, identity, DEFAULT_OPTIONS, members) == whole


PLANTED = {
    "planted/types.nx": """\
export abstract type Lonely = { key:string }
export type Row = { template:<function a:int />: string  note?:Lonely }
export type Crate = { T:type  value:T }
export type Load = empty | failed { row:Row  view:Element }
export component <Panel row:Row> = {
  state { last?:Row  open:boolean = false }
  <p/>
}
""",
    "planted/use.nx": """\
import { Crate, Load, Panel, Row } from "./types.nx"
export let show(row:Row, load:Load): Row+ = { row }
export let open(crate:<Crate T=<function a:int />: string/>): int = 1
export let state(state:Panel.State): int = 2
""",
}
"""Members that have no JSON form by themselves, by their type arguments, and in derived records."""


@pytest.mark.parametrize("example", NAMES)
def test_a_member_without_json_form_is_known_where_it_is_declared(example: str) -> None:
    """Findings at the members of a module are looked for only if the module says that it may have
    some: so it must, whenever a function of any module finds one."""
    editor = Editor({**texts_of(example), **PLANTED}, 11)
    workspace = Workspace(editor.texts)
    met = 0
    for _ in editor.edits(60):
        workspace.become(editor.texts)
        db = workspace.db
        for module in db.identities:
            for finding in own_findings(db, module, ()).members:
                met += 1
                assert has_problem_members(db, finding.diagnostic.labels[0].place.module)
    assert met
