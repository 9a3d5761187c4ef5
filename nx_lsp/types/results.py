"""What is inferred of functions and values, in which order (semantics 4.1, 4.2; decisions 3, 4).

There are two modes. In *order* a declaration sees what the compiler lets it see: this is what
schemas and diagnostics stand on. *On demand* everything is inferred that can be, whatever the
order: this is for quick fixes and hints, and says nothing only about recursion.

A query never asks for its own answer: what a declaration needs is found from its text first
(``needs``), a declaration that needs itself is a variable to all others, and needs are answered
before what needs them, so that no chain is too long.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from nx_lsp.engine import query
from nx_lsp.program import queries
from nx_lsp.program.circles import Circle, circle_of, settle
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import (
    ComponentDeclaration,
    DeclarationId,
    FunctionDeclaration,
    PropertyUnionDeclaration,
    StateDeclaration,
    UpdateDeclaration,
    ValueDeclaration,
)
from nx_lsp.syntax import tree
from nx_lsp.types.environment import Binding, Finding
from nx_lsp.types.inference import Inference
from nx_lsp.types.members import dotted_names
from nx_lsp.types.model import ERROR, Type, VariableType
from nx_lsp.types.relations import holds_unknown
from nx_lsp.types.resolution import resolve_type
from nx_lsp.types.walks import walk_declaration


@dataclass(frozen=True, slots=True, eq=False)
class InferredDeclaration:
    """What one walk over a declaration found. Nodes are those of its piece's tree."""

    result: Type | None
    """Of a function's body or of a value, whatever the annotation; ``None`` for other kinds."""
    types: Mapping[tree.Node, Type]
    bindings: Mapping[tree.Node, Binding]
    findings: tuple[Finding, ...]


_DERIVED = (UpdateDeclaration, PropertyUnionDeclaration, StateDeclaration)
"""Declarations without text of their own."""


# ---------------------------------------------------------------- answers


def result_type(db: ProgramDatabase, id: DeclarationId) -> Type | None:
    """The result type of a function: declared, else inferred in order; ``None`` for what is no
    function. A result for which ``holds_unknown`` is true could not be inferred."""
    if queries.signature(db, id) is None:
        return None
    return declared_result(db, id) or inferred_result(db, id)


def value_type(db: ProgramDatabase, id: DeclarationId) -> Type | None:
    """The type of a top-level value: declared, else inferred in order; ``None`` for what is no
    value."""
    declaration = queries.declaration(db, id)
    if not isinstance(declaration, ValueDeclaration):
        return None
    return declared_result(db, id) or inferred_result(db, id)


def declared_result(db: ProgramDatabase, id: DeclarationId) -> Type | None:
    """The annotation of a function or value; ``None`` without one."""
    node = _annotation(db, id)
    return None if node is None else resolve_type(db, node, id.module)


def inferred_result(db: ProgramDatabase, id: DeclarationId) -> Type:
    """The type of a function's body or of a value as the compiler infers it, whatever the
    annotation; the error type for other declarations."""
    _settle(db, id, on_demand=False)
    return _inferred_type(db, id, False) or ERROR


def infer_on_demand(db: ProgramDatabase, id: DeclarationId) -> Type | None:
    """The type of a function's body or of a value, inferred regardless of order; ``None`` where
    it is recursive, in error or always empty."""
    if _circle(db, id, True):
        return None
    found = inferred(db, id, True).result
    return None if found is None or holds_unknown(found) else found


def inferred(
    db: ProgramDatabase, id: DeclarationId, on_demand: bool = False
) -> InferredDeclaration:
    """All that is inferred in a written declaration."""
    _settle(db, id, on_demand)
    return _inferred(db, id, on_demand)


def expression_type(
    db: ProgramDatabase, id: DeclarationId, node: tree.Node, on_demand: bool = False
) -> Type | None:
    """The type of an expression node inside the declaration ``id``, for hover; ``None`` for a
    node that is no expression."""
    return inferred(db, _written(db, id), on_demand).types.get(node)


def binding_of(db: ProgramDatabase, id: DeclarationId, node: tree.Node) -> Binding | None:
    """What a node inside the declaration ``id`` refers to: an ``Identifier``, a ``Member`` or
    its name, a ``ContextualName``, a pattern, the ``DottedName`` of a tag or of a property, the
    name of a parameter, field or loop variable where it is bound."""
    return inferred(db, _written(db, id)).bindings.get(node)


def _written(db: ProgramDatabase, id: DeclarationId) -> DeclarationId:
    """The declaration whose piece a derived declaration stands in."""
    match queries.declaration(db, id):
        case UpdateDeclaration(target=target) | PropertyUnionDeclaration(target=target):
            return _written(db, target)
        case StateDeclaration(component=component):
            return component
    key = queries.piece_key(db, id)
    return id if key is None else DeclarationId(id.module, key)


@query
def _inferred(db: ProgramDatabase, id: DeclarationId, on_demand: bool) -> InferredDeclaration:
    inference = Inference(db, id, _Seen(db, id, on_demand))
    result = walk_declaration(inference)
    return InferredDeclaration(
        result, inference.types, inference.bindings, tuple(inference.findings)
    )


# ---------------------------------------------------------------- what is seen of others


