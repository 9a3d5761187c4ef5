"""What is in scope at the top level of a module (semantics 2.1, 2.2, 2.4, 2.8)."""

from __future__ import annotations

from program_reports import all_reports, main, program

from nx_lsp.program.declarations import DeclarationId
from nx_lsp.program.loading import from_sources
from nx_lsp.program.queries import (
    lookup_element,
    lookup_type,
    lookup_value,
    scope,
    visible_type_names,
)

PRELUDE = "@nx/prelude.nx"


def test_each_kind_of_declaration_has_its_namespaces() -> None:
    db = program(
        main="""
let f(a:int) = {a}
let <F a:int /> = <b/>
let v = 1
type R = { a:int }
action A = { a:int }
type U = x | y
type L = string
component <C /> = { <b/> }
"""
    )
    found = scope(db, "main.nx")
    own = {
        namespace: {name for name, id in names.items() if id.module == "main.nx"}
        for namespace, names in [
            ("value", found.values),
            ("type", found.types),
            ("element", found.elements),
        ]
    }
    assert own == {
        "value": {"f", "F", "v"},
        "type": {"R", "A", "U", "L"},
        "element": {"f", "F", "R", "A", "C"},
    }


def test_a_type_reference_falls_to_components() -> None:
    db = program(main="component <C /> = { <b/> }\nlet f(a:int) = {a}\n")
    assert lookup_type(db, "main.nx", "C") == main("C")
    assert lookup_type(db, "main.nx", "f") is None


def test_companions_in_the_element_namespace() -> None:
    db = program(main="type R = { a:int }\n")
    assert lookup_element(db, "main.nx", "R.Update") == main("R.Update")
    assert lookup_element(db, "main.nx", "R.Property") is None
    assert lookup_value(db, "main.nx", "R.Update") is None


def test_the_root_element_is_a_function() -> None:
    db = program(main="<page/>\n", other='import "./main.nx"\n')
    assert lookup_value(db, "main.nx", "root") == main("root")
    assert lookup_value(db, "other.nx", "root") == main("root")


def test_workspace_modules_see_each_other_by_import_only() -> None:
    db = program(main="", other="export type A = {}\n")
    assert lookup_type(db, "main.nx", "A") is None


def test_own_declarations_then_imports_then_implicit_then_prelude() -> None:
    modules = {
        "main.nx": 'import "./written.nx"\nprivate type A = {}\n',
        "written.nx": "export type A = {}\nexport type B = {}\n",
        "given.nx": "export type A = {}\nexport type B = {}\nexport type C = {}\n"
        "export type Range = {}\n",
    }
    db = from_sources(modules, implicit_imports=["given.nx"])
    assert all_reports(db) == ()
    assert lookup_type(db, "main.nx", "A") == main("A")
    assert lookup_type(db, "main.nx", "B") == DeclarationId("written.nx", "B")
    assert lookup_type(db, "main.nx", "C") == DeclarationId("given.nx", "C")
    assert lookup_type(db, "main.nx", "Range") == DeclarationId("given.nx", "Range")
    assert lookup_type(db, "written.nx", "Range") == DeclarationId("given.nx", "Range")
    assert scope(db, "main.nx").ambiguous == {}


def test_the_prelude_is_seen_by_all() -> None:
    db = from_sources({"main.nx": 'import "./lib"\n', "lib/a.nx": ""})
    for module in ("main.nx", "lib/a.nx"):
        assert lookup_type(db, module, "Range") == DeclarationId(PRELUDE, "Range")
        assert lookup_type(db, module, "Range.Update") == DeclarationId(PRELUDE, "Range.Update")


def test_an_implicit_import_gives_nothing_to_itself_or_to_libraries() -> None:
    modules = {
        "main.nx": 'import "./lib"\n',
        "given.nx": 'import "./second.nx" as S\n',
        "second.nx": "export type A = {}\n",
        "lib/a.nx": "",
    }
    db = from_sources(modules, implicit_imports=["given.nx", "second.nx"])
    assert lookup_type(db, "main.nx", "A") == DeclarationId("second.nx", "A")
    assert lookup_type(db, "given.nx", "A") is None
    assert lookup_type(db, "lib/a.nx", "A") is None


