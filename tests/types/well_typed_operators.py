"""Loops, fallbacks, operators, intrinsics and calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from well_typed_model import (
    BOOLEAN,
    COMMON,
    INT,
    STRING,
    Function,
    Item,
    Type,
    primitive,
)
from well_typed_scope import Environment, Maker, Mode, Path, Text


class Operators(Maker):
    """Part of ``Expressions``."""

    # ------------------------------------------------------------ loops, fallbacks, operators

    def loops(self, wanted: Type, env: Environment) -> Iterator[tuple[str, Type]]:
        """What can be iterated for ``wanted``, and its type as that of a sequence."""
        for path in self.paths(env):
            type = path.type
            if type.item == Item("record", "Range", argument=INT.item) and not type.occurrence:
                type = Type(INT.item, "*")
            fits = (wanted.zero or not type.zero) and (wanted.many or not type.many)
            if type.occurrence and fits:
                yield path.text, type
        if wanted.occurrence == "*":
            yield "1..=3", Type(INT.item, "*")

    def loop(self, iterable: str, type: Type, wanted: Type, env: Environment, depth: int) -> Text:
        name = self.world.fresh("x")
        names = {name: Type(type.item)}
        heads = name
        if self.choices.chance(3):
            index = self.world.fresh("i")
            names[index] = INT
            heads = f"{name}, {index}"
        zero = wanted.zero and self.choices.chance(2)
        many = wanted.many and self.choices.chance(3)
        inner = self.braced(wanted.with_(zero, many), env.bound(**names), "exact", depth)
        return Text(f"for {heads} in {iterable} {inner}", 1)

    def fallback(self, path: Path, wanted: Type, env: Environment, depth: int) -> Text:
        other = self.expression(wanted, env, "exact", depth)
        return Text(f"{path.text} ?? {other.operand}", 2)

    def concatenation(self, env: Environment, depth: int) -> Text:
        left = self.expression(STRING, env, "exact", depth).operand
        type = self.choices.pick((STRING, INT, BOOLEAN, Type(primitive("float32"))))
        right = self.expression(type, env, "exact", depth).operand
        if self.choices.chance(3):
            return Text(f"{right} + {left}", 2)
        return Text(f"{left} + {right}", 2)

    def arithmetic(self, item: Item, env: Environment, depth: int, mode: Mode) -> Text:
        operator = self.choices.pick(("+", "-", "*"))
        if mode == "site" and self.choices.chance(4):
            return Text(self.choices.pick(("2 * 3", "7 / 2 + 1", "-(4 - 1)", "9 % 4")), 2)
        pairs = COMMON[item.name]
        pair = self.choices.pick(pairs if mode == "site" else pairs[:1])
        left, right = (self.expression(Type(primitive(each)), env, "exact", depth) for each in pair)
        if self.choices.chance(3):
            # A literal takes the type of the other operand.
            left = self.named_number(item, env)
            return Text(f"{left.operand} {self.choices.pick(('/', '%', '+'))} 2", 2)
        return Text(f"{left.operand} {operator} {right.operand}", 2)

    def named_number(self, item: Item, env: Environment) -> Text:
        paths = [each.text for each in self.paths(env) if each.type == Type(item)]
        return Text(self.choices.pick(paths)) if paths else self.provided(item)

    def range_of(self, env: Environment, depth: int) -> Text:
        ends = [self.expression(INT, env, "exact", depth).operand for _ in range(2)]
        return Text(self.choices.pick(("..", "..=")).join(ends), 2)

    def intrinsic(self, name: str, types: Sequence[Type], env: Environment, depth: int) -> Text:
        """A call of an intrinsic, whose arguments are of exactly these types."""
        values = [self.expression(each, env, "exact", depth).text for each in types]
        return Text(f"{name}({', '.join(values)})")

    # ------------------------------------------------------------ functions

    def callables(self, wanted: Type, env: Environment, mode: Mode) -> list[Function]:
        return [
            each
            for each in self.world.functions.values()
            if self.scope.sees(each.name)
            and (each.annotated or (env.sees_inferred and each.name in self.scope.own))
            and self.usable(each.result, wanted, mode)
        ]

    def call(self, function: Function, env: Environment, depth: int) -> Text:
        if function.element_form or self.choices.chance(4):
            return Text(self.call_by_name(function, env, depth))
        values = []
        for slot in function.parameters:
            if slot.omissible and self.choices.chance(2):
                break
            if self.choices.chance(3):
                values.append(self.braced(slot.read, env, "site", depth))
            else:
                values.append(self.expression(slot.read, env, "site", depth).text)
        return Text(f"{self.scope.name(function.name)}({', '.join(values)})")

    def call_by_name(self, function: Function, env: Environment, depth: int) -> str:
        return self.element(self.scope.name(function.name), function.parameters, env, depth)

    def call_of_value(self, name: str, item: Item, env: Environment, depth: int) -> Text:
        return Text(self.element(name, item.parameters, env, depth))

    def references(self, wanted: Item, alike: bool) -> list[str]:
        """The names of the functions that satisfy a function type (semantics 3.7); ``alike``: of
        those that have it, because others would join to something wider."""
        return [
            self.scope.name(each.name)
            for each in self.world.functions.values()
            if self.scope.sees(each.name)
            and each.annotated
            and self._refers(each, wanted)
            and (not alike or wanted.kind == "any-function" or _alike(each, wanted))
        ]

    def _refers(self, function: Function, wanted: Item) -> bool:
        if wanted.kind == "any-function":
            return True
        given = {each.name: each for each in wanted.parameters}
        assert wanted.result is not None
        return self.world.satisfies(function.result, wanted.result) and all(
            each.name in given
            and given[each.name].content == each.content
            and self.world.satisfies(given[each.name].read, each.read)
            for each in function.parameters
        )

    def provided(self, item: Item) -> Text:
        """A declaration made for the purpose, where no expression of ``item`` can be written."""
        name = self.scope.providers.get(item)
        if name is None and item.kind in ("function", "any-function"):
            result = item.result or STRING
            name = self.world.fresh("given")
            self.scope.providers[item] = name
            body = self.site(result, Environment(), 0)
            slots = " ".join(self.scope.slot_text(each) for each in item.parameters)
            text = f"let <{name} {slots} />: {self.scope.type_text(result)} = {body}"
            self.world.functions[name] = Function(name, list(item.parameters), result, True)
            self.scope.declare(name, text)
        elif name is None:
            name = self.world.fresh("given")
            self.scope.providers[item] = name
            text = self.scope.type_text(Type(item))
            self.world.values[name] = Type(item)
            body = self.site(Type(item), Environment(), 0)
            self.scope.declare(name, f"let {name}:{text} = {body}")
        return Text(name)


def _number(value: float) -> Text:
    return Text(f"({value})") if value < 0 else Text(str(value))


def _alike(function: Function, wanted: Item) -> bool:
    given = {each.name: (each.read, each.content) for each in function.parameters}
    asked = {each.name: (each.read, each.content) for each in wanted.parameters}
    return given == asked and function.result == wanted.result
