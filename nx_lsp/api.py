"""The Python API: a program of NX sources, and the schemas of what it declares.

Everything is also importable from ``nx_lsp`` itself. A ``Program`` is made from texts or from a
directory and answers about them as they were then. Nothing is ever evaluated.

The program may be broken: answers are given as far as they can be, and ``Program.diagnostics``
says what is wrong. Only a bad *call* raises.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

from nx_lsp.program import loading, queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId, Diagnostic
from nx_lsp.program.diagnostics import declaration_diagnostics, link_diagnostics
from nx_lsp.program.near_names import nearest_name
from nx_lsp.schema.answers import (
    DIRECTIONS,
    Direction,
    FunctionSchema,
    ParameterEntry,
    Schema,
    SpannedDiagnostic,
    SpannedLabel,
    TypeSchema,
)
from nx_lsp.schema.findings import schema_findings
from nx_lsp.schema.hosts import HOSTS, CopyOptions, Host, HostCopy, HostNote
from nx_lsp.schema.schema import function_schema, type_schema
from nx_lsp.schema.spans import SpanFinder
from nx_lsp.syntax.text import Span
from nx_lsp.types.diagnostics import type_diagnostics

__all__ = [
    "HOSTS",
    "CopyOptions",
    "DeclarationId",
    "Direction",
    "FunctionSchema",
    "Host",
    "HostCopy",
    "HostNote",
    "ParameterEntry",
    "Program",
    "Span",
    "SpannedDiagnostic",
    "SpannedLabel",
    "TypeSchema",
    "UnknownDeclaration",
]

TypeNames = Iterable[tuple[str, str]]
"""Types by module identity and name: ``[("@nx/agent/agent.nx", "ToolContext")]``."""

_TYPE_KINDS = frozenset({"record", "action", "union", "alias", "component"})


class UnknownDeclaration(LookupError):  # noqa: N818 (part of the published interface)
    """The program has no such module, or the module no such function or type."""

    code = "schema-unknown-declaration"

    def __init__(self, module: str, name: str, message: str) -> None:
        super().__init__(message)
        self.module = module
        self.name = name
        self.message = message

    def __str__(self) -> str:
        return self.message


class Program:
    """An NX program, ready to be asked."""

    def __init__(self, database: ProgramDatabase) -> None:
        """Wrap a database; hosts use ``from_sources`` or ``from_directory``."""
        self._db = database

    @classmethod
    def from_sources(
        cls,
        sources: Mapping[str, str],
        entry: str | None = None,
        libraries: Mapping[str, Mapping[str, str]] | None = None,
    ) -> Program:
        """A program from texts: module identity (``tools.nx``) to source text, in order.

        ``entry`` is the module meant by questions that name none; left out, the only module
        there is. ``libraries`` maps the root of each library to its modules, with identities
        relative to the root. Raises ``TypeError`` for anything but strings, ``ValueError`` for
        an ``entry`` that is not among ``sources``."""
        _check_texts("sources", sources)
        if libraries is not None:
            if not isinstance(libraries, Mapping):
                raise TypeError(f"`libraries` must map roots to modules, not {_kind(libraries)}")
            for root, texts in libraries.items():
                _check_string("a library's root", root)
                _check_texts(f"the library `{root}`", texts)
        _check_optional_string("entry", entry)
        return cls(loading.from_sources(sources, entry, libraries))._with_entry(entry)

    @classmethod
    def from_directory(cls, path: str | os.PathLike[str], entry: str | None = None) -> Program:
        """The program of all ``.nx`` files below ``path``; identities are relative paths with
        ``/``. A directory that an import names becomes a library.

        Raises ``FileNotFoundError`` or ``NotADirectoryError`` when ``path`` is no directory,
        ``ValueError`` when ``entry`` is none of its modules. A file that cannot be read is
        among ``diagnostics()``."""
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(f"`path` must be a string or a path, not {_kind(path)}")
        _check_optional_string("entry", entry)
        return cls(loading.from_directory(Path(path), entry))._with_entry(entry)

    @property
    def database(self) -> ProgramDatabase:
        """The database behind the program, for tools that build on the layers below."""
        return self._db

    @property
    def entry(self) -> str | None:
        """Identity of the entry module; ``None`` if there is none, and then every question must
        name its module."""
        return self._db.entry

    @property
    def modules(self) -> tuple[str, ...]:
        """The identities of all modules in program order: what comes with NX, libraries, then
        the workspace's own."""
        return self._db.identities

    # ------------------------------------------------------------ the two queries

    def function_schema(
        self,
        name: str,
        module: str | None = None,
        host_supplied_types: TypeNames = (),
    ) -> FunctionSchema:
        """The schemas of a function's arguments and result, and all that goes with them.

        ``module`` left out means the entry module. Parameters of the ``host_supplied_types`` are
        left out of the input schema. Raises ``UnknownDeclaration`` if there is no such function,
        ``TypeError`` or ``ValueError`` for bad arguments."""
        listed = _type_names(host_supplied_types)
        module = self._module(name, module)
        id = queries.declared_in(self._db, module, name)
        answer = function_schema(self._db, id, listed) if id is not None else None
        if answer is None:
            raise self._unknown(module, name, "function")
        return replace(
            answer,
            input_schema=_own(answer.input_schema),
            output_schema=_own(answer.output_schema),
        )

    def type_schema(
        self, name: str, module: str | None = None, direction: Direction = "output"
    ) -> TypeSchema:
        """The schema of a declared type (record, action, union, alias) or of a derived one
        (``Plan.Update``, ``Plan.Property``, ``Counter.State``).

        ``direction`` is ``"output"`` for what a runtime returns, ``"input"`` for what a host
        supplies. A component is answered as a type without JSON form. Raises
        ``UnknownDeclaration`` if there is no such type, ``TypeError`` or ``ValueError`` for bad
        arguments."""
        _check_string("direction", direction)
        if direction not in DIRECTIONS:
            raise ValueError(f'`direction` must be "input" or "output", not {direction!r}')
        module = self._module(name, module)
        id = queries.declared_in(self._db, module, name)
        answer = type_schema(self._db, id, direction) if id is not None else None
        if answer is None:
            raise self._unknown(module, name, "type")
        return replace(answer, schema=_own(answer.schema))

    # ------------------------------------------------------------ what there is

    def functions(self) -> tuple[DeclarationId, ...]:
        """Every function that can be asked for, as ``(module, name)`` in program order; a module's
        root element counts as its function ``root``."""
        return tuple(
            declared.id
            for module in self.modules
            for declared in queries.own_names(self._db, module).values()
            if declared.kind == "function"
        )

    def types(self) -> tuple[DeclarationId, ...]:
        """Every type that can be asked for, as ``(module, name)`` in program order: records,
        actions, unions, aliases, components (which are answered as types without JSON form),
        and after each what is derived from it."""
        found: list[DeclarationId] = []
        for module in self.modules:
            for declared in queries.own_names(self._db, module).values():
                if declared.kind in _TYPE_KINDS:
                    found.append(declared.id)
                found += queries.derived_ids(self._db, declared.id)
        return tuple(found)

    def diagnostics(self) -> tuple[SpannedDiagnostic, ...]:
        """What is wrong with the program itself, in all its modules: first what has no place,
        then module by module in program order. A missing schema is no mistake of the program:
        see ``schema_diagnostics``."""
        found: list[Diagnostic] = list(self._db.problems)
        for module in self._db.modules:
            if not module.origin.bundled:
                found += declaration_diagnostics(self._db, module.identity)
                found += type_diagnostics(self._db, module.identity)
                found += link_diagnostics(self._db, module.identity)
        spans = SpanFinder(self._db)
        return tuple(spans.diagnostic(each) for each in found)

    def schema_diagnostics(
        self, host_supplied_types: TypeNames = ()
    ) -> tuple[SpannedDiagnostic, ...]:
        """Why functions of the program have no schema: each problem once, at the member that is
        to be changed, in program order. The ``diagnostics`` of all function answers hold the
        same, once per function."""
        listed = _type_names(host_supplied_types)
        spans = SpanFinder(self._db)
        return tuple(
            spans.diagnostic(finding.diagnostic)
            for module in self.modules
            for finding in schema_findings(self._db, module, listed)
            if finding.at_member
        )

    # ------------------------------------------------------------ failing calls

    def _with_entry(self, entry: str | None) -> Program:
        """``self``; raises ``ValueError`` if an entry was asked for and is not there."""
        if entry is not None and self._db.entry is None:
            there = [m.identity for m in self._db.modules if not m.origin.bundled]
            near = nearest_name(entry, there)
            hint = f": did you mean `{near}`?" if near is not None else ""
            raise ValueError(f"the entry `{entry}` is no module of the program{hint}")
        return self

    def _module(self, name: str, module: str | None) -> str:
        """The module that a question is about."""
        _check_string("name", name)
        _check_optional_string("module", module)
        if module is not None:
            return module
        if self._db.entry is None:
            raise ValueError(
                f"the program has no entry module: name the module of `{name}`, "
                "or give `entry` when the program is made"
            )
        return self._db.entry

    def _unknown(self, module: str, name: str, wanted: str) -> UnknownDeclaration:
        if self._db.module(module) is None:
            near = nearest_name(module, self.modules)
            message = f"there is no module `{module}` in the program, so no {wanted} `{name}`"
        else:
            names = self.functions() if wanted == "function" else self.types()
            near = nearest_name(name, [each.name for each in names if each.module == module])
            message = f"the module `{module}` has no {wanted} `{name}`"
            declared = queries.own_names(self._db, module).get(name)
            if declared is not None:
                article = "an" if declared.kind[0] in "aeiou" else "a"
                message += f": that is {article} {declared.kind}"
                near = None
        if near is not None:
            message += f": did you mean `{near}`?"
        return UnknownDeclaration(module, name, message)


