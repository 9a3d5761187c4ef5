"""Types without JSON form, and the way from a site to them (schema-contract 8, 11).

The search goes breadth first, so that the way it tells is a shortest one, and finds every
problem in one go. It walks exactly what the document writer would write.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nx_lsp.engine import query
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId, Member
from nx_lsp.schema.keys import declared_name
from nx_lsp.schema.structure import (
    Entry,
    Site,
    case_sites,
    described,
    is_abstract,
    payload_cases,
    record_sites,
    shapes,
)
from nx_lsp.syntax import tree
from nx_lsp.syntax.spelling import spell_type
from nx_lsp.types.display import display_item
from nx_lsp.types.model import (
    CaseType,
    ComponentType,
    Constrained,
    ErrorType,
    FunctionReferenceType,
    FunctionType,
    ItemType,
    MarkupType,
    NeverType,
    ObjectType,
    Primitive,
    RecordType,
    TypeParameterType,
    UnionType,
    UnresolvedType,
    VariableType,
)

Kind = Literal[
    "function", "component", "markup", "childless", "unresolved", "uninferred", "ambiguous"
]
"""Why there is no schema; ``childless`` is an abstract record that nothing extends."""

MAX_WAY_STEPS = 12
"""A longer way is told by its first and last steps."""


@dataclass(frozen=True, slots=True)
class Cause:
    """A type that has no schema.

    ``declaration`` is the abstract record of ``childless`` and ``ambiguous``; ``shapes`` are the
    declarations that share ``discriminator`` in the latter."""

    kind: Kind
    spelling: str
    declaration: DeclarationId | None = None
    discriminator: str | None = None
    shapes: tuple[RecordType | CaseType, ...] = ()


@dataclass(frozen=True, slots=True)
class Reached:
    """A cause and the member that is typed by it.

    ``member`` ``None``: the site that the search started from. ``way`` leads there from the type
    of that site, such as ``Catalog.rows.template`` or ``Tool(FunctionTool).function``."""

    cause: Cause
    member: Member | None
    way: str | None


@dataclass(frozen=True, slots=True)
class _Way:
    """A way as a chain of steps, so that long ways share their beginnings."""

    before: _Way | None
    step: str

    def then(self, step: str) -> _Way:
        return _Way(self, step)

    def text(self) -> str:
        steps: list[str] = []
        way: _Way | None = self
        while way is not None:
            steps.append(way.step)
            way = way.before
        steps.reverse()
        if len(steps) > MAX_WAY_STEPS:
            half = MAX_WAY_STEPS // 2
            steps[half:-half] = ["…"]
        return "".join(steps)


@query
def reachable_problems(db: ProgramDatabase, root: ItemType) -> tuple[Reached, ...]:
    """Everything without JSON form that a schema of ``root`` would mention; nearest first.

    Each member is told at most once for each type and reason."""
    return _Search(db).run(root)


@query
def reachable_entries(db: ProgramDatabase, root: ItemType) -> frozenset[Entry]:
    """Every record, union and case that a schema of ``root`` would describe."""
    search = _Search(db)
    search.run(root)
    return frozenset(search.entries)


class _Search:
    """One breadth-first search."""

    def __init__(self, db: ProgramDatabase) -> None:
        self._db = db
        self._found: dict[tuple[object, Cause], Reached] = {}
        self._queue: list[tuple[Entry, _Way]] = []
        self.entries: set[Entry] = set()

    def run(self, root: ItemType) -> tuple[Reached, ...]:
        self._visit(root, None, _Way(None, _root_name(root)))
        for entry, way in self._queue:  # grows while it is read
            self._expand(entry, way, is_root=way.before is None)
        return tuple(self._found.values())

    def _visit(self, item: ItemType, site: Site | None, way: _Way) -> None:
        """Look at one mention of a type, at ``site`` or at the root."""
        if isinstance(item, RecordType) and is_abstract(self._db, item.declaration):
            self._visit_abstract(item, site, way)
        elif isinstance(item, RecordType):
            self._enqueue(described(item), way)
        elif isinstance(item, (UnionType, CaseType)):
            self._enqueue(item, way)
        elif not isinstance(item, (Primitive, Constrained, ObjectType, TypeParameterType)):
            self._report(Cause(_kind(item), _spelling(item, site)), site, way)

    def _visit_abstract(self, record: RecordType, site: Site | None, way: _Way) -> None:
        below = shapes(self._db, record.declaration)
        spelling = display_item(record)
        if not below:
            self._report(Cause("childless", spelling, record.declaration), site, way)
        by_discriminator: dict[str, list[RecordType | CaseType]] = {}
        for shape in below:
            by_discriminator.setdefault(discriminator(shape), []).append(shape)
        for name, same in by_discriminator.items():
            if len(same) > 1:
                cause = Cause("ambiguous", spelling, record.declaration, name, tuple(same))
                self._report(cause, site, way)
        for shape in below:
            self._enqueue(shape, way.then(f"({discriminator(shape)})"))

    def _enqueue(self, entry: Entry, way: _Way) -> None:
        if entry not in self.entries:
            self.entries.add(entry)
            self._queue.append((entry, way))

    def _expand(self, entry: Entry, way: _Way, *, is_root: bool) -> None:
        match entry:
            case RecordType():
                sites = record_sites(self._db, entry)
            case CaseType():
                sites = case_sites(self._db, entry)
            case UnionType(declaration):
                for case in payload_cases(self._db, declaration):
                    name = discriminator(case)
                    self._enqueue(case, _Way(None, name) if is_root else way.then(f"({name})"))
                return
        for site in sites:
            self._visit(site.type.item, site, way.then(f".{site.member.name}"))

    def _report(self, cause: Cause, site: Site | None, way: _Way) -> None:
        member = site.member if site is not None else None
        key = member_key(member) if member is not None else None
        if (key, cause) not in self._found:
            told = way.text() if member is not None and way.text() != member_name(member) else None
            self._found[key, cause] = Reached(cause, member, told)


def discriminator(shape: RecordType | CaseType) -> str:
    """The ``$type`` of a shape."""
    if isinstance(shape, RecordType):
        return declared_name(shape.declaration)
    return f"{declared_name(shape.union)}.{shape.case}"


def member_key(member: Member) -> tuple[DeclarationId, str, str | None, str]:
    """What tells a member apart from all others in the program."""
    return member.owner, member.role, member.case, member.name


def member_name(member: Member) -> str:
    """A member as messages name it, by the declaration that writes it: ``Row.template``,
    ``Load.failed.reason``, ``Counter.State.count``; a parameter by its name."""
    if member.role == "parameter":
        return member.name
    owner = declared_name(member.owner)
    if member.role == "state":
        owner += ".State"
    elif member.case is not None:
        owner += f".{member.case}"
    return f"{owner}.{member.name}"


def _root_name(item: ItemType) -> str:
    match item:
        case RecordType(declaration, _) | UnionType(declaration):
            return declared_name(declaration)
        case CaseType():
            return discriminator(item)
        case _:
            return ""


def _kind(item: ItemType) -> Kind:
    match item:
        case FunctionType() | FunctionReferenceType():
            return "function"
        case ComponentType():
            return "component"
        case MarkupType():
            return "markup"
        case NeverType() | VariableType():
            return "uninferred"
        case _:
            return "unresolved"


def _spelling(item: ItemType, site: Site | None) -> str:
    """The type as its author wrote it where the site writes it out, else as types are shown."""
    node = site.member.type if site is not None else None
    while isinstance(node, (tree.ParenthesizedType, tree.SuffixedType)):
        node = node.inner
    if isinstance(item, (FunctionType, FunctionReferenceType)) and isinstance(
        node, tree.FunctionTypeNode
    ):
        return spell_type(node)
    if isinstance(item, UnresolvedType):
        return item.spelling
    if isinstance(item, ErrorType) and node is not None and not isinstance(node, tree.MissingType):
        return spell_type(node)
    return display_item(item)
