"""Each command, each option, each way to fail."""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path

import pytest

from nx_lsp.cli.main import main

TOOLS = """\
import { ToolContext } from "@nx/agent"

export type Plan = { name:string seats:int }

/// Finds plans.
let findPlans(teamSize:int where > 0, context:ToolContext): Plan* = {
  <Plan name="basic" seats=3 />
}

let call(f:<function n:int />: int): int = { 1 }
"""

TYPES = "export type Session = { id:string }\nlet twice(n:int): int = { n }\n"

GOOD = "let f(n:int): int = { n }\n"


class Outcome:
    def __init__(self, code: int, out: bytes, err: str) -> None:
        self.code = code
        self.out = out.decode()
        self.bytes = out
        self.err = err

    @property
    def json(self):
        return json.loads(self.bytes)


@pytest.fixture
def run(capfdbinary):
    def run_(*arguments: object) -> Outcome:
        code = main([str(one) for one in arguments])
        captured = capfdbinary.readouterr()
        return Outcome(code, captured.out, captured.err.decode())

    return run_


@pytest.fixture
def folder(tmp_path) -> Path:
    root = tmp_path / "project"
    (root / "lib").mkdir(parents=True)
    (root / "tools.nx").write_text(TOOLS)
    (root / "lib" / "types.nx").write_text(TYPES)
    return root


def assert_one_line(outcome: Outcome, *parts: str) -> None:
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("nx-lsp: error: ")
    assert outcome.err.count("\n") == 1
    assert "Traceback" not in outcome.err
    for part in parts:
        assert part in outcome.err


# ---------------------------------------------------------------- schema


def test_schema_prints_the_whole_answer(run, folder):
    outcome = run("schema", folder, "findPlans")
    assert outcome.code == 0
    assert outcome.err == ""
    assert outcome.json["module"] == "tools.nx"
    assert outcome.json["description"] == "Finds plans."
    assert list(outcome.json["inputSchema"]["properties"]) == ["teamSize"]
    assert outcome.json["parameters"][1]["hostSupplied"]["name"] == "ToolContext"


def test_schema_of_a_file(run, folder):
    outcome = run("schema", folder / "tools.nx", "findPlans")
    assert outcome.code == 0
    assert outcome.json["module"] == "tools.nx"


def test_one_side_only(run, folder):
    assert run("schema", folder, "findPlans", "--input").json == {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {"teamSize": {"type": "integer", "minimum": 1}},
        "required": ["teamSize"],
        "additionalProperties": False,
    }
    assert run("schema", folder, "findPlans", "--output").json["type"] == "array"


def test_a_schema_that_does_not_exist_is_explained(run, folder):
    outcome = run("schema", folder, "call", "--input")
    assert outcome.code == 1
    assert outcome.out == ""
    assert "tools.nx:10:10: error[schema-inexpressible-type]" in outcome.err
    whole = run("schema", folder, "call")
    assert whole.code == 1
    assert "inputSchema" not in whole.json
    assert whole.json["outputSchema"]["type"] == "integer"
    assert run("schema", folder, "call", "--output").code == 0


def test_the_module_is_found_or_chosen(run, folder):
    assert run("schema", folder, "twice").json["module"] == "lib/types.nx"
    assert run("schema", folder, "twice", "--module", "lib/types.nx").code == 0
    (folder / "more.nx").write_text("let twice(n:int): int = { n }\n")
    assert_one_line(
        run("schema", folder, "twice"), "`lib/types.nx`", "`more.nx`", "choose one with --module"
    )
    assert run("schema", folder, "twice", "--module", "more.nx").json["module"] == "more.nx"


def test_types_in_both_directions(run, folder):
    returned = run("schema", folder, "Plan", "--type").json["schema"]["$defs"]["Plan"]
    assert returned["required"] == ["$type", "name", "seats"]
    supplied = run("schema", folder, "Plan", "--type", "--direction", "input").json["schema"]
    assert supplied["$defs"]["Plan"]["required"] == ["name", "seats"]


def test_a_copy_for_a_host(run, folder):
    found = run("schema", folder, "findPlans", "--host", "openai-strict")
    assert found.code == 0
    function = found.json["function"]
    assert (function["name"], function["strict"]) == ("find_plans", True)
    assert list(function["parameters"]["properties"]) == ["teamSize"]
    assert found.err.splitlines()[-1] == (
        "note[meta-schema-left-out] /function/parameters/$schema: The root `$schema` is left out"
    )
    lossy = run("schema", folder, "twice", "--host", "mcp")
    assert lossy.json["inputSchema"]["properties"] == {"n": {"type": "integer"}}


def test_a_copy_that_a_host_cannot_take_is_explained(run, folder):
    found = run("schema", folder, "findPlans", "--host", "ax")
    assert (found.code, found.out) == (1, "")
    assert found.err == (
        "refused[no-description] /parameters/properties/teamSize: "
        "Ax needs a description of each property: write a doc comment above `teamSize`\n"
    )
    assert run("schema", folder, "call", "--host", "mcp").code == 1


