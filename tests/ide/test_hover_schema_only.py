"""Hover beside another server of the language: signatures and documentation are left to it, the
rest stays (editor-experience 2)."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from ide_fixtures import CURSOR, fences, hover_at, modules_of

from nx_lsp.ide.hover import hover
from nx_lsp.ide.options import DEFAULT_OPTIONS
from nx_lsp.program.loading import from_sources

BESIDE = replace(DEFAULT_OPTIONS, schema_only=True)
DECLARED = """
/// Words.
abstract type Offer = {
  /// Words.
  name:string
}
/// Words.
type Plan extends Offer = {
  /// Words.
  seats:int = 5
}
/// Words.
type Status =
  /// Words.
  | active
  | failed { reason:string }
/// Words.
type Plans = Plan+
/// Words.
component <Card title:string emits { Moved { to:int } } /> = { state { open:boolean } <b/> }
/// Words.
let limit = 3
"""


def outside_json(markdown: str) -> str:
    """The text without the schemas, in which documentation belongs."""
    return re.sub(r"^```json\n.*?^```", "", markdown, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("/// Words.\nlet <|>f(p:Plan): int = 1", ["Function", "Input schema", "Output schema"]),
        ("/// Words.\nlet <|>f() = 1", ["Function", "Output schema"]),
        ("let <|>f(g:<function />: int): int = 1", ["Problems", "No input schema"]),
        ("/// Words.\nlet <|>f() = <b/>", ["Not callable as a tool"]),
        ("let f(\n  /// Words.\n  <|>n:int): int = 1", ["required", '"integer"', "argument of"]),
        ("let f(p:<|>Plan): int = 1", ["Output schema", "without `$type`"]),
        ("let f(p:Plan.<|>Update): int = 1", ["Changes to", "Output schema"]),
        ("let f(p:Plan.<|>Property): int = 1", ["names of the fields", "On the wire"]),
        ("let f(p:<|>Offer): int = 1", ["1 descendant"]),
        ("let f(p:<|>Status): int = 1", ["On the wire"]),
        ("let f(): Status = <|>active", ["On the wire"]),
        ("let f(p:Plan): int = { p.<|>seats }", ["Field of `Plan`", '"integer"']),
    ],
)
def test_what_only_this_server_knows_stays(source: str, kept: list[str]) -> None:
    found = hover_at(DECLARED + source, BESIDE)
    assert found is not None
    for part in kept:
        assert part in found.markdown
    assert "Words." not in outside_json(found.markdown)
    assert "inferred" not in found.markdown
    assert all(language == "json" for language, _ in fences(found.markdown))


@pytest.mark.parametrize(
    "source",
    [
        "let f(p:<|>Plans): int = 1",
        'let f() = <<|>Card title="x" />',
        "let f() = { <|>limit }",
        "let f(n:int) = { n <|>+ 1 }",
        "type Box = { <|>T:type item:T }",
    ],
)
def test_what_the_other_server_shows_as_well_is_left_to_it(source: str) -> None:
    assert hover_at(DECLARED + source) is not None
    assert hover_at(DECLARED + source, BESIDE) is None


def test_nowhere_is_a_word_of_documentation_or_nx_shown() -> None:
    source = DECLARED + 'let f(p:Plan, s:Status): Plan = { <Plan name="x" seats={limit} /> }\n'
    assert CURSOR not in source
    db = from_sources(modules_of(source))
    for offset in range(len(source)):
        found = hover(db, "main.nx", offset, BESIDE)
        if found is not None:
            assert "Words." not in outside_json(found.markdown)
            assert "```nx" not in found.markdown
