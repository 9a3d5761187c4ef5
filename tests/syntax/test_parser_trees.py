"""Trees of valid text, above all where the specification sets a trap."""

from __future__ import annotations

import pytest
from tree_dump import dump, element, expression, sound, type_of

from nx_lsp.syntax import tree

# ---------------------------------------------------------------- operators (syntax 1.10)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-p.q(r)", "(- (call (. p q) r))"),
        ("!p?", "(! (? p))"),
        ("-n ?? 0", "(?? (- n) 0)"),
        ("p + q ?? r", "(+ p (?? q r))"),
        ("p ?? q * r", "(* (?? p q) r)"),
        ("p ?? q == r", "(== (?? p q) r)"),
        ("p ?? q ?? r", "(?? p (?? q r))"),
        ("2..m + 1", "(.. 2 (+ m 1))"),
        ("2..4 < m", "(< (.. 2 4) m)"),
        ("1..3 == 1..=2", "(== (.. 1 3) (..= 1 2))"),
        ("1..2..3", "(.. (.. 1 2) 3)"),
        ("p.q?", "(? (. p q))"),
        ("p?.q?.r", "(?. (?. p q) r)"),
        ("p < q < r", "(< (< p q) r)"),
        ("p - q - r", "(- (- p q) r)"),
        ("!!a", "(! (! a))"),
        ("--a", "(- (- a))"),
        ("a || b && c", "(|| a (&& b c))"),
        ("a && b == c < d", "(&& a (== b (< c d)))"),
        ("a - b * c / d % e", "(- a (% (/ (* b c) d) e))"),
        ("1.5..2.5", "(.. 1.5 2.5)"),
        ("1.m", "(. 1 m)"),
        ("1..5", "(.. 1 5)"),
        ("007", "007"),
        ("0xFF", "0xFF"),
        ("1.5e-3", "1.5e-3"),
        ("a-b", "(- a b)"),
        ("x.left-pad", "(- (. x left) pad)"),
        ("(p)", "(paren p)"),
        ("()", "()"),
        ("n == {}", "(== n {})"),
        ("{} ?? n", "(?? {} n)"),
        ('"ab".length', '(. "ab" length)'),
        ("<A/> == b", "(== <A> b)"),
        ("if c {1} else {2} + 3", "(+ (if c {1} {2}) 3)"),
        ("a.for", "(. a for)"),
        ("f()()", "(call (call f))"),
        ('f({}, 1, {"x" "y"})', '(call f {} 1 {"x" "y"})'),
        ("f({} ?? 1)", "(call f (?? {} 1))"),
        ("a\n.b", "(. a b)"),
        ("where", "where"),
        ("raw", "raw"),
        ("type", "type"),
        ("is", "is"),
        ("x ?.m", "(?. x m)"),
        ("y? .k", "(. (? y) k)"),
        ("a </* c */b", "(< a b)"),
        (r'"a\"b\n"', r'"a\"b\n"'),
    ],
)
def test_expressions(text: str, expected: str) -> None:
    assert expression(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("1 2 3", "1 2 3"),
        ('"x""y"', '"x" "y"'),
        ('n"y"', 'n "y"'),
        ("f (x)", "f (paren x)"),
        ("f(x)", "(call f x)"),
        ("a ? b", "(? a) b"),
        ("1 -2", "(- 1 2)"),
        ("(p + q) r", "(paren (+ p q)) r"),
        ("(-p) q", "(paren (- p)) q"),
        ("(1..3) (7..9)", "(paren (.. 1 3)) (paren (.. 7 9))"),
        ("1 {}", "1 {}"),
        ("{}", "{}"),
        (
            '"a" <dot/> if ready { "b" } (1 - 2) x.y() x.z? () {}',
            '"a" <dot> (if ready {"b"}) (paren (- 1 2)) (call (. x y)) (? (. x z)) () {}',
        ),
        # A `<` behind an operand: relation or next item (syntax 4.10.1).
        ("a < b", "(< a b)"),
        ("a <b", "(< a b)"),
        ("a <b> c", "(> (< a b) c)"),
        ("a <B/>", "a <B>"),
        ("a <b>c</b>", "a <b [~c~]>"),
        ("a <b x={c <d/>}/> e", "a <b x={c <d>}> e"),
        ("(a <b)", "(paren (< a b))"),
        ("a\n<b c=1></b>", "a <b c=1 []>"),
        ("a <b <c", "(< (< a b) c)"),
    ],
)
def test_lists(text: str, expected: str) -> None:
    assert expression(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if a {1}", "(if a {1})"),
        ("if a {} else {2 3}", "(if a {} {2 3})"),
        ("if {} {1}", "(if {} {1})"),
        ("if {} is { {} => 1 }", "(match {} [{} => 1])"),
        ("if (a) {1}", "(if (paren a) {1})"),
        ("if is is { b => 1 }", "(match is ['b => 1])"),
        ("if is {1}", "(if is {1})"),
        (
            'if n is { -1 => "none" 0, 1 => "low" 2 => { "two" "items" } else => "high" }',
            '(match n [(- 1) => "none"] [0,1 => "low"] [2 => {"two" "items"}] [else => "high"])',
        ),
        (
            "if o is { Outcome.done => 1 pending, true => 2 }",
            "(match o ['Outcome.done => 1] ['pending,true => 2])",
        ),
        (
            'if { wet && cold => "in" wet => "boots" else => {} }',
            '(cond [(&& wet cold) => "in"] [wet => "boots"] [else => {}])',
        ),
        ("if { a => {} ?? 1 b => 2 }", "(cond [a => (?? {} 1)] [b => 2])"),
        ('if n is { 0 => {"zero"} -1 => 2 }', '(match n [0 => {"zero"}] [(- 1) => 2])'),
        ("for i in 1..=4 { i * i }", "(for i (..= 1 4) {(* i i)})"),
        ("for name, at in names { name + at }", "(for name,at names {(+ name at)})"),
        ("for for in in { in }", "(for for in {in})"),
    ],
)
def test_control_flow_in_values(text: str, expected: str) -> None:
    assert expression(text) == expected


