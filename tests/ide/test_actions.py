"""Code actions: editor-experience 6."""

import pytest
from ide_fixtures import program_at, program_of

from nx_lsp.ide.action_model import ActionCommand, CodeAction, HostSuppliedSetting
from nx_lsp.ide.actions import code_actions
from nx_lsp.ide.diagnostics import module_diagnostics
from nx_lsp.ide.edits import apply_edits
from nx_lsp.ide.options import DEFAULT_OPTIONS, IdeOptions
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId
from nx_lsp.program.loading import from_sources

IN_VS_CODE = IdeOptions(client_commands=True, command_links=True)


def actions_at(
    source: str, only: list[str] | None = None, options: IdeOptions = DEFAULT_OPTIONS
) -> list[CodeAction]:
    db, module, offset = program_at(source)
    return list(code_actions(db, module, offset, offset, only, options))


def titled(actions: list[CodeAction], title: str) -> CodeAction:
    found = [action for action in actions if action.title == title]
    assert len(found) == 1, [action.title for action in actions]
    return found[0]


def applied(source: str, title: str) -> dict[str, str]:
    """The modules after the edits of an action."""
    db, module, offset = program_at(source)
    action = titled(list(code_actions(db, module, offset, offset)), title)
    texts = texts_of(db)
    for edit in action.edits:
        texts[edit.module] = apply_edits(texts[edit.module], edit.edits)
    after = from_sources(texts)
    for name in texts:
        changed = after.module(name)
        assert changed is not None
        assert not changed.file.has_syntax_errors
    told = {each.message for name in texts for each in module_diagnostics(after, name)}
    assert not told & {each.message for each in action.fixes}
    return texts


def texts_of(db: ProgramDatabase) -> dict[str, str]:
    return {m.identity: m.file.text for m in db.modules if not m.origin.bundled}


# ---------------------------------------------------------------- schema commands

FUNCTION = "let f(a:int): int = { <|>a }"
COPY = "Copy tool schema: "
COPIES = {"mcp": "MCP", "input": "input", "output": "output", "answer": "whole answer"}
"""View and title, in the order of the specification's list."""


def test_a_function_offers_its_schema() -> None:
    actions = actions_at(FUNCTION)
    assert [(action.title, action.kind) for action in actions] == [
        ("Show tool schema", "source.nxlsp.showToolSchema"),
        *((COPY + title, f"source.nxlsp.copyToolSchema.{view}") for view, title in COPIES.items()),
    ]
    function = DeclarationId("main.nx", "f")
    assert actions[0].command == ActionCommand("nxlsp.server.openSchemaDocument", function)
    assert actions[2].command == ActionCommand("nxlsp.server.openSchemaDocument", function, "input")


def test_the_clients_own_commands_are_used_where_it_has_them() -> None:
    commands = [action.command for action in actions_at(FUNCTION, None, IN_VS_CODE)]
    names = [command.name for command in commands if command is not None]
    assert names == ["nxlsp.showToolSchema", *["nxlsp.copyToolSchema"] * len(COPIES)]


def test_no_copy_of_a_schema_that_is_not_there() -> None:
    titles = [action.title for action in actions_at("let <|>f(t:<function />: int): int = 1")]
    assert [title for title in titles if title.startswith(COPY)] == [
        COPY + "output",
        COPY + "whole answer",
    ]
    titles = [action.title for action in actions_at("let <|>f(t:int): <function />: int = g")]
    assert COPY + "output" not in titles
    assert {COPY + "MCP", COPY + "input", COPY + "whole answer"} <= set(titles)


def test_nothing_outside_of_functions() -> None:
    assert actions_at("type A = { <|>a:int }") == []
    assert actions_at("<|>") == []


@pytest.mark.parametrize(
    ("only", "count"),
    [
        (None, 1 + len(COPIES)),
        ([""], 1 + len(COPIES)),
        (["source"], 1 + len(COPIES)),
        (["source.nxlsp"], 1 + len(COPIES)),
        (["source.nxlsp.showToolSchema"], 1),
        (["source.nxlsp.copyToolSchema"], len(COPIES)),
        (["source.nxlsp.copyToolSchema.input"], 1),
        (["source.nxlsp.copyToolSchema.nope"], 0),
        (["source.nxl"], 0),
        (["source.organizeImports"], 0),
        (["quickfix"], 0),
        ([], 0),
    ],
)
def test_only_what_is_asked_for(only: list[str] | None, count: int) -> None:
    assert len(actions_at(FUNCTION, only)) == count


# ---------------------------------------------------------------- result types


def test_write_an_inferred_result_type() -> None:
    source = "type Plan = { a:int }\nlet <|>f(p:Plan+) = { p }"
    title = "Write inferred result type `Plan+`"
    action = titled(actions_at(source), title)
    assert action.kind == "refactor.rewrite"
    assert action.preferred
    assert applied(source, title)["main.nx"].endswith("let f(p:Plan+): Plan+ = { p }")


def test_it_is_a_quick_fix_where_the_result_is_not_inferred() -> None:
    source = "let <|>a(n:int) = { b(n) }\nlet b(n:int) = { n + 1 }"
    title = "Write inferred result type `int`"
    action = titled(actions_at(source), title)
    assert action.kind == "quickfix"
    assert len(action.fixes) == 1
    assert not action.preferred
    assert applied(source, title)["main.nx"].startswith("let a(n:int): int = ")


