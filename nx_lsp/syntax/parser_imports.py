"""Imports (syntax 2.2)."""

from __future__ import annotations

from typing import NoReturn

from nx_lsp.syntax import tree
from nx_lsp.syntax.lexer import EOF, IDENT, STRING, Panic
from nx_lsp.syntax.parser_base import Grammar


class ImportGrammar(Grammar):
    """The one statement of the language."""

    def import_statement(self) -> tree.Import:
        """``Import``; the word ``import`` is current."""
        start, word_end = self.start, self.end
        self.advance()
        items: list[tree.ImportItem] | None = None
        path: tree.StringLiteral | None = None
        alias: tree.Name | None = None
        try:
            if self.text == "{":
                items = self._import_items()
                path = self._from_path()
            elif self.kind == STRING:
                path = self.string()
            else:
                self._no_path(start, word_end)
            if self.text == "as" and self.kind == IDENT:
                alias = self._import_alias(items is not None)
        except Panic:
            self.broken = True
        end = self.prev_end if self.gave_up is None else self._import_end(start, path, items)
        return tree.Import(start, end, items, path, alias)

    def _import_end(
        self,
        start: int,
        path: tree.StringLiteral | None,
        items: list[tree.ImportItem] | None,
    ) -> int:
        if path is not None:
            return path.end
        return items[-1].end if items else start + len("import")

    def _no_path(self, start: int, word_end: int) -> NoReturn:
        if self.text == "*":
            self.fail('there is no `import *`: write `import "./path"`, or with `as Prefix`')
        if self.kind == IDENT and not self.at_declaration():
            first = self.start
            state = self.save()
            self.muted = True
            try:
                self.dotted_name("a path")
                while self.text in ("/", "-", ".", "..") or (
                    self.kind == IDENT and self.prev_end == self.start and not self.at_declaration()
                ):
                    self.advance()
            except Panic:
                pass
            text, end = self.source[first : self.prev_end], self.prev_end
            follows = self.text
            self.recover(state)
            if follows == "from":
                self.fail(
                    f"names to import stand in braces: write `import {{ {text} }} from …`",
                    first,
                    end,
                )
            self.fail(f'the path of an import is a string: write `import "{text}"`', first, end)
        found = "" if self.kind == EOF else f", found {self.what()}"
        self.fail(f"expected a path in double quotes after `import`{found}", start, word_end)

    def _import_items(self) -> list[tree.ImportItem]:
        opener = self.start
        self.advance()
        items: list[tree.ImportItem] = []
        while self.text != "}":
            if self.kind == EOF or self.at_declaration():
                self.unclosed("{", opener, opener + 1)
            if self.kind != IDENT:
                self.fail(f"expected a name to import, found {self.what()}")
            name = self.name()
            alias = None
            if self.text == "as" and self.kind == IDENT:
                self.advance()
                alias = self.dotted_name("an alias `Prefix.Name` after `as`")
            items.append(tree.ImportItem(name.start, alias.end if alias else name.end, name, alias))
            if self.text == ",":
                self.advance()
            elif self.kind == IDENT and self.text not in ("from",):
                self.error(
                    f"imported names are separated by commas: expected `,` before {self.what()}",
                    self.start,
                    self.end,
                )
                if self.peek() == ".":  # it was to be an alias
                    self.dotted_name("an alias `Prefix.Name`")
                    if self.text == ",":
                        self.advance()
            elif self.text != "}" and self.kind != EOF:
                if self.kind == STRING or self.text == "from":
                    self.fail(
                        "this `{` is never closed: expected `}` before " + self.what(),
                        opener,
                        opener + 1,
                    )
                self.fail(f"expected `,` or `}}`, found {self.what()}")
        self.advance()
        return items

    def _from_path(self) -> tree.StringLiteral:
        if self.text != "from" or self.kind != IDENT:
            if self.kind == STRING:
                self.error("expected `from` before the path", self.start, self.end)
                return self.string()
            self.fail(
                'expected `from "…"` after the imported names', self.prev_start, self.prev_end
            )
        self.advance()
        if self.kind != STRING:
            if self.kind == EOF or self.at_declaration():
                self.fail(
                    "expected a path in double quotes after `from`", self.prev_start, self.prev_end
                )
            self.fail(f"expected a path in double quotes after `from`, found {self.what()}")
        return self.string()

    def _import_alias(self, selective: bool) -> tree.Name | None:
        start = self.start
        self.advance()
        if self.kind != IDENT or self.at_declaration():
            self.fail(f"expected a name after `as`, found {self.what()}")
        alias = self.name()
        if selective:
            self.error(
                "an alias behind the path goes with all names: write "
                f"`import {{ Name as {alias.text}.Name }} from …`",
                start,
                alias.end,
            )
        elif self.text == ".":
            self.error("the prefix of an import is one name, without dots", alias.start, self.end)
            while self.text == ".":
                self.advance()
                if self.kind == IDENT:
                    self.advance()
        return alias
