"""From sources to a linked program: which modules there are, in which order, and where each
belongs (semantics 1.1 to 1.6, decisions 5 and 6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from nx_lsp.program.bundled import STANDARD_LIBRARIES, bundled_file
from nx_lsp.program.database import LinkedProgram, Module, ModuleOrigin
from nx_lsp.program.declarations import Diagnostic
from nx_lsp.program.identities import (
    PRELUDE_IDENTITY,
    STANDARD_LIBRARY_ROOTS,
    IdentityError,
    LocalPath,
    StandardLibraryPath,
    is_below,
    is_reserved,
    normalize_identity,
    path_order,
    read_import_path,
)
from nx_lsp.syntax import tree
from nx_lsp.syntax.source_file import SyntaxFile

BYTE_ORDER_MARK = "\ufeff"


def split_text(text: str, previous: SyntaxFile | None = None) -> SyntaxFile:
    """Split a text into pieces, without its byte order mark. Pieces that ``previous``, an earlier
    state of the same file, has word for word are taken over as they are."""
    return SyntaxFile.parse(text.removeprefix(BYTE_ORDER_MARK), previous)


@dataclass(frozen=True, eq=False)
class Source:
    """One module as a host hands it over: split text, and the file it came from, if any.

    Keep the object while the text stays the same: everything derived from it is then kept."""

    identity: str
    file: SyntaxFile
    path: Path | None = None

    @cached_property
    def imports(self) -> tuple[str, ...]:
        """The paths that the module imports, as written, in order."""
        return tuple(import_paths(self.file))

    def with_text(self, text: str) -> Source:
        """The same module with another text; unchanged pieces are kept, and for an unchanged text
        the source itself."""
        file = split_text(text, self.file)
        if file.text == self.file.text:
            return self
        return Source(self.identity, file, self.path)


@dataclass(frozen=True, slots=True, eq=False)
class ProgramInputs:
    """What a program is made from. A value: an edit makes another one with ``with_text``, which
    shares every source but one with this one."""

    workspace: tuple[Source, ...]
    """In the host's order, with identities as the host spelled them."""
    libraries: Mapping[str, tuple[Source, ...]]
    """Libraries given explicitly, by root; identities relative to the root."""
    entry: str | None = None
    implicit_imports: tuple[str, ...] = ()
    unreadable: frozenset[str] = frozenset()
    """Identities of workspace files that could not be read."""
    problems: tuple[Diagnostic, ...] = ()
    """What went wrong while the sources were read."""

    def with_text(self, identity: str, text: str) -> ProgramInputs:
        """The same inputs with another text for a module: ``identity`` as in ``workspace``, or
        root and relative identity of a module of a given library. A new module is added to the
        workspace, at the end."""
        for root, members in self.libraries.items():
            relative = identity.removeprefix(f"{root}/")
            if relative != identity and any(each.identity == relative for each in members):
                changed = _with_text(members, relative, text)
                return replace(self, libraries={**self.libraries, root: changed})
        if any(source.identity == identity for source in self.workspace):
            sources = _with_text(self.workspace, identity, text)
        else:
            sources = (*self.workspace, Source(identity, split_text(text)))
        return replace(self, workspace=sources, unreadable=self.unreadable - {identity})

    def without(self, identity: str) -> ProgramInputs:
        """The same inputs without the workspace module ``identity``."""
        rest = tuple(source for source in self.workspace if source.identity != identity)
        return replace(self, workspace=rest, unreadable=self.unreadable - {identity})


def _with_text(sources: tuple[Source, ...], identity: str, text: str) -> tuple[Source, ...]:
    return tuple(
        source.with_text(text) if source.identity == identity else source for source in sources
    )


def link(inputs: ProgramInputs, previous: LinkedProgram | None = None) -> LinkedProgram:
    """Put a program together.

    Never fails: what is wrong is among the problems of the answer, and the module, library or
    entry concerned is left out. A library with errors in its sources is linked all the same, where
    a compiler would leave it out (semantics 1.5): its errors are reported in it, and importers keep
    its names while somebody types there.

    Modules of ``previous`` that stay as they were are the very same objects in the answer, so that
    a database recognizes them."""
    return _Linker(inputs, previous).run()


def import_paths(file: SyntaxFile) -> Iterator[str]:
    """The paths of all imports of a file, as written, in order. Parses its imports only."""
    for piece in file.pieces:
        if piece.outline.kind == "import":
            node = piece.tree
            if isinstance(node, tree.Import) and node.path is not None:
                yield node.path.raw


def parent_directories(identities: Iterable[str]) -> frozenset[str]:
    """All directories that hold one of the modules, directly or further down."""
    found: set[str] = set()
    for identity in identities:
        directory = identity.rpartition("/")[0]
        while directory and directory not in found:
            found.add(directory)
            directory = directory.rpartition("/")[0]
    return frozenset(found)


