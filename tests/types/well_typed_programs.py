"""Random programs that are valid NX, in one module or two (semantics 1 to 4).

``programs()`` draws one. Names tell kinds apart, so that nothing shadows anything by accident:
``Base1``, ``Plan1`` records, ``Load1`` unions, ``Act1`` actions, ``Page1`` generics, ``f1`` fields,
``c1`` cases, ``p1`` parameters and properties, ``s1`` state, ``x1`` loop variables, ``v1`` values,
``fun1`` functions, ``Box1`` components, ``given1`` what an expression needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from well_typed_expressions import Expressions
from well_typed_model import (
    ELEMENT,
    INT,
    OBJECT,
    PRIMITIVES,
    STRING,
    Component,
    Function,
    Item,
    Occurrence,
    Record,
    Slot,
    Type,
    UnionDeclared,
    World,
    primitive,
)
from well_typed_scope import Choices, Environment, Scope

MAIN, OTHER = "main.nx", "parts/other.nx"
OCCURRENCES: tuple[Occurrence, ...] = ("", "?", "+", "*")


@st.composite
def programs(draw: Callable[..., Any]) -> dict[str, str]:
    """A valid program: module identity → text. The entry is ``main.nx``."""
    choices = Choices(draw)
    world = World()
    sources = {}
    other = None
    if choices.chance(2):
        other = ModuleWriter(world, choices, last=False)
        sources[OTHER] = other.write()
    main = ModuleWriter(world, choices, last=True)
    imports = main.import_all(other.scope) if other is not None else ""
    sources[MAIN] = imports + main.write() + main.root()
    return sources


class ModuleWriter:
    """Writes one module, declaration by declaration."""

    def __init__(self, world: World, choices: Choices, last: bool) -> None:
        self.last = last
        self.world = world
        self.choices = choices
        self.scope = Scope(world, choices)
        self.make = Expressions(self.scope)
        self.types: list[str] = []
        self.written = 0

    def write(self) -> str:
        writers = (
            self.function,
            self.record,
            self.union,
            self.value,
            self.component,
            self.component,
            self.function,
            self.action,
            self.generic_record,
            self.abstract_record,
            self.alias,
            self.generic_component,
            self.abstract_component,
        )
        for _ in range(3 + self.choices.below(12)):
            self.choices.pick(writers)()
        self.written = len(self.scope.declarations)
        return "\n".join(self.in_some_order()) + "\n"

    def in_some_order(self) -> Iterator[str]:
        """Types may stand anywhere; what is inferred stands in its order."""
        early = {text for text in self.types if not self.choices.chance(3)}
        yield from (text for text in self.types if text in early)
        yield from self.scope.declarations
        yield from (text for text in self.types if text not in early)

    def import_all(self, other: Scope) -> str:
        """An import of everything that ``other`` exports, in one of its forms."""
        exported = [name for name in other.own if name in self.world.exported]
        path = f'"./{OTHER}"'
        match self.choices.below(4):
            case 0:
                self.scope.spelled.update((name, name) for name in exported)
                return f"import {path}\n"
            case 1:
                self.scope.spelled.update((name, f"Far.{name}") for name in exported)
                return f"import {path} as Far\n"
        entries = []
        for name in exported:
            if "." in name:
                continue  # an inline action is not brought along (semantics 2.3)
            prefix = "Far." if self.choices.chance(3) else ""
            self.scope.spelled[name] = prefix + name
            entries.append(f"{name} as {prefix}{name}" if prefix else name)
        return f"import {{ {', '.join(entries)} }} from {path}\n"

    def root(self) -> str:
        if self.choices.chance(2):
            return ""
        element = self.make.element_text(Environment(sees_inferred=True), 2)
        pending = self.scope.declarations[self.written :]
        return "\n".join([*pending, element]) + "\n"

    # ------------------------------------------------------------ members

    def items(self) -> list[Item]:
        """Item types that are made of what is declared, simplest first."""
        low = self.choices.below(5)
        found = [primitive(each) for each in PRIMITIVES]
        kind = self.choices.pick(("int", "int32"))
        found.append(Item("constrained", kind, "", low, low + self.choices.below(9)))
        found.append(Item("record", "Range", argument=INT.item))
        for record in self.world.records.values():
            item = Item("record", record.name)
            if not self.scope.sees(record.name) or record.name == "Range":
                continue
            if "." in record.name and not self.last:
                continue  # an importer may have no name for an inline action
            if record.generic:
                bare = [each for each in found if each.kind in ("primitive", "record")]
                argument = self.choices.pick([each for each in bare if each.argument is None])
                found.append(replace(item, argument=argument))
                continue
            if self.make.buildable(item):
                found.append(item)
            found.append(Item("update", record.name))
            found.append(Item("property", record.name))
        for component in self.world.components.values():
            if self.scope.sees(component.name) and component.state:
                name = f"{component.name}.State"
                found += [Item("record", name), Item("update", name), Item("property", name)]
        found += [
            Item("union", each.name)
            for each in self.world.unions.values()
            if self.scope.sees(each.name)
        ]
        found += [
            Item("component", each.name)
            for each in self.world.components.values()
            if self.scope.sees(each.name) and not each.abstract and not each.generic
        ]
        found = [each for each in found if each.kind != "property" or self.world.cases_of(each)]
        return [*found, OBJECT, ELEMENT]

    def item(self, functions: bool = False) -> Item:
        found = self.items()
        if functions and self.choices.chance(5):
            return self.function_type(found)
        return self.choices.pick(found)

    def function_type(self, items: list[Item]) -> Item:
        if self.choices.chance(4):
            return Item("any-function")
        declared = [each for each in self.world.functions.values() if each.annotated]
        declared = [each for each in declared if self.scope.sees(each.name)]
        if declared and self.choices.chance(2):
            function = self.choices.pick(declared)
            slots = [replace(each, default=None) for each in function.parameters]
            result = function.result
        else:
            slots = [
                Slot(self.world.fresh("p"), self.choices.pick(items), optional=mark)
                for mark in (False, True)[: self.choices.below(3)]
            ]
            result = Type(self.choices.pick(items), self.choices.pick(OCCURRENCES))
        slots.append(Slot(self.world.fresh("p"), STRING.item))
        return Item("function", parameters=tuple(slots), result=result)

    def slots(
        self,
        prefix: str,
        limit: int,
        env: Environment | None = None,
        functions: bool = False,
        itself: Item | None = None,
        content: bool = True,
        owner: Component | None = None,
    ) -> list[Slot]:
        """Properties. Those of functions and components see the ones before them: then ``env``.
        Handlers in defaults answer for ``owner``, as far as it is declared."""
        found: list[Slot] = []
        for _ in range(self.choices.below(limit + 1)):
            item, many = self.item(functions), self.choices.chance(3)
            name = self.world.fresh(prefix)
            taken = any(each.content for each in found)
            body = content and not taken and self.choices.chance(4)
            # What a body of text is for several strings is not said.
            slot = Slot(name, item, many and not (body and item == STRING.item), content=body)
            if self.choices.chance(8) and prefix != "s":
                slot = replace(slot, name=f"{name}-x")
            match self.choices.below(3):
                case 1:
                    slot = replace(slot, optional=True)
                    if itself is not None and self.choices.chance(3):
                        slot = replace(slot, item=itself)
                case 2:
                    inside = replace(env or Environment(), sees_inferred=False, component=owner)
                    names = _readable(found) if env else {}
                    default = self.make.site(slot.read, inside.bound(**names), 1)
                    slot = replace(slot, default=default)
            found.append(slot)
        return found

    def body(self, slots: list[Slot]) -> str:
        return f"{{ {' '.join(self.scope.slot_text(each) for each in slots)} }}"

    # ------------------------------------------------------------ declarations of types

    def declare_type(self, name: str, text: str) -> None:
        self.scope.own_name(name)
        self.world.exported.add(name)
        comment = f"/// More than `{name}`.\n" if self.choices.chance(6) else ""
        self.types.append(f"{comment}export {text}")

    def bases(self, action: bool) -> list[Record | None]:
        return [
            None,
            *(
                each
                for each in self.world.records.values()
                if each.abstract and each.action == action and self.scope.sees(each.name)
            ),
        ]

    def record(self, kind: str = "type", base: Record | None = None) -> Record:
        name = self.world.fresh("Act" if kind == "action" else "Plan")
        base = base or self.choices.pick(self.bases(kind == "action"))
        itself = Item("record", name)
        content = base is None or not any(each.content for each in base.fields)
        own = self.slots("f", 4, functions=True, itself=itself, content=content)
        declared = Record(name, base, action=kind == "action", own=own)
        self.world.records[name] = declared
        self.declare_type(name, f"{kind} {name}{self.extends(base)} = {self.body(own)}")
        return declared

    def action(self) -> None:
        if self.choices.chance(3):
            self.abstract_record("action")
        else:
            self.record("action")

    def abstract_record(self, kind: str = "type") -> None:
        """An abstract record, and something that can be built of it."""
        name = self.world.fresh("Base")
        base = self.choices.pick(self.bases(kind == "action"))
        content = base is None or not any(each.content for each in base.fields)
        own = self.slots("f", 2, content=content)
        declared = Record(name, base, abstract=True, action=kind == "action", own=own)
        self.world.records[name] = declared
        text = f"abstract {kind} {name}{self.extends(base)} = {self.body(own)}"
        self.declare_type(name, text)
        self.record(kind, declared)

    def generic_record(self) -> None:
        name = self.world.fresh("Page")
        own = [
            Slot(self.world.fresh("f"), Item("parameter", "T"), many=self.choices.chance(2)),
            Slot(self.world.fresh("f"), Item("parameter", "T"), optional=True),
            *self.slots("f", 1),
        ]
        self.world.records[name] = Record(name, generic=True, own=own)
        self.declare_type(name, f"type {name} = {{ T:type {self.body(own)[2:]}")

    def union(self) -> None:
        name = self.world.fresh("Load")
        base = self.choices.pick(self.bases(False))
        content = base is None or not any(each.content for each in base.fields)
        cases: dict[str, list[Slot]] = {}
        for _ in range(2 + self.choices.below(3)):
            some = self.choices.chance(2)
            itself = Item("union", name)
            case = self.world.fresh("c")
            cases[case] = self.slots("f", 2, itself=itself, content=content) if some else []
        self.world.unions[name] = UnionDeclared(name, base, cases)
        texts = [case + (f" {self.body(own)}" if own else "") for case, own in cases.items()]
        self.declare_type(name, f"type {name}{self.extends(base)} = | {' | '.join(texts)}")

    def extends(self, base: Record | None) -> str:
        return f" extends {self.scope.name(base.name)}" if base is not None else ""

    def alias(self) -> None:
        self.scope.alias_text(Type(self.item(True), self.choices.pick(OCCURRENCES)), always=True)

    # ------------------------------------------------------------ values and functions

    def value(self) -> None:
        name = self.world.fresh("v")
        type = Type(self.item(True), self.choices.pick(OCCURRENCES))
        if self.choices.chance(3):
            text = self.make.braced(type, Environment(), "exact", 2)
            self.scope.declare(name, f"let {name} = {text}")
            self.scope.inferred[name] = type
            return
        text = self.make.site(type, Environment(), 2)
        self.declare(name, f"let {name}:{self.scope.type_text(type)} = {text}")
        self.world.values[name] = type

    def declare(self, name: str, text: str, exported: bool = False) -> None:
        """A declaration of any visibility; ``exported`` where its type may be needed anywhere."""
        if exported or self.choices.chance(2):
            inline = [each for each in self.scope.own if each.startswith(f"{name}.")]
            self.world.exported.update((name, *inline))
            text = f"export {text}"
        elif self.choices.chance(4):
            text = f"private {text}"
        if self.choices.chance(6):
            text = f"/// Documented, see [{name}].\n{text}"
        self.scope.declare(name, text)

    def function(self) -> None:
        name = self.world.fresh("fun")
        element = self.choices.chance(3)
        parameters = self.slots("p", 4, Environment(), functions=True, content=element)
        if not element:
            parameters.sort(key=lambda each: each.omissible)
        env = Environment(_readable(parameters), sees_inferred=True)
        result = Type(self.item(True), self.choices.pick(OCCURRENCES))
        annotated = not self.choices.chance(3)
        if annotated:
            text = self.make.site(result, env, 3)
            annotation = f": {self.scope.type_text(result)}"
        else:
            text, annotation = self.make.braced(result, env, "exact", 3), ""
        slots = [self.scope.slot_text(each) for each in parameters]
        head = f"<{name} {' '.join(slots)} />" if element else f"{name}({', '.join(slots)})"
        self.declare(name, f"let {head}{annotation} = {text}")
        self.world.functions[name] = Function(name, parameters, result, element, annotated)

    # ------------------------------------------------------------ components

    def component(self) -> None:
        name = self.world.fresh("Box")
        bases = [
            each
            for each in self.world.components.values()
            if each.abstract and self.scope.sees(each.name)
        ]
        base = self.choices.pick([None, *bases])
        content = base is None or not any(each.content for each in base.properties)
        made = Component(name)
        own = self.slots("p", 3, Environment(), functions=True, content=content, owner=made)
        inherited = base.properties if base is not None else []
        made.properties = [*inherited, *own]
        made.emits.update(base.emits if base is not None else {})
        emits = self.emits(made)
        extends = f" extends {self.scope.name(base.name)}" if base is not None else ""
        head = f"<{name}{extends} {' '.join(self.scope.slot_text(each) for each in own)}{emits} />"
        env = Environment(_readable(made.properties), sees_inferred=True)
        if not self.choices.chance(3):
            made.state = self.slots("s", 3, env, content=False, owner=made)
        env.locals.update(_readable(made.state))
        state = f"state {self.body(made.state)}" if made.state else ""
        self.world.components[name] = made
        self.scope.own_name(name)
        if self.choices.chance(5):
            body = f" = {{ {state} }}" if state else ""
            self.declare(name, f"external component {head}{body}", exported=True)
            return
        inside = replace(env, component=made)
        type = Type(ELEMENT, self.choices.pick(OCCURRENCES))
        expression = self.make.expression(type, inside, "exact", 3).text
        self.declare(name, f"component {head} = {{ {state} {expression} }}", exported=True)

    def emits(self, component: Component) -> str:
        """The emitted actions; declares the inline ones."""
        entries = []
        for _ in range(self.choices.below(4)):
            actions = [
                each
                for each in self.world.records.values()
                if each.action
                and not each.abstract
                and self.scope.spelled.get(each.name) == each.name
                and "." not in each.name
                and each.name not in component.emits
            ]
            if actions and self.choices.chance(2):
                action = self.choices.pick(actions)
                component.emits[action.name] = action
                entries.append(action.name)
                continue
            name = self.world.fresh("Done")
            base = self.choices.pick(self.bases(True))
            own = self.slots("f", 2, content=False, owner=Component(component.name))
            full = f"{component.name}.{name}"
            record = Record(full, base, action=True, own=own)
            component.emits[name] = record
            self.world.records[full] = record
            self.scope.own_name(full)
            entries.append(f"{name}{self.extends(base)} {self.body(own)}")
        return f" emits {{ {' '.join(entries)} }}" if entries else ""

    def abstract_component(self) -> None:
        name = self.world.fresh("Kind")
        made = Component(name, abstract=True)
        made.properties = self.slots("p", 2, Environment(), owner=made)
        emits = self.emits(made)
        slots = " ".join(self.scope.slot_text(each) for each in made.properties)
        self.world.components[name] = made
        self.declare(name, f"abstract component <{name} {slots}{emits} />", exported=True)

    def generic_component(self) -> None:
        name, parameter = self.world.fresh("List"), Item("parameter", "T")
        shown = Item("function", parameters=(Slot("item", parameter),), result=Type(ELEMENT))
        properties = [
            Slot("items", parameter, many=True),
            Slot("show", shown),
            Slot("last", parameter, optional=True),
        ]
        self.world.components[name] = Component(name, generic=True, properties=properties)
        slots = " ".join(self.scope.slot_text(each) for each in properties)
        body = "<row>for x in items { <show item={x} /> } if last? { <show item={last} /> }</row>"
        self.declare(name, f"component <{name} T:type {slots} /> = {{ {body} }}")


def _readable(slots: list[Slot]) -> dict[str, Type]:
    """Those that an expression can name: a dash would subtract."""
    return {each.name: each.read for each in slots if "-" not in each.name}