# ---------------------------------------------------------------- unbraced values (syntax 4.1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("autumn", "'autumn"),
        ("null", "'null"),
        ("true", "true"),
        ("-1.5", "(- 1.5)"),
        ("- 2", "(- 2)"),
        ("0xFF", "0xFF"),
        ('"a"', '"a"'),
        ("{}", "{}"),
        ("<dot/>", "<dot>"),
        ("if", "'if"),
        ("type", "'type"),
        ("<Crate T=int items={1 2} />", "<Crate T='int items={1 2}>"),
    ],
)
def test_unbraced_values(text: str, expected: str) -> None:
    node = sound(f"let x = {text}").pieces[0].tree
    assert isinstance(node, tree.ValueNode)
    assert dump(node.value) == expected


def test_a_suffix_on_an_unbraced_name_must_touch_it() -> None:
    assert element("<A T=int? U=int+ n=3/>") == "<A T='int? U='int+ n=3>"


# ---------------------------------------------------------------- types (syntax 3)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int", "int"),
        ("Plan.Update", "Plan.Update"),
        ("string+", "(+ string)"),
        ("string\n  ?", "(? string)"),
        ("(Seed)+", "(+ (paren Seed))"),
        ("<function />: string", "(fn [] string)"),
        ("<function n:int />: string?", "(fn [n:int] (? string))"),
        ("(<function n:int />: string)+", "(+ (paren (fn [n:int] string)))"),
        ("<function ... />: object*", "(fn [...] (* object))"),
        (
            "<function pick:<function n:int />: int />: <function />: string",
            "(fn [pick:(fn [n:int] int)] (fn [] string))",
        ),
        ("<function content a?:int b:T />: T", "(fn [content a?:int b:T] T)"),
        ("<fucntion />", "<fucntion>"),
        ("<Crate T=int/>", "<Crate T=int>"),
        ("<Crate T=int/>*", "(* <Crate T=int>)"),
        ("<Pair A=string B=<Crate T=int+/> / >", "<Pair A=string B=<Crate T=(+ int)>>"),
        ("int where in 1..=10", "(where int in[1,10])"),
        ("int where > 0 && < 10", "(where int >(0,) <(,10))"),
        ("int where in 0..10", "(where int in[0,10))"),
        ("float64 where in 0.0..", "(where float64 in[0.0,))"),
        ("int where in ..=5", "(where int in(,5])"),
        ("int where in ..5", "(where int in(,5))"),
        ("int where >= -40 && <= 60", "(where int >=[-40,) <=(,60])"),
        ("Stars where in 0x1..=-2", "(where Stars in[0x1,-2])"),
        ("(int where in 1..=5)+", "(+ (paren (where int in[1,5])))"),
        ("<Box T=int where > 1/>", "<Box T=(where int >(1,))>"),
        (
            "<function n:int where < 5/>: int where>=0",
            "(fn [n:(where int <(,5))] (where int >=[0,)))",
        ),
    ],
)
def test_types(text: str, expected: str) -> None:
    assert type_of(text) == expected


