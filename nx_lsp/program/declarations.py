"""What a program declares, as values that other layers share.

A declaration is named by a ``DeclarationId``: identity of the declaring module and its
(possibly derived) name. Types, scopes and schema documents hold ids, never declarations,
so that they stay valid when the text of a declaration changes. ``queries.declaration``
turns an id into what the text says now.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, Union

from nx_lsp.syntax import tree
from nx_lsp.syntax.problems import Severity


class DeclarationId(NamedTuple):
    """Nominal identity (semantics 3.1). ``name`` is the declared name (``Plan``), a derived
    name (``Plan.Update``, ``Card.State.Property``), an inline emitted action (``Picker.Moved``)
    or ``root`` for the root element.

    A repeated name (``duplicate-declaration``) is numbered from its second occurrence:
    ``Plan#2``. No scope ever yields such an id."""

    module: str
    name: str

    def __str__(self) -> str:
        return f"{self.module}:{self.name}"


Visibility = Literal["private", "internal", "export"]


@dataclass(frozen=True, slots=True)
class Member:
    """A field, payload field, component property, state field or parameter.

    Two are equal if all is the same and they share their very node.

    ``owner`` is the declaration whose text holds ``node``: types and the default are read in
    the module of ``owner`` (semantics 2.7), also where the member is inherited. For a payload
    field ``owner`` is the union and ``case`` names the case."""

    name: str
    owner: DeclarationId
    node: tree.PropertyDefinition
    role: Literal["field", "payload", "property", "state", "parameter"]
    case: str | None = None

    @property
    def optional(self) -> bool:
        """Marked ``?`` on the name."""
        return self.node.optional_mark is not None

    @property
    def content(self) -> bool:
        return self.node.modifier is not None and self.node.modifier.text == "content"

    @property
    def type(self) -> tree.TypeNode | None:
        """The declared type; ``None`` for a type parameter (never among effective members)."""
        return self.node.type

    @property
    def default(self) -> tree.Expression | None:
        return self.node.default


@dataclass(frozen=True, slots=True, eq=False)
class RecordDeclaration:
    """A record or action, an inline emitted action included. ``type_parameters`` are their
    names in order; ``own_fields`` leaves them out."""

    id: DeclarationId
    visibility: Visibility
    node: Union[tree.RecordNode, tree.EmitDefinition]
    is_action: bool
    abstract: bool
    type_parameters: tuple[str, ...]
    own_fields: tuple[Member, ...]


@dataclass(frozen=True, slots=True, eq=False)
class UpdateDeclaration:
    """``X.Update`` of a record or action, ``C.State.Update`` of a component with state."""

    id: DeclarationId
    visibility: Visibility
    target: DeclarationId
    """The record, action or ``C.State``."""


@dataclass(frozen=True, slots=True, eq=False)
class PropertyUnionDeclaration:
    """``X.Property``: a constant union of ``target``'s effective field names."""

    id: DeclarationId
    visibility: Visibility
    target: DeclarationId


@dataclass(frozen=True, slots=True, eq=False)
class StateDeclaration:
    """``C.State``: the record of a component's state fields (decision 2)."""

    id: DeclarationId
    visibility: Visibility
    component: DeclarationId
    fields: tuple[Member, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CaseDeclaration:
    """One case of a union. ``fields`` are its own, without the base's."""

    name: str
    node: tree.UnionCase
    fields: tuple[Member, ...]


@dataclass(frozen=True, slots=True, eq=False)
class UnionDeclaration:
    id: DeclarationId
    visibility: Visibility
    node: tree.UnionNode
    cases: tuple[CaseDeclaration, ...]
    """Without repeated names: the first of each."""


@dataclass(frozen=True, slots=True, eq=False)
class AliasDeclaration:
    id: DeclarationId
    visibility: Visibility
    node: tree.AliasNode


@dataclass(frozen=True, slots=True, eq=False)
class ValueDeclaration:
    id: DeclarationId
    visibility: Visibility
    node: tree.ValueNode


@dataclass(frozen=True, slots=True, eq=False)
class FunctionDeclaration:
    """Both forms, and the implicit ``root`` (``node`` is then a ``RootNode``, no parameters)."""

    id: DeclarationId
    visibility: Visibility
    node: Union[tree.FunctionNode, tree.RootNode]
    parameters: tuple[Member, ...]
    """Without repeated names: the first of each."""

    @property
    def result(self) -> tree.TypeNode | None:
        return self.node.result if isinstance(self.node, tree.FunctionNode) else None

    @property
    def body(self) -> tree.Expression:
        return self.node.body if isinstance(self.node, tree.FunctionNode) else self.node.element


@dataclass(frozen=True, slots=True, eq=False)
class ComponentDeclaration:
    id: DeclarationId
    visibility: Visibility
    node: tree.ComponentNode
    type_parameters: tuple[str, ...]
    own_properties: tuple[Member, ...]
    state: tuple[Member, ...] | None
    """``None`` without a ``state`` group."""


Declaration = Union[
    RecordDeclaration,
    UpdateDeclaration,
    PropertyUnionDeclaration,
    StateDeclaration,
    UnionDeclaration,
    AliasDeclaration,
    ValueDeclaration,
    FunctionDeclaration,
    ComponentDeclaration,
]


# ---------------------------------------------------------------- places and diagnostics


@dataclass(frozen=True, slots=True)
class Place:
    """A span of a module that survives edits elsewhere in its file.

    ``piece`` is the key of a piece of the file (``SyntaxFile.pieces``); ``start``/``end`` are
    code points relative to that piece. ``piece`` ``None``: relative to the file. Use
    ``queries.absolute`` at the edge."""

    module: str
    piece: str | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Label:
    place: Place
    message: str | None = None
    primary: bool = False


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Severity, code, message, labels (one primary, or none for a problem without a place)."""

    severity: Severity
    code: str
    message: str
    labels: tuple[Label, ...]
    help: str | None = None

    @property
    def primary(self) -> Label | None:
        return next((label for label in self.labels if label.primary), None)
