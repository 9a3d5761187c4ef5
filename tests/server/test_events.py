"""What the server tells by itself: editor-experience 8.2, notifications."""

from __future__ import annotations

import pytest
from sessions import Session, end, start

pytestmark = pytest.mark.asyncio(loop_scope="module")

TYPES = "export type Plan = { name:string }\n"
TOOLS = """\
import { Plan } from "./types.nx"
let find(size:int): Plan* = { }
let other(n:int): int = { n }
"""
EVENTS = {"nxlspSchemaEvents": True, "nxlspStatus": True}


@pytest.fixture
def root(tmp_path):
    (tmp_path / "types.nx").write_text(TYPES)
    (tmp_path / "tools.nx").write_text(TOOLS)
    return tmp_path


async def schema_event(client: Session, count: int = 1) -> list[dict]:
    """Wait for notifications beyond the first ``count - 1``; the changes of the last."""
    await client.until(
        lambda: len(client.schema_changes) >= count,
        lambda: f"{count} notifications, not {client.schema_changes}",
    )
    return client.schema_changes[-1]


def of(root, name: str, version: int | None, *, stale: bool = False) -> dict:
    project = root.as_uri()
    return {
        "project": project,
        "module": "tools.nx",
        "name": name,
        "version": version,
        "stale": stale,
    }


async def test_a_schema_that_was_asked_for_is_followed(root):
    tools, types = (root / "tools.nx").as_uri(), (root / "types.nx").as_uri()
    client = await start(root, experimental=EVENTS)
    client.open(tools, TOOLS)
    client.open(types, TYPES)
    await client.own("nxlsp/toolSchema", {"target": {"module": "tools.nx", "name": "find"}})
    # A type in another file.
    client.replace(types, TYPES.replace("string", "int"), 2)
    assert await schema_event(client) == [of(root, "find", 1)]
    # Nothing that the document says: another function, which nobody asked for.
    client.replace(tools, TOOLS.replace("n:int", "n:string"), 2)
    await client.idle()
    # Broken, so that an older text is shown; and repaired.
    client.replace(tools, TOOLS.replace("size:int", "size:"), 3)
    assert await schema_event(client, 2) == [of(root, "find", 2, stale=True)]
    client.replace(tools, TOOLS.replace("size:int", "size:string"), 4)
    assert await schema_event(client, 3) == [of(root, "find", 4)]
    # Deleted.
    client.replace(tools, "// nothing\n", 5)
    assert await schema_event(client, 4) == [of(root, "find", None)]
    assert len(client.schema_changes) == 4
    await end(client)


async def test_a_type_schema_is_followed_too(root):
    types = (root / "types.nx").as_uri()
    client = await start(root, experimental=EVENTS)
    client.open(types, TYPES)
    await client.own("nxlsp/typeSchema", {"target": {"module": "types.nx", "name": "Plan"}})
    client.replace(types, TYPES.replace("string", "int"), 2)
    (change,) = await schema_event(client)
    assert (change["module"], change["name"], change["version"]) == ("types.nx", "Plan", 2)
    await end(client)


async def test_a_client_that_asks_for_no_events_gets_none(root):
    tools = (root / "tools.nx").as_uri()
    client = await start(root)
    client.open(tools, TOOLS)
    await client.own("nxlsp/toolSchema", {"target": {"module": "tools.nx", "name": "find"}})
    client.replace(tools, TOOLS.replace("size:int", "size:string"), 2)
    await client.version_published(tools, 2)
    await client.idle()
    assert client.schema_changes == []
    assert client.statuses == []
    await end(client)


AGENT = """\
import { Agent, FunctionTool } from "@nx/agent"
let good(a:int): int = { a }
let bad(f:<function />: int): int = { 1 }
let agent = <Agent
  name="helper"
  description="Helps."
  tools={ <FunctionTool function={good} /> <FunctionTool function={bad} /> }
>Help.</Agent>
"""


async def test_the_status_tells_how_many_tools_cannot_be_called(tmp_path):
    (tmp_path / "agent.nx").write_text(AGENT)
    uri = (tmp_path / "agent.nx").as_uri()
    client = await start(tmp_path, experimental=EVENTS)
    client.open(uri, AGENT)

    async def status_becomes(wanted: dict) -> None:
        await client.until(
            lambda: client.statuses[-1:] == [wanted], lambda: f"{wanted}, not {client.statuses}"
        )

    problems = await client.idle()
    await status_becomes(
        {
            "health": "warning",
            "quiescent": True,
            "message": "1 of 2 tools cannot be called",
            "tools": 2,
            "problems": problems["projects"][0]["problems"],
        }
    )
    client.replace(uri, AGENT.replace("f:<function />: int", "f:int"), 2)
    # Neither tool has a description or a documented parameter.
    await status_becomes({"health": "ok", "quiescent": True, "tools": 2, "problems": 4})
    await end(client)
