"""The notation itself: a wrong expectation must fail, and name the line of the Markdown file."""

from __future__ import annotations

import pytest
from mdtest import (
    SCHEMA_URI,
    Case,
    MarkdownError,
    Reported,
    Subject,
    differing_diagnostics,
    differing_json,
    read_cases,
)
from test_spec import failures, unsound


def cases(text: str) -> list[Case]:
    return read_cases("page.md", text)


def one(text: str) -> Case:
    (case,) = cases(text)
    return case


ERROR = Reported("error", "syntax-error", "Expected a value.", "main.nx", 1, 9, "=")


def test_fences_of_one_section_are_modules_of_one_program() -> None:
    case = one('# A\n## B\n```nx title="a.nx"\nlet a = 1\n```\ntext\n```nx\nlet b = 2\n```\n')
    assert case.modules == {"a.nx": "let a = 1\n", "main.nx": "let b = 2\n"}
    assert (case.heading, case.at, case.entry) == ("B", 3, "main.nx")


def test_a_name_that_is_taken_begins_another_program() -> None:
    first, second = cases("# A\n```nx\nlet a = 1\n```\n```nx\nlet b = 2\n```\n")
    assert first.modules == {"main.nx": "let a = 1\n"}
    assert second.modules == {"main.nx": "let b = 2\n"}
    assert second.at == 5


def test_a_heading_begins_another_program() -> None:
    first, second = cases('# A\n```nx\n```\n## B\n```nx title="b.nx"\n```\n')
    assert list(first.modules) == ["main.nx"]
    assert list(second.modules) == ["b.nx"]


def test_expectations_are_taken_out_of_the_text() -> None:
    case = one('```nx\nlet a = 1  // error: [a-b] @"= 1" @7 "no" // warning: [c]\n```\n')
    assert case.modules == {"main.nx": "let a = 1\n"}
    first, second = case.expected
    assert (first.severity, first.code, first.source) == ("error", "a-b", "= 1")
    assert (first.column, first.messages, first.line, first.at) == (7, ("no",), 1, 2)
    assert (second.severity, second.code, second.messages) == ("warning", "c", ())


def test_other_comments_stay() -> None:
    assert one("```nx\nlet a = 1 // error-prone\n```\n").modules["main.nx"].count("//") == 1


def test_an_expect_block_names_lines() -> None:
    case = one('```nx\na\nb\n```\n```expect\n2: error: [x] "y"\nprogram: error: [z]\n```\n')
    first, second = case.expected
    assert (first.module, first.line, first.at) == ("main.nx", 2, 6)
    assert (second.module, second.line) == (None, None)


def test_an_expectation_of_a_function_is_apart() -> None:
    case = one("```nx\nlet f() = 1 // error of f given a.nx#B: [x]\n```\n")
    assert case.expected[0].subject == Subject("f", None, None, (("a.nx", "B"),))
    assert differing_diagnostics(case, []) == []
    assert len(differing_diagnostics(case, [], case.expected[0].subject)) == 1


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("```nx\nlet a = 1 // error: oops\n```\n", 2),
        ("```nx\nlet a = 1 // error: [x] oops\n```\n", 2),
        ("```nx\nlet a = 1\n", 1),
        ("- x\n  ```nx\n  ```\n", 2),
        ("```nix\n```\n", 1),
        ("```nx types.nx\n```\n", 1),
        ("```nx\n```\n\n```expect\nerror: [x]\n```\n", 5),
        ("```nx\na\n```\n```expect\n3: error: [x]\n```\n", 5),
        ("```nx\na\n```\n```expect\nb.nx:1: error: [x]\n```\n", 5),
        ('```nx\na\n```\n```json title="in of f"\n{}\n```\n', 4),
        ('```nx\na\n```\n```json title="input of f"\n{]\n```\n', 4),
        ('```nx\na\n```\n```json title="input of f"\n{"a":1,"a":1}\n```\n', 4),
        ('```json title="input of f"\n{}\n```\n', 1),
        ('# A\n```nx\n```\n# B\n```json title="input of f"\n{}\n```\n', 5),
    ],
)
def test_what_does_not_follow_the_notation_is_refused(text: str, line: int) -> None:
    with pytest.raises(MarkdownError, match=rf"^page\.md:{line}: "):
        cases(text)