def test_host_supplied_types(run, folder):
    # `ToolContext` is abstract and nothing extends it: without a host it has no JSON form.
    none = run("schema", folder, "findPlans", "--no-host-supplied", "--input")
    assert none.code == 1
    assert "`context`" in none.err
    (folder / "own.nx").write_text(
        'import { Session } from "./lib/types.nx"\nlet g(a:int, s:Session): int = { a }\n'
    )
    own = run("schema", folder, "g", "--host-supplied", "lib/types.nx#Session", "--input")
    assert list(own.json["properties"]) == ["a"]


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["findPlan"], ["no module has a function `findPlan`", "did you mean `findPlans`?"]),
        (["findPlan", "--module", "tools.nx"], ["`tools.nx`", "`findPlan`"]),
        (["findPlans", "--module", "nowhere.nx"], ["`nowhere.nx`", "`findPlans`"]),
        (["Plan"], ["no module has a function `Plan`"]),
        (["findPlans", "--type"], ["no module has a type `findPlans`"]),
        (["Plan", "--type", "--input"], ["--direction input"]),
        (["Plan", "--type", "--no-host-supplied"], ["drop --type"]),
        (["findPlans", "--direction", "input"], ["add --type"]),
        (["Plan", "--type", "--direction", "up"], ["'up'"]),
        (["findPlans", "--host-supplied", "Session"], ["MODULE#NAME"]),
        (["findPlans", "--host-supplied", "#Session"], ["MODULE#NAME"]),
        (["findPlans", "--host-supplied", "a.nx#Session"], ["`a.nx`", "`Session`"]),
        (["findPlans", "--host-supplied", "lib/types.nx#Sesion"], ["did you mean `Session`?"]),
        (
            ["findPlans", "--no-host-supplied", "--host-supplied", "lib/types.nx#Session"],
            ["exclude each other"],
        ),
        ([], ["NAME"]),
        (["a", "b"], ["b"]),
        (["findPlans", "--loud"], ["--loud"]),
        (["twice", "--host", "cobol"], ["cobol", "openai-strict"]),
        (["twice", "--host", "mcp", "--input"], ["--host", "--input"]),
        (["Plan", "--host", "mcp", "--type"], ["--host", "--type"]),
    ],
)
def test_wrong_calls_are_one_line(run, folder, arguments, parts):
    assert_one_line(run("schema", folder, *arguments), *parts)


@pytest.mark.parametrize("command", ["schema", "check", "export"])
def test_paths_that_cannot_be_read(run, tmp_path, command):
    more = ["f"] if command == "schema" else []
    assert_one_line(run(command, tmp_path / "no", *more), "there is no file or folder")
    assert_one_line(run(command, tmp_path, *more), "no .nx file below")
    latin = tmp_path / "latin.nx"
    latin.write_bytes(b'let x = "\xe9"\n')
    assert_one_line(run(command, latin, *more), "latin.nx", "not UTF-8", "0xe9")
    os.symlink(tmp_path / "loop", tmp_path / "loop")
    assert_one_line(run(command, tmp_path / "loop", *more))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(run, tmp_path):
    path = tmp_path / "secret.nx"
    path.write_text(GOOD)
    path.chmod(0)
    assert_one_line(run("check", path), "Permission denied")


# ---------------------------------------------------------------- a file and what it imports


def test_a_file_brings_what_it_imports_and_nothing_else(run, tmp_path):
    (tmp_path / "lib").mkdir()
    (tmp_path / "app").mkdir()
    (tmp_path / "lib" / "a.nx").write_text("export abstract type Base = { x:int }\n")
    (tmp_path / "app" / "stray.nx").write_text(
        'import "../lib"\ntype Stray extends Base = { y:int }\n'
    )
    (tmp_path / "app" / "more.nx").write_text(
        'import "../lib"\nexport type More extends Base = { y:int }\n'
    )
    (tmp_path / "app" / "main.nx").write_text(
        'import "../lib"\nimport "./more.nx"\nlet f(b:Base): int = { b.x }\n'
    )
    outcome = run("schema", tmp_path / "app" / "main.nx", "f")
    assert outcome.code == 0
    assert outcome.json["module"] == "app/main.nx"
    assert list(outcome.json["inputSchema"]["$defs"]) == ["More"]
    assert run("check", tmp_path / "app" / "main.nx").code == 0


# ---------------------------------------------------------------- check


