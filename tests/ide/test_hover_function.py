"""Hover on functions: editor-experience 4.1 and 4.2."""

import json
from dataclasses import replace

import pytest
from ide_fixtures import all_fences_closed, fences, hover_at, hovered_text, markdown_at

from nx_lsp.ide.options import DEFAULT_OPTIONS, IdeOptions
from nx_lsp.program.declarations import DeclarationId, Place

EXAMPLE = """import { FunctionTool, ToolContext } from "@nx/agent"
type Plan = { name:string seats:int }

/// Finds plans that fit a team.
///
/// Prices are monthly, in US dollars.
let <|>findPlans(
  /// How many people need a seat.
  teamSize:int where > 0,
  maxMonthlyPrice?:int,
  context:ToolContext
): Plan* = { <Plan name="Team" seats={teamSize} /> }

let offer = <FunctionTool function={findPlans} />
"""

# Word for word the hover that editor-experience 4.1 shows, without its links.
SHOWN = """```nx
let findPlans(
  teamSize:int where > 0,
  maxMonthlyPrice?:int,
  context:ToolContext
): Plan*
```
**Tool** `find_plans` · 2 arguments, 1 optional · `context` is filled in by the host

Finds plans that fit a team.

Prices are monthly, in US dollars.

---
**Input schema**
```json
{
  "type": "object",
  "properties": {
    "teamSize": {
      "type": "integer",
      "minimum": 1,
      "description": "How many people need a seat."
    },
    "maxMonthlyPrice": { "type": "integer" }
  },
  "required": ["teamSize"],
  "additionalProperties": false
}
```
**Output schema**
```json
{
  "type": "array",
  "items": { "$ref": "#/$defs/Plan" },
  "$defs": {
    "Plan": {
      "type": "object",
      "properties": {
        "$type": { "const": "Plan" },
        "name": { "type": "string" },
        "seats": { "type": "integer" }
      },
      "required": ["$type", "name", "seats"],
      "additionalProperties": false
    }
  }
}
```"""


def test_the_example_of_the_specification() -> None:
    assert markdown_at(EXAMPLE) == SHOWN


@pytest.mark.parametrize("use", ["function={find<|>Plans}", "function={<|>findPlans}"])
def test_a_use_shows_the_same(use: str) -> None:
    text = EXAMPLE.replace("<|>", "").replace("function={findPlans}", use)
    assert markdown_at(text) == SHOWN
    assert hovered_text(text) == "findPlans"


def test_an_import_shows_the_same() -> None:
    exported = EXAMPLE.replace("let <|>find", "export let find")
    text = 'import { find<|>Plans } from "./tools.nx"\n'
    text = f"// file: main.nx\n{text}// file: tools.nx\n{exported}"
    assert markdown_at(text) == SHOWN.replace("let findPlans", "export let findPlans")


class _Links:
    def to_place(self, place: Place) -> str | None:
        return f"file:///w/{place.module}#L{place.start}"

    def to_command(self, command: str, function: DeclarationId) -> str | None:
        return f"command:{command}?{function.name}"


def test_links_are_last_and_only_for_clients_that_run_them() -> None:
    with_links = replace(DEFAULT_OPTIONS, command_links=True)
    found = hover_at(EXAMPLE, with_links, links=_Links())
    assert found is not None
    assert found.markdown == SHOWN + (
        "\n[Open full schema](command:nxlsp.showToolSchema?findPlans)"
        " · [Copy as…](command:nxlsp.copyToolSchema?findPlans)"
    )
    assert "command" not in found.plain_text
    without = hover_at(EXAMPLE, links=_Links())
    assert without is not None
    assert without.markdown == SHOWN


def test_plain_text_has_the_same_order() -> None:
    found = hover_at(EXAMPLE)
    assert found is not None
    lines = found.plain_text.split("\n")
    assert lines[:7] == [
        "let findPlans(",
        "  teamSize:int where > 0,",
        "  maxMonthlyPrice?:int,",
        "  context:ToolContext",
        "): Plan*",
        "",
        "Tool find_plans · 2 arguments, 1 optional · context is filled in by the host",
    ]
    at = lines.index("INPUT SCHEMA")
    assert lines[at + 1 : at + 3] == ["  {", '    "type": "object",']
    assert "OUTPUT SCHEMA" in lines
    assert not any(mark in found.plain_text for mark in ("```", "**", "---"))


