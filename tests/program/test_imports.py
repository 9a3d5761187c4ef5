"""Imports in all forms and what is wrong with them (semantics 2.3)."""

from __future__ import annotations

from pathlib import Path

import pytest
from program_reports import all_reports, main, only, program, secondary, spans, text_at

from nx_lsp.program.declarations import DeclarationId
from nx_lsp.program.loading import from_directory, from_sources
from nx_lsp.program.queries import (
    ambiguity,
    incomplete,
    lookup_element,
    lookup_type,
    lookup_value,
    scope,
)

TOOLS = """
export type Plan = { name:string }
export action Saved = {}
export type Status = active | done
export component <Card emits { Moved { x:int } } /> = { state { n:int = 0 } <b/> }
export let limit = 3
export let f(a:int) = {a}
type Hidden = { a:int }
private type Secret = { a:int }
"""


def tools(name: str) -> DeclarationId:
    return DeclarationId("tools.nx", name)


# ---------------------------------------------------------------- forms


def test_a_wildcard_binds_every_export() -> None:
    db = program(main='import "./tools.nx"\n', tools=TOOLS)
    assert all_reports(db) == ()
    assert lookup_type(db, "main.nx", "Plan") == tools("Plan")
    assert lookup_type(db, "main.nx", "Plan.Update") == tools("Plan.Update")
    assert lookup_type(db, "main.nx", "Saved.Property") == tools("Saved.Property")
    assert lookup_type(db, "main.nx", "Card.Moved") == tools("Card.Moved")
    assert lookup_type(db, "main.nx", "Card.Moved.Update") == tools("Card.Moved.Update")
    assert lookup_type(db, "main.nx", "Card.State") == tools("Card.State")
    assert lookup_value(db, "main.nx", "limit") == tools("limit")
    assert lookup_element(db, "main.nx", "f") == tools("f")
    assert lookup_type(db, "main.nx", "Hidden") is None
    assert lookup_type(db, "main.nx", "Secret.Update") is None


def test_an_aliased_wildcard_binds_under_the_alias_only() -> None:
    db = program(main='import "./tools.nx" as T\n', tools=TOOLS)
    assert all_reports(db) == ()
    assert lookup_type(db, "main.nx", "Plan") is None
    assert lookup_type(db, "main.nx", "T.Plan") == tools("Plan")
    assert lookup_type(db, "main.nx", "T.Plan.Property") == tools("Plan.Property")
    assert lookup_type(db, "main.nx", "T.Card.Moved") == tools("Card.Moved")
    assert lookup_type(db, "main.nx", "T.Card.Update") == tools("Card.State.Update")
    assert lookup_value(db, "main.nx", "T.limit") == tools("limit")


def test_a_selective_import_binds_the_name_and_its_companions() -> None:
    db = program(main='import { Plan, Card } from "./tools.nx"\n', tools=TOOLS)
    assert all_reports(db) == ()
    assert lookup_type(db, "main.nx", "Plan") == tools("Plan")
    assert lookup_type(db, "main.nx", "Plan.Update") == tools("Plan.Update")
    assert lookup_type(db, "main.nx", "Card.State.Update") == tools("Card.State.Update")
    assert lookup_type(db, "main.nx", "Card.Property") == tools("Card.State.Property")
    assert lookup_type(db, "main.nx", "Status") is None


def test_a_selective_import_of_a_component_does_not_bring_its_actions() -> None:
    db = program(main='import { Card } from "./tools.nx"\n', tools=TOOLS)
    assert lookup_type(db, "main.nx", "Card.Moved") is None
    assert lookup_type(db, "main.nx", "Card.Moved.Update") is None


def test_a_selective_alias_adds_a_prefix() -> None:
    db = program(main='import { Plan as T.Plan, f as T.f } from "./tools.nx"\n', tools=TOOLS)
    assert all_reports(db) == ()
    assert lookup_type(db, "main.nx", "T.Plan") == tools("Plan")
    assert lookup_type(db, "main.nx", "T.Plan.Update") == tools("Plan.Update")
    assert lookup_value(db, "main.nx", "T.f") == tools("f")
    assert lookup_type(db, "main.nx", "Plan") is None


def test_a_bad_selective_alias_binds_nothing_and_its_names_are_forgiven() -> None:
    db = program(main='import { Plan as P } from "./tools.nx"\n', tools=TOOLS)
    assert [code for code, _ in spans(db)] == ["lowering-error"]
    assert lookup_type(db, "main.nx", "P") is None
    assert incomplete(db, "main.nx").may_bind("P")


def test_paths_are_relative_to_the_importer_and_keep_their_extension() -> None:
    db = from_sources(
        {
            "shared/plans.nx": "export type Plan = {}\n",
            "tools/a.nx": 'import "../shared/plans.nx"\n',
            "tools/b.nx": 'import "../shared/plan.nx"\n',
        }
    )
    assert lookup_type(db, "tools/a.nx", "Plan") == DeclarationId("shared/plans.nx", "Plan")
    report = only(db, "tools/b.nx")
    assert report.help == "Did you mean `../shared/plans.nx`?"