def test_check_shows_the_line_and_a_caret(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.nx").write_text("let 😀 = 1\n")
    Path("b.nx").write_text("// one\r\n\tlet v:Missing = 1\r\n")
    outcome = run("check", "b.nx")
    assert outcome.code == 1
    lines = outcome.out.splitlines()
    assert lines[0].startswith("error[unresolved-type]: ")
    assert lines[1] == " --> b.nx:2:8"
    assert lines[3] == "2 |     let v:Missing = 1"
    assert lines[4].startswith("  |           ^^^^^^^")
    assert lines[-1] == "1 error in 1 module"
    assert "\x1b" not in outcome.out


def test_check_of_sound_sources(run, tmp_path):
    (tmp_path / "a.nx").write_text(GOOD)
    outcome = run("check", tmp_path)
    assert (outcome.code, outcome.out) == (0, "no problems in 1 module\n")
    assert run("check", tmp_path, "--format", "json").json == []
    github = run("check", tmp_path, "--format", "github")
    assert (github.code, github.out) == (0, "")


def test_check_takes_several_paths(run, tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.nx").write_text("let v:Missing = 1\n")
    outcome = run("check", tmp_path / "a.nx", tmp_path / "b.nx", "--format", "json")
    assert [Path(one["labels"][0]["file"]).name for one in outcome.json] == ["a.nx", "b.nx"]


def test_json_has_the_members_of_the_contract(run, tmp_path):
    path = tmp_path / "a.nx"
    path.write_text("let é = 1\nlet v:Missing = 1\n")
    (found,) = [
        one
        for one in run("check", path, "--format", "json").json
        if one["code"] == "unresolved-type"
    ]
    assert found["severity"] == "error"
    (label,) = found["labels"]
    assert label == {
        "file": path.as_posix(),
        "span": {
            "startByte": 17,
            "endByte": 24,
            "startLine": 2,
            "startColumn": 7,
            "endLine": 2,
            "endColumn": 14,
        },
        "primary": True,
    }


def test_github_annotations(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a,b.nx").write_text("let v:Missing = 1\n")
    outcome = run("check", "a,b.nx", "--format", "github")
    assert outcome.code == 1
    assert re.fullmatch(
        r"::error file=a%2Cb\.nx,line=1,endLine=1,col=7,endColumn=13,title=unresolved-type::.+\n",
        outcome.out,
    )


def test_warnings_alone_are_no_failure(run):
    example = Path(__file__).parents[2] / "examples" / "agent"
    outcome = run("check", example)
    assert outcome.code == 0
    assert outcome.out.splitlines()[-1].startswith("3 warnings in")


def test_nothing_in_a_source_reaches_the_terminal_as_control(run, tmp_path):
    path = tmp_path / "a.nx"
    path.write_text("/* \x1b[31m \u202e \u2028 */ let v:Missing = 1\n", encoding="utf-8")
    outcome = run("check", path)
    assert "\x1b" not in outcome.out
    assert "\u202e" not in outcome.out
    assert "\u2028" not in outcome.out
    assert "^^^^^^^" in outcome.out


def test_an_unreadable_file_of_a_folder_is_a_problem_of_the_program(run, folder):
    (folder / "latin.nx").write_bytes(b'let x = "\xe9"\n')
    outcome = run("check", folder)
    assert outcome.code == 1
    assert "invalid-utf8" in outcome.out


# ---------------------------------------------------------------- export


def test_export_is_sorted_and_stable(run, folder, tmp_path):
    first = run("export", folder)
    assert first.code == 0
    names = [(one["module"], one["name"]) for one in first.json["functions"]]
    assert names == [
        ("lib/types.nx", "twice"),
        ("tools.nx", "call"),
        ("tools.nx", "findPlans"),
    ]
    assert run("export", folder).bytes == first.bytes
    out = tmp_path / "schemas.json"
    assert run("export", folder, "--out", out).bytes == b""
    assert out.read_bytes() == first.bytes


def test_export_replaces_the_file_as_a_whole(run, folder, tmp_path):
    out = tmp_path / "schemas.json"
    out.write_text("old")
    out.chmod(0o640)
    assert run("export", folder, "--out", out).code == 0
    assert stat.S_IMODE(out.stat().st_mode) == 0o640
    assert json.loads(out.read_text())["functions"]
    assert sorted(one.name for one in tmp_path.iterdir()) == ["project", "schemas.json"]


def test_export_to_where_nothing_can_be_written(run, folder, tmp_path):
    assert_one_line(run("export", folder, "--out", tmp_path / "no" / "x.json"), "cannot be written")
    assert_one_line(run("export", folder, "--out", tmp_path))


# ---------------------------------------------------------------- serve and the rest


@pytest.mark.parametrize(
    ("address", "part"),
    [
        ("0.0.0.0:4000", "loopback"),
        ("example.com:4000", "loopback"),
        ("port", "`port`"),
        ("0", "`0`"),
        ("70000", "`70000`"),
        ("localhost:", "``"),
    ],
)
def test_serve_listens_on_loopback_only(run, address, part):
    assert_one_line(run("serve", "--tcp", address), part)


def test_help_and_version(run):
    assert run("--version").out.startswith("nx-lsp, version ")
    outcome = run("--help")
    assert outcome.code == 0
    for command in ("schema", "check", "export", "serve"):
        assert command in outcome.out
        assert run(command, "--help").code == 0


def test_no_command_shows_the_help(run):
    outcome = run()
    assert outcome.code == 2
    assert "Usage:" in outcome.err


def test_an_unknown_command(run):
    assert_one_line(run("frobnicate"), "frobnicate")
