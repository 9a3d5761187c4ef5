"""Tree checks: every row of nx-syntax 6.2, and the closest text that is right.

In a source ``«…»`` marks the range of the one expected problem and ``‹…›`` its second place
(nx-semantics 5.1, 5.3, 5.4). The last column is a part of the help.
"""

from __future__ import annotations

import re

import pytest

from nx_lsp.syntax.problems import Problem
from nx_lsp.syntax.source_file import SyntaxFile


def absolute_problems(text: str) -> list[Problem]:
    """All problems of a file, relative to the file."""
    file = SyntaxFile.parse(text)
    found = []
    for key, problem in file.problems():
        start = 0 if key is None else file.start_of(key)
        related = tuple(
            type(each)(each.start + start, each.end + start, each.message)
            for each in problem.related
        )
        found.append(
            Problem(
                problem.code,
                problem.message,
                problem.start + start,
                problem.end + start,
                problem.severity,
                problem.help,
                related,
            )
        )
    return found


def marked(source: str) -> tuple[str, tuple[int, int], tuple[int, int] | None]:
    """The source without marks, the primary range and the secondary one."""
    text, places = "", {}
    for part in re.split("([«»‹›])", source):
        if part in "«»‹›" and part:
            places[part] = len(text)
        else:
            text += part
    second = (places["‹"], places["›"]) if "‹" in places else None
    return text, (places["«"], places["»"]), second


