"""Defects of ours, of dependencies and of clients: the session lives on."""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from collections.abc import Callable

import pytest
from lsprotocol import types as lsp
from sessions import FAULTY, SERVER, end, folders, start

from nx_lsp.server.lifecycle import SETTINGS_WAIT

URI = "untitled:fault.nx"
GOOD = "let f(n:int): int = { n }\n"


@pytest.mark.asyncio
async def test_a_defect_in_a_handler_is_answered_and_logged_once(capfd, tmp_path):
    client = await start(command=FAULTY)
    client.open(URI, GOOD)
    assert await client.hover(URI, 0, 0) is None
    assert await client.hover(URI, 0, 0) is None
    found = await client.hover(URI, 0, 4)
    assert found is not None
    status = await client.own("nxlsp/status")
    assert status["faults"] == 2
    for name in ("a", "b", "c"):
        text = "// defect\n" + GOOD if name == "b" else "let v:Missing = 1\n"
        (tmp_path / f"{name}.nx").write_text(text)
    (folder,) = folders(tmp_path)
    client.workspace_did_change_workspace_folders(
        lsp.DidChangeWorkspaceFoldersParams(lsp.WorkspaceFoldersChangeEvent([folder], []))
    )
    for name in ("a", "c"):
        await client.codes_become((tmp_path / f"{name}.nx").as_uri(), ["unresolved-type"])
    await end(client)
    log = capfd.readouterr().err
    assert log.count("ZeroDivisionError: a defect in hover") == 1
    assert "textDocument/hover" in log
    assert log.count("RecursionError: a defect in a check") == 1
    for printed in ("printed by a dependency", "the standard output itself", "by a child"):
        assert printed in log
    assert GOOD.strip() not in log


