"""Programs from texts in memory and from a directory (decisions 5 and 6).

The two steps are apart so that a host can keep the first: ``read_directory`` or
``inputs_from_sources`` gathers ``ProgramInputs``; ``build`` makes a database of them. After an
edit, ``inputs.with_text(…)`` and ``rebuild`` split one file again and nothing else.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path

from nx_lsp.program.database import LinkedProgram, ProgramDatabase
from nx_lsp.program.declarations import Diagnostic
from nx_lsp.program.directory import (
    SUFFIX,
    DirectoryListing,
    PathFilter,
    is_skipped,
    list_directory,
)
from nx_lsp.program.linking import BYTE_ORDER_MARK, ProgramInputs, Source, link, split_text

__all__ = [
    "build",
    "from_directory",
    "from_sources",
    "inputs_from_sources",
    "read_directory",
    "read_listing",
    "read_source",
    "rebuild",
    "split_text",
    "too_large",
]

LARGEST_SOURCE = 8 * 1024 * 1024
"""Bytes of the longest source that is read. Nobody writes more by hand: what is longer got its
suffix by accident, and would hold up everything else for a quarter of a minute."""


def from_sources(
    sources: Mapping[str, str],
    entry: str | None = None,
    libraries: Mapping[str, Mapping[str, str]] | None = None,
    implicit_imports: Sequence[str] = (),
) -> ProgramDatabase:
    """A program from texts: module identity → text, in the mapping's order.

    ``libraries`` gives libraries by root, each a mapping of identities relative to the root; a
    directory that an import names is found to be one by itself (decision 5). Without ``entry``
    a single workspace module is the entry. Never raises for what the texts hold: identities that
    are refused and a bad entry are among ``ProgramDatabase.problems``."""
    return build(inputs_from_sources(sources, entry, libraries, implicit_imports))


def from_directory(
    path: str | Path,
    entry: str | None = None,
    overlay: Mapping[Path | str, str] | None = None,
    exclude: Sequence[str] = (),
) -> ProgramDatabase:
    """The program of a directory on disk: every ``.nx`` file below ``path``, sorted by path.

    ``overlay`` holds texts that stand for files (open buffers); keys are paths, relative ones
    below ``path``. ``exclude`` holds glob patterns. A file that cannot be read is among
    ``ProgramDatabase.problems``. Raises ``FileNotFoundError`` or ``NotADirectoryError`` when
    ``path`` is no directory."""
    return build(read_directory(path, entry, overlay, exclude))


def build(inputs: ProgramInputs) -> ProgramDatabase:
    """A new database for gathered inputs."""
    return ProgramDatabase(link(inputs))


def rebuild(db: ProgramDatabase, inputs: ProgramInputs) -> bool:
    """Bring ``db`` to other inputs; return whether anything changed. What the change did not
    reach stays answered. Raises ``RuntimeError`` when called from inside a query."""
    return db.update(link(inputs, LinkedProgram(db.modules)))


def inputs_from_sources(
    sources: Mapping[str, str],
    entry: str | None = None,
    libraries: Mapping[str, Mapping[str, str]] | None = None,
    implicit_imports: Sequence[str] = (),
) -> ProgramInputs:
    """Gather texts; see ``from_sources``."""
    unreadable: dict[str, Diagnostic] = {}
    return ProgramInputs(
        workspace=_split(sources, "", unreadable),
        libraries={
            root: _split(texts, f"{root}/", unreadable) for root, texts in (libraries or {}).items()
        },
        entry=entry,
        implicit_imports=tuple(implicit_imports),
        unreadable=frozenset(unreadable),
        problems=tuple(unreadable.values()),
    )


def _split(
    texts: Mapping[str, str], prefix: str, unreadable: dict[str, Diagnostic]
) -> tuple[Source, ...]:
    """The texts as sources; why one is refused is added to ``unreadable``."""
    found: list[Source] = []
    for identity, text in texts.items():
        refused = too_large(text, prefix + identity)
        if refused is None:
            found.append(Source(identity, split_text(text)))
        else:
            unreadable[prefix + identity] = refused
    return tuple(found)


def read_directory(
    path: str | Path,
    entry: str | None = None,
    overlay: Mapping[Path | str, str] | None = None,
    exclude: Sequence[str] = (),
) -> ProgramInputs:
    """Gather the files below a directory; see ``from_directory``."""
    listing = list_directory(Path(path), exclude)
    return read_listing(listing, entry, overlay, exclude)


def read_listing(
    listing: DirectoryListing,
    entry: str | None = None,
    overlay: Mapping[Path | str, str] | None = None,
    exclude: Sequence[str] = (),
) -> ProgramInputs:
    """Gather the files of a listing. ``exclude`` only decides about overlaid files that are not
    on disk. Never raises for what the files hold or for files that have gone."""
    texts = _overlaid_texts(listing, overlay or {}, exclude)
    files = dict(listing.files)
    for identity in texts:
        files.setdefault(identity, listing.root / identity)
    problems = [
        Diagnostic("error", "file-not-found", f"The directory `{where}` was left out: {why}", ())
        for where, why in listing.unreadable
    ]
    sources: list[Source] = []
    unreadable: set[str] = set()
    for identity in sorted(files, key=lambda name: name.split("/")):
        text = texts.get(identity)
        if text is None:
            read = read_source(files[identity], identity)
        else:
            read = too_large(text, identity) or text
        if isinstance(read, Diagnostic):
            problems.append(read)
            unreadable.add(identity)
            continue
        sources.append(Source(identity, split_text(read), files[identity]))
    return ProgramInputs(
        workspace=tuple(sources),
        libraries={},
        entry=entry,
        unreadable=frozenset(unreadable),
        problems=tuple(problems),
    )


def read_source(path: Path, name: str) -> str | Diagnostic:
    """The text of a source file without its byte order mark, or why there is none: a diagnostic
    without a place that calls the file ``name``. Line endings stay as they are. Only regular
    files are read: a pipe or a device might keep us waiting for ever."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            return Diagnostic("error", "file-not-found", f"`{name}` is not a regular file", ())
        if status.st_size > LARGEST_SOURCE:
            return _refuse_size(name, status.st_size)
        data = path.read_bytes()
    except FileNotFoundError:
        if path.is_symlink():
            message = f"`{name}` is a link that leads nowhere"
            return Diagnostic("error", "file-not-found", message, ())
        return Diagnostic("error", "file-not-found", f"`{name}` is not there any more", ())
    except OSError as error:
        why = error.strerror or "unknown reason"
        return Diagnostic("error", "file-not-found", f"`{name}` cannot be read: {why}", ())
    try:
        return data.decode("utf-8").removeprefix(BYTE_ORDER_MARK)
    except UnicodeDecodeError as error:
        byte = data[error.start]
        message = f"`{name}` is not UTF-8: byte 0x{byte:02x} at offset {error.start}"
        return Diagnostic("error", "invalid-utf8", message, (), "Save the file as UTF-8.")


