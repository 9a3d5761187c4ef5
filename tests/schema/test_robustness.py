"""Broken, recursive and very large programs: an answer every time."""

from __future__ import annotations

import time

import pytest
from schema_validity import ask, ask_type, codes, input_of, messages, program, same

from nx_lsp import UnknownDeclaration


@pytest.mark.parametrize(
    "body",
    ["{ 1 + }", "{ if }", "<div", '"unclosed', "{ ", "", "{ a.b.( }", "{{{{"],
)
def test_a_function_with_a_broken_body_still_has_its_input_schema(body):
    source = f"type Plan = {{ n:int }}\nlet f(plan:Plan, n:int = 3): Plan = {body}\n"
    document = input_of(source)
    same(document["properties"]["plan"], {"$ref": "#/$defs/Plan"})
    assert document["required"] == ["plan"]


@pytest.mark.parametrize(
    "broken",
    [
        "type X = {",
        "type X = { a:int   /// Own.",
        "type X = { a:int b:",
        "type X = | a { n:int",
        "type X extends",
        "let g(a:",
        "let g( = 1",
        "let g(a:int",
        "let g(a:int): int = { if a { ",
        'let g() = "unclosed',
        "component <C",
        "component <C /> = { state { a:int",
        "<div>",
        "}}}}",
        "@@@",
    ],
)
def test_a_function_next_to_a_broken_declaration_is_answered_in_full(broken):
    sound = """
/// Finds.
///
/// More.
let f(
  /// Which.
  plan:Plan,
  state:State = on   /// How.
): Plan? = {}
/// A plan.
type Plan = { n:int }
type State = | on | off
"""
    plan = {
        "type": "object",
        "properties": {"n": {"type": "integer"}},
        "required": ["n"],
        "additionalProperties": False,
        "description": "A plan.",
    }
    for source in (f"{broken}\n{sound}", f"{sound}{broken}\n"):
        answer = ask(source)
        assert (answer["description"], answer["summary"]) == ("Finds.\n\nMore.", "Finds.")
        document = answer["inputSchema"]
        same(
            document["properties"],
            {
                "plan": {"$ref": "#/$defs/Plan", "description": "Which."},
                "state": {"$ref": "#/$defs/State", "description": "How.", "default": "on"},
            },
        )
        same(document["$defs"], {"Plan": plan, "State": {"type": "string", "enum": ["on", "off"]}})
        assert "outputSchema" in answer


@pytest.mark.parametrize(
    "source",
    [
        "let f(a:) = 1",
        "let f(a: = 1",
        "let f(a) = 1",
        "let f(a:int",
        "let f(",
        "let f(a:int, a:string): int = 1",
        "let f(a:<Page T= />): int = 1",
        "let f(a:<Page T=int U=int />): int = 1\ntype Page = { T:type n:T }",
        "let f(a:<Page />): int = 1\ntype Page = { T:type n:T }",
        "let f(a:int[]): int = 1",
        "let f(a:int?+): int = 1",
        "let f(a?:int = 3): int = 1",
        "let f(a:int where > ): int = 1",
        "let f(a:int where > 1.5 && < 2): int = 1",
        "let f(a:R): int = 1\ntype R extends R = { n:int }",
        "let f(a:R): int = 1\nabstract type R extends S = { n:int }\n"
        "abstract type S extends R = { m:int }",
        "let f(a:R): int = 1\ntype R extends C = { n:int }\ntype C = { m:int }",
        "let f(a:U): int = 1\ntype U =",
        "let f(a:U): int = 1\ntype U = a | a | b",
        "let f(a:U): int = 1\ntype U extends Nowhere = | a",
        "let f(a:R): int = 1\ntype R = { n:int n:string }",
        "let f(a:R): int = 1\ntype R = { n:int }\ntype R = { m:int }",
        "let f(a:R): int = 1\ntype R = { n:",
        "let f(a:A): int = 1\ntype A = B\ntype B = C+\ntype C = A",
        "let f(a:R): int = 1\nabstract type R = { T:type n:T }\ntype S extends R = { }",
        "let f(a:f): int = 1",
        "let f(a:v): int = 1\nlet v = 1",
        "let f(a:C.State): int = 1\ncomponent <C /> = { <b/> }",
        "let f(a:R.Update.Update): int = 1\ntype R = { n:int }",
        "let f(a:T.X): int = 1",
        'import "./nowhere.nx"\nlet f(a:Gone): int = 1',
        "let f(a:R): int = 1\ntype R = { type:int $type:int }",
    ],
)
def test_a_broken_program_is_answered(source):
    try:
        ask(source)
    except UnknownDeclaration:
        assert "let f(" in source
    asked = program(source)
    for module, name in asked.types():
        for direction in ("input", "output"):
            ask_type(asked, name, direction, module)
    for module, name in asked.functions():
        ask(asked, name, module=module)
    asked.diagnostics()
    asked.schema_diagnostics()


