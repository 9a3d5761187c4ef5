"""schema-contract 12: host-supplied parameters."""

from __future__ import annotations

import pytest
from schema_validity import ask, codes, program, same

AGENT = ("@nx/agent/agent.nx", "ToolContext")
TOOL_CONTEXT = {"module": AGENT[0], "name": AGENT[1]}

SOURCE = """
import "@nx/agent"
type ChatContext extends ToolContext = { conversation:string }
type Context = ChatContext
type Further = Context
type Contexts = ChatContext+
type Request = { order:string context:ChatContext }
type Batch = { requests:Request+ }
type Node = { next?:Node context?:ChatContext }
type Load = | done | failed { context:ChatContext }
type Page = { T:type items:T+ }
type Phantom = { T:type n:int }
type Plan = { n:int }
abstract type Anything = { n?:int }
type Thing extends Anything = { request:Request }
type Events extends ToolContext = | fired { n:int }
type HoldsEvents = { events:Events }
"""


def entry(parameter, host=(AGENT,)):
    answer = ask(f"{SOURCE}let f({parameter}): int = 1", host=list(host))
    return answer, answer["parameters"][0]


@pytest.mark.parametrize(
    "type", ["ToolContext", "ChatContext", "Context", "Further", "(ChatContext)"]
)
@pytest.mark.parametrize("mark", ["", "?"])
def test_a_host_supplied_parameter_is_left_out(type, mark):
    answer = ask(f"{SOURCE}let f(n:int, context{mark}:{type}): int = 1", host=[AGENT])
    same(list(answer["inputSchema"]["properties"]), ["n"])
    same(answer["inputSchema"]["required"], ["n"])
    supplied = answer["parameters"][1]
    assert supplied["hostSupplied"] == TOOL_CONTEXT
    assert "hostSuppliedWithin" not in supplied
    assert supplied["required"] is (mark == "")
    assert supplied["type"] == type
    assert "typeRef" in supplied
    assert "hostSupplied" not in answer["parameters"][0]


def test_a_host_supplied_parameter_is_never_checked():
    source = 'import "@nx/agent"\nlet f(n:int, context:ToolContext): int = 1'
    assert codes(ask(source)) == ["schema-inexpressible-type"]
    answer = ask(source, host=[AGENT])
    assert codes(answer) == []
    same(list(answer["inputSchema"]["properties"]), ["n"])


def test_only_host_supplied_parameters_leave_an_empty_object():
    answer, _ = entry("context:ToolContext")
    same(
        {key: value for key, value in answer["inputSchema"].items() if key != "$schema"},
        {"type": "object", "properties": {}, "additionalProperties": False},
    )


def test_without_a_list_every_parameter_is_an_argument():
    answer, parameter = entry("context:ChatContext", host=())
    assert "context" in answer["inputSchema"]["properties"]
    assert "hostSupplied" not in parameter


def test_the_first_match_in_the_list_is_named():
    chat = ("main.nx", "ChatContext")
    _, parameter = entry("c:ChatContext", host=(chat, AGENT))
    assert parameter["hostSupplied"] == {"module": "main.nx", "name": "ChatContext"}
    _, parameter = entry("c:ChatContext", host=(AGENT, chat))
    assert parameter["hostSupplied"] == TOOL_CONTEXT


@pytest.mark.parametrize(
    "type",
    [
        "ChatContext+",
        "Contexts",
        "Request",
        "Batch",
        "Batch+",
        "Node",
        "Load",
        "<Page T=ChatContext />",
        "<Phantom T=ChatContext />",
        "<Page T=<Phantom T=Request /> />",
        "Anything",
        "Request.Update",
        "Events",
        "HoldsEvents",
    ],
)
def test_a_parameter_that_holds_a_listed_type_says_so_and_stays(type):
    answer, parameter = entry(f"p:{type}")
    assert parameter["hostSuppliedWithin"] == [TOOL_CONTEXT]
    assert "hostSupplied" not in parameter
    without, _ = entry(f"p:{type}", host=())
    assert answer.get("inputSchema") == without.get("inputSchema")
    assert "p" in answer["inputSchema"]["properties"]


