"""Declarations that are still being typed: one report, and nothing around them is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from syntax_invariants import check_file

UNFINISHED = {
    # text: what the report marks
    "type A = { a:": ":",
    "type A = {\n  na": "na",
    "type A = { a:int b?": "b",
    "type A = { a:int": "{",
    "type A = { a:int = ": "=",
    "type A = { a:int = {": "{",
    "type A = { a:int where": "where",
    "type A = { a:int where >": ">",
    "type A = { a:<function": "<function",
    "type A = { a:(": "(",
    "type A = | a { b:int = <c": "<c",
    "type A extends B.": ".",
    "type A = <function n:int": "<function",
    "action A = { x:int = <b": "<b",
    "let A: <function": "<function",
    "let A: (": "(",
    "let A = <b c": "c",
    "let A = <b c=": "=",
    'let A = <b c="d e=f/>': '"d e=f/>',
    'let A = "one\ntwo words\n}': '"one',
    "let A = { f(1": "(",
    "let A = { if b": "b",
    "let A = <b>if": "if",
    "let A = <b>\n  if c": "c",
    "let A = <b>\n  for c in d": "d",
    "let A = <b>\n  if c is {\n    d =>": "=>",
    "let A = <b>\n  </": "/",
    "let A = <b>\n  <": "<",
    "let A = <b\n  if c is {\n    d": "d",
    "let A = <b\n  if c is {\n    d => e": "e",
    "let A = <b\n  if { c": "c",
    "let A = <b:": "<b",
    "let A = <b c={1 d=2/>": "{",
    "let A = <b c={1 />": "{",
    "let A = <b c={ />": "{",
    "let A(x": "x",
    "let A(x:int, y:": ":",
    "let A(x:int = 1": "(",
    "let <A x:int y": "y",
    "component <A.": ".",
    "component <A extends": "extends",
    "component <A emits { B { n": "n",
    "component <A emits { B\n/> = { <c/> }": "{",
    "component <A /> = { state { a:int\n  <b/> }": "{",
    "component <A /> = { state { a": "a",
    "component <A /> =": "=",
}


@pytest.mark.parametrize("typed", UNFINISHED)
def test_an_unfinished_declaration_is_reported_once_and_keeps_its_name(typed: str) -> None:
    """At the end of a file and above other declarations; neighbours are as without it."""
    above = "let above = 1\n\n"
    below = "\n\n/// Documented.\nexport type Below = { a:int }\nlet last = 2\n"
    for after in ("\n", below):
        file = check_file(above + typed + after)
        names = [piece.outline.name for piece in file.pieces]
        assert names == (["above", "A", "Below", "last"] if after == below else ["above", "A"])
        (found,) = file.problems()
        key, problem = found
        assert key == "A"
        start = file.start_of(key) + problem.start
        assert file.text[start : start + problem.end - problem.start] == UNFINISHED[typed]
    assert file.documentation("Below")[0].text == "Documented."


@pytest.mark.parametrize("words", ["export", "abstract", "export abstract", "private"])
def test_modifiers_of_a_declaration_to_come_leave_the_one_below_alone(words: str) -> None:
    file = check_file(words + "\n\nexport component <Below />\n")
    below = file.pieces[-1]
    assert below.text.startswith("export component")
    assert [key for key, _ in file.problems() if key != "Below"] == [file.pieces[0].key]


@pytest.mark.parametrize("typed", ["component <A /> =", "component <A /> = { state { a"])
def test_the_root_element_is_kept_below_an_unfinished_declaration(typed: str) -> None:
    file = check_file(typed + "\n\n<Root a=1 />\n")
    assert [piece.key for piece in file.pieces] == ["A", "root"]
    assert len(file.problems()) == 1


def test_an_unclosed_string_ends_where_the_next_string_opens() -> None:
    text = 'import "@n\nimport "./a"\nimport { b } from "./c"\nlet x = <a b="d\n  e="f" />\n'
    file = check_file(text)
    assert [piece.key for piece in file.pieces] == ["import#1", "import#2", "import#3", "x"]
    assert [(key, p.start) for key, p in file.problems()] == [("import#1", 7), ("x", 13)]


def test_a_string_of_several_lines_may_hold_declarations() -> None:
    assert check_file('let x = "type it:\nlet y = 1\n"\nlet z = 1').problems() == ()


EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", sorted(EXAMPLES.rglob("*.nx")), ids=lambda path: str(path.relative_to(EXAMPLES))
)
def test_typing_an_example_shows_few_errors_and_loses_nothing(path: Path) -> None:
    """Every declaration of the examples, cut off anywhere, with the ones around it in place."""
    text = path.read_text(encoding="utf-8")
    whole = check_file(text)
    spans = [(s, s + len(p.text)) for s, p in zip(whole.starts, whole.pieces, strict=True)]
    reports = cuts = 0
    for number, (start, end) in enumerate(spans[:-1]):
        if whole.pieces[number + 1].outline.kind == "root":
            continue  # an element in the first column may also belong to what is being typed
        low, high = spans[max(number - 1, 0)][0], spans[number + 1][1]
        for cut in range(start + 1, end, 3):
            file = check_file(text[low:cut] + text[end:high])
            below = whole.pieces[number + 1].outline.name
            assert file.pieces[-1].outline.name == below, file.text
            if number:
                assert file.pieces[0].outline == whole.pieces[number - 1].outline
            reports += len(file.problems())
            cuts += 1
    assert reports <= cuts * 1.05
