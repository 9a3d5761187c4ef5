"""What names mean inside a declaration, and what is known about paths (semantics 2.5, 4.3).

An ``Environment`` is immutable: entering a loop or a branch makes another one, so that a fact
never leaves the branch it holds in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Union

from nx_lsp.program.declarations import DeclarationId, Label, Member
from nx_lsp.syntax import tree
from nx_lsp.syntax.problems import Severity
from nx_lsp.types.model import Type

LocalKind = Literal["parameter", "property", "state", "item", "index", "action"]


@dataclass(frozen=True, slots=True, eq=False)
class Local:
    """A local binding. Two of one name are two bindings (compared by identity), so that what is
    known about one says nothing about the other.

    ``node`` is where it is bound: a property definition, the name in a ``for``, or ``None``
    (``action``)."""

    kind: LocalKind
    name: str
    type: Type
    node: tree.PropertyDefinition | tree.Name | None = None
    member: Member | None = None


Root = Union[Local, DeclarationId]

Path = tuple[Root, tuple[str, ...]]
"""A binding and the members read from it: ``p.a.b``. ``.`` and ``?.`` are alike."""

Facts = Mapping[Path, Type]
"""What a condition says about paths."""


@dataclass(frozen=True, slots=True)
class Environment:
    """Locals by name, and narrowed types by path."""

    locals: Mapping[str, Local] = field(default_factory=dict)
    narrowed: Facts = field(default_factory=dict)

    def bind(self, *added: Local) -> Environment:
        """With more locals; each hides an outer one of its name."""
        return Environment({**self.locals, **{local.name: local for local in added}}, self.narrowed)

    def narrow(self, facts: Facts) -> Environment:
        """With more known about paths."""
        return Environment(self.locals, {**self.narrowed, **facts}) if facts else self


BindingKind = Literal[
    "parameter",
    "property",
    "state",
    "item",
    "index",
    "action",
    "declaration",
    "member",
    "case",
    "type parameter",
    "handler",
    "intrinsic",
]


@dataclass(frozen=True, slots=True)
class Binding:
    """What a name in an expression refers to.

    * a local (``parameter``, ``property``, ``state``, ``item``, ``index``, ``action``): ``node``
      is where it is bound, ``member`` the parameter, property or state field;
    * ``declaration``: a top-level or derived declaration;
    * ``member``: ``member`` is the field, property, parameter or payload field; of a function
      type's parameter there is none, only ``name`` and ``type``;
    * ``case``: ``declaration`` is the union;
    * ``type parameter``: of ``declaration``;
    * ``handler``: ``declaration`` is the emitted action;
    * ``intrinsic``: ``apply``, ``merge``, ``diff`` or ``changed``.

    ``type`` is what the name has at this place, narrowing included; ``None`` where it is a type
    or an element and has none."""

    kind: BindingKind
    name: str
    type: Type | None = None
    declaration: DeclarationId | None = None
    member: Member | None = None
    node: tree.Node | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong in an expression, found while inferring it. Code points, relative to the
    piece of the declaration. ``name`` is the unknown name, ``candidates`` the local names that
    may have been meant; ``also`` are second places that explain it."""

    code: str
    message: str
    start: int
    end: int
    help: str | None = None
    name: str | None = None
    candidates: tuple[str, ...] = ()
    severity: Severity = "error"
    also: tuple[Label, ...] = ()
