"""The program as a database: its modules are inputs, everything else is derived by queries."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nx_lsp.engine import Database
from nx_lsp.program.declarations import Diagnostic
from nx_lsp.syntax.source_file import SyntaxFile


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
        self._known: frozenset[str] = frozenset()
        self.update(program)

    def update(self, program: LinkedProgram) -> bool:
        """Take over another state of the program; return whether anything changed.

        A ``Module`` object that stays the same counts as unchanged. Raises ``RuntimeError`` when
        called from inside a query."""
        identities = frozenset(module.identity for module in program.modules)
        changes: list[tuple[object, object]] = [
            ("identities", tuple(module.identity for module in program.modules)),
            ("entry", program.entry),
            ("libraries", dict(program.libraries)),
            ("visible libraries", program.visible_libraries),
            ("implicit imports", program.implicit_imports),
            ("unreadable", program.unreadable),
            ("problems", program.problems),
        ]
        changes += [(("module", gone), None) for gone in sorted(self._known - identities)]
        changes += [(("module", module.identity), module) for module in program.modules]
        self._known = identities
        return self.set_inputs(changes)

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
        """The module with exactly this identity."""
        answer: Module | None = self.input(("module", identity))
        return answer

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