def test_modules_may_import_each_other_in_a_circle() -> None:
    db = program(
        main='import "./other.nx"\nexport type A = { b:B }\n',
        other='import "./main.nx"\nexport type B = { a?:A }\n',
    )
    assert all_reports(db) == ()
    assert all_reports(db, "other.nx") == ()


def test_a_library_brings_the_exports_of_all_its_modules() -> None:
    db = from_sources(
        {
            "main.nx": 'import "./lib"\n',
            "lib/a.nx": "export type A = {}\n",
            "lib/deep/b.nx": "export type B = {}\ntype Inner = {}\n",
        }
    )
    assert lookup_type(db, "main.nx", "A") == DeclarationId("lib/a.nx", "A")
    assert lookup_type(db, "main.nx", "B") == DeclarationId("lib/deep/b.nx", "B")
    assert lookup_type(db, "main.nx", "Inner") is None


def test_the_agent_library() -> None:
    db = program(main='import { Tool, ToolContext as Nx.ToolContext } from "@nx/agent"\n')
    assert all_reports(db) == ()
    agent = "@nx/agent/agent.nx"
    assert lookup_type(db, "main.nx", "Tool") == DeclarationId(agent, "Tool")
    assert lookup_type(db, "main.nx", "Nx.ToolContext") == DeclarationId(agent, "ToolContext")


# ---------------------------------------------------------------- problems


@pytest.mark.parametrize(
    ("line", "code", "covered"),
    [
        ('import "https://example.com/x.zip"', "lowering-error", '"https://example.com/x.zip"'),
        ('import "@nx/nope"', "unknown-standard-library", 'import "@nx/nope"'),
        (
            'import "@nx/agent/agent.nx"',
            "unknown-standard-library",
            'import "@nx/agent/agent.nx"',
        ),
        ('import "./@nx/agent"', "unknown-standard-library", 'import "./@nx/agent"'),
        ('import "../x.nx"', "lowering-error", '"../x.nx"'),
        ('import "/lib/x"', "lowering-error", '"/lib/x"'),
        ('import "a//b"', "lowering-error", '"a//b"'),
        ('import "./nowhere"', "lowering-error", '"./nowhere"'),
        ('import { Nope } from "./tools.nx"', "lowering-error", "Nope"),
        ('import { Plan, Plan } from "./tools.nx"', "lowering-error", "Plan"),
    ],
)
def test_problems_stand_at_the_path_or_the_entry(line: str, code: str, covered: str) -> None:
    db = program(main=line + "\n", tools=TOOLS)
    assert spans(db) == [(code, covered)]


def test_a_name_that_is_not_exported_points_at_its_declaration() -> None:
    db = program(main='import { Hidden } from "./tools.nx"\n', tools=TOOLS)
    report = only(db)
    assert report.message == "The module `tools.nx` does not export `Hidden`"
    assert secondary(db, report) == [("tools.nx", "Hidden")]


def test_a_misspelled_name_is_suggested() -> None:
    db = program(main='import { Plam } from "./tools.nx"\n', tools=TOOLS)
    assert only(db).help == "Did you mean `Plan`?"


def test_one_target_is_imported_once_whatever_the_forms() -> None:
    text = 'import { Plan } from "./tools.nx"\nimport "tools.nx" as T\n'
    db = program(main=text, tools=TOOLS)
    report = only(db)
    assert report.primary is not None
    assert text_at(db, report.primary) == 'import "tools.nx" as T'
    assert secondary(db, report) == [("main.nx", 'import { Plan } from "./tools.nx"')]
    assert lookup_type(db, "main.nx", "T.Plan") is None
    assert incomplete(db, "main.nx").may_bind("T.Plan")
    assert not incomplete(db, "main.nx").may_bind("T.Nope")


def test_a_failed_import_is_remembered() -> None:
    db = program(main='import { A, B as X.B } from "./gone.nx"\n')
    left = incomplete(db, "main.nx")
    assert left.may_bind("A")
    assert left.may_bind("A.Update")
    assert left.may_bind("X.B")
    assert not left.may_bind("C")
    assert not left.may_bind("B")


def test_a_failed_wildcard_may_bind_anything() -> None:
    assert incomplete(program(main='import "./gone.nx"\n'), "main.nx").may_bind("Any.Thing")
    left = incomplete(program(main='import "./gone.nx" as G\n'), "main.nx")
    assert left.may_bind("G.Thing")
    assert not left.may_bind("Thing")


def test_a_target_that_lost_a_declaration_forgives_unknown_names() -> None:
    db = program(main='import { Lost } from "./other.nx"\n', other="??? what\n")
    assert all_reports(db) == ()
    assert incomplete(db, "main.nx").may_bind("Lost")


def test_a_file_that_cannot_be_read_is_not_called_missing(tmp_path: Path) -> None:
    (tmp_path / "bad.nx").write_bytes(b"\xff")
    (tmp_path / "main.nx").write_text('import "./bad.nx"\n')
    db = from_directory(tmp_path)
    assert "could not be read" in only(db).message


