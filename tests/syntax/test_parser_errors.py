"""Every syntax error of nx-syntax 6.1: one mistake gives one report, where it is.

Each entry: the number of the row, the text, the exact source that is marked, and a part of the
message. The first entries of a row are the examples of the specification."""

from __future__ import annotations

import pytest

from nx_lsp.syntax import tree
from nx_lsp.syntax.source_file import SyntaxFile

ROWS = [
    (1, "let <Hat /> =", "=", "Expected a value after `=`"),
    (1, "type R = { a:int = b:int }", "=", "Expected a value after `=`"),
    (1, "<a x= y=2/>", "=", "Expected a value after `=`"),
    (1, "let f(): int =\nlet g = 1", "=", "Expected a value after `=`"),
    (2, "let <Hat /> = <p>{1 + 2</p>", "{", "never closed: expected `}` before the closing tag"),
    (2, "let x = {1", "{", "never closed"),
    (2, "type A = {\n  x:int\ntype B = { y:int }", "{", "never closed: expected `}`"),
    (2, "<p>if a { <b/> </p>", "{", "never closed"),
    (3, "let x = {f(1}", "(", "never closed: expected `)` before `}`"),
    (3, "let x = {(1 + 2}", "(", "never closed"),
    (3, "let x = {f(\nlet y = 1", "(", "never closed"),
    (3, "type A = (int", "(", "never closed"),
    (4, "let <Hat size:int  = <p/>", "<Hat", "never closed: expected `/>`"),
    (4, "<p a=1", "<p", "The tag `<p` is never closed"),
    (4, "<p>text", "<p", "`<p>` is never closed: expected `</p>`"),
    (4, "<a><b>x</a>", "<b", "`<b>` is never closed"),
    (4, "type T = <Crate T=int", "<Crate", "never closed"),
    (5, 'let x = "abc', '"abc', "This string is never closed"),
    (5, "let x = 1 /* abc", "/*", "expected `*/`"),
    (5, "<p>a <!-- b</p>", "<!--", "expected `-->`"),
    (5, 'let x = "a\\\nb"', "\\", "directly before a line break"),
    (6, "<p{x}/>", "{", "Braces cannot stand alone in a tag"),
    (6, '<p "x" a=1/>', '"x"', "A value in a tag needs a name"),
    (6, "<p ...a/>", "...", "no spread"),
    (7, "<lamp on/>", "on", "write `on=true`"),
    (7, "<lamp on x=1>y</lamp>", "on", "has no value"),
    (7, "<lamp a:int/>", "a", "is given with `=`"),
    (8, "<a/> <b/>", "<b", "one root element"),
    (8, "<a/> let x = 1", "let", "Nothing can follow the root element"),
    (9, 'let x = 1 import "./y"', "import", "Imports come first"),
    (10, "import ui.kit", "ui.kit", 'write `import "ui.kit"`'),
    (10, "import { A }", "}", 'Expected `from "…"`'),
    (10, 'import { A Water.A, B } from "x"', "Water", "expected `,` before `Water`"),
    (10, 'import A from "x"', "A", "Names to import stand in braces"),
    (10, 'import * from "x"', "*", "no `import *`"),
    (11, 'contenttype "./c"', "contenttype", "was removed"),
    (12, "abstract export type A = {}", "export", "write `export abstract`"),
    (12, "external abstract component <A />", "abstract", "stands before `external`"),
    (12, "private export let x = 1", "export", "either `private` or `export`"),
    (12, "abstract type A = | b", "abstract", "A union cannot be `abstract`"),
    (13, "type A extends B, C = { n:int }", ", C", "Only one base"),
    (13, "action A extends B, C = { n:int }", ", C", "Only one base"),
    (13, "type A extends B, C.D, E = a | b", ", C.D, E", "Only one base"),
    (13, "component <A extends B, C n:int /> = { <b/> }", ", C", "Only one base"),
    (13, "component <A emits { X extends B, C {} } /> = { <b/> }", ", C", "Only one base"),
    (13, "type A extends B = int", "extends", "An alias extends nothing"),
    (14, "action Go { n:int }", "{", "needs `=` before its `{`"),
    (14, "type Go { n:int }", "{", "needs `=` before its `{`"),
    (15, "type S =", "=", "Expected a record"),
    (15, "type S = |", "|", "Expected the name of a case"),
    (16, "type S = a { n:int }", "a", "write `type S = | a { … }`"),
    (17, "type S = | a { n }", "n", "The field `n` needs a type"),
    (17, "type R = { a: b:int }", ":", "Expected a type after `a:`"),
    (18, "type R = { a:int, b:int }", ",", "remove the `,`"),
    (18, "type S = a, b, c", ",", "Cases are separated by `|`"),
    (19, "component <A emits B /> = {<c/>}", "emits", "needs braces"),
    (19, "component <A emits {} /> = {<c/>}", "emits {}", "at least one action"),
    (20, "component <A emits { B. } /> = {<c/>}", ".", "Expected a name after `B.`"),
    (21, "component <A emits { B } n:int /> = {<c/>}", "n", "`emits` comes last"),
    (22, "component <A /> = { state n:int <b/> }", "state", "`state` needs braces"),
    (22, "component <A /> = { state {} state {} <b/> }", "state", "one `state { … }`"),
    (22, "component <A /> = { <b/> state {} }", "state", "comes first"),
    (23, "component <A /> = { <b/> <c/> }", "<c/>", "one expression"),
    (24, "let <A></A> = <b/>", ">", "A signature ends in `/>`"),
    (25, "let f(a) = 1", "a", "write `a:T`"),
    (25, "let <A a:int, b:int /> = <b/>", ",", "remove the `,`"),
    (25, "let f(a:int b:int) = 1", "b", "separated by commas"),
    (25, "let f(a:int,) = 1", ",", "No comma may stand before the `)`"),
    (25, "let f(a = 1) = 1", "a", "needs a type before its default"),
    (26, "let x = 1 + 2", "1 + 2", "write `{ 1 + 2 }`"),
    (26, "let x = 1..5", "1..5", "A range needs braces"),
    (26, "let x = f(1)", "f(1)", "A call needs braces"),
    (26, "let f(a:int) = a + 1", "a + 1", "write `{ a + 1 }`"),
    (26, "<a x=a / b y=2/>", "a / b", "write `{ a / b }`"),
    (26, "<a x=n + 1/>", "n + 1", "write `{ n + 1 }`"),
    (26, "let x = if c {1}", "if c {1}", "An `if` needs braces"),
    (26, "let x = ()", "()", "needs braces"),
    (27, "<bed when=Season.autumn/>", "Season.autumn", "`autumn`"),
    (27, "let x = a.b.c", "a.b.c", "A dotted name needs braces"),
    (28, "<a on=!true/>", "!true", "write `{ !true }`"),
    (28, "let x = -n", "-n", "write `{ -n }`"),
    (28, "let x = +1", "+", "no prefix `+`"),
    (29, "let x = {p + q r}", "p + q", "write `(p + q)`"),
    (29, "let x = {-8 9}", "-8", "cannot begin with `-`"),
    (29, 'let x = {"a" (1 - 2) -n}', "(1 - 2) -n", "needs parentheses"),
    (29, "<p>{1 -2 3}</p>", "1 -2", "needs parentheses"),
    (30, "let x = {{p q} {r s}}", "{p q}", "lists are flat"),
    (30, '<a x={{"p"}}/>', '{"p"}', "lists are flat"),
    (31, "let x = {a, b, c}", ",", "remove the `,`"),
    (31, "let x = {a; b}", ";", "NX has no `;`"),
    (32, "let x = {f(a,)}", ",", "No comma may stand before the `)`"),
    (32, "let x = {f(a b)}", "b", "separated by commas"),
    (33, "let x = {if a {1} else if b {2}}", "else if", "condition list"),
    (33, "<p>if a {<b/>} else if b {<c/>} else {<d/>}</p>", "else if", "does not exist"),
    (33, "<p if a {b=1} else if b {c=2}/>", "else if", "does not exist"),
    (34, "let x = {if is { 1 => 2 }}", "is", "needs a value to match"),
    (34, "let x = {if a is { }}", "is", "At least one arm"),
    (34, "let x = {if a is { else => 1 }}", "is", "before `else`"),
    (34, "let x = {if a is { else => 1 b => 2 }}", "b", "comes last"),
    (35, "let x = {for a in b c}", "c", "needs braces"),
    (35, "let x = {if a b}", "b", "needs braces"),
    (35, "<p>if you can</p>", "if", 'write `{"if you can"}`'),
    (35, "let x = {for a in {b c} {a}}", "{", "one expression"),
    (36, "<p>if c {}</p>", "{}", "cannot be empty"),
    (36, "<p>for c in d {}</p>", "{}", "cannot be empty"),
    (37, "<p>if c { hello }</p>", "hello", "not bare text"),
    (37, "<p>if c is { x => {y} }</p>", "y", "not bare text"),
    (37, "<p>else x</p>", "else", "follows no `if`"),
    (38, "<p:></p>", "<p", "cannot be empty"),
    (38, "<p:/>", "<p", "needs a body"),
    (38, "<p:>a<b></b></p>", "<b", "write `<b/>`"),
    (39, "<p:>a } b</p>", "}", r"written `\}`"),
    (39, "<p:md>a {b}</p>", "{", r"written `\{`"),
    (40, "<p:md>a <b>c</b></p>", "<", "Typed text holds no elements"),
    (40, "<p:>a<b:>c</b></p>", ":", "takes no `:`"),
    (41, "<p:md>@{}</p>", "@{}", "cannot be empty"),
    (42, "<p:raw>a<b></p>", "<", "cannot stand in raw text"),
    (43, "type R = { a:... }", "...", "function type"),
    (43, "let x:... = 1", "...", "function type"),
    (44, "type F = <function n:int />", "/>", "needs a result"),
    (44, "type R = { f:<function /> b:int }", "/>", "needs a result"),
    (45, "component <A T:type+ /> = {<b/>}", "+", "takes no suffix"),
    (46, "let x = {a[0]}", "[0]", "no indexing"),
    (46, "let x = {[1]}", "[", "write the items in braces"),
    (46, "let x = 'a'", "'a'", 'write `"a"`'),
    (46, "let x = {a++}", "++", "NX has no `++`"),
    (46, "let x = {a === b}", "===", "write `==`"),
    (46, "let x = [1, 2]", "[", "write the items in braces"),
]