def too_large(text: str, name: str) -> Diagnostic | None:
    """Why a text that did not come from a file is not read, if it is over ``LARGEST_SOURCE``."""
    if len(text) * 4 <= LARGEST_SOURCE:
        return None
    size = len(text.encode("utf-8", "surrogatepass"))
    return _refuse_size(name, size) if size > LARGEST_SOURCE else None


def _refuse_size(name: str, size: int) -> Diagnostic:
    mebibytes = LARGEST_SOURCE // (1024 * 1024)
    message = f"`{name}` is left out: it has {size:,} bytes, and at most {mebibytes} MiB are read"
    help_text = "Split it into modules, or exclude it if it is no NX."
    return Diagnostic("error", "source-too-large", message, (), help_text)


def _overlaid_texts(
    listing: DirectoryListing, overlay: Mapping[Path | str, str], exclude: Sequence[str]
) -> dict[str, str]:
    """The overlay by identity, without what is no part of the program."""
    by_path = {path: identity for identity, path in listing.files}
    left_out = PathFilter(exclude)
    texts: dict[str, str] = {}
    for key, text in overlay.items():
        path = listing.root / key
        identity = by_path.get(path)
        if identity is None:
            identity = _relative(path, listing.root)
        if identity is None or not identity.endswith(SUFFIX):
            continue
        if is_skipped(identity) or left_out.excludes(identity):
            continue
        texts[identity] = text
    return texts


def _relative(path: Path, root: Path) -> str | None:
    """The path below ``root`` with ``/``, or ``None`` outside; the directory's links resolved."""
    real = Path(os.path.realpath(path.parent)) / path.name
    for candidate in (Path(os.path.normpath(path)), real):
        if root in candidate.parents:
            return candidate.relative_to(root).as_posix()
    return None
