"""Hover, outline, code actions, commands and our own requests, over the real protocol."""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import pytest_asyncio
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from sessions import Session, end, start

pytestmark = pytest.mark.asyncio(loop_scope="module")

EXAMPLE = Path(__file__).parents[2] / "examples" / "agent"

TOOLS = """\
import { ToolContext } from "@nx/agent"

export type Plan = { name:string seats:int }

/// Finds plans that fit a team.
///
/// Prices are monthly, in US dollars.
let findPlans(
  /// How many people need a seat.
  teamSize:int where > 0,
  context:ToolContext,
  maxMonthlyPrice?:int
): Plan* = { <Plan name="basic" seats=3 /> }

let addOne(n:int) = { n + 1 }

type Mode = fast | slow
"""

FIND = TOOLS.index("findPlans")


def position(text: str, offset: int) -> lsp.Position:
    before = text[:offset]
    return lsp.Position(before.count("\n"), offset - (before.rfind("\n") + 1))


def target(uri: str, text: str, offset: int) -> dict:
    at = position(text, offset)
    return {
        "textDocument": {"uri": uri},
        "position": {"line": at.line, "character": at.character},
    }


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    path = tmp_path_factory.mktemp("features")
    (path / "tools.nx").write_text(TOOLS)
    return path


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(root, cache):
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    session = await start(root, EXAMPLE, env=environment)
    session.uri = (root / "tools.nx").as_uri()
    yield session
    await end(session)


def fences(markdown: str) -> list[tuple[str, str]]:
    return re.findall(r"^```(\w+)\n(.*?)\n```$", markdown, re.DOTALL | re.MULTILINE)


# ---------------------------------------------------------------- hover


async def test_hover_on_a_function_shows_both_schemas(client: Session):
    at = position(TOOLS, FIND)
    found = await client.hover(client.uri, at.line, at.character)
    assert found is not None
    assert isinstance(found.contents, lsp.MarkupContent)
    assert found.contents.kind == lsp.MarkupKind.Markdown
    assert found.range == lsp.Range(at, position(TOOLS, FIND + len("findPlans")))
    (language, signature), (_, given), (_, returned) = fences(found.contents.value)
    assert language == "nx"
    assert signature.startswith("let findPlans(\n  teamSize:int where > 0,\n")
    assert json.loads(given) == {
        "type": "object",
        "properties": {
            "teamSize": {
                "type": "integer",
                "minimum": 1,
                "description": "How many people need a seat.",
            },
            "maxMonthlyPrice": {"type": "integer"},
        },
        "required": ["teamSize"],
        "additionalProperties": False,
    }
    assert json.loads(returned) == {
        "type": "array",
        "items": {"$ref": "#/$defs/Plan"},
        "$defs": {
            "Plan": {
                "type": "object",
                "properties": {
                    "$type": {"const": "Plan"},
                    "name": {"type": "string"},
                    "seats": {"type": "integer"},
                },
                "required": ["$type", "name", "seats"],
                "additionalProperties": False,
            }
        },
    }
    assert "`context` is filled in by the host" in found.contents.value


async def test_hover_uses_the_unsaved_text(client: Session):
    text = TOOLS.replace("where > 0", "where > 9")
    client.open(client.uri, text)
    at = position(text, FIND)
    found = await client.hover(client.uri, at.line, at.character)
    assert found is not None
    assert '"minimum": 10' in found.contents.value
    client.close(client.uri)
    await client.idle()


async def test_hover_on_an_example(client: Session):
    path = EXAMPLE / "travel" / "search.nx"
    text = path.read_text()
    at = position(text, text.index("searchFlights"))
    found = await client.hover(path.as_uri(), at.line, at.character)
    assert found is not None
    assert "**Tool** `search_flights`" in found.contents.value
    languages = [language for language, _ in fences(found.contents.value)]
    assert languages == ["nx", "json", "json"]
    schema = json.loads(fences(found.contents.value)[1][1])
    assert "traveller" not in schema["properties"]
    assert "origin" in schema["properties"]


async def test_hover_over_nothing_is_nothing(client: Session):
    assert await client.hover(client.uri, 1, 0) is None
    assert await client.hover(client.uri, 4000, 0) is None
    assert await client.hover("file:///not/there.nx", 0, 0) is None


async def test_a_plain_text_client_gets_no_markdown(root):
    client = await start(root, markdown=False)
    at = position(TOOLS, FIND)
    found = await client.hover((root / "tools.nx").as_uri(), at.line, at.character)
    await end(client)
    assert found is not None
    assert found.contents.kind == lsp.MarkupKind.PlainText
    assert "```" not in found.contents.value
    assert "INPUT SCHEMA" in found.contents.value


