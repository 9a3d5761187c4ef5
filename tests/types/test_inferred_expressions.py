"""Every row of the table of expressions (semantics 4.3), with what the specification says."""

from __future__ import annotations

import pytest
from typed_programs import reported, result, results

DECLARED = """
type Plan = { name:string price:float64 note?:string tags?:string+ }
type User = { name:string email?:Email plan?:Plan }
type Email = { host:string }
type Status = active | closed
type Load = ready | failed { message:string }
abstract type Base = { id:int }
type Shape extends Base = circle { r:int } | square { s:int } | point
type Page = { T:type items:T+ next?:T }
action Save = { path:string }
component <Card title:string emits { Picked { n:int } } /> = { state { n:int = 0 } <div/> }
"""


def last(text: str) -> str:
    return result(DECLARED + text)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        # literals
        ('"text"', "string"),
        ("true", "boolean"),
        ("3", "int"),
        ("0xFF", "int"),
        ("2.5", "float64"),
        ("-3", "int"),
        ("-2.5", "float64"),
        # braced values
        ("{}", "{}"),
        ("{3}", "int"),
        ("{1 2}", "int+"),
        ("{1 2.5}", "float64+"),
        ('{1 "a"}', "object+"),
        ("{ {} {} }", "{}"),
        ("{ 1 {} }", "int+"),
        # constants
        ("{2 * 21}", "int"),
        ("{1 + 2.5}", "float64"),
        ("{7 / 2}", "int"),
        # strings
        ('{"a" + 1}', "string"),
        ('{1 + "a"}', "string"),
        ('{"a" + true}', "string"),
        ('{"a" + {}}', "<error>"),
        ('{"a" + <Email host="x" />}', "<error>"),
        ('{"a" - "b"}', "<error>"),
        # comparisons and logic
        ("{1 < 2.5}", "boolean"),
        ('{"a" < "b"}', "boolean"),
        ('{"a" < 1}', "<error>"),
        ("{1 == 2.5}", "boolean"),
        ('{1 == "a"}', "<error>"),
        ("{1 == {}}", "boolean"),
        ("{Status.active == Status.closed}", "boolean"),
        ("{true && false}", "boolean"),
        ("{!true}", "boolean"),
        ("{!1}", "<error>"),
        ("{true || 1}", "<error>"),
        # ranges
        ("{1..3}", "<Range T=int />"),
        ("{1..=2.5}", "<Range T=float64 />"),
        ('{"a".."b"}', "<error>"),
        # cases and elements
        ("{Status.active}", "Status.active"),
        ("{Shape.point}", "Shape.point"),
        ("{Load.failed}", "<error>"),
        ('<Load.failed message="x" />', "Load.failed"),
        ('<Email host="x" />', "Email"),
        ('<Save path="x" />', "Save"),
        ('<Card title="x" />', "Card"),
        ("<Email.Update />", "Email.Update"),
        ("<Card.State.Update n={1} />", "Card.State.Update"),
        ("<Card.Update n={1} />", "Card.State.Update"),
        ("<Card.Picked n={1} />", "Card.Picked"),
        ("<Page T=Plan items={} />", "<Page T=Plan />"),
        ("<Page.Update T=int next={9} />", "<Page.Update T=int />"),
        ("<div/>", "div"),
        ("<div>{1} text</div>", "div"),
        ("<Nope.Update />", "<error>"),
        ("{Plan.Property.name}", "Plan.Property.name"),
        ("{<div/> <span/>}", "object+"),
    ],
)
def test_an_expression_has_the_type_of_its_row(expression, expected):
    assert last(f"let f() = {expression}") == expected