REMOVED = [
    (47, "let x = {c ? 1 : 2}", "?", "`if c { a } else { b }`"),
    (47, "let x = c ? 1 : 2", "?", "`{ if c { a } else { b } }`"),
    (47, "let x = c? 1 : 2", "?", "`{ if c { a } else { b } }`"),
    (47, "let x = {f(c ? 1 : 2)}", "?", "was removed"),
    (47, "let x = {(c ? a : b)}", "?", "was removed"),
    (47, "let x = {a == 1 ? f(2) + 3 : -3}", "?", "was removed"),
    (47, "let x = {if a ? b : c {1}}", "?", "was removed"),
    (47, "<a x=c ? 1 : 2 y=3/>", "?", "was removed"),
    (48, "enum F = a | b", "enum", "write `type F = a | b`"),
    (48, "export enum F { a, b }", "enum", "write `type F = a | b`"),
]

WHERE = [
    ("int where > 0 || < 5", "||", "`>`, `>=`, `<`, `<=` and `in`"),
    ("int where == 5", "==", "`>`, `>=`, `<`, `<=` and `in`"),
    ("int where != 5", "!=", "`>`, `>=`, `<`, `<=` and `in`"),
    ("int where !5", "!", "`>`, `>=`, `<`, `<=` and `in`"),
    ("int where (> 5)", "(", "`>`, `>=`, `<`, `<=` and `in`"),
    ("int where > n", "n", "A bound is a number written out"),
    ("int where in n..5", "n", "A bound"),
    ("int where > 5 < 6", "<", "joined by `&&`"),
    ("int where in 5", "5", "a range"),
    ("int where 1..5", "1", "A term begins with its operator"),
    ("int where > .5", ".", "a digit before its point"),
    ("int+ where > 5", "+", "write `(int where …)+`"),
    ("int where > 5+", "+", "write `(int where > 5)+`"),
    ("int where in 1..=5?", "?", "write `(int where in 1..=5)?`"),
    ("int where > 5 where < 6", "where", "one `where`"),
]

