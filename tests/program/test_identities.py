"""Module identities and import paths (semantics 1.2, 2.3)."""

from __future__ import annotations

import pytest

from nx_lsp.program.identities import (
    IdentityError,
    InvalidPath,
    LocalPath,
    RemotePath,
    StandardLibraryPath,
    UnknownStandardLibrary,
    join_import_path,
    normalize_identity,
    read_import_path,
)


@pytest.mark.parametrize(
    ("text", "identity"),
    [
        ("tools.nx", "tools.nx"),
        ("  tools.nx ", "tools.nx"),
        ("shared / plans.nx", "shared/plans.nx"),
        ("./a/./b.nx", "a/b.nx"),
        ("a/../b.nx", "b.nx"),
        ("a/b/../../c.nx", "c.nx"),
        ("Tools.NX", "Tools.NX"),
        ("plans", "plans"),
    ],
)
def test_identities_are_normalized(text: str, identity: str) -> None:
    assert normalize_identity(text) == identity


@pytest.mark.parametrize(
    "text", ["", "   ", "/a.nx", "a//b.nx", "a/", "a/ /b", "..", "a/../..", ".", "a/.."]
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(IdentityError):
        normalize_identity(text)


def test_a_path_is_joined_to_the_directory_of_the_importer() -> None:
    assert join_import_path("main.nx", "./plans.nx") == "plans.nx"
    assert join_import_path("a/b/main.nx", "../plans.nx") == "a/plans.nx"
    assert join_import_path("a/main.nx", "plans") == "a/plans"
    with pytest.raises(IdentityError):
        join_import_path("a/main.nx", "../../x.nx")
    with pytest.raises(IdentityError):
        join_import_path("a/main.nx", "..")


@pytest.mark.parametrize(
    ("path", "meaning"),
    [
        ("https://example.com/water.zip", RemotePath()),
        ("http://example.com", RemotePath()),
        ("git://example.com/x", RemotePath()),
        ("@nx/agent", StandardLibraryPath("@nx/agent")),
        ("@nx/nope", UnknownStandardLibrary(relative=False)),
        ("@nx", UnknownStandardLibrary(relative=False)),
        ("@nx/agent/agent.nx", UnknownStandardLibrary(relative=False)),
        ("../@nx/agent", UnknownStandardLibrary(relative=True)),
        ("./soil", LocalPath("deep/soil")),
    ],
)
def test_kinds_of_import_paths(path: str, meaning: object) -> None:
    assert read_import_path("deep/main.nx", path) == meaning


def test_a_path_that_is_none_says_why() -> None:
    found = read_import_path("main.nx", "../x.nx")
    assert isinstance(found, InvalidPath)
    assert "out of the root" in found.reason
