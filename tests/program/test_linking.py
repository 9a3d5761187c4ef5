"""Which modules a program has and in which order (semantics 1.2 to 1.6, decisions 5 and 6)."""

from __future__ import annotations

import pytest

from nx_lsp.program.database import ModuleOrigin, ProgramDatabase
from nx_lsp.program.diagnostics import module_diagnostics
from nx_lsp.program.loading import (
    build,
    from_sources,
    inputs_from_sources,
    rebuild,
)


def codes(db: ProgramDatabase) -> list[str]:
    assert all(not each.labels for each in db.problems)
    return [each.code for each in db.problems]


def test_the_prelude_is_always_there_and_first() -> None:
    db = from_sources({})
    assert db.identities == ("@nx/prelude.nx",)
    assert db.modules[0].origin is ModuleOrigin.PRELUDE


def test_the_workspace_keeps_the_hosts_order() -> None:
    db = from_sources({"z.nx": "", "a.nx": "", "m.nx": ""})
    assert db.identities == ("@nx/prelude.nx", "z.nx", "a.nx", "m.nx")


def test_the_agent_library_is_linked_only_when_imported() -> None:
    assert "@nx/agent/agent.nx" not in from_sources({"main.nx": ""}).identities
    db = from_sources({"deep/er/main.nx": 'import "@nx/agent"\n'})
    assert db.identities == ("@nx/prelude.nx", "@nx/agent/agent.nx", "deep/er/main.nx")
    module = db.module("@nx/agent/agent.nx")
    assert module is not None
    assert (module.origin, module.library_root) == (ModuleOrigin.STANDARD, "@nx/agent")


# ---------------------------------------------------------------- identities and entry


def test_refused_identities_are_named_and_left_out() -> None:
    db = from_sources({"/a.nx": "", "b//c.nx": "", "@nx/x.nx": "", "ok.nx": "", "./ok.nx": ""})
    assert codes(db) == ["workspace-identity-error"] * 4
    assert [m for m in db.identities if not m.startswith("@nx/")] == ["ok.nx"]
    assert "`/a.nx`" in db.problems[0].message
    assert "`ok.nx`" in db.problems[3].message


def test_identities_are_normalized() -> None:
    db = from_sources({" ./shared/../tools.nx ": ""})
    assert db.identities[-1] == "tools.nx"


def test_the_entry_is_chosen_by_identity() -> None:
    assert from_sources({"a.nx": "", "b.nx": ""}, entry="./b.nx").entry == "b.nx"


def test_a_single_module_is_the_entry() -> None:
    assert from_sources({"a.nx": ""}).entry == "a.nx"
    assert from_sources({"a.nx": "", "b.nx": ""}).entry is None


@pytest.mark.parametrize(
    ("entry", "code"),
    [("c.nx", "workspace-entry-not-found"), ("a//b", "workspace-entry-identity-error")],
)
def test_a_bad_entry_is_a_problem_without_a_place(entry: str, code: str) -> None:
    db = from_sources({"a.nx": ""}, entry=entry)
    assert db.entry is None
    assert codes(db) == [code]


# ---------------------------------------------------------------- directory libraries


def test_a_directory_that_an_import_names_is_a_library() -> None:
    db = from_sources(
        {
            "zoo.nx": "",
            "libraries/catalog/Plans.nx": "",
            "libraries/catalog/deep/More.nx": "",
            "main.nx": 'import "./libraries/catalog"\n',
        }
    )
    assert db.identities == (
        "@nx/prelude.nx",
        "libraries/catalog/Plans.nx",
        "libraries/catalog/deep/More.nx",
        "zoo.nx",
        "main.nx",
    )
    plans = db.module("libraries/catalog/Plans.nx")
    assert plans is not None
    assert plans.origin is ModuleOrigin.LIBRARY
    assert plans.library_root == "libraries/catalog"
    assert db.problems == ()


def test_a_module_of_the_name_wins_over_the_directory() -> None:
    db = from_sources({"plans": "", "plans/a.nx": "", "main.nx": 'import "./plans"\n'})
    assert db.libraries == {}


def test_libraries_are_found_through_libraries() -> None:
    db = from_sources(
        {
            "main.nx": 'import "./b"\n',
            "b/one.nx": 'import "../a"\n',
            "a/two.nx": "",
        }
    )
    assert db.libraries == {"a": ("a/two.nx",), "b": ("b/one.nx",)}
    assert db.identities[1:] == ("a/two.nx", "b/one.nx", "main.nx")


def test_an_inner_library_is_taken_out_of_the_outer_one() -> None:
    db = from_sources(
        {
            "main.nx": 'import "./lib"\nimport "./lib/inner"\n',
            "lib/a.nx": "",
            "lib/inner/b.nx": "",
        }
    )
    assert db.libraries == {"lib": ("lib/a.nx",), "lib/inner": ("lib/inner/b.nx",)}


def test_a_module_cannot_turn_its_own_directory_into_a_library() -> None:
    db = from_sources({"lib/a.nx": 'import "../lib"\n', "lib/b.nx": "", "main.nx": ""})
    assert db.libraries == {}
    assert "lib/a.nx" in db.identities


def test_libraries_that_only_import_each_other_stay_in_the_program() -> None:
    db = from_sources({"a/x.nx": 'import "../b"\n', "b/y.nx": 'import "../a"\n'})
    assert db.identities[1:] == ("a/x.nx", "b/y.nx")


def test_libraries_are_ordered_segment_by_segment() -> None:
    db = from_sources(
        {
            "main.nx": 'import "@nx/agent"\nimport "./a/z"\nimport "./a-b"\n',
            "a-b/m.nx": "",
            "a/z/m.nx": "",
        }
    )
    # "a" < "a-b" as segments, though "a-b" < "a/z" as text.
    assert list(db.libraries) == ["@nx/agent", "a/z", "a-b"]


