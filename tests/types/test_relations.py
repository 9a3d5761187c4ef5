"""Satisfaction, joins and comparability, row by row (semantics 3.4, 3.7, 4.4; decisions 1, 10)."""

from __future__ import annotations

import pytest
from typed_programs import MAIN, program, type_of_annotation

from nx_lsp.program.declarations import DeclarationId
from nx_lsp.types.display import display
from nx_lsp.types.model import (
    EMPTY,
    ERROR,
    CaseType,
    ComponentType,
    MarkupType,
    NeverType,
    Occurrence,
    RecordType,
    Type,
    TypeParameterType,
    UnresolvedType,
    VariableType,
)
from nx_lsp.types.relations import comparable, join, satisfies

DECLARED = """
abstract type Animal = { name:string }
abstract type Pet extends Animal = { owner:string }
type Dog extends Pet = { bark:string }
type Cat extends Pet = { mew:string }
type Fish extends Animal = { fins:int }
type Plan = { name:string }
type Page = { T:type item:T }
type Status = active | closed
type Other = active | closed
type Shape extends Animal = circle { r:int } | square { s:int }
type Small = int where in 1..=5
type Wide = int where in 0..=10
action Save = { path:string }
abstract component <Card title:string />
component <Big extends Card /> = { <div/> }
component <Tall extends Card /> = { <div/> }
component <Alone /> = { <div/> }
"""

EXTRA = {
    "error": ERROR,
    "unknown": Type(UnresolvedType("Nope")),
    "never": Type(NeverType()),
    "{}": EMPTY,
    "T0": Type(VariableType(0)),
    "T1": Type(VariableType(1)),
    "T": Type(TypeParameterType(DeclarationId(MAIN, "Page"), "T")),
    "div": Type(MarkupType("div")),
    "div+": Type(MarkupType("div"), Occurrence.SOME),
    "span": Type(MarkupType("span")),
    "Status.active": Type(CaseType(DeclarationId(MAIN, "Status"), "active")),
    "Status.closed": Type(CaseType(DeclarationId(MAIN, "Status"), "closed")),
    "Shape.circle": Type(CaseType(DeclarationId(MAIN, "Shape"), "circle")),
}

_written = sorted(
    """
int|int32|int64|float32|float64|string|boolean|object|Element|int?|int+|int*|string?|string+
object+|object*|object?|Animal|Pet|Dog|Cat|Fish|Plan|Dog+|Pet*|Dog?|<Page T=int/>|<Page T=int32/>
<Page T=Plan/>|<Page T=Small/>|<Page T=(int where > 0 && < 6)/>|Page.Update|Plan.Update|Dog.Update
Pet.Update|Status|Other|Status?|Shape|Small|Wide|int32 where in 2..=3|float64 where >= 0.0|Save
Card|Big|Tall|Alone|Element+|Element?|Plan+|int64?|float64?|float64+|int32+|Plan.Property
<function a:int />: int|<function />: int|<function a:int b:int />: int|<function a:float64 />: int
<function a:int />: float64|<function a?:int />: int|<function content a:int />: int
<function ... />: int|<function ... />: float64|<function ... />: object*|<function />: string+
<function b:int a:int />: int|(<function />: int)+|int where > 0 && < 6|int where in 0..=3
""".replace("\n", "|")
    .strip("|")
    .split("|")
)


@pytest.fixture(scope="module")
def types():
    lines = [f"let probe{index}(): {text} = 1" for index, text in enumerate(_written)]
    db = program(DECLARED + "\n".join(lines))
    found = {text: type_of_annotation(db, f"probe{i}") for i, text in enumerate(_written)}
    return db, {**found, **EXTRA}


