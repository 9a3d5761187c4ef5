"""The Python API: making programs, asking them, and what a bad call says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import nx_lsp
from nx_lsp import DeclarationId, Program, UnknownDeclaration

SOURCES = {
    "types.nx": "export type Plan = { name:string }\nexport type Names = string+\n",
    "main.nx": 'import "./types.nx"\nlet findPlans(size:int): Plan* = {}\nlet rename() = 1\n',
}


def test_the_public_names_are_there():
    for name in nx_lsp.__all__:
        assert hasattr(nx_lsp, name)
    assert set(nx_lsp.__all__) <= set(dir(nx_lsp))
    with pytest.raises(AttributeError, match="nothing"):
        _ = nx_lsp.nothing


def test_a_program_from_sources():
    program = Program.from_sources(SOURCES, entry="main.nx")
    assert program.entry == "main.nx"
    assert program.modules[-2:] == ("types.nx", "main.nx")
    answer = program.function_schema("findPlans")
    assert answer.module == "main.nx"
    assert answer.name == "findPlans"
    assert answer.description is None
    assert answer.summary is None
    assert answer.input_schema is not None
    assert answer.input_schema["properties"] == {"size": {"type": "integer"}}
    assert answer.output_schema is not None
    assert answer.result_type == "Plan*"
    assert answer.declaration.start_line == 2
    assert answer.diagnostics == ()
    (parameter,) = answer.parameters
    assert (parameter.name, parameter.type, parameter.required) == ("size", "int", True)


def test_a_program_from_a_directory(tmp_path: Path):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "kit.nx").write_text("export type Kit = { n:int }\n")
    (tmp_path / "main.nx").write_text('import "./lib"\nlet f(k:Kit): int = 1\n')
    (tmp_path / "notes.txt").write_text("not NX")
    for path in (tmp_path, str(tmp_path)):
        program = Program.from_directory(path, entry="main.nx")
        assert program.modules[-2:] == ("lib/kit.nx", "main.nx")
        assert program.function_schema("f").input_schema is not None
        assert program.diagnostics() == ()


def test_libraries_can_be_given_by_root():
    program = Program.from_sources(
        {"main.nx": 'import "./libraries/kit"\nlet f(k:Kit): int = 1'},
        libraries={"libraries/kit": {"a.nx": "export type Kit = { n:int }"}},
    )
    assert program.type_schema("Kit", "libraries/kit/a.nx").schema is not None
    assert program.function_schema("f").diagnostics == ()


def test_host_supplied_types_are_pairs():
    source = 'import "@nx/agent"\nlet f(c:ToolContext): int = 1'
    program = Program.from_sources({"main.nx": source})
    listed = ("@nx/agent/agent.nx", "ToolContext")
    for pairs in ([listed], (listed,), iter([listed]), [list(listed)], [DeclarationId(*listed)]):
        answer = program.function_schema("f", host_supplied_types=pairs)
        assert answer.parameters[0].host_supplied == listed


def test_type_schema_takes_a_direction():
    program = Program.from_sources(SOURCES, entry="main.nx")
    output = program.type_schema("Plan", module="types.nx")
    assert output == program.type_schema("Plan", "types.nx", "output")
    given = program.type_schema("Plan", "types.nx", direction="input")
    assert output.schema != given.schema


def test_answers_are_json_and_the_callers_own():
    program = Program.from_sources(SOURCES, entry="main.nx")
    first = program.function_schema("findPlans")
    text = json.dumps(first.to_json())
    assert first.input_schema is not None
    first.input_schema.clear()
    json_answer = program.function_schema("findPlans").to_json()
    assert json.dumps(json_answer) == text
    json_answer.clear()
    assert json.dumps(program.function_schema("findPlans").to_json()) == text
    schema = program.type_schema("Plan", "types.nx")
    assert schema.schema is not None
    schema.schema.clear()
    assert program.type_schema("Plan", "types.nx").schema


def test_what_can_be_asked_for():
    sources = {
        **SOURCES,
        "ui.nx": "component <Counter emits { Moved { to:int } } /> = { state { n:int = 0 } <b/> }\n"
        "component <Still /> = { <b/> }\naction Go = { }\ntype S = a | b\n<Still />",
    }
    program = Program.from_sources(sources, entry="main.nx")
    functions = [each for each in program.functions() if not each.module.startswith("@nx/")]
    assert functions == [("main.nx", "findPlans"), ("main.nx", "rename"), ("ui.nx", "root")]
    own = [each for each in program.types() if not each.module.startswith("@nx/")]
    assert own == [
        ("types.nx", "Plan"),
        ("types.nx", "Plan.Update"),
        ("types.nx", "Plan.Property"),
        ("types.nx", "Names"),
        ("ui.nx", "Counter"),
        ("ui.nx", "Counter.State"),
        ("ui.nx", "Counter.State.Update"),
        ("ui.nx", "Counter.State.Property"),
        ("ui.nx", "Counter.Moved"),
        ("ui.nx", "Counter.Moved.Update"),
        ("ui.nx", "Counter.Moved.Property"),
        ("ui.nx", "Still"),
        ("ui.nx", "Go"),
        ("ui.nx", "Go.Update"),
        ("ui.nx", "Go.Property"),
        ("ui.nx", "S"),
    ]
    for module, name in program.functions():
        program.function_schema(name, module)
    for module, name in program.types():
        assert program.type_schema(name, module).name == name


def test_diagnostics_come_in_the_order_of_the_compiler():
    source = '/// See [Nope].\nlet f(a:int): int = "x"\nlet g(a:Nowhere): int = 1\nlet f( = 1\n'
    program = Program.from_sources({"main.nx": source})
    codes = [each.code for each in program.diagnostics()]
    assert codes == [
        "syntax-error",
        "duplicate-declaration",
        "return-type-mismatch",
        "unresolved-type",
        "unresolved-doc-link",
    ]


def test_diagnostics_of_all_modules_with_spans():
    program = Program.from_sources(
        {"a.nx": "type A = { n:Nowhere }", "main.nx": "type B = { n:int n:int }\nlet f( = 1"},
        entry="main.nx",
    )
    found = program.diagnostics()
    by_code = {each.code: each for each in found}
    assert {"unresolved-type", "duplicate-member", "syntax-error"} <= set(by_code)
    label = by_code["unresolved-type"].labels[0]
    assert (label.file, label.span.start_byte, label.span.end_byte) == ("a.nx", 13, 20)
    assert label.primary
    assert all(each.severity in ("error", "warning", "info", "hint") for each in found)


def test_missing_schemas_are_no_mistakes_of_the_program():
    source = (
        "type R = { e:Element }\nlet f(r:R): int = 1\nlet g(r:R): R = {r}\n"
        "let h(e:Element): int = 1"
    )
    program = Program.from_sources({"main.nx": source})
    assert program.diagnostics() == ()
    found = program.schema_diagnostics()
    assert [each.code for each in found] == ["schema-inexpressible-type"] * 2
    assert [each.message.split(" has ")[0] for each in found] == ["`R.e`", "Parameter `e`"]


@pytest.mark.parametrize(
    ("name", "module", "words"),
    [
        ("findPlan", None, ["`main.nx`", "`findPlan`", "`findPlans`"]),
        ("findPlans", "types.nx", ["`types.nx`", "`findPlans`"]),
        ("findPlans", "mian.nx", ["`mian.nx`", "`findPlans`", "`main.nx`"]),
        ("xyz", None, ["`main.nx`", "`xyz`"]),
    ],
)
def test_an_unknown_function_says_what_was_meant(name, module, words):
    program = Program.from_sources(SOURCES, entry="main.nx")
    with pytest.raises(UnknownDeclaration) as failure:
        program.function_schema(name, module)
    for word in words:
        assert word in str(failure.value)
    assert failure.value.code == "schema-unknown-declaration"
    assert failure.value.name == name
    assert failure.value.module == (module or "main.nx")
    assert isinstance(failure.value, LookupError)


def test_asking_for_a_type_as_a_function_says_so():
    program = Program.from_sources(SOURCES, entry="main.nx")
    with pytest.raises(UnknownDeclaration, match="that is a record"):
        program.function_schema("Plan", "types.nx")
    with pytest.raises(UnknownDeclaration, match="that is an alias"):
        program.function_schema("Names", "types.nx")
    with pytest.raises(UnknownDeclaration, match="that is a function"):
        program.type_schema("findPlans")
    with pytest.raises(UnknownDeclaration, match=re.escape("did you mean `Plan`")):
        program.type_schema("plan", "types.nx")


def test_the_only_module_is_the_entry():
    assert Program.from_sources({"a.nx": "let f(): int = 1"}).function_schema("f").module == "a.nx"


def test_without_entry_every_question_names_its_module():
    program = Program.from_sources(SOURCES)
    assert program.entry is None
    assert program.function_schema("findPlans", module="main.nx").name == "findPlans"
    with pytest.raises(ValueError, match=r"no entry module.*`findPlans`"):
        program.function_schema("findPlans")
    with pytest.raises(ValueError, match="no entry module"):
        program.type_schema("Plan")


def test_an_entry_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match=r"`mian\.nx` is no module.*did you mean `main.nx`"):
        Program.from_sources(SOURCES, entry="mian.nx")
    with pytest.raises(ValueError, match=r"`\.\./x` is no module"):
        Program.from_sources(SOURCES, entry="../x")


def test_an_empty_program():
    program = Program.from_sources({})
    assert program.functions() == ()
    assert program.diagnostics() == ()
    with pytest.raises(ValueError, match="no entry"):
        program.function_schema("f")


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda p: p.function_schema(3), TypeError, "name must be a string, not `int`"),
        (lambda p: p.function_schema("f", 3), TypeError, "`module` must be a string"),
        (lambda p: p.type_schema("Plan", direction="x"), ValueError, '"input" or "output"'),
        (lambda p: p.type_schema("Plan", direction=1), TypeError, "direction"),
        (lambda p: p.type_schema(None), TypeError, "name must be a string"),
        (
            lambda p: p.function_schema("findPlans", host_supplied_types="ab"),
            TypeError,
            r"\(module, name\) pairs",
        ),
        (
            lambda p: p.function_schema("findPlans", host_supplied_types=["ab"]),
            TypeError,
            "pair",
        ),
        (
            lambda p: p.function_schema("findPlans", host_supplied_types=[("a", "b", "c")]),
            ValueError,
            "pair",
        ),
        (
            lambda p: p.function_schema("findPlans", host_supplied_types=[("a", 1)]),
            TypeError,
            "name of a host-supplied type",
        ),
        (
            lambda p: p.function_schema("findPlans", host_supplied_types=3),
            TypeError,
            "pairs",
        ),
        (lambda p: Program.from_sources("text"), TypeError, "sources must map"),
        (lambda p: Program.from_sources({"a.nx": b""}), TypeError, "text of `a.nx`"),
        (lambda p: Program.from_sources({1: ""}), TypeError, "identity"),
        (lambda p: Program.from_sources({}, entry=1), TypeError, "`entry`"),
        (lambda p: Program.from_sources({}, libraries=[]), TypeError, "`libraries`"),
        (lambda p: Program.from_sources({}, libraries={"a": 1}), TypeError, "library `a`"),
        (lambda p: Program.from_directory(3), TypeError, "`path`"),
    ],
)
def test_bad_arguments_are_refused_clearly(call, error, words):
    with pytest.raises(error, match=words):
        call(Program.from_sources(SOURCES, entry="main.nx"))


def test_a_directory_that_is_not_there(tmp_path: Path):
    with pytest.raises(FileNotFoundError):
        Program.from_directory(tmp_path / "nowhere")
    (tmp_path / "file.nx").write_text("")
    with pytest.raises(NotADirectoryError):
        Program.from_directory(tmp_path / "file.nx")


def test_a_refused_identity_is_among_the_diagnostics():
    program = Program.from_sources({"../x.nx": "", "main.nx": "let f(): int = 1"}, entry="main.nx")
    assert program.diagnostics()
    assert program.function_schema("f").output_schema is not None


def test_a_copy_for_a_host_and_back():
    source = "type User = { name?:string }\nlet greet(user:User, times?:int): int = 1\n"
    answer = Program.from_sources({"main.nx": source}).function_schema("greet")
    copy = answer.for_host("openai-strict", name="hello", description="Greets.")
    assert copy.document is not None
    assert copy.document["function"]["name"] == copy.name == "hello"
    sent = {"user": {"name": None}, "times": 2}
    assert copy.decode_arguments(sent) == {"user": {}, "times": 2}
    assert {note.code for note in copy.notes} >= {"optional-null"}
    assert not copy.lossy
