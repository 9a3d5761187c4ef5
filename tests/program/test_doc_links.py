"""Doc links: what is one, and where it leads (semantics 2.9)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from program_reports import all_reports, main, only, program, spans

from nx_lsp.program.declarations import RecordDeclaration
from nx_lsp.program.doc_links import find_doc_links
from nx_lsp.program.loading import from_sources
from nx_lsp.program.queries import (
    case_documentation,
    declaration,
    documentation,
    member_documentation,
)


def links(text: str) -> list[tuple[str, str]]:
    return [(link.target, text[link.start : link.end]) for link in find_doc_links(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("See [Plan].", [("Plan", "[Plan]")]),
        ("See [`Plan.price`].", [("Plan.price", "[`Plan.price`]")]),
        ("[a.b-c.d]", [("a.b-c.d", "[a.b-c.d]")]),
        ("a [b] c [d]\ne [f]", [("b", "[b]"), ("d", "[d]"), ("f", "[f]")]),
        ("- one [a]\n  more [b]\n> quoted [c]", [("a", "[a]"), ("b", "[b]"), ("c", "[c]")]),
        ("# Title [a] #\n\nText [b]", [("a", "[a]"), ("b", "[b]")]),
        ("*so [a] it is*", [("a", "[a]")]),
        # a tab of which a list or quote takes a part
        ("- one\n\t[b]", [("b", "[b]")]),
        ("1. one\n\n\t[b]\n\t[c]", [("b", "[b]"), ("c", "[c]")]),
        (">\t- [a]\n>\t\t[b]", [("a", "[a]"), ("b", "[b]")]),
        # no links: a destination, a reference, a definition, code, escapes, other text
        ("[a](there)", []),
        ("[a][b] and [c][]", []),
        ("[some text][b]", []),
        ("![a] and x![b]", []),
        ("![some [a] text][b]", [("a", "[a]")]),
        # what only looks like the second part of a reference or like an image
        ("a][b]", [("b", "[b]")]),
        ("\\[a\\][b]", [("b", "[b]")]),
        ("\\![a] ! [b]", [("a", "[a]"), ("b", "[b]")]),
        ("[a] [b]", [("a", "[a]"), ("b", "[b]")]),
        ("[a]\n\n[a]: http://example.com", []),
        ("[`a`]\n\n[`A`]: http://example.com", []),
        ("`[a]`", []),
        ("``x [a] y``", []),
        ("```\n[a]\n```", []),
        ("text\n\n    [a]", []),
        ("\\[a]", []),
        ("[a b] [1] [^a] [] [-a] [a.] [.a] [ a ]", []),
        ("[about [a] more](there)", []),
        ("<div>\n[a]\n</div>", []),
    ],
)
def test_what_a_doc_link_is(text: str, found: list[tuple[str, str]]) -> None:
    assert links(text) == found


@given(st.text(alphabet="[]ab`.()\\\n>-# *\t!<&;\0", max_size=60))
def test_any_text_has_its_links_where_they_say(text: str) -> None:
    for target, covered in links(text):
        assert covered in (f"[{target}]", f"[`{target}`]")


_MARGINS = st.text(alphabet=" \t>", max_size=4)
_MARKERS = st.sampled_from(["", "- ", "-\t", "1. ", ">", "> ", "# ", "\t", "  "])


@given(st.lists(st.tuples(_MARGINS, _MARKERS, _MARKERS), min_size=1, max_size=5))
def test_links_are_where_they_say_behind_any_markers(margins: list[tuple[str, str, str]]) -> None:
    text = "\n".join("".join(margin) + "[link] x" for margin in margins)
    for target, covered in links(text):
        assert (target, covered) == ("link", "[link]")


# ---------------------------------------------------------------- documentation

DOCUMENTED = """
/// A plan.
///
///   Indented.
type Plan = {
  /// Its name.
  name:string
  price:int     /// In cents,
                /// always.
}
/// Both.
type Status =
  | active   /// Running.
  | done {
      /// Why.
      why:string
    }
