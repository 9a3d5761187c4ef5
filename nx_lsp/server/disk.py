"""Reading a project from disk, away from the event loop."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from nx_lsp.program.declarations import Diagnostic
from nx_lsp.program.directory import list_directory
from nx_lsp.program.identities import IdentityError, is_reserved, normalize_identity
from nx_lsp.program.loading import read_source
from nx_lsp.server.snapshots import SourceText


@dataclass(frozen=True, slots=True)
class Scan:
    """What is on disk below a root."""

    files: Mapping[str, SourceText]
    library_of: Mapping[str, str]
    """Identity to library root, for modules of configured libraries, readable or not."""
    library_files: Mapping[Path, str]
    """The files of those modules, with their identities."""
    unreadable: Mapping[str, Diagnostic]
    skipped: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Library:
    root: str
    """Normalized."""
    folder: str
    """As written in the setting."""
    directory: Path
    """As the client spells the project root, links unresolved."""
    real: Path


def scan(root: Path, exclude: tuple[str, ...], libraries: Iterable[tuple[str, str]]) -> Scan:
    """Read the ``.nx`` files below ``root`` and in the folders of configured libraries.

    A file in the folders of two libraries belongs to the inner one. Runs outside the event loop.
    Never raises for what is on disk or in the setting: a root that is not there has no files,
    and what cannot be read or used is named in the answer."""
    unreadable: dict[str, Diagnostic] = {}
    try:
        listing = list_directory(root, exclude)
    except OSError:
        return Scan({}, {}, {}, {}, ())
    # Addresses keep the spelling of the root that the client uses, links in it unresolved.
    files = dict(_read(((one, root / one) for one, _ in listing.files), unreadable))
    library_of: dict[str, str] = {}
    library_files: dict[Path, str] = {}
    taken: set[str] = set()
    accepted = _accepted(root, libraries, unreadable)
    for library in sorted(accepted, key=lambda one: -len(one.real.parts)):
        try:
            members = list_directory(library.directory).files
        except OSError as error:
            why = error.strerror or str(error)
            unreadable[library.root] = _not_loaded(library.root, library.folder, why)
            continue
        named = []
        for one, path in members:
            real = os.path.realpath(path)
            if real not in taken:
                taken.add(real)
                named.append(
                    (f"{library.root}/{one}", Path(os.path.normpath(library.directory / one)))
                )
        files.update(_read(named, unreadable))
        library_of.update((identity, library.root) for identity, _ in named)
        library_files.update((path, identity) for identity, path in named)
    if taken:
        for one, path in listing.files:
            if one not in library_of and os.path.realpath(path) in taken:
                files.pop(one, None)
                unreadable.pop(one, None)
    return Scan(files, library_of, library_files, unreadable, listing.skipped)


def _accepted(
    project: Path, libraries: Iterable[tuple[str, str]], refused: dict[str, Diagnostic]
) -> Iterator[_Library]:
    """The configured libraries that can be used; why others cannot is added to ``refused``."""
    real_project = Path(os.path.realpath(project))
    roots: set[str] = set()
    folders: dict[Path, str] = {}
    for name, folder in libraries:
        if "\0" in folder:
            refused[name] = _not_loaded(name, folder, "no path has a NUL character")
            continue
        directory = Path(os.path.normpath(project / folder))
        real = Path(os.path.realpath(directory))
        try:
            root = normalize_identity(name)
        except IdentityError as error:
            message = f"`{name}` is not a valid library root: {error}"
            refused[name] = Diagnostic("error", "library-load-error", message, ())
            continue
        if is_reserved(root):
            message = f"the library `{root}` is refused: roots under `@nx/` are reserved"
            refused[name] = Diagnostic("error", "library-root-reserved", message, ())
        elif root in roots:
            refused[name] = _not_loaded(name, folder, f"another library has the root `{root}`")
        elif real == real_project or real in real_project.parents:
            refused[name] = _not_loaded(name, folder, "the project itself lies in that folder")
        elif real in folders:
            refused[name] = _not_loaded(name, folder, f"that is the library `{folders[real]}`")
        else:
            roots.add(root)
            folders[real] = root
            yield _Library(root, folder, directory, real)


def _not_loaded(name: str, folder: str, why: str) -> Diagnostic:
    message = f"the library `{name}` cannot be read from `{folder}`: {why}"
    return Diagnostic("error", "library-load-error", message, ())


def _read(
    members: Iterable[tuple[str, Path]], unreadable: dict[str, Diagnostic]
) -> Iterator[tuple[str, SourceText]]:
    for identity, path in members:
        read = read_source(path, identity)
        if isinstance(read, str):
            yield identity, SourceText(identity, read, path)
        else:
            unreadable[identity] = read