LEXICAL = [
    ("let x = {1abc}", "1abc", "touches"),
    ("let x = 1_000", "1_000", "write `1000`"),
    ("let x = 2e9", "2e9", "write `2.0e9`"),
    ("let x = {0x}", "0x", "hexadecimal"),
    ("let x = {.5}", ".", "digits on both sides"),
    ("let x = .5", ".5", "digits on both sides"),
    ("let x = 5.", "5.", "write `5.0`"),
    ("let x = ]", "=", "Expected a value after `=`"),
    ("let f( = 1", "(", "never closed"),
    ("let x = {5.}", "5.", "digits on both sides"),
    ("let x\u00a0= 1", "\u00a0", "no-break space (U+00A0)"),
    ("let größe = 1", "größe", "is no name"),
    ("let x = {a & b}", "&", "`&&`"),
    ("let x = {a | b}", "|", "`||`"),
    ("let x = {a = b}", "=", "write `==`"),
    ("let x = {a => b}", "=>", "no lambdas"),
    ("let x = {1..}", "..", "both ends"),
    ("let x = {a +}", "+", "Expected a value after `+`"),
    ("let x = {a)}", ")", "closes nothing"),
    ("type A = {} }", "}", "closes nothing"),
    ("tpye A = {}", "tpye", "did you mean `type`?"),
    ("const x = 1", "const", "write `let name = …`"),
    ("export tpye A = {}", "tpye", "did you mean `type`?"),
    ("type R = { a:string|int }", "|", "declare the union"),
    ('type R = { a:"x" b:int }', '"x"', "Expected a type"),
    ("type A = b | c.d", ".", "one new name"),
    ("type A = string? | int", "|", "new cases"),
    ("<date-picker/>", "date-picker", "takes no `-`"),
    ("let f(a:int) -> int = 1", "-", "written `: T`"),
    ("let x = {if a then {1}}", "then", "no `then`"),
    ("let x = {if n is { 0 => 1 -1 => 2 }}", "-", "subtraction"),
    ("let x = {if { a }}", "{", "condition list"),
    ("let x = {`a`}", "`a`", 'write `"a"`'),
    ("let x = {a <b>{1 +}</b>}", "+", "Expected a value after `+`"),
    ("let x = {a <b on/>}", "on", "has no value"),
    ("type A = {\n a:int;\n b:int;\n}", ";", "NX has no `;`"),
    ("<p>if a = b { <c/> }</p>", "if", "control flow"),
]