/// Moves.
component <C
  /// Far.
  far:boolean
  emits {
    /// Gone.
    Moved { x:int }
  }
/> = { <b/> }
"""


def test_documentation_of_declarations_members_and_cases() -> None:
    db = program(main=DOCUMENTED)
    assert documentation(db, main("Plan")) == "A plan.\n\n  Indented."
    plan = declaration(db, main("Plan"))
    assert isinstance(plan, RecordDeclaration)
    name, price = plan.own_fields
    assert member_documentation(db, name) == "Its name."
    assert member_documentation(db, price) == "In cents,\nalways."
    assert case_documentation(db, main("Status"), "active") == "Running."
    assert case_documentation(db, main("Status"), "done") is None
    assert documentation(db, main("C")) == "Moves."
    assert documentation(db, main("C.Moved")) == "Gone."
    assert documentation(db, main("Plan.Update")) is None
    assert documentation(db, main("Nope")) is None


# ---------------------------------------------------------------- resolution

LINKED = """
type Alias = Plan
type Money = {{ cents:int }}
{doc}
type Plan = {{ name:string price:Money }}
type Status = active | failed {{ why:string }}
let limit = 3
component <Card title:string emits {{ Moved {{ x:int }} }} /> = {{ state {{ n:int = 0 }} <b/> }}
let f(size:int) = {{size}}
"""


@pytest.mark.parametrize(
    "name",
    [
        "name",
        "price.cents",
        "Plan",
        "Plan.name",
        "Plan.Update",
        "Plan.Update.name",
        "Plan.Property.name",
        "Alias",
        "Alias.name",
        "Status.active",
        "Status.failed.why",
        "limit",
        "Card.title",
        "Card.n",
        "Card.State.n",
        "Card.Moved.x",
        "f.size",
        "Range.start",
        "Other",
        "Other.Far",
        "Other.Far.x",
    ],
)
def test_links_that_lead_somewhere(name: str) -> None:
    text = 'import "./other.nx" as Other\n' + LINKED.format(doc=f"/// See [{name}].")
    db = program(main=text, other="export type Far = { x:int }\n")
    assert all_reports(db) == ()


@pytest.mark.parametrize(
    "name", ["Nope", "Plan.nope", "nam", "Status.why", "f.other", "Other.Nope"]
)
def test_links_that_lead_nowhere_are_warnings(name: str) -> None:
    text = 'import "./other.nx" as Other\n' + LINKED.format(doc=f"/// See [{name}].")
    db = program(main=text, other="export type Far = { x:int }\n")
    report = only(db)
    assert (report.severity, report.code) == ("warning", "unresolved-doc-link")
    assert spans(db) == [("unresolved-doc-link", f"[{name}]")]


def test_a_link_in_a_later_line_is_found_in_the_source() -> None:
    db = program(main="let a = 1\n\n/// One.\n///\n///  - see [Nope]\nlet b = 2\n")
    assert spans(db) == [("unresolved-doc-link", "[Nope]")]


def test_members_documented_inside_see_their_siblings() -> None:
    db = program(
        main="""
type Plan = {
  /// Like [price].
  name:string
  price:int
}
type Status =
  /// Unlike [failed], with [why].
  | done { why:string /// See [done] and [nope].
    }
  | failed
let f(
  /// At least [b].
  a:int,
  b:int
) = {a}
"""
    )
    assert spans(db) == [("unresolved-doc-link", "[nope]")]


def test_a_misspelled_link_is_suggested() -> None:
    db = program(main="/// See [pirce].\ntype Plan = { price:int }\n")
    assert only(db).help is not None
    assert only(db).help != "Did you mean `[price]`?"  # two edits in five letters are too far
    db = program(main="/// See [prise].\ntype Plan = { price:int }\n")
    assert only(db).help == "Did you mean `[price]`?"


def test_links_that_a_failed_import_may_explain_are_not_reported() -> None:
    db = from_sources({"main.nx": 'import "./gone"\n/// See [Far].\nlet a = 1\n'})
    assert [code for code, _ in spans(db)] == ["lowering-error"]
