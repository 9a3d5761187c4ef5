"""Functions that hosts have trouble with, and values of contracts and of copies."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from nx_lsp import FunctionSchema, Program

EXAMPLES = Path(__file__).parents[2] / "examples"
LONG = "a" * 80

SOURCE = f"""
/// A tree of words.
type Tree = {{
  /// What it says.
  word:string
  /// What is below.
  children?:Tree+
}}

/// A sum.
abstract type Term = {{ }}
type Number extends Term = {{
  /// How much.
  value:int
}}
type Sum extends Term = {{
  /// What is added.
  terms:Term+
}}

/// How to pay.
type Payment =
  | card {{
      /// Its number.
      number:string
      /// Whether now.
      now:boolean = true
    }}
  | points {{
      /// How many.
      amount:int where > 0
    }}

type Way = cash | card {{ number:string }}

type User = {{
  /// What to call them.
  name:string
  /// How old they are.
  age?:int
  /// Where they live.
  city:string = "Rome"
}}

type Plain = {{ a:int }}

/// Counts the words.
let words(
  /// The tree.
  tree:Tree
): int = 1

/// Works out a term.
let evaluate(
  /// The term.
  term:Term
): int = 1

/// Pays.
let pay(
  /// How.
  payment:Payment
): Payment = {{ payment }}

/// Pays in some way.
let payAnyhow(
  /// How.
  way:Way
): Way = {{ way }}

/// Takes anything.
let anything(
  /// What.
  what:object
): object = {{ what }}

/// Has a default and bounds.
let bounded(
  /// How many.
  count:int where in 1..=10 = 3,
  /// How much.
  share?:float64 where > 0.0 && < 1.0,
  /// Names.
  names:string+
): string* = {{ names }}

/// Changes a user.
let change(
  /// What to change.
  change:User.Update
): User? = {{ }}

/// Has a user.
let hasUser(
  /// The user.
  user?:User
): User = {{ <User name="a" /> }}

/// Has no arguments.
let nothing(): boolean = true

/// Is documented only outside.
let plain(
  /// Plain.
  plain:Plain
): Plain = {{ plain }}

let undescribed(a:int): int = {{ a }}

/// Has a long name.
let {LONG}(
  /// Of an argument too.
  {LONG}:int
): int = 1

/// Has no schema.
let callsBack(f:<function />: int): int = 1

/// Has no output schema.
let hands(
  /// How many.
  n:int
): <function />: int = callsBack
"""


@cache
def answers() -> dict[str, FunctionSchema]:
    """The contracts of the functions above, by name."""
    program = Program.from_sources({"main.nx": SOURCE})
    return {
        each.name: program.function_schema(each.name)
        for each in program.functions()
        if each.module == "main.nx"
    }


@cache
def example_answers() -> dict[str, FunctionSchema]:
    """The contracts of all functions of all examples."""
    found: dict[str, FunctionSchema] = {}
    for root in sorted(each for each in EXAMPLES.iterdir() if each.is_dir()):
        program = Program.from_directory(root)
        for module, name in program.functions():
            if not module.startswith("@nx/"):
                found[f"{root.name}/{module}#{name}"] = program.function_schema(
                    name, module, [("@nx/agent/agent.nx", "ToolContext")]
                )
    return found


def all_answers() -> dict[str, FunctionSchema]:
    return {**answers(), **example_answers()}


# ---------------------------------------------------------------- values


ANY = st.one_of(
    st.booleans(),
    st.integers(-3, 3),
    st.text(max_size=3),
    st.lists(st.integers(0, 2), max_size=2),
    st.dictionaries(st.sampled_from(["a", "value"]), st.none() | st.integers(0, 2), max_size=2),
)

DEEPEST = 4
"""Levels below which optional members are left out."""


def values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that a document admits."""
    return _values(schema, schema.get("$defs", {}), 0)


def _values(schema: dict[str, Any], defs: dict[str, Any], level: int) -> st.SearchStrategy[Any]:
    if "$ref" in schema:
        target = defs[schema["$ref"].removeprefix("#/$defs/")]
        return st.deferred(lambda: _values(target, defs, level + 1))
    if "not" in schema:
        return ANY
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        branches = schema["anyOf"]
        if level > DEEPEST:
            branches = sorted(branches, key=lambda each: _weight(each, defs))[:1]
        return st.one_of(*(_values(each, defs, level) for each in branches))
    kind = schema.get("type")
    if isinstance(kind, list):
        return st.one_of(*(_values({**schema, "type": each}, defs, level) for each in kind))
    match kind:
        case "object":
            return _objects(schema, defs, level)
        case "array":
            least = schema.get("minItems", 0)
            most = max(least, 0 if level > DEEPEST else 2)
            items = _values(schema["items"], defs, level + 1)
            return st.lists(items, min_size=least, max_size=most)
        case "integer":
            return st.integers(schema.get("minimum"), schema.get("maximum"))
        case "number":
            return st.floats(
                schema.get("minimum", schema.get("exclusiveMinimum")),
                schema.get("maximum", schema.get("exclusiveMaximum")),
                exclude_min="exclusiveMinimum" in schema,
                exclude_max="exclusiveMaximum" in schema,
                allow_nan=False,
                allow_infinity=False,
            )
        case "boolean":
            return st.booleans()
        case "null":
            return st.none()
        case _:
            return st.text(max_size=3)


def _objects(
    schema: dict[str, Any], defs: dict[str, Any], level: int
) -> st.SearchStrategy[dict[str, Any]]:
    if "properties" not in schema:  # open
        return st.dictionaries(st.text(max_size=2), st.integers(0, 2), max_size=2)
    required, optional = {}, {}
    for name, each in schema["properties"].items():
        if name in schema.get("required", ()):
            required[name] = _values(each, defs, level + 1)
        elif level <= DEEPEST:
            optional[name] = _values(each, defs, level + 1)
    return st.fixed_dictionaries(required, optional=optional)


def _weight(schema: dict[str, Any], defs: dict[str, Any]) -> int:
    """How much of a document a value of a branch needs, roughly."""
    target = defs[schema["$ref"].removeprefix("#/$defs/")] if "$ref" in schema else schema
    if "items" in target:
        return 100 * target.get("minItems", 0)
    needed = [target["properties"][name] for name in target.get("required", ())]
    return sum(10 if {"$ref", "anyOf", "items"} & set(each) else 1 for each in needed)


def notes_of(answer: FunctionSchema, host: Any) -> Iterator[tuple[str, str, bool]]:
    """Code, pointer and ``lossy`` of each note of a copy."""
    for note in answer.for_host(host).notes:
        yield note.code, note.pointer, note.lossy