# ---------------------------------------------------------------- outline


async def test_outline_is_nested(client: Session):
    symbols = await client.text_document_document_symbol_async(
        lsp.DocumentSymbolParams(lsp.TextDocumentIdentifier(client.uri))
    )
    assert [one.name for one in symbols] == ["Plan", "findPlans", "addOne", "Mode"]
    assert [one.kind for one in symbols] == [
        lsp.SymbolKind.Struct,
        lsp.SymbolKind.Function,
        lsp.SymbolKind.Function,
        lsp.SymbolKind.Enum,
    ]
    assert [(one.name, one.detail) for one in symbols[0].children] == [
        ("name", "string"),
        ("seats", "int"),
    ]
    name = TOOLS.index("Plan =")
    assert symbols[0].selection_range == lsp.Range(position(TOOLS, name), position(TOOLS, name + 4))
    assert symbols[0].range.start.character <= symbols[0].selection_range.start.character


async def test_a_client_without_nesting_gets_a_flat_outline(root):
    client = await start(root, nested_symbols=False)
    uri = (root / "tools.nx").as_uri()
    symbols = await client.text_document_document_symbol_async(
        lsp.DocumentSymbolParams(lsp.TextDocumentIdentifier(uri))
    )
    await end(client)
    assert [(one.name, one.container_name) for one in symbols[:3]] == [
        ("Plan", None),
        ("name", "Plan"),
        ("seats", "Plan"),
    ]
    assert symbols[0].location.uri == uri


# ---------------------------------------------------------------- code actions


async def actions(client: Session, offset: int, only: list[str] | None = None):
    at = position(TOOLS, offset)
    return await client.actions(client.uri, lsp.Range(at, at), only)


async def test_actions_show_and_copy_a_schema(client: Session):
    found = await actions(client, FIND, ["source"])
    assert {one.title for one in found} >= {
        "Show tool schema",
        "Copy tool schema: whole answer",
        "Copy tool schema: input",
        "Copy tool schema: output",
    }
    (show,) = [one for one in found if one.title == "Show tool schema"]
    assert show.kind == "source.nxlsp.showToolSchema"
    assert show.command.command == "nxlsp.server.openSchemaDocument"
    result = await client.command(show.command.command, show.command.arguments[0])
    assert result["name"] == "findPlans"
    assert result["shown"] is True


async def test_only_the_kinds_that_are_wanted(client: Session):
    found = await actions(client, FIND, ["source.nxlsp.showToolSchema"])
    assert [one.title for one in found] == ["Show tool schema"]
    assert not await actions(client, FIND, ["refactor.extract"])


async def test_an_edit_names_the_version_it_was_made_for(client: Session):
    client.open(client.uri, TOOLS, 5)
    found = await actions(client, TOOLS.index("addOne"), ["refactor.rewrite"])
    (write,) = [one for one in found if "result type" in one.title]
    (change,) = write.edit.document_changes
    assert change.text_document.version == 5
    assert change.text_document.uri == client.uri
    (edit,) = change.edits
    assert edit.new_text == ": int"
    assert edit.range.start == position(TOOLS, TOOLS.index(" = { n + 1"))
    client.close(client.uri)


# ---------------------------------------------------------------- toolSchema and typeSchema


async def test_tool_schema_by_name_and_by_place_are_the_same(client: Session):
    by_place = await client.own(
        "nxlsp/toolSchema", {"target": target(client.uri, TOOLS, TOOLS.index("teamSize"))}
    )
    by_name = await client.own(
        "nxlsp/toolSchema", {"target": {"module": "tools.nx", "name": "findPlans"}}
    )
    assert by_place == by_name
    assert by_name["toolName"] == "find_plans"
    assert by_name["stale"] is False
    assert by_name["version"] is None
    assert json.loads(by_name["document"]) == by_name["answer"]
    assert by_name["notes"] == []
    assert by_name["size"]["characters"] == len(by_name["document"])


async def test_views_and_formats(client: Session):
    named = {"module": "tools.nx", "name": "findPlans"}
    found = await client.own(
        "nxlsp/toolSchema", {"target": named, "view": "input", "format": "compact"}
    )
    assert "\n" not in found["document"]
    assert json.loads(found["document"]) == found["answer"]["inputSchema"]


async def test_an_overlay_counts_for_one_request(client: Session):
    named = {"module": "tools.nx", "name": "findPlans"}
    overlay = {client.uri: TOOLS.replace("where > 0", "where > 41")}
    found = await client.own("nxlsp/toolSchema", {"target": named, "overlay": overlay})
    assert found["answer"]["inputSchema"]["properties"]["teamSize"]["minimum"] == 42
    found = await client.own("nxlsp/toolSchema", {"target": named})
    assert found["answer"]["inputSchema"]["properties"]["teamSize"]["minimum"] == 1