WRONG = [
    # tags
    ("tag-mismatch", "let a = <‹a›>x</«b»>", "`</a>`"),
    ("tag-mismatch", "let a = <‹a.b›>x</«a.c»>", "`</a.b>`"),
    ("tag-mismatch", "let a = <‹a.b›>x</«a»>", "`</a.b>`"),
    ("tag-mismatch", "let a = <‹a›:md>x</«b»>", "`</a>`"),
    ("tag-mismatch", "let a = <p:><‹b›>x</«c»></p>", "`</b>`"),
    # roots
    ("duplicate-root", "‹let root = 1› «<a/>»", "one root"),
    ("duplicate-root", "‹let root = 1›\n«let root() = 2»", "one root"),
    ("duplicate-root", "‹let <root /> = <p/>›\nlet b = 1\n«<a>x</a>»", "one root"),
    # components
    ("invalid-component-definition", "«component <A />»", "abstract"),
    ("invalid-component-definition", "«export component <A />»", "abstract"),
    ("invalid-component-definition", "«component <A /> = { state { n:int = 0 } }»", "expression"),
    ("invalid-component-definition", "«abstract component <A /> = { <b/> }»", "Remove the body"),
    (
        "invalid-component-definition",
        "«abstract external component <A /> = { state { n:int = 0 } }»",
        "Remove the body",
    ),
    ("invalid-component-definition", "«external component <A /> = { <b/> }»", "state"),
    (
        "invalid-component-definition",
        "«external component <A /> = { state { n:int = 0 } <b/> }»",
        "state",
    ),
    # unions
    ("duplicate-union-case", "type S = ‹a› | «a»", "another name"),
    ("duplicate-union-case", "type S = | ‹a› { n:int } | b | «a»", "another name"),
    # occurrences of types
    ("second-occurrence-suffix", "type A = string‹?›«+»", "`string*`"),
    ("second-occurrence-suffix", "type A = string‹?›«?»", "`string?`"),
    ("second-occurrence-suffix", "type A = (string‹+›)«*»", "`string*`"),
    ("second-occurrence-suffix", "type A = ((Seed‹?›))«?»", "`Seed?`"),
    ("second-occurrence-suffix", "type A = <function />: Seed‹+›«?»", "`Seed*`"),
    ("second-occurrence-suffix", "type A = Seed‹?› «+»*", "`Seed*`"),
    ("second-occurrence-suffix", "let a:int‹+›«+» = 1", "`int+`"),
    ("second-occurrence-suffix", "let f(): int‹?›«?» = 1", "`int?`"),
    ("second-occurrence-suffix", "type R = { a:int‹?›«+» }", "`int*`"),
    ("second-occurrence-suffix", "type A = (<function />: int)‹+›«?»", "`(<function />: int)*`"),
    ("removed-list-suffix", "type A = int«[]»", "`int*` for any number or `int+`"),
    ("removed-list-suffix", "type A = int?«[]»", "`int*`"),
    ("removed-list-suffix", "type A = int«[]»?", "`int*`"),
    ("removed-list-suffix", "type R = { tags:string«[]» }", "`string+`"),
    ("removed-list-suffix", "let f(a:int) : int«[ ]» = 1", "`int+`"),
    # suffixes of values
    ("occurrence-suffix-on-value", "let x = autumn«?»", "`autumn`"),
    ("occurrence-suffix-on-value", "let x = autumn«+*»", "`autumn`"),
    ("occurrence-suffix-on-value", "let f() = autumn«*»", "`autumn`"),
    ("occurrence-suffix-on-value", "type R = { a:S = autumn«?» }", "`autumn`"),
    ("second-occurrence-suffix", "let x = <a T=int‹?›«+»/>", "alias"),
    # type parameters
    ("invalid-type-parameter", "action A = { «T:type» }", "plain `type` record"),
    ("invalid-type-parameter", "type U = | a { «T:type» }", "plain `type` record"),
    ("invalid-type-parameter", "let f(«T:type») = 1", "plain `type` record"),
    ("invalid-type-parameter", "let <F «T:type» /> = <p/>", "plain `type` record"),
    ("invalid-type-parameter", "type F = <function «T:type» />: int", "plain `type` record"),
    ("invalid-type-parameter", "type F = <function «T:type = int» />: int", "plain `type` record"),
    (
        "invalid-type-parameter",
        "component <A emits { B { «T:type» } } /> = {<p/>}",
        "plain `type` record",
    ),
    (
        "invalid-type-parameter",
        "component <A /> = { state { «T:type» } <p/> }",
        "plain `type` record",
    ),
    ("invalid-type-parameter", "type R = { ‹n:int› «T:type» }", "`T:type` to the front"),
    ("invalid-type-parameter", "component <A ‹n:int› «T:type» /> = {<p/>}", "to the front"),
    ("invalid-type-parameter", "type R = { «T:type = int» }", "without a default"),
    ("invalid-type-parameter", "type R = { «content T:type» }", "without `content`"),
    ("invalid-type-parameter", "type R = { «T?:type» }", "without `?`"),
    ("invalid-type-parameter", "type R = { «T?:type = int» }", "without `?`"),
    ("invalid-type-parameter", "type R = { «string:type» }", "name of its own"),
    ("invalid-type-parameter", "type R = { «object:type» }", "name of its own"),
    ("invalid-type-parameter", "component <A «Element:type» /> = {<p/>}", "name of its own"),
    # function types
    ("function-type-default", "type F = <function n:int = «1» />: int", "`n?:int`"),
    ("function-type-default", "type F = <function n?:int = «1» />: int", "`n?:int`"),
    ("function-type-default", "type F = <function n:int+ = «{1 2}» />: int", "`n?:int+`"),
    (
        "function-type-duplicate-content",
        "type F = <function ‹content a:int› «content b:int» />: int",
        "Remove `content` before `b`",
    ),
    (
        "function-type-ellipsis-with-parameters",
        "type F = <function ‹n:int› «...» />: int",
        "`<function ... />`",
    ),
    (
        "function-type-ellipsis-with-parameters",
        "type F = <function «...» ‹n:int› />: int",
        "`<function ... />`",
    ),
    (
        "function-type-ellipsis-with-parameters",
        "type F = <function ‹...› «...» />: int",
        "`<function ... />`",
    ),
    # properties
    ("required-parameter-after-omissible", "let f(‹a?:int›, «b:int») = 1", "`b?:int`"),
    ("required-parameter-after-omissible", "let f(‹a:int = 1›, «b:int+») = 1", "`b?:int+`"),
    (
        "required-parameter-after-omissible",
        "let f(z:int, ‹a?:int›, c:int = 2, «b:int», d:int) = 1",
        "before `a`",
    ),
    (
        "optional-property-with-default",
        "type R = { a«?»:int = ‹1› }",
        "`a:int = 1` or `a?:int`",
    ),
    ("optional-property-with-default", "let f(a«?»:int = ‹{1 + 2}›) = 1", "`a:int = {1 + 2}`"),
    ("optional-property-with-default", "type R = { a«?»:int? = ‹1› }", "`a:int = 1` or `a?:int`"),
    ("optional-property-with-default", "type R = { a«?»:int* = ‹{1 2}› }", "`a?:int+`"),
    ("optional-in-type-slot", "type R = { «a:int?» }", "`a?:int`"),
    ("optional-in-type-slot", "type R = { «a:int*» }", "`a?:int+`"),
    ("optional-in-type-slot", "type R = { «a:(int?)» }", "`a?:int`"),
    ("optional-in-type-slot", "type R = { «a?:int?» }", "`a?:int`"),
    ("optional-in-type-slot", "type R = { «a:int? = 1» }", "`a?:int`, or keep the default"),
    ("optional-in-type-slot", "type R = { «content a:Element*» }", "`a?:Element+`"),
    ("optional-in-type-slot", "let f(«a:int?») = 1", "`a?:int`"),
    ("optional-in-type-slot", "let <F «a:int?» /> = <p/>", "`a?:int`"),
    ("optional-in-type-slot", "type U = | a { «b:int?» }", "`b?:int`"),
    ("optional-in-type-slot", "component <A «b:int?» /> = {<p/>}", "`b?:int`"),
    ("optional-in-type-slot", "component <A /> = { state { «b:int?» } <p/> }", "`b?:int`"),
    ("optional-in-type-slot", "component <A emits { E { «b:int?» } } /> = {<p/>}", "`b?:int`"),
    ("optional-in-type-slot", "type F = <function «a:int?» />: int?", "`a?:int`"),
    (
        "optional-in-type-slot",
        "type R = { «f:(<function a:int />: int)?» }",
        "`f?:<function a:int />: int`",
    ),
    (
        "optional-in-type-slot",
        "type R = { «a:(int where in 1..=5)*» }",
        "`a?:(int where in 1..=5)+`",
    ),
    ("lowering-error", "type R = { «shiny a:int» }", "`content a`"),
    ("lowering-error", "type F = <function «shiny a:int» />: int", "`content a`"),
    ("lowering-error", "type R = { ‹content a:int› «content b:int» }", "before `b` or before `a`"),
    ("lowering-error", "let f(‹content a:int›, «content b:int») = 1", "before `b`"),
    ("lowering-error", "component <A ‹content a:int› «content b:int» /> = {<p/>}", "before `b`"),
    # members
    ("duplicate-member", "type R = { ‹a:int› b:int «a:string» }", "another name"),
    ("duplicate-member", "action R = { ‹a:int› «a:string» }", "another name"),
    ("duplicate-member", "type U = | c { ‹a:int› «a:string» }", "another name"),
    ("duplicate-member", "let f(‹a:int›, «a:string») = 1", "another name"),
    ("duplicate-member", "let <F ‹a:int› «a:string» /> = <p/>", "another name"),
    ("duplicate-member", "component <A ‹a:int› «a:string» /> = {<p/>}", "another name"),
    ("duplicate-member", "component <A ‹T:type› «T:int» /> = {<p/>}", "another name"),
    ("duplicate-member", "type R = { ‹T:type› «T:type» }", "another name"),
    ("duplicate-member", "component <A /> = { state { ‹a:int› «a:int» } <p/> }", "another name"),
    ("duplicate-member", "component <A emits {E { ‹a:int› «a:int» }} /> = {<p/>}", "another name"),
    ("duplicate-member", "type F = <function ‹a:int› «a:int» />: int", "another name"),
    # imports
    ("lowering-error", 'import { A as «B» } from "./x"', "`A as B.A`"),
    ("lowering-error", 'import { A as «W.B» } from "./x"', "`A as W.A`"),
    ("lowering-error", 'import { A as «X.Y.A» } from "./x"', "`A as X.A`"),
]


