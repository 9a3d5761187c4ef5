"""Which file belongs to which program, and the texts of each program (editor-experience 13).

A project is a root folder with every ``.nx`` file below it, open buffers laid over the files.
A file outside every root, an excluded one, and an untitled buffer without any folder are programs
of their own. Everything here runs on the event loop, except ``scan`` and ``Analysis``.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from nx_lsp.program.declarations import Diagnostic
from nx_lsp.program.directory import SUFFIX, PathFilter, is_skipped
from nx_lsp.program.loading import too_large
from nx_lsp.server.configuration import ServerSettings
from nx_lsp.server.disk import Scan
from nx_lsp.server.documents import Document
from nx_lsp.server.snapshots import Analysis, Snapshot, SourceText
from nx_lsp.server.uris import name_of_untitled, path_of, scheme_of, uri_key, uri_of


@dataclass(eq=False)
class Project:
    """One program: a root folder, or a single document (``root`` is ``None``)."""

    root: Path | None
    uri: str
    """The root folder's or the document's URI, in the client's spelling."""
    settings: ServerSettings
    inner_roots: tuple[Path, ...] = ()
    """Roots of other projects below this one; what lies there is not of this program."""
    skipped: tuple[str, ...] = ()
    """What the last scan left out, relative to the root."""
    revision: int = 0
    analysis: Analysis = field(default_factory=Analysis)
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once the files on disk have been read."""

    def __post_init__(self) -> None:
        self._files: dict[str, SourceText] = {}
        self._open: dict[str, SourceText] = {}
        self._library_of: dict[str, str] = {}
        self._library_files: dict[Path, str] = {}
        self._unreadable: dict[str, Diagnostic] = {}
        self._snapshot: Snapshot | None = None
        self._filter = PathFilter(self.excluded_patterns())
        self._real_root = Path(os.path.realpath(self.root)) if self.root is not None else None
        if self.root is None:
            self.ready.set()

    # ------------------------------------------------------------ what belongs to it

    def excluded_patterns(self) -> tuple[str, ...]:
        """The glob patterns of what is no part of the program, relative to the root."""
        assert self.root is not None or not self.inner_roots
        inner = (path.relative_to(self.root).as_posix() + "/**" for path in self.inner_roots)  # type: ignore[arg-type]
        return (*self.settings.exclude, *inner)

    def contains(self, path: Path) -> bool:
        """Whether ``path`` lies below the root, part of the program or not."""
        return self._relative(path) is not None

    def changes_library(self, path: Path) -> bool:
        """Whether ``path`` is at or below the folder of a configured library, and no file that
        the last scan found there: which files the library has must be looked up again."""
        if self.root is None or (path in self._library_files and os.path.exists(path)):
            return False
        folders = (os.path.normpath(self.root / folder) for _, folder in self.settings.libraries)
        return any(Path(folder) in (path, *path.parents) for folder in folders)

    def identity_of(self, path: Path) -> str | None:
        """The identity of a file of the program; ``None`` for one that lies elsewhere, is
        excluded, or is reached through a link that leads out of the root."""
        in_library = self._library_files.get(path)
        if in_library is not None:
            return in_library
        relative = self._relative(path)
        if relative is None or not relative.endswith(SUFFIX):
            return None
        if is_skipped(relative) or self._filter.excludes(relative):
            return None
        real = Path(os.path.realpath(path))
        if self._real_root is None or self._real_root not in real.parents:
            return None
        return relative

    def _relative(self, path: Path) -> str | None:
        path = Path(os.path.normpath(path))
        for root in (self.root, self._real_root):
            if root is not None and root in path.parents:
                return path.relative_to(root).as_posix()
        return None

    # ------------------------------------------------------------ its texts

    def text_of(self, identity: str) -> SourceText | None:
        """The text that counts now: the open document's, else the file's."""
        return self._open.get(identity) or self._files.get(identity)

    def path_of(self, identity: str) -> Path | None:
        """The file of a module; ``None`` for one that is not on disk."""
        for path, one in self._library_files.items():
            if one == identity:
                return path
        return self.root / identity if self.root is not None else None

    def uri_of_module(self, identity: str) -> str | None:
        """The address of a module, in the client's spelling if it is open; ``None`` for one that
        is neither open nor on disk."""
        text = self.text_of(identity)
        if text is not None:
            return text.uri
        path = self.path_of(identity)
        return uri_of(path) if path is not None else None

    @property
    def open_modules(self) -> tuple[str, ...]:
        """Identities of the modules that are open."""
        return tuple(self._open)

    def snapshot(self) -> Snapshot:
        """All texts as they are now."""
        if self._snapshot is None:
            identities = sorted({*self._files, *self._open}, key=lambda one: one.split("/"))
            sources = {one: self._open.get(one) or self._files[one] for one in identities}
            unreadable = {k: v for k, v in self._unreadable.items() if k not in sources}
            for one, open_text in self._open.items():
                refused = too_large(open_text.text, one)
                if refused is not None:
                    del sources[one]
                    unreadable[one] = refused
            library_of = {one: self._library_of[one] for one in sources if one in self._library_of}
            self._snapshot = Snapshot(self, self.revision, sources, library_of, unreadable)
        return self._snapshot

    def lay_over(self, identity: str, document: Document) -> None:
        """Let the open document stand for the module's file."""
        path = path_of(document.uri)
        self._open[identity] = SourceText(identity, document.text, path, document)
        self._changed()

    def uncover(self, identity: str) -> None:
        """The document was closed: the file counts again."""
        if self._open.pop(identity, None) is not None:
            self._changed()

    async def wait_until_read(self, patience: float) -> None:
        """Wait for the first reading of the disk, but no longer than ``patience`` seconds: then
        answers come from what is open."""
        if not self.ready.is_set():
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self.ready.wait(), patience)

    def take_scan(self, found: Scan) -> None:
        """Take over what was found on disk."""
        self._files = dict(found.files)
        self._library_of = dict(found.library_of)
        self._library_files = dict(found.library_files)
        self._unreadable = dict(found.unreadable)
        self.skipped = found.skipped
        self._changed()
        self.ready.set()

    def take_file(self, identity: str, path: Path, read: str | Diagnostic | None) -> None:
        """Take over one file that was created or changed; ``None`` when it is gone."""
        was_unreadable = self._unreadable.pop(identity, None) is not None
        old = self._files.pop(identity, None)
        if isinstance(read, str):
            if old is not None and old.text == read:
                self._files[identity] = old
                return
            self._files[identity] = SourceText(identity, read, path)
        elif read is not None:
            self._unreadable[identity] = read
        elif old is None and not was_unreadable:
            return
        self._changed()

    def files_below(self, path: Path) -> tuple[str, ...]:
        """Identities of the known files at or below ``path``."""
        relative = self._relative(path)
        if relative is None:
            return ()
        return tuple(
            one
            for one in (*self._files, *self._unreadable)
            if one == relative or one.startswith(f"{relative}/")
        )

    def use(self, settings: ServerSettings) -> None:
        """Other settings apply; the caller scans again."""
        self.settings = settings
        self._filter = PathFilter(self.excluded_patterns())
        self._changed()

    def _changed(self) -> None:
        self.revision += 1
        self._snapshot = None


