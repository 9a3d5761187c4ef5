"""From a path on the command line to a program.

A folder is the program of all ``.nx`` files below it. A file is a program of that file and of
what it imports, directly or not: a stray folder around it must not decide about its schemas.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from nx_lsp.cli.call_errors import CallError
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import Diagnostic
from nx_lsp.program.directory import list_directory
from nx_lsp.program.linking import ProgramInputs, Source, import_paths
from nx_lsp.program.loading import build, read_directory, read_source, split_text


@dataclass(frozen=True, slots=True)
class LoadedProgram:
    """A program from disk. ``root`` is the folder that module identities are relative to, in
    the user's spelling; ``module`` is set when the user named one file."""

    database: ProgramDatabase
    root: Path
    module: str | None = None

    def shown_path(self, module: str) -> str:
        """How the file of a module is shown to the user."""
        found = self.database.module(module)
        if found is None or found.origin.bundled:
            return module
        return (self.root / module).as_posix()


def load(path: Path) -> LoadedProgram:
    """Read the program that ``path`` names.

    Raises ``CallError`` when there is no such file or folder, when it holds no NX, or when the
    named file cannot be read. A file that the program reaches and that cannot be read is among
    the program's problems."""
    try:
        if path.is_dir():
            return _load_folder(path)
        if not path.exists():
            if path.is_symlink():
                raise CallError(f"`{path}` is a link that leads nowhere")
            raise CallError(f"there is no file or folder `{path}`")
        return _load_file(path)
    except OSError as error:
        raise CallError(f"`{path}` cannot be read: {error.strerror or error}") from None


def _load_folder(path: Path) -> LoadedProgram:
    inputs = read_directory(path)
    if not inputs.workspace:
        if inputs.problems:
            raise CallError(inputs.problems[0].message)
        raise CallError(f"there is no .nx file below `{path}`")
    return LoadedProgram(build(inputs), path)


def _load_file(path: Path) -> LoadedProgram:
    start = Path(os.path.abspath(path))
    first = read_source(start, str(path))
    if isinstance(first, Diagnostic):
        raise CallError(first.message)
    texts: dict[Path, str] = {start: first}
    folders: set[Path] = {start.parent}
    unreadable: dict[Path, Diagnostic] = {}
    waiting = [start]
    while waiting:
        file = waiting.pop()
        for written in import_paths(split_text(texts[file])):
            for found in _reached(file, written, folders):
                if found in texts or found in unreadable:
                    continue
                text = read_source(found, os.path.relpath(found, start.parent))
                if isinstance(text, Diagnostic):
                    unreadable[found] = text
                else:
                    texts[found] = text
                    waiting.append(found)
    root = Path(os.path.commonpath([*folders, *(one.parent for one in (*texts, *unreadable))]))
    names = {file: file.relative_to(root).as_posix() for file in texts}
    inputs = ProgramInputs(
        workspace=tuple(
            Source(names[file], split_text(texts[file]), file)
            for file in sorted(texts, key=lambda one: names[one].split("/"))
        ),
        libraries={},
        entry=names[start],
        unreadable=frozenset(file.relative_to(root).as_posix() for file in unreadable),
        problems=tuple(unreadable.values()),
    )
    shown_root = Path(os.path.relpath(root)) if not path.is_absolute() else root
    return LoadedProgram(build(inputs), shown_root, names[start])


def _reached(importer: Path, written: str, folders: set[Path]) -> list[Path]:
    """The files that an import path reaches. A folder it names is a library, whose root must lie
    below the root of the program: its parent is added to ``folders``."""
    target = written.strip()
    if not target or target.startswith(("/", "@nx/")) or "://" in target:
        return []
    path = Path(os.path.normpath(importer.parent / target))
    if path.is_file():
        return [path]
    if path.is_dir() and path != importer.parent and path not in importer.parents:
        folders.add(path.parent)
        return [path / identity for identity, _ in list_directory(path).files]
    return []
