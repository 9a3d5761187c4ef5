import json

import pytest
from ide_fixtures import program_at, program_of

from nx_lsp.ide.tool_schema import (
    SchemaRequestError,
    function_at,
    named_declaration,
    schema_at,
    size_of,
    tool_schema,
    type_at,
    type_schema,
)
from nx_lsp.program.declarations import DeclarationId

SOURCE = (
    "type Plan = { name:string }\nlet f(a:int): Plan* = { }\nlet g(h:<function b:int />: int) = 1\n"
)


def test_the_answer_is_the_contracts() -> None:
    db = program_of(SOURCE)
    id = named_declaration(db, None, "f")
    found = tool_schema(db, id).to_json(3)
    assert list(found) == [
        "module",
        "name",
        "toolName",
        "version",
        "stale",
        "answer",
        "document",
        "notes",
        "size",
    ]
    assert found["module"] == "main.nx"
    assert found["version"] == 3
    assert found["stale"] is False
    assert json.loads(found["document"]) == found["answer"]
    assert found["size"]["characters"] == len(found["document"])


def test_views_are_the_documents_alone() -> None:
    db = program_of(SOURCE)
    id = named_declaration(db, "main.nx", "f")
    answer = tool_schema(db, id).answer
    assert json.loads(tool_schema(db, id, view="input").document) == answer.input_schema
    assert json.loads(tool_schema(db, id, view="output").document) == answer.output_schema
    compact = tool_schema(db, id, view="input", format="compact").document
    assert "\n" not in compact
    assert " " not in compact
    assert json.loads(compact) == answer.input_schema


def test_a_view_of_a_schema_that_is_not_there_is_refused_with_the_reason() -> None:
    db = program_of(SOURCE)
    with pytest.raises(SchemaRequestError) as refused:
        tool_schema(db, named_declaration(db, None, "g"), view="input")
    assert refused.value.code == "schema-inexpressible-type"
    assert "`g` has no input schema" in refused.value.message
    assert "`h`" in refused.value.message


@pytest.mark.parametrize("view", ["openai", "openaiStrict", "anthropic", "ax", "nonsense"])
def test_other_views_are_refused_naming_what_there_is(view: str) -> None:
    db = program_of(SOURCE)
    with pytest.raises(SchemaRequestError) as refused:
        tool_schema(db, named_declaration(db, None, "f"), view=view)
    assert refused.value.code == "schema-view-unavailable"
    assert f"`{view}`" in refused.value.message
    assert "`answer`, `input`, `output`" in refused.value.message


@pytest.mark.parametrize(("characters", "tokens"), [(0, 0), (1, 1), (4, 1), (5, 2), (8, 2)])
def test_tokens_are_a_quarter_rounded_up(characters: int, tokens: int) -> None:
    assert size_of("x" * characters) == {"characters": characters, "tokensEstimate": tokens}


@pytest.mark.parametrize(
    ("module", "name"),
    [(None, "nope"), ("main.nx", "nope"), ("other.nx", "f"), ("main.nx", "Plan.Nope")],
)
def test_unknown_names_fail_with_their_code(module: str | None, name: str) -> None:
    with pytest.raises(SchemaRequestError) as failed:
        named_declaration(program_of(SOURCE), module, name)
    assert failed.value.code == "schema-unknown-declaration"
    assert name in failed.value.message
    assert (module or "main.nx") in failed.value.message


def test_a_type_is_no_function_and_the_other_way_round() -> None:
    db = program_of(SOURCE)
    for ask in (
        lambda: tool_schema(db, named_declaration(db, None, "Plan")),
        lambda: type_schema(db, named_declaration(db, None, "f")),
    ):
        with pytest.raises(SchemaRequestError) as failed:
            ask()
        assert failed.value.code == "schema-unknown-declaration"


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("let f(): int = { <|>1 }", "f"),
        ("le<|>t f(): int = 1", "f"),
        ("let g(): int = 1\nlet f(): int = { <|>g() }", "g"),
        ("let f(): int = { 1 }<|>", "f"),
    ],
)
def test_the_function_named_or_around(source: str, name: str) -> None:
    db, module, offset = program_at(source)
    assert function_at(db, module, offset) == DeclarationId("main.nx", name)


@pytest.mark.parametrize("source", ["<|>", "type P<|>lan = { a:int }", "let a<|> = 1"])
def test_no_function_here(source: str) -> None:
    db, module, offset = program_at(source)
    with pytest.raises(SchemaRequestError) as failed:
        function_at(db, module, offset)
    assert failed.value.code == "schema-unknown-declaration"


def test_the_type_named_or_around() -> None:
    db, module, offset = program_at("type A = { a:int }\ntype B = { b:<|>A }")
    assert type_at(db, module, offset).name == "A"
    db, module, offset = program_at("type A = { a:int }\ntype B = { <|>b:A }")
    assert type_at(db, module, offset).name == "B"
    answer = type_schema(db, type_at(db, module, offset), "input").to_json(None)
    assert answer["name"] == "B"
    assert json.loads(answer["document"]) == answer["answer"]


@pytest.mark.parametrize(
    ("source", "name", "kind", "pointer"),
    [
        ("let f(<|>a:int): int = 1", "f", "function", "/inputSchema/properties/a"),
        ("let f(a:int): int = { <|>1 }", "f", "function", None),
        ("type A = { <|>a:int }", "A", "type", None),
    ],
)
def test_the_panel_follows_the_cursor(
    source: str, name: str, kind: str, pointer: str | None
) -> None:
    db, module, offset = program_at(source)
    found = schema_at(db, module, offset)
    assert found is not None
    assert (found.name, found.kind, found.pointer) == (name, kind, pointer)
    assert (found.start, found.end) == (0, len(source) - len("<|>"))


def test_the_panel_stays_outside_of_declarations() -> None:
    for source in ("<|>", "let a = <|>1", 'import "./<|>x.nx"'):
        db, module, offset = program_at(source)
        assert schema_at(db, module, offset) is None