# ---------------------------------------------------------------- all of them


@dataclass(frozen=True, slots=True)
class Folder:
    """A workspace folder of the client, with its settings."""

    uri: str
    path: Path
    settings: ServerSettings

    @property
    def roots(self) -> tuple[Path, ...]:
        """Where its programs begin: the configured folders, else the folder itself."""
        named = (self._root(one) for one in self.settings.roots)
        return tuple(root for root in named if root is not None) or (self.path,)

    @property
    def roots_elsewhere(self) -> tuple[str, ...]:
        """Configured folders that are not inside this one, as they are written."""
        return tuple(one for one in self.settings.roots if self._root(one) is None)

    @property
    def roots_missing(self) -> tuple[str, ...]:
        """Configured folders inside this one that are not there, or are no folders."""
        named = ((one, self._root(one)) for one in self.settings.roots)
        return tuple(one for one, root in named if root is not None and not os.path.isdir(root))

    def _root(self, written: str) -> Path | None:
        if "\0" in written:
            return None
        root = Path(os.path.normpath(self.path / written))
        return root if root == self.path or self.path in root.parents else None


class Projects:
    """The programs of a session, by root and by single document."""

    def __init__(self) -> None:
        self.folders: dict[str, Folder] = {}
        self.default_settings = ServerSettings()
        self._by_root: dict[Path, Project] = {}
        self._single: dict[str, Project] = {}

    def __iter__(self) -> Iterator[Project]:
        # Of a copy: who iterates may wait in between, and projects come and go.
        return iter((*self._by_root.values(), *self._single.values()))

    @property
    def rooted(self) -> tuple[Project, ...]:
        """The projects that have a root, in the order of the folders."""
        return tuple(self._by_root.values())

    def arrange(self) -> tuple[tuple[Project, ...], tuple[Project, ...]]:
        """Make the projects that the folders ask for; return those added and those gone.

        A project whose root and inner roots stay the same is kept with all it knows."""
        wanted: dict[Path, Folder] = {}
        for folder in self.folders.values():
            for root in folder.roots:
                wanted.setdefault(root, folder)
        added: list[Project] = []
        before = self._by_root
        self._by_root = {}
        for root, folder in wanted.items():
            inner = tuple(sorted(other for other in wanted if root in other.parents))
            kept = before.get(root)
            if kept is not None and kept.inner_roots == inner:
                self._by_root[root] = before.pop(root)
                continue
            uri = folder.uri if root == folder.path else uri_of(root)
            project = Project(root, uri, folder.settings, inner)
            self._by_root[root] = project
            added.append(project)
        return tuple(added), tuple(before.values())

    def locate(self, uri: str) -> tuple[Project, str] | None:
        """The project and module identity of a document. ``None`` for a document in a scheme
        that is not analysed, and for one outside every program that is not open."""
        single = self._single.get(uri_key(uri))
        if single is not None:
            return single, single.open_modules[0]
        scheme = scheme_of(uri)
        if scheme == "nx":
            rooted = self.rooted
            identity = uri_key(uri).partition(":")[2].lstrip("/")
            return (rooted[0], identity) if rooted else None
        return self._in_root(uri, scheme)

    def _in_root(self, uri: str, scheme: str) -> tuple[Project, str] | None:
        if scheme == "untitled":
            rooted = self.rooted
            return (rooted[0], self._untitled_identity(rooted[0], uri)) if rooted else None
        path = path_of(uri)
        if path is None:
            return None
        innermost = sorted(self.rooted, key=lambda one: -len(one.root.parts if one.root else ()))
        for project in innermost:
            identity = project.identity_of(path)
            if identity is not None:
                return project, identity
        return None

    def _untitled_identity(self, project: Project, uri: str) -> str:
        """As if saved at the top of the root, under a name that no file has."""
        name = name_of_untitled(uri)
        stem, number = name.removesuffix(SUFFIX), 1
        while (text := project.text_of(name)) is not None and (
            text.document is None or uri_key(text.document.uri) != uri_key(uri)
        ):
            number += 1
            name = f"{stem}-{number}{SUFFIX}"
        return name

    def opened(self, document: Document) -> tuple[Project, str] | None:
        """Lay an opened or changed document over its program; return where it belongs."""
        if scheme_of(document.uri) not in ("file", "untitled"):
            return None
        key = uri_key(document.uri)
        place = (
            None if key in self._single else self._in_root(document.uri, scheme_of(document.uri))
        )
        if place is None:
            project = self._single.get(key)
            if project is None:
                settings = self._settings_around(document.uri)
                project = self._single[key] = Project(None, document.uri, settings)
            path = path_of(document.uri)
            name = path.name if path is not None else name_of_untitled(document.uri)
            place = project, name
        place[0].lay_over(place[1], document)
        return place

    def closed(self, uri: str) -> tuple[Project, str] | None:
        """Take a closed document off its program; a program of its own ends with it."""
        key = uri_key(uri)
        single = self._single.pop(key, None)
        place = (single, single.open_modules[0]) if single is not None else self.locate(uri)
        if place is not None:
            place[0].uncover(place[1])
        return place

    def is_single(self, project: Project) -> bool:
        """Whether the project is one document outside every program."""
        return project.root is None

    def forget_single(self, uri: str) -> Project | None:
        """End the program of one document, which now belongs to another."""
        return self._single.pop(uri_key(uri), None)

    def _settings_around(self, uri: str) -> ServerSettings:
        path = path_of(uri)
        for project in self.rooted:
            if path is not None and project.contains(path):
                return project.settings
        return self.default_settings