def find_library(roots: Iterable[str], identity: str) -> tuple[str, ...]:
    """The libraries that a joined import path means: the one whose root it is, else those whose
    root ends in it (more than one: ambiguous), in root order (semantics 2.3)."""
    known = set(roots)
    if identity in known:
        return (identity,)
    ending = "/" + identity
    return tuple(sorted((r for r in known if r.endswith(ending)), key=path_order))


def _problem(code: str, message: str, help_text: str | None = None) -> Diagnostic:
    return Diagnostic("error", code, message, (), help_text)


class _Linker:
    def __init__(self, inputs: ProgramInputs, previous: LinkedProgram | None) -> None:
        self.inputs = inputs
        self.problems = list(inputs.problems)
        self.workspace: dict[str, Source] = {}
        self.libraries: dict[str, dict[str, Source]] = {}
        self.explicit: frozenset[str] = frozenset()
        self.linked: set[str] = set()
        self.kept = {m.identity: m for m in previous.modules} if previous else {}

    def run(self) -> LinkedProgram:
        self.take_workspace()
        self.take_explicit_libraries()
        self.found_libraries()
        implicit = self.read_implicit_imports()
        self.link_libraries(implicit)
        modules = [
            self.module(PRELUDE_IDENTITY, bundled_file(PRELUDE_IDENTITY), ModuleOrigin.PRELUDE)
        ]
        layout: dict[str, tuple[str, ...]] = {}
        for root in sorted(self.linked, key=path_order):
            members = list(self.library_modules(root))
            layout[root] = tuple(module.identity for module in members)
            modules += members
        modules += [
            self.module(source.identity, source.file, ModuleOrigin.WORKSPACE, None, source.path)
            for source in self.workspace.values()
        ]
        entry = self.read_entry()
        return LinkedProgram(
            tuple(modules),
            entry,
            layout,
            tuple(sorted(self.libraries, key=path_order)),
            implicit,
            self.inputs.unreadable,
            tuple(self.problems),
        )

    # -- sources

    def take_workspace(self) -> None:
        for source in self.inputs.workspace:
            self.take(source, source.identity, self.workspace)

    def take(self, source: Source, spelled: str, into: dict[str, Source]) -> None:
        """File ``source`` under its normalized identity, or say why it is refused."""
        try:
            identity = normalize_identity(spelled)
        except IdentityError as error:
            message = f"`{spelled}` is not a valid module identity: {error}"
            self.problems.append(_problem("workspace-identity-error", message))
            return
        if is_reserved(identity):
            message = f"The module `{identity}` is refused: identities under `@nx/` are reserved"
            self.problems.append(_problem("workspace-identity-error", message))
        elif identity in into:
            message = f"Two modules have the identity `{identity}`; the first one counts"
            self.problems.append(_problem("workspace-identity-error", message))
        elif identity == source.identity:
            into[identity] = source
        else:
            into[identity] = Source(identity, source.file, source.path)

    def take_explicit_libraries(self) -> None:
        for spelled, sources in self.inputs.libraries.items():
            try:
                root = normalize_identity(spelled)
            except IdentityError as error:
                message = f"`{spelled}` is not a valid library root: {error}"
                self.problems.append(_problem("library-load-error", message))
                continue
            if is_reserved(root):
                message = f"The library `{root}` is refused: roots under `@nx/` are reserved"
                self.problems.append(_problem("library-root-reserved", message))
                continue
            if root in self.libraries:
                message = f"Two libraries have the root `{root}`; the first one counts"
                self.problems.append(_problem("library-load-error", message))
                continue
            members: dict[str, Source] = {}
            for source in sources:
                try:
                    relative = normalize_identity(source.identity)
                except IdentityError as error:
                    message = f"`{source.identity}` is not a valid module of the library `{root}`"
                    self.problems.append(_problem("library-load-error", f"{message}: {error}"))
                    continue
                self.take(source, f"{root}/{relative}", members)
            self.libraries[root] = members
        self.explicit = frozenset(self.libraries)
        for root, members in self.libraries.items():
            for identity in [i for i in self.workspace if is_below(i, root)]:
                message = f"The workspace module `{identity}` lies in the library `{root}`"
                self.problems.append(
                    _problem(
                        "workspace-module-in-library-root",
                        message,
                        "A library root reserves its whole namespace: give the module another "
                        "identity or take it into the library.",
                    )
                )
                if identity in members:
                    del self.workspace[identity]

    def found_libraries(self) -> None:
        """Decision 5: a directory that an import names is a library, and its modules leave the
        workspace. An import by a module inside that directory makes no library of it: nothing in
        a library needs importing, so it is a slip and must not move the module elsewhere."""
        modules = frozenset(self.workspace)
        directories = parent_directories(modules | self.inputs.unreadable)
        found: set[str] = set()
        wanted = [
            (identity, path)
            for identity, source in self.workspace.items()
            for path in source.imports
        ]
        wanted += [("", path) for path in self.inputs.implicit_imports]
        for importer, path in wanted:
            target = read_import_path(importer, path)
            if (
                isinstance(target, LocalPath)
                and target.identity not in modules
                and target.identity not in self.explicit
                and target.identity in directories
                and not is_below(importer, target.identity)
            ):
                found.add(target.identity)
        innermost_first = sorted(found, key=lambda root: (-root.count("/"), root))
        for root in innermost_first:
            inside = sorted((i for i in self.workspace if is_below(i, root)), key=path_order)
            self.libraries[root] = {identity: self.workspace.pop(identity) for identity in inside}
        # A library on disk is part of what the user works on, whoever imports it.
        self.linked |= found

    # -- what is linked

    def read_implicit_imports(self) -> tuple[str, ...]:
        accepted: list[str] = []
        for spelled in self.inputs.implicit_imports:
            target = read_import_path("", spelled)
            if isinstance(target, StandardLibraryPath):
                name = target.root
            elif isinstance(target, LocalPath):
                name = target.identity
                in_workspace, is_library = name in self.workspace, name in self.libraries
                if in_workspace and is_library:
                    message = f"The implicit import `{name}` is both a module and a library"
                    self.problems.append(_problem("implicit-import-ambiguous", message))
                    continue
                if not in_workspace and not is_library:
                    message = f"The implicit import `{name}` is neither a module nor a library"
                    self.problems.append(_problem("implicit-import-not-found", message))
                    continue
            elif spelled.strip().split("/")[0].strip() == "@nx":
                message = f"The implicit import `{spelled}` is no standard library"
                known = ", ".join(f"`{root}`" for root in STANDARD_LIBRARY_ROOTS)
                self.problems.append(
                    _problem("unknown-standard-library", message, f"There is: {known}.")
                )
                continue
            else:
                message = f"The implicit import `{spelled}` names no module and no library"
                self.problems.append(_problem("implicit-import-not-found", message))
                continue
            if name not in accepted:
                accepted.append(name)
        return tuple(accepted)

    def link_libraries(self, implicit: tuple[str, ...]) -> None:
        """Link what the workspace imports, and what that imports in turn."""
        waiting = [root for root in implicit if root not in self.workspace]
        for source in self.workspace.values():
            waiting += self.imported_libraries(source, self.workspace)
        for root in sorted(self.linked, key=path_order):
            for source in self.libraries[root].values():
                waiting += self.imported_libraries(source, {})
        while waiting:
            root = waiting.pop()
            if root in self.linked:
                continue
            self.linked.add(root)
            for source in self.libraries.get(root, {}).values():
                waiting += self.imported_libraries(source, {})

    def imported_libraries(self, source: Source, modules: Mapping[str, Source]) -> Iterator[str]:
        for path in source.imports:
            target = read_import_path(source.identity, path)
            if isinstance(target, StandardLibraryPath):
                yield target.root
            elif isinstance(target, LocalPath) and target.identity not in modules:
                roots = find_library(self.libraries, target.identity)
                if len(roots) == 1:
                    yield roots[0]

    def library_modules(self, root: str) -> Iterator[Module]:
        if root in STANDARD_LIBRARIES:
            for identity in STANDARD_LIBRARIES[root]:
                file = bundled_file(identity)
                yield self.module(identity, file, ModuleOrigin.STANDARD, root)
            return
        members = self.libraries[root]
        for identity in sorted(members, key=path_order):
            source = members[identity]
            yield self.module(identity, source.file, ModuleOrigin.LIBRARY, root, source.path)

    def module(
        self,
        identity: str,
        file: SyntaxFile,
        origin: ModuleOrigin,
        root: str | None = None,
        path: Path | None = None,
    ) -> Module:
        old = self.kept.get(identity)
        if (
            old is not None
            and old.file is file
            and (old.origin, old.library_root, old.path) == (origin, root, path)
        ):
            return old
        return Module(identity, file, origin, root, path)

    def read_entry(self) -> str | None:
        spelled = self.inputs.entry
        if spelled is None:
            return next(iter(self.workspace)) if len(self.workspace) == 1 else None
        try:
            identity = normalize_identity(spelled)
        except IdentityError as error:
            message = f"`{spelled}` is not a valid entry module: {error}"
            self.problems.append(_problem("workspace-entry-identity-error", message))
            return None
        if identity in self.workspace:
            return identity
        message = f"The entry module `{identity}` is not in the workspace"
        owner = next((root for root in self.libraries if identity in self.libraries[root]), None)
        help_text = (
            f"It belongs to the library `{owner}`, because an import names that directory."
            if owner is not None and owner not in self.explicit
            else None
        )
        self.problems.append(_problem("workspace-entry-not-found", message, help_text))
        return None
