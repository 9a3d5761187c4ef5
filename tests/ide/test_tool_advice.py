"""Advice about tools: editor-experience 5, the codes that begin with ``tool-``."""

import pytest
from ide_fixtures import program_of

from nx_lsp.ide.diagnostics import PublishedDiagnostic, module_diagnostics
from nx_lsp.ide.options import DEFAULT_OPTIONS, IdeOptions

AGENT = 'import { Agent, FunctionTool, ToolContext } from "@nx/agent"\n'
OFFER = "let offer = <FunctionTool function={f} />\n"
GOOD = "/// Does it.\nlet f(\n  /// How often.\n  n:int\n): int = 1\n"


def advice(source: str, options: IdeOptions = DEFAULT_OPTIONS) -> list[PublishedDiagnostic]:
    found = module_diagnostics(program_of(source), "main.nx", options)
    assert not [each for each in found if each.severity == "error" and each.source == "nx"]
    return [each for each in found if each.code.startswith("tool-")]


def told(source: str, options: IdeOptions = DEFAULT_OPTIONS) -> list[tuple[str, str, str]]:
    """Code, severity and marked text."""
    return [
        (each.code, each.severity, source[each.start : each.end])
        for each in advice(source, options)
    ]


def test_a_documented_tool_is_left_in_peace() -> None:
    assert told(AGENT + GOOD + OFFER) == []


def test_a_tool_without_description_or_documented_parameters() -> None:
    source = AGENT + "let f(n:int, m?:string): int = 1\n" + OFFER
    assert told(source) == [
        ("tool-missing-description", "warning", "f"),
        ("tool-undocumented-parameter", "hint", "n"),
        ("tool-undocumented-parameter", "hint", "m"),
    ]
    data = [each.data for each in advice(source)]
    assert [(one.name, one.member) for one in data] == [("f", None), ("f", "n"), ("f", "m")]


def test_other_functions_are_left_in_peace() -> None:
    other = "let g(n:object): int = 1\n"
    assert told(AGENT + GOOD + OFFER + other) == []
    assert told(other) == []
    assert len(told(other, IdeOptions(tools=("main.nx#g",)))) == 3


def test_the_record_can_describe_the_tool() -> None:
    source = AGENT + "let f(): int = 1\n"
    record = 'let offer = <FunctionTool description="Does it." function={f} />\n'
    assert told(source + record) == []
    other = "let again = <FunctionTool function={f} />\n"
    assert [code for code, *_ in told(source + record + other)] == ["tool-missing-description"]


def test_an_empty_comment_is_no_documentation() -> None:
    empty = GOOD.replace("Does it.", "").replace("How often.", "")
    assert [code for code, *_ in told(AGENT + empty + OFFER)] == [
        "tool-missing-description",
        "tool-undocumented-parameter",
    ]


def test_what_the_host_fills_in_needs_no_documentation() -> None:
    source = AGENT + "/// Does it.\nlet f(context:ToolContext): int = 1\n" + OFFER
    assert told(source) == []
    assert [one for _, _, one in told(source, IdeOptions(host_supplied=()))] == ["context"]


@pytest.mark.parametrize(
    ("type", "open_"),
    [("object", True), ("object+", True), ("Any", True), ("int", False), ("Plan", False)],
)
def test_an_open_object(type: str, open_: bool) -> None:
    types = "type Any = object\ntype Plan = { a:object }\n"
    source = AGENT + types + GOOD.replace("n:int", f"n:{type}") + OFFER
    assert told(source) == ([("tool-open-object", "hint", "n")] if open_ else [])


@pytest.mark.parametrize(
    ("name", "valid"),
    [
        ("a", True),
        ("find-plans.v2_x", True),
        ("x" * 128, True),
        ("x" * 129, False),
        ("find plans", False),
        ("pläne", False),
        ("a/b", False),
    ],
)
def test_names_of_tools(name: str, valid: bool) -> None:
    record = f'let offer = <FunctionTool name="{name}" function={{f}} />\n'
    found = told(AGENT + GOOD + record)
    assert found == ([] if valid else [("tool-invalid-name", "error", f'"{name}"')])


TWO = """
let tools = <FunctionTool function={f} />
let desk = <Agent name="desk" description="d" tools={
  <FunctionTool name="one" function={f} />
  <FunctionTool name="SECOND" function={f} />
}>Help.</Agent>
"""


@pytest.mark.parametrize(("second", "twice"), [("one", True), ("two", False)])
def test_two_tools_of_one_agent_need_two_names(second: str, twice: bool) -> None:
    source = AGENT + GOOD + TWO.replace("SECOND", second)
    assert told(source) == ([("tool-duplicate-name", "error", '"one"')] if twice else [])
    for each in advice(source):
        assert each.start > source.index('"one"')
        assert [source[one.start : one.end] for one in each.related] == ['"one"']


def test_a_name_in_two_branches_is_used_once() -> None:
    source = """
let desk(cheap:boolean) = <Agent name="desk" description="d" tools={
  if cheap { <FunctionTool name="one" function={f} /> }
  else { <FunctionTool name="one" function={f} /> }
}>Help.</Agent>
"""
    assert told(AGENT + GOOD + source) == []


def test_what_is_broken_gets_no_advice() -> None:
    source = AGENT + OFFER + "let f(n:int): int = \n"
    found = module_diagnostics(program_of(source), "main.nx")
    assert not [each for each in found if each.code.startswith("tool-")]


def test_each_code_has_its_severity() -> None:
    source = AGENT + "let f(n:int): int = 1\n" + OFFER
    options = IdeOptions(
        severity=(("tool-missing-description", "off"), ("tool-undocumented-parameter", "error"))
    )
    assert told(source, options) == [("tool-undocumented-parameter", "error", "n")]
