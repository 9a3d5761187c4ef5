"""schema-contract 13: the two properties that make it a contract, on random programs.

What a runtime writes and takes is modelled in ``generated_programs`` from semantics 6 alone."""

from __future__ import annotations

import copy
import json

import pytest
from generated_programs import ANYTHING, World, worlds
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from schema_validity import ask, ask_type, program

EXAMPLES = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
MANY_EXAMPLES = settings(EXAMPLES, max_examples=200)


def answer_of(world: World):
    asked = program(world.source())
    assert list(asked.diagnostics()) == []
    answer = ask(asked)
    assert answer["diagnostics"] == []
    return answer


def check_a_result_is_valid(world: World, data: st.DataObject) -> None:
    validator = Draft202012Validator(answer_of(world)["outputSchema"])
    for _ in range(3):
        value = json.loads(json.dumps(world.result_value(data.draw)))
        errors = [error.message for error in validator.iter_errors(value)]
        assert errors == [], value


def check_valid_arguments_are_taken(world: World, data: st.DataObject) -> None:
    validator = Draft202012Validator(answer_of(world)["inputSchema"])
    for _ in range(3):
        arguments = json.loads(json.dumps(world.arguments(data.draw)))
        assert world.takes_arguments(arguments)
        errors = [error.message for error in validator.iter_errors(arguments)]
        assert errors == [], arguments
        for _ in range(3):
            changed = mutated(arguments, data.draw)
            if validator.is_valid(changed):
                assert world.takes_arguments(changed), changed


def mutated(value, draw):
    """``value`` with one thing changed somewhere."""
    changed = copy.deepcopy(value)
    places = list(_places(changed))
    holder, key = draw(st.sampled_from(places)) if places else (changed, None)
    match draw(st.sampled_from(["replace", "remove", "add", "wrap", "null", "tag"])):
        case "remove" if key is not None:
            del holder[key]
        case "wrap" if key is not None:
            holder[key] = [holder[key]]
        case "null" if key is not None:
            holder[key] = draw(st.sampled_from([None, [], {}]))
        case "tag" if isinstance(holder, dict):
            holder["$type"] = draw(st.sampled_from(["R0", "R1", "U0.c0", "R0.Update", "Base0", 3]))
        case "add" if isinstance(holder, dict):
            holder[draw(st.sampled_from(["p9", "r00", "b00", "x"]))] = draw(ANYTHING)
        case _ if key is not None:
            holder[key] = draw(ANYTHING)
    return json.loads(json.dumps(changed))


def _places(value):
    if isinstance(value, (dict, list)):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from _places(value[key])


@EXAMPLES
@given(worlds(), st.data())
def test_every_result_is_valid(world, data):
    check_a_result_is_valid(world, data)


@EXAMPLES
@given(worlds(), st.data())
def test_every_valid_argument_is_taken(world, data):
    check_valid_arguments_are_taken(world, data)


@pytest.mark.slow
@MANY_EXAMPLES
@given(worlds(), st.data())
def test_every_result_is_valid_at_length(world, data):
    check_a_result_is_valid(world, data)


@pytest.mark.slow
@MANY_EXAMPLES
@given(worlds(), st.data())
def test_every_valid_argument_is_taken_at_length(world, data):
    check_valid_arguments_are_taken(world, data)


@EXAMPLES
@given(worlds())
def test_the_same_program_gives_the_same_bytes(world):
    source = world.source()
    first, second = program(source), program(source)
    for module, name in reversed(second.types()):  # another order of questions
        if module == "main.nx":
            second.type_schema(name, module, "input")
    assert json.dumps(ask(first)) == json.dumps(ask(second))


@settings(EXAMPLES, max_examples=10)
@given(worlds())
def test_every_declared_type_is_described_or_explained(world):
    asked = program(world.source())
    for module, name in asked.types():
        if module == "main.nx":
            for direction in ("input", "output"):
                answer = ask_type(asked, name, direction)
                childless = name in world.bases and not world.shapes(name)
                assert ("schema" in answer) != childless


@EXAMPLES
@given(worlds(), st.data())
def test_only_the_canonical_spelling_is_valid(world, data):
    """schema-contract 4, semantics 6.4: forms that a runtime reads but never writes."""
    validator = Draft202012Validator(answer_of(world)["inputSchema"])
    arguments = json.loads(json.dumps(world.arguments(data.draw)))
    assume(arguments)
    name = data.draw(st.sampled_from(sorted(arguments)))
    slot = next(each for each in world.parameters if each.name == name)
    item = world.seen_through(slot.item)
    assume((item.kind, item.name) != ("primitive", "object"))
    for wrong in (None, [], [arguments[name]], [[arguments[name]]]):
        assert not validator.is_valid({**arguments, name: wrong})
    if slot.many:
        assert not validator.is_valid({**arguments, name: arguments[name][0]})
    assert not validator.is_valid({**arguments, "undeclared": 1})


@settings(EXAMPLES, max_examples=20)
@given(worlds(), st.data())
def test_any_text_around_a_declaration_is_survived(world, data):
    """Broken programs are answered, and their documents are sound too."""
    source = world.source()
    start = data.draw(st.integers(0, len(source)))
    end = data.draw(st.integers(start, min(len(source), start + 6)))
    noise = data.draw(
        st.sampled_from(["", "{", "}", "(", " ", "?", "+", ":", "<", "type", "|", '"', "é"])
    )
    broken = program(source[:start] + noise + source[end:])
    for module, name in broken.functions():
        ask(broken, name, module=module)
    for module, name in broken.types():
        if module == "main.nx":
            ask_type(broken, name, module=module)
