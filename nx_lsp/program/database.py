"""The program as a database: its modules are inputs, everything else is derived by queries.

A module is several inputs, so that an edit changes only those that say something else now: where
it belongs (``about``), which pieces it has (``outlines``), each piece, and the comments about each.
Only what needs positions in the file, or all of its text, reads the whole (``module``).
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from nx_lsp.engine import Database
from nx_lsp.program.declarations import Diagnostic
from nx_lsp.syntax.docs import DocComment
from nx_lsp.syntax.outline import Outline
from nx_lsp.syntax.source_file import Piece, SyntaxFile


class ModuleOrigin(enum.Enum):
    """Where a module comes from, which decides what it sees (semantics 2.2)."""

    WORKSPACE = "workspace"
    LIBRARY = "library"
    STANDARD = "standard"
    PRELUDE = "prelude"

    @property
    def bundled(self) -> bool:
        """Whether the module comes with this package instead of from a user."""
        return self in (ModuleOrigin.STANDARD, ModuleOrigin.PRELUDE)


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """One module of a program.

    ``library_root`` is the root of the library it belongs to, ``None`` for workspace modules and
    the prelude. ``path`` is the file it was read from, if any."""

    identity: str
    file: SyntaxFile
    origin: ModuleOrigin
    library_root: str | None = None
    path: Path | None = None


class About(NamedTuple):
    """What is known of a module apart from its text."""

    identity: str
    origin: ModuleOrigin
    library_root: str | None


Outlines = tuple[tuple[str, Outline], ...]
"""The pieces of a module in order, by key."""

_Part = Literal["module", "about", "outlines", "piece", "comments"]
"""The kinds of inputs that a module consists of. ``piece`` and ``comments`` have a key each."""


@dataclass(frozen=True, slots=True)
class LinkedProgram:
    """A program put together (``linking.link``): what a ``ProgramDatabase`` is about."""

    modules: tuple[Module, ...]
    """In program order (semantics 1.4); identities are unique."""
    entry: str | None = None
    libraries: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Root of every linked library, with the identities of its modules in order."""
    visible_libraries: tuple[str, ...] = ()
    """Roots of the libraries that an import can reach, linked or not, without the standard ones."""
    implicit_imports: tuple[str, ...] = ()
    """Module identities and library roots that workspace modules import without writing it."""
    unreadable: frozenset[str] = frozenset()
    """Identities of files that are there but could not be read."""
    problems: tuple[Diagnostic, ...] = ()
    """Findings about the program that have no place in a module."""


class ProgramDatabase(Database):
    """Modules in program order, and the answers to every query about them.

    ``update`` gives it another state of the program; what did not change stays answered."""

    def __init__(self, program: LinkedProgram) -> None:
        super().__init__()
        self._modules: dict[str, Module] = {}
        self._parts: dict[str, set[tuple[_Part, str, str]]] = {}
        """Those inputs of each module that were ever read."""
        self.update(program)

    def update(self, program: LinkedProgram) -> bool:
        """Take over another state of the program; return whether anything changed.

        A ``Module`` object that stays the same counts as unchanged. Raises ``RuntimeError`` when
        called from inside a query."""
        if self._reading:
            raise RuntimeError("a query may not change the program")
        before, self._modules = self._modules, {each.identity: each for each in program.modules}
        changes: list[tuple[object, object]] = [
            ("identities", tuple(module.identity for module in program.modules)),
            ("entry", program.entry),
            ("libraries", dict(program.libraries)),
            ("visible libraries", program.visible_libraries),
            ("implicit imports", program.implicit_imports),
            ("unreadable", program.unreadable),
            ("problems", program.problems),
        ]
        for identity in dict.fromkeys((*before, *self._modules)):
            if before.get(identity) is not self._modules.get(identity):
                parts = [each for each in self._parts.get(identity, ()) if self.has_input(each)]
                self._parts[identity] = set(parts)
                changes += [(part, self._value(*part)) for part in parts]
        changed = self.set_inputs(changes)
        return changed or before != self._modules

    def first_value(self, key: object) -> object:
        """The value of a part of a module that is read for the first time."""
        match key:
            case (
                "module" | "about" | "outlines" | "piece" | "comments" as kind,
                str() as identity,
                str() as piece,
            ):
                self._parts.setdefault(identity, set()).add((kind, identity, piece))
                return self._value(kind, identity, piece)
        return None

    def _value(self, kind: _Part, identity: str, key: str) -> object:
        module = self._modules.get(identity)
        if module is None:
            return None
        match kind:
            case "module":
                return module
            case "about":
                return About(identity, module.origin, module.library_root)
            case "outlines":
                return tuple((each.key, each.outline) for each in module.file.pieces)
            case "piece":
                return module.file.piece(key)
            case "comments":
                return None if module.file.piece(key) is None else module.file.documentation(key)

    @property
    def identities(self) -> tuple[str, ...]:
        """The identities of all modules, in program order."""
        answer: tuple[str, ...] = self.input("identities")
        return answer

    @property
    def modules(self) -> tuple[Module, ...]:
        """All modules in program order. A query that only needs some should ask for those, since
        this reads every one."""
        return tuple(m for m in map(self.module, self.identities) if m is not None)

    def module(self, identity: str) -> Module | None:
        """The module with exactly this identity. A query that reads it runs again after every
        edit of the module: see the finer inputs below."""
        answer: Module | None = self.input(("module", identity, ""))
        return answer

    def about(self, identity: str) -> About | None:
        """Where a module belongs; ``None`` if there is none."""
        answer: About | None = self.input(("about", identity, ""))
        return answer

    def outlines(self, identity: str) -> Outlines:
        """The pieces of a module in order, by key; empty without a module."""
        answer: Outlines | None = self.input(("outlines", identity, ""))
        return answer or ()

    def piece(self, identity: str, key: str) -> Piece | None:
        """A piece of a module by key; ``None`` if the module or the piece is not there."""
        answer: Piece | None = self.input(("piece", identity, key))
        return answer

    def comments(self, identity: str, key: str) -> Mapping[int, DocComment]:
        """The doc comments of a piece, by the ``start`` of what they document (0: the piece
        itself); offsets are code points relative to the piece."""
        answer: Mapping[int, DocComment] | None = self.input(("comments", identity, key))
        return {} if answer is None else answer

    @property
    def entry(self) -> str | None:
        """The identity of the entry module, ``None`` if none was chosen or the choice is bad."""
        answer: str | None = self.input("entry")
        return answer

    @property
    def libraries(self) -> Mapping[str, tuple[str, ...]]:
        """Root of every linked library, with the identities of its modules in order."""
        answer: Mapping[str, tuple[str, ...]] = self.input("libraries")
        return answer

    @property
    def visible_libraries(self) -> tuple[str, ...]:
        """Roots of the libraries that an import can reach, without the standard ones."""
        answer: tuple[str, ...] = self.input("visible libraries")
        return answer

    @property
    def implicit_imports(self) -> tuple[str, ...]:
        """What workspace modules import without writing it (semantics 1.6)."""
        answer: tuple[str, ...] = self.input("implicit imports")
        return answer

    @property
    def unreadable(self) -> frozenset[str]:
        """Identities of files that are there but could not be read."""
        answer: frozenset[str] = self.input("unreadable")
        return answer

    @property
    def problems(self) -> tuple[Diagnostic, ...]:
        """Findings about the program that have no place in a module."""
        answer: tuple[Diagnostic, ...] = self.input("problems")
        return answer
