"""Module identities and import paths as text (semantics 1.2 and 2.3).

Nothing here looks at a program or a file system. Identities are compared exactly: case counts,
no extension is added.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

RESERVED_SEGMENT = "@nx"
"""First segment of every identity that the compiler keeps for itself."""

PRELUDE_IDENTITY = "@nx/prelude.nx"
AGENT_ROOT = "@nx/agent"
STANDARD_LIBRARY_ROOTS = (AGENT_ROOT,)


class IdentityError(ValueError):
    """A text that is no module identity; the message says why, without the text itself."""


def normalize_identity(text: str) -> str:
    """Normalize a module identity or library root.

    Trims the text and each segment, drops ``.``, and lets ``..`` take away the segment before it.
    Raises ``IdentityError`` for an empty text, a leading ``/``, an empty segment, a ``..`` with
    nothing left to take away, and a result without segments."""
    return _join((), text)


def join_import_path(importer: str, path: str) -> str:
    """The identity that the import path ``path`` means in the module ``importer``: joined to the
    importer's directory and normalized. Raises ``IdentityError`` as ``normalize_identity`` does."""
    return _join(tuple(importer.split("/")[:-1]), path)


def _join(base: tuple[str, ...], text: str) -> str:
    trimmed = text.strip()
    if not trimmed:
        raise IdentityError("it is empty")
    if trimmed.startswith("/"):
        raise IdentityError("it starts with `/`")
    segments = list(base)
    for written in trimmed.split("/"):
        segment = written.strip()
        if not segment:
            raise IdentityError("it has an empty segment")
        if segment == ".":
            continue
        if segment == "..":
            if not segments:
                raise IdentityError("its `..` leads out of the root")
            segments.pop()
        else:
            segments.append(segment)
    if not segments:
        raise IdentityError("it names the root itself")
    return "/".join(segments)


def is_reserved(identity: str) -> bool:
    """Whether a normalized identity lies in the compiler's own namespace ``@nx/``."""
    return identity == RESERVED_SEGMENT or identity.startswith(RESERVED_SEGMENT + "/")


def is_below(identity: str, root: str) -> bool:
    """Whether ``identity`` lies in the directory or library ``root``, at any depth."""
    return identity.startswith(root + "/")


def path_order(identity: str) -> tuple[str, ...]:
    """Sort key that compares segment by segment (semantics 1.4)."""
    return tuple(identity.split("/"))


# ---------------------------------------------------------------- import paths


@dataclass(frozen=True, slots=True)
class LocalPath:
    """A path to a workspace module or a library, as a normalized identity."""

    identity: str


@dataclass(frozen=True, slots=True)
class StandardLibraryPath:
    """The root of a library that comes with the compiler."""

    root: str


@dataclass(frozen=True, slots=True)
class UnknownStandardLibrary:
    """A path into ``@nx/`` that names no standard library."""

    relative: bool
    """Reached through a relative path, which is never allowed."""


@dataclass(frozen=True, slots=True)
class RemotePath:
    """A ``git`` or ``http(s)`` address."""


@dataclass(frozen=True, slots=True)
class InvalidPath:
    """No path at all; ``reason`` completes "the path is not valid: …"."""

    reason: str


ImportPath = Union[LocalPath, StandardLibraryPath, UnknownStandardLibrary, RemotePath, InvalidPath]


def read_import_path(importer: str, path: str) -> ImportPath:
    """What kind of target the path of an import names, seen from module ``importer``."""
    trimmed = path.strip()
    scheme = trimmed.partition("://")[0].lower()
    if "://" in trimmed and scheme in ("git", "http", "https"):
        return RemotePath()
    if trimmed.split("/")[0].strip() == RESERVED_SEGMENT:
        if trimmed in STANDARD_LIBRARY_ROOTS:
            return StandardLibraryPath(trimmed)
        return UnknownStandardLibrary(relative=False)
    try:
        identity = join_import_path(importer, trimmed)
    except IdentityError as error:
        return InvalidPath(str(error))
    if is_reserved(identity):
        return UnknownStandardLibrary(relative=True)
    return LocalPath(identity)
