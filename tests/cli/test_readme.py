"""What the README shows is what happens."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from nx_lsp.cli.main import main

TOP = Path(__file__).parents[2]
README = (TOP / "README.md").read_text(encoding="utf-8")


def fences(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


COMMANDS = [
    line.partition("#")[0].strip() if " #" in line else line
    for fence in fences("sh")
    for line in fence.splitlines()
    if line.startswith("nx-lsp ")
]


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_run(command, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(TOP / "examples")
    assert main(shlex.split(command)[1:]) == 0
    told = capfd.readouterr().err.splitlines()
    assert all("--host" in command and line.startswith("note[") for line in told)


def test_there_are_commands():
    assert {shlex.split(one)[1] for one in COMMANDS} == {"schema", "check", "export"}


def test_python_runs(monkeypatch):
    monkeypatch.chdir(TOP)
    (code,) = fences("python")
    names: dict = {}
    exec(compile(code, "README.md", "exec"), names)
    assert names["answer"].name == "convert"
    assert names["program"].function_schema("double").output_schema["type"] == "integer"


def test_what_is_linked_is_there():
    for target in re.findall(r"\]\(([^):]+)\)", README):
        assert (TOP / target).exists(), target


def test_the_hover_shown_is_the_hover():
    from nx_lsp import Program
    from nx_lsp.ide.hover import hover

    db = Program.from_directory(TOP / "examples" / "agent").database
    text = db.module("money.nx").file.text
    found = hover(db, "money.nx", text.index("convert("))
    shown = [line.strip("│ \n") for line in README.splitlines() if line.startswith("│ ")]
    real = found.plain_text.lower().replace(" ", "")
    for line in shown:
        if line and "…" not in line and "─" not in line:
            assert line.lower().replace(" ", "") in real, line


def test_the_problem_shown_is_the_problem(monkeypatch, capfd):
    monkeypatch.chdir(TOP)
    main(["check", "examples/agent"])
    out = capfd.readouterr().out
    shown = next(one for one in fences("text") if one.startswith("warning["))
    assert " ".join(shown.split()[:20]) in " ".join(out.split())
    for line in shown.splitlines()[2:]:
        assert line in out, line


def test_settings_named_are_settings_known():
    from nx_lsp.ide.options import _SETTINGS
    from nx_lsp.server.configuration import _READERS

    known = {name for name, *_ in (*_SETTINGS, *_READERS)}
    named: set[str] = set()
    for row in re.findall(r"^\| (`nxlsp\..*?) \|", README, re.MULTILINE):
        first, *rest = re.findall(r"`(.*?)`", row)
        section = first.removeprefix("nxlsp.").rpartition(".")[0]
        named.add(first.removeprefix("nxlsp."))
        named.update(f"{section}{one}" for one in rest)
    assert named == known
