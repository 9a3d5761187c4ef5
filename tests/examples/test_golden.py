"""The answer to every function of the examples, kept as a file each and compared byte for byte.

The files are expected values: they were read against ``docs/contract.md``. After a change that is
meant, write them anew with ``NX_LSP_WRITE_GOLDEN=1 pytest tests/examples`` and read the difference.

Every question is asked as an editor asks it, with ``ToolContext`` supplied by the host.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from nx_lsp import Program

ROOT = Path(__file__).parent.parent.parent
GOLDEN = Path(__file__).parent / "golden"
EXAMPLES = ("agent", "shop", "ui")
HOST_SUPPLIED = [("@nx/agent/agent.nx", "ToolContext")]
WRITE = os.environ.get("NX_LSP_WRITE_GOLDEN") == "1"

PROGRAMS = {
    name: Program.from_directory(ROOT / "examples" / name, entry="main.nx") for name in EXAMPLES
}


def every_function() -> list[tuple[str, str, str]]:
    return [
        (example, function.module, function.name)
        for example, program in PROGRAMS.items()
        for function in program.functions()
    ]


def answer(example: str, module: str, name: str) -> dict[str, Any]:
    return PROGRAMS[example].function_schema(name, module, HOST_SUPPLIED).to_json()


def golden_file(example: str, module: str, name: str) -> Path:
    stem = module.removesuffix(".nx").replace("/", "-")
    return GOLDEN / example / f"{stem}__{name}.json"


@pytest.mark.parametrize(("example", "module", "name"), every_function())
def test_answer_is_as_kept(example: str, module: str, name: str) -> None:
    found = json.dumps(answer(example, module, name), indent=2, ensure_ascii=False) + "\n"
    file = golden_file(example, module, name)
    if WRITE:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(found, encoding="utf-8")
    assert found == file.read_bytes().decode("utf-8")


def test_nothing_else_is_kept() -> None:
    wanted = {golden_file(*function) for function in every_function()}
    assert set(GOLDEN.glob("**/*.json")) == wanted


@pytest.mark.parametrize(("example", "module", "name"), every_function())
def test_schemas_are_valid(example: str, module: str, name: str) -> None:
    for member in ("inputSchema", "outputSchema"):
        schema = answer(example, module, name).get(member)
        if schema is not None:
            Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_language_has_nothing_against_an_example(example: str) -> None:
    assert [str(d) for d in PROGRAMS[example].diagnostics()] == []


def test_only_drafts_and_markup_have_no_schema() -> None:
    """Functions that answer with markup are not meant to be called by a host."""
    without = {
        (example, module, name): sorted({d["code"] for d in found["diagnostics"]})
        for example, module, name in every_function()
        if (found := answer(example, module, name))["diagnostics"]
    }
    inexpressible = ["schema-inexpressible-type"]
    assert without == {
        ("agent", "drafts.nx", "writeReport"): inexpressible,
        ("agent", "drafts.nx", "checkCredential"): ["schema-ambiguous-discriminator"],
        ("ui", "main.nx", "shortTask"): inexpressible,
        ("ui", "main.nx", "root"): inexpressible,
        ("ui", "tasks.nx", "Badge"): inexpressible,
        ("ui", "text.nx", "Greeting"): inexpressible,
        ("ui", "text.nx", "Report"): inexpressible,
        ("ui", "text.nx", "Styles"): inexpressible,
    }


def test_drafts_disturb_nothing_else() -> None:
    """The other functions of the agent have the same answers without the drafts."""
    texts = {
        path.relative_to(ROOT / "examples" / "agent").as_posix(): path.read_text(encoding="utf-8")
        for path in sorted((ROOT / "examples" / "agent").glob("**/*.nx"))
        if "draft" not in path.name
    }
    alone = Program.from_sources(texts, entry="main.nx")
    for function in alone.functions():
        found = alone.function_schema(function.name, function.module, HOST_SUPPLIED).to_json()
        assert found == answer("agent", function.module, function.name)
