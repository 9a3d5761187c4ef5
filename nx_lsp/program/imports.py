"""What the imports of a module mean (semantics 2.3) and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nx_lsp.engine import query
from nx_lsp.program.database import About, ModuleOrigin, ProgramDatabase
from nx_lsp.program.declarations import Diagnostic, Label, Place
from nx_lsp.program.identities import (
    STANDARD_LIBRARY_ROOTS,
    InvalidPath,
    LocalPath,
    RemotePath,
    StandardLibraryPath,
    UnknownStandardLibrary,
    is_below,
    path_order,
    read_import_path,
)
from nx_lsp.program.linking import find_library
from nx_lsp.program.near_names import nearest_name
from nx_lsp.program.outlines import DeclaredName, lost_declarations, outline_place, own_names
from nx_lsp.syntax import tree


@dataclass(frozen=True, slots=True)
class ImportTarget:
    """What an import reaches."""

    name: str
    """The module's identity or the library's root: what makes two imports the same."""
    modules: tuple[str, ...]
    """The modules whose exports it brings: one, or all of a library in order."""


@dataclass(frozen=True, slots=True)
class BoundItem:
    """One entry of a selective import that binds something."""

    bound: str
    """The name in the importing module: ``N`` or ``A.N``."""
    declared: DeclaredName


@dataclass(frozen=True, slots=True)
class ResolvedImport:
    """One written import and what it binds."""

    place: Place
    """The whole import."""
    path: str
    """As written."""
    target: ImportTarget | None
    """``None`` for an import that failed; it then binds nothing."""
    wildcard: bool
    prefix: str | None
    """The alias of a wildcard import."""
    items: tuple[BoundItem, ...]
    """What a selective import binds."""
    missing: frozenset[str]
    """Names that the import might have bound had it not failed, or had its target not lost a
    declaration: nothing is to be reported about their use. For a wildcard see ``open``."""
    open: bool
    """A wildcard import that may bind more names than are known."""
    problems: tuple[Diagnostic, ...]


@query
def exports(db: ProgramDatabase, modules: tuple[str, ...]) -> dict[str, tuple[DeclaredName, ...]]:
    """The exported declarations of one module, or of a library's modules together, by name. More
    than one for a name that several modules of a library export, in module order."""
    found: dict[str, tuple[DeclaredName, ...]] = {}
    for module in modules:
        for name, declared in own_names(db, module).items():
            if declared.visibility == "export":
                found[name] = (*found.get(name, ()), declared)
    return found


@query
def imports(db: ProgramDatabase, module: str) -> tuple[ResolvedImport, ...]:
    """The written imports of a module, in order. Parses the imports and nothing else."""
    found = db.about(module)
    if found is None:
        return ()
    resolved: list[ResolvedImport] = []
    first: dict[str, Place] = {}
    for key, node in _written(db, module):
        resolved.append(_Reader(db, found, key, node).read(first))
    return tuple(resolved)


def _written(db: ProgramDatabase, module: str) -> Iterator[tuple[str, tree.Import]]:
    """The written imports of a module by the key of their piece, in order."""
    for key, outline in db.outlines(module):
        piece = db.piece(module, key) if outline.kind == "import" else None
        if piece is not None and isinstance(piece.tree, tree.Import):
            yield key, piece.tree


@query
def implicit_targets(db: ProgramDatabase, module: str) -> tuple[ImportTarget, ...]:
    """What a module imports without writing it (semantics 1.6): nothing in a library, in a module
    that is itself in the list, or where the same wildcard import is written."""
    found = db.about(module)
    names = db.implicit_imports
    if found is None or found.origin is not ModuleOrigin.WORKSPACE or module in names:
        return ()
    written = {
        resolved.target.name
        for resolved in imports(db, module)
        if resolved.target is not None and resolved.wildcard and resolved.prefix is None
    }
    return tuple(
        ImportTarget(name, db.libraries.get(name, (name,))) for name in names if name not in written
    )


@query
def library_imports(db: ProgramDatabase, root: str) -> tuple[str, ...]:
    """The roots of the libraries that a library imports, in the order of its imports."""
    found: dict[str, None] = {}
    for identity in db.libraries.get(root, ()):
        for _, node in _written(db, identity):
            target = None if node.path is None else read_import_path(identity, node.path.raw)
            if isinstance(target, LocalPath):
                roots = find_library(db.visible_libraries, target.identity)
                if len(roots) == 1 and roots[0] != root:
                    found[roots[0]] = None
    return tuple(found)


def library_way(db: ProgramDatabase, start: str, end: str) -> tuple[str, ...]:
    """A shortest way from one library to another along their imports, without ``end``; empty if
    there is none."""
    came_from: dict[str, str | None] = {start: None}
    waiting = [start]
    while waiting:
        following: list[str] = []
        for root in waiting:
            for imported in library_imports(db, root):
                if imported == end:
                    way: list[str] = []
                    current: str | None = root
                    while current is not None:
                        way.append(current)
                        current = came_from[current]
                    return tuple(reversed(way))
                if imported not in came_from:
                    came_from[imported] = root
                    following.append(imported)
        waiting = following
    return ()


class _Reader:
    """Resolves one import."""

    def __init__(self, db: ProgramDatabase, module: About, key: str, node: tree.Import) -> None:
        self.db = db
        self.module = module
        self.key = key
        self.node = node
        self.path = node.path.raw if node.path is not None else ""
        self.problems: list[Diagnostic] = []

    def read(self, first: dict[str, Place]) -> ResolvedImport:
        """Resolve; ``first`` holds where each target was imported before, and is added to."""
        target = self.find_target()
        repeated = False
        if target is not None:
            earlier = first.setdefault(target.name, self.place(self.node))
            if earlier != self.place(self.node):
                repeated = True
                what = self.describe(target)
                self.report(
                    self.node,
                    f"{capital(what)} is imported twice in this file",
                    help_text="Take everything that is needed from it in one import.",
                    also=(Label(earlier, "first imported here"),),
                )
            elif self.module.library_root is not None:
                self.check_circle(self.module.library_root, target)
        items = self.read_items(target, repeated)
        wildcard = self.node.items is None
        broken = target is None or self.lost_something(target)
        missing = {alias.text for alias in self.refused_aliases()}
        if target is None or broken:
            missing |= self.wanted_names()
        if repeated and target is not None:
            missing |= self.wanted_names()
            if wildcard:
                prefix = f"{self.prefix}." if self.prefix else ""
                missing |= {prefix + name for name in exports(self.db, target.modules)}
        return ResolvedImport(
            place=self.place(self.node),
            path=self.path,
            target=None if repeated else target,
            wildcard=wildcard,
            prefix=self.prefix,
            items=() if repeated else items,
            missing=frozenset(missing),
            open=wildcard and broken,
            problems=tuple(self.problems),
        )

    @property
    def prefix(self) -> str | None:
        return self.node.alias.text if self.node.alias is not None else None

    # -- the target

    def find_target(self) -> ImportTarget | None:
        if self.node.path is None:
            return None  # reported as a syntax error
        match read_import_path(self.module.identity, self.path):
            case RemotePath():
                self.report(
                    self.node.path,
                    f"Importing from an address is not supported: `{self.path}`",
                    help_text="Put the library into the workspace and import its directory.",
                )
            case UnknownStandardLibrary(relative=relative):
                self.report_standard(relative)
            case StandardLibraryPath(root=root):
                return ImportTarget(root, self.db.libraries.get(root, ()))
            case InvalidPath(reason=reason):
                self.report(self.node.path, f"`{self.path}` is not a valid import path: {reason}")
            case LocalPath(identity=identity):
                return self.find_local(identity)
        return None

    def find_local(self, identity: str) -> ImportTarget | None:
        db = self.db
        in_library = self.module.origin is not ModuleOrigin.WORKSPACE
        module = db.about(identity)
        single = module is not None and module.origin is ModuleOrigin.WORKSPACE
        if single and not in_library:
            return ImportTarget(identity, (identity,))
        roots = find_library(db.visible_libraries, identity)
        if len(roots) > 1:
            listed = ", ".join(f"`{root}`" for root in roots)
            self.report(
                self.node.path,
                f"`{self.path}` may mean any of these libraries: {listed}",
                help_text="Write more of the path.",
            )
            return None
        if roots and roots[0] == self.module.library_root:
            self.report(
                self.node.path,
                f"`{self.path}` is the library that this module belongs to",
                help_text="Modules of one library see each other's names without an import.",
            )
            return None
        if roots:
            return ImportTarget(roots[0], db.libraries.get(roots[0], ()))
        self.report_missing(identity, module, in_library)
        return None

    def report_standard(self, relative: bool) -> None:
        known = ", ".join(f"`{root}`" for root in STANDARD_LIBRARY_ROOTS)
        if relative:
            message = f"The relative path `{self.path}` leads into `@nx/`, which is reserved"
        else:
            message = f"There is no standard library `{self.path}`"
        self.report(
            self.node, message, help_text=f"There is: {known}.", code="unknown-standard-library"
        )

    def report_missing(self, identity: str, module: About | None, in_library: bool) -> None:
        db = self.db
        path = f"`{self.path}`"
        if identity in db.unreadable:
            self.report(self.node.path, f"The module {path} could not be read")
            return
        if module is not None and in_library:
            if module.library_root == self.module.library_root:
                help_text = "Modules of one library see each other's names without an import."
            else:
                help_text = "A module of a library can import libraries only."
            message = f"{path} is a single module, and this module belongs to a library"
            self.report(self.node.path, message, help_text=help_text)
            return
        if module is not None:
            self.report(
                self.node.path,
                f"{path} is a single module of the library `{module.library_root}`",
                help_text="A library is imported by its directory.",
            )
            return
        if is_below(self.module.identity, identity):
            self.report(
                self.node.path,
                f"{path} is a directory that this module lies in, so it is no library for it",
                help_text="Import the module that is needed.",
            )
            return
        self.report(
            self.node.path,
            f"There is no module and no library `{identity}`",
            help_text=self.suggestion(identity),
        )

    def suggestion(self, identity: str) -> str | None:
        names = [*self._workspace_modules(), *self.db.visible_libraries]
        with_suffix = f"{identity}.nx"
        near = with_suffix if with_suffix in names else nearest_name(identity, names)
        return f"Did you mean `{relative_path(self.module.identity, near)}`?" if near else None

    def _workspace_modules(self) -> Iterator[str]:
        for identity in self.db.identities:
            about = self.db.about(identity)
            if about is not None and about.origin is ModuleOrigin.WORKSPACE:
                yield identity

    def check_circle(self, own_root: str, target: ImportTarget) -> None:
        """Libraries are loaded one after the other, dependencies first: none may need itself."""
        way = library_way(self.db, target.name, own_root)
        if way:
            listed = ", ".join(f"`{root}`" for root in way)
            self.report(
                self.node.path,
                f"The library `{own_root}` imports itself, through {listed}",
                help_text="Move what both libraries need into a third one.",
                code="library-load-error",
            )

    # -- what it binds

    def read_items(self, target: ImportTarget | None, repeated: bool) -> tuple[BoundItem, ...]:
        bound: dict[str, BoundItem] = {}
        seen: dict[str, tree.ImportItem] = {}
        for item in self.node.items or ():
            name = item.name.text
            alias = bound_name(item)
            if not name or alias is None:
                continue
            if alias in seen:
                also = (Label(self.place(seen[alias]), "first imported here"),)
                self.report(item, f"`{alias}` is imported twice", also=also)
                continue
            seen[alias] = item
            if target is None or repeated:
                continue
            found = exports(self.db, target.modules).get(name)
            if found:
                bound[alias] = BoundItem(alias, found[0])
            elif not self.lost_something(target):
                self.report_unexported(item, target)
        return tuple(bound.values())

    def report_unexported(self, item: tree.ImportItem, target: ImportTarget) -> None:
        name = item.name.text
        what = self.describe(target)
        for module in target.modules:
            hidden = own_names(self.db, module).get(name)
            if hidden is not None:
                where = outline_place(self.db, hidden.id)
                self.report(
                    item.name,
                    f"{capital(what)} does not export `{name}`",
                    help_text=f"Write `export` in front of the declaration of `{name}`.",
                    also=(Label(where, "declared here without `export`"),),
                )
                return
        near = nearest_name(name, exports(self.db, target.modules))
        help_text = f"Did you mean `{near}`?" if near else None
        self.report(item.name, f"{capital(what)} has no declaration `{name}`", help_text=help_text)

    def lost_something(self, target: ImportTarget) -> bool:
        """Whether the target may declare more than is known."""
        return any(lost_declarations(self.db, module) for module in target.modules) or any(
            is_below(identity, target.name) for identity in self.db.unreadable
        )

    def refused_aliases(self) -> Iterator[tree.DottedName]:
        for item in self.node.items or ():
            if item.alias is not None and bound_name(item) is None:
                yield item.alias

    def wanted_names(self) -> set[str]:
        """The names that the import spells out: of a selective import what it would bind."""
        names: set[str] = set()
        for item in self.node.items or ():
            names.add(item.alias.text if item.alias is not None else item.name.text)
        return names

    # -- reports

    def describe(self, target: ImportTarget) -> str:
        kind = "module" if target.modules == (target.name,) else "library"
        return f"the {kind} `{target.name}`"

    def place(self, node: tree.Node) -> Place:
        return Place(self.module.identity, self.key, node.start, node.end)

    def report(
        self,
        node: tree.Node | None,
        message: str,
        help_text: str | None = None,
        also: Iterable[Label] = (),
        code: str = "lowering-error",
    ) -> None:
        label = Label(self.place(node or self.node), primary=True)
        self.problems.append(Diagnostic("error", code, message, (label, *also), help_text))


def bound_name(item: tree.ImportItem) -> str | None:
    """The name that an entry of a selective import binds; ``None`` for an alias that is not of
    the form ``Prefix.Name`` (reported by the syntax checks)."""
    if item.alias is None:
        return item.name.text
    parts = item.alias.parts
    if len(parts) != 2 or parts[1].text != item.name.text:
        return None
    return item.alias.text


def relative_path(importer: str, identity: str) -> str:
    """The import path that reaches ``identity`` from the module ``importer``."""
    here = path_order(importer)[:-1]
    there = path_order(identity)
    common = 0
    while common < min(len(here), len(there) - 1) and here[common] == there[common]:
        common += 1
    up = "../" * (len(here) - common)
    return (up or "./") + "/".join(there[common:])


def capital(text: str) -> str:
    """The text as the beginning of a message."""
    return text[:1].upper() + text[1:]
