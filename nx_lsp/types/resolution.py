"""From written types to type values (semantics 2.7, 3.2, 3.10 to 3.12, decisions 1 and 2).

``resolve_type`` is total: a broken tree, an unknown name or a cyclic alias gives a type that
relates to everything. The same walk tells what is wrong to whoever passes a ``report``
(``diagnostics``), so that a type and its problems never disagree.
"""

from __future__ import annotations

from nx_lsp.engine import query
from nx_lsp.program import queries
from nx_lsp.program.circles import settle
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import (
    AliasDeclaration,
    ComponentDeclaration,
    DeclarationId,
    Member,
    PropertyUnionDeclaration,
    RecordDeclaration,
    StateDeclaration,
    UnionDeclaration,
    UpdateDeclaration,
)
from nx_lsp.program.near_names import nearest_member
from nx_lsp.syntax import tree
from nx_lsp.syntax.spelling import spell_type
from nx_lsp.types import constraints, sizes
from nx_lsp.types.model import (
    ERROR,
    NUMERIC,
    ComponentType,
    Constrained,
    FunctionReferenceType,
    FunctionType,
    ItemType,
    Occurrence,
    Parameter,
    Primitive,
    PrimitiveName,
    RecordType,
    Type,
    UnionType,
    UnresolvedType,
)
from nx_lsp.types.relations import is_error, numeric_base
from nx_lsp.types.sizes import TOO_LARGE
from nx_lsp.types.type_names import (
    BARE_COMPANIONS,
    BUILT_IN,
    ELEMENT,
    PRIMITIVES,
    Report,
    TypeProblem,
    TypeScope,
    alias_circle,
    alias_references,
    component_companion,
    is_cyclic_alias,
    look_up_type,
    named_declaration,
    parameter_names,
    type_scope,
)

__all__ = [
    "BARE_COMPANIONS",
    "BUILT_IN",
    "ELEMENT",
    "PRIMITIVES",
    "Report",
    "TypeProblem",
    "TypeScope",
    "alias_circle",
    "alias_references",
    "alias_type",
    "check_slot",
    "component_companion",
    "declared_type",
    "is_cyclic_alias",
    "look_up_type",
    "member_read_type",
    "member_type",
    "named_declaration",
    "parameter_names",
    "resolve_in",
    "resolve_type",
    "type_of_name",
    "type_scope",
]


def resolve_type(
    db: ProgramDatabase,
    node: tree.TypeNode,
    module: str,
    parameters: tuple[tuple[str, ItemType], ...] = (),
    component: DeclarationId | None = None,
) -> Type:
    """The type that ``node``, written in ``module``, means.

    ``parameters`` are the type parameters in scope: ``TypeParameterType`` inside their
    declaration, or the arguments that a use gives them. ``component`` is the component whose
    text holds the node, if any, for a bare ``Property`` or ``Update``."""
    return _Resolver(db, TypeScope(module, parameters, component), None).resolve(node)


def resolve_in(
    db: ProgramDatabase, node: tree.TypeNode, scope: TypeScope, report: Report | None = None
) -> Type:
    """``resolve_type`` with the place as one value; ``report`` is told every problem once."""
    return _Resolver(db, scope, report).resolve(node)


def check_slot(
    db: ProgramDatabase, node: tree.PropertyDefinition, scope: TypeScope, report: Report
) -> None:
    """Tell ``report`` every problem of a property's type, as a type and as the type of a slot."""
    if node.type is not None:
        resolver = _Resolver(db, scope, report)
        resolver.slot(node, resolver.resolve(node.type))


# ---------------------------------------------------------------- declarations as types


def declared_type(db: ProgramDatabase, id: DeclarationId) -> Type | None:
    """The type that the bare name of a type declaration means, an alias its target's;
    ``None`` for a function or value."""
    declaration = queries.declaration(db, id)
    match declaration:
        case AliasDeclaration():
            return alias_type(db, id)
        case UnionDeclaration() | PropertyUnionDeclaration():
            return Type(UnionType(id))
        case RecordDeclaration() | UpdateDeclaration() | StateDeclaration():
            return Type(RecordType(id))
        case ComponentDeclaration():
            return Type(ComponentType(id))
    return None


