"""schema-contract 11 and editor-experience 5: what an editor publishes at both ends."""

from __future__ import annotations

from schema_validity import labelled, program

from nx_lsp.program.declarations import DeclarationId
from nx_lsp.schema.findings import schema_findings
from nx_lsp.schema.schema import result_is_markup
from nx_lsp.schema.spans import SpanFinder

SOURCES = {
    "rows.nx": "export type Row = { name:string template:<function n:int />: string }\n"
    "let own(row:Row): int = 1",
    "main.nx": 'import "./rows.nx"\n'
    "let find(n:int): Row* = {}\n"
    "let both(row:Row, other?:Row): Row = {}\n"
    "let plain(e:Element): int = 1",
}


def told(sources, module, host=()):
    """Per finding: the text under each label, at the member or not, the functions."""
    db = program(sources).database
    spans = SpanFinder(db)
    return [
        (
            [
                labelled(
                    sources, {"file": label.place.module, "span": spans.span(label.place).to_json()}
                )
                for label in finding.diagnostic.labels
            ],
            finding.at_member,
            [id.name for id in finding.functions],
        )
        for finding in schema_findings(db, module, host)
    ]


TEMPLATE = "template:<function n:int />: string"


def test_the_member_is_told_once_with_all_functions_that_reach_it():
    assert told(SOURCES, "rows.nx") == [
        ([TEMPLATE, "row:Row"], True, ["own", "find", "both"]),
        (["row:Row", TEMPLATE], False, ["own"]),
    ]


def test_each_parameter_and_result_that_reaches_it_is_told_too():
    assert told(SOURCES, "main.nx") == [
        (["Row*", TEMPLATE], False, ["find"]),
        (["row:Row", TEMPLATE], False, ["both"]),
        (["other?:Row", TEMPLATE], False, ["both"]),
        (["Row", TEMPLATE], False, ["both"]),
        (["e:Element"], True, ["plain"]),
    ]


def test_messages_at_both_ends():
    db = program(SOURCES).database
    member, *_ = schema_findings(db, "rows.nx")
    assert member.diagnostic.message.startswith("`Row.template` has the type")
    assert member.member == "`Row.template`"
    site, *_ = schema_findings(db, "main.nx")
    assert site.diagnostic.message.startswith("The result of `find` has no schema: `Row.template`")


def test_a_member_that_no_function_reaches_is_not_told():
    assert told({"main.nx": "type R = { e:Element }\nlet f(): int = 1"}, "main.nx") == []


def test_host_supplied_parameters_are_not_told():
    sources = {"main.nx": 'import "@nx/agent"\nlet f(c:ToolContext): int = 1'}
    assert told(sources, "main.nx") == [(["c:ToolContext"], True, ["f"])]
    listed = (DeclarationId("@nx/agent/agent.nx", "ToolContext"),)
    assert told(sources, "main.nx", listed) == []


def test_a_function_that_does_not_parse_is_not_told_until_it_does():
    assert told({"main.nx": "let f(e:Element): int = { 1 + }"}, "main.nx") == []
    assert len(told({"main.nx": "let f(e:Element): int = { 1 + 1 }"}, "main.nx")) == 1


def test_a_type_error_holds_nothing_back():
    assert len(told({"main.nx": 'let f(e:Element): int = { "a" * true }'}, "main.nx")) == 1


def test_an_ambiguity_points_to_both_declarations_from_both_ends():
    sources = {
        "item.nx": "export abstract type Item = { id:int }\nexport type Box = { item:Item }",
        "a.nx": 'import "./item.nx"\ntype Card extends Item = { }',
        "b.nx": 'import "./item.nx"\ntype Card extends Item = { }',
        "main.nx": 'import "./item.nx"\nlet f(b:Box): int = 1',
    }
    assert told(sources, "item.nx") == [(["item:Item", "Card", "Card", "b:Box"], True, ["f"])]
    assert told(sources, "main.nx") == [(["b:Box", "item:Item", "Card", "Card"], False, ["f"])]


def test_a_result_of_markup_is_told_apart():
    db = program(
        "component <Card /> = { <b/> }\nlet a() = <div />\nlet b(): Element = <div />\n"
        "let c(): int = 1\nlet d() = <Card />\nlet e() = { e() }\nlet g(): Element+ = <div />"
    ).database
    markup = [n for n in "abcdeg" if result_is_markup(db, DeclarationId("main.nx", n))]
    assert markup == ["a", "b", "d", "g"]
