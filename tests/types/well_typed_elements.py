"""Literals, cases, records, components and markup: what stands for a value by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from well_typed_model import (
    BOOLEAN,
    ELEMENT,
    INT,
    STRING,
    Component,
    Item,
    Slot,
    Type,
)
from well_typed_scope import Environment, Maker, Mode, Path, Text

WORDS = ("a", "lamp", "two words", "")


class Elements(Maker):
    """Part of ``Expressions``."""

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
