"""What a machine does to a call: closed streams, full disks, files that are no files."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from nx_lsp.cli.main import main

CALL = f'"{sys.executable}" -m nx_lsp'
FULL = os.path.exists("/dev/full")
needs_full = pytest.mark.skipif(not FULL, reason="there is no /dev/full here")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "good.nx").write_text("let f(n:int): int = { n }\n")
    (tmp_path / "bad.nx").write_text("let v:Missing = 1\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shell(command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=False, timeout=60
    )


# ---------------------------------------------------------------- streams

WRITING = [
    "schema good.nx f",
    "schema good.nx f --input",
    "check good.nx",
    "check bad.nx --format json",
    "export .",
    "--help",
    "--version",
]


@pytest.mark.slow
@needs_full
@pytest.mark.parametrize("arguments", WRITING)
def test_output_to_a_full_disk_is_one_line(folder, arguments):
    done = shell(f"{CALL} {arguments} > /dev/full")
    assert done.returncode == 2
    assert done.stderr.startswith("nx-lsp: error: the output cannot be written: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("arguments", WRITING)
def test_output_that_is_closed_is_one_line(folder, arguments):
    done = shell(f"{CALL} {arguments} >&-")
    assert done.returncode == 2
    assert done.stderr.startswith("nx-lsp: error: the output cannot be written: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code"), [("check good.nx", 0), ("check bad.nx", 1), ("check missing.nx", 2)]
)
@pytest.mark.parametrize("streams", ["2>&-", "<&-", "2>&- <&-"])
def test_codes_do_not_depend_on_the_other_streams(folder, arguments, code, streams):
    assert shell(f"{CALL} {arguments} {streams}").returncode == code


@pytest.mark.slow
def test_a_file_is_written_without_standard_output(folder):
    assert shell(f"{CALL} export . --out all.json >&-").returncode == 0
    assert json.loads((folder / "all.json").read_text())["functions"]


@pytest.mark.slow
@pytest.mark.parametrize("streams", ["<&-", ">&-", "<&- >&-"])
def test_the_server_needs_its_streams(folder, streams):
    done = shell(f"{CALL} serve {streams}")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "standard input and output" in done.stderr


# ---------------------------------------------------------------- paths


def refused(capfd, *arguments: str) -> str:
    assert main(list(arguments)) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


@pytest.mark.parametrize(
    "arguments",
    [("check", ""), ("schema", "", "f"), ("export", ""), ("export", ".", "--out", "")],
)
def test_an_empty_path_is_not_the_current_folder(folder, capfd, arguments):
    assert "the path is empty" in refused(capfd, *arguments)


def test_a_pipe_is_not_waited_for(folder, capfd):
    os.mkfifo("pipe.nx")
    assert "`pipe.nx` is not a regular file" in refused(capfd, "check", "pipe.nx")
    # In a folder it is no module.
    assert main(["check", "."]) == 1
    assert "2 modules" in capfd.readouterr().out


def test_a_link_that_leads_nowhere(folder, capfd):
    os.symlink("loop.nx", "loop.nx")
    assert "`loop.nx` is a link that leads nowhere" in refused(capfd, "check", "loop.nx")


def test_an_imported_file_that_cannot_be_read_is_there(folder, capfd):
    (folder / "raw.nx").write_bytes(b"\xff")
    (folder / "user.nx").write_text('import { f } from "./raw.nx"\n')
    for path in (".", "user.nx"):
        assert main(["check", path]) == 1
        out = capfd.readouterr().out
        assert "`raw.nx` is not UTF-8" in out
        assert "The module `./raw.nx` could not be read" in out


def test_a_file_name_that_is_no_text(folder, capfd):
    name = os.fsdecode(b"caf\xe9.nx")
    try:
        (folder / name).write_text("let g(): int = { 1 }\n")
    except OSError:
        pytest.skip("this file system takes names in UTF-8 only")
    for arguments in (["export", "."], ["export", ".", "--out", "all.json"]):
        assert main(arguments) == 0
    printed = capfd.readouterr().out
    assert printed == (folder / "all.json").read_text()
    assert name in [one["module"] for one in json.loads(printed)["functions"]]


# ---------------------------------------------------------------- options


def test_one_part_at_a_time(folder, capfd):
    assert "exclude each other" in refused(capfd, "schema", "good.nx", "f", "--input", "--output")


@pytest.mark.parametrize(
    "type", ["@nx/agent/agent.nx#Nope", "@nx/nope/nope.nx#Tool", "@nx/agent#ToolContext"]
)
def test_a_slip_in_a_type_of_the_standard_library(folder, capfd, type):
    assert "no type" in refused(capfd, "export", ".", "--host-supplied", type)


def test_a_type_of_the_standard_library_need_not_be_imported(folder, capfd):
    type = "@nx/agent/agent.nx#ToolContext"
    assert main(["schema", "good.nx", "f", "--host-supplied", type]) == 0
