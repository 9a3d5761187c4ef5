"""The command as a process: what a shell, a pipe and a keyboard do to it."""

from __future__ import annotations

import os
import pty
import signal
import socket
import subprocess
import sys
import time

import pytest

COMMAND = [sys.executable, "-m", "nx_lsp"]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("process")
    text = "".join(
        f"let f{n}(a:int, b:string): string = {{ b }}\nlet v{n}:Missing = 1\n" for n in range(2000)
    )
    (path / "big.nx").write_text(text)
    (path / "small.nx").write_text("let v:Missing = 1\n")
    return path


def test_a_reader_that_leaves_early(folder):
    process = subprocess.Popen(
        [*COMMAND, "check", str(folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.read(100)
    process.stdout.close()
    err = process.stderr.read().decode()
    assert process.wait(60) == 1
    process.stderr.close()
    assert err == ""


def test_interruption_is_one_line(tmp_path):
    # Far more work than can be done before the signal, however late that comes.
    functions = "".join(f"let f{n}(a:int): int = {{ a }}\n" for n in range(40_000))
    (tmp_path / "huge.nx").write_text(functions)
    process = subprocess.Popen(
        [*COMMAND, "export", str(tmp_path)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    # Wait until it is at work, past its imports.
    time.sleep(0.1)
    while process.poll() is None and _seconds_of_work(process.pid) < 1.2:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    err = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait(60) == 130
    assert err.strip() == "nx-lsp: interrupted"


def _seconds_of_work(pid: int) -> float:
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_output_without_utf8(folder):
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    done = subprocess.run(
        [*COMMAND, "check", str(folder / "small.nx")],
        capture_output=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr


def on_a_terminal(arguments: list[str], **environment: str) -> str:
    """The output of a command that believes it is on a terminal."""
    mine, theirs = pty.openpty()
    names = {"TERM": "xterm-256color", "COLUMNS": "100", **environment}
    drop = ("NO_COLOR", "FORCE_COLOR", "CI", "TTY_COMPATIBLE")
    clean = {name: value for name, value in os.environ.items() if name not in drop}
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env={**clean, **names}
    )
    os.close(theirs)
    out = b""
    while True:
        try:
            data = os.read(mine, 4096)
        except OSError:
            break
        if not data:
            break
        out += data
    os.close(mine)
    process.wait(60)
    return out.decode()


def test_colour_on_a_terminal_and_only_there(folder):
    assert "\x1b[1;31merror[unresolved-type]" in on_a_terminal(["check", str(folder / "small.nx")])
    plain = on_a_terminal(["check", str(folder / "small.nx")], NO_COLOR="1")
    assert "error[unresolved-type]" in plain
    assert "[1;31m" not in plain


def test_a_progress_bar_for_long_work_on_a_terminal(tmp_path):
    for module in range(8):
        text = "".join(f"let f{n}(a:int): int = {{ a }}\n" for n in range(800))
        (tmp_path / f"m{module}.nx").write_text(text)
    shown = on_a_terminal(["check", str(tmp_path)])
    assert "Checking" in shown


def test_the_server_over_tcp(folder):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [*COMMAND, "serve", "--tcp", str(port)], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
    )
    body = (
        b'{"jsonrpc":"2.0","id":1,"method":"initialize",'
        b'"params":{"processId":null,"rootUri":null,"capabilities":{}}}'
    )
    try:
        deadline = time.monotonic() + 20
        while True:
            try:
                connection = socket.create_connection(("127.0.0.1", port))
                break
            except OSError:
                assert time.monotonic() < deadline
                time.sleep(0.05)
        with connection:
            connection.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            connection.settimeout(20)
            assert b"Content-Length" in connection.recv(4096)
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def test_a_port_that_is_taken_is_one_line():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = subprocess.run(
            [*COMMAND, "serve", "--tcp", str(taken.getsockname()[1])],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    assert done.returncode == 2
    assert "nx-lsp: error: cannot listen on 127.0.0.1" in done.stderr
    assert "Traceback" not in done.stderr
