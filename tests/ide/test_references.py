"""Where a declaration is named."""

import pytest
from ide_fixtures import program_of

from nx_lsp.ide.references import references
from nx_lsp.program.declarations import DeclarationId


def marked(source: str, module: str = "main.nx", name: str = "Card") -> str:
    """The sources again, what names the declaration in brackets."""
    db = program_of(source)
    found = references(db, DeclarationId(module, name))
    parts = []
    for each in db.modules:
        if each.origin.bundled:
            continue
        text = each.file.text
        for start, end in reversed(found.get(each.identity, ())):
            text = f"{text[:start]}⟦{text[start:end]}⟧{text[end:]}"
        parts.append(text)
    return "".join(parts)


CARD = "type ⟦Card⟧ = { n:int }\n"


@pytest.mark.parametrize(
    "use",
    [
        "type A = ⟦Card⟧\n",
        "type A = { c:⟦Card⟧ d:⟦Card⟧+ e?:(⟦Card⟧)* }\n",
        "type A extends ⟦Card⟧ = { }\n",
        "let f(c:⟦Card⟧): ⟦Card⟧ = { c }\n",
        "let f(c:<function c:⟦Card⟧ />: ⟦Card⟧): int = 1\n",
        "let v = <⟦Card⟧ n=1 />\n",
        "let v = { if true { <⟦Card⟧ n=1></⟦Card⟧> } }\n",
        "let f(u:⟦Card⟧.Update, p:⟦Card⟧.Property): int = 1\n",
        "/// A [⟦Card⟧], its [⟦Card⟧.n], and [`⟦Card⟧`].\nlet f(): int = 1\n",
        "type Page = { T:type, items:T* }\ntype B = <Page T=⟦Card⟧ />\n",
    ],
)
def test_every_kind_of_use(use: str) -> None:
    source = CARD + use
    assert marked(source.replace("⟦", "").replace("⟧", "")) == source


@pytest.mark.parametrize(
    "other",
    [
        "type Card2 = { n:int }\n",
        "type My-Card = { n:int }\n",
        "type A = { Card:int }\n",
        "let f(Card:int): int = { Card }\n",
        'let s = "Card"\n',
        "// Card\n/* Card */\nlet s = <p>Card</p>\n",
        "/// `Card` and [x](Card) and \\[Card]\nlet f(): int = 1\n",
        "type U = | Card | Other\nlet f(): U = { U.Card }\n",
    ],
)
def test_what_only_looks_like_it(other: str) -> None:
    source = CARD + other
    assert marked(source.replace("⟦", "").replace("⟧", "")) == source


def test_other_modules() -> None:
    source = """// file: main.nx
export type ⟦Card⟧ = { n:int }
// file: a.nx
import { ⟦Card⟧ } from "./main.nx"
let f(c:⟦Card⟧): int = 1
// file: b.nx
import { ⟦Card⟧ as Other } from "./main.nx"
type Card = { c:Other }
// file: c.nx
import "./main.nx" as cards
let f(c:cards.⟦Card⟧): int = 1
// file: d.nx
type Card = { n:int }
"""
    plain = source.replace("⟦", "").replace("⟧", "")
    wanted = "".join(line for line in source.splitlines(True) if not line.startswith("// file"))
    assert "".join(sorted(marked(plain).splitlines(True))) == "".join(
        sorted(wanted.splitlines(True))
    )