@pytest.mark.parametrize(("code", "source", "fix"), WRONG)
def test_each_mistake_is_one_problem_at_its_place(code: str, source: str, fix: str) -> None:
    text, primary, secondary = marked(source)
    problems = absolute_problems(text)
    assert [problem.code for problem in problems] == [code]
    [problem] = problems
    assert (problem.start, problem.end) == primary
    assert [(each.start, each.end) for each in problem.related] == (
        [secondary] if secondary else []
    )
    assert problem.severity == "error"
    assert fix in (problem.help or "")


RIGHT = [
    "let a = <a>x</a>",
    "let a = <a.b-c>x</a . b-c>",
    "let a = <a:md>x</a>",
    "let a = <a/>",
    "let root = 1",
    "<root/>",
    "type root = int let b = 1 <a/>",
    "let x = 1 let <x.root /> = <p/> <a/>",
    "component <A /> = { <b/> }",
    "component <A /> = { state { n:int = 0 } n }",
    "abstract component <A />",
    "external component <A />",
    "external component <A /> = { state { n:int = 0 } }",
    "abstract external component <A />",
    "type S = a | b | A",
    "type A = string?",
    "type A = (string)+",
    "type A = (<function />: Seed+)+",
    "type A = <function />: Seed+",
    "type A = <function a:(<function />: int?)+ />: int*",
    "type A = <P T=<P T=int/>/>*",
    "let a:int* = {} let f(): int? = 1",
    "let x = autumn",
    "let x = { autumn? }",
    "let x = <a T=int?/>",
    "type R = { T:type U:type a:T }",
    "component <A T:type a:T+ /> = {<p/>}",
    "component <A extends B T:type /> = {<p/>}",
    "type R = { type:string content:int }",
    "type F = <function n:int />: int",
    "type F = <function n?:int content c:int />: int",
    "type F = <function ... />: int",
    "let f(b:int, a?:int) = 1",
    "let f(b:int, a:int = 1, c?:int) = 1",
    "let <F a?:int b:int /> = <p/>",
    "type R = { a?:int b:int = 1 }",
    "type R = { a:int+ b?:int+ }",
    "type R = { a:<function />: int? }",
    "type R = { content a:int b:int }",
    "type R = { content content:int }",
    "type U = | a { content b:int } | c { content b:int }",
    "type F = <function a:int f:<function a:int />: int />: int",
    "component <A a:int emits { E { a:int } F { a:int } } /> = { state { b:int } <p/> }",
    'import { A as W.A, B } from "./x"',
    'import "./x" as X',
]