def test_an_implicit_import_beside_a_selective_or_aliased_one() -> None:
    modules = {
        "main.nx": 'import { A as X.A } from "./given.nx"\n',
        "given.nx": "export type A = {}\nexport type B = {}\n",
    }
    db = from_sources(modules, implicit_imports=["given.nx"])
    assert all_reports(db) == ()
    assert lookup_type(db, "main.nx", "X.A") == DeclarationId("given.nx", "A")
    assert lookup_type(db, "main.nx", "A") == DeclarationId("given.nx", "A")


# ---------------------------------------------------------------- libraries

LIBRARY = {
    "main.nx": 'import "./lib"\n',
    "lib/a.nx": "type Open = {}\nprivate type Closed = {}\nexport type Out = {}\n",
    "lib/b.nx": "",
}


def test_modules_of_a_library_see_each_others_names() -> None:
    db = from_sources(LIBRARY)
    assert lookup_type(db, "lib/b.nx", "Open") == DeclarationId("lib/a.nx", "Open")
    assert lookup_type(db, "lib/b.nx", "Out.Update") == DeclarationId("lib/a.nx", "Out.Update")
    assert lookup_type(db, "lib/b.nx", "Closed") is None
    assert lookup_type(db, "lib/a.nx", "Closed") == DeclarationId("lib/a.nx", "Closed")
    assert lookup_type(db, "main.nx", "Open") is None


def test_a_name_that_two_modules_of_a_library_declare_binds_in_neither_third() -> None:
    modules = {
        "main.nx": 'import "./lib"\n',
        "lib/a.nx": "type Twice = {}\n",
        "lib/b.nx": "type Twice = {}\n",
        "lib/c.nx": "",
        "lib/d.nx": "private type Twice = {}\n",
    }
    db = from_sources(modules)
    assert lookup_type(db, "lib/a.nx", "Twice") == DeclarationId("lib/a.nx", "Twice")
    assert lookup_type(db, "lib/d.nx", "Twice") == DeclarationId("lib/d.nx", "Twice")
    assert lookup_type(db, "lib/c.nx", "Twice") is None
    for module in ("lib/a.nx", "lib/b.nx", "lib/d.nx"):
        assert all_reports(db, module) == ()
    [report] = all_reports(db, "lib/c.nx")
    assert report.code == "lowering-error"
    assert report.primary is not None
    assert (report.primary.place.start, report.primary.place.end) == (0, 0)
    assert "`lib/a.nx` and `lib/b.nx`" in report.message


def test_imports_come_before_the_rest_of_the_library() -> None:
    modules = {
        "main.nx": 'import "./lib"\n',
        "lib/a.nx": 'import "../more"\n',
        "lib/b.nx": "export type A = {}\n",
        "more/c.nx": "export type A = {}\n",
    }
    db = from_sources(modules)
    assert lookup_type(db, "lib/a.nx", "A") == DeclarationId("more/c.nx", "A")


# ---------------------------------------------------------------- repeated names, suggestions


def test_the_first_of_repeated_declarations_is_bound() -> None:
    db = program(main="type A = { a:int }\nlet A = 1\n")
    assert lookup_type(db, "main.nx", "A") == main("A")
    assert lookup_value(db, "main.nx", "A") is None


def test_dotted_names_of_element_functions_and_components() -> None:
    db = program(main="let <kit.date-sign a:int /> = <b/>\ncomponent <kit.Card /> = { <b/> }\n")
    assert lookup_element(db, "main.nx", "kit.date-sign") == main("kit.date-sign")
    assert lookup_type(db, "main.nx", "kit.Card") == main("kit.Card")


def test_names_that_a_type_reference_can_use() -> None:
    db = program(main="type R = {}\ntype U = a | b\ncomponent <C /> = { <b/> }\nlet v = 1\n")
    assert set(visible_type_names(db, "main.nx")) == {
        "R",
        "R.Update",
        "R.Property",
        "U",
        "C",
        "Range",
        "Range.Update",
        "Range.Property",
    }


def test_unknown_modules_have_an_empty_scope() -> None:
    db = program(main="")
    assert scope(db, "nope.nx").types == {}
    assert lookup_type(db, "nope.nx", "Range") is None
