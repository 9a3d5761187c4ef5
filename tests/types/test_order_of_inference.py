"""Which results are known to whom (semantics 4.2, decisions 3 and 4)."""

from __future__ import annotations

from typed_programs import named, program, results

from nx_lsp.program.loading import from_sources
from nx_lsp.types.display import display
from nx_lsp.types.model import Type, VariableType
from nx_lsp.types.relations import holds_unknown
from nx_lsp.types.results import infer_on_demand, result_type


def test_the_examples_of_the_specification():
    found = results(
        """
let a() = { b() }
let b() = { 3 }
let c() = { b() }
let v = { b() }
let fact(n:int) = { if n == 0 { 1 } else { n * fact(n - 1) } }
let down(n:int) = { if n == 0 { 1 } else { down(n - 1) } }
let up(n:int): int = { if n == 0 { 1 } else { up(n - 1) } }
"""
    )
    assert found == {
        "a": "T1",
        "b": "int",
        "c": "int",
        "v": "T1",
        "fact": "<error>",
        "down": "object",
        "up": "int",
    }


def test_a_variable_is_not_known_however_deep():
    db = program("let a() = { b }\nlet b() = 1")
    found = result_type(db, named("a"))
    assert found is not None
    assert display(found) == "<function />: T1"
    assert holds_unknown(found)


def test_values_see_earlier_values_only():
    found = results("let a = { b }\nlet b = 1\nlet c = { b }\nlet f() = { c }\nlet d:int = { e }")
    assert found == {"a": "<error>", "b": "int", "c": "int", "f": "int", "d": "int"}


def test_functions_see_values_declared_after_them():
    assert results("let f() = { v }\nlet v = 1")["f"] == "int"


def test_a_component_sees_the_functions_before_it():
    text = "let f() = 1\ncomponent <C n:int = {f()} /> = { <div/> }\nlet g() = <C/>"
    assert results(text)["g"] == "C"


def test_another_module_of_the_workspace_is_not_known():
    text = 'import "./other.nx"\nlet f() = { g() }\nlet h() = { k() }\nlet w() = { v }'
    other = "export let g() = 1\nexport let k(): int = 1\nexport let v = 1"
    assert results(text, other=other) == {"f": "T3", "h": "int", "w": "<error>"}


def test_an_imported_library_is_known():
    db = from_sources(
        {
            "main.nx": 'import "./lib"\nlet f() = { g() }\nlet w() = { v }',
            "lib/one.nx": "export let g() = { h() }\nexport let v = 1",
            "lib/two.nx": "let h() = 1",
        },
        entry="main.nx",
    )
    found = {name: result_type(db, named(name)) for name in ("f", "w")}
    # g sees no result of another module of its own library, so it has none to tell
    assert found["f"] is not None
    assert isinstance(found["f"].item, VariableType)
    assert found["w"] is not None
    assert display(found["w"]) == "int"


def test_the_annotation_is_the_result_whatever_the_body():
    assert results('let f(): int = "x"') == {"f": "int"}


def test_a_long_chain_of_functions_ends():
    lines = ["let f0() = 1"] + [f"let f{i}() = {{ f{i - 1}() }}" for i in range(1, 2000)]
    db = program("\n".join(lines))
    found = result_type(db, named("f1999"))
    assert found is not None
    assert display(found) == "int"


def test_on_demand_the_order_does_not_count():
    db = program(
        """
let a() = { b() }
let b() = { 3 }
let v = { b() }
let fact(n:int) = { if n == 0 { 1 } else { n * fact(n - 1) } }
let even(n:int) = { odd(n) }
let odd(n:int) = { even(n) }
let uses() = { even(1) }
let empty() = {}
let g(b:int) = { b }
"""
    )

    def on_demand(name: str) -> str | None:
        found: Type | None = infer_on_demand(db, named(name))
        return None if found is None else display(found)

    assert on_demand("a") == "int"
    assert on_demand("v") == "int"
    assert on_demand("fact") is None
    assert on_demand("even") is None
    assert on_demand("uses") is None
    assert on_demand("empty") is None
    assert on_demand("g") == "int"


def test_a_parameter_named_like_a_function_is_no_recursion():
    db = program("let g() = { f(1) }\nlet f(g:int) = { g }")
    found = infer_on_demand(db, named("f"))
    assert found is not None
    assert display(found) == "int"


def test_a_default_that_names_a_hidden_function_does_not_recur():
    db = program("let g() = { f() }\nlet f(a:int = {g()}, g:int = 1) = { a }")
    assert infer_on_demand(db, named("g")) is not None
