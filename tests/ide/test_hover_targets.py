"""What other targets show: every row of editor-experience 4.4."""

import pytest
from ide_fixtures import hover_at, hovered_text, markdown_at

from nx_lsp.ide.options import IdeOptions

PLANS = """/// A plan to buy.
abstract type Offer = {
  /// What it is called.
  name:string
}
type Plan extends Offer = { seats:int = 5 note?:string }
type Bundle extends Offer = { plans:Plan+ }
type Status = active | paused
/// How it went.
type Outcome =
  | done
  /// It failed.
  | failed { reason:string }
type Plans = Plan+
abstract type Lonely = { x?:int }
"""


def at(source: str) -> str:
    return markdown_at(PLANS + source)


# ---------------------------------------------------------------- parameters


def test_a_required_parameter() -> None:
    shown = at("let f(\n  /// How many.\n  <|>size:int where > 0\n): int = 1")
    assert shown == (
        "```nx\n(parameter) size:int where > 0\n```\n\n"
        "How many.\n\n"
        "*required*\n"
        '```json\n{ "type": "integer", "minimum": 1 }\n```\n'
        "*argument of `f`*"
    )


def test_an_optional_parameter_and_a_default() -> None:
    assert "*optional*" in at("let f(<|>a?:int): int = 1")
    with_default = at("let f(<|>a:int = 30): int = 1")
    assert "*default 30*" in with_default
    assert '"default": 30' in with_default


def test_a_parameter_of_a_tool_names_the_tool() -> None:
    shown = markdown_at(
        'import { FunctionTool } from "@nx/agent"\n'
        "let findPlans(<|>a:int): int = 1\nlet offer = <FunctionTool function={findPlans} />"
    )
    assert "*argument of `find_plans`*" in shown


def test_a_host_supplied_parameter() -> None:
    shown = markdown_at('import { ToolContext } from "@nx/agent"\nlet f(<|>c:ToolContext): int = 1')
    assert shown == (
        "```nx\n(parameter) c:ToolContext\n```\n*Filled in by the host; the model never sees it*"
    )


def test_a_use_of_a_parameter() -> None:
    assert "(parameter) size:int" in at("let f(size:int): int = { <|>size }")
    assert hovered_text("let f(size:int): int = { si<|>ze }") == "size"


def test_a_named_argument_of_an_element_call() -> None:
    shown = at("let <Twice n:int />: int = { n }\nlet g() = { <Twice <|>n=1 /> }")
    assert "(parameter) n:int" in shown


# ---------------------------------------------------------------- records


def test_a_record() -> None:
    shown = at('let x = { <<|>Plan name={"a"} /> }')
    assert shown.startswith(
        "```nx\ntype Plan extends Offer = {\n  seats:int = 5\n  note?:string\n}\n```\n"
        "*Inherited from `Offer`*\n```nx\nname:string\n```\n"
        "**Output schema**\n```json\n"
    )
    assert shown.endswith("*as an argument: without `$type`*")


def test_an_abstract_record_lists_its_descendants_in_order() -> None:
    shown = at("type Third extends Off<|>er = { }")
    assert "**3 descendants**\n- `Plan` in `main.nx`\n- `Bundle` in `main.nx`\n- `Third`" in shown
    assert "A plan to buy." in shown
    assert "json" not in shown


def test_an_abstract_record_without_descendants() -> None:
    shown = at("let f(l:Lon<|>ely): int = 1")
    assert shown.endswith("*Nothing extends it: no JSON form*")


def test_long_records_show_the_number_of_members_that_is_set() -> None:
    fields = " ".join(f"f{number}:int" for number in range(20))
    shown = markdown_at(f"type <|>Big = {{ {fields} }}", IdeOptions(hover_max_members=3))
    assert "type Big = {\n  f0:int\n  f1:int\n  f2:int\n  // 17 more fields\n}" in shown


def test_an_action() -> None:
    shown = at("action <|>Tap = { x:int }")
    assert shown.startswith("```nx\naction Tap = {\n  x:int\n}\n```\n**Output schema**\n")


# ---------------------------------------------------------------- unions


def test_a_union() -> None:
    shown = at("let f(s:Sta<|>tus): int = 1")
    assert shown == (
        '```nx\ntype Status = active | paused\n```\nOn the wire: `"active"`, `"paused"`'
    )


