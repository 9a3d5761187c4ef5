"""``docs/hosts.md`` says what there is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from host_programs import all_answers

from nx_lsp import HOSTS
from nx_lsp.ide.host_copies import HOST_OF_VIEW
from nx_lsp.schema.hosts import limits

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "hosts.md").read_text(encoding="utf-8")


def test_the_example_works_as_its_comments_say() -> None:
    code = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert code is not None
    names: dict[str, Any] = {}
    exec(code[1], names)
    said = re.findall(r"^(\S.*?)  +# (.*)$", code[1], re.MULTILINE)
    assert len(said) == 3
    for expression, value in said:
        assert eval(expression, names) == eval(value)


def test_every_code_of_a_note_is_told() -> None:
    told = set(re.findall(r"`([a-z]+(?:-[a-z]+)+)`", PAGE.partition("## Notes")[2]))
    sources = (ROOT / "nx_lsp" / "schema" / "hosts").glob("*.py")
    written = {
        code
        for source in sources
        for code in re.findall(r'"([a-z]+(?:-[a-z]+)+)"', source.read_text(encoding="utf-8"))
    }
    codes = (written | {"meta-schema-left-out"}) - set(HOSTS)
    assert codes <= told
    met = {
        note.code
        for answer in all_answers().values()
        for host in HOSTS
        for note in answer.for_host(host).notes
    }
    assert met <= codes


def test_every_host_and_view_is_told() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| `([A-Za-z]+)` \|", PAGE, re.MULTILINE)
    assert [(host, view) for host, view in rows] == [
        (host, view) for view, host in HOST_OF_VIEW.items()
    ]
    assert [host for host, _ in rows] == list(HOSTS)


def test_the_limits_of_names_are_those_of_the_table() -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith("| tool name"))
    cells = [cell.strip() for cell in row.strip("|").split("|")][1:]
    for host, cell in zip(HOSTS, cells, strict=True):
        longest, also = limits.NAMES[host].longest, limits.NAMES[host].also
        assert cell.startswith(f"{longest}, `{' '.join(also)}`")
