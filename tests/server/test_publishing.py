"""Diagnostics: when they come, whom they belong to, and when they go."""

from __future__ import annotations

import os

import pytest
import pytest_asyncio
from lsprotocol import types as lsp
from sessions import Session, end, folders, start

from nx_lsp.program.loading import LARGEST_SOURCE

pytestmark = pytest.mark.asyncio(loop_scope="module")

GOOD = "let f(n:int): int = { n }\n"
BAD = "let v:Missing = 1\n"


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    path = tmp_path_factory.mktemp("project")
    (path / "types.nx").write_text("export type Plan = { name:string }\n")
    (path / "user.nx").write_text(
        'import { Plan } from "./types.nx"\nlet plan(name:string): Plan = <Plan name={name} />\n'
    )
    (path / "bad.nx").write_text(BAD)
    return path


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(root):
    session = await start(root)
    yield session
    await end(session)


def changed(path, type_=lsp.FileChangeType.Changed) -> lsp.DidChangeWatchedFilesParams:
    return lsp.DidChangeWatchedFilesParams([lsp.FileEvent(path.as_uri(), type_)])


async def test_files_that_are_not_open_are_checked(client: Session, root):
    uri = (root / "bad.nx").as_uri()
    await client.codes_become(uri, ["unresolved-type"])
    assert client.versions(uri) == [None]


async def test_a_diagnostic_carries_what_a_client_shows(client: Session, root):
    uri = (root / "bad.nx").as_uri()
    await client.codes_become(uri, ["unresolved-type"])
    (found,) = client.diagnostics[uri]
    assert found.range == lsp.Range(lsp.Position(0, 6), lsp.Position(0, 13))
    assert found.severity == lsp.DiagnosticSeverity.Error
    assert found.source == "nx"
    assert "Missing" in found.message
    assert found.data["module"] == "bad.nx"


async def test_related_places_are_told(client: Session, root):
    uri = (root / "twice.nx").as_uri()
    client.open(uri, "type A = { x:int }\ntype A = { y:int }\n")
    await client.codes_become(uri, ["duplicate-declaration"])
    (found,) = client.diagnostics[uri]
    (related,) = found.related_information
    assert related.location.uri == uri
    assert related.location.range.start.line == 0
    client.close(uri)
    await client.codes_become(uri, [])


async def test_an_edit_is_checked_with_its_version_and_undone(client: Session, root):
    uri = (root / "edited.nx").as_uri()
    client.open(uri, GOOD)
    await client.version_published(uri, 1)
    client.replace(uri, BAD, 2)
    await client.version_published(uri, 2)
    assert client.codes(uri) == ["unresolved-type"]
    client.replace(uri, GOOD, 3)
    await client.version_published(uri, 3)
    assert client.codes(uri) == []
    client.close(uri)


async def test_versions_never_decrease_and_old_texts_are_not_published(client: Session, root):
    uri = (root / "burst.nx").as_uri()
    client.open(uri, GOOD)
    for version in range(2, 60):
        client.replace(uri, BAD if version % 2 else GOOD, version)
        if version % 7 == 0:
            await client.own("nxlsp/status")
    await client.version_published(uri, 59)
    assert client.codes(uri) == ["unresolved-type"]
    versions = client.versions(uri)
    assert versions == sorted(versions)
    for params in client.publications:
        if params.uri == uri:
            expected = ["unresolved-type"] if params.version % 2 and params.version > 1 else []
            assert [one.code for one in params.diagnostics] == expected
    client.close(uri)
    await client.codes_become(uri, [])


async def test_a_change_of_a_type_reaches_the_closed_file_that_uses_it(client: Session, root):
    types, user = (root / "types.nx").as_uri(), (root / "user.nx").as_uri()
    await client.idle()
    client.open(types, "export type Plane = { name:string }\n")
    await client.until(
        lambda: "unresolved-import" in " ".join(client.codes(user)) or bool(client.codes(user)),
        lambda: f"problems in {user}",
    )
    client.close(types)
    await client.codes_become(user, [])


async def test_after_closing_the_file_on_disk_counts(client: Session, root):
    uri = (root / "user.nx").as_uri()
    client.open(uri, BAD)
    await client.codes_become(uri, ["unresolved-type"])
    client.close(uri)
    await client.codes_become(uri, [])