def record(text: str) -> list[str]:
    node = sound(f"type R = {{ {text} }}").pieces[0].tree
    assert isinstance(node, tree.RecordNode)
    return [dump(field) for field in node.fields]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a:int where:string", ["a:int", "where:string"]),
        ("a:int where?:string", ["a:int", "where?:string"]),
        ("a:int where in 1..=3 b:int", ["a:(where int in[1,3])", "b:int"]),
        ("n:int where in 1.. = 3", ["n:(where int in[1,))=3"]),
        ("score?:int where in 1..=5", ["score?:(where int in[1,5])"]),
        ("content:string", ["content:string"]),
        ("content body:Element", ["content body:Element"]),
        ("type:string for:int if:int let:int", ["type:string", "for:int", "if:int", "let:int"]),
        ("left-pad:int soil-kind?:string", ["left-pad:int", "soil-kind?:string"]),
        ("T:type items:T+ spare?:T", ["T:type", "items:(+ T)", "spare?:T"]),
        ("a:int=4 b:float64 = -1.5", ["a:int=4", "b:float64=(- 1.5)"]),
        ("a:S=autumn b:int", ["a:S='autumn", "b:int"]),
        ("depth:int = { 2 * 15 }", ["depth:int={(* 2 15)}"]),
        ("extends:int emits:int state:int", ["extends:int", "emits:int", "state:int"]),
        ("a:int/* c */b:int // d\n c:int", ["a:int", "b:int", "c:int"]),
        ("f:<function />: int\ntype:int", ["f:(fn [] int)", "type:int"]),
    ],
)
def test_fields(text: str, expected: list[str]) -> None:
    assert record(text) == expected