@pytest.mark.parametrize(
    "comment",
    [
        "// warning: [syntax-error]",
        "// error: [type-mismatch]",
        '// error: [syntax-error] "another message"',
        '// error: [syntax-error] @"=1"',
        "// error: [syntax-error] @8",
    ],
)
def test_a_wrong_expectation_fails_twice(comment: str) -> None:
    """Once as not reported, once as not expected."""
    problems = differing_diagnostics(one(f"```nx\nlet x =    {comment}\n```\n"), [ERROR])
    assert len(problems) == 2
    assert all(problem.startswith("page.md:2: ") for problem in problems)


def test_a_right_expectation_passes() -> None:
    case = one('```nx\nlet x =    // error: [syntax-error] @9 @"=" "a value"\n```\n')
    assert differing_diagnostics(case, [ERROR]) == []


def test_one_expectation_covers_one_report() -> None:
    case = one("```nx\nlet x =    // error: [syntax-error]\n```\n")
    assert len(differing_diagnostics(case, [ERROR, ERROR])) == 1


def test_an_unlisted_report_fails() -> None:
    (problem,) = differing_diagnostics(one("text\n```nx\nlet x =\n```\n"), [ERROR])
    assert problem.startswith("page.md:3: not expected: main.nx:1:9: error: [syntax-error]")


def test_json_is_compared_with_the_order_of_its_members() -> None:
    assert differing_json({"a": 1, "b": [1]}, {"a": 1, "b": [1]}) is None
    assert differing_json({"a": 1, "b": 2}, {"b": 2, "a": 1}) is not None
    assert differing_json({"a": 0}, {"a": 0.0}) is not None
    assert differing_json({"a": 1}, {"a": True}) is not None
    assert differing_json(None, {}) is not None


def test_the_schema_uri_may_be_left_out_only_where_it_is_right() -> None:
    assert differing_json({"a": 1}, {"$schema": SCHEMA_URI, "a": 1}) is None
    assert differing_json({"a": 1}, {"a": 1, "$schema": SCHEMA_URI}) is not None
    assert differing_json({"a": 1}, {"$schema": "draft-07", "a": 1}) is not None


def test_a_document_is_unsound_with_a_dangling_or_an_idle_definition() -> None:
    record = {"type": "object"}
    base = {"$schema": SCHEMA_URI}
    assert unsound({**base, "$ref": "#/$defs/A", "$defs": {"A": record}}) is None
    assert unsound({**base, "$ref": "#/$defs/B", "$defs": {"A": record}}) is not None
    assert unsound({**base, "type": "object", "$defs": {"A": record}}) is not None
    assert unsound({**base, "type": "objekt"}) is not None
    assert unsound({"type": "object"}) is not None


@pytest.mark.parametrize("folder", ["syntax", "program"])
def test_the_runner_notices_a_missing_error(folder: str) -> None:
    text = '```nx\nlet x = 1    // error: [syntax-error] "never"\n```\n'
    (case,) = read_cases(f"{folder}/page.md", text)
    assert failures(case)
    (right,) = read_cases(f"{folder}/page.md", "```nx\nlet x = 1\n```\n")
    assert failures(right) == []


def test_the_runner_notices_a_wrong_document() -> None:
    source = '```nx\nlet f(): int = 1\n```\n```json title="output of f"\n{"type": "%s"}\n```\n'
    (right,) = read_cases("schema/page.md", source % "integer")
    assert failures(right) == []
    (wrong,) = read_cases("schema/page.md", source % "number")
    (problem,) = failures(wrong)
    assert problem.startswith("schema/page.md:4: output of f:")


@pytest.mark.parametrize(
    ("kind", "values", "count"),
    [
        ("values", "[1, 2]", 0),
        ("values", '[1, "x", null]', 2),
        ("no values", '["x", null]', 0),
        ("no values", '[1, "x"]', 1),
    ],
)
def test_the_runner_notices_a_wrong_value(kind: str, values: str, count: int) -> None:
    text = f'```nx\nlet f(): int = 1\n```\n```json title="{kind} for output of f"\n{values}\n```\n'
    (case,) = read_cases("schema/page.md", text)
    problems = failures(case)
    assert len(problems) == count
    assert all(p.startswith(f"schema/page.md:4: {kind} for output of f:") for p in problems)


def test_the_runner_notices_a_wrong_grouping() -> None:
    source = '```nx\nlet f = { a + b }\n```\n```text title="grouping"\nf = {%s}\n```\n'
    (right,) = read_cases("syntax/page.md", source % "(a + b)")
    assert failures(right) == []
    (wrong,) = read_cases("syntax/page.md", source % "(b + a)")
    (problem,) = failures(wrong)
    assert problem.startswith("syntax/page.md:4: f is grouped differently")