async def test_a_file_saved_while_open_counts_after_closing(client: Session, root):
    path = root / "saved.nx"
    client.open(path.as_uri(), BAD)
    await client.codes_become(path.as_uri(), ["unresolved-type"])
    path.write_text(BAD)
    client.close(path.as_uri())
    status = await client.idle()
    assert client.codes(path.as_uri()) == ["unresolved-type"]
    assert status["projects"][0]["modules"] == 4
    path.unlink()
    client.workspace_did_change_watched_files(changed(path, lsp.FileChangeType.Deleted))
    await client.codes_become(path.as_uri(), [])


async def test_files_created_changed_and_deleted_by_other_programs(client: Session, root):
    path = root / "by-git.nx"
    path.write_text(BAD)
    client.workspace_did_change_watched_files(changed(path, lsp.FileChangeType.Created))
    await client.codes_become(path.as_uri(), ["unresolved-type"])
    path.write_text(GOOD)
    client.workspace_did_change_watched_files(changed(path))
    await client.codes_become(path.as_uri(), [])
    path.write_text(BAD)
    client.workspace_did_change_watched_files(changed(path))
    await client.codes_become(path.as_uri(), ["unresolved-type"])
    path.unlink()
    client.workspace_did_change_watched_files(changed(path, lsp.FileChangeType.Deleted))
    await client.codes_become(path.as_uri(), [])


async def test_a_deleted_folder_takes_its_files_along(client: Session, root):
    folder = root / "sub"
    folder.mkdir()
    inner = folder / "inner.nx"
    inner.write_text(BAD)
    client.workspace_did_change_watched_files(changed(inner, lsp.FileChangeType.Created))
    await client.codes_become(inner.as_uri(), ["unresolved-type"])
    inner.unlink()
    folder.rmdir()
    client.workspace_did_change_watched_files(changed(folder, lsp.FileChangeType.Deleted))
    await client.codes_become(inner.as_uri(), [])


async def test_a_file_that_is_no_text_is_told(client: Session, root):
    path = root / "latin1.nx"
    path.write_bytes(b'let x = "\xe9"\n')
    client.workspace_did_change_watched_files(changed(path, lsp.FileChangeType.Created))
    await client.codes_become(path.as_uri(), ["invalid-utf8"])
    path.unlink()
    client.workspace_did_change_watched_files(changed(path, lsp.FileChangeType.Deleted))
    await client.codes_become(path.as_uri(), [])


async def test_a_text_over_the_limit_is_told_until_it_is_shorter(client: Session, root):
    path = root / "large.nx"
    large = "// " + "x" * LARGEST_SOURCE + "\n"
    path.write_text(large)
    client.workspace_did_change_watched_files(changed(path, lsp.FileChangeType.Created))
    await client.codes_become(path.as_uri(), ["source-too-large"])
    client.open(path.as_uri(), BAD)
    await client.codes_become(path.as_uri(), ["unresolved-type"])
    client.replace(path.as_uri(), large, 2)
    await client.codes_become(path.as_uri(), ["source-too-large"])
    assert await client.hover(path.as_uri(), 0, 4) is None
    client.replace(path.as_uri(), GOOD, 3)
    await client.codes_become(path.as_uri(), [])
    path.unlink()
    client.close(path.as_uri())
    await client.idle()


async def test_a_library_file_that_is_no_text_is_told_at_the_file(tmp_path):
    library = tmp_path / "elsewhere"
    library.mkdir()
    bad = library / "bad.nx"
    bad.write_bytes(b'let x = "\xe9"\n')
    (tmp_path / "root").mkdir()
    settings = {"project": {"libraries": {"plans": str(library)}}}
    client = await start(tmp_path / "root", settings=settings)
    await client.codes_become(bad.as_uri(), ["invalid-utf8"])
    await client.idle()
    assert {one.uri for one in client.publications} == {bad.as_uri()}
    await end(client)


@pytest.mark.parametrize(
    "uri",
    ["git:/p/bad.nx?%7B%22ref%22%3A%22HEAD%22%7D", "vscode-vfs://x/bad.nx", "output:bad.nx"],
)
async def test_other_schemes_are_left_alone(client: Session, uri):
    client.open(uri, BAD)
    client.replace(uri, BAD + BAD, 2)
    await client.idle()
    assert client.versions(uri) == []
    assert await client.hover(uri, 0, 4) is None
    client.close(uri)


async def test_the_same_file_under_another_spelling_is_the_same(client: Session, root):
    plain = (root / "spelled file.nx").as_uri()
    other = plain.replace("%20", " ").replace("file:///", "file://localhost/")
    client.open(other, BAD)
    await client.codes_become(other, ["unresolved-type"])
    assert client.versions(plain) == []
    client.edit(plain, 2, lsp.TextDocumentContentChangeWholeDocument(GOOD))
    await client.codes_become(other, [])
    client.close(plain)
    await client.idle()


