"""Whatever the text: an answer, never an exception (semantics 3.1: error relates to everything)."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typed_programs import MAIN, program

from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.syntax import tree
from nx_lsp.types.diagnostics import type_diagnostics
from nx_lsp.types.display import display
from nx_lsp.types.resolution import declared_type
from nx_lsp.types.results import (
    binding_of,
    expression_type,
    infer_on_demand,
    inferred,
    result_type,
    value_type,
)

WHOLE = """
import "./other.nx"
import { Far as O.Far } from "./other.nx"
abstract type Base = { id:int }
type Plan extends Base = { name:string price:float64 where > 0.0 = 0.5 tags?:string+ next?:Plan }
type Page = { T:type items:T+ next?:T make?:<function x:T />: T }
type Load = ready | failed { message:string code:int = {1 + 2} }
type Shape extends Base = circle { r:int } | point
type Names = string+
type Stars = int where in 1..=5
type Loop = <Page T=Loop2/>
type Loop2 = Loop
action Save = { path:string }
let limit:int = 3
let both = { limit 2.5 "x" }
let f(p?:Plan, n:int = {limit}) = { if p? { p.name } else { "none" + n } }
let g(s?:Shape) = { if s is { circle => s.r {} => 0 else => s.id } }
let h(ps:Plan+) = { for p, i in ps { if { i > 3 => p.price p.next? => p.next.price else => {} } } }
let even(n:int) = { odd(n - 1) }
let odd(n:int) = { even(n - 1) ?? apply(n, n) }
let <Row content label:Names draw?:<function ... />: object* /> = <row>{label} text</row>
let made() = <Page T=Plan items={<Plan id=1 name="x" />} />
let cases() = { Load.ready Plan.Property.name O.Far.x Load.failed }
abstract component <Card T:type title:T emits { Picked { n:int } Save } />
component <Stepper extends Card by:int = 1 last?:Property /> = {
  state { n:int = 0 }
  <Card T=string title="x" if by > 1 { by=2 } onPicked=<Update n={n + action.n} />>
    for i in 1..=by { <b>{i}</b> if i is { 1 => <i/> } }
  </Card>
}
<Stepper by=2><p: size=1>Hello {limit} &amp; \\{x\\}</p></Stepper>
"""

TOKENS = re.findall(r"\w+|[^\w\s]|\s+", WHOLE)


def ask_everything(db: ProgramDatabase) -> None:
    """Every answer of the layer, for every declaration and every node."""
    for each in type_diagnostics(db, MAIN):
        assert each.message
        assert each.primary is not None
        queries.absolute(db, each.primary.place)
    for id in queries.declarations(db, MAIN):
        for type in (result_type(db, id), value_type(db, id), declared_type(db, id)):
            if type is not None:
                display(type)
        infer_on_demand(db, id)
        inferred(db, id, True)
        piece = queries.piece(db, MAIN, id.name)
        if piece is not None:
            for node in tree.walk(piece.tree):
                expression_type(db, id, node)
                binding_of(db, id, node)


OTHER = "export type Far = { x:int }\nexport let far() = 1\nexport let v = 1"


def test_the_whole_program_can_be_asked():
    ask_everything(program(WHOLE, other=OTHER))


@settings(max_examples=30)
@given(st.data())
def test_no_mutation_of_a_program_fails(data):
    tokens = list(TOKENS)
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(tokens) - 1))
        match data.draw(st.sampled_from(["drop", "repeat", "swap", "name", "cut"])):
            case "drop":
                tokens[at] = ""
            case "repeat":
                tokens.insert(at, tokens[at])
            case "swap":
                other = data.draw(st.integers(0, len(tokens) - 1))
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case "name":
                names = ["Plan", "Loop", "even", "T", "x", "Update", "{", "}", "<", "/>", "?", "if"]
                tokens[at] = data.draw(st.sampled_from(names))
            case "cut":
                del tokens[at + 1 :]
    ask_everything(program("".join(tokens), other=OTHER))


@pytest.mark.parametrize(
    "text",
    [
        "let f() = {" + "(" * 300 + "1" + ")" * 300 + "}",
        "let f() = {" + "if true {" * 180 + "1" + "}" * 180 + "}",
        "let f() = {" + " + ".join(["1"] * 3000) + "}",
        "let f(u:int) = {u" + ".a" * 3000 + "}",
        "let f() = " + "<a>" * 300 + "</a>" * 300,
        "let f(x:" + "<Page T=" * 150 + "int" + "/>" * 150 + ") = 1\ntype Page = { T:type item:T }",
        "type A = <Page T=<Page T=A/>/>\ntype Page = { T:type item:<Page T=T/> }\nlet f(a:A) = {a}",
        "type A extends A = { x:A }\nabstract type B extends C = {}\nabstract type C extends B = {}"
        "\nlet f(b:B, c:C, n:boolean) = { if n {b} else {c} }",
        "component <C extends C /> = { <C/> }\nlet f() = <C/>",
        "let a = {b}\nlet b = {a}\nlet c = {c}",
        "let apply(a:int) = {a}\nlet f() = {apply(1)}",
        "let f(f:<function f:int />: int) = <f f={f} />",
        "type int = { x:int }\nlet f(a:int) = {a.x}",
    ],
)
def test_extremes_end_with_an_answer(text):
    ask_everything(program(text))


def test_libraries_that_import_each_other_end():
    from nx_lsp.program.loading import from_sources

    db = from_sources(
        {
            "main.nx": 'import "./a"\nlet f() = { fa() }',
            "a/x.nx": 'import "../b"\nexport let fa() = { fb() }',
            "b/x.nx": 'import "../a"\nexport let fb() = { fa() }',
        },
        entry="main.nx",
    )
    for module in db.identities:
        for id in queries.declarations(db, module):
            result_type(db, id)
            infer_on_demand(db, id)
        type_diagnostics(db, module)
