"""One mistake is one report wherever it stands, and never costs the declarations below it.

Each mistake is put into every place of its kind. The report must be the only one, must mark the
same source and say the same everywhere, and what stands below must still be declared."""

from __future__ import annotations

import pytest

from nx_lsp.syntax.source_file import SyntaxFile

BELOW = "\nlet below = 1\ntype Below = { z:int }\n"

BRACED = [
    "let x = {%s}",
    "let x = { %s }\nlet y = 2",
    "let f(a:int): string = { if a { %s } else { 2 } }",
    "let x = <p k=1 v={%s} w=2>text</p>",
    "let x = <p>text {%s} more <b/></p>",
    "let x = { if a is { 1 => {%s} 2 => 3 } }",
    "let x = { if { a => {%s} b => 3 } }",
    "let x = { f(1, {%s}, 2) }",
    "type R = { a:int = {%s} b:int }",
    "let <H a:int = {%s} b:int /> = <q/>",
    "let g(a:int = {%s}, b:int = 2) = 1",
    "component <C v:int = {%s} emits { B } /> = { <c/> }",
    "let x = <p:md>a @{%s} b</p>",
    "let x = <p:>a {%s} b</p>",
    "let x = { for i in a { %s } }",
    "let x = <p if a { k={%s} } else { k=2 } z=1/>",
    "let x = <p>if a { {%s} } else { <b/> }</p>",
    "let x = <p>for i in a { {%s} <b/> }</p>",
    "let x = <p a=<q b={%s}/> c=1/>",
]
"""Places of an expression or a list."""

IN_BRACES = [
    ("f(1", "(", "This `(` is never closed"),
    ("g(a, (b", "(", "This `(` is never closed"),
    ("f(x y)", "y", "Arguments are separated by commas"),
    ("p + q r", "p + q", "write `(p + q)`"),
    ("-8 9", "-8", "`(-8)`"),
    ("{p} q", "{p}", "Braces with content cannot stand"),
    ("{{p}}", "{{p}}", "Braces with content cannot stand"),
    ("a, b, c", ",", "Items are separated by whitespace"),
    ("f(a,)", ",", "No comma may stand before the `)`"),
    ("if a {1} else if b {2} else {3}", "else if", "does not exist in NX"),
    ("if is { 1 => 2 }", "is", "A match needs a value"),
    ("if a is { else => 1 }", "is", "At least one arm is needed before `else`"),
    ("for a in b c", "c", "The body of a `for` needs braces"),
    ("if a b", "b", "The branch of an `if` needs braces"),
    ("a[0]", "[0]", "no indexing"),
    ("[1, 2]", "[", "no `[…]` for lists"),
    ("a++", "++", "NX has no `++`"),
    ("a === b", "===", "NX has no `===`"),
    ("a.", ".", "Expected the name of a member after `.`"),
    ("a?.", "?.", "Expected the name of a member after `?.`"),
    ("a.b.", ".", "Expected the name of a member after `.`"),
    ("a +", "+", "Expected a value after `+`"),
    ("1..", "..", "A range needs both ends"),
    ("x => x", "=>", "NX has no lambdas"),
    ("c ? 1 : 2", "?", "was removed: write `if c { a } else { b }`"),
    ("c ? 1 : d ? 2 : 3", "?", "was removed: write `if c { a } else { b }`"),
    ("c ? (d ? 1 : 2) : 3", "?", "was removed: write `if c { a } else { b }`"),
]