async def test_type_schema_in_both_directions(client: Session):
    named = {"module": "tools.nx", "name": "Plan"}
    for direction, required in (("input", ["name", "seats"]), ("output", None)):
        found = await client.own("nxlsp/typeSchema", {"target": named, "direction": direction})
        entry = found["answer"]["schema"]["$defs"]["Plan"]
        assert entry["required"] == (required or ["$type", "name", "seats"])
    at = target(client.uri, TOOLS, TOOLS.index("Mode"))
    found = await client.own("nxlsp/typeSchema", {"target": at})
    assert found["name"] == "Mode"


@pytest.mark.parametrize(
    ("method", "wanted"),
    [
        ("nxlsp/toolSchema", {"target": {"module": "tools.nx", "name": "nothing"}}),
        ("nxlsp/toolSchema", {"target": {"module": "nowhere.nx", "name": "findPlans"}}),
        ("nxlsp/toolSchema", {"target": {"module": "tools.nx", "name": "Plan"}}),
        ("nxlsp/toolSchema", {"target": {"name": "x", "project": "file:///nowhere"}}),
        ("nxlsp/typeSchema", {"target": {"module": "tools.nx", "name": "Nothing"}}),
        ("nxlsp/typeSchema", {"target": {"module": "tools.nx", "name": "findPlans"}}),
    ],
)
async def test_what_is_not_there_is_refused(client: Session, method, wanted):
    with pytest.raises(JsonRpcException) as caught:
        await client.own(method, wanted)
    assert caught.value.code == -32803
    assert caught.value.data["code"] == "schema-unknown-declaration"
    with pytest.raises(JsonRpcException) as caught:
        await client.command(f"nxlsp.server.{method.removeprefix('nxlsp/')}", wanted)
    assert caught.value.code == -32803


@pytest.mark.parametrize(
    "wanted",
    [
        None,
        [],
        {"target": 3},
        {"target": {}},
        {"target": {"name": 3}},
        {"target": {"textDocument": {"uri": "file:///x.nx"}, "position": {"line": -1}}},
        {"target": {"name": "findPlans", "module": "tools.nx"}, "format": "loud"},
        {"target": {"name": "findPlans", "module": "tools.nx"}, "overlay": {"a": 1}},
    ],
)
async def test_bad_parameters_are_refused(client: Session, wanted):
    with pytest.raises(JsonRpcException) as caught:
        await client.own("nxlsp/toolSchema", wanted)
    assert caught.value.code == -32602


@pytest.mark.parametrize("beyond", [(10**6, 0), (0, 10**12), (10**30, 10**30)])
async def test_a_place_past_the_end_is_the_end(client: Session, root, beyond):
    position = dict(zip(("line", "character"), beyond, strict=True))
    target = {"textDocument": {"uri": (root / "tools.nx").as_uri()}, "position": position}
    assert await client.own("nxlsp/schemaAt", target) is None
    with pytest.raises(JsonRpcException) as caught:
        await client.own("nxlsp/toolSchema", {"target": target})
    assert caught.value.code == -32803


async def test_a_view_that_does_not_exist_is_refused(client: Session):
    named = {"module": "tools.nx", "name": "findPlans"}
    with pytest.raises(JsonRpcException) as caught:
        await client.own("nxlsp/toolSchema", {"target": named, "view": "cobol"})
    assert caught.value.code == -32803
    assert caught.value.data == {"code": "schema-view-unavailable"}
    assert "`cobol` is not known" in caught.value.message


async def test_a_copy_for_a_host(client: Session):
    named = {"module": "tools.nx", "name": "findPlans"}
    found = await client.own("nxlsp/toolSchema", {"target": named, "view": "mcp"})
    document = json.loads(found["document"])
    assert list(document) == ["name", "description", "inputSchema", "outputSchema"]
    assert document["name"] == "find_plans"
    assert document["outputSchema"]["properties"]["result"]["type"] == "array"
    assert [(note["code"], note["pointer"], note["lossy"]) for note in found["notes"]] == [
        ("meta-schema-left-out", "/inputSchema/$schema", False),
        ("meta-schema-left-out", "/outputSchema/$schema", False),
        ("result-wrapped", "/outputSchema", False),
    ]