def test_a_library_with_an_unreadable_file_forgives_unknown_names(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "bad.nx").write_bytes(b"\xff")
    (tmp_path / "main.nx").write_text('import { Lost } from "./lib"\n')
    db = from_directory(tmp_path)
    assert all_reports(db) == ()
    assert incomplete(db, "main.nx").may_bind("Lost")


def test_two_libraries_that_a_path_may_mean() -> None:
    db = from_sources(
        {"main.nx": 'import "catalog"\n'},
        libraries={"a/catalog": {"x.nx": ""}, "b/catalog": {"x.nx": ""}},
    )
    report = only(db)
    assert "`a/catalog`, `b/catalog`" in report.message


def test_a_library_imports_no_single_files() -> None:
    db = from_sources(
        {
            "main.nx": 'import "./lib"\n',
            "other.nx": "",
            "lib/a.nx": 'import "../other.nx"\nimport "./b.nx"\n',
            "lib/b.nx": "",
        }
    )
    reports = all_reports(db, "lib/a.nx")
    assert [each.code for each in reports] == ["lowering-error", "lowering-error"]
    assert reports[0].help == "A module of a library can import libraries only."
    assert reports[1].help == "Modules of one library see each other's names without an import."


def test_a_workspace_module_imports_no_single_file_of_a_library() -> None:
    db = from_sources(
        {
            "main.nx": 'import "./lib"\n',
            "other.nx": 'import "./lib/a.nx"\n',
            "lib/a.nx": "",
        }
    )
    assert only(db, "other.nx").help == "A library is imported by its directory."


def test_a_module_does_not_import_the_directory_it_lies_in() -> None:
    db = from_sources({"lib/a.nx": 'import "../lib"\n', "lib/b.nx": ""})
    assert "directory that this module lies in" in only(db, "lib/a.nx").message


def test_libraries_in_a_circle_are_reported_in_the_libraries() -> None:
    db = from_sources(
        {
            "main.nx": 'import "./a"\n',
            "a/x.nx": 'import "../b"\n',
            "b/y.nx": 'import "../a"\n',
        }
    )
    assert all_reports(db) == ()
    for module in ("a/x.nx", "b/y.nx"):
        report = only(db, module)
        assert report.code == "library-load-error"
        assert "`a`" in report.message
        assert "`b`" in report.message


# ---------------------------------------------------------------- one name from two imports


def test_the_first_import_binds_and_the_name_is_known_to_be_ambiguous() -> None:
    db = program(
        main='import "./a.nx"\nimport { Plan } from "./b.nx"\n',
        a="export type Plan = {}\nexport type OnlyA = {}\n",
        b="export type Plan = {}\n",
    )
    assert all_reports(db) == ()
    assert lookup_type(db, "main.nx", "Plan") == DeclarationId("a.nx", "Plan")
    found = scope(db, "main.nx").ambiguous
    assert list(found) == ["Plan"]
    sources = found["Plan"].sources
    assert [each.declaration.module for each in sources] == ["a.nx", "b.nx"]
    assert [each.path for each in sources] == ["./a.nx", "./b.nx"]
    assert found["Plan"].namespaces == {"type", "element"}


def test_an_own_declaration_hides_the_question() -> None:
    db = program(
        main='import "./a.nx"\nimport "./b.nx"\ntype Plan = {}\n',
        a="export type Plan = {}\n",
        b="export type Plan = {}\n",
    )
    assert scope(db, "main.nx").ambiguous == {}
    assert lookup_type(db, "main.nx", "Plan") == main("Plan")


def test_names_of_two_namespaces_do_not_meet() -> None:
    db = program(
        main='import "./a.nx"\nimport "./b.nx"\n',
        a="export type plan = x | y\n",
        b="export let plan = 1\n",
    )
    assert scope(db, "main.nx").ambiguous == {}
    assert lookup_type(db, "main.nx", "plan") == DeclarationId("a.nx", "plan")
    assert lookup_value(db, "main.nx", "plan") == DeclarationId("b.nx", "plan")


def test_derived_names_are_as_ambiguous_as_what_precedes_them() -> None:
    db = program(
        main='import "./a.nx" as X\nimport { Plan as X.Plan } from "./b.nx"\n',
        a="export type Plan = {}\n",
        b="export type Plan = {}\n",
    )
    for name in ("X.Plan", "X.Plan.Update"):
        found = ambiguity(db, "main.nx", "type", name)
        assert found is not None
        assert len(found.sources) == 2
    assert ambiguity(db, "main.nx", "value", "X.Plan") is None
    assert ambiguity(db, "main.nx", "type", "Plan") is None


def test_one_library_that_exports_a_name_twice() -> None:
    db = from_sources(
        {
            "main.nx": 'import "./lib"\n',
            "lib/a.nx": "export type Plan = {}\n",
            "lib/b.nx": "export type Plan = {}\n",
        }
    )
    assert lookup_type(db, "main.nx", "Plan") == DeclarationId("lib/a.nx", "Plan")
    found = ambiguity(db, "main.nx", "type", "Plan")
    assert found is not None
    assert [each.declaration.module for each in found.sources] == ["lib/a.nx", "lib/b.nx"]
