"""schema-contract 10: documentation as descriptions."""

from __future__ import annotations

import copy

import pytest
from schema_validity import ask, ask_type, body, input_of, program, same, schema_of

from nx_lsp.schema.descriptions import first_block, with_code_spans


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Ignored when [maxPrice] is set.", "Ignored when `maxPrice` is set."),
        ("See [`Plan.seats`].", "See `Plan.seats`."),
        ("See [aria-label].", "See `aria-label`."),
        ("[a](https://x.org)", "[a](https://x.org)"),
        ("`[a]` and [b]", "`[a]` and `b`"),
        ("``a ` [b]`` [c]", "``a ` [b]`` `c`"),
        ("```\n[a]\n```\n[b]", "```\n[a]\n```\n`b`"),
        ("    [a]\n\n[b]", "    [a]\n\n`b`"),
        ("[a]\n\n[a]: https://x.org", "[a]\n\n[a]: https://x.org"),
        ("[A]\n\n[a]: https://x.org", "[A]\n\n[a]: https://x.org"),
        ("[two words]", "[two words]"),
        (r"\[a]", r"\[a]"),
        ("- [a]\n- b [c]", "- `a`\n- b `c`"),
        ("> [a]", "> `a`"),
        ("# [a]\n\ntext", "# `a`\n\ntext"),
        ("*[a]* **[b]**", "*`a`* **`b`**"),
        ("a  \nb [c]\r", "a  \nb `c`\r"),
        ("[[a]](https://x.org)", "[[a]](https://x.org)"),
        ("<b title='[a]'> [c]", "<b title='[a]'> `c`"),
        ("", ""),
        ("nothing", "nothing"),
    ],
)
def test_doc_links_become_code_spans_and_nothing_else_changes(text, written):
    assert with_code_spans(text) == written


@pytest.mark.parametrize(
    ("text", "block"),
    [
        ("One.\n\nTwo.", "One."),
        ("One\nline two.\n\nTwo.", "One\nline two."),
        ("# Title\nText", "# Title"),
        ("Title\n=====\nText", "Title\n====="),
        ("- a\n- b\n\ntext", "- a\n- b"),
        ("```\na\n\nb\n```\nc", "```\na\n\nb\n```"),
        ("[a]: https://x.org\n\nText", "Text"),
        ("\n\nText", "Text"),
        ("", None),
        ("[a]: https://x.org", None),
    ],
)
def test_the_summary_is_the_first_markdown_block(text, block):
    assert first_block(text) == block


DOCUMENTED = """
/// Finds [Plan]s.
///
/// More about [teamSize].
let f(
  /// People, see [Plan.name].
  teamSize:int,
  plan:Plan   /// The plan.
): Plan* = {}

/// A plan.
type Plan extends Base = {
  /// Its name.
  name:string
  /// The one before.
  before?:Plan
}
abstract type Base = {
  /// Who.
  id:int
}
"""


def test_where_descriptions_go():
    answer = ask(DOCUMENTED)
    assert answer["description"] == "Finds `Plan`s.\n\nMore about `teamSize`."
    assert answer["summary"] == "Finds `Plan`s."
    assert [entry["description"] for entry in answer["parameters"]] == [
        "People, see `Plan.name`.",
        "The plan.",
    ]
    same(
        body(answer["inputSchema"]),
        {
            "type": "object",
            "properties": {
                "teamSize": {"type": "integer", "description": "People, see `Plan.name`."},
                "plan": {"$ref": "#/$defs/Plan", "description": "The plan."},
            },
            "required": ["teamSize", "plan"],
            "additionalProperties": False,
            "$defs": {
                "Plan": {
                    "type": "object",
                    "properties": {
                        "id": {"type": "integer", "description": "Who."},
                        "name": {"type": "string", "description": "Its name."},
                        "before": {"$ref": "#/$defs/Plan", "description": "The one before."},
                    },
                    "required": ["id", "name"],
                    "additionalProperties": False,
                    "description": "A plan.",
                }
            },
        },
    )


def test_an_applied_records_entry_has_the_records_description():
    source = "/// A page.\ntype Page = { T:type items:T+ }\nlet f(a:<Page T=int />): int = 1"
    assert input_of(source)["$defs"]["Page_int"]["description"] == "A page."


