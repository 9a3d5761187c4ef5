"""schema-contract 8: abstract records."""

from __future__ import annotations

import pytest
from schema_validity import (
    argument,
    ask,
    ask_type,
    codes,
    input_of,
    labelled,
    messages,
    program,
    same,
    schema_of,
)


def references(*names):
    return {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in names]}


def test_a_site_lists_every_shape_in_declaration_order():
    source = """
type Late extends Middle = { }
abstract type Base = { id:int }
type First extends Base = { }
abstract type Middle extends Base = { }
type Events extends Middle = | clicked { x:int } | closed
type Last extends Base = { }
"""
    same(
        argument("Base", source),
        references("Late", "First", "Events.clicked", "Events.closed", "Last"),
    )
    same(argument("Middle", source), references("Late", "Events.clicked", "Events.closed"))


def test_an_abstract_action_lists_actions():
    source = """
abstract action Move = { by:int }
action Left extends Move = { }
component <Pad emits { Nudged extends Move { x:int } } /> = { <b/> }
"""
    same(argument("Move", source), references("Left", "Pad.Nudged"))


def test_every_module_of_the_program_counts_in_program_order():
    sources = {
        "z.nx": 'import "./base.nx"\ntype Z extends Base = { }',
        "base.nx": "export abstract type Base = { id:int }",
        "main.nx": 'import "./base.nx"\nlet f(a:Base): int = 1\ntype M extends Base = { }',
        "a.nx": 'import "./base.nx"\ntype A extends Base = { }',
    }
    same(input_of(sources)["properties"]["a"], references("Z", "M", "A"))


def test_libraries_come_first():
    sources = {
        "main.nx": 'import "./libraries/kit"\ntype Mine extends Source = { }\n'
        "let f(a:Source): int = 1",
        "libraries/kit/b.nx": "export type Web extends Source = { }",
        "libraries/kit/a.nx": "export abstract type Source = { n?:int }\n"
        "private type Hidden extends Source = { }",
    }
    same(input_of(sources)["properties"]["a"], references("Hidden", "Web", "Mine"))


def test_a_base_through_an_alias_counts():
    source = "abstract type Base = { id:int }\ntype Also = Base\ntype A extends Also = { }"
    same(argument("Base", source), references("A"))
    same(argument("Also", source), references("A"))


def test_update_records_are_no_descendants():
    document = schema_of("abstract type Base = { id:int }\ntype A extends Base = { }", "Base")
    same({"anyOf": document["anyOf"]}, references("A"))


def test_an_abstract_records_type_answer_has_no_entry_for_itself():
    source = "/// Base.\nabstract type Base = { id:int }\n/// A.\ntype A extends Base = { }"
    answer = ask_type(source, "Base")
    assert answer["description"] == "Base."
    same(
        answer["schema"],
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "anyOf": [{"$ref": "#/$defs/A"}],
            "$defs": {
                "A": {
                    "type": "object",
                    "properties": {"$type": {"const": "A"}, "id": {"type": "integer"}},
                    "required": ["$type", "id"],
                    "additionalProperties": False,
                    "description": "A.",
                }
            },
        },
    )


def test_without_descendants_there_is_no_json_form():
    answer = ask_type("abstract type Lonely = { id:int }", "Lonely")
    assert codes(answer) == ["schema-inexpressible-type"]
    assert "`Lonely`" in messages(answer)[0]
    source = "abstract type Lonely = { id:int }\nabstract type Child extends Lonely = { }\n"
    answer = ask(f"{source}let f(a:Lonely): int = 1")
    assert codes(answer) == ["schema-inexpressible-type"]
    assert "`Lonely`" in messages(answer)[0]


