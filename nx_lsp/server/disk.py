"""Reading a project from disk, away from the event loop."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from nx_lsp.program.declarations import Diagnostic
from nx_lsp.program.directory import list_directory
from nx_lsp.program.loading import read_source
from nx_lsp.server.snapshots import SourceText


@dataclass(frozen=True, slots=True)
class Scan:
    """What is on disk below a root."""

    files: Mapping[str, SourceText]
    library_of: Mapping[str, str]
    """Identity to library root, for modules of configured libraries."""
    unreadable: Mapping[str, Diagnostic]
    skipped: tuple[str, ...]


def scan(root: Path, exclude: tuple[str, ...], libraries: Iterable[tuple[str, str]]) -> Scan:
    """Read the ``.nx`` files below ``root`` and in the folders of configured libraries.

    Runs outside the event loop. Never raises for what is on disk: a root that is not there has
    no files, and what cannot be read is named in the answer."""
    unreadable: dict[str, Diagnostic] = {}
    try:
        listing = list_directory(root, exclude)
    except OSError:
        return Scan({}, {}, {}, ())
    # Addresses keep the spelling of the root that the client uses, links in it unresolved.
    files = dict(_read(((one, root / one) for one, _ in listing.files), unreadable))
    library_of: dict[str, str] = {}
    for name, folder in libraries:
        directory = root / folder
        try:
            members = list_directory(directory).files
        except OSError as error:
            why = error.strerror or str(error)
            message = f"the library `{name}` cannot be read from `{folder}`: {why}"
            unreadable[name] = Diagnostic("error", "library-load-error", message, ())
            continue
        named = [(f"{name}/{one}", Path(os.path.normpath(directory / one))) for one, _ in members]
        inside = {path for _, path in named}
        files = {one: text for one, text in files.items() if text.path not in inside}
        for identity, text in _read(named, unreadable):
            files[identity] = text
            library_of[identity] = name
    return Scan(files, library_of, unreadable, listing.skipped)


def _read(
    members: Iterable[tuple[str, Path]], unreadable: dict[str, Diagnostic]
) -> Iterator[tuple[str, SourceText]]:
    for identity, path in members:
        read = read_source(path, identity)
        if isinstance(read, str):
            yield identity, SourceText(identity, read, path)
        else:
            unreadable[identity] = read
