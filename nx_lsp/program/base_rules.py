"""Rules of ``extends`` and of inherited members (semantics 3.6, 3.8, 3.9; codes: 5.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import (
    ComponentDeclaration,
    DeclarationId,
    Diagnostic,
    Label,
    Member,
    Place,
    RecordDeclaration,
    UnionDeclaration,
)
from nx_lsp.program.inheritance import (
    MAX_ANCESTORS,
    FoundBase,
    TypeKind,
    base,
    find_base,
    inheritance_circle,
    way_round,
)
from nx_lsp.program.members import (
    base_fields,
    effective_fields,
    effective_properties,
    effective_type_parameters,
)
from nx_lsp.program.near_names import nearest_name
from nx_lsp.program.places import name_place, place
from nx_lsp.program.scopes import incomplete, visible_type_names
from nx_lsp.syntax import tree

Extending = RecordDeclaration | UnionDeclaration | ComponentDeclaration
CODE = "lowering-error"

SHOWN_STEPS = 8
"""Members of a circle that a message names."""

_WITH_ARTICLE: dict[TypeKind, str] = {
    "record": "a record",
    "action": "an action",
    "union": "a union",
    "component": "a component",
    "update record": "an update record",
    "property union": "a property union",
    "state record": "the state of a component",
}


def check_base(db: ProgramDatabase, found: Extending) -> Iterator[Diagnostic]:
    """What is wrong with the ``extends`` clause of a declaration, and with what it inherits."""
    clause = found.node.extends
    target = find_base(db, found.id)
    if clause is not None and target is not None:
        yield from _check_clause(db, found, clause, target)
    if isinstance(found, RecordDeclaration):
        yield from _check_generic(db, found)
    yield from _check_inherited(db, found)


def describe(found: Extending) -> str:
    """A declaration as messages name it: ``the record `Plan` ``."""
    if isinstance(found, UnionDeclaration):
        kind = "union"
    elif isinstance(found, ComponentDeclaration):
        kind = "component"
    else:
        kind = "action" if found.is_action else "record"
    return f"the {kind} `{_shown(found.id)}`"


def _shown(id: DeclarationId) -> str:
    return id.name.partition("#")[0]


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


# ---------------------------------------------------------------- the clause


def _check_clause(
    db: ProgramDatabase, found: Extending, clause: tree.DottedName, target: FoundBase
) -> Iterator[Diagnostic]:
    where = place(db, found.id, clause)
    if inheritance_circle(db, found.id):
        yield _circle(db, found, where)
        return
    if target.fault is None:
        if base(db, found.id) is None:
            yield _too_deep(found, where, target)
        return
    report = _fault(db, found, target)
    if report is None:
        return
    message, advice = report
    labels = [Label(where, primary=True)]
    if target.target is not None:
        labels.append(Label(name_place(db, target.target), "declared here"))
    yield Diagnostic("error", CODE, message, tuple(labels), advice)


def _circle(db: ProgramDatabase, found: Extending, where: Place) -> Diagnostic:
    others = way_round(db, found.id, SHOWN_STEPS + 1)
    message = f"{_capital(describe(found))} extends itself"
    if others:
        through = [f"`{_shown(id)}`" for id in others[:SHOWN_STEPS]]
        if len(others) > SHOWN_STEPS:
            through.append("others")
        message += ", through " + " and ".join(through)
    labels = (Label(name_place(db, id), "part of the circle") for id in others[:SHOWN_STEPS])
    return Diagnostic(
        "error",
        CODE,
        message,
        (Label(where, primary=True), *labels),
        "Remove one `extends` of the circle.",
    )


def _too_deep(found: Extending, where: Place, target: FoundBase) -> Diagnostic:
    return Diagnostic(
        "error",
        CODE,
        f"{_capital(describe(found))} extends too many: `{target.spelling}` has "
        f"{MAX_ANCESTORS} bases above it, and no more are read",
        (Label(where, primary=True),),
        "Put the members of several bases into one.",
    )


def _fault(
    db: ProgramDatabase, found: Extending, target: FoundBase
) -> tuple[str, str | None] | None:
    """Message and help about a written base; ``None`` when nothing is to be reported."""
    module, written = found.id.module, target.spelling
    subject = describe(found)
    wanted = "component" if isinstance(found, ComponentDeclaration) else "record"
    if isinstance(found, RecordDeclaration) and found.is_action:
        wanted = "action"
    if target.fault == "unresolved":
        if incomplete(db, module).may_bind(written):
            return None
        near = nearest_name(written, visible_type_names(db, module))
        message = f"The base `{written}` of {subject} is not declared"
        return message, f"Did you mean `{near}`?" if near else None
    if target.fault == "alias cycle":
        return f"The base `{written}` of {subject} is an alias that leads back to itself", None
    if target.fault == "not a declared type":
        message = f"The base `{written}` of {subject} is no {wanted}"
        return message, f"Only an abstract {wanted} can be extended."
    assert target.kind is not None
    assert target.target is not None
    if target.fault == "wrong kind":
        is_what = _WITH_ARTICLE[target.kind]
        message = f"{_capital(subject)} cannot extend `{written}`, which is {is_what}"
        return message, f"Only an abstract {wanted} can be extended here."
    if target.fault == "concrete":
        message = f"{_capital(subject)} cannot extend `{written}`, which is not abstract"
        origin = db.about(target.target.module)
        if origin is None or origin.origin.bundled:
            return message, None
        return message, f"Write `abstract` before the declaration of `{_shown(target.target)}`."
    message = f"{_capital(subject)} cannot extend `{written}`, which has type parameters"
    return message, "A record with type parameters cannot be extended."


def _check_generic(db: ProgramDatabase, found: RecordDeclaration) -> Iterator[Diagnostic]:
    if not found.type_parameters or found.is_action:
        return
    first = next(node for node in found.node.fields if node.is_type_parameter)
    label = Label(place(db, found.id, first), "a type parameter")
    if found.abstract:
        yield Diagnostic(
            "error",
            CODE,
            f"{_capital(describe(found))} has type parameters, so it cannot be abstract",
            (Label(place(db, found.id, first), primary=True),),
            "Remove `abstract` or the type parameters.",
        )
    if found.node.extends is not None:
        yield Diagnostic(
            "error",
            CODE,
            f"{_capital(describe(found))} has type parameters, so it cannot extend anything",
            (Label(place(db, found.id, found.node.extends), primary=True), label),
            "Remove `extends` or the type parameters.",
        )


# ---------------------------------------------------------------- inherited members


def _check_inherited(db: ProgramDatabase, found: Extending) -> Iterator[Diagnostic]:
    target = base(db, found.id)
    if target is None:
        return
    match found:
        case RecordDeclaration(own_fields=own):
            yield from _check_members(db, effective_fields(db, target), own, "field")
        case UnionDeclaration(cases=cases):
            inherited = base_fields(db, found.id)
            for case in cases:
                yield from _check_members(db, inherited, case.fields, "field")
        case ComponentDeclaration(own_properties=own):
            inherited = effective_properties(db, target)
            yield from _check_members(db, inherited, own, "property")
            yield from _check_type_parameters(db, found, target, inherited)


def _check_members(
    db: ProgramDatabase, inherited: Iterable[Member], own: Iterable[Member], word: str
) -> Iterator[Diagnostic]:
    known = {member.name: member for member in inherited}
    content = next((member for member in known.values() if member.content), None)
    for member in own:
        where = Label(place(db, member.owner, member.node), primary=True)
        earlier = known.get(member.name)
        if earlier is not None:
            owner = _shown(earlier.owner)
            yield Diagnostic(
                "error",
                CODE,
                f"The {word} `{member.name}` is already inherited from `{owner}`",
                (where, Label(place(db, earlier.owner, earlier.node), "inherited from here")),
                "Remove it or give it another name.",
            )
        elif member.content and content is not None:
            owner = _shown(content.owner)
            yield Diagnostic(
                "error",
                CODE,
                f"`{member.name}` is a second `content` {word}: "
                f"`{content.name}` is inherited from `{owner}`",
                (where, Label(place(db, content.owner, content.node), "the inherited one")),
                f"Remove `content` before `{member.name}`.",
            )


def _check_type_parameters(
    db: ProgramDatabase,
    found: ComponentDeclaration,
    target: DeclarationId,
    inherited: Iterable[Member],
) -> Iterator[Diagnostic]:
    """Type parameters share the names of the properties around them, inherited ones too."""
    owners = {name: owner for owner, name in effective_type_parameters(db, target)}
    properties = {member.name: member.owner for member in inherited}
    for node in found.node.properties:
        name = node.name.text
        owner = owners.get(name)
        word = "type parameter"
        if owner is None and node.is_type_parameter:
            owner, word = properties.get(name), "property"
        if owner is not None:
            yield Diagnostic(
                "error",
                CODE,
                f"The {word} `{name}` is already inherited from `{_shown(owner)}`",
                (
                    Label(place(db, found.id, node), primary=True),
                    Label(name_place(db, owner), "inherited from here"),
                ),
                "Give it another name.",
            )
