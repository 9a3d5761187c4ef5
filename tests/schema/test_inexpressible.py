"""schema-contract 11: types with no JSON form."""

from __future__ import annotations

import pytest
from schema_validity import ask, ask_type, body, codes, labelled, messages, same

DECLARATIONS = """
type Render = <function Item:string />: string
type Page = { T:type items:T+ }
abstract type Lonely = { id:int }
component <Card title:string /> = { <b/> }
type Looping = Looped
type Looped = Looping
"""


@pytest.mark.parametrize(
    ("type", "spelling"),
    [
        ("<function Item:string />: string", "<function Item:string />: string"),
        ("<function   Item:Page/>:string", "<function Item:Page />: string"),
        ("(<function />: int)+", "<function />: int"),
        ("<function ... />: object*", "<function ... />: object*"),
        ("Render", "<function Item:string />: string"),
        ("Card", "Card"),
        ("Card+", "Card"),
        ("Element", "Element"),
        ("Lonely", "Lonely"),
        ("Nowhere", "Nowhere"),
        ("Nowhere+", "Nowhere"),
        ("No.Where", "No.Where"),
        ("Looping", "Looping"),
    ],
)
def test_what_has_no_json_form(type, spelling):
    source = f"{DECLARATIONS}let f(p:{type}, ok:int): int = 1"
    answer = ask(source)
    assert "inputSchema" not in answer
    same(body(answer["outputSchema"]), {"type": "integer"})
    assert codes(answer) == ["schema-inexpressible-type"]
    assert messages(answer)[0].startswith(f"Parameter `p` has the type `{spelling}`")
    (label,) = answer["diagnostics"][0]["labels"]
    assert labelled(source, label) == f"p:{type}"
    assert answer["diagnostics"][0]["help"]
    # the result likewise
    source = f"{DECLARATIONS}let f(ok:int): {type} = {{}}"
    answer = ask(source)
    assert "outputSchema" not in answer
    assert "inputSchema" in answer
    assert messages(answer)[0].startswith(f"The result of `f` has the type `{spelling}`")
    (label,) = answer["diagnostics"][0]["labels"]
    assert labelled(source, label) == type


def test_an_inferred_result_is_labelled_at_the_function():
    source = "type A = { n:int }\nlet f() = <div />\n"
    answer = ask(source)
    assert messages(answer)[0].startswith("The result of `f` has the type `div`")
    assert answer["resultType"] == "div"
    assert labelled(source, answer["diagnostics"][0]["labels"][0]) == "let f() = <div />"


DEEP = {
    "rows.nx": "export type Row = { name:string template:<function n:int />: string }",
    "main.nx": 'import "./rows.nx"\n'
    "type Catalog = { rows:Row+ again?:Row }\n"
    "let find(): Catalog = {}\nlet one(row:Row): int = 1\nlet both(c:Catalog): Row = {}",
}


def test_a_field_at_any_depth_is_labelled_where_it_is_declared():
    answer = ask(DEEP, "find")
    assert "outputSchema" not in answer
    assert messages(answer) == [
        "`Row.template` has the type `<function n:int />: string`, and a function has no JSON form"
        " (reached through `Catalog.rows.template`)"
    ]
    (label,) = answer["diagnostics"][0]["labels"]
    assert label["file"] == "rows.nx"
    assert labelled(DEEP, label) == "template:<function n:int />: string"


def test_the_way_is_left_out_where_it_says_nothing_more():
    (message,) = messages(ask(DEEP, "one"))
    assert message.startswith("`Row.template` ")
    assert "reached through" not in message


def test_each_problem_is_reported_once_for_both_schemas():
    answer = ask(DEEP, "both")
    assert "inputSchema" not in answer
    assert "outputSchema" not in answer
    assert len(answer["diagnostics"]) == 1


def test_every_problem_is_reported_in_one_go():
    source = f"""{DECLARATIONS}
type Bad = {{ a:Render b:Element inner:Worse }}
type Worse = {{ c:Nowhere bad?:Bad }}
let f(x:Bad, y:Card, z:int, w:Bad+): Lonely = {{}}
"""
    answer = ask(source)
    assert [message.split(" has ")[0] for message in messages(answer)] == [
        "`Bad.a`",
        "`Bad.b`",
        "`Worse.c`",
        "Parameter `y`",
        "The result of `f`",
    ]
    assert "(reached through `Bad.inner.c`)" in messages(answer)[2]