async def test_no_spelling_of_an_address_keeps_an_old_list(client: Session, root):
    path = root / "spelled twice.nx"
    path.write_text(BAD)
    plain = path.as_uri()
    other = plain.replace("%20", " ")
    client.workspace_did_change_watched_files(changed(path, lsp.FileChangeType.Created))
    await client.codes_become(plain, ["unresolved-type"])
    client.open(other, BAD)
    await client.codes_become(other, ["unresolved-type"])
    await client.codes_become(plain, [])
    client.close(other)
    await client.codes_become(plain, ["unresolved-type"])
    await client.codes_become(other, [])
    path.unlink()
    client.workspace_did_change_watched_files(changed(path, lsp.FileChangeType.Deleted))
    await client.codes_become(plain, [])


async def test_a_pipe_named_like_a_module_is_not_waited_for(client: Session, root):
    pipe = root / "pipe.nx"
    os.mkfifo(pipe)
    (root / "beside.nx").write_text(BAD)
    created = lsp.FileChangeType.Created
    client.workspace_did_change_watched_files(
        lsp.DidChangeWatchedFilesParams(
            [lsp.FileEvent((root / one).as_uri(), created) for one in ("pipe.nx", "beside.nx")]
        )
    )
    await client.codes_become((root / "beside.nx").as_uri(), ["unresolved-type"])
    pipe.unlink()
    (root / "beside.nx").unlink()
    client.workspace_did_change_watched_files(
        changed(root / "beside.nx", lsp.FileChangeType.Deleted)
    )
    await client.codes_become((root / "beside.nx").as_uri(), [])


async def test_a_file_outside_every_folder_is_a_program_of_its_own(client: Session, tmp_path):
    path = tmp_path / "loose.nx"
    client.open(path.as_uri(), 'import { Plan } from "./types.nx"\n' + BAD)
    await client.until(lambda: len(client.codes(path.as_uri())) == 2, lambda: "two problems")
    assert "unresolved-type" in client.codes(path.as_uri())
    found = await client.hover(path.as_uri(), 1, 4)
    assert found is not None
    client.close(path.as_uri())
    await client.codes_become(path.as_uri(), [])


async def test_a_link_out_of_the_root_is_not_followed(client: Session, root, tmp_path):
    outside = tmp_path / "outside.nx"
    outside.write_text("export type Secret = { x:int }\n")
    link = root / "link.nx"
    link.symlink_to(outside)
    client.workspace_did_change_watched_files(changed(link, lsp.FileChangeType.Created))
    status = await client.idle()
    assert status["projects"][0]["modules"] == 3
    link.unlink()


async def test_an_untitled_document_sees_the_first_folder(client: Session):
    uri = "untitled:Untitled-1"
    client.open(
        uri, 'import { Plan } from "./types.nx"\nlet g(n:string): Plan = <Plan name={n} />\n'
    )
    await client.version_published(uri, 1)
    assert client.codes(uri) == []
    client.replace(uri, BAD, 2)
    await client.codes_become(uri, ["unresolved-type"])
    client.close(uri)
    await client.codes_become(uri, [])


async def test_folders_are_added_and_removed(client: Session, tmp_path):
    path = tmp_path / "bad.nx"
    path.write_text(BAD)
    (folder,) = folders(tmp_path)
    client.workspace_did_change_workspace_folders(
        lsp.DidChangeWorkspaceFoldersParams(lsp.WorkspaceFoldersChangeEvent([folder], []))
    )
    await client.codes_become(path.as_uri(), ["unresolved-type"])
    client.workspace_did_change_workspace_folders(
        lsp.DidChangeWorkspaceFoldersParams(lsp.WorkspaceFoldersChangeEvent([], [folder]))
    )
    await client.codes_become(path.as_uri(), [])
    assert len((await client.idle())["projects"]) == 1


async def test_too_many_problems_are_cut_with_a_notice(client: Session, root):
    uri = (root / "many.nx").as_uri()
    client.open(uri, "".join(f"let v{n}:Missing = 1\n" for n in range(250)))
    await client.version_published(uri, 1)
    codes = client.codes(uri)
    assert len(codes) == 201
    assert codes[-1] == "too-many-problems"
    assert client.diagnostics[uri][-1].message.startswith("50 more problems")
    client.close(uri)
    await client.codes_become(uri, [])


async def test_the_server_asks_to_be_told_about_files(client: Session):
    (registration,) = client.registrations
    assert registration.method == "workspace/didChangeWatchedFiles"