# ---------------------------------------------------------------- tags and bodies (syntax 4.8, 4.9)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<a/>", "<a>"),
        ("< a / >", "<a>"),
        ("<a></a>", "<a []>"),
        ("<a> /* c */ < / a >", "<a []>"),
        ("<kit.date-picker/>", "<kit.date-picker>"),
        ('<a data.row-id="7" aria-label="x"/>', '<a data.row-id="7" aria-label="x">'),
        ("<tip body=<b>hi</b> side=left/>", "<tip body=<b [~hi~]> side='left>"),
        ('<a b="x"c={1}d=2/>', '<a b="x" c={1} d=2>'),
        ("<if/>", "<if>"),
        ("<type raw=1 is=2/>", "<type raw=1 is=2>"),
        ("<p>=> x</p>", "<p [~=> x~]>"),
        ("<p>= x</p>", "<p [~= x~]>"),
        ("<p>iffy</p>", "<p [~iffy~]>"),
        ("<p>forest</p>", "<p [~forest~]>"),
        ("<p>i am</p>", "<p [~i am~]>"),
        ("<p>e</p>", "<p [~e~]>"),
        ("<p>elsewhere</p>", "<p [~elsewhere~]>"),
        ("<p>wait if you can</p>", "<p [~wait if you can~]>"),
        ("<p>note: if late { <b/> }</p>", "<p [~note: if late ~ {<b>}]>"),
        ("<p>see // below</p>", "<p [~see // below~]>"),
        ("<p>one <!-- c --> two</p>", "<p [~one ~ ~two~]>"),
        ('<p>{1} /* c */ tail }&amp;@\\ "it\'s" </p>', '<p [{1} ~tail }&amp;@\\ "it\'s" ~]>'),
        ("<p>{}</p>", "<p [{}]>"),
        ("<p>{a} {b}</p>", "<p [{a} {b}]>"),
        ("<p>if a { <b/> } elsewhere</p>", "<p [(if a {|<b>|}) ~elsewhere~]>"),
        ("<p>if a { <b/> } else { {1} } x</p>", "<p [(if a {|<b>|} {|{1}|}) ~x~]>"),
        (
            "<p>for x, n in xs { <b/> if x { {} } } done</p>",
            "<p [(for x,n xs {|<b> (if x {|{}|})|}) ~done~]>",
        ),
        (
            "<p>if t is { w => <f/> s, u => { <g/> {1} } else => { {2} } }it</p>",
            "<p [(match t ['w => <f>] ['s,'u => {|<g> {1}|}] [else => {|{2}|}]) ~it~]>",
        ),
        (
            "<p>if { a => <b/> else => <c>x</c> } 'y</p>",
            "<p [(cond [a => <b>] [else => <c [~x~]>]) ~'y~]>",
        ),
        (
            '<c if hot { t="r" w=7 } else { } s=2/>',
            '<c (if hot {=t="r" w=7=} {==}) s=2>',
        ),
        (
            '<c if { a => i="b" h => i="s" else => } l={"x"}/>',
            '<c (cond [a => {=i="b"=}] [h => {=i="s"=}] [else => {==}]) l={"x"}>',
        ),
        (
            "<c if k is { w => v=true x.y, z => v=w else => v={h} } />",
            "<c (match k ['w => {=v=true=}] ['x.y,'z => {=v='w=}] [else => {=v={h}=}])>",
        ),
        ("<p:> a // b {c} </p>", "<p:text [~ a // b ~ {c} ~ ~]>"),
        ("<p:>&amp; &x &#12; \\{\\}\\@</p>", "<p:text [&&amp; ~ &x ~ &&#12; ~ ~ \\{ \\} ~\\@~]>"),
        (
            "<p:>if a { b } <b>x{y}</b><br/>></p>",
            "<p:text [~if a ~ {b} ~ ~ <b:text [~x~ {y}]> <br:text> ~>~]>",
        ),
        ("<p:>a<!-- c -->b</p>", "<p:text [~a~ ~b~]>"),
        ("<p: size=2> </p>", "<p:text size=2 [~ ~]>"),
        ("<p:md>a @b @{c} 5 > 4</p>", "<p:typed(md) [~a @b ~ {c} ~ 5 > 4~]>"),
        (r"<p:md>\@\{c\}\x</p>", r"<p:typed(md) [\@ \{ ~c~ \} ~\x~]>"),
        ("<p:md lang=1>x</p>", "<p:typed(md) lang=1 [~x~]>"),
        ("<p: raw>{ a; } /* k */ &amp; \\{</p>", "<p:raw [~{ a; } /* k */ &amp; \\{~]>"),
        ("<p:md raw>if (a) { b(); }</p>", "<p:raw(md) [~if (a) { b(); }~]>"),
        ("<p:raw>// x</p>", "<p:raw [~// x~]>"),
        ("<p:raw>a<!-- c -->b</p>", "<p:raw [~a~ ~b~]>"),
        ("<p: if a { b=1 }> </p>", "<p:text (if a {=b=1=}) [~ ~]>"),
        ("<p:md.x=1> </p>", "<p:text md.x=1 [~ ~]>"),
    ],
)
def test_elements(text: str, expected: str) -> None:
    assert element(text) == expected


# ---------------------------------------------------------------- declarations (syntax 2)


def test_a_relation_stays_one_whatever_follows_its_declaration() -> None:
    file = sound("let x = {a <b> c} let y = <b>1</b>")
    node = file.pieces[0].tree
    assert isinstance(node, tree.ValueNode)
    assert dump(node.value) == "{(> (< a b) c)}"


def test_newlines_never_end_anything() -> None:
    assert [p.key for p in sound("let a = 1 let b = 2\nlet\n c\n =\n 3").pieces] == ["a", "b", "c"]


def test_a_tag_and_an_equals_sign_may_touch() -> None:
    node = sound("let r:<Crate T=int/>=<Crate T=int/>").pieces[0].tree
    assert isinstance(node, tree.ValueNode)
    assert node.type is not None
    assert dump(node.type) == "<Crate T=int>"
    assert dump(node.value) == "<Crate T='int>"


