"""Random expressions of a wanted type, for ``well_typed_programs``.

An expression is made for a *site* (numeric literals take its type, semantics 3.5), for an *item* of
a list at a site (the same, but subtypes would join), or *exact* (its own type counts: a branch, an
operand). What the spec leaves open is left out, so that every program made here is valid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Literal

from well_typed_model import (
    BOOLEAN,
    COMMON,
    ELEMENT,
    INT,
    OBJECT,
    STRING,
    Component,
    Function,
    Item,
    Slot,
    Type,
    primitive,
)
from well_typed_scope import Environment, Path, Scope, Text

Mode = Literal["site", "item", "exact"]
WORDS = ("a", "lamp", "two words", "")


class Expressions:
    """Makes expressions in one module."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.world = scope.world
        self.choices = scope.choices

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

    # ------------------------------------------------------------ literals, cases, elements

    def literal(self, item: Item, mode: Mode) -> Text:
        if item.kind == "constrained":
            return _number(item.low + self.choices.below(item.high - item.low + 1))
        match item.name:
            case "string":
                return Text(f'"{self.choices.pick(WORDS)}"')
            case "boolean":
                return Text(self.choices.pick(("true", "false")))
            case "float64" | "float32":
                whole = mode != "exact" and self.choices.chance(3)
                return _number(self.choices.pick((1, 7) if whole else (0.5, 2.25, -1.5)))
            case "int64" if self.choices.chance(4):
                return Text("9007199254740993")
        if self.choices.chance(5):
            return Text("0xFF")
        return _number(self.choices.pick((1, 0, 3, 40, -2)))

    def case(self, item: Item, env: Environment, depth: int) -> Text:
        owner = self.scope.name(item.name) + (".Property" if item.kind == "property" else "")
        case = self.choices.pick(self.world.cases_of(item))
        if self.world.is_constant(item, case):
            return Text(f"{owner}.{case}")
        slots = self.world.unions[item.name].fields_of(case)
        return Text(self.element(f"{owner}.{case}", slots, env, depth))

    def record(self, item: Item, env: Environment, depth: int) -> Text:
        # The first was there before all others: what it holds cannot lead back to it.
        names = self.buildable(item)
        name = self.choices.pick(names if depth > 0 else names[:1])
        tag = self.scope.name(name)
        if item.argument is None:
            return Text(self.element(tag, self.world.shape(name), env, depth))
        argument = f"T={self.scope.alias_text(Type(item.argument))}"
        return Text(self.element(tag, self.world.fields_of(item), env, depth, (argument,)))

    def update(self, item: Item, env: Environment, depth: int, tag: str | None = None) -> str:
        slots = [replace(each, default="{}") for each in self.world.shape(item.name)]
        return self.element(tag or f"{self.scope.name(item.name)}.Update", slots, env, depth)

    def component(self, component: Component, env: Environment, depth: int) -> str:
        tag = self.scope.name(component.name)
        handlers = self.handlers(component, env, depth)
        slots, first = component.properties, []
        if component.generic:
            argument = self.choices.pick((STRING, INT)).item
            first = [f"T={argument.name}"]
            slots = [_bound(each, argument) for each in slots]
        return self.element(tag, slots, env, depth, (*first, *handlers))

    def handlers(self, component: Component, env: Environment, depth: int) -> list[str]:
        found = []
        for name, record in component.emits.items():
            inside = env.bound(action=Type(Item("record", record.name)))
            written = depth > 0 and not self.choices.chance(3)
            if not written or not self.handler_results(inside, depth):
                continue

            def one(env: Environment) -> str:
                return self.choices.pick(self.handler_results(env, depth))()

            result = one(inside)
            if self.choices.chance(3):
                condition, true, false = self.condition(inside, depth)
                then, other = one(inside.narrow(true)), one(inside.narrow(false))
                result = f"{{if {condition.text} {{{then}}} else {{{other}}}}}"
            elif self.choices.chance(3):
                result = f"{{{result} {one(inside)}}}"
            found.append(f"on{name}={result}")
        return found

    def handler_results(self, env: Environment, depth: int) -> list[Callable[[], str]]:
        """What a handler may answer with where ``env`` is (semantics 3.9)."""
        makers: list[Callable[[], str]] = []
        component = env.component
        if component is None:
            names = [each.name for each in self.world.records.values() if each.action]
        else:
            names = [each.name for each in component.emits.values()]
            if component.state:
                state = Item("update", f"{component.name}.State")
                for tag in ("Update", f"{component.name}.Update", None):
                    makers.append(lambda tag=tag: self.update(state, env, depth, tag))
        for name in names:
            record = self.world.records[name]
            if not record.abstract and self.scope.sees(name):
                makers.append(
                    lambda name=name: self.element(
                        self.scope.name(name), self.world.shape(name), env, depth
                    )
                )
        return makers

    def element(
        self,
        tag: str,
        slots: Sequence[Slot],
        env: Environment,
        depth: int,
        first: Sequence[str] = (),
    ) -> str:
        """An element with what it needs, some properties in fragments, one perhaps as its body."""
        parts = list(first)
        body = ""
        for slot in slots:
            if slot.omissible and (depth <= 0 or not self.choices.chance(2)):
                continue
            written = replace(slot, default=None)
            if slot.content and self.choices.chance(2):
                body = self.content(written.read, env, depth)
            elif depth > 0 and self.choices.chance(4):
                parts.append(self.fragment(written, slot.omissible, env, depth))
            else:
                parts.append(f"{slot.name}={self.site(written.read, env, depth)}")
        opened = " ".join([tag, *parts])
        return f"<{opened}>{body}</{tag}>" if body else f"<{opened} />"

    def fragment(self, slot: Slot, omissible: bool, env: Environment, depth: int) -> str:
        """A property that is written on every path, or on some."""

        def written(inside: Environment) -> str:
            if omissible and self.choices.chance(4):
                return ""
            return f"{slot.name}={self.site(slot.read, inside, depth - 1)}"

        scrutinees = [each for each in self.paths(env) if self.matchable(each)]
        if scrutinees and self.choices.chance(2):
            path = self.choices.pick(scrutinees)
            arms = self.arms(path, env, omissible)
            texts = [f"{pattern} => {written(inside)}" for pattern, inside in arms]
            return f"if {path.text} is {{ {' '.join(texts)} }}"
        condition, true, false = self.condition(env, depth - 1)
        then = written(env.narrow(true))
        if omissible and self.choices.chance(2):
            return f"if {condition.text} {{ {then} }}"
        other = written(env.narrow(false))
        if self.choices.chance(2):
            return f"if {{ {condition.text} => {then} else => {other} }}"
        return f"if {condition.text} {{ {then} }} else {{ {other} }}"

    def content(self, wanted: Type, env: Environment, depth: int) -> str:
        """The body of an element, for a content property."""
        if wanted.item == STRING.item:
            pieces = [] if self.choices.chance(3) else ["some text"]
            for _ in range(1 + self.choices.below(2)):
                type = self.choices.pick((STRING, INT, BOOLEAN))
                pieces.append(f"{{{self.expression(type, env, 'exact', depth - 1).text}}}")
            return " ".join(pieces)
        if wanted.item == ELEMENT:
            count = 1 + (self.choices.below(2) if wanted.many else 0)
            return " ".join(self.element_text(env, depth - 1) for _ in range(count))
        return self.braced(wanted, env, "site", depth - 1)

    # ------------------------------------------------------------ markup

    def element_text(self, env: Environment, depth: int) -> str:
        """An element that is an ``Element``."""
        makers: list[Callable[[], str]] = [lambda: self.markup(env, depth)]
        if depth > 0:
            makers.append(lambda: self.text_element(env, depth))
            components = list(self.world.components.values())
            makers += [
                lambda each=each: self.component(each, env, depth)
                for each in (*components, *(each for each in components if each.emits))
                if not each.abstract and self.scope.sees(each.name) and self.can_supply(each, env)
            ]
            makers += [
                lambda each=each: self.call_by_name(each, env, depth)
                for each in self.world.functions.values()
                if each.result == Type(ELEMENT) and self.scope.sees(each.name) and each.annotated
            ]
        return self.choices.pick(makers)()

    def can_supply(self, component: Component, env: Environment) -> bool:
        return component is not env.component

    def markup(self, env: Environment, depth: int) -> str:
        tag = self.choices.pick(("row", "b", "kit.date-picker"))
        if depth <= 0:
            return f"<{tag}/>"
        kind = self.choices.pick((STRING, INT, BOOLEAN, Type(ELEMENT)))
        properties = f" size={self.site(kind, env, depth - 1)}" if self.choices.chance(2) else ""
        body = ""
        for _ in range(self.choices.below(3)):
            piece = self.body_piece(env, depth - 1)
            # A text run goes on until the next element or value.
            body += f"<i/>{piece}" if body.endswith("words") else f" {piece}"
        return f"<{tag}{properties}>{body}</{tag}>"

    def body_piece(self, env: Environment, depth: int) -> str:
        makers: list[Callable[[], str]] = [
            lambda: "words",
            lambda: self.braced(self.choices.pick((STRING, INT)), env, "exact", depth),
            lambda: self.element_text(env, depth),
            lambda: self.body_if(env, depth),
        ]
        scrutinees = [each for each in self.paths(env) if self.matchable(each)]
        if scrutinees:
            makers.append(lambda: self.body_match(self.choices.pick(scrutinees), env, depth))
        loops = list(self.loops(Type(ELEMENT, "*"), env))
        if loops:
            makers.append(lambda: self.body_for(*self.choices.pick(loops), env, depth))
        return "<i/>" if depth <= 0 else self.choices.pick(makers)()

    def body_if(self, env: Environment, depth: int) -> str:
        condition, true, false = self.condition(env, depth)
        then = self.element_text(env.narrow(true), depth - 1)
        if self.choices.chance(2):
            return f"if {condition.text} {{ {then} }}"
        other = self.body_piece(env.narrow(false), depth - 1)
        other = "<i/>" if other == "words" else other
        if self.choices.chance(2):
            return f"if {{ {condition.text} => {{ {then} }} else => {{ {other} }} }}"
        return f"if {condition.text} {{ {then} }} else {{ {other} }}"

    def body_match(self, path: Path, env: Environment, depth: int) -> str:
        texts = []
        for pattern, inside in self.arms(path, env, may_miss=True):
            element = self.element_text(inside, depth - 1)
            texts.append(
                f"{pattern} => {element if self.choices.chance(2) else f'{{ {element} }}'}"
            )
        return f"if {path.text} is {{ {' '.join(texts)} }}"

    def body_for(self, iterable: str, type: Type, env: Environment, depth: int) -> str:
        name = self.world.fresh("x")
        inner = self.element_text(env.bound(**{name: Type(type.item)}), depth - 1)
        return f"for {name} in {iterable} {{ {inner} }}"

    def text_element(self, env: Environment, depth: int) -> str:
        type = self.choices.pick((STRING, INT))
        value = self.expression(type, env, "exact", depth - 1).text
        return self.choices.pick(
            (
                f"<line:>a {{{value}}} &amp; \\{{ <b>more {{{value}}}</b><br/> end</line>",
                f"<memo:markdown size=1># Title @{{{value}}} \\@ home\n</memo>",
                "<style: raw>p { color: red; } // if</style>",
            )
        )

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


def _alike(function: Function, wanted: Item) -> bool:
    given = {each.name: (each.read, each.content) for each in function.parameters}
    asked = {each.name: (each.read, each.content) for each in wanted.parameters}
    return given == asked and function.result == wanted.result


_NATURAL = tuple(primitive(each) for each in ("string", "boolean", "int", "float64"))


def _number(value: float) -> Text:
    return Text(f"({value})") if value < 0 else Text(str(value))


def _bound(slot: Slot, argument: Item) -> Slot:
    """A property of a generic component, for a type argument."""
    item = slot.item
    if item.kind == "parameter":
        return replace(slot, item=argument)
    if item.kind == "function":
        parameters = tuple(_bound(each, argument) for each in item.parameters)
        return replace(slot, item=replace(item, parameters=parameters))
    return slot