class _Seen:
    """What the declaration ``viewer`` sees of functions and values without annotation."""

    def __init__(self, db: ProgramDatabase, viewer: DeclarationId, on_demand: bool) -> None:
        self.db = db
        self.viewer = viewer
        self.on_demand = on_demand

    def function_result(self, id: DeclarationId) -> Type:
        declared = declared_result(self.db, id)
        if declared is not None:
            return declared
        return self._inferred(id) or variable(self.db, self.viewer.module, id)

    def value_type(self, id: DeclarationId) -> Type:
        return declared_result(self.db, id) or self._inferred(id) or ERROR

    def _inferred(self, id: DeclarationId) -> Type | None:
        if id not in needs(self.db, self.viewer, self.on_demand):
            return None
        # In order, needs inside one module go back in it, so that a circle leads through another.
        may_circle = self.on_demand or id.module != self.viewer.module
        if may_circle and _circle(self.db, id, self.on_demand):
            return None
        _settle(self.db, id, self.on_demand)
        return _inferred_type(self.db, id, self.on_demand)


@query
def _inferred_type(db: ProgramDatabase, id: DeclarationId, on_demand: bool) -> Type | None:
    """Apart from ``_inferred``, so that an edit that leaves the type as it was stops here."""
    return _inferred(db, id, on_demand).result


def _settle(db: ProgramDatabase, id: DeclarationId, on_demand: bool) -> None:
    """Infer all that a declaration needs, innermost first."""
    settle(db, _inferred_type, id, lambda each: needs(db, each, on_demand), on_demand)


@query
def _circle(db: ProgramDatabase, id: DeclarationId, on_demand: bool) -> Circle:
    """The declarations that need each other in a circle with this one."""
    return circle_of(db, _circle, id, lambda each: needs(db, each, on_demand), on_demand)


@query
def needs(db: ProgramDatabase, id: DeclarationId, on_demand: bool) -> tuple[DeclarationId, ...]:
    """The functions and values without annotation that a declaration's text may refer to and
    whose inferred type it sees."""
    declaration = queries.declaration(db, id)
    if declaration is None or isinstance(declaration, _DERIVED):
        return ()
    found: dict[DeclarationId, None] = {}
    hidden = {each.name for each in queries.parameters(db, id)}
    for name in dict.fromkeys(_names(declaration.node)):
        if name in hidden:
            continue
        target = queries.lookup_value(db, id.module, name)
        if (
            target is not None
            and _is_unannotated(db, target)
            and (on_demand or _sees(db, id, target))
        ):
            found[target] = None
    return tuple(found)


def _names(node: tree.Node) -> Iterator[str]:
    """Every name in the text that may refer to a top-level function or value."""
    for each in tree.walk(node):
        if isinstance(each, tree.Identifier):
            yield each.name
        elif isinstance(each, tree.Element):
            yield each.tag.text
        elif isinstance(each, tree.Member):
            dotted = dotted_names(each)
            if dotted is not None:
                yield ".".join(dotted)


@query
def _annotation(db: ProgramDatabase, id: DeclarationId) -> tree.TypeNode | None:
    match queries.declaration(db, id):
        case FunctionDeclaration() as function:
            return function.result
        case ValueDeclaration(node=node):
            return node.type
    return None


def _is_unannotated(db: ProgramDatabase, id: DeclarationId) -> bool:
    outline = queries.outline_of(db, id)
    is_either = outline is not None and outline.kind in ("function", "value")
    return is_either and _annotation(db, id) is None


def _sees(db: ProgramDatabase, viewer: DeclarationId, target: DeclarationId) -> bool:
    """Does ``viewer`` see the inferred type of ``target`` (semantics 4.2)?

    Values are inferred in order before all functions, record and union defaults after the values,
    functions and components last and in order."""
    if viewer.module != target.module:
        return _is_imported_library(db, viewer.module, target.module)
    seen = queries.declaration(db, target)
    by = queries.declaration(db, viewer)
    earlier = _earlier(db, target, viewer)
    if isinstance(seen, ValueDeclaration):
        return earlier or not isinstance(by, ValueDeclaration)
    return earlier and isinstance(by, (FunctionDeclaration, ComponentDeclaration))


def _is_imported_library(db: ProgramDatabase, viewer: str, target: str) -> bool:
    own, other = db.about(viewer), db.about(target)
    if own is None or other is None or other.library_root is None:
        return False
    return other.library_root != own.library_root


def _earlier(db: ProgramDatabase, first: DeclarationId, second: DeclarationId) -> bool:
    positions = _positions(db, first.module)
    return positions.get(first, -1) < positions.get(second, -1)


@query
def _positions(db: ProgramDatabase, module: str) -> dict[DeclarationId, int]:
    return {id: index for index, id in enumerate(queries.declarations(db, module))}


# ---------------------------------------------------------------- variables


def variable(db: ProgramDatabase, module: str, id: DeclarationId) -> Type:
    """The variable that stands in ``module`` for the result of ``id``: ``T0``, ``T1``, …, the
    module's own functions in order first, then those that it can see of others."""
    numbers = _variable_numbers(db, module)
    return Type(VariableType(numbers.get(id, len(numbers))))


@query
def _variable_numbers(db: ProgramDatabase, module: str) -> dict[DeclarationId, int]:
    visible = queries.scope(db, module).values.values()
    own = queries.declarations(db, module)
    foreign = (id for id in visible if id.module != module)
    numbers: dict[DeclarationId, int] = {}
    for id in _unannotated_functions(db, (*own, *foreign)):
        numbers.setdefault(id, len(numbers))
    return numbers


def _unannotated_functions(
    db: ProgramDatabase, ids: Iterable[DeclarationId]
) -> Iterator[DeclarationId]:
    for id in ids:
        declaration = queries.declaration(db, id)
        if isinstance(declaration, FunctionDeclaration) and declaration.result is None:
            yield id
