"""Code lenses: editor-experience 7."""

import pytest
from ide_fixtures import program_of

from nx_lsp.ide.lenses import LensFacts, is_broken, lens_facts, lens_title, lenses
from nx_lsp.ide.options import DEFAULT_OPTIONS, IdeOptions
from nx_lsp.program.declarations import DeclarationId

AGENT = 'import { FunctionTool, ToolContext } from "@nx/agent"\n'
ALL = IdeOptions(lens_copy=True, lens_usage=True, lens_file=True)


def shown(source: str, options: IdeOptions = DEFAULT_OPTIONS) -> list[tuple[str, str]]:
    """What each lens stands at and says."""
    db = program_of(source)
    return [
        (source[each.start : each.end], lens_title(db, "main.nx", each.kind, each.id, options))
        for each in lenses(db, "main.nx", options)
    ]


def offer(name: str, holder: str = "offer") -> str:
    return f"let {holder} = <FunctionTool function={{{name}}} />\n"


def test_a_function_that_is_not_offered_has_its_schema_alone() -> None:
    assert shown("let f(a:int): int = 1\n", ALL) == [("f", "Tool schema")]


def test_markup_has_nothing_unless_it_is_offered() -> None:
    view = "let <View t:string /> = { <p>{t}</p> }\n"
    assert shown(view, ALL) == []
    assert shown(AGENT + view + offer("View")) == [("View", "Tool schema"), ("View", "1 problem")]


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ("", "no arguments"),
        ("a:int", "1 argument"),
        ("a:int, b?:int, c:int = 3", "3 arguments · 2 optional"),
        ("a:int, context:ToolContext", "1 argument"),
        ("a:<function />: int", "1 problem"),
        ("a:<function />: int, b:<function />: int", "2 problems"),
    ],
)
def test_a_tool_says_what_it_takes(parameters: str, told: str) -> None:
    source = f"{AGENT}let f({parameters}): int = 1\n{offer('f')}"
    assert shown(source) == [("f", "Tool schema"), ("f", told)]


def test_all_lenses_of_a_tool() -> None:
    functions = "let f(): int = 1\nlet g(): int = 1\n"
    source = AGENT + functions + offer("f") + offer("f", "another")
    assert shown(source, ALL) == [
        ("", "1 tool · Export…"),
        ("f", "Tool schema"),
        ("f", "no arguments"),
        ("f", "Copy…"),
        ("f", "offered by 2 agents"),
        ("g", "Tool schema"),
    ]
    none = IdeOptions(lens_schema=False, lens_summary=False, lens_descendants=False)
    assert shown(source, none) == []


def test_abstract_records_count_what_extends_them() -> None:
    source = "abstract type A = { }\nabstract type B extends A = { }\n"
    below = "type C extends B = { }\ntype D extends A = | x | y\n"
    assert shown(source + below) == [("A", "2 descendants"), ("B", "1 descendant")]
    assert shown("type A = { }\n") == []


def test_the_setting_names_tools_too() -> None:
    source = "let f(a:int): int = 1\n"
    assert shown(source, IdeOptions(tools=("main.nx#f",))) == [
        ("f", "Tool schema"),
        ("f", "1 argument"),
    ]


def test_what_is_remembered_goes_before_what_a_broken_program_tells() -> None:
    f = DeclarationId("main.nx", "f")
    db = program_of(AGENT + "let f(a:int): int = 1\nlet offer = <FunctionTool function={f /\n")
    assert lens_facts(db, "main.nx")[f] == LensFacts(offered=False, markup=False)
    found = lenses(db, "main.nx", remembered={f: LensFacts(offered=True, markup=False)})
    assert [each.kind for each in found] == ["toolSchema", "summary"]
    # What is gone has no lens, remembered or not.
    gone = {DeclarationId("main.nx", "gone"): LensFacts(offered=True, markup=False)}
    assert [each.kind for each in lenses(db, "main.nx", remembered=gone)] == ["toolSchema"]


@pytest.mark.parametrize(
    ("source", "broken"),
    [
        ("let f(a:int): int = 1\n", False),
        ("let f(a:int): int = \n", True),
        ("let f(a:): int = 1\n", True),
        ("let f(a:int): int = 1\nlet g( = \n", False),
        ("let f(a:Nothing): int = a\n", False),
        ("let g(a:int): int = 1\n", True),
    ],
)
def test_broken_is_what_does_not_parse_or_is_gone(source: str, broken: bool) -> None:
    assert is_broken(program_of(source), DeclarationId("main.nx", "f")) == broken


def test_of_two_functions_with_one_name_the_first_has_lenses() -> None:
    assert shown("let f(): int = 1\nlet f(): int = 2\n") == [("f", "Tool schema")]
