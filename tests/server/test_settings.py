"""Settings: by question, by initialization options, null, bad, changed, per folder."""

from __future__ import annotations

import pytest
from lsprotocol import types as lsp
from sessions import FAULTY, end, start

BAD = "let v:Missing = 1\n"
NO_FORM = "let call(f:<function n:int />: int): int = { 1 }\n"


async def settings_changed(client, values, scope=None):
    client.set_configuration(values, section="nxlsp", scope_uri=scope)
    client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams(settings=None))


@pytest.mark.asyncio
@pytest.mark.parametrize("settings", [None, {}, {"schema": None, "hover.schema": None}])
async def test_null_means_the_defaults(tmp_path, settings):
    client = await start(tmp_path, settings=settings, options=settings)
    path = tmp_path / "a.nx"
    client.open(path.as_uri(), NO_FORM)
    await client.codes_become(path.as_uri(), ["schema-inexpressible-type"])
    assert client.messages == []
    await end(client)


@pytest.mark.asyncio
async def test_a_bad_value_is_told_once_and_the_default_used(tmp_path):
    (tmp_path / "a.nx").write_text(NO_FORM)
    bad = {"schema": {"otherFunctions": "loud"}, "diagnostics": {"delay": "soon"}}
    client = await start(tmp_path, settings=bad)
    await client.codes_become((tmp_path / "a.nx").as_uri(), ["schema-inexpressible-type"])
    client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams(settings=None))
    await client.idle()
    told = [one.message for one in client.messages]
    assert len(told) == 2
    assert any("nxlsp.schema.otherFunctions" in one for one in told)
    assert any("nxlsp.diagnostics.delay" in one for one in told)
    await end(client)


@pytest.mark.asyncio
async def test_initialization_options_serve_clients_that_cannot_be_asked(tmp_path):
    (tmp_path / "a.nx").write_text(NO_FORM)
    uri = (tmp_path / "a.nx").as_uri()
    options = {"schema": {"otherFunctions": "hint"}}
    client = await start(tmp_path, options=options, configuration=False)
    await client.codes_become(uri, ["schema-inexpressible-type"])
    assert client.diagnostics[uri][0].severity == lsp.DiagnosticSeverity.Hint
    pushed = {"nxlsp": {"schema": {"otherFunctions": "off"}}}
    client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams(settings=pushed))
    await client.codes_become(uri, [])
    await end(client)


@pytest.mark.asyncio
async def test_a_change_takes_effect_without_a_restart(tmp_path):
    (tmp_path / "a.nx").write_text(BAD)
    uri = (tmp_path / "a.nx").as_uri()
    client = await start(tmp_path)
    await client.codes_become(uri, ["unresolved-type"])
    await settings_changed(client, {"enable": False})
    await client.codes_become(uri, [])
    assert await client.hover(uri, 0, 4) is None
    await settings_changed(client, {"enable": True})
    await client.codes_become(uri, ["unresolved-type"])
    await settings_changed(client, {"files": {"exclude": ["a.nx"]}})
    await client.codes_become(uri, [])
    await settings_changed(client, {})
    await client.codes_become(uri, ["unresolved-type"])
    await settings_changed(client, {"diagnostics": {"mode": "openFiles"}})
    await client.codes_become(uri, [])
    client.open(uri, BAD)
    await client.codes_become(uri, ["unresolved-type"])
    await end(client)


@pytest.mark.asyncio
async def test_an_excluded_file_that_is_open_is_analysed_alone(tmp_path):
    (tmp_path / "types.nx").write_text("export type Plan = { name:string }\n")
    path = tmp_path / "tests" / "wrong.nx"
    path.parent.mkdir()
    path.write_text(BAD)
    client = await start(tmp_path, settings={"files": {"exclude": ["tests"]}})
    status = await client.idle()
    assert [one["modules"] for one in status["projects"]] == [1]
    assert status["projects"][0]["skipped"] == ["tests"]
    client.open(path.as_uri(), BAD)
    await client.codes_become(path.as_uri(), ["unresolved-type"])
    status = await client.idle()
    assert [one["partOfProgram"] for one in status["projects"]] == [True, False]
    client.close(path.as_uri())
    await client.codes_become(path.as_uri(), [])
    await end(client)


