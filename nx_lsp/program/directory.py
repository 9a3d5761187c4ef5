"""Finding the ``.nx`` files of a project root on disk (editor-experience 13)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

SKIPPED_DIRECTORIES = frozenset(
    {
        # version control
        ".git",
        ".hg",
        ".svn",
        ".bzr",
        ".jj",
        ".sl",
        "_darcs",
        "CVS",
        # packages and environments of other tools
        "node_modules",
        ".venv",
        "venv",
        ".virtualenv",
        "virtualenv",
        # what builds leave behind
        "target",
        "dist",
        "build",
        # histories of editors
        ".history",
        ".lh",
        ".vscode",
        ".idea",
        ".vs",
    }
)
"""Directories that are not searched, wherever they lie below the root."""

_VIRTUAL_ENVIRONMENT_MARK = "pyvenv.cfg"
SUFFIX = ".nx"


@dataclass(frozen=True, slots=True)
class DirectoryListing:
    """The ``.nx`` files below a root, and what was left out on the way."""

    root: Path
    """Absolute, links resolved."""
    files: tuple[tuple[str, Path], ...]
    """Identity (relative path with ``/``) and file, sorted by path, segment by segment."""
    skipped: tuple[str, ...]
    """Relative paths of directories and files that were left out, sorted."""
    unreadable: tuple[tuple[str, str], ...]
    """Relative paths of directories that could not be listed, each with the reason."""


class PathFilter:
    """Decides by glob patterns which paths below a root are left out.

    ``*`` and ``?`` stay within a segment, ``**`` spans segments. A pattern without ``/`` matches
    at any depth; one that matches a directory leaves out all that is below it."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self._expressions = [re.compile(_glob_expression(p)) for p in patterns if p.strip("/")]

    def excludes(self, relative: str) -> bool:
        """Whether the path (relative to the root, with ``/``) or a directory above it matches."""
        parts = relative.split("/")
        above = ("/".join(parts[: count + 1]) for count in range(len(parts)))
        return any(e.fullmatch(path) for path in above for e in self._expressions)


def is_skipped(relative: str) -> bool:
    """Whether a path (relative to the root, with ``/``) lies in a directory never searched."""
    return any(part in SKIPPED_DIRECTORIES for part in relative.split("/")[:-1])


def list_directory(root: Path, exclude: Sequence[str] = ()) -> DirectoryListing:
    """Find the ``.nx`` files below ``root``.

    Leaves out ``SKIPPED_DIRECTORIES``, virtual environments, what ``exclude`` matches, and links
    that lead out of the root or back to a directory they lie in. Raises ``FileNotFoundError`` or
    ``NotADirectoryError`` when the root is no directory; a directory below it that cannot be
    listed is named in the answer."""
    if not root.exists():
        raise FileNotFoundError(f"there is no directory `{root}`")
    if not root.is_dir():
        raise NotADirectoryError(f"`{root}` is not a directory")
    return _Walk(root.resolve(), PathFilter(exclude)).run()


class _Walk:
    def __init__(self, root: Path, exclude: PathFilter) -> None:
        self.root = root
        self.exclude = exclude
        self.files: list[tuple[str, Path]] = []
        self.skipped: list[str] = []
        self.unreadable: list[tuple[str, str]] = []

    def run(self) -> DirectoryListing:
        # Directories still to list, each with the real paths of those it lies in.
        waiting: list[tuple[str, Path, frozenset[Path]]] = [("", self.root, frozenset())]
        while waiting:
            relative, directory, above = waiting.pop()
            inside = above | {directory}
            for entry in self.entries(relative, directory):
                path = f"{relative}/{entry.name}" if relative else entry.name
                if entry.is_symlink() and not self.follows(entry, inside):
                    self.skipped.append(path)
                elif _is_directory(entry):
                    if self.leaves_out(entry, path):
                        self.skipped.append(path)
                    else:
                        waiting.append((path, Path(os.path.realpath(entry.path)), inside))
                elif entry.name.endswith(SUFFIX) and _is_file(entry):
                    if self.exclude.excludes(path):
                        self.skipped.append(path)
                    else:
                        self.files.append((path, self.root / path))
        self.files.sort(key=lambda found: found[0].split("/"))
        return DirectoryListing(
            self.root,
            tuple(self.files),
            tuple(sorted(self.skipped)),
            tuple(sorted(self.unreadable)),
        )

    def entries(self, relative: str, directory: Path) -> Iterator[os.DirEntry[str]]:
        try:
            with os.scandir(directory) as listing:
                yield from listing
        except OSError as error:
            self.unreadable.append((relative or ".", error.strerror or "it cannot be listed"))

    def follows(self, entry: os.DirEntry[str], inside: frozenset[Path]) -> bool:
        real = Path(os.path.realpath(entry.path))
        return real not in inside and self.root in real.parents

    def leaves_out(self, entry: os.DirEntry[str], path: str) -> bool:
        return (
            entry.name in SKIPPED_DIRECTORIES
            or self.exclude.excludes(path)
            or os.path.exists(os.path.join(entry.path, _VIRTUAL_ENVIRONMENT_MARK))
        )


def _is_directory(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _is_file(entry: os.DirEntry[str]) -> bool:
    # A link that leads nowhere has been followed in vain: list it, reading says what is wrong.
    try:
        return entry.is_file() or entry.is_symlink()
    except OSError:
        return False


def _glob_expression(pattern: str) -> str:
    trimmed = pattern.strip("/")
    anchored = "/" in trimmed
    out = "" if anchored else "(?:.*/)?"
    index = 0
    while index < len(trimmed):
        if trimmed.startswith("**/", index):
            out += "(?:.*/)?"
            index += 3
        elif trimmed.startswith("**", index):
            out += ".*"
            index += 2
        elif trimmed[index] == "*":
            out += "[^/]*"
            index += 1
        elif trimmed[index] == "?":
            out += "[^/]"
            index += 1
        else:
            out += re.escape(trimmed[index])
            index += 1
    return out
