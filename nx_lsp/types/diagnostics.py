"""What is wrong with types, names and values, as diagnostics (semantics 5.2 to 5.5; decision 8).

Each *check* looks at one declaration. What is wrong with expressions the walk over them has found
(``inference``, ``sites``); imports that nothing uses are found by ``unused_imports``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from nx_lsp.engine import query
from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import (
    AliasDeclaration,
    DeclarationId,
    Diagnostic,
    Label,
    Place,
)
from nx_lsp.program.near_names import NameIndex, nearest_name
from nx_lsp.syntax import tree
from nx_lsp.syntax.problems import Severity
from nx_lsp.types.environment import Finding
from nx_lsp.types.model import CaseType, UnionType
from nx_lsp.types.resolution import (
    BUILT_IN,
    PRIMITIVES,
    TypeProblem,
    TypeScope,
    alias_circle,
    alias_references,
    check_slot,
    declared_type,
    is_cyclic_alias,
    resolve_in,
    type_scope,
)
from nx_lsp.types.results import inferred
from nx_lsp.types.unused_imports import import_hints

INCOMPLETE_TREE = frozenset(
    {"syntax-error", "removed-enum-keyword", "removed-conditional-operator"}
)
"""Codes of problems that leave a declaration's tree incomplete (semantics 5.1)."""

SHOWN_STEPS = 8
"""Steps of a circle of aliases that a message names."""
SEARCHED_CIRCLE = 100
"""Members of a circle up to which a shortest way through it is sought."""

Check = Callable[[ProgramDatabase, DeclarationId], Iterable[Diagnostic]]

FOREIGN_NAMES = {
    "bool": "`boolean`",
    "float": "`float64` or `float32`",
    "double": "`float64`",
    "long": "`int64`",
    "short": "`int32`",
    "number": "`int` or `float64`",
    "str": "`string`",
    "text": "`string`",
    "any": "`object`",
    "null": "`?`, which says that a value may be absent,",
}
"""Types of other languages, and what NX has instead."""


def type_diagnostics(db: ProgramDatabase, module: str) -> tuple[Diagnostic, ...]:
    """All findings of this layer in a module, in source order."""
    found = [
        each for id in queries.declarations(db, module) for each in declaration_findings(db, id)
    ]
    found += import_hints(db, module)
    return tuple(sorted(found, key=lambda each: _position(db, each)))


@query
def declaration_findings(db: ProgramDatabase, id: DeclarationId) -> tuple[Diagnostic, ...]:
    """All findings of this layer in one written declaration."""
    return tuple(each for check in CHECKS for each in check(db, id))


def _position(db: ProgramDatabase, diagnostic: Diagnostic) -> tuple[int, int]:
    label = diagnostic.primary
    return (0, 0) if label is None else queries.absolute(db, label.place)


def _diagnostic(
    db: ProgramDatabase,
    id: DeclarationId,
    code: str,
    message: str,
    span: tuple[int, int],
    help: str | None = None,
    also: Iterable[Label] = (),
    severity: Severity = "error",
) -> Diagnostic:
    place = Place(id.module, queries.piece_key(db, id), *span)
    return Diagnostic(
        severity,
        code,
        message,
        (Label(place, primary=True), *also),
        help,
    )


# ---------------------------------------------------------------- written types


def check_types(db: ProgramDatabase, id: DeclarationId) -> Iterator[Diagnostic]:
    """Every type written in a declaration (semantics 5.4)."""
    declaration = queries.declaration(db, id)
    piece = queries.piece(db, id.module, id.name)
    if declaration is None or piece is None:
        return
    scope = type_scope(db, id)
    for slot in _slots(piece.tree):
        if slot.type is not None:
            problems: list[TypeProblem] = []
            check_slot(db, slot, scope, problems.append)
            yield from _told(db, id, scope, slot.type, problems)
    for annotation in _annotations(piece.tree):
        problems = []
        resolve_in(db, annotation, scope, problems.append)
        yield from _told(db, id, scope, annotation, problems)


def _slots(node: tree.PieceNode) -> Iterator[tree.PropertyDefinition]:
    """The property definitions of a declaration, apart from those of function types."""
    match node:
        case tree.RecordNode(fields=fields):
            yield from fields
        case tree.UnionNode(cases=cases):
            for each in cases:
                yield from each.fields or ()
        case tree.FunctionNode(parameters=parameters):
            yield from parameters
        case tree.ComponentNode(properties=properties, emits=emits, body=body):
            yield from properties
            for entry in emits:
                if isinstance(entry, tree.EmitDefinition):
                    yield from entry.fields
            if body is not None:
                yield from body.state or ()