def test_an_entry_that_belongs_to_a_library_says_so() -> None:
    db = from_sources({"lib/a.nx": "", "main.nx": 'import "./lib"\n'}, entry="lib/a.nx")
    assert codes(db) == ["workspace-entry-not-found"]
    assert db.problems[0].help is not None
    assert "`lib`" in db.problems[0].help


# ---------------------------------------------------------------- given libraries


def test_a_given_library_is_linked_when_imported() -> None:
    libraries = {"libraries/catalog": {"b.nx": "", "a/c.nx": ""}}
    unused = from_sources({"main.nx": ""}, libraries=libraries)
    assert unused.libraries == {}
    used = from_sources({"main.nx": 'import "libraries/catalog"\n'}, libraries=libraries)
    assert used.libraries == {
        "libraries/catalog": ("libraries/catalog/a/c.nx", "libraries/catalog/b.nx")
    }


def test_a_library_is_also_found_by_the_end_of_its_root() -> None:
    libraries = {"libraries/catalog": {"a.nx": ""}}
    db = from_sources({"main.nx": 'import "catalog"\n'}, libraries=libraries)
    assert list(db.libraries) == ["libraries/catalog"]


def test_a_workspace_module_may_not_lie_in_a_given_library() -> None:
    db = from_sources({"lib/a.nx": ""}, libraries={"lib": {"b.nx": ""}})
    assert codes(db) == ["workspace-module-in-library-root"]


@pytest.mark.parametrize(
    ("root", "code"), [("@nx/mine", "library-root-reserved"), ("/abs", "library-load-error")]
)
def test_bad_library_roots_are_refused(root: str, code: str) -> None:
    assert codes(from_sources({"main.nx": ""}, libraries={root: {"a.nx": ""}})) == [code]


# ---------------------------------------------------------------- implicit imports


def test_implicit_imports_link_and_are_checked() -> None:
    db = from_sources({"a.nx": "", "b.nx": ""}, implicit_imports=["@nx/agent", "./a.nx"])
    assert db.implicit_imports == ("@nx/agent", "a.nx")
    assert "@nx/agent/agent.nx" in db.identities


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("nope.nx", "implicit-import-not-found"),
        ("@nx/nope", "unknown-standard-library"),
        ("lib", "implicit-import-ambiguous"),
    ],
)
def test_bad_implicit_imports_have_no_place(name: str, code: str) -> None:
    db = from_sources(
        {"main.nx": "", "lib": ""}, libraries={"lib": {"a.nx": ""}}, implicit_imports=[name]
    )
    assert codes(db) == [code]
    assert db.implicit_imports == ()


# ---------------------------------------------------------------- texts and rebuilding


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    module = from_sources({"a.nx": "\ufefflet a = 1\n"}).module("a.nx")
    assert module is not None
    assert module.file.text == "let a = 1\n"


def test_a_rebuild_keeps_the_modules_that_did_not_change() -> None:
    inputs = inputs_from_sources({"a.nx": "let a = 1\n", "b.nx": "let b = 2\n"})
    db = build(inputs)
    before = {module.identity: module for module in db.modules}
    edited = inputs.with_text("b.nx", "let c = 3\n")
    assert rebuild(db, edited)
    after = {module.identity: module for module in db.modules}
    assert after["a.nx"] is before["a.nx"]
    assert after["b.nx"].file.text == "let c = 3\n"
    assert not rebuild(db, edited.with_text("b.nx", "let c = 3\n"))


def test_a_rebuild_can_add_and_remove_modules() -> None:
    inputs = inputs_from_sources({"a.nx": ""})
    db = build(inputs)
    more = inputs.with_text("lib/b.nx", "").with_text("a.nx", 'import "./lib"\n')
    rebuild(db, more)
    assert db.identities[1:] == ("lib/b.nx", "a.nx")
    rebuild(db, more.without("lib/b.nx"))
    assert db.identities[1:] == ("a.nx",)
    assert db.module("lib/b.nx") is None


def test_an_edit_keeps_the_pieces_it_does_not_touch() -> None:
    inputs = inputs_from_sources({"a.nx": "let a = 1\nlet b = 2\n"})
    edited = inputs.with_text("a.nx", "\n\nlet a = 1\nlet b = 3\n")
    before, after = inputs.workspace[0].file, edited.workspace[0].file
    assert after.piece("a") is before.piece("a")
    assert after.piece("b") is not before.piece("b")


def test_an_edit_in_a_given_library() -> None:
    inputs = inputs_from_sources({"main.nx": 'import "lib"\n'}, libraries={"lib": {"a.nx": ""}})
    db = build(inputs.with_text("lib/a.nx", "let a = 1\n"))
    module = db.module("lib/a.nx")
    assert module is not None
    assert module.file.text == "let a = 1\n"
    assert module.origin is ModuleOrigin.LIBRARY
    assert db.problems == ()


def test_an_edit_of_one_body_runs_nothing_about_other_modules() -> None:
    texts = {
        "a.nx": "export type A = { a:int }\nexport let f(): int = 1\n",
        "b.nx": 'import "./a.nx"\n/// See [A].\ntype B = { a:A }\n',
    }
    inputs = inputs_from_sources(texts)
    db = build(inputs)
    for module in db.identities:
        module_diagnostics(db, module)
    db.runs.clear()
    rebuild(db, inputs.with_text("a.nx", "export type A = { a:int }\nexport let f(): int = 2\n"))
    assert module_diagnostics(db, "b.nx") == ()
    assert db.runs["declared_names"] == 0
    assert db.runs["declaration"] == 0
    assert db.runs["scope"] == 0
    assert db.runs["module_diagnostics"] == 0