def test_a_signature_of_80_columns_stands_on_one_line() -> None:
    name = "f" + "x" * 60
    assert len(f"let {name}(a:int): string") == 80
    assert f"let {name}(a:int): string\n" in markdown_at(f'let <|>{name}(a:int): string = "x"')
    longer = markdown_at(f'let <|>x{name}(a:int): string = "x"')
    assert f"let x{name}(\n  a:int\n): string\n" in longer


def test_an_inferred_result_is_shown_and_said() -> None:
    lines = markdown_at("let <|>f(a:int) = { a }").split("\n")
    assert lines[:6] == [
        "```nx",
        "let f(a:int): int",
        "```",
        "*result type inferred*",
        "",
        "**Function** · 1 argument",
    ]


def test_a_function_without_parameters() -> None:
    shown = markdown_at("let <|>f(): int = 1")
    assert "**Function** · no arguments" in shown
    assert '{ "type": "object", "properties": {}, "additionalProperties": false }' in shown


def test_problems_stand_before_the_schemas_that_they_explain() -> None:
    shown = markdown_at(
        "type Row = { template:<function a:int />: string }\nlet <|>f(row:Row, t:Nope): int = 1\n"
    )
    problems, schemas = shown.split("\n---\n")
    bullets = [line for line in problems.split("\n") if line.startswith("- ")]
    assert len(bullets) == 2
    assert all(line.startswith("- `schema-inexpressible-type` ") for line in bullets)
    assert "`Row.template`" in bullets[0]
    assert "`t`" in bullets[1]
    assert schemas.startswith(
        "**Input schema**\n*No input schema: see problems above.*\n\n**Output schema**\n```json"
    )


def test_a_problem_elsewhere_links_to_its_member() -> None:
    text = "type Row = { t:<function a:int />: string }\nlet <|>f(row:Row): int = 1\n"
    found = hover_at(text, links=_Links())
    assert found is not None
    assert "[Go to it](file:///w/main.nx#L13)" in found.markdown


def test_a_result_that_cannot_be_inferred() -> None:
    shown = markdown_at("let <|>f(a:int) = { f(a) }")
    assert "let f(a:int): ?\n" in shown
    assert "result type inferred" not in shown
    assert "*No output schema: see problems above.*" in shown
    assert "**Input schema**\n```json" in shown


def test_markup_is_not_callable() -> None:
    shown = markdown_at("/// Shows a title.\nlet <<|>Title text:string /> = { <h1>{text}</h1> }")
    assert shown.split("\n") == [
        "```nx",
        "let <Title text:string />: h1",
        "```",
        "*result type inferred*",
        "",
        "Shows a title.",
        "",
        "*Not callable as a tool: the result is markup.*",
    ]


def test_an_offered_function_with_markup_shows_its_problem() -> None:
    shown = markdown_at(
        'import { FunctionTool } from "@nx/agent"\n'
        "let <|>view(): Element = { <p /> }\n"
        "let offer = <FunctionTool function={view} />\n"
    )
    assert "**Tool** `view`" in shown
    assert "*No output schema: see problems above.*" in shown


def test_host_supplied_types_inside_an_argument() -> None:
    shown = markdown_at(
        'import { ToolContext } from "@nx/agent"\n'
        "type Session extends ToolContext = { user:string }\n"
        "type Job = { session:Session }\n"
        "let <|>f(job:Job, a:Session, b:Session): int = 1\n"
    )
    assert (
        "**Function** · 1 argument · `a`, `b` are filled in by the host"
        " · `job` holds host-supplied `ToolContext`\n"
    ) in shown


def test_an_authored_tool_name() -> None:
    shown = markdown_at(
        'import { FunctionTool } from "@nx/agent"\n'
        "let <|>f(): int = 1\n"
        'let offer = <FunctionTool name="the_one" function={f} />\n'
    )
    assert "**Tool** `the_one` · no arguments" in shown


def test_the_setting_makes_a_tool() -> None:
    options = IdeOptions(tools=("main.nx#find*",))
    assert "**Tool** `find_it`" in markdown_at("let <|>findIt(): int = 1", options)