def check(text: str, marked: str, message: str, code: str) -> None:
    file = SyntaxFile.parse(text)
    assert file.reprint() == text
    shown = [
        (
            problem.code,
            (file.text if key is None else file.piece(key).text)[problem.start : problem.end],  # type: ignore[union-attr]
            problem.message,
        )
        for key, problem in file.problems()
    ]
    assert len(shown) == 1, shown
    assert shown[0][:2] == (code, marked), shown
    assert message in shown[0][2]


@pytest.mark.parametrize(("row", "text", "marked", "message"), ROWS)
def test_each_mistake_is_reported_once(row: int, text: str, marked: str, message: str) -> None:
    check(text, marked, message, "syntax-error")


def test_every_row_of_the_table_is_here() -> None:
    assert {row for row, *_ in ROWS + REMOVED} == set(range(1, 49))


@pytest.mark.parametrize(("row", "text", "marked", "message"), REMOVED)
def test_removed_forms(row: int, text: str, marked: str, message: str) -> None:
    codes = {47: "removed-conditional-operator", 48: "removed-enum-keyword"}
    check(text, marked, message, codes[row])


@pytest.mark.parametrize(("constraint", "marked", "message"), WHERE)
def test_constraints_name_what_is_allowed(constraint: str, marked: str, message: str) -> None:
    check(f"type A = {constraint}", marked, message, "syntax-error")
    check(f"type R = {{ a:{constraint} b:int }}", marked, message, "syntax-error")


@pytest.mark.parametrize(("text", "marked", "message"), LEXICAL)
def test_other_mistakes(text: str, marked: str, message: str) -> None:
    check(text, marked, message, "syntax-error")


def test_a_stray_closing_tag_does_not_close_the_element_around_it() -> None:
    check("<p>a</q> b</p>", "q", "closes nothing", "tag-mismatch")
    check("<p:>a</q> b</p>", "q", "closes nothing", "tag-mismatch")
    check("<p>a</q>", "q", "", "tag-mismatch")


# ---------------------------------------------------------------- what survives


def test_a_record_keeps_its_other_fields() -> None:
    file = SyntaxFile.parse('type R = { a:int b:"x" = 1 c: d:int, e:T f:<Foo 5/> g:int }')
    node = file.pieces[0].tree
    assert isinstance(node, tree.RecordNode)
    assert [field.name.text for field in node.fields] == list("abcdefg")
    assert len(file.problems()) == 4


