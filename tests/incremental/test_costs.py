"""What an edit costs: which schemas it derives again, which documents it changes.

One program is edited in one place at a time; the counters of the engine tell what was derived.
"""

from __future__ import annotations

import pytest
from test_answers import Workspace

from nx_lsp.ide.diagnostics import module_diagnostics
from nx_lsp.ide.options import DEFAULT_OPTIONS
from nx_lsp.program.declarations import DeclarationId
from nx_lsp.schema.schema import derived_function

TYPES = """\
/// What all have.
export abstract type Base = {
  /// Names it.
  key:string
}

/// A plan.
export type Plan extends Base = {
  /// Shown first.
  title:string
  /// Its steps.
  steps?:Step+
}

export type Step extends Base = {
  hours:float64
}

/// A place, known to nobody else.
export type Place = {
  /// Where it is.
  name:string
}

export abstract type Event = {
  at:string
}

export type Started extends Event = {
  by:string
}
"""

TOOLS = """\
import { Base, Event, Place, Plan } from "./types.nx"

/// Finds plans.
export let findPlans(
  /// Words to look for.
  words:string,
  near?:Place
): Plan+ = { makePlans(words) }

export let makePlans(words:string): Plan+ = <Plan key={words} title={words}/>

export let visit(place:Place): int = 1

export let happen(event:Event): boolean = true

export let anything(some:Base): int = 2

export let count(n:int, by:int = 2) = { n + by }

export let double(n:int) = { count(n) + count(n) }
"""

MAIN = """\
import { Plan } from "./types.nx"

export let title(plan:Plan): string = { plan.title }
"""

FUNCTIONS = {
    DeclarationId("tools.nx", name)
    for name in ("findPlans", "makePlans", "visit", "happen", "anything", "count", "double")
} | {DeclarationId("main.nx", "title")}


OF_PLANS = {"findPlans", "makePlans", "title", "anything"}
"""Functions whose schemas reach a plan."""


class Edited:
    """The program before and after one edit."""

    def __init__(self, file: str, old: str, new: str, main: str = MAIN) -> None:
        self.texts = {"main.nx": main, "tools.nx": TOOLS, "types.nx": TYPES}
        assert self.texts[file].count(old) == 1
        self.workspace = Workspace(self.texts)
        self.db = self.workspace.db
        before = {id.name: derived_function(self.db, id, ()) for id in FUNCTIONS}
        self.diagnose()
        self.db.runs.clear()
        self.texts[file] = self.texts[file].replace(old, new)
        self.workspace.become(self.texts)
        self.derived: set[str] = set()
        """Functions whose schemas were derived again."""
        self.changed: set[str] = set()
        """Functions whose answer is another."""
        for id in FUNCTIONS:
            runs = self.db.runs["derived_function"]
            answer = derived_function(self.db, id, ())
            if self.db.runs["derived_function"] > runs:
                self.derived.add(id.name)
            if answer != before[id.name]:
                self.changed.add(id.name)

    def diagnose(self) -> None:
        for module in ("main.nx", "tools.nx", "types.nx"):
            module_diagnostics(self.db, module, DEFAULT_OPTIONS)


def test_the_program_is_sound() -> None:
    workspace = Workspace({"main.nx": MAIN, "tools.nx": TOOLS, "types.nx": TYPES})
    for module in ("main.nx", "tools.nx", "types.nx"):
        assert module_diagnostics(workspace.db, module, DEFAULT_OPTIONS) == ()


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("tools.nx", "{ makePlans(words) }", '{ makePlans(words + "!") }'),
        ("tools.nx", "int = 1", "int = 1 + 1"),
        ("main.nx", "{ plan.title }", '{ plan.title + "." }'),
        ("tools.nx", "{ makePlans(words) }", "{ makePlanz(words) }"),
        ("tools.nx", "{ makePlans(words) }", "{ makePlans(words"),
    ],
)
def test_an_edit_in_a_body_with_an_annotated_result_derives_no_schema(
    file: str, old: str, new: str
) -> None:
    edited = Edited(file, old, new)
    assert edited.derived == set()
    edited.diagnose()
    assert edited.db.runs["arguments_document"] == 0
    assert edited.db.runs["derived_function"] == 0


def test_an_edit_in_a_body_without_annotation_derives_where_the_type_changes() -> None:
    assert Edited("tools.nx", "{ n + by }", "{ n + by + 0 }").derived == set()
    edited = Edited("tools.nx", "{ n + by }", "{ (n + by) / 2.0 }")
    assert edited.changed == {"count", "double"}
    assert edited.derived == {"count", "double"}


@pytest.mark.parametrize(
    ("file", "old", "new", "shown"),
    [
        ("tools.nx", "/// Finds plans.", "/// Finds all plans.", {"findPlans"}),
        ("tools.nx", "/// Words to look for.", "/// Words.", {"findPlans"}),
        ("types.nx", "/// Where it is.", "/// Where it stands.", {"findPlans", "visit"}),
        ("types.nx", "/// A place, known", "/// A location, known", {"findPlans", "visit"}),
        ("types.nx", "/// Its steps.", "/// What to do.", OF_PLANS),
        ("types.nx", "/// Names it.", "/// Its name.", OF_PLANS),
        ("tools.nx", "\nexport let visit", "\n/// Goes there.\nexport let visit", {"visit"}),
        ("main.nx", "import { Plan }", "// nothing\nimport { Plan }", set()),
    ],
)
def test_an_edit_of_a_comment_changes_the_documents_that_show_it(
    file: str, old: str, new: str, shown: set[str]
) -> None:
    edited = Edited(file, old, new)
    assert edited.changed == shown
    assert edited.derived == shown


def test_an_edit_of_a_base_derives_the_schemas_that_reach_it() -> None:
    edited = Edited("types.nx", "  key:string", '  key:string where != ""')
    assert edited.derived == edited.changed == OF_PLANS


def test_an_edit_of_a_record_derives_the_schemas_that_reach_it() -> None:
    edited = Edited("types.nx", "  name:string", "  name?:string")
    assert edited.derived == edited.changed == {"findPlans", "visit"}


ENDED = "type Ended extends Event = { how:string }"


def test_another_extending_record_derives_the_sites_of_its_base() -> None:
    edited = Edited("types.nx", "export type Started", f"{ENDED}\n\nexport type Started")
    assert edited.derived == edited.changed == {"happen"}


def test_an_extending_record_in_another_module_does_so_too() -> None:
    edited = Edited(
        "main.nx",
        "export let title",
        f"{ENDED}\n\nexport let title",
        main=MAIN.replace("{ Plan }", "{ Event, Plan }"),
    )
    assert edited.derived == edited.changed == {"happen"}


def test_a_broken_declaration_derives_only_what_named_it() -> None:
    edited = Edited("types.nx", "export type Place = {", "export type Place {")
    assert edited.derived <= {"findPlans", "visit"}


def test_a_declaration_moved_by_text_above_it_derives_nothing() -> None:
    edited = Edited(
        "types.nx", "/// What all have.", "// A line.\n// Another.\n\n/// What all have."
    )
    assert edited.derived == set()
    edited.diagnose()
    for name in ("_inferred", "declaration", "effective_fields", "lookup"):
        assert edited.db.runs[name] == 0
