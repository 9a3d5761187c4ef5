"""What a scan takes from disk, above all when libraries are configured (editor-experience 13)."""

from __future__ import annotations

from pathlib import Path

import pytest

from nx_lsp.server.disk import scan


def lay_out(root: Path, *files: str) -> Path:
    for one in files:
        path = root / one
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("let n = 1\n")
    return root


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return lay_out(tmp_path / "p", "main.nx", "lib/a.nx", "lib/inner/b.nx")


MODULES = ["lib/a.nx", "lib/inner/b.nx", "main.nx"]


@pytest.mark.parametrize(
    ("name", "folder", "why"),
    [
        ("..", "lib", "`..`"),
        ("a/../..", "lib", "`..`"),
        ("", "lib", "empty"),
        (" ", "lib", "empty"),
        (".", "lib", "root itself"),
        ("/plans", "lib", "`/`"),
        ("a//b", "lib", "empty segment"),
        ("@nx", "lib", "reserved"),
        ("@nx/agent", "lib", "reserved"),
        ("plans", ".", "project itself"),
        ("plans", "", "project itself"),
        ("plans", "..", "project itself"),
        ("plans", "lib/..", "project itself"),
        ("plans", "/", "project itself"),
        ("plans", "not/there", "not/there"),
        ("plans", "main.nx", "not a directory"),
        ("plans", "a\0b", "NUL"),
        ("plans", "x" * 5000, "too long"),
    ],
)
def test_a_library_that_cannot_be_is_named_and_takes_no_file(project, name, folder, why):
    found = scan(project, (), [(name, folder)])
    assert sorted(found.files) == MODULES
    assert not found.library_of
    (problem,) = found.unreadable.values()
    assert why in problem.message
    assert f"`{name}`" in problem.message


def test_a_library_takes_its_files_out_of_the_workspace(project):
    found = scan(project, (), [("./plans", "lib")])
    assert sorted(found.files) == ["main.nx", "plans/a.nx", "plans/inner/b.nx"]
    assert found.library_of == {"plans/a.nx": "plans", "plans/inner/b.nx": "plans"}
    assert found.files["plans/a.nx"].path == project / "lib/a.nx"
    assert not found.unreadable


@pytest.mark.parametrize("order", [1, -1])
def test_a_file_in_two_libraries_belongs_to_the_inner_one(project, order):
    both = [("outer", "lib"), ("inner", "lib/inner")]
    found = scan(project, (), both[::order])
    assert found.library_of == {"outer/a.nx": "outer", "inner/b.nx": "inner"}
    assert sorted(found.files) == ["inner/b.nx", "main.nx", "outer/a.nx"]


@pytest.mark.parametrize(
    "second", [("again", "lib"), ("again", "lib/inner/.."), ("./plans", "lib/inner")]
)
def test_one_root_and_one_folder_make_one_library(project, second):
    found = scan(project, (), [("plans", "lib"), second])
    assert set(found.library_of.values()) == {"plans"}
    (problem,) = found.unreadable.values()
    assert f"`{second[0]}`" in problem.message
    assert "`plans`" in problem.message


def test_a_library_reached_through_a_link_is_the_folder_that_the_link_means(project):
    (project / "link").symlink_to(project / "lib")
    found = scan(project, (), [("plans", "link")])
    assert sorted(found.files) == ["main.nx", "plans/a.nx", "plans/inner/b.nx"]


def test_a_file_of_a_library_that_is_no_text_is_named_once(project):
    (project / "lib/a.nx").write_bytes(b"\xff")
    found = scan(project, (), [("plans", "lib")])
    assert [(one, each.code) for one, each in found.unreadable.items()] == [
        ("plans/a.nx", "invalid-utf8")
    ]


def test_a_root_that_is_not_there_has_no_files(tmp_path):
    found = scan(tmp_path / "gone", (), [("plans", "lib")])
    assert not found.files