def _annotations(node: tree.PieceNode) -> Iterator[tree.TypeNode]:
    """The other types written in a declaration: they may carry any occurrence."""
    match node:
        case tree.AliasNode(type=type):
            yield type
        case tree.ValueNode(type=type) if type is not None:
            yield type
        case tree.FunctionNode(result=result) if result is not None:
            yield result


def _told(
    db: ProgramDatabase,
    id: DeclarationId,
    scope: TypeScope,
    annotation: tree.TypeNode,
    problems: Iterable[TypeProblem],
) -> Iterator[Diagnostic]:
    for each in problems:
        message, help = each.message, each.help
        if each.name is not None:
            if not each.name or queries.incomplete(db, id.module).may_bind(each.name):
                continue
            message, help = _unknown_type(db, scope, each.name, message)
        whole = annotation.start, annotation.end
        span = whole if each.annotation else (each.start, each.end)
        yield _diagnostic(db, id, each.code, message, span, help)


def _unknown_type(
    db: ProgramDatabase, scope: TypeScope, name: str, message: str
) -> tuple[str, str | None]:
    """The message and the help for a type name that means nothing."""
    owner, _, last = name.rpartition(".")
    found = queries.lookup_type(db, scope.module, owner) if owner else None
    meant = declared_type(db, found) if found is not None else None
    if meant is not None:
        if isinstance(meant.item, (UnionType, CaseType)) and last not in ("Update", "Property"):
            return (
                f"`{name}` is no type: `{owner}` is a union, and a case is not a type of its own",
                f"Write `{owner}`.",
            )
        if last in ("Update", "Property", "State"):
            return f"`{owner}` has no `{last}`", None
    if name in ("Update", "Property"):
        return (
            f"A bare `{name}` means something only inside a component with `state`",
            f"Write the name before it: `Plan.{name}`.",
        )
    if name in FOREIGN_NAMES:
        return message, f"NX has {FOREIGN_NAMES[name]} instead."
    near = nearest_name(name, _type_names(db, scope, name))
    return message, None if near is None else f"Did you mean `{near}`?"


@query
def _declared_types(db: ProgramDatabase, module: str) -> NameIndex:
    return NameIndex.of(queries.visible_type_names(db, module))


@query
def _declared_values(db: ProgramDatabase, module: str) -> NameIndex:
    return NameIndex.of(queries.scope(db, module).values)


def _type_names(db: ProgramDatabase, scope: TypeScope, near: str) -> Iterator[str]:
    """The names of types in scope that may have been meant by ``near``."""
    yield from (parameter for parameter, _ in scope.parameters)
    yield from _declared_types(db, scope.module).near(near)
    yield from PRIMITIVES
    yield from BUILT_IN


# ---------------------------------------------------------------- aliases


def check_alias(db: ProgramDatabase, id: DeclarationId) -> Iterator[Diagnostic]:
    """An alias that stands for itself (semantics 3.12)."""
    if not isinstance(queries.declaration(db, id), AliasDeclaration) or not is_cyclic_alias(db, id):
        return
    way_back = _way_back(db, id)
    others = way_back[:SHOWN_STEPS]
    shown = [f"`{each.name}`" for each in others]
    if len(way_back) > SHOWN_STEPS:
        shown.append("…")
    way = " → ".join((f"`{id.name}`", *shown, f"`{id.name}`"))
    also = [Label(queries.place(db, each), f"`{each.name}` leads back") for each in others]
    whole = queries.place(db, id)
    yield _diagnostic(
        db,
        id,
        "type-alias-cycle",
        f"The alias `{id.name}` stands for itself: {way}",
        (whole.start, whole.end),
        "Let one of them stand for a type that does not lead back.",
        also,
    )


def _way_back(db: ProgramDatabase, id: DeclarationId) -> list[DeclarationId]:
    """The aliases between a cyclic alias and itself, on a shortest way. In a circle too large to
    be shown, the first of some way."""
    circle = alias_circle(db, id)
    if len(circle) > SEARCHED_CIRCLE:
        way = [id]
        while len(way) < SHOWN_STEPS + 2:
            # a declaration is in one circle only, so its first member tells which
            way.append(
                next(
                    each
                    for each in alias_references(db, way[-1])
                    if alias_circle(db, each)[:1] == circle[:1]
                )
            )
        return way[1:]
    came_from: dict[DeclarationId, DeclarationId] = {}
    waiting = [id]
    for each in waiting:
        for target in alias_references(db, each):
            if target == id:
                way = [each]
                while way[-1] != id:
                    way.append(came_from[way[-1]])
                return way[-2::-1]
            if target in circle and target not in came_from:
                came_from[target] = each
                waiting.append(target)
    return []