@pytest.mark.parametrize("text", RIGHT)
def test_what_is_right_is_silent(text: str) -> None:
    assert absolute_problems(text) == []


def test_each_mistake_of_a_declaration_is_reported_in_source_order() -> None:
    text = "type R = { a:int? a:string b?:int = 1 shiny c:int[] }"
    assert [problem.code for problem in absolute_problems(text)] == [
        "optional-in-type-slot",
        "duplicate-member",
        "optional-property-with-default",
        "lowering-error",
        "removed-list-suffix",
    ]


def test_each_repetition_points_to_the_first() -> None:
    problems = absolute_problems("type S = a | a | a")
    assert [problem.code for problem in problems] == ["duplicate-union-case"] * 2
    assert {problem.related[0].start for problem in problems} == {9}


@pytest.mark.parametrize(
    "text",
    [
        "let <Hat /> =",
        "component <A /> =",
        "component <A /> = {",
        "component <A",
        "type R = { a:int where > 0? }",
        "type R = { a:int+ where > 0 }",
        "type R = { a: }",
        "type F = <function n:int />",
        "<a/> <b/>",
        "let a = <a><b></a>",
    ],
)
def test_a_syntax_error_brings_no_tree_check_with_it(text: str) -> None:
    assert [problem.code for problem in absolute_problems(text)] == ["syntax-error"]


def test_checks_outside_a_broken_place_still_speak() -> None:
    codes = [
        problem.code for problem in absolute_problems("type R = { a:int? b: }\ntype S = a | a")
    ]
    assert codes == ["optional-in-type-slot", "syntax-error", "duplicate-union-case"]