async def test_broken_code_keeps_its_last_good_view(client: Session):
    named = {"module": "tools.nx", "name": "findPlans"}
    client.open(client.uri, TOOLS, 1)
    good = await client.own("nxlsp/toolSchema", {"target": named})
    assert (good["stale"], good["version"]) == (False, 1)
    broken = TOOLS.replace("teamSize:int where > 0", "teamSize:int where >")
    client.replace(client.uri, broken, 2)
    found = await client.own("nxlsp/toolSchema", {"target": named})
    assert (found["stale"], found["version"]) == (True, 1)
    assert found["answer"] == good["answer"]
    client.replace(client.uri, TOOLS.replace("let findPlans(", "let "), 3)
    found = await client.own("nxlsp/toolSchema", {"target": named})
    assert found["stale"] is True
    # The same by its place, which the edit above it has moved.
    moved = "// new\n\n" + TOOLS.replace("let findPlans(", "findPlans(")
    client.replace(client.uri, moved, 4)
    at = target(client.uri, moved, moved.index("maxMonthlyPrice"))
    found = await client.own("nxlsp/toolSchema", {"target": at})
    assert (found["name"], found["stale"], found["version"]) == ("findPlans", True, 1)
    client.replace(client.uri, TOOLS, 5)
    found = await client.own("nxlsp/toolSchema", {"target": named})
    assert (found["stale"], found["version"]) == (False, 5)
    client.close(client.uri)


# ---------------------------------------------------------------- the other requests


async def test_schema_at(client: Session):
    where = target(client.uri, TOOLS, TOOLS.index("teamSize"))
    found = await client.own("nxlsp/schemaAt", where)
    assert (found["module"], found["name"], found["kind"]) == ("tools.nx", "findPlans", "function")
    assert found["pointer"] == "/inputSchema/properties/teamSize"
    start_ = position(TOOLS, TOOLS.index("let findPlans"))
    assert found["range"]["start"] == {"line": start_.line, "character": start_.character}
    nothing = target(client.uri, TOOLS, TOOLS.index("\n\n") + 1)
    assert await client.own("nxlsp/schemaAt", nothing) is None


async def test_list_tools_of_the_example(client: Session):
    found = await client.own(
        "nxlsp/listTools", {"project": EXAMPLE.as_uri(), "offeredOnly": True, "schemas": True}
    )
    by_name = {one["toolName"]: one for one in found["tools"]}
    assert {"search_flights", "convert_money", "forecast"} <= set(by_name)
    tool = by_name["search_flights"]
    assert tool["uri"] == (EXAMPLE / "travel" / "search.nx").as_uri()
    assert tool["offeredBy"] == ["Travel desk"]
    assert tool["summary"] == "Finds flights between two airports."
    assert tool["problems"] == 0
    assert tool["answer"]["inputSchema"]["type"] == "object"


async def test_export_is_the_same_every_time(client: Session):
    wanted = {"project": EXAMPLE.as_uri()}
    first = await client.command("nxlsp.server.exportSchemas", wanted)
    second = await client.command("nxlsp.server.exportSchemas", wanted)
    assert first == second
    functions = json.loads(first["document"])["functions"]
    assert len(functions) == first["functions"] > 5
    order = [(one["module"], one["name"]) for one in functions]
    assert order == sorted(order)


async def test_open_schema_document(client: Session, cache):
    argument = {"target": {"module": "tools.nx", "name": "findPlans"}, "view": "input"}
    found = await client.command("nxlsp.server.openSchemaDocument", argument)
    path = Path(unquote(urlsplit(found["uri"]).path))
    assert cache in path.parents
    assert path.read_text() == found["document"] + "\n"
    assert not path.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH)
    assert client.shown_documents[-1].uri == found["uri"]
    again = await client.command("nxlsp.server.openSchemaDocument", argument)
    assert again["uri"] == found["uri"]
    assert [one.name for one in path.parent.iterdir() if one.name.startswith(".")] == []


async def test_status_command_equals_the_request(client: Session):
    status = await client.command("nxlsp.server.status")
    assert set(status) >= {
        "version",
        "python",
        "encoding",
        "projects",
        "memoryMB",
        "queue",
        "lastAnalysisMs",
        "loopLagMs",
        "cache",
    }
    assert [one["root"] for one in status["projects"]] == [
        (Path(client.uri.removeprefix("file://")).parent).as_uri(),
        EXAMPLE.as_uri(),
    ]


async def test_an_unknown_command_is_refused(client: Session):
    with pytest.raises(JsonRpcException) as caught:
        await client.command("nxlsp.server.nothing")
    assert caught.value.code == -32602


async def test_library_modules_can_be_looked_at_and_are_not_checked(client: Session):
    uri = "nx:/@nx/agent/agent.nx"
    client.open(uri, "let v:Missing = 1\n")
    await client.idle()
    assert client.versions(uri) == []
    client.close(uri)
