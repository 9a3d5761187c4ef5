"""How code actions go over the protocol: editor-experience 6."""

from __future__ import annotations

import pytest
from lsprotocol import types as lsp
from sessions import Session, end, start

pytestmark = pytest.mark.asyncio(loop_scope="module")

LONELY = "abstract type Shape = { }\nlet f(s:Shape): int = 1\n"
ADD = "Add a record that extends `Shape`"
VS_CODE = {"commandLinks": True}


async def the_action(client: Session, uri: str, line: int, column: int, title: str):
    at = lsp.Position(line, column)
    found = [one for one in await client.actions(uri, lsp.Range(at, at)) if one.title == title]
    assert len(found) == 1
    return found[0]


def edits(action: lsp.CodeAction) -> list[lsp.TextDocumentEdit]:
    assert action.edit is not None
    return list(action.edit.document_changes or ())


@pytest.fixture
def lonely(tmp_path):
    (tmp_path / "main.nx").write_text(LONELY)
    return tmp_path


async def test_a_plain_client_gets_plain_text(lonely):
    uri = (lonely / "main.nx").as_uri()
    client = await start(lonely)
    action = await the_action(client, uri, 1, 6, ADD)
    assert action.command is None
    assert [one.code for one in action.diagnostics] == ["schema-inexpressible-type"]
    ((edit,),) = [one.edits for one in edits(action)]
    assert edit.new_text == "\n\ntype NewShape extends Shape = { }"
    await end(client)


async def test_a_client_of_snippets_gets_a_placeholder(lonely):
    uri = (lonely / "main.nx").as_uri()
    client = await start(lonely, snippets=True, experimental=VS_CODE)
    raw = await client.protocol.send_request_async(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(uri),
            lsp.Range(lsp.Position(1, 6), lsp.Position(1, 6)),
            lsp.CodeActionContext([]),
        ),
    )
    (action,) = [one for one in raw if one["title"] == ADD]
    (change,) = action["edit"]["documentChanges"]
    assert change["edits"][0]["snippet"]["value"] == (
        "\n\ntype ${1:NewShape} extends Shape = { \\}"
    )
    assert "command" not in action
    await end(client)


async def test_vs_code_selects_what_is_to_be_written_over(lonely):
    uri = (lonely / "main.nx").as_uri()
    client = await start(lonely, experimental=VS_CODE)
    action = await the_action(client, uri, 1, 6, ADD)
    assert action.command is not None
    assert action.command.command == "nxlsp.placeCursor"
    assert list(action.command.arguments) == [
        {
            "uri": uri,
            "range": {
                "start": {"line": 2, "character": 5},
                "end": {"line": 2, "character": 13},
            },
        }
    ]
    uninferred = "let f(n:int) = { f(n) }\n"
    client.open(uri, uninferred)
    action = await the_action(client, uri, 0, 4, "Add result type…")
    assert action.command is not None
    (argument,) = action.command.arguments
    assert argument["then"] == "suggest"
    assert argument["range"] == {
        "start": {"line": 0, "character": 14},
        "end": {"line": 0, "character": 20},
    }
    await end(client)


CLASH = {
    "item.nx": "export abstract type Item = { }\n",
    "left.nx": 'import { Item } from "./item.nx"\nexport type Card extends Item = { a:int }\n',
    "right.nx": 'import { Item } from "./item.nx"\nexport type Card extends Item = { b:int }\n',
    "use.nx": 'import { Item } from "./item.nx"\nimport { Card } from "./left.nx"\n'
    "let f(item:Item, card:Card): int = 1\n",
}


async def test_a_rename_over_several_files_asks_first(tmp_path):
    for name, text in CLASH.items():
        (tmp_path / name).write_text(text)
    uri = (tmp_path / "use.nx").as_uri()
    client = await start(tmp_path, annotations=True)
    client.open(uri, CLASH["use.nx"], 7)
    action = await the_action(client, uri, 2, 6, "Rename `Card` in `left.nx` to `LeftCard`")
    assert action.edit is not None
    (annotation,) = action.edit.change_annotations.values()
    assert annotation.needs_confirmation is True
    assert annotation.description.startswith("Changes what models see in 0 tools")
    changed = {
        one.text_document.uri.rpartition("/")[2]: (one.text_document.version, len(one.edits))
        for one in edits(action)
    }
    assert changed == {"left.nx": (None, 1), "use.nx": (7, 2)}
    assert all(
        isinstance(edit, lsp.AnnotatedTextEdit) for one in edits(action) for edit in one.edits
    )
    go = await the_action(client, uri, 2, 6, "Go to the other `Card` in `left.nx`")
    assert go.command is not None
    assert go.command.command == "nxlsp.server.showDeclaration"
    shown = await client.command(go.command.command, go.command.arguments[0])
    assert shown == {"uri": (tmp_path / "left.nx").as_uri(), "shown": True}
    selected = client.shown_documents[-1].selection
    assert selected == lsp.Range(lsp.Position(1, 12), lsp.Position(1, 16))
    await end(client)


async def test_a_light_bulb_is_for_what_mends(lonely):
    uri = (lonely / "main.nx").as_uri()
    client = await start(lonely)
    at = lsp.Position(1, 6)
    asked = await client.actions(uri, lsp.Range(at, at))
    assert any(str(one.kind).startswith("source") for one in asked)
    unasked = await client.actions(
        uri, lsp.Range(at, at), trigger=lsp.CodeActionTriggerKind.Automatic
    )
    assert [one.title for one in unasked] == [ADD]
    await end(client)
