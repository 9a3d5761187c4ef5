"""What stands at an offset of a module: the declaration, member, case, module, … meant there.

The answer carries the range of the name, in absolute code points. ``None`` means that nothing
is known, and then nothing is shown (editor-experience 4.4, last row).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Union

from nx_lsp.ide.markup import Case, tag_meaning, tag_members, union_named
from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import (
    DeclarationId,
    Member,
    Place,
)
from nx_lsp.program.members import Emit
from nx_lsp.syntax import tree
from nx_lsp.syntax.source_file import Piece
from nx_lsp.syntax.spelling import spell_property
from nx_lsp.types.environment import Binding
from nx_lsp.types.model import Occurrence, Type
from nx_lsp.types.resolution import TypeScope, look_up_type, type_scope
from nx_lsp.types.results import binding_of, expression_type

# ---------------------------------------------------------------- the answers


@dataclass(frozen=True, slots=True)
class DeclarationMeant:
    """A declaration, written or derived. ``element``: it is meant by this tag."""

    id: DeclarationId
    tag: Place | None = None


@dataclass(frozen=True, slots=True)
class MemberMeant:
    """A field, property, state field, payload field or parameter. ``type``: what it has at this
    place, where that is known."""

    member: Member
    type: Type | None = None


@dataclass(frozen=True, slots=True)
class CaseMeant:
    """A case of a union or property union."""

    union: DeclarationId
    case: str


@dataclass(frozen=True, slots=True)
class ModulesMeant:
    """What an import path or prefix reaches: one module, or those of a library."""

    name: str
    modules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EmitMeant:
    """An emitted action of a component, meant by its handler."""

    emit: Emit


@dataclass(frozen=True, slots=True)
class LineMeant:
    """A name that is told by one line of NX: a type parameter, a loop's item, a parameter of a
    function type."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class ExpressionMeant:
    """An expression and its inferred type."""

    type: Type


Meant = Union[
    DeclarationMeant,
    MemberMeant,
    CaseMeant,
    ModulesMeant,
    EmitMeant,
    LineMeant,
    ExpressionMeant,
]


@dataclass(frozen=True, slots=True)
class Target:
    """What is meant, and the range of the name that means it (absolute code points)."""

    meant: Meant
    start: int
    end: int


def target_at(db: ProgramDatabase, module: str, offset: int) -> Target | None:
    """What stands at ``offset`` (code points, absolute; the end of a name counts as in it)."""
    found = db.module(module)
    at = found.file.piece_at(offset) if found is not None else None
    if found is None or at is None:
        return None
    piece, relative = at
    path = tree.path_to(piece.tree, relative)
    locator = _Locator(db, module, piece, path, relative)
    meant = locator.find()
    if meant is None:
        return None
    start = found.file.start_of(piece.key)
    return Target(meant, start + locator.start, start + locator.end)


def function_around(db: ProgramDatabase, module: str, offset: int) -> DeclarationId | None:
    """The function that a position is about: the one named there, else the one around it."""
    target = target_at(db, module, offset)
    if target is not None and isinstance(target.meant, DeclarationMeant):
        outline = queries.outline_of(db, target.meant.id)
        if outline is not None and outline.kind == "function":
            return target.meant.id
    found = db.module(module)
    at = found.file.piece_at(offset) if found is not None else None
    if at is None:
        return None
    outline = queries.outline_of(db, DeclarationId(module, at[0].key))
    return outline.id if outline is not None and outline.kind == "function" else None


# ---------------------------------------------------------------- finding


_SHOWN_WHOLE = (
    tree.Binary,
    tree.Call,
    tree.Member,
    tree.Unary,
    tree.PresenceTest,
    tree.Parenthesized,
    tree.StringLiteral,
    tree.NumberLiteral,
    tree.BooleanLiteral,
)
"""Expressions whose type is shown where the position is on their own text."""

_SHOWN_AT_KEYWORD = {tree.If: 2, tree.Match: 2, tree.ConditionList: 2, tree.For: 3}
"""Expressions shown at their keyword only, with its length."""


