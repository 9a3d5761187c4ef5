"""The prelude and the agent library, against the tables of semantics 1.7 and 1.8."""

from __future__ import annotations

import pytest
from program_reports import program

from nx_lsp.program.declarations import DeclarationId, Member, RecordDeclaration, UnionDeclaration
from nx_lsp.program.diagnostics import module_diagnostics
from nx_lsp.program.queries import (
    absolute,
    base,
    case_documentation,
    declaration,
    declarations,
    documentation,
    member_documentation,
    place,
)

AGENT = "@nx/agent/agent.nx"
PRELUDE = "@nx/prelude.nx"
DB = program(main='import "@nx/agent"\n')

# name: (abstract, base, members as written)
RECORDS: dict[str, tuple[bool, str | None, list[str]]] = {
    "AgentLimits": (False, None, ["maxSteps?:int", "maxToolCalls?:int"]),
    "Document": (False, None, ["title:string", "content text:string"]),
    "Tool": (True, None, ["name?:string", "description?:string"]),
    "Agent": (
        False,
        None,
        [
            "name:string",
            "description?:string",
            "model?:string",
            "documents?:Document+",
            "tools?:Tool+",
            "limits?:AgentLimits",
            "content instructions:string",
        ],
    ),
    "FunctionTool": (False, "Tool", ["function:<function ... />: object*"]),
    "WebSearchTool": (False, "Tool", ["allowedDomains?:string+"]),
    "ToolContext": (True, None, ["callId:string"]),
    "Connection": (True, None, ["name:string", "description?:string"]),
    "HttpConnection": (False, "Connection", ["baseUrl:string"]),
    "HttpParam": (False, None, ["name:string", "value:string"]),
    "HttpArguments": (
        False,
        None,
        ["pathParams?:HttpParam+", "query?:HttpParam+", "body?:object"],
    ),
    "HttpTool": (
        False,
        "Tool",
        [
            "connection:HttpConnection",
            "method:HttpMethod",
            "path:string",
            "arguments:<function ... />: HttpArguments",
            "maxCallsPerConversation?:int",
        ],
    ),
}
ORDER = [
    "AgentLimits",
    "Document",
    "Tool",
    "Agent",
    "FunctionTool",
    "WebSearchTool",
    "ToolContext",
    "HttpMethod",
    "Connection",
    "HttpConnection",
    "HttpParam",
    "HttpArguments",
    "HttpTool",
]


def written(member: Member) -> str:
    module = DB.module(member.owner.module)
    assert module is not None
    start, end = absolute(DB, place(DB, member.owner, member.node))
    return module.file.text[start:end]


def test_the_agent_library_declares_what_the_table_lists() -> None:
    assert [id.name for id in declarations(DB, AGENT)] == ORDER


@pytest.mark.parametrize("name", RECORDS)
def test_records_of_the_agent_library(name: str) -> None:
    abstract, extends, members = RECORDS[name]
    id = DeclarationId(AGENT, name)
    found = declaration(DB, id)
    assert isinstance(found, RecordDeclaration)
    assert (found.abstract, found.is_action, found.visibility) == (abstract, False, "export")
    assert found.type_parameters == ()
    assert base(DB, id) == (DeclarationId(AGENT, extends) if extends else None)
    assert [written(member) for member in found.own_fields] == members
    assert all(member.default is None for member in found.own_fields)
    assert documentation(DB, id)
    assert all(member_documentation(DB, member) for member in found.own_fields)


def test_http_methods() -> None:
    id = DeclarationId(AGENT, "HttpMethod")
    found = declaration(DB, id)
    assert isinstance(found, UnionDeclaration)
    assert [case.name for case in found.cases] == ["get", "post", "put", "patch", "delete"]
    assert found.visibility == "export"
    assert documentation(DB, id)
    assert all(case_documentation(DB, id, case.name) is None for case in found.cases)


def test_the_prelude_declares_ranges() -> None:
    assert [id.name for id in declarations(DB, PRELUDE)] == ["Range"]
    id = DeclarationId(PRELUDE, "Range")
    found = declaration(DB, id)
    assert isinstance(found, RecordDeclaration)
    assert (found.abstract, found.visibility) == (False, "export")
    assert found.type_parameters == ("T",)
    assert [written(m) for m in found.own_fields] == ["start:T", "end:T", "endInclusive:boolean"]
    assert documentation(DB, id)
    assert all(member_documentation(DB, member) for member in found.own_fields)


@pytest.mark.parametrize("module", [PRELUDE, AGENT])
def test_nothing_is_wrong_with_them(module: str) -> None:
    assert module_diagnostics(DB, module) == ()
