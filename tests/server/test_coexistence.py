"""Beside another server of the language nothing is shown twice (editor-experience 2)."""

from __future__ import annotations

import pytest
from lsprotocol import types as lsp
from sessions import end, start

# A language problem, a schema problem, and something to hover over.
TEXT = "/// Words.\nlet f(p:Missing): int = 1\n"
SCHEMA_CODE = "schema-inexpressible-type"
WITHOUT_LANGUAGE = ["schemaDiagnostics", "schemaHover", "codeAction"]


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("options", "settings"),
    [
        ({"features": WITHOUT_LANGUAGE}, None),
        (None, {"coexistence": "schemaOnly"}),
        ({"features": WITHOUT_LANGUAGE}, {"coexistence": "full"}),
    ],
    ids=["features", "setting", "both"],
)
async def test_only_what_the_other_server_lacks_is_shown(tmp_path, options, settings):
    path = tmp_path / "main.nx"
    path.write_text(TEXT)
    client = await start(tmp_path, options=options, settings=settings)
    await client.codes_become(path.as_uri(), [SCHEMA_CODE])
    shown = await client.hover(path.as_uri(), 1, 4)
    assert "Input schema" in shown.contents.value
    assert "Words." not in shown.contents.value
    assert "```nx" not in shown.contents.value
    symbols = lsp.DocumentSymbolParams(lsp.TextDocumentIdentifier(path.as_uri()))
    assert not await client.text_document_document_symbol_async(symbols)
    await end(client)


@pytest.mark.asyncio
@pytest.mark.parametrize("mode", ["auto", "full"])
async def test_alone_everything_is_shown(tmp_path, mode):
    path = tmp_path / "main.nx"
    path.write_text(TEXT)
    client = await start(tmp_path, settings={"coexistence": mode})
    await client.codes_become(path.as_uri(), ["unresolved-type", SCHEMA_CODE])
    shown = await client.hover(path.as_uri(), 1, 4)
    assert "Words." in shown.contents.value
    symbols = lsp.DocumentSymbolParams(lsp.TextDocumentIdentifier(path.as_uri()))
    assert await client.text_document_document_symbol_async(symbols)
    await end(client)


@pytest.mark.asyncio
async def test_a_client_that_wants_neither_problems_nor_hovers_gets_none(tmp_path):
    path = tmp_path / "main.nx"
    path.write_text(TEXT)
    client = await start(tmp_path, options={"features": ["codeAction"]})
    await client.idle()
    assert client.publications == []
    assert await client.hover(path.as_uri(), 1, 4) is None
    await end(client)
