"""Random NX programs with the values that belong to them.

A ``World`` is a program as plain data: it can be written as NX, it can draw values in the
canonical encoding (semantics 6.1), and it says which values a runtime accepts (semantics 6.3).
The last two are written from those sections alone and know nothing of schemas, so that schemas
can be held against them.

Required fields only mention records declared before, so that every type has finite values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

Json = Any
Draw = Callable[[st.SearchStrategy[Any]], Any]

TEXT = st.text(alphabet="abc é😀", max_size=5)
RANGES = {
    "int": (-(2**53) + 1, 2**53 - 1),
    "int64": (-(2**53) + 1, 2**53 - 1),  # beyond it another form is written
    "int32": (-(2**31), 2**31 - 1),
}


@dataclass(frozen=True)
class Item:
    """An item type: a primitive, ``kind`` ``"constrained"`` with ends, or a name."""

    kind: str
    name: str
    low: int = 0
    high: int = 0
    argument: Item | None = None

    def spelled(self, occurrence: str = "") -> str:
        if self.kind == "constrained":
            text = f"{self.name} where in {self.low}..={self.high}"
            return f"({text}){occurrence}" if occurrence else text
        if self.kind == "applied":
            assert self.argument is not None
            return f"<{self.name} T={self.argument.spelled()} />{occurrence}"
        return self.name + occurrence


@dataclass(frozen=True)
class Field:
    name: str
    item: Item
    optional: bool = False
    many: bool = False
    default: tuple[str, Json] | None = None
    """NX text and the value that it stands for."""

    def spelled(self) -> str:
        mark = "?" if self.optional else ""
        default = f" = {self.default[0]}" if self.default is not None else ""
        return f"{self.name}{mark}:{self.item.spelled('+' if self.many else '')}{default}"


@dataclass
class World:
    bases: dict[str, list[Field]] = field(default_factory=dict)
    records: dict[str, tuple[str | None, list[Field]]] = field(default_factory=dict)
    unions: dict[str, tuple[str | None, dict[str, list[Field]]]] = field(default_factory=dict)
    aliases: dict[str, Item] = field(default_factory=dict)
    generics: dict[str, list[Field]] = field(default_factory=dict)
    """Fields of item ``T`` stand for the argument."""
    parameters: list[Field] = field(default_factory=list)
    result: Item = Item("primitive", "int")
    result_occurrence: str = ""
    named: set[str] = field(default_factory=set)
    """``named_arguments`` of the finished world."""

    # ------------------------------------------------------------ as NX

    def source(self) -> str:
        lines = [f"abstract type {name} = {_body(fields)}" for name, fields in self.bases.items()]
        for name, (base, fields) in self.records.items():
            lines.append(f"type {name}{_extends(base)} = {_body(fields)}")
        for name, (base, cases) in self.unions.items():
            written = " ".join(f"| {case} {_body(fields)}" for case, fields in cases.items())
            lines.append(f"type {name}{_extends(base)} = {written.replace('{ }', '')}")
        lines += [f"type {name} = {item.spelled()}" for name, item in self.aliases.items()]
        lines += [
            f"type {name} = {{ T:type {' '.join(each.spelled() for each in fields)} }}"
            for name, fields in self.generics.items()
        ]
        parameters = ", ".join(each.spelled() for each in self.parameters)
        result = self.result.spelled(self.result_occurrence)
        # A call of itself is a body of any type.
        arguments = ", ".join(each.name for each in self.parameters)
        lines.append(f"let f({parameters}): {result} = {{ f({arguments}) }}")
        return "\n".join(lines)

    # ------------------------------------------------------------ structure

    def seen_through(self, item: Item) -> Item:
        while item.kind == "alias":
            item = self.aliases[item.name]
        return item

    def fields_of(self, item: Item) -> list[Field]:
        if item.kind == "applied":
            assert item.argument is not None
            return [
                Field(f.name, item.argument if f.item.name == "T" else f.item, f.optional, f.many)
                for f in self.generics[item.name]
            ]
        base, fields = self.records[item.name]
        return [*(self.bases[base] if base is not None else ()), *fields]

    def case_fields(self, union: str, case: str) -> list[Field]:
        base, cases = self.unions[union]
        return [*(self.bases[base] if base is not None else ()), *cases[case]]

    def is_constant(self, union: str, case: str) -> bool:
        base, cases = self.unions[union]
        return base is None and not cases[case]

    def shapes(self, base: str) -> list[tuple[str, str, list[Field]]]:
        """``$type``, kind and fields of everything that extends ``base``."""
        found = [
            (name, "record", self.fields_of(Item("record", name)))
            for name, (own, _) in self.records.items()
            if own == base
        ]
        for union, (own, cases) in self.unions.items():
            if own == base:
                found += [(f"{union}.{c}", "case", self.case_fields(union, c)) for c in cases]
        return found

    def named_arguments(self) -> set[str]:
        """The records that carry ``$type`` among the arguments: those that some abstract site
        within reach of the parameters may hold (schema-contract 6)."""
        named: set[str] = set()
        seen: set[Item] = set()
        waiting = [each.item for each in self.parameters]
        while waiting:
            item = self.seen_through(waiting.pop())
            if item in seen or item.kind in ("primitive", "constrained", "property"):
                continue
            seen.add(item)
            match item.kind:
                case "abstract":
                    for name, kind, fields in self.shapes(item.name):
                        named |= {name} if kind == "record" else set()
                        waiting += [each.item for each in fields]
                case "union":
                    for case in self.unions[item.name][1]:
                        waiting += [each.item for each in self.case_fields(item.name, case)]
                case "update":
                    waiting += [each.item for each in self.fields_of(_target(item))]
                case _:
                    waiting += [each.item for each in self.fields_of(item)]
        return named

    # ------------------------------------------------------------ canonical values (6.1)

    def value(self, draw: Draw, item: Item, output: bool, depth: int = 0) -> Json:
        item = self.seen_through(item)
        match item.kind:
            case "primitive":
                return _primitive_value(draw, item.name)
            case "constrained":
                return draw(st.integers(item.low, item.high))
            case "record" | "applied":
                tagged = output or item.name in self.named
                return self._object(draw, self.fields_of(item), item.name, tagged, output, depth)
            case "union":
                case = draw(st.sampled_from(sorted(self.unions[item.name][1])))
                if self.is_constant(item.name, case):
                    return case
                fields = self.case_fields(item.name, case)
                return self._object(draw, fields, f"{item.name}.{case}", True, output, depth)
            case "abstract":
                name, _, fields = draw(st.sampled_from(self.shapes(item.name)))
                return self._object(draw, fields, name, True, output, depth)
            case "update":
                return self._update(draw, item, output, depth)
            case "property":
                return draw(st.sampled_from([f.name for f in self.fields_of(_target(item))]))
        raise AssertionError(item)

    def _object(
        self, draw: Draw, fields: list[Field], name: str, tagged: bool, output: bool, depth: int
    ) -> Json:
        value: dict[str, Json] = {"$type": name} if tagged else {}
        for each in fields:
            if each.optional and (depth > 2 or not draw(st.booleans())):
                continue
            if each.default is not None and not output and draw(st.booleans()):
                continue
            value[each.name] = self.slot(draw, each, output, depth + 1)
        return value

    def slot(self, draw: Draw, slot: Field, output: bool, depth: int = 0) -> Json:
        if not slot.many:
            return self.value(draw, slot.item, output, depth)
        count = draw(st.integers(1, 2))
        return [self.value(draw, slot.item, output, depth) for _ in range(count)]

    def _update(self, draw: Draw, item: Item, output: bool, depth: int) -> Json:
        value: dict[str, Json] = {"$type": item.name} if output else {}
        for each in self.fields_of(_target(item)):
            if depth > 2 or not draw(st.booleans()):
                continue
            cleared = each.optional and draw(st.booleans())
            value[each.name] = None if cleared else self.slot(draw, each, output, depth + 1)
        return value

    def result_value(self, draw: Draw) -> Json:
        match self.result_occurrence:
            case "":
                return self.value(draw, self.result, True)
            case "?":
                return self.value(draw, self.result, True) if draw(st.booleans()) else None
            case occurrence:
                least = 1 if occurrence == "+" else 0
                count = draw(st.integers(least, 3))
                return [self.value(draw, self.result, True) for _ in range(count)]

    def arguments(self, draw: Draw) -> dict[str, Json]:
        return self._object(draw, self.parameters, "", tagged=False, output=False, depth=0)

    # ------------------------------------------------------------ what a runtime takes (6.3)

    def takes_arguments(self, value: Json) -> bool:
        return isinstance(value, dict) and self._takes_fields(self.parameters, value)

    def _takes_fields(self, fields: list[Field], value: dict[str, Json]) -> bool:
        if not set(value) <= {each.name for each in fields}:
            return False
        for each in fields:
            if each.name in value:
                if not self._takes_slot(each, value[each.name]):
                    return False
            elif not each.optional and each.default is None:
                return False
        return True

    def _takes_slot(self, slot: Field, value: Json) -> bool:
        item = self.seen_through(slot.item)
        if not slot.many and (item.kind, item.name) == ("primitive", "object") and value == []:
            return True  # taken whole
        if value is None or value == []:
            return slot.optional
        if slot.many:
            items = value if isinstance(value, list) else [value]
            return all(item is not None and self._takes(slot.item, item) for item in items)
        return self._takes(slot.item, value)

    def _takes(self, item: Item, value: Json) -> bool:
        item = self.seen_through(item)
        if item.kind == "primitive" and item.name == "object":
            return value is not None  # decision 9
        if isinstance(value, list):
            return len(value) == 1 and self._takes(item, value[0])
        match item.kind:
            case "primitive":
                return _takes_primitive(item.name, value)
            case "constrained":
                return _is_integer(value) and item.low <= value <= item.high
            case "record" | "applied":
                return isinstance(value, dict) and self._takes_named(
                    self.fields_of(item), item.name, value, must_be_named=False
                )
            case "union":
                cases = self.unions[item.name][1]
                if isinstance(value, str):
                    return value in cases and self.is_constant(item.name, value)
                return isinstance(value, dict) and any(
                    value.get("$type") == f"{item.name}.{case}"
                    and self._takes_named(
                        self.case_fields(item.name, case), value["$type"], value, True
                    )
                    for case in cases
                )
            case "abstract":
                return isinstance(value, dict) and any(
                    self._takes_named(fields, name, value, must_be_named=True)
                    for name, _, fields in self.shapes(item.name)
                )
            case "update":
                return isinstance(value, dict) and self._takes_update(item, value)
            case "property":
                return value in [each.name for each in self.fields_of(_target(item))]
        raise AssertionError(item)

    def _takes_named(
        self, fields: list[Field], name: str, value: dict[str, Json], must_be_named: bool
    ) -> bool:
        rest = {key: inner for key, inner in value.items() if key != "$type"}
        given = value.get("$type", None if must_be_named else name)
        return given == name and self._takes_fields(fields, rest)

    def _takes_update(self, item: Item, value: dict[str, Json]) -> bool:
        fields = {each.name: each for each in self.fields_of(_target(item))}
        return value.get("$type", item.name) == item.name and all(
            key == "$type" or (key in fields and self._takes_slot(fields[key], inner))
            for key, inner in value.items()
        )


def _target(item: Item) -> Item:
    return Item("record", item.name.rpartition(".")[0])


def _body(fields: list[Field]) -> str:
    return f"{{ {' '.join(each.spelled() for each in fields)} }}" if fields else "{ }"


def _extends(base: str | None) -> str:
    return f" extends {base}" if base is not None else ""


def _is_integer(value: Json) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float) and value.is_integer())


def _takes_primitive(name: str, value: Json) -> bool:
    match name:
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "int32":
            return _is_integer(value) and -(2**31) <= value < 2**31
        case "int" | "int64":
            # A fraction is not refused here, but has no meaning either (semantics 6.4).
            return _is_integer(value)
        case _:
            return isinstance(value, (int, float)) and not isinstance(value, bool)


def _primitive_value(draw: Draw, name: str) -> Json:
    match name:
        case "string":
            return draw(TEXT)
        case "boolean":
            return draw(st.booleans())
        case "float32":
            return draw(st.floats(width=32, allow_nan=False, allow_infinity=False))
        case "float64":
            return draw(st.floats(allow_nan=False, allow_infinity=False))
        case "object":
            return draw(ANYTHING.filter(lambda value: value is not None))
        case _:
            return draw(st.integers(*RANGES[name]))


ANYTHING: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-2, 2) | TEXT,
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["$type", "a", "b0"]), inner, max_size=2)
    ),
    max_leaves=4,
)


# ---------------------------------------------------------------- drawing programs


@st.composite
def worlds(draw: Draw) -> World:
    """A program with a few bases, records, unions, aliases and generics, and a function ``f``."""
    world = World()
    for n in range(draw(st.integers(0, 2))):
        world.bases[f"Base{n}"] = _fields(draw, world, f"b{n}", limit=2)
    for n in range(draw(st.integers(1, 4))):
        base = _base(draw, world)
        world.records[f"R{n}"] = (base, [])
        world.records[f"R{n}"] = (base, _fields(draw, world, f"r{n}", limit=4, itself=f"R{n}"))
    for n in range(draw(st.integers(0, 2))):
        base = _base(draw, world)
        cases = {
            f"c{i}": _fields(draw, world, f"u{n}c{i}", limit=2) if draw(st.booleans()) else []
            for i in range(draw(st.integers(2, 3)))
        }
        world.unions[f"U{n}"] = (base, cases)
    for n in range(draw(st.integers(0, 2))):
        world.generics[f"G{n}"] = [
            Field("g0", Item("parameter", "T"), many=draw(st.booleans())),
            Field("g1", Item("parameter", "T"), optional=True),
        ]
    for n in range(draw(st.integers(0, 2))):
        world.aliases[f"A{n}"] = _item(draw, world, anything=True)
    world.parameters = _fields(draw, world, "p", limit=4, anything=True)
    omissible = [each for each in world.parameters if each.optional or each.default is not None]
    required = [each for each in world.parameters if each not in omissible]
    world.parameters = required + omissible
    world.result = _item(draw, world, anything=True)
    world.result_occurrence = draw(st.sampled_from(["", "?", "+", "*"]))
    world.named = world.named_arguments()
    return world


def _base(draw: Draw, world: World) -> str | None:
    return draw(st.sampled_from([None, *world.bases]))


def _fields(
    draw: Draw,
    world: World,
    prefix: str,
    limit: int,
    itself: str | None = None,
    anything: bool = False,
) -> list[Field]:
    found = []
    for n in range(draw(st.integers(0, limit))):
        optional = draw(st.booleans())
        many = draw(st.booleans())
        if optional and itself is not None and draw(st.booleans()):
            item = Item("record", itself)
        else:
            item = _item(draw, world, anything or optional, without=itself)
        default = None
        if not optional and not many and draw(st.booleans()):
            default = _default(draw, world, item)
        found.append(Field(f"{prefix}{n}", item, optional, many, default))
    return found


def _item(draw: Draw, world: World, anything: bool, without: str | None = None) -> Item:
    """An item type; only with ``anything`` one that may mention what is declared later."""
    primitives = ["string", "boolean", "int", "int32", "int64", "float32", "float64", "object"]
    low = draw(st.integers(-9, 9))
    choices = [
        Item("primitive", draw(st.sampled_from(primitives))),
        Item("constrained", "int", low, low + draw(st.integers(0, 9))),
    ]
    records = [name for name in world.records if name != without]
    choices += [Item("record", name) for name in records]
    choices += [Item("update", f"{name}.Update") for name in records]
    choices += [
        Item("property", f"{name}.Property")
        for name in records
        if world.fields_of(Item("record", name))
    ]
    choices += [Item("union", name) for name in world.unions]
    if anything:
        choices += [Item("abstract", name) for name in world.bases if world.shapes(name)]
        choices += [Item("alias", name) for name in world.aliases]
        choices += [
            Item("applied", name, argument=draw(st.sampled_from(choices[:1] + choices[2:])))
            for name in world.generics
        ]
    return draw(st.sampled_from(choices))


def _default(draw: Draw, world: World, item: Item) -> tuple[str, Json] | None:
    match item:
        case Item("primitive", "string"):
            return '"x"', "x"
        case Item("primitive", "boolean"):
            return "true", True
        case Item("primitive", "int" | "int32" | "int64"):
            return "-3", -3
        case Item("constrained", _, low):
            return str(low), low
        case Item("union", name):
            constant = [c for c in world.unions[name][1] if world.is_constant(name, c)]
            if not constant:
                return None
            case = draw(st.sampled_from(constant))
            return draw(st.sampled_from([case, f"{{{name}.{case}}}"])), case
    return None