SATISFIED = """
int -> int
int32 -> int | int32 -> int64 | int32 -> float64
int -> int64 | int -> float64 | float32 -> float64
int -> object | Plan -> object | Status -> object | div -> object | T -> object | T0 -> object
<function />: int -> object
int -> int? | int -> int+ | int -> int* | int? -> int* | int+ -> int* | int32+ -> float64+
int32 -> int64? | int+ -> object+ | int? -> object? | int? -> object* | int -> object+
{} -> int? | {} -> int* | {} -> object? | never -> int | never -> int+
error -> int | int -> error | unknown -> int+ | int? -> unknown
Dog -> Pet | Dog -> Animal | Pet -> Animal | Dog -> Dog | Dog+ -> Pet* | Dog -> object
<Page T=int/> -> <Page T=int/> | <Page T=Small/> -> <Page T=(int where > 0 && < 6)/>
Big -> Card | Tall -> Card | Big -> Element | Card -> Element
Status.active -> Status | Status.active -> Status? | Shape.circle -> Shape | Shape.circle -> Animal
Shape -> Animal
Plan -> Element | Save -> Element | div -> Element | div+ -> Element+ | object -> Element
Plan.Update -> Element | Plan.Update -> object | Element -> Element
Small -> int | Small -> Wide | Small -> float64 | Small -> int64 | int32 where in 2..=3 -> Small
Small -> int where > 0 && < 6 | int where > 0 && < 6 -> Small | Small -> object
<function />: int -> <function a:int />: int
<function a:int />: int -> <function a:int b:int />: int
<function a:float64 />: int -> <function a:int />: int
<function a:int />: int -> <function a:int />: float64
<function a?:int />: int -> <function a:int />: int
<function a:int b:int />: int -> <function b:int a:int />: int
<function a:int />: int -> <function ... />: int
<function a:int />: int -> <function ... />: float64
<function ... />: int -> <function ... />: float64
<function ... />: int -> <function ... />: object*
<function />: string+ -> <function ... />: object*
T0 -> T0 | T -> T
"""

REFUSED = """
int -> int32 | int64 -> float64 | int64 -> int | int -> float32
int32 -> float32 | float64 -> float32
float32 -> int | int -> string | string -> int | boolean -> int
int? -> int | int+ -> int | int* -> int+ | int* -> int? | int? -> int+ | int+ -> int?
int+ -> object | int? -> object | {} -> int | {} -> int+ | {} -> object
Pet -> Dog | Dog -> Cat | Plan -> Animal | object -> Plan | object -> int
<Page T=int/> -> <Page T=int32/> | <Page T=int32/> -> <Page T=int/>
<Page T=int/> -> <Page T=Plan/>
Card -> Big | Big -> Tall | Alone -> Card
Status -> Other | Status.active -> Other | Status -> Status.active | string -> Status
Animal -> Shape | Shape -> Pet
Status -> Element | Status.active -> Element | int -> Element | string -> Element | T -> Element
Shape -> Element | Element -> Plan | Element -> div | div -> span | Plan -> div
Dog.Update -> Pet.Update | Plan.Update -> Plan | Plan -> Plan.Update
int -> Small | Wide -> Small | float64 -> Small | Small -> int32 | Small -> int where in 0..=3
<function a:int />: int -> <function />: int
<function a:int />: int -> <function a:float64 />: int
<function a:int />: float64 -> <function a:int />: int
<function a:int />: int -> <function a?:int />: int
<function content a:int />: int -> <function a:int />: int
<function ... />: float64 -> <function ... />: int
<function ... />: int -> <function a:int />: int
<function ... />: int -> <function />: int
T0 -> T1 | T0 -> int | int -> T0 | T -> int | int -> T | T -> T0
"""


def pairs(table: str) -> list[tuple[str, str]]:
    rows = [row for line in table.strip().splitlines() for row in line.split(" | ")]
    return [tuple(part.strip() for part in row.split(" -> ", 1)) for row in rows]  # type: ignore[misc]


@pytest.mark.parametrize(("a", "b"), pairs(SATISFIED))
def test_is_accepted_where_expected(types, a, b):
    db, by_text = types
    assert satisfies(db, by_text[a], by_text[b])


@pytest.mark.parametrize(("a", "b"), pairs(REFUSED))
def test_is_refused_where_expected(types, a, b):
    db, by_text = types
    assert not satisfies(db, by_text[a], by_text[b])