def test_every_prefix_of_a_program_is_answered():
    source = """
import "@nx/agent"
/// Doc [Plan].
abstract type Base = { id:int where in 1..=5 }
type Plan extends Base = { name:string = "x" status:Status = {Status.on} next?:Plan }
type Status = on | off { why:string }
component <C a:int /> = { state { n:int = 0 } <b/> }
let f(a:Base, p:<Range T=int />, c?:C.State, t:ToolContext): Plan* = { if true { 1 } }
"""
    for end in range(0, len(source), 7):
        asked = program(source[:end])
        for module, name in (*asked.functions(), *asked.types()):
            if module == "main.nx":
                asks = ask if (module, name) in asked.functions() else ask_type
                asks(asked, name, module=module)


def test_mutually_recursive_types_end():
    source = """
abstract type Node = { parent?:Node left?:Leaf }
type Leaf extends Node = { up:Branch+ kind:Kind }
type Branch extends Node = { leaves:Leaf+ kind?:Kind }
type Kind = | plain | wrapped { node:Node kind?:Kind }
let f(n:Node): Kind = {}
"""
    answer = ask(source, host=[("main.nx", "Nothing")])
    assert list(answer["inputSchema"]["$defs"]) == ["Leaf", "Branch", "Kind", "Kind.wrapped"]


CHAIN = 1200
"""More than Python lets calls be nested."""
ALIASES = 400


@pytest.mark.parametrize("last", ["n:int", "next:R0", "e:Element"])
def test_a_long_chain_of_records(last):
    records = [f"type R{n} = {{ next:R{n + 1} }}" for n in range(CHAIN - 1)]
    source = "\n".join([*records, f"type R{CHAIN - 1} = {{ {last} }}", "let f(r:R0): R0 = {}"])
    asked = program(source)
    started = time.process_time()
    answer = asked.function_schema("f", None, [("main.nx", f"R{CHAIN - 1}")])
    assert time.process_time() - started < 20
    assert [id.name for id in answer.parameters[0].host_supplied_within] == [f"R{CHAIN - 1}"]
    if last == "e:Element":
        assert answer.input_schema is None
    else:
        assert answer.input_schema is not None
        assert list(answer.input_schema["$defs"]) == [f"R{n}" for n in range(CHAIN)]


def test_a_long_chain_of_aliases():
    aliases = [f"type A{n} = A{n + 1}" for n in range(ALIASES)]
    source = "\n".join([*aliases, f"type A{ALIASES} = {{ n:int }}", "let f(a:A0): int = 1"])
    assert list(input_of(source)["$defs"]) == [f"A{ALIASES}"]


def test_a_long_chain_of_bases():
    bases = [f"abstract type B{n} extends B{n + 1} = {{ f{n}:int }}" for n in range(300)]
    source = "\n".join(
        [*bases, "abstract type B300 = { }", "type Leaf extends B0 = { }", "let f(a:B300): int = 1"]
    )
    assert list(input_of(source)["$defs"]) == ["Leaf"]
    assert len(input_of(source)["$defs"]["Leaf"]["properties"]) == 301


def test_deeply_nested_types_end():
    nested = "(" * 200 + "int" + ")" * 200
    assert ask(f"let f(a:{nested}): int = 1")["module"] == "main.nx"
    applied = "int"
    for _ in range(100):
        applied = f"<Page T={applied} />"
    source = f"type Page = {{ T:type n:T }}\nlet f(a:{applied}): int = 1"
    assert list(input_of(source)["$defs"]) == ["Page"]


def test_a_wide_union():
    cases = " | ".join(f"c{n}" for n in range(3000))
    assert len(input_of(f"type U = {cases}\nlet f(u:U): int = 1")["$defs"]["U"]["enum"]) == 3000


def test_repeated_declarations_answer_for_the_first():
    source = "let f(a:int): int = 1\nlet f(b:int): int = 1"
    assert list(input_of(source)["properties"]) == ["a"]


def test_a_repeated_descendant_makes_no_ambiguity():
    source = "abstract type B = { }\ntype A extends B = { n:int }\ntype A extends B = { m:int }\n"
    assert codes(ask(f"{source}let f(b:B): int = 1")) == []


def test_names_that_only_look_derived():
    source = "type Update = { n:int }\nlet f(a:Update): int = 1"
    assert list(input_of(source)["$defs"]) == ["Update"]
    answer = ask("let f(a:Update): int = 1")
    assert messages(answer)[0].startswith("Parameter `a` has the type `Update`")
