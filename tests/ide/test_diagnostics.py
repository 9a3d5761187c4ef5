"""The problem list: editor-experience 5."""

import pytest
from ide_fixtures import program_of

from nx_lsp.ide.diagnostics import PublishedDiagnostic, module_diagnostics, shown_range
from nx_lsp.ide.options import DEFAULT_OPTIONS, IdeOptions

AGENT = 'import { FunctionTool } from "@nx/agent"\n'
BAD = "let bad(t:<function a:int />: int): int = 1\n"


def schema_diagnostics(
    source: str, options: IdeOptions = DEFAULT_OPTIONS, module: str = "main.nx"
) -> list[PublishedDiagnostic]:
    found = module_diagnostics(program_of(source), module, options)
    return [each for each in found if each.code.startswith("schema-")]


def severities(source: str, options: IdeOptions = DEFAULT_OPTIONS) -> list[str]:
    return [each.severity for each in schema_diagnostics(source, options)]


def test_an_error_while_nothing_names_tools() -> None:
    assert severities(BAD) == ["error"]


def test_a_warning_once_something_names_tools() -> None:
    good = "let good(): int = 1\nlet offer = <FunctionTool function={good} />\n"
    assert severities(AGENT + BAD + good) == ["warning"]
    assert severities(BAD, IdeOptions(tools=("main.nx#other",))) == ["warning"]


def test_an_error_on_a_tool() -> None:
    assert severities(AGENT + BAD + "let offer = <FunctionTool function={bad} />\n") == ["error"]
    quiet = IdeOptions(tools=("main.nx#bad",), other_functions="off")
    assert severities(BAD, quiet) == ["error"]


@pytest.mark.parametrize(
    ("setting", "shown"),
    [("error", ["error"]), ("warning", ["warning"]), ("info", ["info"]), ("hint", ["hint"]),
     ("off", [])],
)  # fmt: skip
def test_the_setting_for_other_functions(setting: str, shown: list[str]) -> None:
    assert severities(BAD, IdeOptions(other_functions=setting)) == shown  # type: ignore[arg-type]


def test_the_setting_for_a_code() -> None:
    code = "schema-inexpressible-type"
    assert severities(BAD, IdeOptions(severity=((code, "hint"),))) == ["hint"]
    assert severities(BAD, IdeOptions(severity=((code, "off"),))) == []
    other = IdeOptions(severity=(("schema-ambiguous-discriminator", "off"),))
    assert severities(BAD, other) == ["error"]


def test_markup_is_quiet_unless_it_is_offered() -> None:
    view = "let <View t:string /> = { <p>{t}</p> }\n"
    assert severities(view) == []
    assert severities(AGENT + view + "let offer = <FunctionTool function={View} />\n") == ["error"]


ROW = """// file: main.nx
import { Row } from "./rows.nx"
let a(row:Row): int = 1
let b(rows:Row+): int = 1
let c(): Row* = { }
let d(row:Row): int = 1
let e(row:Row): int = 1
let f(row:Row): int = 1
let g(row:Row): int = 1
// file: rows.nx
export type Row = {
  id:int
  template:<function
    a:int
  />: int
}
"""


def test_a_member_is_reported_once_however_many_functions_reach_it() -> None:
    found = schema_diagnostics(ROW, module="rows.nx")
    assert len(found) == 1
    first = found[0]
    assert first.code == "schema-inexpressible-type"
    assert "`Row.template`" in first.message
    assert first.data.to_json() == {
        "module": "rows.nx",
        "name": "Row",
        "member": "Row.template",
        "fixes": ["host-supplied"],
    }
    related = [each.message for each in first.related]
    assert related == [
        "Parameter `row` reaches it",
        "`b` has no schema because of it",
        "`c` has no schema because of it",
        "`d` has no schema because of it",
        "`e` has no schema because of it",
        "2 more functions have no schema because of it",
    ]


def test_a_range_is_clipped_to_its_first_line() -> None:
    first = schema_diagnostics(ROW, module="rows.nx")[0]
    source = program_of(ROW).module("rows.nx")
    assert source is not None
    assert source.file.text[first.start : first.end] == "template:<function"


def test_each_site_is_reported_and_leads_to_the_member() -> None:
    found = schema_diagnostics(ROW)
    assert len(found) == 7
    source = program_of(ROW).module("main.nx")
    assert source is not None
    assert source.file.text[found[0].start : found[0].end] == "row:Row"
    related = found[0].related[0]
    assert related.module == "rows.nx"
    assert "`Row.template`" in related.message


def test_help_stands_on_its_own_line() -> None:
    message = schema_diagnostics("let f(a:int) = { f(a) }\n")[0].message
    assert message.split("\n")[1] == "Annotate the result type."


def test_a_broken_declaration_has_no_schema_diagnostics() -> None:
    broken = "let bad(t:<function a:int />: int): int = { ( }\n"
    found = module_diagnostics(program_of(broken), "main.nx")
    assert [each.source for each in found] == ["nx"] * len(found)
    assert found


def test_a_broken_record_has_none_either() -> None:
    found = schema_diagnostics("type Row = { t:<function a:int />: int, }\nlet f(): int = 1\n")
    assert found == []


def test_a_type_error_holds_nothing_back() -> None:
    found = module_diagnostics(program_of("let f(a:Nope): int = 1\n"), "main.nx")
    assert {each.source for each in found} == {"nx", "nx-schema"}


def test_language_diagnostics_come_as_the_language_says() -> None:
    source = "/// See [Nope].\nlet f(a:int?): Nope = 1\ntype A = A\n"
    found = [
        (each.code, each.severity, source[each.start : each.end])
        for each in module_diagnostics(program_of(source), "main.nx")
        if each.source == "nx"
    ]
    assert ("unresolved-doc-link", "warning", "[Nope]") in found
    assert ("unresolved-type", "error", "Nope") in found
    assert ("optional-in-type-slot", "error", "a:int?") in found
    assert "type-alias-cycle" in [code for code, _, _ in found]
    assert found[-1][0] == "unresolved-doc-link"


@pytest.mark.parametrize(
    ("text", "span", "shown"),
    [
        ("abc", (0, 2), (0, 2)),
        ("ab\ncd", (0, 5), (0, 2)),
        ("ab\r\ncd", (0, 6), (0, 2)),
        ("ab\rcd", (0, 5), (0, 2)),
        ("a\u2028b\nc", (0, 5), (0, 3)),
        ("abc", (1, 1), (1, 2)),
        ("ab\ncd", (2, 2), (1, 2)),
        ("a\n\nb", (2, 2), (2, 3)),
        ("\r\nb", (0, 0), (0, 2)),
        ("abc", (3, 3), (3, 3)),
        ("abc", (7, 9), (3, 3)),
        ("", (0, 0), (0, 0)),
    ],
)
def test_shown_ranges(text: str, span: tuple[int, int], shown: tuple[int, int]) -> None:
    assert shown_range(text, *span) == shown