def test_the_cause_can_be_annotated_instead() -> None:
    source = "let <|>a(n:int) = { b(n) }\nlet b(n:int) = { n + 1 }"
    title = "Write result type `int` of `b`, used here"
    action = titled(actions_at(source), title)
    assert action.kind == "quickfix"
    assert action.preferred
    assert applied(source, title)["main.nx"].endswith("let b(n:int): int = { n + 1 }")


def test_the_type_is_imported_where_it_is_not_visible() -> None:
    source = """// file: main.nx
import { mk } from "./plans.nx"
let <|>f() = { mk() }
// file: plans.nx
export type Plan = { a:int }
export let mk(): Plan = { <Plan a=1 /> }
"""
    after = applied(source, "Write inferred result type `Plan`")
    assert after["main.nx"] == ('import { mk, Plan } from "./plans.nx"\nlet f(): Plan = { mk() }\n')


@pytest.mark.parametrize(
    "source",
    [
        "let <|>f(): int = 1",
        "let <|>f(a:int) = { f(a) }",
        "let <|>f() = { }",
        "let f() = { 1 <|>}",
    ],
)
def test_nothing_to_write(source: str) -> None:
    titles = [action.title for action in actions_at(source)]
    assert not any(title.startswith("Write") for title in titles)


# ---------------------------------------------------------------- other fixes

LONELY = "abstract type Shape = { a:int }\n"


def test_add_a_record_that_extends() -> None:
    source = LONELY + "let f(<|>s:Shape): int = 1\n"
    title = "Add a record that extends `Shape`"
    assert titled(actions_at(source), title).kind == "quickfix"
    assert applied(source, title)["main.nx"].startswith(
        LONELY.rstrip("\n") + "\n\ntype NewShape extends Shape = { }\n"
    )


def test_it_is_offered_on_the_record_too() -> None:
    titled(actions_at("abstract type Sh<|>ape = { }"), "Add a record that extends `Shape`")
    assert actions_at("abstract type Sh<|>ape = { }\ntype A extends Shape = { }") == []


def test_a_name_that_is_taken_is_not_used_twice() -> None:
    source = LONELY + "type NewShape = { }\nlet f(<|>s:Shape): int = 1\n"
    after = applied(source, "Add a record that extends `Shape`")
    assert "type NewShape2 extends Shape = { }" in after["main.nx"]


def test_treat_a_type_as_host_supplied_where_the_client_can() -> None:
    source = "abstract type Session = { }\nlet f(<|>s:Session): int = 1\n"
    title = "Treat `Session` as host-supplied"
    assert title not in [action.title for action in actions_at(source)]
    action = titled(actions_at(source, None, IN_VS_CODE), title)
    assert action.command == HostSuppliedSetting(DeclarationId("main.nx", "Session"))


IMPORTS = """// file: main.nx
let f(p:Pla<|>n): int = 1
// file: lib/types.nx
export type Plan = { a:int }
type Hidden = { a:int }
"""


def test_import_a_name() -> None:
    action = titled(actions_at(IMPORTS), "Import `Plan` from `lib/types.nx`")
    assert action.preferred
    after = applied(IMPORTS, "Import `Plan` from `lib/types.nx`")
    assert after["main.nx"] == ('import { Plan } from "./lib/types.nx"\n\nlet f(p:Plan): int = 1\n')


def test_an_import_of_the_module_is_extended() -> None:
    source = IMPORTS.replace("let f", 'import { Other } from "./lib/types.nx"\nlet f')
    source += "export type Other = { b:int }\n"
    after = applied(source, "Import `Plan` from `lib/types.nx`")
    assert after["main.nx"].startswith('import { Other, Plan } from "./lib/types.nx"\nlet f')


def test_several_exporters_are_all_offered_and_none_preferred() -> None:
    source = IMPORTS + "// file: more.nx\nexport type Plan = { b:int }\n"
    imports = [action for action in actions_at(source) if action.title.startswith("Import")]
    assert len(imports) == 2
    assert not any(action.preferred for action in imports)


def test_what_is_not_exported_is_not_offered() -> None:
    source = IMPORTS.replace("Pla<|>n", "Hid<|>den")
    assert not [action for action in actions_at(source) if action.title.startswith("Import")]


def test_a_standard_library_type_is_imported_by_its_root() -> None:
    source = "let f(c:Tool<|>Context): int = 1"
    after = applied(source, "Import `ToolContext` from `@nx/agent`")
    assert after["main.nx"].startswith('import { ToolContext } from "@nx/agent"\n\nlet f')


def test_a_value_is_imported_too() -> None:
    source = "// file: main.nx\nlet f(): int = { tw<|>ice(1) }\n"
    source += "// file: m.nx\nexport let twice(n:int): int = { n }\n"
    after = applied(source, "Import `twice` from `m.nx`")
    assert after["main.nx"].startswith('import { twice } from "./m.nx"\n')


def test_files_with_crlf_keep_it() -> None:
    db = program_of("abstract type Shape = { }\r\nlet f(s:Shape): int = 1\r\n")
    action = titled(list(code_actions(db, "main.nx", 15, 15)), "Add a record that extends `Shape`")
    assert action.edits[0].edits[0].text == "\r\n\r\ntype NewShape extends Shape = { }"