# ---------------------------------------------------------------- expressions


def check_expressions(db: ProgramDatabase, id: DeclarationId) -> Iterator[Diagnostic]:
    """What the walk over a declaration's expressions found. What spans a syntax error may be
    wrong because of it, and is not reported."""
    broken = _broken(db, id)
    for each in inferred(db, id).findings:
        if any(each.start <= start and end <= each.end for start, end in broken):
            continue
        if each.name is not None and queries.incomplete(db, id.module).may_bind(each.name):
            continue
        help = each.help if each.help is not None else _near(db, id, each)
        span = each.start, each.end
        yield _diagnostic(
            db, id, each.code, each.message, span, help, each.also, severity=each.severity
        )


def _broken(db: ProgramDatabase, id: DeclarationId) -> list[tuple[int, int]]:
    """Where the tree of a declaration lacks something."""
    piece = queries.piece(db, id.module, id.name)
    problems = piece.problems if piece is not None else ()
    return [(each.start, each.end) for each in problems if each.code in INCOMPLETE_TREE]


def _near(db: ProgramDatabase, id: DeclarationId, finding: Finding) -> str | None:
    if finding.name is None:
        return None
    if finding.code == "undefined-identifier":
        declared = _declared_values(db, id.module)
        names = (*finding.candidates, *declared.near(finding.name))
    else:
        names = tuple(_type_names(db, type_scope(db, id), finding.name))
    near = nearest_name(finding.name, names)
    return None if near is None else f"Did you mean `{near}`?"


# ---------------------------------------------------------------- ambiguous imports


def check_ambiguous_names(db: ProgramDatabase, id: DeclarationId) -> Iterator[Diagnostic]:
    """Uses of a name that two imports provide (decision 8)."""
    if not queries.scope(db, id.module).ambiguous:
        return
    piece = queries.piece(db, id.module, id.name)
    if piece is None:
        return
    for namespace, name, node in _uses(db, id, piece.tree):
        found = queries.ambiguity(db, id.module, namespace, name)
        if found is None:
            continue
        imported = Counter(each.path for each in found.sources)
        spelled = []
        also = []
        for each in found.sources:
            if imported[each.path] == 1:
                spelled.append(f'"{each.path}"')
                also.append(Label(each.place, f"`{name}` comes from here"))
            else:  # a library has it in several modules
                spelled.append(f"`{each.declaration.module}`")
                place = queries.name_place(db, each.declaration)
                also.append(Label(place, f"one `{name}` is declared here"))
        yield _diagnostic(
            db,
            id,
            "lowering-error",
            f"`{name}` is provided by {' and '.join(spelled)}; it means the first",
            (node.start, node.end),
            'Give one import a prefix: `import "…" as Other`.'
            if len(imported) > 1
            else "Let only one module of the library export it, or rename one of them.",
            also,
        )


def _uses(
    db: ProgramDatabase, id: DeclarationId, root: tree.PieceNode
) -> Iterator[tuple[queries.Namespace, str, tree.Node]]:
    """The names in a declaration that are looked up at the module's top level."""
    bindings = inferred(db, id).bindings
    parameters = {name for name, _ in type_scope(db, id).parameters}
    for node in tree.walk(root):
        if isinstance(node, (tree.NamedType, tree.AppliedType)):
            name = node.name.text
            if name not in PRIMITIVES and name not in parameters:
                yield "type", name, node.name
        elif isinstance(node, (tree.RecordNode, tree.UnionNode, tree.EmitDefinition)):
            if node.extends is not None:
                yield "type", node.extends.text, node.extends
        elif isinstance(node, tree.ComponentNode):
            if node.extends is not None:
                yield "element", node.extends.text, node.extends
        elif isinstance(node, tree.EmitReference):
            yield "type", node.name.text, node.name
        elif isinstance(node, (tree.Identifier, tree.Element)):
            target = node if isinstance(node, tree.Identifier) else node.tag
            binding = bindings.get(target)
            if binding is not None and binding.kind == "declaration":
                is_value = isinstance(node, tree.Identifier)
                name = node.name if isinstance(node, tree.Identifier) else node.tag.text
                yield ("value" if is_value else "element"), name, target


CHECKS: tuple[Check, ...] = (check_alias, check_types, check_expressions, check_ambiguous_names)
"""What is asked of every declaration, in this order."""