@pytest.mark.parametrize(
    ("parameter", "expression", "expected"),
    [
        ("o?:int", "{o o}", "int*"),
        ("o?:int", "{o 1}", "int+"),
        ("o:int", "{o}", "int"),
        ("o?:int+", "{o}", "int*"),
        # promotion
        ("a:int32, b:int", "{a + b}", "int"),
        ("a:int32, b:float32", "{a * b}", "float64"),
        ("a:int, b:int64", "{a - b}", "int64"),
        ("a:int64, b:float64", "{a + b}", "<error>"),
        ("a:float32, b:float32", "{a / b}", "float32"),
        ("a:int32", "{-a}", "int32"),
        ("a:string", "{-a}", "<error>"),
        ("a?:int", "{a + 1}", "<error>"),
        ("a:int+", "{a + 1}", "<error>"),
        ("a:object", "{a + 1}", "<error>"),
        # a literal takes the other operand's type
        ("a:int32", "{a + 1}", "int32"),
        ("a:int32", "{1 + a}", "int32"),
        ("a:int32", "{a * (2 + 3)}", "int32"),
        ("a:int32", "{a + 3000000000}", "<error>"),
        ("a:float32", "{a + 1}", "float32"),
        ("a:float32", "{a + 1.5}", "float32"),
        ("a:float32", "{a + 16777217}", "<error>"),
        ("a:int32", "{a + 1.5}", "float64"),
        ("a:int64", "{a + 1.5}", "<error>"),
        ("a:int64", "{a + 1}", "int64"),
        ("a:int64, b:float64", "{a < b}", "<error>"),
        ("a:int64, b:float64", "{a == b}", "<error>"),
        # constrained numbers: arithmetic gives the base
        ("a:int where > 0", "{a}", "int where > 0"),
        ("a:int where > 0", "{a + 1}", "int"),
        ("a:int where > 0", "{-a}", "int"),
        # equality asks only the items
        ("a?:int, b:int+", "{a == b}", "boolean"),
        ("s:Status", "{s == Status.active}", "boolean"),
        ("s:Status, l:Load", "{s == l}", "<error>"),
        # conditionals
        ("c:boolean", "{if c {1} else {2.5}}", "float64"),
        ("c:boolean", "{if c {1}}", "int?"),
        ("c:boolean, s:int+", "{if c {s}}", "int*"),
        ("c:boolean, s:int+", "{if c {1} else {s}}", "int+"),
        ("c:boolean", '{if c {1} else {"a"}}', "object"),
        ("c:boolean", "{if c {Status.active} else {Status.closed}}", "Status"),
        ("c:boolean", "{if {c => 1 !c => 2 else => 3}}", "int"),
        ("c:boolean", "{if {c => 1 !c => 2}}", "int?"),
        ("n:int", '{if n is {0 => "a" 1, 2 => "b" else => "c"}}', "string"),
        ("n:int", '{if n is {0 => "a" 1, 2 => "b"}}', "string?"),
        ("s:Status", "{if s is {active => 1 closed => 2}}", "int"),
        ("s?:Status", "{if s is {active => 1 closed => 2 {} => 3}}", "int"),
        ("s:Status", '{if s is {Status.active => 1 else => "x"}}', "object"),
        # members and presence
        ("u:User", "{u.name}", "string"),
        ("u:User", "{u.email}", "Email?"),
        ("u:User", "{u.email.host}", "<error>"),
        ("u:User", "{u.email?.host}", "string?"),
        ("u?:User", "{u?.name}", "string?"),
        ("u?:User", "{u?.plan?.tags}", "string*"),
        ("u?:User", "{u.name}", "<error>"),
        ("us:User+", "{us.name}", "<error>"),
        ("us:User+", "{us?.name}", "<error>"),
        ("u:User", "{u?.name}", "string"),
        ("u:User", "{u.email?}", "boolean"),
        ("u:User", "{u.nope}", "<error>"),
        ("n:int", "{n.x}", "<error>"),
        ("s:Shape", "{s.id}", "int"),
        ("s:Shape", "{s.r}", "<error>"),
        ("p:Plan.Update", "{p.price}", "float64?"),
        ("p:Plan.Update", "{p.tags}", "string*"),
        ("p:<Page T=Plan/>", "{p.items}", "Plan+"),
        ("p:<Page T=Plan/>", "{p.next}", "Plan?"),
        ("a?:int, b:int", "{a ?? b}", "int"),
        ("a?:int, b?:int", "{a ?? b}", "int?"),
        ("a?:int+, b:int", "{a ?? b}", "int+"),
        ("a?:int", "{a ?? 2.5}", "float64"),
        # calls
        ("f:<function n:int />: string", "<f n=1 />", "string"),
        ("f:<function ... />: string", "<f n=1 />", "<error>"),
        ("g?:<function n:int />: string", "<g n=1 />", "g"),
        ("n:int", "{n(1)}", "<error>"),
        # intrinsics
        ("p:Plan, u:Plan.Update", "{apply(p, u)}", "Plan"),
        ("p:User, u:Plan.Update", "{apply(p, u)}", "<error>"),
        ("u:Plan.Update", "{merge(u, u)}", "Plan.Update"),
        ("p:Plan", "{diff(p, p)}", "Plan.Update"),
        ("b:Base", "{diff(b, b)}", "<error>"),
        ("u:Plan.Update", "{changed(u)}", "Plan.Property*"),
        ("u:Plan.Update", "{changed(u, u)}", "<error>"),
        ("p:<Page T=int/>", "{diff(p, p)}", "<Page.Update T=int />"),
        ("p:<Page T=int/>, u:<Page.Update T=string/>", "{apply(p, u)}", "<error>"),
    ],
)
def test_an_expression_over_parameters(parameter, expression, expected):
    assert last(f"let f({parameter}) = {expression}") == expected


