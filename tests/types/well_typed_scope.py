"""What random expressions are made with, for ``well_typed_programs``: choices, sources, scopes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

from hypothesis import strategies as st
from well_typed_model import Component, Item, Slot, Type, World, mentions, occurrence

T = TypeVar("T")
INTEGERS = {n: st.integers(0, n - 1) for n in range(1, 200)}


class Choices:
    """Draws; shrinks to the first of everything."""

    def __init__(self, draw: Callable[..., Any]) -> None:
        self._draw = draw

    def below(self, count: int) -> int:
        if count == 1:
            return 0
        return int(self._draw(INTEGERS[min(count, 199)]))

    def pick(self, among: Sequence[T]) -> T:
        return among[self.below(len(among))]

    def chance(self, one_in: int) -> bool:
        return self.below(one_in) == one_in - 1


@dataclass(frozen=True)
class Text:
    """Source of an expression. ``level``: 0 a primary, 1 an ``if`` or ``for``, 2 an operator."""

    text: str
    level: int = 0

    @property
    def item(self) -> str:
        """As an item of a list."""
        return f"({self.text})" if self.level > 1 else self.text

    @property
    def operand(self) -> str:
        return f"({self.text})" if self.level > 0 else self.text


@dataclass(frozen=True)
class Path:
    """A readable path. ``way``: each receiver, and itself, without ``?``, with its type."""

    text: str
    type: Type
    way: tuple[tuple[str, Type], ...]

    @property
    def name(self) -> str:
        return self.way[-1][0]


@dataclass(frozen=True)
class Environment:
    """What is in scope where an expression stands."""

    locals: dict[str, Type] = field(default_factory=dict)
    narrowed: dict[str, Type] = field(default_factory=dict)
    component: Component | None = None
    hidden: frozenset[str] = frozenset()
    """Names that must not be used."""
    sees_inferred: bool = False
    """Whether results of functions without annotation are known (semantics 4.2)."""

    def bound(self, **names: Type) -> Environment:
        shadowed = {path: type for path, type in self.narrowed.items() if _root(path) not in names}
        return replace(self, locals={**self.locals, **names}, narrowed=shadowed)

    def narrow(self, facts: dict[str, Type]) -> Environment:
        return replace(self, narrowed={**self.narrowed, **facts})

    def without(self, facts: dict[str, Type]) -> Environment:
        """For the right of `&&`: whether the left narrows anything there is left open."""
        return replace(self, hidden=self.hidden | {_root(path) for path in facts})


def _root(path: str) -> str:
    return path.partition(".")[0]


class Scope:
    """One module: how it spells what it sees, and its declarations so far."""

    def __init__(self, world: World, choices: Choices) -> None:
        self.world = world
        self.choices = choices
        self.spelled: dict[str, str] = {"Range": "Range"}
        """Declared name → name in this module."""
        self.own: list[str] = []
        self.inferred: dict[str, Type] = {}
        """Own values without annotation; their types may be narrower than what stands here."""
        self.declarations: list[str] = []
        self.providers: dict[Item, str] = {}

    def own_name(self, name: str) -> None:
        """Make a name of this module known, perhaps before its declaration is written."""
        if name not in self.own:
            self.own.append(name)
        self.spelled[name] = name

    def declare(self, name: str, text: str) -> None:
        self.own_name(name)
        self.declarations.append(text)

    def sees(self, name: str) -> bool:
        return name in self.spelled or name.removesuffix(".State") in self.spelled

    def name(self, name: str) -> str:
        if name.endswith(".State"):
            return f"{self.spelled[name.removesuffix('.State')]}.State"
        return self.spelled.get(name, name)

    # -- types

    def item_text(self, item: Item) -> str:
        match item.kind:
            case "constrained":
                low, high = item.low, item.high
                spellings = (
                    f"in {low}..={high}",
                    f">= {low} && <= {high}",
                    f"in {low}..{high + 1}",
                )
                return f"{item.name} where {self.choices.pick(spellings)}"
            case "record" if item.argument is not None:
                return f"<{self.name(item.name)} T={self.alias_text(Type(item.argument))}/>"
            case "update":
                return f"{self.name(item.name)}.Update"
            case "property":
                return f"{self.name(item.name)}.Property"
            case "function":
                assert item.result is not None
                slots = "".join(f"{self.slot_text(each)} " for each in item.parameters)
                return f"<function {slots}/>: {self.type_text(item.result)}"
            case "any-function":
                return "<function ... />: object*"
        return self.name(item.name)

    def type_text(self, type: Type) -> str:
        rigid = any(each.kind == "parameter" for each in mentions(type.item))
        if rigid or not self.choices.chance(6):
            return self.plain_text(type)
        return self.alias_text(type, always=True)

    def plain_text(self, type: Type) -> str:
        text = self.item_text(type.item)
        grouped = type.item.kind in ("constrained", "function", "any-function")
        if type.occurrence and (grouped or self.choices.chance(8)):
            text = f"({text})"
        return text + type.occurrence

    def alias_text(self, type: Type, always: bool = False) -> str:
        """``type`` as a name without dot, suffix or arguments; through an alias if need be."""
        text = self.plain_text(type)
        if text.isalnum() and not always:
            return text
        for name, target in self.world.aliases.items():
            if target == type and self.spelled.get(name) == name:
                return name
        name = self.world.fresh("Alias")
        self.world.aliases[name] = type
        self.world.exported.add(name)
        self.declare(name, f"export type {name} = {text}")
        return name

    def slot_text(self, slot: Slot) -> str:
        content = "content " if slot.content else ""
        mark = "?" if slot.optional else ""
        default = f" = {slot.default}" if slot.default is not None else ""
        type = self.type_text(Type(slot.item, occurrence(False, slot.many)))
        return f"{content}{slot.name}{mark}:{type}{default}"


Mode = Literal["site", "item", "exact"]
"""What an expression is made for: see ``well_typed_expressions``."""


class Maker:
    """What all parts of ``Expressions`` draw from."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.world = scope.world
        self.choices = scope.choices