JOINS = [
    # rule 1
    ("int", "int", "int"),
    ("never", "int", "int"),
    ("int", "error", "<error>"),
    ("{}", "int", "int?"),
    ("{}", "int+", "int*"),
    ("{}", "{}", "{}"),
    # occurrences
    ("int", "int+", "int+"),
    ("int?", "int+", "int*"),
    ("int?", "float64", "float64?"),
    # rule 2
    ("Status.active", "Status.closed", "Status"),
    ("Status.active", "Status", "Status"),
    ("Status.active", "Status.active", "Status.active"),
    ("Status", "Other", "object"),
    # rule 3
    ("<Page T=int/>", "<Page T=int/>", "<Page T=int />"),
    ("<Page T=int/>", "<Page T=int32/>", "object"),
    ("<Page T=int/>", "Plan", "object"),
    # rule 4
    ("Dog", "Cat", "Pet"),
    ("Dog", "Pet", "Pet"),
    ("Dog", "Fish", "Animal"),
    ("Dog", "Plan", "object"),
    ("Big", "Tall", "Card"),
    ("Big", "Alone", "object"),
    ("Big", "Plan", "object"),
    ("Plan", "Plan.Update", "object"),
    # decision 10
    ("Shape", "Animal", "object"),
    ("Shape.circle", "Animal", "object"),
    # rule 5
    ("<function />: int", "<function a:int />: int", "<function a:int />: int"),
    ("<function a:int />: int", "<function ... />: int", "<function ... />: int"),
    ("<function a:int />: int", "<function content a:int />: int", "<function ... />: object*"),
    # rule 6
    ("int32", "int", "int"),
    ("int32", "float32", "float64"),
    ("int", "float32", "float64"),
    ("int64", "int", "int64"),
    ("int64", "float64", "object"),
    # constraints: the base unless equal
    ("Small", "Wide", "int"),
    ("Small", "int where > 0 && < 6", "int where in 1..=5"),
    ("Small", "int", "int"),
    ("Small", "float64", "float64"),
    # rule 7
    ("int", "string", "object"),
    ("int", "object", "object"),
    ("div", "span", "object"),
    ("div", "div", "div"),
    ("T0", "int", "object"),
    ("T0", "T0", "T0"),
    ("T0", "T1", "object"),
    ("T", "int", "object"),
    ("T", "T", "T"),
]


@pytest.mark.parametrize(("a", "b", "expected"), JOINS)
def test_join(types, a, b, expected):
    db, by_text = types
    assert display(join(db, by_text[a], by_text[b])) == expected


@pytest.mark.parametrize(("a", "b", "expected"), JOINS)
def test_both_branches_fit_their_join(types, a, b, expected):
    db, by_text = types
    joined = join(db, by_text[a], by_text[b])
    assert satisfies(db, by_text[a], joined)
    assert satisfies(db, by_text[b], joined)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("int", "float64", True),
        ("int64", "float64", False),
        ("Small", "Wide", True),
        ("Status.active", "Status.closed", True),
        ("Status", "Status.closed", True),
        ("Status", "Other", False),
        ("<function />: int", "<function content a:int />: int", True),
        ("<function />: int", "<function ... />: float64", True),
        ("Dog", "Animal", True),
        ("Dog", "Cat", False),
        ("int", "string", False),
        ("int", "object", True),
        ("{}", "Plan", True),
        ("error", "Plan", True),
        ("Shape", "Animal", True),
        ("T", "T", True),
        ("T", "int", False),
    ],
)
def test_comparable(types, a, b, expected):
    db, by_text = types
    assert comparable(db, by_text[a].item, by_text[b].item) is expected
    assert comparable(db, by_text[b].item, by_text[a].item) is expected


def test_satisfaction_is_reflexive_and_transitive_without_errors(types):
    db, by_text = types
    known = [t for name, t in by_text.items() if name not in ("error", "unknown")]
    accepted = {(a, b) for a in known for b in known if satisfies(db, a, b)}
    for a in known:
        assert (a, a) in accepted
    for a, b in accepted:
        for c in known:
            if (b, c) in accepted:
                # By semantics 3.4 `object` satisfies `Element`, as a name that nobody declares,
                # and a union satisfies its base but not `Element` (7.3.5).
                into_element = display(c).startswith("Element")
                if into_element and not isinstance(a.item, (RecordType, ComponentType)):
                    continue
                assert (a, c) in accepted, f"{display(a)} → {display(b)} → {display(c)}"


def test_join_is_commutative_and_an_upper_bound_over_the_whole_table(types):
    db, by_text = types
    for a in by_text.values():
        for b in by_text.values():
            joined = join(db, a, b)
            assert satisfies(db, a, joined)
            assert satisfies(db, b, joined)
            if ERROR not in (a, b):
                assert satisfies(db, join(db, b, a), joined)