AMBIGUOUS = {
    "item.nx": "export abstract type Item = { id:int }",
    "a.nx": 'import "./item.nx"\nexport type Card extends Item = { a:int }',
    "b.nx": 'import "./item.nx"\nexport type Card extends Item = { b:int }',
    "main.nx": 'import "./item.nx"\nlet f(item:Item): int = 1\ntype Box = { inside:Item+ }\n'
    "let g(box:Box): int = 1\nlet h(): Item* = {}",
}


@pytest.mark.parametrize(
    ("function", "member", "text", "schema"),
    [
        ("f", "Parameter `item`", "item:Item", "inputSchema"),
        ("g", "`Box.inside`", "inside:Item+", "inputSchema"),
        ("h", "The result of `h`", "Item*", "outputSchema"),
    ],
)
def test_two_shapes_with_one_discriminator_are_ambiguous(function, member, text, schema):
    answer = ask(AMBIGUOUS, function)
    assert schema not in answer
    assert codes(answer) == ["schema-ambiguous-discriminator"]
    (diagnostic,) = answer["diagnostics"]
    assert diagnostic["message"].startswith(member)
    assert "`Item`" in diagnostic["message"]
    assert '"Card"' in diagnostic["message"]
    member_label, *others = diagnostic["labels"]
    assert member_label["primary"] is True
    assert labelled(AMBIGUOUS, member_label) == text
    assert [(label["file"], labelled(AMBIGUOUS, label)) for label in others] == [
        ("a.nx", "Card"),
        ("b.nx", "Card"),
    ]
    assert not any(label["primary"] for label in others)
    assert "ename one of" in diagnostic["help"]


def test_one_name_at_different_sites_is_not_ambiguous():
    sources = {
        **AMBIGUOUS,
        "main.nx": 'import "./a.nx" as A\nimport "./b.nx" as B\nlet f(a:A.Card, b:B.Card): int = 1',
    }
    assert list(input_of(sources)["$defs"]) == ["Card", "Card_2"]


def test_cases_can_be_ambiguous_too():
    union = 'import "./item.nx"\nexport type Card extends Item = | one'
    sources = {**AMBIGUOUS, "a.nx": union, "b.nx": union}
    (diagnostic,) = ask(sources)["diagnostics"]
    assert '"Card.one"' in diagnostic["message"]
    assert [labelled(sources, label) for label in diagnostic["labels"][1:]] == ["one", "one"]


def test_other_problems_are_told_beside_an_ambiguity():
    sources = {
        **AMBIGUOUS,
        "a.nx": 'import "./item.nx"\nexport type Card extends Item = { a:<function />: int }',
    }
    assert codes(ask(sources)) == ["schema-ambiguous-discriminator", "schema-inexpressible-type"]


def test_the_agent_librarys_tool_has_no_json_form():
    answer = ask('import "@nx/agent"\nlet f(): Tool = {}')
    assert codes(answer) == ["schema-inexpressible-type"] * 2
    first, second = answer["diagnostics"]
    assert first["message"].startswith("`FunctionTool.function`")
    assert "`<function ... />: object*`" in first["message"]
    assert "(reached through `Tool(FunctionTool).function`)" in first["message"]
    assert second["message"].startswith("`HttpTool.arguments`")
    assert {label["file"] for d in (first, second) for label in d["labels"]} == {
        "@nx/agent/agent.nx"
    }
    assert "outputSchema" not in answer


def test_a_http_argument_is_open_at_its_object_field():
    answer = ask('import "@nx/agent"\nlet f(): HttpArguments = {}')
    entry = answer["outputSchema"]["$defs"]["HttpArguments"]
    assert entry["properties"]["body"]["not"] == {"type": "null"}
    assert entry["required"] == ["$type"]


def test_program_order_is_libraries_then_modules_as_given():
    asked = program({"b.nx": "", "main.nx": 'import "@nx/agent"', "a.nx": ""})
    own = [module for module in asked.modules if not module.startswith("@nx/prelude")]
    assert own == ["@nx/agent/agent.nx", "b.nx", "main.nx", "a.nx"]