UNBRACED = [
    "let x = %s",
    "let x = %s\nlet y = 2",
    "let x = %s let y = 2",
    "let f(a:int): int = %s",
    "let <H a:int /> = %s",
    "type R = { a:int = %s }",
    "type R = { a:int = %s b:int }",
    "type R = {\n a:int = %s\n b:int = 2\n content z:int }",
    "let x = <p a=%s b=2/>",
    "let x = <p a=%s>x</p>",
    "let x = <p a=%s/>",
    "let x = <p a=%s\n b.c=2\n/>",
    "let f(a:int = %s, b:int = 2) = 1",
    "let f(b:int, a:int = %s): int = {1}",
    "component <C a:int = %s b:int emits {X} /> = {<c/>}",
    "component <C a:int = %s /> = { <c/> }",
    "component <C a:int = %s emits { X } /> = { <c/> }",
    "component <C /> = { state { a:int = %s b:int = 2 } <c/> }",
    "type U = | a { n:int = %s m:int } | b",
    "let x = <p if a { k=%s } else { k=2 } z=1/>",
    "let x = <p if a { k=1 } else { k=%s }/>",
    "let x = <p if { b => k=%s c => d=2 } z=1/>",
    "let x = <p:md a=%s b=2>x</p>",
    "let <H a:int = %s b:int/> = <q/>",
    "let x = { <p a=%s/> <q/> }",
    "let x = <p>t <q a=%s/> u</p>",
]
"""Places of a value without braces (syntax 4.1)."""

WITHOUT_BRACES = [
    ("1 + 2", "1 + 2", "A computation needs braces here"),
    ("1..5", "1..5", "A range needs braces here"),
    ("f(1, 2)", "f(1, 2)", "A call needs braces here"),
    ("a ?? b", "a ?? b", "A computation needs braces here"),
    ("(1)", "(1)", "A value in parentheses needs braces here"),
    ("(a, b)", ",", "a list is written in braces"),
    ("if c {1} else {2}", "if c {1} else {2}", "An `if` needs braces here"),
    ("if !c {1}", "if !c {1}", "An `if` needs braces here"),
    ("if (c) {1}", "if (c) {1}", "An `if` needs braces here"),
    (
        "if a is { 1 => 2 else => 3 }",
        "if a is { 1 => 2 else => 3 }",
        "An `if` needs braces here",
    ),
    ("if { a => 1 else => 2 }", "if { a => 1 else => 2 }", "An `if` needs braces here"),
    ("for i in a {i}", "for i in a {i}", "A `for` needs braces here"),
    ("Season.autumn", "Season.autumn", "write the last part alone, `autumn`"),
    ("!true", "!true", "The operator `!` needs braces here"),
    ("-n", "-n", "The operator `-` needs braces here"),
    ("+1", "+", "no prefix `+`"),
    ("'a'", "'a'", "Strings take double quotes"),
    ("[1, 2]", "[", "no `[…]` for lists"),
    ("a[0]", "[0]", "no indexing"),
    ("c ? 1 : 2", "?", "write `{ if c { a } else { b } }`"),
    ("c?a:b", "?", "write `{ if c { a } else { b } }`"),
    ("c ? a : b", "?", "write `{ if c { a } else { b } }`"),
    ("c ? 1 : d ? 2 : 3", "?", "write `{ if c { a } else { b } }`"),
    ("c ? 1 : d ? 2 : e ? 3 : 4", "?", "write `{ if c { a } else { b } }`"),
    ("c ? 1 :", "?", "write `{ if c { a } else { b } }`"),
    ("c ? 1", "?", "write `{ if c { a } else { b } }`"),
]

ELEMENTS = [
    "let x = %s",
    "let f(a:int): int = { if a { %s } else { 2 } }",
    "let x = <outer>text %s more {x}</outer>",
    "let x = <outer a=%s b=2/>",
    "component <C /> = { %s }",
    "let x = { f(1, %s) }",
    "let x = { 1 %s 2 }",
    "let x = <o>if a { %s } else { <b/> }</o>",
    "let x = <o>for i in a { %s }</o>",
    "type R = { a:int = %s b:int }",
    "let x = { if a is { 1 => %s 2 => 3 } }",
]
"""Places of an element; in the list it is told from a comparison (syntax 4.10.1)."""

ARMS = '<p>if t is { %s %s <a/> {"x"} } else => { {"m"} } } t {e}</p>'
"""A match in a body, with two of its arms to be filled in."""

