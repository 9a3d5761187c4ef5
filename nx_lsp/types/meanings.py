"""What a tag means (semantics 4.8), as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from nx_lsp.program.declarations import DeclarationId
from nx_lsp.types.environment import Binding
from nx_lsp.types.model import Type

Kind = Literal["function", "function value", "component", "record", "case", "markup"]


@dataclass(frozen=True, slots=True)
class Slot:
    """What a property of an element binds. ``read_type`` is the type its value is checked
    against; ``action`` is what a handler's value sees under that name."""

    binding: Binding
    read_type: Type | None = None
    action: Type | None = None
    required: bool = False
    content: bool = False
    unbound: tuple[str, ...] = ()
    """Type parameters of a component that ``read_type`` depends on and that are not given."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a tag means: the element's type, and the properties it takes by name. ``slots`` is
    ``None`` for markup, whose properties mean nothing."""

    type: Type
    slots: Mapping[str, Slot] | None = None
    binding: Binding | None = None
    kind: Kind = "markup"
    declaration: DeclarationId | None = None
    """What declares the properties, if anything."""
    judged: bool = True
    """False where the tag itself is wrong: its properties are then not judged."""
    unknown: frozenset[str] = field(default_factory=frozenset)
    """Properties about which nothing is known, because their declaration is wrong."""
    colliding: frozenset[str] = field(default_factory=frozenset)
    """Names that stand for two things, so that a use says nothing."""
    open: bool = False
    """True where there may be properties that are not known, for want of a base."""
