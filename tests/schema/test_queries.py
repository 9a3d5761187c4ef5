"""schema-contract 1: the two queries and the shape of their answers."""

from __future__ import annotations

import pytest
from schema_validity import ask, ask_type, body, codes, messages, program, same

from nx_lsp import UnknownDeclaration


def test_a_function_answer_has_its_members_in_order():
    source = '/// Finds.\n///\n/// More.\nlet f(n:int): string = { "x" }'
    answer = ask(source)
    assert list(answer) == [
        "module",
        "name",
        "description",
        "summary",
        "parameters",
        "inputSchema",
        "outputSchema",
        "resultType",
        "declaration",
        "diagnostics",
    ]
    assert answer["module"] == "main.nx"
    assert answer["name"] == "f"
    assert answer["description"] == "Finds.\n\nMore."
    assert answer["summary"] == "Finds."
    assert answer["resultType"] == "string"
    assert answer["diagnostics"] == []


def test_absent_members_are_left_out_and_never_null():
    answer = ask("let f(g:<function />: int): <function />: int = { g }")
    assert list(answer) == [
        "module",
        "name",
        "parameters",
        "resultType",
        "declaration",
        "diagnostics",
    ]


def test_a_type_answer_has_its_members_in_order():
    answer = ask_type("/// Doc.\ntype Plan = { name:string }", "Plan")
    assert list(answer) == ["module", "name", "description", "summary", "schema", "diagnostics"]
    answer = ask_type("type Plan = { name:string }", "Plan")
    assert list(answer) == ["module", "name", "schema", "diagnostics"]


def test_module_left_out_means_the_entry_module():
    sources = {"other.nx": "let f(): int = 1", "main.nx": 'let f(): string = "a"'}
    assert ask(sources)["resultType"] == "string"
    assert ask(sources, module="other.nx")["resultType"] == "int"


@pytest.mark.parametrize(
    "declaration",
    [
        "let f(n:int): int = { n }",
        "private let f(n:int): int = { n }",
        "export let f(n:int): int = { n }",
        "let <f n:int />: int = { n }",
    ],
)
def test_any_function_qualifies(declaration):
    same(body(ask(declaration)["outputSchema"]), {"type": "integer"})


def test_element_functions_are_described_by_their_parameters():
    answer = ask("let <Greeting name:string content body:string />: string = { name }", "Greeting")
    same(
        body(answer["inputSchema"]),
        {
            "type": "object",
            "properties": {"name": {"type": "string"}, "body": {"type": "string"}},
            "required": ["name", "body"],
            "additionalProperties": False,
        },
    )


def test_functions_of_libraries_are_asked_by_their_identity():
    sources = {
        "libraries/catalog/Plans.nx": "export let findPlans(): int = 1",
        "main.nx": 'import "./libraries/catalog"\nlet f(): int = 1',
    }
    answer = ask(sources, "findPlans", module="libraries/catalog/Plans.nx")
    assert answer["module"] == "libraries/catalog/Plans.nx"


def test_parameters_have_one_entry_each_in_declaration_order():
    source = """
type Plan = { name:string }
let f(
  teamSize:int where > 0,
  /// The plan.
  plan:Plan,
  limit:int = 5,
  note?:string+
): int = 1
"""
    same(
        ask(source)["parameters"],
        [
            {"name": "teamSize", "type": "int where > 0", "required": True},
            {
                "name": "plan",
                "type": "Plan",
                "required": True,
                "description": "The plan.",
                "typeRef": {"module": "main.nx", "name": "Plan"},
            },
            {"name": "limit", "type": "int", "required": False},
            {"name": "note", "type": "string+", "required": False},
        ],
    )


TYPE_REFS = """
type Plan = { name:string }
action Go = { to:string }
type Status = on | off
type Page = { T:type items:T+ }
type Alias = Plan
type Further = Alias
type Grouped = (Plan)
type Plans = Plan+
type MaybePlan = Plan?
type Applied = <Page T=Plan />
type Looping = Looped
type Looped = Looping
component <Counter /> = { state { n:int = 0 } <b/> }
"""


@pytest.mark.parametrize(
    ("type", "name"),
    [
        ("Plan", "Plan"),
        ("Go", "Go"),
        ("Status", "Status"),
        ("Alias", "Plan"),
        ("Further", "Plan"),
        ("Grouped", "Plan"),
        ("Plan.Update", "Plan.Update"),
        ("Plan.Property", "Plan.Property"),
        ("Counter.State", "Counter.State"),
        ("string", None),
        ("object", None),
        ("Plan+", None),
        ("Plans", None),
        ("MaybePlan", None),
        ("Applied", None),
        ("<Page T=Plan />", None),
        ("Looping", None),
        ("Nowhere", None),
    ],
)
def test_type_ref_names_the_record_or_union(type, name):
    for mark in ("", "?"):
        entry = ask(f"{TYPE_REFS}let f(a{mark}:{type}): int = 1")["parameters"][0]
        assert entry.get("typeRef") == (name and {"module": "main.nx", "name": name})
        assert entry["type"] == type


def test_type_ref_names_the_declaring_module():
    sources = {
        "types.nx": "export type Plan = { name:string }",
        "main.nx": 'import "./types.nx" as T\nlet f(a:T.Plan): int = 1',
    }
    entry = ask(sources)["parameters"][0]
    assert entry["type"] == "T.Plan"
    assert entry["typeRef"] == {"module": "types.nx", "name": "Plan"}


