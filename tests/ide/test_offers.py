import pytest
from ide_fixtures import program_of

from nx_lsp.ide.offers import offers, offers_of, tool_name
from nx_lsp.ide.options import IdeOptions
from nx_lsp.ide.tools import list_tools
from nx_lsp.program.declarations import DeclarationId
from nx_lsp.schema.hosts.naming import snake_case

TOOLS = """// file: main.nx
import { Agent, FunctionTool, HttpTool, WebSearchTool } from "@nx/agent"
import "./plans.nx" as P
let <Double n:int />: int = { n * 2 }
let unused(a:int): int = { a }
let agent = <Agent name="sales" tools={
  <FunctionTool function={P.findPlans} />
  <FunctionTool name="times_two" function={Double} />
  <WebSearchTool />
}>Sell.</Agent>
let again = { <FunctionTool function={Double} /> }
// file: plans.nx
import "@nx/agent"
/// Finds plans.
export let findPlans(): int = 1
type MyTool extends Tool = { call:<function ... />: object content other?:<function a:int />: int }
let mine = <MyTool call={if true { findPlans } else { hidden }} />
let hidden(): int = 2
let div() = { <FunctionTool function={nope} /> <p function={findPlans} /> }
"""


def id(name: str, module: str = "main.nx") -> DeclarationId:
    return DeclarationId(module, name)


@pytest.mark.parametrize(
    ("name", "snake"),
    [
        ("findPlans", "find_plans"),
        ("FindPlans", "find_plans"),
        ("find_plans", "find_plans"),
        ("HTTPFetch", "http_fetch"),
        ("fetchURL", "fetch_url"),
        ("step2Go", "step2_go"),
        ("Ui.Card", "ui_card"),
        ("find-plans", "find_plans"),
        ("x", "x"),
    ],
)
def test_snake_case(name: str, snake: str) -> None:
    assert snake_case(name) == snake


def test_every_construction_of_a_tool_record_offers_its_function() -> None:
    found = [
        (offer.function, offer.record.name, offer.tool_name, offer.offered_by)
        for offer in offers(program_of(TOOLS))
    ]
    plans = id("findPlans", "plans.nx")
    assert found == [
        (plans, "FunctionTool", "find_plans", "sales"),
        (id("Double"), "FunctionTool", "times_two", "sales"),
        (id("Double"), "FunctionTool", "double", "again"),
        (plans, "MyTool", "find_plans", "mine"),
        (id("hidden", "plans.nx"), "MyTool", "hidden", "mine"),
    ]


def test_the_authored_name_is_the_tool_name() -> None:
    db = program_of(TOOLS)
    assert tool_name(db, id("Double")) == "times_two"
    assert tool_name(db, id("findPlans", "plans.nx")) == "find_plans"
    assert tool_name(db, id("unused")) == "unused"
    assert offers_of(db, id("unused")) == ()


def test_a_program_without_agents_offers_nothing_and_parses_nothing_for_it() -> None:
    db = program_of("let f(): int = 1\ntype T = { a:int }")
    assert offers(db) == ()


def test_a_record_of_the_same_name_is_no_tool() -> None:
    db = program_of(
        "type FunctionTool = { function:<function ... />: object }\n"
        "let f(): int = 1\nlet offer = <FunctionTool function={f} />"
    )
    assert offers(db) == ()


def test_the_list_of_tools() -> None:
    db = program_of(TOOLS)
    tools = {tool.name: tool for tool in list_tools(db)}
    assert list(tools) == ["Double", "unused", "findPlans", "hidden", "div"]
    plans = tools["findPlans"]
    assert plans.tool_name == "find_plans"
    assert plans.offered_by == ("sales", "mine")
    assert plans.summary == "Finds plans."
    assert plans.problems == 0
    source = db.module("plans.nx")
    assert source is not None
    assert source.file.text[plans.start : plans.end] == "findPlans"


def test_the_list_counts_what_keeps_a_function_from_being_called() -> None:
    db = program_of("let f(a:<function />: int, b:Nope): int = 1")
    assert [tool.problems for tool in list_tools(db)] == [2]


def test_the_list_of_offered_tools_only() -> None:
    db = program_of(TOOLS)
    offered = [tool.name for tool in list_tools(db, offered_only=True)]
    assert offered == ["Double", "findPlans", "hidden"]
    options = IdeOptions(tools=("main.nx#unused",))
    named = [tool.name for tool in list_tools(db, options, offered_only=True)]
    assert named == ["Double", "unused", "findPlans", "hidden"]