class Wire:
    """The server at the end of a pipe, spoken to in bytes."""

    def __init__(self) -> None:
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the object)
        self.process = subprocess.Popen(
            SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log
        )

    def log(self) -> list[str]:
        """The lines that the server has logged."""
        self._log.seek(0)
        return self._log.read().decode().splitlines()

    def send(self, message: object) -> None:
        body = json.dumps(message).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def send_bytes(self, data: bytes) -> None:
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def request(self, number: int, method: str, params: object = None) -> None:
        message = {"jsonrpc": "2.0", "id": number, "method": method}
        self.send(message if params is None else {**message, "params": params})

    def next(self, wanted: Callable[[dict], bool]) -> dict:
        """The next message that is ``wanted``; others are passed over."""
        while True:
            length = 0
            while (line := self.process.stdout.readline().strip()) != b"":
                name, _, value = line.partition(b":")
                if name == b"Content-Length":
                    length = int(value)
            assert length > 0, "the server has gone"
            message = json.loads(self.process.stdout.read(length))
            if wanted(message):
                return message

    def answer(self, number: int | None) -> dict:
        return self.next(lambda one: "method" not in one and one.get("id") == number)

    def initialize(self) -> dict:
        self.request(1, "initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        answer = self.answer(1)
        self.send({"jsonrpc": "2.0", "method": "initialized", "params": {}})
        return answer

    def end(self) -> int:
        self.process.stdin.close()
        code = self.process.wait(20)
        self.process.stdout.close()
        return code


@pytest.fixture
def wire():
    one = Wire()
    yield one
    if one.process.poll() is None:
        one.process.kill()
        one.process.wait()


def test_what_is_announced(wire: Wire):
    result = wire.initialize()["result"]
    capabilities = result["capabilities"]
    assert result["serverInfo"]["name"] == "nx-lsp"
    assert capabilities["positionEncoding"] == "utf-16"
    assert capabilities["textDocumentSync"]["openClose"] is True
    assert capabilities["textDocumentSync"]["change"] == 2
    assert capabilities["textDocumentSync"]["save"] == {"includeText": False}
    assert capabilities["hoverProvider"]
    assert capabilities["documentSymbolProvider"]
    assert "quickfix" in capabilities["codeActionProvider"]["codeActionKinds"]
    assert set(capabilities["executeCommandProvider"]["commands"]) == {
        "nxlsp.server.toolSchema",
        "nxlsp.server.typeSchema",
        "nxlsp.server.listTools",
        "nxlsp.server.exportSchemas",
        "nxlsp.server.status",
        "nxlsp.server.openSchemaDocument",
        "nxlsp.server.showDeclaration",
    }
    assert capabilities["workspace"]["workspaceFolders"]["supported"] is True
    assert "diagnosticProvider" not in capabilities


def test_shutdown_and_exit(wire: Wire):
    wire.initialize()
    wire.request(2, "shutdown")
    assert wire.answer(2)["result"] is None
    wire.request(3, "nxlsp/status")
    assert wire.answer(3)["error"]["code"] == -32600
    wire.send({"jsonrpc": "2.0", "method": "exit"})
    assert wire.process.wait(20) == 0


def test_exit_without_shutdown_is_an_error(wire: Wire):
    wire.initialize()
    wire.send({"jsonrpc": "2.0", "method": "exit"})
    assert wire.process.wait(20) == 1


def test_a_client_that_goes_away_ends_the_server(wire: Wire):
    wire.initialize()
    assert wire.end() == 1


def test_a_request_before_the_handshake_is_refused(wire: Wire):
    wire.request(1, "nxlsp/status")
    assert wire.answer(1)["error"]["code"] == -32002
    wire.request(2, "textDocument/hover", {})
    assert wire.answer(2)["error"]["code"] in (-32002, -32602)
    wire.initialize()


def test_unreadable_requests_are_answered(wire: Wire):
    wire.initialize()
    wire.request(2, "textDocument/hover", {"textDocument": 3})
    assert wire.answer(2)["error"]["code"] == -32602
    wire.send({"jsonrpc": "2.0", "method": "$/unknown", "params": {}})
    wire.send({"jsonrpc": "2.0", "method": "unknown"})
    wire.send({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": 1}})
    wire.request(4, "nxlsp/status")
    assert wire.answer(4)["result"]["faults"] == 0


TEXT = "the text of a document"
UNREADABLE = [
    ("textDocument/hover", {"textDocument": 3}, "params.text_document"),
    (
        "textDocument/hover",
        {"textDocument": {"uri": URI}, "position": {"line": -1, "character": 0}},
        "params.position",
    ),
    ("textDocument/didOpen", None, "params: is missing"),
    (
        "textDocument/didOpen",
        {"textDocument": {"uri": URI, "languageId": "nx", "text": TEXT}},
        "params.text_document.version: is missing",
    ),
    ("$/cancelRequest", {}, "params.id: is missing"),
    ("$/setTrace", {"value": "loud"}, "'loud'"),
    (
        "workspace/didChangeWatchedFiles",
        {"changes": [{"uri": URI, "type": 1}, {"uri": URI, "type": 9}]},
        "params.changes.1.type",
    ),
    (None, {"error": 4}, "error"),
    (None, {"error": {"message": "no code"}}, "error.code: is missing"),
]


def test_an_unreadable_message_is_one_line_in_the_log(wire: Wire):
    wire.initialize()
    for number, (method, content, where) in enumerate(UNREADABLE, start=10):
        before = len(wire.log())
        message = {"jsonrpc": "2.0"}
        if method in (None, "textDocument/hover"):
            message["id"] = number
        if method is None:
            message |= content
        else:
            message |= {"method": method} | ({} if content is None else {"params": content})
        wire.send(message)
        wire.request(number + 100, "nxlsp/status")
        assert wire.answer(number + 100)["result"]["faults"] == 0
        (line,) = wire.log()[before:]
        assert "unreadable" in line
        assert where in line
        assert TEXT not in line


@pytest.mark.parametrize("params", [None, {}, [1]])
@pytest.mark.parametrize("method", ["textDocument/noSuchThing", "$/noSuchThing", "nxlsp/noSuch"])
def test_an_unknown_method_is_not_found(wire: Wire, method, params):
    wire.request(1, method, params)
    assert wire.answer(1)["error"]["code"] == -32002
    wire.initialize()
    wire.request(2, method, params)
    assert wire.answer(2)["error"]["code"] == -32601


def test_a_session_starts_once(wire: Wire):
    wire.initialize()
    wire.request(2, "initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    assert wire.answer(2)["error"]["code"] == -32600


def test_initialized_may_come_without_parameters(wire: Wire, tmp_path):
    (tmp_path / "bad.nx").write_text("let v:Missing = 1\n")
    folder = {"uri": tmp_path.as_uri(), "name": "folder"}
    more = {"processId": None, "rootUri": None, "capabilities": {}, "workspaceFolders": [folder]}
    wire.request(1, "initialize", more)
    wire.answer(1)
    wire.send({"jsonrpc": "2.0", "method": "initialized"})
    published = wire.next(lambda one: one.get("method") == "textDocument/publishDiagnostics")
    assert published["params"]["uri"] == (tmp_path / "bad.nx").as_uri()


NO_JSON = [b"", b"{broken", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 50_000]
NO_MESSAGE = [
    b"null",
    b"[]",
    b'"text"',
    b"{}",
    b'{"jsonrpc":"1.0","method":"x"}',
    b'{"jsonrpc":"2.0"}',
    b'{"jsonrpc":"2.0","method":5}',
    b'{"jsonrpc":"2.0","id":1.5,"method":"nxlsp/status"}',
    b'{"jsonrpc":"2.0","id":null,"method":"nxlsp/status"}',
    b'[{"jsonrpc":"2.0","id":1,"method":"nxlsp/status"}]',
]


@pytest.mark.parametrize(
    ("code", "bodies"), [(-32700, NO_JSON), (-32600, NO_MESSAGE)], ids=["JSON", "message"]
)
def test_what_is_no_message_is_answered(wire: Wire, code, bodies):
    wire.initialize()
    for body in bodies:
        wire.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        assert wire.answer(None)["error"]["code"] == code, body[:40]
    wire.request(4, "nxlsp/status")
    assert wire.answer(4)["result"]["faults"] == 0


@pytest.mark.parametrize(
    "header",
    [
        "content-length: {}\r\n\r\n",
        "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length:{}\r\n\r\n",
        "Content-Length: {}\n\n",
        "Starting nx-lsp...\n\nContent-Length: {}\r\n\r\n",
    ],
)
def test_headers_as_others_write_them(wire: Wire, header):
    wire.initialize()
    body = b'{"jsonrpc":"2.0","id":2,"method":"nxlsp/status"}'
    wire.send_bytes(header.format(len(body)).encode() + body)
    assert wire.answer(2)["result"]["encoding"] == "utf-16"


@pytest.mark.parametrize("length", [b"99999999999999999999", b"50"])
def test_a_message_that_never_comes_ends_the_session(wire: Wire, length):
    wire.initialize()
    wire.send_bytes(b"Content-Length: " + length + b"\r\n\r\n{}")
    assert wire.end() == 1


def test_an_unreadable_answer_is_not_waited_for(wire: Wire, tmp_path):
    """Some clients answer `null` to whatever they do not know."""
    (tmp_path / "bad.nx").write_text("let v:Missing = 1\n")
    wire.request(
        1,
        "initialize",
        {
            "processId": None,
            "rootUri": tmp_path.as_uri(),
            "capabilities": {"workspace": {"configuration": True}},
        },
    )
    wire.answer(1)
    wire.send({"jsonrpc": "2.0", "method": "initialized", "params": {}})
    question = wire.next(lambda one: one.get("method") == "workspace/configuration")
    started = time.monotonic()
    wire.send({"jsonrpc": "2.0", "id": question["id"], "result": None})
    wire.next(lambda one: one.get("method") == "textDocument/publishDiagnostics")
    assert time.monotonic() - started < SETTINGS_WAIT


@pytest.mark.asyncio
async def test_a_cancelled_request_is_answered_and_the_last_of_many_is_prompt(tmp_path):
    client = await start(tmp_path)
    client.open(URI, "".join(f"let f{n}(n:int): int = {{ n }}\n" for n in range(300)))
    future = None
    for number in range(200):
        message = lsp.HoverRequest(
            f"hover-{number}",
            lsp.HoverParams(lsp.TextDocumentIdentifier(URI), lsp.Position(number, 4)),
        )
        if number < 199:
            client.protocol._send_data(message)
            client.cancel_request(lsp.CancelParams(f"hover-{number}"))
    future = await client.hover(URI, 199, 4)
    assert future is not None
    assert "f199" in future.contents.value
    await end(client)
