"""Spelling trees back to text (decision 16, editor-experience 4.1)."""

from __future__ import annotations

import pytest

from nx_lsp.syntax import tree
from nx_lsp.syntax.source_file import SyntaxFile
from nx_lsp.syntax.spelling import (
    spell_case,
    spell_declaration,
    spell_emit,
    spell_expression,
    spell_property,
    spell_signature,
    spell_type,
)


def declaration(text: str) -> tree.Node:
    file = SyntaxFile.parse(text)
    assert file.problems() == ()
    return file.pieces[0].tree


def type_of(text: str) -> tree.TypeNode:
    node = declaration(f"type A = {text}")
    assert isinstance(node, tree.AliasNode)
    return node.type


@pytest.mark.parametrize(
    ("written", "spelled"),
    [
        ("int", "int"),
        ("A . B\n. C", "A.B.C"),
        ("int  +", "int+"),
        ("( int ? )", "(int?)"),
        ("((int))*", "((int))*"),
        ("<Page  T = Plan/>", "<Page T=Plan />"),
        ("<Pair A=string B=<Crate T=int/>/>+", "<Pair A=string B=<Crate T=int /> />+"),
        ("<Crate/>", "<Crate />"),
        ("<function/>:int", "<function />: int"),
        ("<function ... />:object*", "<function ... />: object*"),
        ("<function Item:string />:string", "<function Item:string />: string"),
        (
            "<function a:int content b ? :string+/> : <function/>:R",
            "<function a:int content b?:string+ />: <function />: R",
        ),
        ("(<function n:int/>: int)+", "(<function n:int />: int)+"),
        ("int where in 1..=10", "int where in 1..=10"),
        ("int where in 1 .. 10", "int where in 1..10"),
        ("int where>0&&<10", "int where > 0 && < 10"),
        ("int where >=  -40 && <= 60", "int where >= -40 && <= 60"),
        ("float64 where in 0.0..", "float64 where in 0.0.."),
        ("int where in ..=0x1F", "int where in ..=0x1F"),
        ("int where in ..5", "int where in ..5"),
        ("(int where in - 5..=5)+", "(int where in -5..=5)+"),
        ("int /* x */ where // y\n > 0", "int where > 0"),
    ],
)
def test_types(written: str, spelled: str) -> None:
    assert spell_type(type_of(written)) == spelled
    assert spell_type(type_of(spelled)) == spelled


@pytest.mark.parametrize(
    ("written", "spelled"),
    [
        ("maxPrice ? : int", "maxPrice?:int"),
        ("content body?:Element", "content body?:Element"),
        ("size:int=12", "size:int = 12"),
        ("soil-kind:string", "soil-kind:string"),
        ("T:type", "T:type"),
        ("teamSize : int where > 0", "teamSize:int where > 0"),
        ("slope:float64 = - 1.5", "slope:float64 = -1.5"),
        ("a:Season = autumn", "a:Season = autumn"),
        ('a:string = "x\\"y"', 'a:string = "x\\"y"'),
        ("a:int = { 2*15 }", "a:int = { 2 * 15 }"),
        ("a:int = {2 *\n15}", "a:int = {2 * 15}"),
        ("a:int+ = { 1 2 }", "a:int+ = { 1 2 }"),
        ("a:Element = <p x = 1/>", "a:Element = <p x=1 />"),
    ],
)
def test_properties(written: str, spelled: str) -> None:
    node = declaration(f"type R = {{ {written} }}")
    assert isinstance(node, tree.RecordNode)
    assert spell_property(node.fields[0]) == spelled


@pytest.mark.parametrize(
    "text",
    [
        "1", "0xFF", "1.5e3", "true", "()", "{}", "-x", "!done", "!(a && b)", "a.b?.c", "a?",
        "a? .b", "f(1, {})()", "f({1 2})", "(p + q) ?? r", "1..=5", "a..b + 1", "p < q == r",
        "x % 2 / 3 * 4 - 5", "a || b",
        "if a {1} else {2}", "if { a => 1 b => {} else => 3 }",
        'if n is { -1 => "none" 0, 1 => "low" {} => 2 Outcome.done => 3 else => {"a" "b"} }',
        "for i in 1..=4 {i * i}", "for x, i in xs {}",
        '<p a="b" c=<d /> e={1 2} />', "<p>text {n} <b>bold</b></p>", "<p></p>",
        "<p:>a &amp; \\{ {x}</p>", "<p:md x=1>c@d @{x} \\@</p>", "<p:md raw>{x}</p>",
        "<p:raw>x</p>",
        "<p>for x in xs { <b /> } if a { <b /> } else { {1} }</p>",
        "<p if a { x=1 } else { y=2 } if { a => x=1 else =>  } />",
    ],
)  # fmt: skip
def test_expressions_in_their_own_spelling(text: str) -> None:
    node = declaration(f"let a = {{{text}}}")
    assert isinstance(node, tree.ValueNode)
    assert isinstance(node.value, tree.Braced)
    expected = text
    if not node.value.items:
        assert spell_expression(node.value) == "{}"
        return
    assert spell_expression(node.value.items[0]) == expected


