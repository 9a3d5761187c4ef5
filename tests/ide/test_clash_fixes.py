"""Quick fixes for two declarations with one ``$type``: editor-experience 6."""

from ide_fixtures import program_at
from test_actions import actions_at, applied, texts_of, titled

from nx_lsp.ide.action_model import ShowDeclaration
from nx_lsp.ide.actions import code_actions
from nx_lsp.program.declarations import DeclarationId

CLASH = """// file: main.nx
import { Item } from "./item.nx"
let show(<|>item:Item): int = 1
// file: item.nx
export abstract type Item = { }
// file: left.nx
import { Item } from "./item.nx"
/// Like [Card].
export type Card extends Item = { a:int }
let one(): Card = { <Card a=1 /> }
// file: ui/right-side.nx
import { Item } from "../item.nx"
export type Card extends Item = { b:int }
// file: use.nx
import { Card } from "./left.nx"
let two(c:Card): int = 1
"""

LEFT = "Rename `Card` in `left.nx` to `LeftCard`"
RIGHT = "Rename `Card` in `ui/right-side.nx` to `RightSideCard`"


def test_each_clashing_record_can_be_renamed() -> None:
    titles = [each.title for each in actions_at(CLASH, ["quickfix"])]
    assert titles == [
        LEFT,
        RIGHT,
        "Go to the other `Card` in `left.nx`",
        "Go to the other `Card` in `ui/right-side.nx`",
    ]
    assert not any(each.preferred for each in actions_at(CLASH))


def test_a_rename_reaches_every_module() -> None:
    after = applied(CLASH, LEFT)
    assert after["left.nx"] == (
        'import { Item } from "./item.nx"\n/// Like [LeftCard].\n'
        "export type LeftCard extends Item = { a:int }\n"
        "let one(): LeftCard = { <LeftCard a=1 /> }\n"
    )
    assert after["use.nx"] == 'import { LeftCard } from "./left.nx"\nlet two(c:LeftCard): int = 1\n'
    assert after["ui/right-side.nx"] == texts_of(program_at(CLASH)[0])["ui/right-side.nx"]


def test_it_says_that_the_wire_changes() -> None:
    action = titled(actions_at(CLASH), LEFT)
    wire = '`$type` becomes "LeftCard" on the wire'
    assert action.warning == f"Changes what models see in 0 tools: {wire}"
    offered = CLASH.replace(
        "// file: item.nx", "let offer = <FunctionTool function={show} />\n// file: item.nx", 1
    ).replace("import { Item }", 'import { FunctionTool } from "@nx/agent"\nimport { Item }', 1)
    action = titled(actions_at(offered), LEFT)
    assert action.warning == f"Changes what models see in 1 tool: {wire}"


def test_a_name_that_is_taken_gets_a_number() -> None:
    source = CLASH.replace("let two", "type LeftCard = { }\nlet two")
    titled(actions_at(source), "Rename `Card` in `left.nx` to `LeftCard2`")


def test_the_other_one_of_two() -> None:
    source = CLASH.replace("let show(<|>item", "let show(item").replace(
        "let one(): Card", "let three(<|>item:Item): int = 1\nlet one(): Card"
    )
    titles = {each.title: each for each in actions_at(source, ["quickfix"])}
    assert [title for title in titles if title.startswith("Go")] == ["Go to the other `Card`"]
    command = titles["Go to the other `Card`"].command
    assert command == ShowDeclaration(DeclarationId("ui/right-side.nx", "Card"))


def test_unions_clash_by_their_own_name() -> None:
    source = (
        CLASH.replace("type Card extends Item = { a:int }", "type Card extends Item = | x")
        .replace("type Card extends Item = { b:int }", "type Card extends Item = | x | y")
        .replace("<Card a=1 />", "Card.x")
    )
    db, module, offset = program_at(source)
    titles = [each.title for each in code_actions(db, module, offset, offset, ["quickfix"])]
    assert LEFT in titles
    after = applied(source, LEFT)
    assert "let one(): LeftCard = { LeftCard.x }" in after["left.nx"]
