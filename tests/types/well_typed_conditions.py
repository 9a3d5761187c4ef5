"""Conditions and what depends on them: conditionals, condition lists, matches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from well_typed_model import (
    BOOLEAN,
    INT,
    STRING,
    Item,
    Type,
    primitive,
)
from well_typed_scope import Environment, Maker, Path, Text


class Conditions(Maker):
    """Part of ``Expressions``."""

    # ------------------------------------------------------------ conditions and conditionals

    def condition(
        self, env: Environment, depth: int
    ) -> tuple[Text, dict[str, Type], dict[str, Type]]:
        """An exactly ``boolean`` expression; what it narrows where true, and where false."""
        paths = list(self.paths(env))
        tests = [each for each in paths if each.type.zero]
        booleans = [each for each in paths if each.type == BOOLEAN]
        makers: list[Callable[[], tuple[Text, dict[str, Type], dict[str, Type]]]] = [
            lambda: (Text("true"), {}, {})
        ]
        if booleans:
            makers.append(lambda: (Text(self.choices.pick(booleans).text), {}, {}))
        if tests:
            makers += [lambda: self.presence(self.choices.pick(tests), env, depth)] * 3
        if depth > 0:
            makers += [
                lambda: (self.comparison(env, depth - 1), {}, {}),
                lambda: self.logic(env, depth - 1),
            ]
        return self.choices.pick(makers)()

    def presence(
        self, path: Path, env: Environment, depth: int
    ) -> tuple[Text, dict[str, Type], dict[str, Type]]:
        facts = {name: type.with_(False, type.many) for name, type in path.way if type.zero}
        test = Text(f"{path.text}?")
        if depth > 0 and self.choices.chance(3):
            other, true, _ = self.condition(env.without(facts), depth - 1)
            both = Text(f"{test.text} && {other.operand}", 2)
            return both, {**facts, **true}, {}
        if self.choices.chance(3):
            return Text(f"!{test.text}", 2), {}, facts
        return test, facts, {}

    def comparison(self, env: Environment, depth: int) -> Text:
        type = self.choices.pick((INT, STRING, Type(primitive("float64")), BOOLEAN))
        left = self.expression(type, env, "exact", depth).operand
        right = self.expression(type, env, "exact", depth).operand
        operators = ("==", "!=") if type == BOOLEAN else ("==", "<", ">=", "!=")
        absent = [each for each in self.paths(env) if each.type.zero]
        if absent and self.choices.chance(3):
            return Text(f"{self.choices.pick(absent).text} == {{}}", 2)
        unions = [each for each in self.paths(env) if each.type.item.kind == "union"]
        if unions and self.choices.chance(2):
            path = self.choices.pick(unions)
            return Text(f"{path.text} != {self.case(path.type.item, env, 0).operand}", 2)
        return Text(f"{left} {self.choices.pick(operators)} {right}", 2)

    def logic(self, env: Environment, depth: int) -> tuple[Text, dict[str, Type], dict[str, Type]]:
        left, true, false = self.condition(env, depth)
        match self.choices.below(3):
            case 0:
                return Text(f"!{left.operand}", 2), false, true
            case 1:
                right, also, _ = self.condition(env.without(true), depth)
                return Text(f"{left.operand} && {right.operand}", 2), {**true, **also}, {}
        if false:
            # Nothing says what holds on the right of `||` where the left is false.
            return left, true, false
        right, _, _ = self.condition(env, depth)
        return Text(f"{left.operand} || {right.operand}", 2), {}, {}

    def conditional(self, wanted: Type, env: Environment, depth: int) -> Text:
        condition, true, false = self.condition(env, depth)
        then = self.braced(wanted, env.narrow(true), "exact", depth)
        if wanted.zero and self.choices.chance(2):
            return Text(f"if {condition.text} {then}", 1)
        other = self.braced(wanted, env.narrow(false), "exact", depth)
        return Text(f"if {condition.text} {then} else {other}", 1)

    def condition_list(self, wanted: Type, env: Environment, depth: int) -> Text:
        arms = []
        for _ in range(1 + self.choices.below(2)):
            condition, true, false = self.condition(env, depth)
            value = self.braced(wanted, env.narrow(true), "exact", depth)
            arms.append(f"{condition.text} => {value}")
            env = env.narrow(false)
        if not wanted.zero or self.choices.chance(2):
            arms.append(f"else => {self.braced(wanted, env, 'exact', depth)}")
        return Text(f"if {{ {' '.join(arms)} }}", 1)

    # ------------------------------------------------------------ match

    def matchable(self, path: Path) -> bool:
        if path.type.many or "?" in path.text:
            return False
        item = path.type.item
        if item.kind in ("union", "property"):
            return bool(self.world.cases_of(item))
        return item in (INT.item, STRING.item, BOOLEAN.item)

    def match(self, path: Path, wanted: Type, env: Environment, depth: int) -> Text:
        arms = self.arms(path, env, wanted.zero)
        texts = [f"{pattern} => {self.arm_value(wanted, inner, depth)}" for pattern, inner in arms]
        return Text(f"if {path.text} is {{ {' '.join(texts)} }}", 1)

    def arm_value(self, wanted: Type, env: Environment, depth: int) -> str:
        if self.choices.chance(2):
            value = self.expression(wanted, env, "exact", depth)
            if value.level == 0:
                return value.text
            return f"{{{value.text}}}"
        return self.braced(wanted, env, "exact", depth)

    def arms(self, path: Path, env: Environment, may_miss: bool) -> list[tuple[str, Environment]]:
        """Patterns that cover all of ``path``, and what holds in each arm."""
        item, name = path.type.item, path.name
        present = {name: Type(item)}
        found: list[tuple[str, Environment]] = []
        if path.type.zero and self.choices.chance(2):
            found.append(("{}", env))
            env = env.narrow(present)
        empty_left = path.type.zero and not found
        if item.kind not in ("union", "property"):
            literals = {"int": ("1", "2, 3"), "string": ('"a"', '"b", "c"'), "boolean": ("true",)}
            for pattern in literals[item.name]:
                found.append((pattern, env))
            if not may_miss or self.choices.chance(2):
                found.append(("else", env))
            return found
        cases = list(self.world.cases_of(item))
        named = len(cases)
        while cases:
            if found and self.choices.chance(3):
                return [*found, ("else", env)]
            group = cases[: 1 + self.choices.below(2)]
            del cases[: len(group)]
            inner = env
            if len(group) == 1:
                kind: Literal["case", "field"] = "case" if item.kind == "union" else "field"
                inner = env.narrow({name: Type(Item(kind, item.name, group[0]))})
            found.append((", ".join(self.pattern(item, each, env) for each in group), inner))
        if item.kind == "property" and len(self.world.shape(item.name)) > named:
            return [*found, ("else", env)]  # a name with a dash is no pattern
        return [*found, ("{}", env)] if empty_left else found

    def pattern(self, item: Item, case: str, env: Environment) -> str:
        if case in env.locals or self.choices.chance(3):
            owner = self.scope.name(item.name) + (".Property" if item.kind == "property" else "")
            return f"{owner}.{case}"
        return case