PLANS = """\
export let findPlans(
  /// How many people need a seat.
  teamSize:int where > 0,
  maxMonthlyPrice ? :int, // dropped
  context:ToolContext = <ToolContext/>
): Plan* = { 1 }
"""


def signature(text: str, result: str | None = None) -> str:
    node = declaration(text)
    assert isinstance(node, (tree.FunctionNode, tree.ComponentNode))
    return spell_signature(node, result=result)


def test_a_short_signature_takes_one_line() -> None:
    assert signature("let area(width :float64,depth:float64=1.0):float64 = {1}") == (
        "let area(width:float64, depth:float64 = 1.0): float64"
    )
    assert signature("let always() = true") == "let always()"
    assert signature("let always() = true", "boolean") == "let always(): boolean"
    assert signature("let always(): int = 1", "boolean") == "let always(): int"
    assert signature(
        "let <Sign text:string size:int = 12 content body?:Element/>:Element = <p/>"
    ) == ("let <Sign text:string size:int = 12 content body?:Element />: Element")
    assert signature("let <x.y-z/> = <p/>") == "let <x.y-z />"


def test_a_long_signature_takes_one_line_a_parameter() -> None:
    assert (
        signature(PLANS)
        == """\
export let findPlans(
  teamSize:int where > 0,
  maxMonthlyPrice?:int,
  context:ToolContext = <ToolContext />
): Plan*"""
    )
    assert (
        signature(
            "let <LongElementFunction firstParameter:string secondParameter:string x:int /> = <p/>",
            "Element",
        )
        == """\
let <LongElementFunction
  firstParameter:string
  secondParameter:string
  x:int
/>: Element"""
    )


def test_eighty_columns_fit_and_one_more_does_not() -> None:
    name = "f" * (80 - len("let (a:int, b:int): int"))
    fitting = signature(f"let {name}(a:int, b:int): int = 1")
    assert len(fitting) == 80
    assert "\n" not in fitting
    assert signature(f"let {name}g(a:int, b:int): int = 1").count("\n") == 3


def test_component_signatures() -> None:
    assert (
        signature("abstract  external component <Node/>") == "abstract external component <Node />"
    )
    assert signature(
        "component <C extends x.B T:type a:T emits { E { b:int } x.F }/> = {<p/>}"
    ) == ("component <C extends x.B T:type a:T emits { E { b:int } x.F } />")
    text = """\
private component <Picker extends Control
  T:type choices:T+ label?:string
  emits { Moved extends Touch { far:boolean } Cleared { } Picked } /> = { <p/> }
"""
    assert (
        signature(text)
        == """\
private component <Picker extends Control
  T:type
  choices:T+
  label?:string
  emits {
    Moved extends Touch { far:boolean }
    Cleared {}
    Picked
  }
/>"""
    )


@pytest.mark.parametrize(
    ("written", "spelled"),
    [
        ("type Marker={ }", "type Marker = {}"),
        (
            "export abstract type A extends x.B={ a:int b?:string }",
            "export abstract type A extends x.B = {\n  a:int\n  b?:string\n}",
        ),
        ("action Go = { content c:int = 1 }", "action Go = {\n  content c:int = 1\n}"),
        ("type S = | a|b | c", "type S = a | b | c"),
        ("private type S extends T = a | b", "private type S extends T = a | b"),
        ("type S = |a", "type S = | a"),
        (
            "type S = a | b { x:int y:int = 1 } | c { }",
            "type S =\n  | a\n  | b { x:int y:int = 1 }\n  | c {}",
        ),
        ("type K = float64", "type K = float64"),
        ("let total:int = {1}", "let total:int"),
        ("let total = {1}", "let total"),
        ("let f() = 1", "let f()"),
        ("abstract component <A />", "abstract component <A />"),
    ],
)
def test_declarations(written: str, spelled: str) -> None:
    node = declaration(written)
    assert not isinstance(node, (tree.Import, tree.RootNode, tree.ErrorNode))
    assert spell_declaration(node) == spelled  # type: ignore[arg-type]


def test_many_cases_take_a_line_each() -> None:
    cases = [f"someLongCaseName{n}" for n in range(6)]
    node = declaration("type S = " + " | ".join(cases))
    assert isinstance(node, tree.UnionNode)
    assert spell_declaration(node) == "type S =\n" + "\n".join(f"  | {case}" for case in cases)
    assert spell_case(node.cases[0]) == "someLongCaseName0"


def test_an_inferred_type_stands_where_none_is_written() -> None:
    node = declaration("let total = {1}")
    assert isinstance(node, tree.ValueNode)
    assert spell_declaration(node, result="int") == "let total:int"


def test_emits() -> None:
    node = declaration("abstract component <A emits { B extends C { d:int } e . F } />")
    assert isinstance(node, tree.ComponentNode)
    assert [spell_emit(each) for each in node.emits] == ["B extends C { d:int }", "e.F"]


def test_depth_is_no_problem() -> None:
    node: tree.TypeNode = tree.NamedType(0, 1, tree.DottedName(0, 1, [tree.Name(0, 1, "T")]))
    for _ in range(5000):
        node = tree.ParenthesizedType(0, 1, node)
    assert spell_type(node) == "(" * 5000 + "T" + ")" * 5000
