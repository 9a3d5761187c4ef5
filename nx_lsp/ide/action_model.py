"""Code actions as data, and the place they are asked for (editor-experience 6)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from nx_lsp.ide.diagnostics import PublishedDiagnostic, module_diagnostics
from nx_lsp.ide.edits import FileEdit
from nx_lsp.ide.options import IdeOptions
from nx_lsp.ide.targets import function_around
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId

QUICK_FIX = "quickfix"
REWRITE = "refactor.rewrite"
SHOW = "source.nxlsp.showToolSchema"
COPY = "source.nxlsp.copyToolSchema"
ADD_DOCS = "source.nxlsp.addMissingDocs"

KINDS = (QUICK_FIX, REWRITE, SHOW, COPY, ADD_DOCS)
"""The kinds that a server announces."""


@dataclass(frozen=True, slots=True)
class ActionCommand:
    """A command of the client or of the server about one function. ``view`` is the text of its
    schema that is wanted."""

    name: str
    function: DeclarationId
    view: str = "answer"


@dataclass(frozen=True, slots=True)
class ShowDeclaration:
    """The wish to see a declaration; a command of the server."""

    declaration: DeclarationId
    name: str = "nxlsp.server.showDeclaration"


@dataclass(frozen=True, slots=True)
class HostSuppliedSetting:
    """The wish to list a type in ``nxlsp.schema.hostSuppliedTypes``; a client command."""

    type: DeclarationId
    name: str = "nxlsp.addHostSuppliedType"


@dataclass(frozen=True, slots=True)
class CodeAction:
    """One action: edits, or a command. ``fixes`` are the diagnostics that it removes.

    ``warning`` is to be read and agreed to before the edits are made; edits of several files
    always are. ``then`` ``"suggest"``: completion is to be opened where the edits leave the
    cursor."""

    title: str
    kind: str
    edits: tuple[FileEdit, ...] = ()
    command: ActionCommand | HostSuppliedSetting | ShowDeclaration | None = None
    preferred: bool = False
    fixes: tuple[PublishedDiagnostic, ...] = ()
    warning: str | None = None
    then: str | None = None


class ActionRequest:
    """Where actions are asked for: ``start``/``end`` are absolute code points of ``module``."""

    def __init__(
        self, db: ProgramDatabase, module: str, start: int, end: int, options: IdeOptions
    ) -> None:
        self.db = db
        self.module = module
        self.start = start
        self.end = end
        self.options = options

    @cached_property
    def function(self) -> DeclarationId | None:
        """The function named at the start of the range, else the one around it."""
        return function_around(self.db, self.module, self.start)

    def with_fix(self, fix: str) -> list[PublishedDiagnostic]:
        """The diagnostics that touch the range and that ``fix`` may mend."""
        return [each for each in self.diagnostics if fix in each.data.fixes]

    @cached_property
    def diagnostics(self) -> tuple[PublishedDiagnostic, ...]:
        """The diagnostics that touch the range."""
        return tuple(
            each
            for each in module_diagnostics(self.db, self.module, self.options)
            if each.start <= self.end and self.start <= each.end
        )