@pytest.mark.parametrize(
    "type",
    [
        "string",
        "Plan",
        "Plan+",
        "<Page T=Plan />",
        "ChatContext.Update",
        "ChatContext.Property",
        "ToolContext.Update",
        "Request.Property",
        "object",
    ],
)
def test_a_parameter_that_holds_none_says_nothing(type):
    _, parameter = entry(f"p:{type}")
    assert "hostSuppliedWithin" not in parameter
    assert "hostSupplied" not in parameter


def test_all_held_types_are_named_in_list_order_and_once():
    chat, plan, request = ("main.nx", "ChatContext"), ("main.nx", "Plan"), ("main.nx", "Request")
    _, parameter = entry("p:Batch", host=(request, plan, chat, AGENT, request))
    assert parameter["hostSuppliedWithin"] == [
        {"module": "main.nx", "name": "Request"},
        {"module": "main.nx", "name": "ChatContext"},
        TOOL_CONTEXT,
    ]


def test_a_listed_type_twice_counts_once():
    once, _ = entry("p:Batch")
    twice, _ = entry("p:Batch", host=(AGENT, AGENT))
    assert once == twice


@pytest.mark.parametrize(
    "listed", [("main.nx", "Nothing"), ("nowhere.nx", "ToolContext"), ("", "")]
)
def test_an_unknown_listed_type_matches_nothing(listed):
    _, parameter = entry("p:Batch", host=(listed, AGENT))
    assert parameter["hostSuppliedWithin"] == [TOOL_CONTEXT]


def test_a_listed_union_is_held_and_never_host_supplied():
    _, parameter = entry("p:Load", host=(("main.nx", "Load"),))
    assert parameter["hostSuppliedWithin"] == [{"module": "main.nx", "name": "Load"}]


def test_a_listed_update_record_is_itself():
    listed = ("main.nx", "Plan.Update")
    _, parameter = entry("p:Plan.Update", host=(listed,))
    assert parameter["hostSupplied"] == {"module": "main.nx", "name": "Plan.Update"}
    _, parameter = entry("p:Plan", host=(listed,))
    assert "hostSuppliedWithin" not in parameter


@pytest.mark.parametrize("name", ["Clock.Update", "Clock.State.Update"])
def test_a_derived_type_is_listed_by_its_older_name_too(name):
    source = "component <Clock /> = { state { at:int = 0 } <b/> }\n"
    asked = f"{source}let f(a:Clock.State.Update, b:Clock.Update+, c:Clock.State): int = 1"
    listed = {"module": "main.nx", "name": name}
    a, b, c = ask(asked, host=[("main.nx", name)])["parameters"]
    assert a["hostSupplied"] == listed
    assert b["hostSuppliedWithin"] == [listed]
    assert not {"hostSupplied", "hostSuppliedWithin"} & set(c)


def test_a_type_listed_under_two_names_counts_once():
    answer, _ = entry("p:Batch", host=(("main.nx", "Further"), ("main.nx", "ChatContext"), AGENT))
    assert answer["parameters"][0]["hostSuppliedWithin"] == [
        {"module": "main.nx", "name": "Further"},
        TOOL_CONTEXT,
    ]


def test_a_record_that_holds_itself_without_end_is_looked_into_once():
    source = "type Box = { T:type v?:T inner?:<Box T=<Box T=T /> /> }\n"
    answer = ask(f"{SOURCE}{source}let f(b:<Box T=ChatContext />): int = 1", host=[AGENT])
    assert answer["parameters"][0]["hostSuppliedWithin"] == [TOOL_CONTEXT]


def test_nothing_else_in_the_answer_changes():
    asked = program(f"{SOURCE}let f(a:Batch, b:Plan, c:Node+): Request = {{}}")
    plain, listed = ask(asked), ask(asked, host=[AGENT])
    for parameter in listed["parameters"]:
        parameter.pop("hostSuppliedWithin", None)
    assert plain == listed
