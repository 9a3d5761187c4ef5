"""The server's text equals the client's, whatever is edited and however positions are counted."""

from __future__ import annotations

import random
import re

import pytest
import pytest_asyncio
from lsprotocol import types as lsp
from sessions import Session, end, start

pytestmark = pytest.mark.asyncio(loop_scope="module")

ENCODINGS = ("utf-8", "utf-16", "utf-32")
URI = "untitled:sync.nx"

PARTS = [
    "let f(n:int): int = { n }",
    "a",
    " ",
    "\n",
    "\r\n",
    "\r",
    "\f",
    "\v",
    "\u0085",
    "\u2028",
    "\u2029",
    "\x1c",
    "😀",
    "👩‍👩‍👧",
    "é",
    "e\u0301",
    "𝒳",
    "字",
    "\ufeff",
    "\0",
]


class Reference:
    """The simplest text that could be right: one string, positions counted by encoding."""

    def __init__(self, text: str, encoding: str) -> None:
        self.text = text
        self.encoding = encoding

    def position(self, offset: int) -> lsp.Position:
        ends = [match.end() for match in re.finditer(r"\r\n|\r|\n", self.text[:offset])]
        start = ends[-1] if ends else 0
        line = self.text[start:offset]
        units = {
            "utf-8": len(line.encode()),
            "utf-16": len(line.encode("utf-16-le")) // 2,
            "utf-32": len(line),
        }[self.encoding]
        return lsp.Position(len(ends), units)

    def is_position(self, offset: int) -> bool:
        """Between CR and LF there is none."""
        return self.text[max(offset - 1, 0) : offset + 1] != "\r\n"

    def replace(self, start: int, end: int, text: str) -> lsp.TextDocumentContentChangePartial:
        change = lsp.TextDocumentContentChangePartial(
            lsp.Range(self.position(start), self.position(end)), text
        )
        self.text = self.text[:start] + text + self.text[end:]
        return change

    def random_change(self, dice: random.Random) -> lsp.TextDocumentContentChangePartial:
        places = [at for at in range(len(self.text) + 1) if self.is_position(at)]
        start = dice.randrange(len(places))
        end = min(start + dice.choice((0, 0, 1, 2, 7)), len(places) - 1)
        new = "".join(dice.choices(PARTS, k=dice.randrange(3)))
        return self.replace(places[start], places[end], new)


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=ENCODINGS)
async def client(request):
    session = await start(encodings=[request.param])
    session.encoding = request.param
    yield session
    await end(session)


async def test_the_first_encoding_that_is_known_is_used(client: Session):
    status = await client.own("nxlsp/status")
    assert status["encoding"] == client.encoding


async def test_random_edits_leave_both_sides_with_the_same_text(client: Session):
    dice = random.Random(f"sync {client.encoding}")
    reference = Reference("let 😀 = 1\r\nb\u2028c\fd\re\n", client.encoding)
    client.open(URI, reference.text)
    edits = 0
    version = 1
    while edits < 600:
        changes = [reference.random_change(dice) for _ in range(dice.randrange(1, 5))]
        edits += len(changes)
        version += 1
        client.edit(URI, version, *changes)
        if edits % 10 == 0:
            assert await client.server_text(URI) == reference.text
        if len(reference.text) > 400:
            reference.text = "x\r\ny"
            version += 1
            client.edit(URI, version, lsp.TextDocumentContentChangeWholeDocument("x\r\ny"))
    document = await client.own("nxlsp/debug/document", {"textDocument": {"uri": URI}})
    assert document["text"] == reference.text
    assert document["version"] == version
    assert document["outOfStep"] is False
    client.close(URI)


@pytest.mark.parametrize(
    ("before", "start", "end", "new", "after"),
    [
        ("a\fb\nc", (1, 0), (1, 1), "X", "a\fb\nX"),
        ("a\u2028b\nc", (1, 0), (1, 1), "X", "a\u2028b\nX"),
        ("a\u0085b\nc", (1, 0), (1, 1), "X", "a\u0085b\nX"),
        ("a\vb\x1cc\nd", (1, 0), (1, 1), "X", "a\vb\x1cc\nX"),
        ("a\rb\r\nc", (1, 0), (2, 0), "", "a\rc"),
        ("a\r\nb", (0, 1), (1, 0), "", "ab"),
        ("a\n", (1, 0), (1, 0), "b", "a\nb"),
    ],
)
async def test_lines_end_where_editors_end_them(client: Session, before, start, end, new, after):
    client.open(URI, before)
    range_ = lsp.Range(lsp.Position(*start), lsp.Position(*end))
    client.edit(URI, 2, lsp.TextDocumentContentChangePartial(range_, new))
    assert await client.server_text(URI) == after
    client.close(URI)


async def test_positions_in_a_hover_count_in_the_clients_units(client: Session):
    text = "/* 😀é */ let f(n:int): int = { n }\n"
    client.open(URI, text)
    reference = Reference(text, client.encoding)
    at = text.index("f(")
    found = await client.hover(URI, 0, reference.position(at).character)
    assert found is not None
    assert found.range == lsp.Range(reference.position(at), reference.position(at + 1))
    client.close(URI)


async def test_an_edit_outside_the_text_is_clamped_and_told(client: Session):
    client.open(URI, "a\nb")
    range_ = lsp.Range(lsp.Position(7, 0), lsp.Position(9, 9))
    client.edit(URI, 2, lsp.TextDocumentContentChangePartial(range_, "!"))
    assert await client.server_text(URI) == "a\nb!"
    status = await client.own("nxlsp/status")
    assert status["outOfStep"] == [URI]
    client.close(URI)


async def test_a_change_to_a_document_that_is_not_open_is_ignored(client: Session):
    client.replace("untitled:never-opened", "let x = 1", 2)
    assert (
        await client.own("nxlsp/debug/document", {"textDocument": {"uri": "untitled:never-opened"}})
        is None
    )


async def test_a_byte_order_mark_is_no_part_of_the_text(client: Session):
    client.open(URI, "\ufefflet f(n:int): int = { n }\n")
    assert (await client.server_text(URI)).startswith("let")
    client.close(URI)