def _own(schema: Schema | None) -> Schema | None:
    """A copy that the caller may change without changing later answers."""
    return deepcopy(schema)


# ---------------------------------------------------------------- checking arguments


def _kind(value: object) -> str:
    return f"`{type(value).__name__}`"


def _check_string(what: str, value: object) -> None:
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a string, not {_kind(value)}")


def _check_optional_string(what: str, value: object) -> None:
    if value is not None:
        _check_string(f"`{what}`", value)


def _check_texts(what: str, texts: object) -> None:
    if not isinstance(texts, Mapping):
        raise TypeError(f"{what} must map identities to texts, not be {_kind(texts)}")
    for identity, text in texts.items():
        _check_string(f"an identity in {what}", identity)
        _check_string(f"the text of `{identity}`", text)


def _type_names(names: TypeNames) -> tuple[DeclarationId, ...]:
    if isinstance(names, (str, bytes)) or not isinstance(names, Iterable):
        raise TypeError(f"host-supplied types must be (module, name) pairs, not {_kind(names)}")
    found: list[DeclarationId] = []
    for pair in names:
        if isinstance(pair, str) or not isinstance(pair, (tuple, list)):
            raise TypeError(f"a host-supplied type must be a (module, name) pair, not {pair!r}")
        if len(pair) != 2:
            raise ValueError(f"a host-supplied type must be a (module, name) pair, not {pair!r}")
        module, name = pair
        _check_string("the module of a host-supplied type", module)
        _check_string("the name of a host-supplied type", name)
        found.append(DeclarationId(module, name))
    return tuple(dict.fromkeys(found))