IN_ELEMENTS = [
    ("<p{x}/>", "{", "Braces cannot stand alone in a tag"),
    ("<p {x} b=1>t</p>", "{", "Braces cannot stand alone in a tag"),
    ("<p {...a} b=1/>", "{", "Braces cannot stand alone in a tag"),
    ('<p "x" a=1/>', '"x"', "A value in a tag needs a name"),
    ("<p 5/>", "5", "A value in a tag needs a name"),
    ("<p @on=1/>", "@", "Unexpected character"),
    ("<p a==1/>", "a", "given with one `=`"),
    ("<p a={1}}/>", "}", "This `}` closes nothing"),
    ("<p a={1}} b=2>t</p>", "}", "This `}` closes nothing"),
    ("<p / a=1/>", "/", "Expected `>` after `/`"),
    ("<lamp on/>", "on", "has no value"),
    ("<lamp a.b/>", "a", "has no value"),
    ("<lamp on x=1/>", "on", "has no value"),
    ("<p if a { k=1 z=1/>", "{", "This `{` is never closed"),
    ("<p if a { b => k=1 c => k=2 } z=1/>", "b", "stand in a match or in a condition list"),
    ("<p>if c {}</p>", "{}", "cannot be empty in the body"),
    ("<p>if c { hello } else { <b/> }</p>", "hello", "not bare text"),
    ("<p>if c is { 1 => y else => <b/> }</p>", "y", "an arm holds an element"),
    ("<p:md></p>", "<p", "cannot be empty"),
    ("<p:/>", "<p", "needs a body"),
    ("<p:>a } b } c</p>", "}", "is written `\\}`"),
    ("<p:md>a {b} c {d}</p>", "{", "is written `\\{`"),
    ("<p:md>a <b>c</b> d <e/></p>", "<", "Typed text holds no elements"),
    ("<p:>a <b:md>c</b> d</p>", ":", "takes no `:`"),
    ("<p:md>a @{ } b</p>", "@{ }", "cannot be empty"),
    ("<p:raw>if (a<b) {}</p>", "<", "cannot stand in raw text"),
    (ARMS % ("w <b/>", "s => {"), "<", "Expected `=>` in the arm"),
    (ARMS % ("=> <b/>", "s => {"), "=>", "Expected a pattern"),
    (ARMS % ("w => b/>", "s => {"), "b", "an arm holds an element"),
    (ARMS % ("w => <b/>", "s t => {"), "t", "Expected `=>` in the arm"),
    (ARMS % ("w => <b/>", "s, => {"), ",", "Expected a pattern after `,`"),
    (ARMS % ("w => <b/>", "s {"), "{", "Expected `=>` in the arm"),
    (ARMS.replace("else =>", "else") % ("w => <b/>", "s => {"), "{", "Expected `=>` in the arm"),
    (ARMS.replace(" is {", " is") % ("w => <b/>", "s => {"), "w", "Expected `{` after `is`"),
    (ARMS.replace(" is {", " {") % ("w => <b/>", "s => {"), "w =>", "holds no arms"),
    ('<p>if o { x } else { {"s"} } <b/></p>', "x", "not bare text"),
    ('<p>if o <b/> } else { {"s"} } <b/></p>', "<", "The branch of an `if` needs braces"),
    ('<p>if o { <b/> } else {"s"} } <b/></p>', '"s"', "not bare text"),
    ("<p>for a, n in { <b/> } t <c/></p>", "{", "A `for` goes over one expression"),
    ("<p>for a n in b { <c/> {a} } t <c/></p>", "for", "begins control flow here"),
    ("<p>a {b — c &amp; d, \\e} f</p>", "—", "Unexpected character"),
    ("<p>a {b — c &amp; d, e f</p>", "{", "This `{` is never closed"),
    ("<p if a k=1 } else { k=2 } z=1/>", "k", "The branch of an `if` needs braces"),
    ("<p if a is b => k=1 c => k={2} } z=1/>", "b", "Expected `{` after `is`"),
    ("<a><b>x</a></b>", "<b", "`<b>` is never closed"),
    ("<a.b>x</a.c>", "a.c", "does not match the opening tag `a.b`"),
]

DECLARATIONS = [
    "%s",
    "type Before = { q:int }\n%s",
    "/// doc\nexport type Before = a | b\n\n%s\n",
    "let x = 1 %s",
    "private %s",
]

