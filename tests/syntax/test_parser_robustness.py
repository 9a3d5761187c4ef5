"""Broken, mutated and absurd text: never an exception, always a sane tree."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syntax_invariants import check_file, check_lossless, fixtures

from nx_lsp.syntax.source_file import SyntaxFile

VALID = fixtures("valid")
ALL = VALID + fixtures("broken")


@pytest.mark.parametrize(("name", "text"), VALID, ids=[name for name, _ in VALID])
def test_valid_fixtures_have_no_problem_and_lose_nothing(name: str, text: str) -> None:
    file = check_file(text)
    assert [problem.message for _, problem in file.problems()] == []
    for piece in file.pieces:
        check_lossless(piece)


@pytest.mark.parametrize(("name", "text"), ALL, ids=[name for name, _ in ALL])
def test_invariants_hold_for_fixtures(name: str, text: str) -> None:
    check_file(text)
    check_file(text.replace("\n", "\r\n"))
    check_file("\ufeff" + text)


_SNIPPETS = [
    *"{}()<>/=:,.|?+-*%!\"[]@\\&;\n aT1#'é😀\u2028\x0c\x00",
    "if ", "else ", "for ", "Type ", "\nlet ", "=> ", "</", "/>", "//", "/*", "<!--", "..",
    "where ", "emits ", "state ", "in ", "extends ", "component <", "import ", "export ",
    "<a>", "</a>", "@{",
]  # fmt: skip


def _mutate(text: str, choose: random.Random) -> str:
    for _ in range(choose.randint(1, 4)):
        start = choose.randrange(len(text) + 1)
        end = min(len(text), start + choose.choice([1, 1, 2, 5, 20]))
        other = choose.randrange(len(text) + 1)
        text = choose.choice(
            [
                text[:start] + text[end:],
                text[:start] + choose.choice(_SNIPPETS) + text[start:],
                text[:start] + choose.choice(_SNIPPETS) + text[end:],
                text[:end] + text[start:end] + text[end:],
                text[:start] + text[other : other + end - start] + text[end:],
            ]
        )
    return text


@pytest.mark.parametrize("seed", range(12))
def test_mutated_fixtures(seed: int) -> None:
    choose = random.Random(seed)
    for _ in range(40):
        check_file(_mutate(choose.choice(ALL)[1], choose))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 110))
def test_many_mutated_fixtures(seed: int) -> None:
    choose = random.Random(seed)
    for _ in range(400):
        check_file(_mutate(choose.choice(ALL)[1], choose))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(_SNIPPETS), max_size=40).map("".join))
def test_token_soup(text: str) -> None:
    check_file(text)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60))
def test_any_text(text: str) -> None:
    check_file(text)


def test_every_prefix_of_a_file_can_be_read() -> None:
    text = dict(VALID)["everything"]
    for end in range(0, len(text), 7):
        check_file(text[:end])


# ---------------------------------------------------------------- depth

DEEP = {
    "parentheses": ("let x = {", "(", "1", ")", "}"),
    "braces": ("let x = ", "{", "", "}", ""),
    "elements": ("", "<a>", "", "</a>", ""),
    "minus": ("let x = {", "-", "1", "", "}"),
    "not": ("let x = {", "!", "b", "", "}"),
    "sum": ("let x = {", "a+", "a", "", "}"),
    "fallback": ("let x = {", "a??", "a", "", "}"),
    "members": ("let x = {a", ".b", "", "", "}"),
    "calls": ("let x = {f", "()", "", "", "}"),
    "arguments": ("let x = {", "f(", "", ")", "}"),
    "tests": ("let x = {f", "? ", "", "", "}"),
    "types in parentheses": ("type A = ", "(", "int", ")", ""),
    "suffixes": ("type A = int", "?", "", "", ""),
    "function types": ("type A = ", "<function a:", "int", "/>:int", ""),
    "results": ("type A = ", "<function/>:", "int", "", ""),
    "applied types": ("type A = ", "<A T=", "int", "/>", ""),
    "if": ("let x = {", "if a {", "", "}", "}"),
    "conditions": ("let x = {", "if ", "a", "{}", "}"),
    "for": ("let x = {", "for a in b {", "", "}", "}"),
    "match": ("let x = {", "if a is {1 => ", "1", "}", "}"),
    "body if": ("<p>", "if a {", "<b/>", "}", "</p>"),
    "property if": ("<p ", "if a {", "b=1", "}", "/>"),
    "element or relation": ("let x = ", "{a <b ", "", "}", ""),
    "element or relation with body": ("let x = {", "a <b>{", "", "}</b>", "}"),
    "element or relation with property": ("let x = {", "a <b x={", "", "}/>", "}"),
    "element values": ("let x = ", "<a b=", "1", "/>", ""),
    "unbraced sums": ("let x = ", "<a b=", "1", "/> + 1", ""),
    "indexing": ("let x = {a", "[a", "", "]", "}"),
    "text": ("<p:>", "<b>", "x", "</b>", "</p>"),
}


@pytest.mark.parametrize("name", DEEP)
@pytest.mark.parametrize("closed", [True, False])
def test_depth_is_reported_once_and_not_built(name: str, closed: bool) -> None:
    before, opener, inner, closer, after = DEEP[name]
    count = 3000
    text = before + opener * count + inner + (closer * count + after if closed else "")
    file = check_file(text)
    reports = [p for _, p in file.problems() if p.message.startswith("Nested too deeply")]
    assert len(reports) == 1 or name in ("element or relation",), file.problems()[:3]


@pytest.mark.slow
@pytest.mark.parametrize("name", DEEP)
def test_extreme_depth_is_harmless(name: str) -> None:
    before, opener, inner, _closer, _after = DEEP[name]
    check_file(before + opener * 100_000 + inner)


def test_depth_within_the_limit_is_fine() -> None:
    text = "let x = {" + "(" * 380 + "1" + ")" * 380 + "}"
    assert SyntaxFile.parse(text).problems() == ()


# ---------------------------------------------------------------- characters that begin no token

JUNK = ["# ", "; ", "#\n", ";\n", "& ", "#/**/", "; // x\n", "§", "\u00a0 ", "\\ ", "# & ; "]
SURROUNDINGS = {
    "file": "{}",
    "braces": "let x = {{ {} }}",
    "fields": "type A = {{ a:int {} }}",
    "tag": "<a {} />",
    "parameters": "let f(a:int {}) = 1",
    "type": "type A = {} int",
}


@pytest.mark.parametrize("unit", JUNK)
@pytest.mark.parametrize("place", SURROUNDINGS)
def test_runs_of_characters_that_begin_no_token(unit: str, place: str) -> None:
    """However long, they cost their length in time and no recursion; what follows is kept."""
    text = SURROUNDINGS[place].format(unit * 4_000) + "\ntype After = { a:int }\n"
    file = check_file(text)
    after = file.pieces[-1]
    assert (after.outline.kind, after.outline.name, after.problems) == ("record", "After", ())
    if "/" not in unit and "&" not in unit:
        assert len([p for _, p in file.problems() if p.start < len(text) - 25]) == 1
