"""A client that nobody here wrote: Neovim with its built-in language client, without a screen.

`make test` installs Neovim where it can and sets NX_LSP_NEOVIM=require, so that its absence is a
failure there; a plain `pytest` without Neovim skips.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
EXAMPLE = TOP / "examples" / "agent"
CONFIGURATION = TOP / "docs" / "editors" / "neovim" / "nx-lsp.lua"
SEARCH = EXAMPLE / "travel" / "search.nx"


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    mode = os.environ.get("NX_LSP_NEOVIM", "")
    if mode == "skip":
        pytest.skip("NEOVIM=skip")
    if shutil.which("nvim") is None:
        if mode == "require":
            pytest.fail("Neovim (nvim) is not installed")
        pytest.skip("Neovim (nvim) is not installed")
    place = tmp_path_factory.mktemp("neovim")
    out = place / "seen.json"
    homes = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
    environment = {
        **os.environ,
        **{name: str(place) for name in homes},
        "OUT": str(out),
    }
    # Where the configuration says that it belongs.
    plugins = place / "nvim" / "plugin"
    plugins.mkdir(parents=True)
    shutil.copy(CONFIGURATION, plugins)
    script = Path(__file__).with_name("check.lua")
    done = subprocess.run(
        [
            "nvim",
            "--headless",
            "--cmd",
            f"lua vim.g.nx_lsp_command = {{ [[{sys.executable}]], '-m', 'nx_lsp', 'serve' }}",
            "-c",
            f"luafile {script}",
            str(SEARCH),
        ],
        cwd=EXAMPLE,
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
        check=False,
    )
    assert out.exists(), done.stderr
    found = json.loads(out.read_text())
    assert "problem" not in found, f"{found['problem']}\n{done.stderr}"
    assert done.returncode == 0, done.stderr
    return found


def test_hover_shows_signature_documentation_and_both_schemas(seen):
    hover = seen["hover"]
    assert hover.startswith("```nx\nexport let searchFlights(\n")
    assert "**Tool** `search_flights`" in hover
    assert "Finds flights between two airports." in hover
    assert "`traveller` is filled in by the host" in hover
    fences = re.findall(r"^```json\n(.*?)\n```$", hover, re.DOTALL | re.MULTILINE)
    given, returned = map(json.loads, fences)
    assert given["type"] == "object"
    assert set(given["required"]) == {"origin", "destination"}
    assert returned["$ref"] == "#/$defs/Page_FlightOffer"
    assert returned["$defs"]["Page_FlightOffer"]["properties"]["$type"] == {"const": "Page"}


def test_a_sound_example_has_no_diagnostics(seen):
    assert seen["before"] == []


def test_diagnostics_follow_the_buffer(seen):
    text = SEARCH.read_text().splitlines()
    line = next(n for n, one in enumerate(text) if "destination:Airport" in one)
    column = text[line].index("Airport")
    (found,) = [one for one in seen["diagnostics"] if one["code"] == "unresolved-type"]
    assert (found["line"], found["column"]) == (line, column)
    assert found["end_column"] == column + len("Airprot")
    assert found["source"] == "nx"
    assert found["severity"] == 1
    assert "Airport" in found["message"]
    assert {one["source"] for one in seen["diagnostics"]} <= {"nx", "nx-schema"}


def test_outline_and_our_own_request(seen):
    assert {"searchFlights", "searchStays"} <= set(seen["symbols"])
    assert seen["tool"]["toolName"] == "search_flights"
    assert seen["tool"]["stale"] is False