def test_a_union_with_payload() -> None:
    shown = at("let f(s:Out<|>come): int = 1")
    assert "How it went." in shown
    assert 'On the wire: `"done"`, `$type` `"Outcome.failed"`' in shown


@pytest.mark.parametrize(
    "source",
    [
        "let s:Status = act<|>ive",
        "let s = { Status.act<|>ive }",
        "let f(s:Status): int = { if s is { act<|>ive => 1 else => 2 } }",
    ],
)
def test_a_constant_case(source: str) -> None:
    assert at(source) == '```nx\n(case) Status.active\n```\nOn the wire: `"active"`'


@pytest.mark.parametrize(
    "source",
    [
        'let s = { <Outcome.fai<|>led reason={"x"} /> }',
        "let f(s:Outcome): int = { if s is { done => 1 fai<|>led => 2 } }",
    ],
)
def test_a_payload_case(source: str) -> None:
    assert at(source) == (
        "```nx\n(case) Outcome.failed { reason:string }\n```\n\n"
        "It failed.\n\n"
        'On the wire: `$type` `"Outcome.failed"`'
    )


def test_the_union_before_a_case() -> None:
    assert "type Status" in at("let s = { Sta<|>tus.active }")
    assert "type Outcome" in at('let s = { <Out<|>come.failed reason={"x"} /> }')


# ---------------------------------------------------------------- aliases, derived types


def test_an_alias_is_shown_one_level() -> None:
    assert at("let f(p:Pla<|>ns): int = 1") == "```nx\ntype Plans = Plan+\n```"


def test_an_alias_of_an_alias_says_what_it_stands_for() -> None:
    shown = at("type All = Plans\nlet f(p:A<|>ll): int = 1")
    assert shown == "```nx\ntype All = Plans\n```\nStands for `Plan+`"


def test_an_update_record_lists_its_members() -> None:
    shown = at("let f(p:Plan.Up<|>date): int = 1")
    assert shown.startswith(
        "```nx\ntype Plan.Update = {\n  name?:string\n  seats?:int\n  note?:string\n}\n```\n"
        "Changes to a `Plan`: every field may be left out"
    )


def test_the_record_before_update() -> None:
    assert "type Plan extends Offer" in at("let f(p:Pl<|>an.Update): int = 1")


def test_a_property_union() -> None:
    shown = at("let f(p:Plan.Prop<|>erty): int = 1")
    assert "type Plan.Property =\n  | name\n  | seats\n  | note" in shown
    assert 'On the wire: `"name"`, `"seats"`, `"note"`' in shown


# ---------------------------------------------------------------- fields


@pytest.mark.parametrize(
    "source",
    [
        "let f(p:Plan): int = { p.sea<|>ts }",
        'let p = { <Plan name={"a"} sea<|>ts=1 /> }',
    ],
)
def test_a_field(source: str) -> None:
    assert at(source).startswith(
        "```nx\n(property) seats:int = 5\n```\nField of `Plan` · default 5\n```json\n"
    )


def test_a_narrower_or_wider_type_at_a_place_is_told() -> None:
    shown = at("let f(p?:Plan): int? = { p?.sea<|>ts }")
    assert "Here `int?`" in shown


def test_an_inherited_field_tells_its_owner_and_docs() -> None:
    shown = at("let f(p:Plan): string = { p.na<|>me }")
    assert "Field of `Offer` · required" in shown
    assert "What it is called." in shown


def test_a_payload_field() -> None:
    assert "Field of `Outcome.failed`" in at(
        'let f(o:Outcome): string = { if o is { done => "" failed => o.rea<|>son } }'
    )


# ---------------------------------------------------------------- components

CARD = """/// A card.
component <Card title:string emits { Moved { far:boolean } } /> = {
  state { open:boolean = false }
  <div>{title} {open}</div>
}
"""


def test_a_component() -> None:
    shown = markdown_at(CARD + 'let f() = { <Ca<|>rd title={"x"} /> }')
    assert "component <Card title:string emits { Moved { far:boolean } } />" in shown
    assert "A card." in shown
    assert "open:boolean = false" in shown
    assert "json" not in shown


def test_a_component_property_has_no_schema() -> None:
    shown = markdown_at(CARD + 'let f() = { <Card ti<|>tle={"x"} /> }')
    assert shown == "```nx\n(property) title:string\n```\nProperty of `Card` · required"


def test_a_handler() -> None:
    shown = markdown_at(CARD + 'let f() = { <Card title={"x"} onMo<|>ved={action} /> }')
    assert shown.startswith("Handles `Moved` of `Card`\n```nx\naction Moved { far:boolean }")


