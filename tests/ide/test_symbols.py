from ide_fixtures import program_of

from nx_lsp.ide.symbols import Symbol, document_symbols

SOURCE = """import { FunctionTool } from "@nx/agent"
type Plan extends Base = { name:string seats?:int = 5 }
action Tap = { }
type Load = idle | failed { reason:string }
type Plans = Plan+
let limit:int = 3
let findPlans(size:int): Plan* = { }
component <Card T:type title:string emits { Moved { far:boolean } Tap } /> = {
  state { open:boolean = false }
  <p>{title}</p>
}
let offer = <FunctionTool function={findPlans} />
<main />
"""

Shape = tuple[str, str, str, list["Shape"]]


def shape(symbols: tuple[Symbol, ...]) -> list[Shape]:
    return [(s.name, s.kind, s.detail, shape(s.children)) for s in symbols]


def test_declarations_with_their_members() -> None:
    db = program_of(SOURCE)
    assert shape(document_symbols(db, "main.nx")) == [
        (
            "Plan",
            "record",
            "extends Base",
            [("name", "field", "string", []), ("seats", "field", "int, optional", [])],
        ),
        ("Tap", "action", "", []),
        (
            "Load",
            "union",
            "",
            [("idle", "case", "", []), ("failed", "case", "", [("reason", "field", "string", [])])],
        ),
        ("Plans", "alias", "Plan+", []),
        ("limit", "value", "int", []),
        ("findPlans", "function", "tool find_plans · Plan*", []),
        (
            "Card",
            "component",
            "",
            [
                ("T", "type parameter", "", []),
                ("title", "property", "string", []),
                ("Moved", "action", "emits", [("far", "field", "boolean", [])]),
                ("Tap", "action", "emits", []),
                ("open", "state", "boolean", []),
            ],
        ),
        ("offer", "value", "", []),
        ("root", "function", "<main>", []),
    ]


def test_ranges_are_the_declaration_and_its_name() -> None:
    db = program_of(SOURCE)
    symbols = {symbol.name: symbol for symbol in document_symbols(db, "main.nx")}
    plan = symbols["Plan"]
    assert SOURCE[plan.start : plan.end].startswith("type Plan extends")
    assert SOURCE[plan.start : plan.end].endswith("}")
    assert SOURCE[plan.name_start : plan.name_end] == "Plan"
    field = plan.children[1]
    assert SOURCE[field.start : field.end] == "seats?:int = 5"
    assert SOURCE[field.name_start : field.name_end] == "seats"


def test_broken_code_keeps_its_outline() -> None:
    db = program_of(
        "type A =\nlet f(x:int) =\ncomponent <C a: / = {\ntype B = { b:int c: }\nlet\n<root"
    )
    outline = shape(document_symbols(db, "main.nx"))
    assert [(name, kind) for name, kind, _, _ in outline] == [
        ("A", "alias"),
        ("f", "function"),
        ("C", "component"),
        ("B", "record"),
        ("root", "function"),
    ]
    assert outline[3][3] == [("b", "field", "int", []), ("c", "field", "", [])]
