"""Random expressions of a wanted type, for ``well_typed_programs``.

An expression is made for a *site* (numeric literals take its type, semantics 3.5), for an *item* of
a list at a site (the same, but subtypes would join), or *exact* (its own type counts: a branch, an
operand). What the spec leaves open is left out, so that every program made here is valid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from well_typed_conditions import Conditions
from well_typed_elements import Elements
from well_typed_model import (
    BOOLEAN,
    COMMON,
    ELEMENT,
    INT,
    OBJECT,
    STRING,
    Item,
    Type,
    primitive,
)
from well_typed_operators import Operators
from well_typed_scope import Environment, Mode, Path, Text

_NATURAL = tuple(primitive(each) for each in ("string", "boolean", "int", "float64"))


class Expressions(Elements, Conditions, Operators):
    """Makes expressions in one module."""

    # ------------------------------------------------------------ sites

    def site(self, wanted: Type, env: Environment, depth: int = 2) -> str:
        """What stands after ``=``."""
        makers: list[Callable[[], str]] = []
        item = wanted.item
        if item.kind in ("union", "property"):
            constant = [
                each for each in self.world.cases_of(item) if self.world.is_constant(item, each)
            ]
            if constant:
                makers.append(lambda: self.choices.pick(constant))
        elif item.kind in ("primitive", "constrained") and item not in (OBJECT, ELEMENT):
            makers.append(lambda: self.literal(item, "site").text.strip("()"))
        elif item.kind == "record" and self.buildable(item):
            makers.append(lambda: self.record(item, env, depth - 1).text)
        elif item == ELEMENT:
            makers.append(lambda: self.element_text(env, depth - 1))
        if wanted.zero:
            makers.append(lambda: "{}")
        if depth > 0 or not makers:
            makers += [lambda: self.braced(wanted, env, "site", depth)] * 3
        return self.choices.pick(makers)()

    def braced(self, wanted: Type, env: Environment, mode: Mode, depth: int) -> str:
        """A braced value: one expression, or a list."""
        if wanted.many and depth > 0 and self.choices.chance(2):
            each: Mode = "exact" if mode == "exact" else "item"
            kinds = ("", "+", "?", "*")
            first = Type(wanted.item, self.choices.pick(kinds if wanted.zero else kinds[:2]))
            rest = [
                Type(wanted.item, self.choices.pick(kinds))
                for _ in range(1 + self.choices.below(2))
            ]
            texts = [self.expression(type, env, each, depth - 1).item for type in (first, *rest)]
            return f"{{{' '.join(texts)}}}"
        return f"{{{self.expression(wanted, env, mode, depth).text}}}"

    # ------------------------------------------------------------ expressions

    def expression(self, wanted: Type, env: Environment, mode: Mode, depth: int) -> Text:
        makers = list(self.simple(wanted, env, mode, depth))
        if depth > 0:
            makers += self.composed(wanted, env, mode, depth - 1)
        if not makers:
            return self.provided(wanted.item)
        return self.choices.pick(makers)()

    def simple(
        self, wanted: Type, env: Environment, mode: Mode, depth: int
    ) -> Iterator[Callable[[], Text]]:
        item = wanted.item
        if item == OBJECT:
            type = self.choices.pick((STRING, INT, BOOLEAN))
            yield lambda: self.expression(type, env, "exact", depth - 1)
        elif item == ELEMENT:
            yield lambda: Text(self.element_text(env, depth - 1))
        elif item in _NATURAL or (mode != "exact" and item.kind in ("primitive", "constrained")):
            yield lambda: self.literal(item, mode)
        elif item.kind == "record" and self.buildable(item):
            yield lambda: self.record(item, env, depth - 1)
            unions = [Item("union", name) for name in self.world.unions if self.scope.sees(name)]
            fitting = [each for each in unions if self.world.item_satisfies(each, item)]
            if fitting and mode == "site" and depth > 0:
                yield lambda: self.case(self.choices.pick(fitting), env, depth - 1)
        elif item.kind == "update":
            yield lambda: Text(self.update(item, env, depth - 1))
        elif item.kind in ("union", "property"):
            yield lambda: self.case(item, env, depth - 1)
        elif item.kind == "component":
            yield lambda: Text(self.component(self.world.components[item.name], env, depth - 1))
        elif item.kind in ("function", "any-function"):
            references = self.references(item, alike=mode != "site")
            if references:
                yield lambda: Text(self.choices.pick(references))
        if wanted.zero and mode == "site":
            yield lambda: Text("{}")
        paths = [each for each in self.paths(env) if self.usable(each.type, wanted, mode)]
        inferred = [
            name
            for name, type in self.scope.inferred.items()
            if name not in env.locals and self.usable(type, wanted, mode)
        ]
        if paths or inferred:
            texts = [*inferred, *(each.text for each in paths)]
            yield lambda: Text(self.choices.pick(texts))

    def usable(self, given: Type, wanted: Type, mode: Mode) -> bool:
        if not self.world.satisfies(given, wanted):
            return False
        case_of = {"case": "union", "field": "property"}.get(given.item.kind)
        return mode == "site" or given.item == wanted.item or case_of == wanted.item.kind

    def composed(
        self, wanted: Type, env: Environment, mode: Mode, depth: int
    ) -> list[Callable[[], Text]]:
        makers: list[Callable[[], Text]] = [
            lambda: self.conditional(wanted, env, depth),
            lambda: self.condition_list(wanted, env, depth),
        ]
        callables = self.callables(wanted, env, mode)
        if callables:
            makers += [lambda: self.call(self.choices.pick(callables), env, depth)] * 2
        held = [
            (name, type.item)
            for name, type in env.locals.items()
            if type.item.kind == "function"
            and not type.occurrence
            and type.item.result is not None
            and self.usable(type.item.result, wanted, mode)
        ]
        if held:
            makers += [lambda: self.call_of_value(*self.choices.pick(held), env, depth)] * 2
        scrutinees = [each for each in self.paths(env) if self.matchable(each)]
        if scrutinees:
            makers += [lambda: self.match(self.choices.pick(scrutinees), wanted, env, depth)] * 2
        absent = [
            each
            for each in self.paths(env)
            if each.type.zero
            and each.type.item == wanted.item
            and (wanted.many or not each.type.many)
        ]
        if absent:
            makers += [lambda: self.fallback(self.choices.pick(absent), wanted, env, depth)] * 2
        if wanted.occurrence:
            loops = list(self.loops(wanted, env))
            if loops:
                makers += [lambda: self.loop(*self.choices.pick(loops), wanted, env, depth)] * 2
        if wanted.item.kind == "property" and wanted.occurrence == "*":
            update = Type(Item("update", wanted.item.name))
            makers += [lambda: self.intrinsic("changed", (update,), env, depth)] * 3
        makers += self.of_item(wanted.item, env, mode, depth)
        return makers

    def of_item(
        self, item: Item, env: Environment, mode: Mode, depth: int
    ) -> list[Callable[[], Text]]:
        """The forms that only one kind of item type has."""
        if item == STRING.item:
            return [lambda: self.concatenation(env, depth)] * 2
        if item == BOOLEAN.item:
            return [lambda: self.condition(env, depth + 1)[0]] * 3
        if item.kind == "primitive" and item.name in COMMON:
            return [lambda: self.arithmetic(item, env, depth, mode)] * 2
        if item == Item("record", "Range", argument=INT.item):
            return [lambda: self.range_of(env, depth)] * 3
        if item.kind == "update" and self.buildable_exactly(item.name):
            owner = Type(Item("record", item.name))
            update = Type(item)
            return [
                lambda: self.intrinsic("diff", (owner, owner), env, depth),
                lambda: self.intrinsic("merge", (update, update), env, depth),
            ]
        if item.kind == "record" and item.argument is None and self.buildable_exactly(item.name):
            both = (Type(item), Type(Item("update", item.name)))
            return [lambda: self.intrinsic("apply", both, env, depth)]
        return []

    def buildable(self, item: Item) -> list[str]:
        """The records that can be built here where ``item`` is expected."""
        if item.argument is not None or item.name.endswith(".State"):
            return [item.name]
        return [each for each in self.world.concrete(item.name) if self.scope.sees(each)]

    def buildable_exactly(self, name: str) -> bool:
        if name.endswith(".State"):
            return True
        record = self.world.records[name]
        return not record.abstract and not record.generic and self.scope.sees(name)

    # ------------------------------------------------------------ paths

    def paths(self, env: Environment) -> Iterator[Path]:
        for name, type in env.locals.items():
            if name not in env.hidden:
                yield from self._grow(name, type, (), env, 2)
        for name, type in self.world.values.items():
            if self.scope.spelled.get(name) == name and name not in env.hidden:
                yield from self._grow(name, type, (), env, 2)

    def _grow(
        self,
        text: str,
        type: Type,
        way: tuple[tuple[str, Type], ...],
        env: Environment,
        depth: int,
    ) -> Iterator[Path]:
        name = text.replace("?", "")
        type = env.narrowed.get(name, type)
        way = (*way, (name, type))
        yield Path(text, type, way)
        if depth == 0 or type.many:
            return
        for member in self.world.fields_of(type.item):
            if "-" in member.name:
                continue
            read = member.read
            step = "?." if type.zero else "."
            inner = read.with_(read.zero or type.zero, read.many)
            yield from self._grow(f"{text}{step}{member.name}", inner, way, env, depth - 1)