@pytest.mark.parametrize(
    ("shown", "headings"),
    [("both", ["Input", "Output"]), ("input", ["Input"]), ("output", ["Output"]), ("off", [])],
)
def test_the_setting_chooses_schemas(shown: str, headings: list[str]) -> None:
    options = IdeOptions(hover_schema=shown)  # type: ignore[arg-type]
    markdown = markdown_at("let <|>f(a:int): int = 1", options)
    found = [name for name in ("Input", "Output") if f"**{name} schema**" in markdown]
    assert found == headings


# ---------------------------------------------------------------- length (4.2)


def big_record(name: str, fields: int) -> str:
    members = "\n".join(f"  field{number}:string" for number in range(fields))
    return f"type {name} = {{\n{members}\n}}\n"


def test_a_huge_schema_is_shortened_and_says_so() -> None:
    records = "".join(big_record(f"Record{number}", 60) for number in range(50))
    parameters = ", ".join(f"p{number}:Record{number}" for number in range(50))
    text = f"{records}let <|>f({parameters}): Record0 = 1\n"
    found = hover_at(text)
    assert found is not None
    markdown = found.markdown
    assert markdown.count("\n") + 1 <= 120
    assert len(markdown) <= 6000
    assert all_fences_closed(markdown)
    schemas = [text for language, text in fences(markdown) if language == "json"]
    assert len(schemas) == 2
    for schema in schemas:
        assert schema.count("\n") <= 40
        assert len(schema) <= 2001
        json.loads(schema)
    assert "*Shortened: 0 of 50 definitions, " in markdown
    assert "… p49" not in markdown


def test_a_crowded_hover_gives_up_its_output_before_its_input() -> None:
    text = big_record("Plan", 10) + "let <|>f(p:Plan): Plan* = { p }\n"
    roomy = markdown_at(text)
    assert len([1 for language, _ in fences(roomy) if language == "json"]) == 2
    tight = markdown_at(text, IdeOptions(hover_max_lines=50))
    assert "**Output schema**\n*Output: array of `Plan`*" in tight
    assert "**Input schema**\n```json" in tight
    tightest = markdown_at(text, IdeOptions(hover_max_lines=12))
    assert "*Input: object with 1 property*" in tightest
    assert "*Output: array of `Plan`*" in tightest
    assert "**Function** · 1 argument" in tightest


def test_long_documentation_is_cut_after_a_block() -> None:
    documentation = "".join(f"/// Paragraph {number}.\n///\n" for number in range(80))
    shown = markdown_at(f"{documentation}let <|>f(): int = 1\n")
    assert shown.count("\n") < 120
    assert "*More in the panel*" in shown
    assert "**Output schema**" in shown


# ---------------------------------------------------------------- safe text (4.3)


@pytest.mark.parametrize(
    "documentation",
    [
        "```json\n{ open",
        "<div>\n<script>alert(1)</script>",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "<!-- a comment\nthat stays open",
        "- a list\n  ```\n  open in it",
        "> quoted\n> ```\n> open",
        "Text directly above",
        "[ref]: https://example.org",
    ],
)
def test_later_sections_survive_any_documentation(documentation: str) -> None:
    comment = "".join(f"/// {line}\n" for line in documentation.split("\n"))
    shown = markdown_at(f"{comment}let <|>f(a:int): int = 1\n")
    assert all_fences_closed(shown)
    languages = [language for language, _ in fences(shown)]
    assert languages[-2:] == ["json", "json"]
    assert "\n---\n**Input schema**\n" in shown


def test_doc_links_lead_to_what_they_mean() -> None:
    text = (
        "type Plan = { name:string }\n"
        "/// Of [Plan.name] and [a], not [nope].\n"
        "let <|>f(a:int): int = 1\n"
    )
    linked = hover_at(text, links=_Links())
    assert linked is not None
    assert (
        "Of [`Plan.name`](file:///w/main.nx#L14) and [`a`](file:///w/main.nx#L6), not `nope`."
        in linked.markdown
    )
    assert "Of `Plan.name` and `a`, not `nope`." in linked.plain_text
    assert "Of `Plan.name` and `a`, not `nope`." in markdown_at(text)