def test_an_inherited_field_is_named_by_the_record_that_declares_it():
    source = """
abstract type Base = { render:<function />: int }
type Leaf extends Base = { n:int }
let f(leaf:Leaf): int = 1
"""
    (message,) = messages(ask(source))
    assert message.startswith("`Base.render` ")
    assert "(reached through `Leaf.render`)" in message


def test_the_way_through_a_descendant():
    source = """
abstract type Tool = { name:string }
type Custom extends Tool = { run:<function />: int }
type Events extends Tool = | fired { cause:Element }
type Kit = { tools:Tool+ }
let f(tool:Tool): int = 1
let g(kit:Kit): int = 1
"""
    assert [m.split("(", 1)[1] for m in messages(ask(source, "f"))] == [
        "reached through `Tool(Custom).run`)",
        "reached through `Tool(Events.fired).cause`)",
    ]
    assert [m.split("(", 1)[1] for m in messages(ask(source, "g"))] == [
        "reached through `Kit.tools(Custom).run`)",
        "reached through `Kit.tools(Events.fired).cause`)",
    ]


def test_a_payload_field_is_named_with_its_case():
    source = """
type Load = done | failed { page:Element }
type Holder = { load:Load }
let f(load:Load): int = 1
let g(holder:Holder): int = 1
"""
    (message,) = messages(ask(source, "f"))
    assert message.startswith("`Load.failed.page` ")
    assert "reached" not in message
    assert "(reached through `Holder.load(Load.failed).page`)" in messages(ask(source, "g"))[0]


def test_a_state_field_is_named_with_its_state():
    source = "component <C /> = { state { e:Element } <b/> }\nlet f(s:C.State): int = 1"
    assert messages(ask(source))[0].startswith("`C.State.e` ")


def test_an_update_record_reaches_its_targets_fields():
    source = "type R = { e:Element }\nlet f(u:R.Update): int = 1"
    (message,) = messages(ask(source))
    assert message.startswith("`R.e` ")
    assert "(reached through `R.Update.e`)" in message
    assert codes(ask("type R = { e:Element }\nlet f(u:R.Property): int = 1")) == []


def test_a_type_argument_counts_where_it_is_mentioned():
    source = f"{DECLARATIONS}type Phantom = {{ T:type n:int }}\n"
    (message,) = messages(ask(f"{source}let f(p:<Page T=Card />): int = 1"))
    assert message.startswith("`Page.items` has the type `Card`")
    assert codes(ask(f"{source}let f(p:<Phantom T=Card />): int = 1")) == []


def test_object_and_function_references_are_told_apart():
    source = "type Pair = { run:<function ... />: object* data:object }\nlet f(p:Pair): int = 1"
    (message,) = messages(ask(source))
    assert message.startswith("`Pair.run` has the type `<function ... />: object*`")


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("Render", "The type `Render` has no JSON form"),
        ("Card", "The type `Card` has no JSON form"),
        ("Lonely", "The type `Lonely` has no JSON form"),
        ("Looping", "The type `Looping` has no JSON form"),
        ("Wrong", "The type `Wrong` has no JSON form"),
    ],
)
def test_a_declared_type_without_json_form_is_labelled_at_its_name(name, start):
    source = f"{DECLARATIONS}type Wrong = Nowhere\n"
    answer = ask_type(source, name)
    assert "schema" not in answer
    assert messages(answer)[0].startswith(start)
    assert labelled(source, answer["diagnostics"][0]["labels"][0]) == name


def test_a_declared_types_members_are_reported_like_any():
    answer = ask_type(DEEP, "Catalog")
    assert messages(answer)[0].startswith("`Row.template` ")
    assert "(reached through `Catalog.rows.template`)" in messages(answer)[0]


def test_a_long_way_is_told_by_its_ends():
    records = [f"type R{n} = {{ next:R{n + 1} }}" for n in range(40)]
    source = "\n".join([*records, "type R40 = { e:Element }", "let f(r:R0): int = 1"])
    (message,) = messages(ask(source))
    assert "(reached through `R0.next.next" in message
    assert "…" in message
    assert message.endswith(".next.e`)")


def test_the_shortest_way_is_told():
    source = """
type Start = { long:A short:Bad }
type A = { b:B }
type B = { bad:Bad }
type Bad = { e:Element }
let f(s:Start): int = 1
"""
    assert "`Start.short.e`" in messages(ask(source))[0]