def member_type(
    db: ProgramDatabase,
    member: Member,
    arguments: tuple[tuple[str, ItemType], ...] | None = None,
) -> Type:
    """The declared type of a member, its optional mark not joined in.

    ``arguments`` take the place of the owner's type parameters; a parameter left out stands for
    itself (``TypeParameterType``)."""
    if member.type is None:
        return ERROR
    scope = type_scope(db, member.owner)
    if arguments:
        scope = TypeScope(scope.module, _replaced(scope.parameters, arguments), scope.component)
    return resolve_in(db, member.type, scope)


def _replaced(
    parameters: tuple[tuple[str, ItemType], ...], arguments: tuple[tuple[str, ItemType], ...]
) -> tuple[tuple[str, ItemType], ...]:
    given = dict(arguments)
    return tuple((name, given.get(name, item)) for name, item in parameters)


def member_read_type(
    db: ProgramDatabase,
    member: Member,
    arguments: tuple[tuple[str, ItemType], ...] | None = None,
) -> Type:
    """What reading the member gives: the declared type, joined with ``?`` where it is marked
    (semantics 3.3)."""
    declared = member_type(db, member, arguments)
    return declared.or_empty() if member.optional else declared


# ---------------------------------------------------------------- names


def type_of_name(db: ProgramDatabase, scope: TypeScope, name: str) -> Type | None:
    """What a bare type name means, in the order of semantics 2.7; ``None`` for no type."""
    for parameter, item in scope.parameters:
        if parameter == name:
            return Type(item)
    if name in PRIMITIVES:
        return Type(Primitive(PRIMITIVES[name]))
    found = look_up_type(db, scope, name)
    if found is not None:
        return declared_type(db, found)
    return BUILT_IN.get(name)


# ---------------------------------------------------------------- aliases


def alias_type(db: ProgramDatabase, id: DeclarationId) -> Type:
    """What an alias stands for, occurrence included; ``UnresolvedType`` for a cyclic one.

    Aliases are answered innermost first, so that no chain is too long."""
    settle(db, _alias_type, id, lambda alias: alias_references(db, alias))
    return _alias_type(db, id)


@query
def _alias_type(db: ProgramDatabase, id: DeclarationId) -> Type:
    declaration = queries.declaration(db, id)
    if not isinstance(declaration, AliasDeclaration) or is_cyclic_alias(db, id):
        return Type(UnresolvedType(id.name))
    return resolve_type(db, declaration.node.type, id.module)


# ---------------------------------------------------------------- the walk


