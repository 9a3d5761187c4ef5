"""Code lenses over the protocol: editor-experience 7."""

from __future__ import annotations

import os

import pytest
from lsprotocol import types as lsp
from sessions import Session, end, start

pytestmark = pytest.mark.asyncio(loop_scope="module")

TOOLS = """\
import { Agent, FunctionTool } from "@nx/agent"

/// Adds.
let add(a:int, b?:int): int = { a }

let twice(n:int): int = { n }

export abstract type Shape = { }
type Square extends Shape = { side:int }

let tool = <FunctionTool function={add} />
let agent = <Agent name="helper" description="Helps." tools={tool}>Help.</Agent>
"""


async def lenses(client: Session, uri: str) -> list[lsp.CodeLens]:
    """All lenses of a document, resolved one by one."""
    identifier = lsp.TextDocumentIdentifier(uri)
    unresolved = await client.text_document_code_lens_async(lsp.CodeLensParams(identifier)) or []
    assert all(each.command is None for each in unresolved)
    resolved = [await client.code_lens_resolve_async(each) for each in unresolved]
    assert [each.range for each in resolved] == [each.range for each in unresolved]
    return resolved


def told(found: list[lsp.CodeLens]) -> list[tuple[int, str]]:
    return [(one.range.start.line, one.command.title) for one in found if one.command]


async def test_lenses_keep_their_place_and_title_while_the_text_is_broken(tmp_path):
    (tmp_path / "tools.nx").write_text(TOOLS)
    uri = (tmp_path / "tools.nx").as_uri()
    client = await start(tmp_path)
    client.open(uri, TOOLS)
    whole = [
        (3, "Tool schema"),
        (3, "2 arguments · 1 optional"),
        (5, "Tool schema"),
        (7, "1 descendant"),
    ]
    assert told(await lenses(client, uri)) == whole
    # Broken inside: marked, in place.
    client.replace(uri, TOOLS.replace("{ a }", "{ a +  }"), 2)
    assert told(await lenses(client, uri)) == [
        (3, "~Tool schema"),
        (3, "~2 arguments · 1 optional"),
        *whole[2:],
    ]
    # Broken elsewhere, in what offers the tool: nothing changes. Nothing names it then.
    client.replace(uri, TOOLS.replace("function={add}", "function={add"), 3)
    assert told(await lenses(client, uri)) == whole
    client.replace(uri, TOOLS, 4)
    assert told(await lenses(client, uri)) == whole
    await end(client)


async def test_a_lens_runs_a_command_that_names_what_it_is_about(tmp_path):
    (tmp_path / "tools.nx").write_text(TOOLS)
    uri = (tmp_path / "tools.nx").as_uri()
    named = {"project": tmp_path.as_uri(), "module": "tools.nx", "name": "add"}
    client = await start(tmp_path, env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")})
    first, *_, shape = await lenses(client, uri)
    assert first.command is not None
    assert first.command.command == "nxlsp.server.openSchemaDocument"
    assert list(first.command.arguments) == [{"target": named}]
    opened = await client.command(first.command.command, first.command.arguments[0])
    assert opened["name"] == "add"
    assert shape.command is not None
    assert shape.command.command == "nxlsp.server.typeSchema"
    answer = await client.command(shape.command.command, shape.command.arguments[0])
    assert answer["name"] == "Shape"
    await end(client)
    editor = await start(tmp_path, experimental={"commandLinks": True})
    first, *_, shape = await lenses(editor, uri)
    assert first.command is not None
    assert shape.command is not None
    assert first.command.command == "nxlsp.showToolSchema"
    assert shape.command.command == "nxlsp.showLocations"
    assert [one["uri"] for one in shape.command.arguments[0]["locations"]] == [uri]
    await end(editor)


async def test_each_lens_has_its_setting(tmp_path):
    (tmp_path / "tools.nx").write_text(TOOLS)
    uri = (tmp_path / "tools.nx").as_uri()
    kinds = {"toolSchema": False, "summary": False, "descendants": False}
    kinds |= {"copy": True, "usage": True, "file": True}
    client = await start(tmp_path, settings={"codeLens": kinds})
    assert told(await lenses(client, uri)) == [
        (0, "1 tool · Export…"),
        (3, "Copy…"),
        (3, "offered by 1 agent"),
    ]
    await end(client)
    client = await start(tmp_path, options={"features": ["hover"]})
    assert await lenses(client, uri) == []
    await end(client)


async def test_lenses_are_refreshed_when_a_title_changes(tmp_path):
    (tmp_path / "tools.nx").write_text(TOOLS)
    (tmp_path / "more.nx").write_text("")
    uri, other = (tmp_path / "tools.nx").as_uri(), (tmp_path / "more.nx").as_uri()
    client = await start(tmp_path)
    client.open(uri, TOOLS)
    client.open(other, "")
    assert told(await lenses(client, uri))[-1] == (7, "1 descendant")
    await client.idle()
    client.replace(other, 'import { Shape } from "./tools.nx"\n// nothing\n', 2)
    await client.idle()
    client.replace(
        other, 'import { Shape } from "./tools.nx"\ntype Circle extends Shape = { r:int }\n', 3
    )
    await client.until(lambda: client.lens_refreshes > 0, lambda: "a refresh of the lenses")
    assert told(await lenses(client, uri))[-1] == (7, "2 descendants")
    assert client.lens_refreshes == 1
    await end(client)