DECLARED = [
    ("let x:(int = 1", "(", "This `(` is never closed"),
    ("type R = { a:int b:(int }", "(", "This `(` is never closed"),
    ("type A = <function a:(int />: int", "(", "This `(` is never closed"),
    ("let <Hat = <p/>", "<Hat", "never closed: expected `/>`"),
    ("component <A extends B = { <b/> }", "<A", "never closed: expected `/>`"),
    ("type A extends { n:int }", "extends", "Expected the name of a base"),
    ("component <A emits [B] /> = {<c/>}", "emits", "`emits` needs braces"),
    ("component <A emits (B) /> = {<c/>}", "emits", "`emits` needs braces"),
    ("component <A emits={B} /> = {<c/>}", "emits", "`emits` needs braces"),
    ("component <A emits { X extends } /> = {<c/>}", "}", "Expected the name of a base"),
    ("component <A /> = { state { n:int <b/> } }", "{", "This `{` is never closed"),
    ("component <A /> = { let x = 1 <b/> }", "let", "no local values"),
    ("let <A n:int>text</A> = <b/>", ">", "A signature ends in `/>`"),
    ("type F <function n:int />: int", "F", "Expected `=` after `type F`"),
    ("type F (<function n:int />: int)+", "F", "Expected `=` after `type F`"),
    ("type F = (<function n:int /> int)+", "/>", "A function type needs a result"),
    ("let f(p?:int = { p? }", "(", "This `(` is never closed"),
    ("let <F p?:int = { p? }", "<F", "never closed: expected `/>`"),
    ("component <A emits X } /> = {<c/>}", "emits", "`emits` needs braces"),
    ("component <A emits { X { Y } /> = {<c/>}", "{", "This `{` is never closed"),
    ("component <A /> = { { n:int = 0 m?:int } <b/> }", "{", "is written `state { … }`"),
    ("let x = { for i in 1..=4 i * i } }", "i", "The body of a `for` needs braces"),
    ("let x = { if a {1} else 2 } }", "2", "The `else` branch needs braces"),
    ('let x = { n is { 1 => "a" else => "b" } }', "=>", "only in the arms of an `if`"),
    ("type U\n  | a\n  | b { n:int }", "U", "Expected `=` after `type U`"),
    ("let f(n:int): int =\n  n + 1\n}", "n + 1", "A computation needs braces here"),
    ("let f(n:int) =\n  if n is { 1 => 2 }\n}", "if n is { 1 => 2 }", "An `if` needs braces"),
    ("type R = { a:int = 2 * 15 } b:int }", "2 * 15", "A computation needs braces here"),
    ("let x = <p a=1 + 2} b=1/>", "1 + 2", "A computation needs braces here"),
    ("let f(...a:int) = 1", "...", "Expected a parameter"),
    ("type R = { a:int = 1, 2 b:int }", ",", "Fields are separated by whitespace"),
    ("let f(a b, c:int) = 1", "a b", "a type follows its name: write `a:b`"),
    ("let f(a, b:int) = 1", "a", "needs a type: write `a:T`"),
    ("let f(a c:int) = 1", "a c:int", "is no modifier"),
]

CASES = [
    *((place, *mistake) for mistake in IN_BRACES for place in BRACED),
    *((place, *mistake) for mistake in WITHOUT_BRACES for place in UNBRACED),
    *((place, *mistake) for mistake in IN_ELEMENTS for place in ELEMENTS),
    *((place, *mistake) for mistake in DECLARED for place in DECLARATIONS),
]


@pytest.mark.parametrize(("place", "mistake", "marked", "message"), CASES)
def test_a_mistake_is_one_report_wherever_it_stands(
    place: str, mistake: str, marked: str, message: str
) -> None:
    text = place.replace("%s", mistake) + BELOW
    file = SyntaxFile.parse(text)
    found = []
    for key, problem in file.problems():
        base = file.start_of(key) if key is not None else 0
        found.append((text[base + problem.start : base + problem.end], problem.message))
    assert len(found) == 1, found
    assert found[0][0] == marked
    assert message.casefold() in found[0][1].casefold()
    assert text.find(marked, place.find("%s")) >= 0
    assert file.piece("below") is not None
    assert file.piece("Below") is not None
    assert file.reprint() == text