class _Resolver:
    """One walk over one written type."""

    def __init__(self, db: ProgramDatabase, scope: TypeScope, report: Report | None) -> None:
        self.db = db
        self.scope = scope
        self._report = report

    def problem(
        self,
        code: str,
        message: str,
        at: tree.Node | tuple[int, int],
        help: str | None = None,
        annotation: bool = False,
        name: str | None = None,
    ) -> None:
        if self._report is None:
            return
        start, end = (at.start, at.end) if isinstance(at, tree.Node) else at
        self._report(TypeProblem(code, message, start, end, help, annotation, name))

    def resolve(self, node: tree.TypeNode) -> Type:
        match node:
            case tree.NamedType():
                return self.named(node)
            case tree.AppliedType():
                return self.applied(node)
            case tree.FunctionTypeNode():
                return self.function(node)
            case tree.ParenthesizedType():
                return self.resolve(node.inner)
            case tree.SuffixedType():
                return self.suffixed(node)
            case tree.ConstrainedType():
                return self.constrained(node)
            case _:
                return ERROR

    def named(self, node: tree.NamedType) -> Type:
        found = self.name(node.name)
        if found is None:
            return Type(UnresolvedType(node.name.text))
        self.require_arguments(found, node.name)
        return found

    def name(self, name: tree.DottedName) -> Type | None:
        """The type of a written name; reports one that means nothing."""
        found = type_of_name(self.db, self.scope, name.text)
        if found is None:
            self.problem(
                "unresolved-type", f"There is no type `{name.text}` here", name, name=name.text
            )
        return found

    def require_arguments(self, found: Type, name: tree.DottedName) -> None:
        """A generic record needs its arguments in a type position (semantics 3.11)."""
        if self._report is None or not isinstance(found.item, RecordType) or found.item.arguments:
            return
        names = parameter_names(self.db, found.item.declaration)
        # An alias of a generic record without arguments is reported at the alias, not here.
        if names and look_up_type(self.db, self.scope, name.text) == found.item.declaration:
            self.missing_arguments(name, names)

    def missing_arguments(self, name: tree.DottedName, names: tuple[str, ...]) -> None:
        listed = _listed(names)
        example = " ".join(f"{each}=…" for each in names)
        self.problem(
            "type-parameter-not-specified",
            f"`{name.text}` is generic: its type parameter{'s' if len(names) > 1 else ''} "
            f"{listed} must be given",
            name,
            help=f"Write `<{name.text} {example} />`.",
            annotation=True,
        )

    # -- applied types

    def applied(self, node: tree.AppliedType) -> Type:
        found = self.name(node.name)
        arguments = self.arguments(node)
        if found is None:
            return Type(UnresolvedType(node.name.text))
        if is_error(found.item):
            return found
        names = self.bindable(found)
        if not names:
            self.problem(
                "applied-type-not-generic",
                f"`{node.name.text}` takes no type arguments",
                node,
                help=f"Write `{node.name.text}`.",
                annotation=True,
            )
            return found
        unknown = [name for name in arguments if name not in names]
        for name in unknown:
            near = nearest_member(name, (each for each in names if each not in arguments))
            self.problem(
                "unknown-type-argument",
                f"`{node.name.text}` has no type parameter `{name}`; it has {_listed(names)}",
                node,
                help=None if near is None else f"Did you mean `{near}`?",
                annotation=True,
            )
        if not isinstance(found.item, RecordType):
            return found  # a component keeps no arguments in its type (semantics 3.9)
        missing = tuple(name for name in names if name not in arguments)
        if missing:
            if not unknown:  # a misspelled argument is one mistake
                self.missing_arguments(node.name, missing)
            return found
        given = tuple((name, arguments[name]) for name in names)
        applied = Type(RecordType(found.item.declaration, given), found.occurrence)
        return self.limited(applied, node)

    def bindable(self, found: Type) -> tuple[str, ...]:
        """The parameters that arguments may bind: none of a type already applied."""
        match found.item:
            case RecordType(declaration, ()) | ComponentType(declaration):
                return parameter_names(self.db, declaration)
        return ()

    def arguments(self, node: tree.AppliedType) -> dict[str, ItemType]:
        """The arguments by name, the first of each."""
        given: dict[str, ItemType] = {}
        for argument in node.arguments:
            name = argument.name.text
            type = self.argument(argument)
            if name in given:
                self.problem(
                    "duplicate-type-argument",
                    f"The type argument `{name}` is given twice",
                    node,
                    annotation=True,
                )
            else:
                given[name] = type.item
        return given

    def argument(self, argument: tree.TypeArgument) -> Type:
        inner = _Resolver(self.db, self.scope, self._argument_report())
        type = inner.resolve(argument.type)
        if type.occurrence is not Occurrence.ONE:
            self.problem(
                "occurrence-type-argument",
                f"The type argument `{argument.name.text}` must be one item type, "
                f"but `{spell_type(argument.type)}` carries `{type.occurrence.suffix}`",
                argument,
                help="Put the suffix on the members that use the parameter.",
                annotation=True,
            )
        return type

    def _argument_report(self) -> Report | None:
        """An unknown name among arguments has a code of its own (semantics 5.4)."""
        outer = self._report
        if outer is None:
            return None

        def report(problem: TypeProblem) -> None:
            code = problem.code
            if code == "unresolved-type":
                code = "unresolved-type-argument"
            outer(
                TypeProblem(
                    code,
                    problem.message,
                    problem.start,
                    problem.end,
                    problem.help,
                    problem.annotation,
                    problem.name,
                )
            )

        return report

    # -- function types

    def function(self, node: tree.FunctionTypeNode) -> Type:
        result = self.resolve(node.result)
        if any(isinstance(each, tree.EllipsisNode) for each in node.parameters):
            return self.limited(Type(FunctionReferenceType(result)), node)
        parameters: dict[str, Parameter] = {}
        for each in node.parameters:
            if isinstance(each, tree.PropertyDefinition) and each.type is not None:
                parameter = Parameter(
                    each.name.text,
                    self.slot(each, self.resolve(each.type)),
                    each.optional_mark is not None,
                    each.modifier is not None and each.modifier.text == "content",
                )
                parameters.setdefault(parameter.name, parameter)
        return self.limited(Type(FunctionType(tuple(parameters.values()), result)), node)

    def limited(self, type: Type, node: tree.TypeNode) -> Type:
        """A type made of others, if it is not too large; reports one that is, once."""
        if TOO_LARGE.item in sizes.parts_of(type.item):
            return TOO_LARGE
        if not sizes.is_too_large(type):
            return type
        self.problem(sizes.CODE, sizes.MESSAGE, node, help=sizes.HELP)
        return TOO_LARGE

    def slot(self, node: tree.PropertyDefinition, type: Type) -> Type:
        """The type of a property slot; one that admits zero through an alias is reported
        (semantics 3.3). One that spells its suffix is a syntax check."""
        if node.type is None or not type.occurrence.zero or is_error(type.item):
            return type
        if _has_suffix(node.type):
            return type
        name, written = node.name.text, spell_type(node.type)
        kept = type.occurrence.without_zero().suffix
        self.problem(
            "optional-in-type-slot",
            f"`{written}`, the type of `{name}`, carries `{type.occurrence.suffix}`; whether "
            f"`{name}` may be absent is said by a `?` on its name",
            node,
            help=f"Take the suffix out of `{written}`, and write `{name}?:{written}{kept}` here.",
        )
        return type

    # -- suffixes and constraints

    def suffixed(self, node: tree.SuffixedType) -> Type:
        inner = self.resolve(node.inner)
        suffix = Occurrence.from_suffix("*" if node.suffix == "[]" else node.suffix)
        if inner.occurrence is not Occurrence.ONE and not _has_suffix(node.inner):
            # a written second suffix is a syntax check; this one hides behind an alias
            self.problem(
                "second-occurrence-suffix",
                f"This type already carries `{inner.occurrence.suffix}` through its alias; "
                f"it takes no second suffix",
                node,
                help="Remove the suffix here, or the one in the alias.",
                annotation=True,
            )
        return Type(inner.item, inner.occurrence.join(suffix))

    def constrained(self, node: tree.ConstrainedType) -> Type:
        base = self.resolve(node.base)
        if is_error(base.item):
            return base
        name = numeric_base(base.item)
        if name is None or (base.occurrence is not Occurrence.ONE and not _has_suffix(node.base)):
            self.problem(
                "invalid-constraint",
                "A constraint narrows one number, but what stands before `where` is "
                f"{'a sequence or optional' if name else 'no number'}.",
                (node.constraint_start, node.end),
                help=f"The base is one of {_listed(NUMERIC)}, or an alias of one.",
            )
            return base
        interval = constraints.UNBOUNDED
        if isinstance(base.item, Constrained):
            interval = base.item.interval
        sound = True
        for term in node.terms:
            problem = self.bounds(name, term)
            sound = sound and not problem
            if not problem:
                interval = constraints.intersect(interval, constraints.term_interval(name, term))
        if sound and constraints.is_empty(name, interval):
            self.problem(
                "invalid-constraint",
                f"No `{name}` satisfies this constraint",
                (node.constraint_start, node.end),
                help="Make the lower end less than the upper end.",
            )
        if interval == constraints.UNBOUNDED:
            return Type(Primitive(name), base.occurrence)
        return Type(Constrained(Primitive(name), interval), base.occurrence)

    def bounds(self, base: PrimitiveName, term: tree.ConstraintTerm) -> bool:
        """Report bounds that are no values of the base; is there one?"""
        found = False
        for bound in (term.low, term.high):
            if bound is not None and (why := constraints.bound_problem(base, bound)):
                found = True
                spelled = f"{'-' if bound.negative else ''}{bound.text}"
                self.problem("invalid-constraint", f"The bound `{spelled}` {why}", bound)
        return found


def _has_suffix(node: tree.TypeNode) -> bool:
    """Is a suffix written on the type itself, so that the syntax checks have reported another?"""
    while isinstance(node, tree.ParenthesizedType):
        node = node.inner
    return isinstance(node, tree.SuffixedType)


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)
