"""Programs of a directory on disk (decision 5, editor-experience 13)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nx_lsp.program import loading
from nx_lsp.program.diagnostics import module_diagnostics
from nx_lsp.program.directory import list_directory
from nx_lsp.program.loading import from_directory, from_sources


def put(root: Path, relative: str, text: str = "") -> Path:
    path = root / relative
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def names(root: Path, **options: object) -> list[str]:
    return [m for m in from_directory(root, **options).identities if m[0] != "@"]  # type: ignore[arg-type]


def test_every_nx_file_below_the_root_sorted_by_path(tmp_path: Path) -> None:
    for name in ["b.nx", "a/z.nx", "a-b.nx", "a/deep/x.nx", "notes.txt", "x.NX", "nx"]:
        put(tmp_path, name)
    assert names(tmp_path) == ["a/deep/x.nx", "a/z.nx", "a-b.nx", "b.nx"]


def test_modules_know_their_file(tmp_path: Path) -> None:
    path = put(tmp_path, "lib/a.nx")
    module = from_directory(str(tmp_path)).module("lib/a.nx")
    assert module is not None
    assert module.path is not None
    assert module.path.samefile(path)


def test_folders_of_other_tools_are_skipped(tmp_path: Path) -> None:
    skipped = [".git", "node_modules", ".venv", "target", "dist", "build", ".history"]
    for name in [*skipped, "src/node_modules"]:
        put(tmp_path, f"{name}/a.nx")
    put(tmp_path, "py/pyvenv.cfg")
    put(tmp_path, "py/a.nx")
    put(tmp_path, "builds/a.nx")
    assert names(tmp_path) == ["builds/a.nx"]
    assert set(list_directory(tmp_path).skipped) == {*skipped, "src/node_modules", "py"}


@pytest.mark.parametrize(
    ("pattern", "left"),
    [
        ("tests", ["a.nx", "src/b.nx"]),
        ("*.spec.nx", ["a.nx", "src/b.nx", "src/tests/c.nx"]),
        ("src/tests/**", ["a.nx", "src/b.nx", "tests/d.spec.nx"]),
        ("src", ["a.nx", "tests/d.spec.nx"]),
        ("**/c.nx", ["a.nx", "src/b.nx", "tests/d.spec.nx"]),
        ("src/?.nx", ["a.nx", "src/tests/c.nx", "tests/d.spec.nx"]),
    ],
)
def test_patterns_take_files_out(tmp_path: Path, pattern: str, left: list[str]) -> None:
    for name in ["a.nx", "src/b.nx", "src/tests/c.nx", "tests/d.spec.nx"]:
        put(tmp_path, name)
    assert names(tmp_path, exclude=[pattern]) == left


def test_links_out_of_the_root_are_not_followed(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    put(root, "a.nx")
    put(outside, "b.nx")
    (root / "linked").symlink_to(outside, target_is_directory=True)
    (root / "c.nx").symlink_to(outside / "b.nx")
    assert names(root) == ["a.nx"]
    assert list_directory(root).skipped == ("c.nx", "linked")


def test_a_link_back_up_ends(tmp_path: Path) -> None:
    put(tmp_path, "lib/a.nx")
    (tmp_path / "lib" / "again").symlink_to(tmp_path / "lib", target_is_directory=True)
    (tmp_path / "lib" / "top").symlink_to(tmp_path, target_is_directory=True)
    assert names(tmp_path) == ["lib/a.nx"]


def test_the_root_itself_may_be_a_link(tmp_path: Path) -> None:
    put(tmp_path, "real/a.nx")
    (tmp_path / "link").symlink_to(tmp_path / "real", target_is_directory=True)
    assert names(tmp_path / "link") == ["a.nx"]


def test_a_missing_root_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere"):
        from_directory(tmp_path / "nowhere")
    with pytest.raises(NotADirectoryError, match=r"a\.nx"):
        from_directory(put(tmp_path, "a.nx"))


def test_a_file_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.nx").write_bytes(b"let a = 1\n\xff\n")
    put(tmp_path, "good.nx")
    db = from_directory(tmp_path)
    assert names(tmp_path) == ["good.nx"]
    [problem] = db.problems
    assert problem.code == "invalid-utf8"
    assert "`bad.nx`" in problem.message
    assert "offset 10" in problem.message
    assert db.unreadable == {"bad.nx"}


# ---------------------------------------------------------------- sources over the limit


@pytest.fixture
def small_limit(monkeypatch: pytest.MonkeyPatch) -> str:
    """A limit of a MiB, and a text one byte longer: its `é` are two bytes each."""
    monkeypatch.setattr(loading, "LARGEST_SOURCE", 2**20)
    text = "// " + "é" * (2**19 - 2) + "\n\n"
    assert len(text.encode()) == 2**20 + 1
    return text


def test_a_source_over_the_limit_is_named_wherever_it_comes_from(
    tmp_path: Path, small_limit: str
) -> None:
    (tmp_path / "large.nx").write_text(small_limit, encoding="utf-8", newline="")
    (tmp_path / "library").mkdir()
    put(tmp_path, "main.nx", 'import "./large.nx"\nlet f(p:Plan): int = 1\n')
    put(tmp_path, "buffer.nx")
    memory = {"main.nx": 'import "./large.nx"\nlet f(p:Plan): int = 1\n', "large.nx": small_limit}
    for db, refused in [
        (from_directory(tmp_path), "large.nx"),
        (from_sources(memory, "main.nx"), "large.nx"),
        (from_directory(tmp_path, overlay={"buffer.nx": small_limit}), "buffer.nx"),
        (from_sources({}, libraries={"plans": {"large.nx": small_limit}}), "plans/large.nx"),
    ]:
        assert refused in db.unreadable
        assert refused not in db.identities
        problem = db.problems[0]
        assert (problem.code, problem.labels) == ("source-too-large", ())
        assert f"`{refused}`" in problem.message
        assert "1,048,577 bytes" in problem.message
        assert "1 MiB" in problem.message
    # The names it would have brought are not reported as well.
    db = from_directory(tmp_path)
    assert [each.message for each in module_diagnostics(db, "main.nx")] == [
        "The module `./large.nx` could not be read"
    ]


def test_a_source_of_exactly_the_limit_is_read(tmp_path: Path, small_limit: str) -> None:
    (tmp_path / "a.nx").write_text(small_limit[:-1], encoding="utf-8", newline="")
    assert not from_directory(tmp_path).problems
    assert not from_sources({"a.nx": small_limit[:-1]}).problems


def test_what_may_not_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "secret.nx")
    put(tmp_path, "closed/a.nx")
    scandir = os.scandir

    def refusing_scandir(path: Path) -> object:
        if path.name == "closed":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    def refusing_read(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "scandir", refusing_scandir)
    monkeypatch.setattr(Path, "read_bytes", refusing_read)
    db = from_directory(tmp_path)
    assert [(each.code, each.message) for each in db.problems] == [
        ("file-not-found", "The directory `closed` was left out: Permission denied"),
        ("file-not-found", "`secret.nx` cannot be read: Permission denied"),
    ]
    assert db.unreadable == {"secret.nx"}


def test_a_link_that_leads_nowhere_is_named(tmp_path: Path) -> None:
    (tmp_path / "gone.nx").symlink_to(tmp_path / "nothing.nx")
    [problem] = from_directory(tmp_path).problems
    assert problem.code == "file-not-found"
    assert "`gone.nx`" in problem.message


def test_a_directory_called_like_a_module_is_searched(tmp_path: Path) -> None:
    put(tmp_path, "odd.nx/a.nx")
    assert names(tmp_path) == ["odd.nx/a.nx"]


def test_line_endings_and_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "a.nx").write_bytes(b"\xef\xbb\xbflet a = 1\r\n")
    module = from_directory(tmp_path).module("a.nx")
    assert module is not None
    assert module.file.text == "let a = 1\r\n"


def test_open_buffers_stand_for_files(tmp_path: Path) -> None:
    put(tmp_path, "a.nx", "let a = 1\n")
    overlay = {
        tmp_path / "a.nx": "let b = 2\n",
        "new.nx": "let c = 3\n",
        "notes.txt": "no",
        "node_modules/x.nx": "let d = 4\n",
        tmp_path.parent / "outside.nx": "let e = 5\n",
    }
    db = from_directory(tmp_path, overlay=overlay)
    texts = {m.identity: m.file.text for m in db.modules if m.identity[0] != "@"}
    assert texts == {"a.nx": "let b = 2\n", "new.nx": "let c = 3\n"}


def test_an_open_buffer_replaces_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "bad.nx").write_bytes(b"\xff")
    db = from_directory(tmp_path, overlay={"bad.nx": "let a = 1\n"})
    assert db.problems == ()
    assert db.module("bad.nx") is not None


def test_a_nested_directory_becomes_a_library(tmp_path: Path) -> None:
    put(tmp_path, "main.nx", 'import "./libraries/catalog"\n')
    put(tmp_path, "libraries/catalog/Plans.nx")
    put(tmp_path, "libraries/other/Free.nx")
    db = from_directory(tmp_path, entry="main.nx")
    assert db.identities == (
        "@nx/prelude.nx",
        "libraries/catalog/Plans.nx",
        "libraries/other/Free.nx",
        "main.nx",
    )
    assert list(db.libraries) == ["libraries/catalog"]
    assert db.entry == "main.nx"