def test_payload_cases_have_descriptions_and_constant_ones_a_line_each():
    source = """
/// How it went.
///
/// See [done].
type Load =
  /// Did not
  /// work.
  ///
  /// Long story.
  | failed { /* a */
    /// Why.
    message:string
  }
  /// All is well,
  /// see [failed].
  ///
  /// Really.
  | done
  | waiting
  | gone   /// Gone.
"""
    definitions = schema_of(source, "Load")["$defs"]
    assert definitions["Load"]["description"] == (
        "How it went.\n\nSee `done`.\n\n- `done`: All is well, see `failed`.\n- `gone`: Gone."
    )
    assert list(definitions["Load"]) == ["anyOf", "description"]
    assert definitions["Load.failed"]["description"] == "Did not\nwork.\n\nLong story."
    assert definitions["Load.failed"]["properties"]["message"]["description"] == "Why."


def test_constant_unions_list_their_documented_cases():
    source = """
/// How a call is sent.
type HttpMethod =
  | get
  /// Creates a resource.
  | post
"""
    same(
        schema_of(source, "HttpMethod")["$defs"]["HttpMethod"],
        {
            "type": "string",
            "enum": ["get", "post"],
            "description": "How a call is sent.\n\n- `post`: Creates a resource.",
        },
    )
    answer = ask_type(source, "HttpMethod")
    assert answer["description"] == "How a call is sent.\n\n- `post`: Creates a resource."
    assert answer["summary"] == "How a call is sent."


def test_documented_cases_of_an_undocumented_union():
    source = "type U =\n  | a\n  /// B.\n  | b\n"
    assert schema_of(source, "U")["$defs"]["U"]["description"] == "- `b`: B."
    answer = ask_type(source, "U")
    assert answer["description"] == answer["summary"] == "- `b`: B."


def test_an_alias_of_a_union_is_documented_on_its_own():
    source = "/// The union.\ntype U =\n  /// A.\n  | a\n/// The alias.\ntype V = U\ntype W = U\n"
    assert ask_type(source, "V")["description"] == "The alias."
    assert "description" not in ask_type(source, "W")


@pytest.mark.parametrize("direction", ["input", "output"])
def test_a_unions_answer_says_what_its_entry_says(direction):
    source = "/// How.\ntype U =\n  /// A.\n  | a\n  /// P.\n  | p { n:int }\n  | b   /// B.\n"
    answer = program(source).type_schema("U", direction=direction).to_json()
    assert answer["description"] == answer["schema"]["$defs"]["U"]["description"]
    assert answer["description"] == "How.\n\n- `a`: A.\n- `b`: B."
    assert answer["summary"] == "How."


@pytest.mark.parametrize(
    "declaration",
    [
        "type T = { n:int }",
        "abstract type T = { n:int }",
        "action T = { n:int }",
        "type T = a | b",
        "type T = string+",
        "type T = Other",
    ],
)
def test_every_types_answer_has_its_documentation(declaration):
    source = f"/// First.\n///\n/// Second.\n{declaration}\n/// Other.\ntype Other = {{ n:int }}"
    answer = program(source).type_schema("T").to_json()
    assert answer["description"] == "First.\n\nSecond."
    assert answer["summary"] == "First."


def test_no_comment_no_description():
    source = "type P = { n:int = 1 }\ntype S = a | b\nlet f(a:P, b:S): P* = {}"
    assert "description" not in str(ask(source))
    assert "description" not in str(ask("///\nlet f(): int = 1"))
    assert "description" not in str(ask("//// four\nlet f(): int = 1"))
    assert "description" not in str(ask("/* /// */\nlet f(): int = 1"))


def without_descriptions(value):
    if isinstance(value, dict):
        return {k: without_descriptions(v) for k, v in value.items() if k != "description"}
    return [without_descriptions(v) for v in value] if isinstance(value, list) else value


def test_editing_documentation_changes_descriptions_only():
    plain = "\n".join(line for line in DOCUMENTED.split("\n") if not line.strip().startswith("///"))
    plain = plain.replace("/// The plan.", "")
    before, after = ask(plain), ask(DOCUMENTED)
    for document in ("inputSchema", "outputSchema"):
        same(without_descriptions(copy.deepcopy(after[document])), before[document])
        assert before[document] != after[document]
