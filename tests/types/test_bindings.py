"""What a name in an expression refers to, and its type there: what hover asks."""

from __future__ import annotations

import pytest
from typed_programs import MAIN, named, program

from nx_lsp.program import queries
from nx_lsp.syntax import tree
from nx_lsp.types.display import display
from nx_lsp.types.results import binding_of, expression_type

TEXT = """
type Plan = { name:string note?:string }
type Status = active | closed
type Load = ready | failed { message:string }
let limit = 3
let helper(n:int): string = "x"
component <Card title:string emits { Picked { at:int } } /> = { state { n:int = 0 } <div/> }
let f(p:Plan, s:Status = active) = {
  if p.note? { p.note helper(limit) } else { for each, i in 1..3 { each + i } }
}
let g(l:Load) = { if l is { failed => l.message else => Status.closed } }
let h() = <Card title="x" onPicked=<Card.Update n={action.at} />></Card>
let k(u:Plan.Update, p:Plan) = { apply(p, u) }
"""


@pytest.fixture(scope="module")
def db():
    return program(TEXT)


def nodes(db, declaration: str, text: str) -> list[tree.Node]:
    """The nodes of a declaration whose source is exactly ``text``, outermost first."""
    piece = queries.piece(db, MAIN, declaration)
    assert piece is not None
    return [n for n in tree.walk(piece.tree) if piece.text[n.start : n.end] == text]


@pytest.mark.parametrize(
    ("declaration", "text", "kind", "name", "type"),
    [
        ("f", "p", "parameter", "p", "Plan"),
        ("f", "p.note", "member", "note", "string?"),
        ("f", "limit", "declaration", "limit", "int"),
        ("f", "helper", "declaration", "helper", "<function n:int />: string"),
        ("f", "each", "item", "each", "int"),
        ("f", "i", "index", "i", "int"),
        ("f", "active", "case", "active", "Status.active"),
        ("g", "failed", "case", "failed", "Load.failed"),
        ("g", "l.message", "member", "message", "string"),
        ("g", "Status.closed", "case", "closed", "Status.closed"),
        ("g", "Status", "declaration", "Status", None),
        ("h", "Card", "declaration", "Card", None),
        ("h", "title", "member", "title", "string"),
        ("h", "onPicked", "handler", "onPicked", "Card.Picked"),
        ("h", "action", "action", "action", "Card.Picked"),
        ("h", "action.at", "member", "at", "int"),
        ("h", "Card.Update", "declaration", "Card.State.Update", None),
        ("k", "apply", "intrinsic", "apply", None),
    ],
)
def test_a_name_refers_to_its_binding(db, declaration, text, kind, name, type):
    found = [binding_of(db, named(declaration), node) for node in nodes(db, declaration, text)]
    binding = next(each for each in found if each is not None)
    shown = None if binding.type is None else display(binding.type)
    assert (binding.kind, binding.name, shown) == (kind, name, type)


def test_a_member_binding_leads_to_the_text_that_declares_it(db):
    (found,) = {binding_of(db, named("g"), node) for node in nodes(db, "g", "l.message")}
    assert found is not None
    assert found.member is not None
    assert found.member.owner == named("Load")
    assert found.member.case == "failed"


def test_inside_a_branch_a_name_has_its_narrowed_type(db):
    asked, narrowed = nodes(db, "f", "p.note")
    types = [expression_type(db, named("f"), node) for node in (asked, narrowed)]
    assert [display(type) for type in types if type is not None] == ["string?", "string"]


def test_every_expression_of_a_declaration_has_a_type(db):
    for id in queries.declarations(db, MAIN):
        piece = queries.piece(db, MAIN, id.name)
        assert piece is not None
        for node in tree.walk(piece.tree):
            if isinstance(node, (tree.Identifier, tree.Binary, tree.Member, tree.Element)):
                callee = isinstance(node, tree.Identifier) and node.name in ("apply", "Status")
                assert callee or expression_type(db, id, node) is not None


def test_what_is_no_expression_has_no_type(db):
    (name,) = (n for n in nodes(db, "helper", "helper") if isinstance(n, tree.Name))
    assert expression_type(db, named("helper"), name) is None
    assert binding_of(db, named("nowhere"), name) is None