def test_two_mistakes_in_two_fields_are_two_reports() -> None:
    file = SyntaxFile.parse("type R = {\n  a:\n  b:int\n  c:[int]\n  d:string\n}")
    assert len(file.problems()) == 2
    node = file.pieces[0].tree
    assert isinstance(node, tree.RecordNode)
    assert [field.name.text for field in node.fields] == ["a", "b", "c", "d"]


def test_a_property_behind_emits_is_a_property() -> None:
    text = "component <A a:int emits { X } b:int = 1 emits { Y { c:int } } d?:int /> = { <p/> }"
    node = SyntaxFile.parse(text).pieces[0].tree
    assert isinstance(node, tree.ComponentNode)
    assert [each.name.text for each in node.properties] == ["a", "b", "d"]
    assert [each.name.text for each in node.emits] == ["X", "Y"]
    assert node.body is not None
    starts = [child.start for child in tree.children(node)]
    assert starts == sorted(starts)


def test_what_is_read_behind_a_mistake_is_in_the_tree() -> None:
    """A mistake in a tag, in an element across another and in a list loses nothing behind it."""
    text = "let x = { <p a={1}} b=2><a><b>x</a></b> {y}</p> <q 5 c=3/> }"
    node = SyntaxFile.parse(text).pieces[0].tree
    elements = [each for each in tree.walk(node) if isinstance(each, tree.Element)]
    assert [each.tag.text for each in elements] == ["p", "a", "b", "q"]
    properties = [each for each in tree.walk(node) if isinstance(each, tree.Property)]
    assert [each.name.text for each in properties] == ["a", "b", "c"]
    assert any(isinstance(each, tree.Identifier) and each.name == "y" for each in tree.walk(node))


def test_a_function_keeps_its_signature() -> None:
    file = SyntaxFile.parse("let f(a:int, b?:string): int = { a + }\nlet g = 1")
    assert [piece.key for piece in file.pieces] == ["f", "g"]
    node = file.pieces[0].tree
    assert isinstance(node, tree.FunctionNode)
    assert [parameter.name.text for parameter in node.parameters] == ["a", "b"]
    assert node.result is not None
    assert len(file.problems()) == 1


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("type R = {\n  a:int\n  b:string\n", ["a", "b"]),
        ("type R = {\n  a:int\n  b:string[\n}", ["a", "b"]),
        ("type R = {\n  a:int)\n  b:string\n}", ["a", "b"]),
        ("type R extends 5 = { a:int }", ["a"]),
        ("type R<T> = { a:T }", ["a"]),
        ("type R { a:int }", ["a"]),
    ],
)
def test_a_broken_record_keeps_its_name_and_fields(text: str, fields: list[str]) -> None:
    file = SyntaxFile.parse(text + "\ntype S = {}")
    assert [piece.key for piece in file.pieces] == ["R", "S"]
    node = file.pieces[0].tree
    assert isinstance(node, tree.RecordNode)
    assert [field.name.text for field in node.fields] == fields
    assert len(file.problems()) == 1


def test_a_broken_parameter_leaves_the_others() -> None:
    file = SyntaxFile.parse("let f(a:int, b: [], c:int): int = 1")
    node = file.pieces[0].tree
    assert isinstance(node, tree.FunctionNode)
    assert [parameter.name.text for parameter in node.parameters] == ["a", "b", "c"]
    assert node.result is not None
    assert len(file.problems()) == 1


@pytest.mark.parametrize(
    "broken",
    [
        "type A = {\n  x:int",
        "type A =",
        "let a = {f(1",
        "let a = <p>text <b>",
        "let a = <p>{1 + ",
        'let a = "text',
        "let f(a:int",
        "let <A a:int",
        "component <A n:int",
        "component <A /> = { <b>",
        "import { A, B",
        "action A",
        "let a = {if x { 1",
        "let a = <p>if x { <b/>",
        "let a = <p a={1",
        "type A = <function n:int",
        "type A = a |",
        "abstract",
    ],
)
def test_a_broken_declaration_leaves_the_next_one_alone(broken: str) -> None:
    file = SyntaxFile.parse(broken + "\n\n/// Fine.\ntype Next = {\n  y:int\n}\n")
    assert file.pieces[-1].key == "Next"
    assert file.pieces[-1].problems == ()
    assert len(file.problems()) == 1, file.problems()