def test_keywords_are_names_elsewhere() -> None:
    text = (
        "let type = 1 let if = 2 let let = {type} type type = int type extends extends extends = {}"
    )
    assert [p.key for p in sound(text).pieces] == ["type", "if", "let", "type#2", "extends"]


@pytest.mark.parametrize(
    ("text", "kind", "cases"),
    [
        ("type S = a | b", "union", ["a", "b"]),
        ("type S = | a", "union", ["a"]),
        ("type S = | a { n:int } | b {}", "union", ["a", "b"]),
        ("type S = a { n:int } | b", "union", ["a", "b"]),
        ("type S extends B.C = a | b", "union", ["a", "b"]),
        ("type S = a", "alias", None),
        ("type S = { a:int }", "record", None),
        ("type S = {}", "record", None),
    ],
)
def test_what_follows_the_equals_sign_decides(
    text: str, kind: str, cases: list[str] | None
) -> None:
    (piece,) = sound(text).pieces
    assert piece.outline.kind == kind
    if isinstance(piece.tree, tree.UnionNode):
        assert [case.name.text for case in piece.tree.cases] == cases


def test_a_case_starts_at_its_bar() -> None:
    text = "type S = a | b { n:int }"
    node = sound(text).pieces[0].tree
    assert isinstance(node, tree.UnionNode)
    assert [text[case.start : case.end] for case in node.cases] == ["a", "| b { n:int }"]


def test_functions() -> None:
    text = "let area(width:float64, depth:float64 = 1.0): float64 = { width }"
    node = sound(text).pieces[0].tree
    assert isinstance(node, tree.FunctionNode)
    assert node.form == "paren"
    assert [dump(p) for p in node.parameters] == ["width:float64", "depth:float64=1.0"]
    assert text[: node.signature_end].endswith(": float64")
    text = "export let <garden.date-sign day:int body?:Element /> = <a/>"
    node = sound(text).pieces[0].tree
    assert isinstance(node, tree.FunctionNode)
    assert (node.form, node.name.text, node.visibility) == ("element", "garden.date-sign", "export")
    assert text[: node.signature_end].endswith("/>")
    assert node.result is None


def test_components() -> None:
    text = """component <Picker extends Control
      T:type label?:string
      emits { Moved extends Touch { far:boolean } Cleared { } A.B Picked }
    /> = { state { last?:int count:int = 0 } <row/> }"""
    node = sound("abstract component <Control />\n" + text).pieces[1].tree
    assert isinstance(node, tree.ComponentNode)
    assert node.extends is not None
    assert node.extends.text == "Control"
    assert [dump(p) for p in node.properties] == ["T:type", "label?:string"]
    assert [type(e).__name__[4:7] + e.name.text for e in node.emits] == [
        "DefMoved",
        "DefCleared",
        "RefA.B",
        "RefPicked",
    ]
    assert node.body is not None
    assert node.body.state is not None
    assert [dump(p) for p in node.body.state] == ["last?:int", "count:int=0"]
    assert [dump(e) for e in node.body.rendered] == ["<row>"]


def test_a_component_may_render_a_name_state() -> None:
    node = sound("component <A /> = { if state {1} }").pieces[0].tree
    assert isinstance(node, tree.ComponentNode)
    assert node.body is not None
    assert [dump(e) for e in node.body.rendered] == ["(if state {1})"]


def test_imports() -> None:
    text = 'import "./a" import "../t" as T import { A, B as W.B, } from "x" import {} from "y"'
    nodes = [piece.tree for piece in sound(text).pieces]
    assert all(isinstance(node, tree.Import) for node in nodes)
    shown = [
        (
            None if n.items is None else [(i.name.text, i.alias and i.alias.text) for i in n.items],
            n.path and n.path.raw,
            n.alias and n.alias.text,
        )
        for n in nodes
        if isinstance(n, tree.Import)
    ]
    assert shown == [
        (None, "./a", None),
        (None, "../t", "T"),
        ([("A", None), ("B", "W.B")], "x", None),
        ([], "y", None),
    ]


@pytest.mark.parametrize(
    "text", ["", " \n", "// only\n", "/* a **/", "/***/", "<!-- a --->", "\ufeff"]
)
def test_files_without_pieces(text: str) -> None:
    assert sound(text).pieces == ()