@pytest.mark.asyncio
async def test_two_folders_with_equal_file_names_are_kept_apart(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    for folder, text in ((one, BAD), (two, NO_FORM)):
        folder.mkdir()
        (folder / "a.nx").write_text(text)
    client = await start(one, two)
    await client.codes_become((one / "a.nx").as_uri(), ["unresolved-type"])
    await client.codes_become((two / "a.nx").as_uri(), ["schema-inexpressible-type"])
    await settings_changed(client, {"schema": {"otherFunctions": "off"}}, two.as_uri())
    await client.codes_become((two / "a.nx").as_uri(), [])
    assert client.codes((one / "a.nx").as_uri()) == ["unresolved-type"]
    status = await client.idle()
    assert [one["root"] for one in status["projects"]] == [one.as_uri(), two.as_uri()]
    found = await client.own(
        "nxlsp/toolSchema",
        {"target": {"project": two.as_uri(), "module": "a.nx", "name": "call"}},
    )
    assert found["name"] == "call"
    await end(client)


@pytest.mark.asyncio
async def test_a_folder_inside_another_is_taken_out_of_it(tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "a.nx").write_text("type A = { x:int }\n")
    (inner / "b.nx").write_text("type B = { x:int }\n")
    client = await start(tmp_path, inner)
    status = await client.idle()
    assert [(one["root"], one["modules"]) for one in status["projects"]] == [
        (tmp_path.as_uri(), 1),
        (inner.as_uri(), 1),
    ]
    await end(client)


@pytest.mark.asyncio
async def test_a_configured_root_inside_the_folder(tmp_path):
    inner = tmp_path / "nx"
    inner.mkdir()
    (tmp_path / "outside.nx").write_text(BAD)
    (inner / "b.nx").write_text(BAD)
    client = await start(tmp_path, settings={"project": {"roots": ["nx"]}})
    await client.codes_become((inner / "b.nx").as_uri(), ["unresolved-type"])
    status = await client.idle()
    assert [one["root"] for one in status["projects"]] == [inner.as_uri()]
    assert client.versions((tmp_path / "outside.nx").as_uri()) == []
    await end(client)


@pytest.mark.asyncio
async def test_a_configured_root_elsewhere_is_told(tmp_path):
    inner = tmp_path / "folder"
    inner.mkdir()
    (inner / "b.nx").write_text(BAD)
    client = await start(inner, settings={"project": {"roots": ["..", "/", "../folder2"]}})
    await client.codes_become((inner / "b.nx").as_uri(), ["unresolved-type"])
    told = [one.message for one in client.messages]
    assert len(told) == 3
    assert all("nxlsp.project.roots" in one for one in told)
    await end(client)


@pytest.mark.asyncio
@pytest.mark.parametrize("named", ["nope", " ", "b.nx", "x" * 300, "a\0b"])
async def test_a_configured_root_that_is_no_folder_is_told(tmp_path, named):
    (tmp_path / "b.nx").write_text(BAD)
    client = await start(tmp_path, settings={"project": {"roots": [named]}})
    await client.until(lambda: bool(client.messages), lambda: "a message")
    (message,) = client.messages
    assert "nxlsp.project.roots" in message.message
    assert f"`{named}`" in message.message
    await client.idle()
    await end(client)


@pytest.mark.asyncio
async def test_libraries_and_the_entry_module_come_from_the_settings(tmp_path):
    root, library = tmp_path / "root", tmp_path / "elsewhere"
    root.mkdir()
    library.mkdir()
    (library / "types.nx").write_text("export type Plan = { name:string }\n")
    (root / "main.nx").write_text('import "./plans"\nlet f(p:Plan): string = { p.name }\n')
    settings = {"project": {"libraries": {"plans": str(library)}, "entry": "main.nx"}}
    client = await start(root, settings=settings)
    found = await client.own("nxlsp/toolSchema", {"target": {"name": "f"}})
    assert found["answer"]["parameters"][0]["typeRef"] == {
        "module": "plans/types.nx",
        "name": "Plan",
    }
    await client.idle()
    assert client.codes((root / "main.nx").as_uri()) == []
    # An open buffer of the library counts, too.
    uri = (library / "types.nx").as_uri()
    client.open(uri, "export type Other = { name:string }\n")
    await client.until(
        lambda: "unresolved-type" in client.codes((root / "main.nx").as_uri()),
        lambda: "a problem in main.nx",
    )
    await end(client)


@pytest.mark.asyncio
async def test_more_modules_than_the_limit_are_not_checked_unopened(tmp_path):
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.nx").write_text(BAD)
    client = await start(tmp_path, settings={"files": {"limit": 2}})
    await client.idle()
    assert client.publications == []
    (message,) = client.messages
    assert "nxlsp.files.limit" in message.message
    client.open((tmp_path / "a.nx").as_uri(), BAD)
    await client.codes_become((tmp_path / "a.nx").as_uri(), ["unresolved-type"])
    await end(client)


@pytest.mark.asyncio
@pytest.mark.slow
async def test_long_work_shows_how_far_it_is(tmp_path):
    for number in range(8):
        (tmp_path / f"m{number}.nx").write_text("// slow\n")
    client = await start(tmp_path, command=FAULTY)
    await client.idle()
    (reports,) = client.progress_reports.values()
    first, *between, last = reports
    assert first.title == "Indexing NX"
    assert first.cancellable is True
    assert between[0].message.endswith(" of 8")
    assert last.kind == "end"
    await end(client)


@pytest.mark.asyncio
async def test_addresses_keep_the_spelling_of_a_folder_that_is_a_link(tmp_path):
    real = tmp_path / "real"
    real.mkdir()
    (real / "a.nx").write_text(BAD)
    (real / "b.nx").write_text("let f(n:int): int = { n }\n")
    link = tmp_path / "link"
    link.symlink_to(real)
    client = await start(link)
    await client.codes_become((link / "a.nx").as_uri(), ["unresolved-type"])
    client.open((link / "b.nx").as_uri(), BAD)
    await client.codes_become((link / "b.nx").as_uri(), ["unresolved-type"])
    status = await client.idle()
    assert [one["modules"] for one in status["projects"]] == [2]
    assert all(one.uri.startswith(link.as_uri()) for one in client.publications)
    await end(client)


@pytest.mark.asyncio
async def test_what_is_wrong_with_a_program_as_a_whole_is_told_once(tmp_path):
    (tmp_path / "a.nx").write_text("let f(n:int): int = { n }\n")
    settings = {"project": {"entry": "main.nx", "libraries": {"plans": "not/there"}}}
    client = await start(tmp_path, settings=settings)
    await client.until(lambda: len(client.messages) == 2, lambda: f"{client.messages}")
    assert any("`main.nx`" in one.message for one in client.messages)
    assert any("`plans`" in one.message for one in client.messages)
    await end(client)


@pytest.mark.asyncio
@pytest.mark.parametrize("folder", ["inside", "../outside"])
async def test_a_file_that_comes_into_a_library_or_leaves_it_is_one_of_the_library(
    tmp_path, folder
):
    root = tmp_path / "root"
    root.mkdir()
    library = (root / folder).resolve()
    library.mkdir(parents=True)
    (library / "a.nx").write_text("export let a = 1\n")
    main = root / "main.nx"
    main.write_text('import "./plans"\nlet f(p:Plan, n:int = {a}): string = { p.name }\n')
    client = await start(root, settings={"project": {"libraries": {"plans": folder}}})
    missing = ["unresolved-type", "schema-inexpressible-type"]
    await client.codes_become(main.as_uri(), missing)
    added = library / "b.nx"
    for text, codes in [
        ("export type Plan = { name:string }\n", []),
        ("type Plan = { name:string }\n", missing),
        (None, missing),
    ]:
        created = not added.exists()
        if text is None:
            added.unlink()
        else:
            added.write_text(text)
        kind = lsp.FileChangeType.Deleted if text is None else lsp.FileChangeType.Changed
        kind = lsp.FileChangeType.Created if created else kind
        event = lsp.FileEvent(added.as_uri(), kind)
        client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([event]))
        await client.codes_become(main.as_uri(), codes)
        status = await client.idle()
        (project,) = status["projects"]
        assert project["modules"] == (2 if text is None else 3)
    await end(client)


@pytest.mark.asyncio
async def test_a_file_that_may_not_be_read_is_not_gone(tmp_path):
    """After a change the program is what a fresh start would make of the disk."""
    (tmp_path / "main.nx").write_text('import "./other.nx"\nlet f(p:Plan): int = 1\n')
    other = tmp_path / "other.nx"
    other.write_text("export type Plan = { n:int }\n")
    client = await start(tmp_path)
    await client.idle()
    other.unlink()
    other.symlink_to(tmp_path / "nowhere")  # there, and cannot be read, for the superuser too
    event = lsp.FileEvent(other.as_uri(), lsp.FileChangeType.Changed)
    client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([event]))
    uri = (tmp_path / "main.nx").as_uri()
    await client.codes_become(uri, ["lowering-error", "schema-inexpressible-type"])
    problem = client.diagnostics[uri][0]
    assert "could not be read" in problem.message
    await end(client)