def test_state() -> None:
    shown = markdown_at(CARD.replace("{open}", "{op<|>en}"))
    assert shown.startswith("```nx\n(property) open:boolean = false\n```\nState of `Card`")


# ---------------------------------------------------------------- modules

TWO = """// file: main.nx
import { Thing } from "./lib/thi<|>ngs.nx"
// file: lib/things.nx
export type Thing = { a:int }
export let f(): int = 1
type Hidden = { a:int }
"""


def test_an_import_path() -> None:
    assert markdown_at(TWO) == "**Module** `lib/things.nx`\n\nExports `Thing`, `f`"


def test_an_import_path_counts_tools() -> None:
    text = TWO.replace("thi<|>ngs", "things").replace(
        'import { Thing } from "./lib/things.nx"', 'import "./lib/th<|>ings.nx"'
    )
    text = text.replace(
        "export let f", 'import { FunctionTool } from "@nx/agent"\nexport let f'
    ).replace("export type Thing = { a:int }\n", "")
    text += "let offer = <FunctionTool function={f} />\n"
    assert "**Module** `lib/things.nx` · 1 tool" in markdown_at(text)


def test_a_library_and_a_prefix() -> None:
    assert "**Library** `@nx/agent`" in markdown_at('import "@nx/age<|>nt" as A')
    assert "**Library** `@nx/agent`" in markdown_at(
        'import "@nx/agent" as A\nlet f(c:<|>A.Agent): int = 1'
    )
    assert "type Agent = {" in markdown_at('import "@nx/agent" as A\nlet f(c:A.Ag<|>ent): int = 1')


# ---------------------------------------------------------------- expressions


@pytest.mark.parametrize(
    ("source", "type"),
    [
        ("let f(a:int): int = { a <|>+ 1 }", "int"),
        (
            "let f(a:int): int = { if a > 1 { 1 } else { 2 } }".replace("a > 1", "a <|>> 1"),
            "boolean",
        ),
        ("let f(a:int+): int+ = { for x in a { <|>x } }", "int"),
        ("let f(a:int+): int+ = { for <|>x, i in a { i } }", "int"),
        ("let f(a:int+): int+ = { <|>for x in a { x } }", "int+"),
    ],
)
def test_an_expression_shows_its_type_only(source: str, type: str) -> None:
    assert markdown_at(source) == f"```nx\n{type}\n```"


def test_a_value() -> None:
    shown = markdown_at("/// The most.\nlet <|>limit = 3")
    assert shown == "```nx\nlet limit:int\n```\n*type inferred*\n\nThe most."


# ---------------------------------------------------------------- tools of agents


def test_a_tool_record_shows_the_tool_as_a_host_sees_it() -> None:
    shown = markdown_at(
        'import { Agent, FunctionTool } from "@nx/agent"\n'
        "let findPlans(size:int): int = 1\n"
        'let a = <Agent name="sales" tools={<Function<|>Tool function={findPlans} />}>Sell.</Agent>'
    )
    assert shown.startswith(
        "**Tool** `find_plans` · calls `findPlans`\n\n"
        "**Hints**\n- The tool has no description.\n- Without documentation: `size`.\n\n"
        "---\n**Input schema**\n```json\n"
    )
    assert "**Output schema**" in shown


def test_an_authored_description_goes_first() -> None:
    shown = markdown_at(
        'import { FunctionTool } from "@nx/agent"\n/// Documented.\nlet f(): int = 1\n'
        'let a = <Function<|>Tool name="go" description="For the model." function={f} />'
    )
    assert shown.startswith("**Tool** `go` · calls `f`\n\nFor the model.\n\n---\n")


# ---------------------------------------------------------------- nothing


@pytest.mark.parametrize(
    "source",
    [
        "let f(a:in<|>t): int = 1",
        "let f(a:Unkn<|>own): int = 1",
        "let f() = { unkn<|>own }",
        "let f() = { <di<|>v /> }",
        'let f() = { <div cla<|>ss={"x"} /> }',
        "let f() = { <p>some te<|>xt</p> }",
        "// a com<|>ment",
        "le<|>t f() = 1",
        "let f(a:int): int = { a.unkn<|>own }",
        "<|>",
        "type = <|>",
    ],
)
def test_nothing_is_shown_for_what_is_not_known(source: str) -> None:
    assert hover_at(source) is None