class _Locator:
    """One search. ``start`` and ``end`` are the range of what was found, relative."""

    def __init__(
        self,
        db: ProgramDatabase,
        module: str,
        piece: Piece,
        path: Sequence[tree.Node],
        offset: int,
    ) -> None:
        self.db = db
        self.module = module
        self.piece = piece
        self.path = path
        self.offset = offset
        self.owner = DeclarationId(module, piece.key)
        self.start, self.end = path[-1].start, path[-1].end

    def parent(self, levels: int = 1) -> tree.Node | None:
        return self.path[-1 - levels] if len(self.path) > levels else None

    def find(self) -> Meant | None:
        leaf = self.path[-1]
        match leaf:
            case tree.Name(text=""):
                return None
            case tree.Name():
                return self._name(leaf)
            case tree.StringLiteral() if isinstance(self.parent(), tree.Import):
                return self._import_target()
            case tree.Identifier() | tree.ContextualName():
                return self._bound(leaf)
            case _:
                return self._expression(leaf)

    # -- names, by what they are the name of

    def _name(self, name: tree.Name) -> Meant | None:
        match self.parent():
            case tree.PropertyDefinition() as definition if definition.name is name:
                return self._definition(definition)
            case tree.ImportItem() as item:
                return self._imported(item)
            case tree.Import():
                return self._import_target()
            case tree.UnionCase() as case:
                return CaseMeant(self.owner, case.name.text)
            case tree.EmitDefinition():
                return DeclarationMeant(self._emitted(name.text))
            case tree.RecordNode() | tree.UnionNode() | tree.AliasNode() | tree.ValueNode():
                return DeclarationMeant(self.owner)
            case tree.TypeArgument():
                return self._type_argument(name)
            case tree.Member() as member:
                return self._bound(member)
            case tree.For() as loop:
                return self._loop_name(loop, name)
            case tree.DottedName() as dotted:
                return self._dotted(dotted, dotted.parts.index(name))
            case _:
                return None

    def _dotted(self, dotted: tree.DottedName, index: int) -> Meant | None:
        spelled = ".".join(part.text for part in dotted.parts[: index + 1])
        whole = index == len(dotted.parts) - 1
        holder = self.parent(2)
        match holder:
            case tree.FunctionNode() | tree.ComponentNode() if holder.name is dotted:
                return DeclarationMeant(self.owner)
            case tree.ComponentNode() | tree.Element():
                return self._tag(spelled, holder, whole) or self._prefix(spelled)
            case tree.Property():
                return self._property(dotted) if whole else None
            case tree.ImportItem() as item:
                return self._imported(item) if whole else self._import_target()
            case tree.QualifiedPattern():
                return self._qualified(spelled) or self._prefix(spelled)
            case _:
                return self._type(spelled) or self._prefix(spelled)

    # -- definitions

    def _definition(self, node: tree.PropertyDefinition) -> Meant | None:
        holder = self.parent(2)
        name = node.name.text
        if node.is_type_parameter:
            return LineMeant("type parameter", f"{name}:type")
        match holder:
            case tree.FunctionNode():
                return MemberMeant(Member(name, self.owner, node, "parameter"))
            case tree.RecordNode():
                return MemberMeant(Member(name, self.owner, node, "field"))
            case tree.EmitDefinition():
                action = self._emitted(holder.name.text)
                return MemberMeant(Member(name, action, node, "field"))
            case tree.UnionCase():
                return MemberMeant(Member(name, self.owner, node, "payload", holder.name.text))
            case tree.ComponentNode():
                return MemberMeant(Member(name, self.owner, node, "property"))
            case tree.ComponentBody():
                return MemberMeant(Member(name, self.owner, node, "state"))
            case _:
                return LineMeant("parameter", spell_property(node))

    def _emitted(self, name: str) -> DeclarationId:
        return DeclarationId(self.module, f"{self.owner.name}.{name}")

    # -- imports

    def _resolved_import(self) -> queries.ResolvedImport | None:
        imports = queries.imports(self.db, self.module)
        return next((one for one in imports if one.place.piece == self.piece.key), None)

    def _import_target(self) -> Meant | None:
        resolved = self._resolved_import()
        if resolved is None or resolved.target is None:
            return None
        return ModulesMeant(resolved.target.name, resolved.target.modules)

    def _imported(self, item: tree.ImportItem) -> Meant | None:
        resolved = self._resolved_import()
        if resolved is None or resolved.target is None:
            return None
        found = queries.exports(self.db, resolved.target.modules).get(item.name.text)
        return DeclarationMeant(found[0].id) if found else None

    def _prefix(self, name: str) -> Meant | None:
        """The modules that an import prefix stands for."""
        for resolved in queries.imports(self.db, self.module):
            bound = resolved.prefix == name or any(
                item.bound.rpartition(".")[0] == name for item in resolved.items
            )
            if bound and resolved.target is not None:
                return ModulesMeant(resolved.target.name, resolved.target.modules)
        return None

    # -- types

    def _type_scope(self) -> TypeScope:
        if queries.outline_of(self.db, self.owner) is None:
            return TypeScope(self.module)
        return type_scope(self.db, self.owner)

    def _type(self, name: str) -> Meant | None:
        scope = self._type_scope()
        if any(parameter == name for parameter, _ in scope.parameters):
            return LineMeant("type parameter", f"{name}:type")
        if name in queries.PRIMITIVE_NAMES:
            return None
        found = look_up_type(self.db, scope, name)
        return self._declared(found) if found is not None else None

    def _declared(self, id: DeclarationId) -> Meant | None:
        return DeclarationMeant(id) if queries.declaration(self.db, id) is not None else None

    def _type_argument(self, name: tree.Name) -> Meant | None:
        applied = self.parent(2)
        if not isinstance(applied, tree.AppliedType):
            return None
        found = look_up_type(self.db, self._type_scope(), applied.name.text)
        if found is None:
            return None
        parameters = queries.effective_type_parameters(self.db, found)
        known = any(parameter == name.text for _, parameter in parameters)
        return LineMeant("type parameter", f"{name.text}:type") if known else None

    # -- markup

    def _component(self) -> DeclarationId | None:
        return self.owner if isinstance(self.path[0], tree.ComponentNode) else None

    def _tag(
        self, name: str, holder: tree.ComponentNode | tree.Element, whole: bool
    ) -> Meant | None:
        meaning = tag_meaning(self.db, self.module, self._component(), name)
        if isinstance(meaning, Case):
            return CaseMeant(meaning.union, meaning.name)
        if meaning is None:
            union = None if whole else union_named(self.db, self.module, name)
            return DeclarationMeant(union) if union is not None else None
        if not whole or isinstance(holder, tree.ComponentNode):
            return DeclarationMeant(meaning)
        tag = holder.tag
        return DeclarationMeant(meaning, Place(self.module, self.piece.key, tag.start, tag.end))

    def _property(self, dotted: tree.DottedName) -> Meant | None:
        element = next((n for n in reversed(self.path) if isinstance(n, tree.Element)), None)
        if element is None:
            return None
        name = dotted.text
        meaning = tag_meaning(self.db, self.module, self._component(), element.tag.text)
        for member in tag_members(self.db, meaning):
            if member.name == name:
                return MemberMeant(member)
        if meaning is None or isinstance(meaning, Case):
            return None
        for emit in queries.effective_emits(self.db, meaning):
            if emit.handler == name:
                return EmitMeant(emit)
        parameters = queries.effective_type_parameters(self.db, meaning)
        if any(parameter == name for _, parameter in parameters):
            return LineMeant("type parameter", f"{name}:type")
        return None

    # -- expressions

    def _qualified(self, name: str) -> Meant | None:
        before, _, last = name.rpartition(".")
        union = union_named(self.db, self.module, before) if before else None
        if union is not None and last in queries.case_names(self.db, union):
            return CaseMeant(union, last)
        return self._type(name)

    def _bound(self, node: tree.Node) -> Meant | None:
        """What a reference, a bare name or a member access means."""
        binding = binding_of(self.db, self.owner, node)
        if binding is not None:
            return self._binding(binding)
        if isinstance(node, tree.Identifier):
            return self._top_level(node)
        type = expression_type(self.db, self.owner, node)
        return ExpressionMeant(type) if type is not None else None

    def _top_level(self, node: tree.Identifier) -> Meant | None:
        """A union before ``.case``, an import prefix, or nothing."""
        if not isinstance(self.parent(), tree.Member):
            return None
        return self._type(node.name) or self._prefix(node.name)

    def _binding(self, binding: Binding) -> Meant | None:
        if binding.kind in ("declaration", "handler") and binding.declaration is not None:
            return self._declared(binding.declaration)
        if binding.kind == "case" and binding.declaration is not None:
            return CaseMeant(binding.declaration, binding.name)
        if binding.member is not None:
            return MemberMeant(binding.member, binding.type)
        if binding.kind == "type parameter":
            return LineMeant("type parameter", f"{binding.name}:type")
        if binding.type is None:
            return None
        return ExpressionMeant(binding.type)

    def _loop_name(self, loop: tree.For, name: tree.Name) -> Meant | None:
        binding = binding_of(self.db, self.owner, name)
        if binding is not None:
            return self._binding(binding)
        iterated = expression_type(self.db, self.owner, loop.iterable)
        if name is loop.index:
            return LineMeant("index", f"{name.text}:int")
        if iterated is None:
            return None
        return ExpressionMeant(Type(iterated.item, Occurrence.ONE))

    def _expression(self, node: tree.Node) -> Meant | None:
        length = _SHOWN_AT_KEYWORD.get(type(node))
        if length is not None:
            if self.offset > node.start + length:
                return None
            self.end = node.start + length
        elif not isinstance(node, _SHOWN_WHOLE):
            return None
        found = expression_type(self.db, self.owner, node)
        return ExpressionMeant(found) if found is not None else None