@pytest.mark.parametrize(
    ("annotation", "spelling"),
    [
        (": int", "int"),
        (":int where in 1..=10", "int where in 1..=10"),
        (": Plan*", "Plan*"),
        (": Alias", "Alias"),
        (": <Page   T=Plan/>", "<Page T=Plan />"),
        (": <function Item:string/>:string", "<function Item:string />: string"),
    ],
)
def test_result_type_is_the_declared_type_respelled(annotation, spelling):
    assert ask(f"{TYPE_REFS}let f(){annotation} = {{}}")["resultType"] == spelling


@pytest.mark.parametrize(
    ("value", "spelling"),
    [
        ("{ 2 * 3 }", "int"),
        ('"a"', "string"),
        ("{ 1.5 }", "float64"),
        ('<Plan name="a" />', "Plan"),
        ("{ 1 2 }", "int+"),
        ("{ Status.on }", "Status.on"),
        ('{ if true { "a" } }', "string?"),
    ],
)
def test_result_type_may_be_inferred(value, spelling):
    assert ask(f"{TYPE_REFS}let f() = {value}")["resultType"] == spelling


@pytest.mark.parametrize("value", ["{ later() }", "{ f() }", "{}", "{ nothing }"])
def test_a_result_that_cannot_be_inferred_is_a_question_mark(value):
    answer = ask(f"let f() = {value}\nlet later() = 3")
    assert answer["resultType"] == "?"
    assert "outputSchema" not in answer
    assert "inputSchema" in answer
    assert codes(answer) == ["schema-inexpressible-type"]
    assert messages(answer)[0].startswith("The result of `f` has the type `?`")
    assert answer["diagnostics"][0]["help"] == "Annotate the result type."


def test_declaration_is_the_span_of_the_whole_declaration():
    source = (
        "type A = { é:int }\r\n\r\n  /// Doc 😀\r\n  let f(\r\n    n:int\r\n"
        '  ): string = "😀"\r\ntype B = { n:int }'
    )
    declaration = ask(source)["declaration"]
    data = source.encode()
    start, end = data.index(b"let f"), data.index(b"\r\ntype B")
    same(
        declaration,
        {
            "startByte": start,
            "endByte": end,
            "startLine": 4,
            "startColumn": 3,
            "endLine": 6,
            "endColumn": 18,
        },
    )


def test_diagnostics_have_their_members_in_order():
    source = "let f(g:<function />: int): int = 1"
    (diagnostic,) = ask(source)["diagnostics"]
    assert list(diagnostic) == ["severity", "code", "message", "labels", "help"]
    assert diagnostic["severity"] == "error"
    (label,) = diagnostic["labels"]
    same(
        label,
        {
            "file": "main.nx",
            "span": {
                "startByte": 6,
                "endByte": 25,
                "startLine": 1,
                "startColumn": 7,
                "endLine": 1,
                "endColumn": 26,
            },
            "primary": True,
        },
    )


TYPES = """
abstract type Base = { id:int }
type Plan extends Base = { name:string }
action Go = { to:string }
type Status = on | off
type Names = string+
component <Counter /> = { state { n:int = 0 } <b/> }
component <Still /> = { <b/> }
let f(): int = 1
let v = 1
"""


@pytest.mark.parametrize(
    "name",
    [
        "Base",
        "Base.Update",
        "Base.Property",
        "Plan",
        "Plan.Update",
        "Plan.Property",
        "Go",
        "Go.Update",
        "Go.Property",
        "Status",
        "Names",
        "Counter.State",
        "Counter.State.Update",
        "Counter.State.Property",
    ],
)
@pytest.mark.parametrize("direction", ["input", "output"])
def test_type_schema_answers_for_every_kind_of_type(name, direction):
    answer = ask_type(TYPES, name, direction)
    assert answer["name"] == name
    assert "schema" in answer


def test_output_is_the_direction_by_default():
    assert program(TYPES).type_schema("Plan") == program(TYPES).type_schema(
        "Plan", direction="output"
    )


@pytest.mark.parametrize("suffix", ["Update", "Property"])
def test_the_older_spelling_of_a_components_companions_is_accepted(suffix):
    older = ask_type(TYPES, f"Counter.{suffix}")
    assert older == ask_type(TYPES, f"Counter.State.{suffix}")


def test_a_component_is_a_type_without_json_form():
    answer = ask_type(TYPES, "Counter")
    assert "schema" not in answer
    assert codes(answer) == ["schema-inexpressible-type"]
    assert "`Counter`" in messages(answer)[0]


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("missing", None),
        ("missing", "main.nx"),
        ("Plan", None),
        ("v", None),
        ("f", "nowhere.nx"),
    ],
)
def test_an_unknown_function_fails_naming_module_and_name(name, module):
    with pytest.raises(UnknownDeclaration) as failure:
        program(TYPES).function_schema(name, module)
    assert failure.value.code == "schema-unknown-declaration"
    assert f"`{name}`" in str(failure.value)
    assert f"`{module or 'main.nx'}`" in str(failure.value)


@pytest.mark.parametrize(
    "name",
    [
        "Missing",
        "f",
        "v",
        "Still.State",
        "Still.Update",
        "Status.Update",
        "Names.Property",
        "f.Update",
        "Plan.Update.Update",
        "Plan#2",
        "",
    ],
)
def test_an_unknown_type_fails_naming_module_and_name(name):
    with pytest.raises(UnknownDeclaration) as failure:
        program(TYPES).type_schema(name)
    assert f"`{name}`" in str(failure.value)
    assert "`main.nx`" in str(failure.value)


def test_a_query_changes_nothing():
    asked = program(TYPES)
    before = asked.function_schema("f").to_json()
    for name in ("Plan", "Base", "Status"):
        asked.type_schema(name, direction="input")
    assert asked.function_schema("f").to_json() == before