def test_a_bare_name_means_a_case_of_the_expected_union():
    assert last("let v:Status = active\nlet f() = {v}") == "Status"
    assert last("let v = active") == "<error>"


def test_a_default_sees_only_the_parameters_before_it():
    assert reported("let f(a:int, b:int = {a}) = {b}") == []
    assert reported("let f(a:int = {b}, b:int = 1) = {b}") == [("undefined-identifier", "b")]


def test_a_declared_function_is_a_value_of_its_function_type():
    found = results("let f(a:int, content b?:string): int = 1\nlet g() = {f}")
    assert found["g"] == "<function a:int content b?:string />: int"


def test_an_element_of_a_declared_function_is_its_call():
    declared = 'let <Row label:string />: Plan = <Plan name="x" price=1.0 />\n'
    assert last(declared + 'let f() = <Row label="x" />') == "Plan"


def test_the_root_element_is_a_function():
    assert results(DECLARED + '<Card title="x" />')["root"] == "Card"


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        ("let doubled(ns:int+) = { for n in ns { n * 2 } }", "int+"),
        ("let big(ns:int+) = { for n in ns { if n > 9 { n } } }", "int*"),
        ("let label(u?:User) = { for x in u { x.name } }", "string?"),
        ("let upTo(n:int) = { for i in 1..=n { i } }", "int*"),
        ("let index(ns:int+) = { for n, i in ns { i } }", "int+"),
        ("let one(n:int) = { for x in n { x } }", "<error>"),
        ("let float() = { for x in 1.0..2.0 { x } }", "<error>"),
        ("let optional(r?:<Range T=int/>) = { for x in r { x } }", "<Range T=int />?"),
        ("let none() = { for x in {} { 1 } }", "int?"),
        ("let nested(ns:int+) = { for n in ns { for m in ns { n } } }", "int+"),
    ],
)
def test_loops(loop, expected):
    assert last(loop) == expected


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ('let f(p?:Plan) = { if p? {p.name} else {""} }', "string"),
        ('let f(p?:Plan) = { if !p? {""} else {p.name} }', "string"),
        ("let f(p?:Plan, q?:Plan) = { if p? && q? {p.name + q.name} }", "string?"),
        ('let f(p?:Plan, c:boolean) = { if p? || c {p.name} else {""} }', "<error>"),
        ('let f(u?:User) = { if u?.email? {u.email.host} else {""} }', "string"),
        ("let f(u:User) = { if u.email? {u.email.host} }", "string?"),
        ('let f(p?:Plan) = { if { !p? => "" else => p.name } }', "string"),
        ("let f(p?:Plan+) = { if p? {p} else {{}} }", "Plan*"),
        ("let f(s:Shape) = { if s is {circle => s.r square => s.s point => s.id} }", "int"),
        ("let f(s?:Shape) = { if s is {{} => 0 circle => s.r else => s.id} }", "int"),
        ("let f(s?:Shape) = { if s is {circle => s.r else => s.id} }", "<error>"),
        ("let f(s:Shape) = { if s is {circle, square => s.r else => 1} }", "<error>"),
        # a binding of the same name in an inner scope is not narrowed
        ("let f(p?:Plan, ps?:Plan+) = { if p? {for p in ps {p}} }", "Plan*"),
        ("let f(p?:Plan, q:int) = { if p? {for q in 1..3 {p}} }", "Plan*"),
    ],
)
def test_narrowing(function, expected):
    assert last(function) == expected


def test_a_handler_sees_its_action():
    text = (
        DECLARED
        + """
component <Screen /> = {
  state { n:int = 0 }
  <Card title="x" onPicked=<Update n={action.n + nope} /> />
}
"""
    )
    assert reported(text) == [("undefined-identifier", "nope")]
