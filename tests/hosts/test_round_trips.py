"""Values on their way to a host and back (editor-experience 10)."""

from __future__ import annotations

from typing import Any

import pytest
from host_programs import all_answers, answers, values
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from nx_lsp import HOSTS, FunctionSchema, HostCopy

EXAMPLES = settings(
    max_examples=15, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)

ARGUMENTS = {
    "mcp": ("inputSchema",),
    "openai": ("function", "parameters"),
    "openai-strict": ("function", "parameters"),
    "anthropic": ("input_schema",),
    "ax": ("parameters",),
}
"""Where each host has the schema of arguments."""


def parameters(copy: HostCopy) -> dict[str, Any]:
    found: Any = copy.document
    for key in ARGUMENTS[copy.host]:
        found = found[key]
    return found


def copies() -> list[Any]:
    return [
        pytest.param(answer, answer.for_host(host), id=f"{name}-{host}")
        for name, answer in all_answers().items()
        for host in HOSTS
        if not answer.for_host(host).refused
    ]


@pytest.mark.parametrize(("answer", "copy"), copies())
def test_arguments_go_there_and_back(answer: FunctionSchema, copy: HostCopy) -> None:
    assert answer.input_schema is not None
    at_host = Draft202012Validator(parameters(copy))
    # Ax has objects alone in the place of any value: narrower, so that not all can be sent.
    narrower = any(note.code == "open-object" for note in copy.notes)

    @EXAMPLES
    @given(values(answer.input_schema))
    def check(canonical: dict[str, Any]) -> None:
        sent = copy.encode_arguments(canonical)
        if not narrower:
            at_host.validate(sent)
        assert copy.decode_arguments(sent) == canonical

    check()


@pytest.mark.parametrize(("answer", "copy"), copies())
def test_what_a_copy_admits_the_contract_admits_unless_a_note_says_not(
    answer: FunctionSchema, copy: HostCopy
) -> None:
    assert answer.input_schema is not None
    contract = Draft202012Validator(answer.input_schema)
    if any(note.lossy for note in copy.notes):
        return

    @EXAMPLES
    @given(values(parameters(copy)))
    def check(sent: dict[str, Any]) -> None:
        contract.validate(copy.decode_arguments(sent))

    check()


@pytest.mark.parametrize("name", [n for n, each in all_answers().items() if each.output_schema])
def test_results_go_there_and_back(name: str) -> None:
    answer = all_answers()[name]
    copy = answer.for_host("mcp")
    if copy.document is None:
        return
    assert answer.output_schema is not None
    at_host = Draft202012Validator(copy.document["outputSchema"])

    @EXAMPLES
    @given(values(answer.output_schema))
    def check(canonical: Any) -> None:
        sent = copy.encode_result(canonical)
        assert isinstance(sent, dict)
        at_host.validate(sent)
        assert copy.decode_result(sent) == canonical

    check()


def test_null_means_absent_in_strict_mode() -> None:
    copy = answers()["hasUser"].for_host("openai-strict")
    assert copy.decode_arguments({"user": None}) == {}
    sent = {"user": {"name": "Ada", "age": None, "city": None}}
    assert copy.decode_arguments(sent) == {"user": {"name": "Ada"}}
    assert copy.encode_arguments({}) == {"user": None}


def test_null_of_an_update_is_no_absence() -> None:
    """An update clears what is null and keeps what is absent (nx-semantics, update records)."""
    copy = answers()["change"].for_host("openai-strict")
    sent = {"change": {"name": None, "age": {"value": None}, "city": None}}
    assert copy.decode_arguments(sent) == {"change": {"age": None}}
    kept = {"change": {"name": "Ada", "age": None, "city": None}}
    assert copy.decode_arguments(kept) == {"change": {"name": "Ada"}}
    assert copy.encode_arguments({"change": {"age": 3}}) == {
        "change": {"name": None, "age": {"value": 3}, "city": None}
    }


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("name", answers())
def test_nothing_that_a_model_sends_raises(name: str, host: Any) -> None:
    copy = answers()[name].for_host(host)
    leaves = st.none() | st.booleans() | st.integers(0, 2) | st.text(max_size=3)
    names = st.sampled_from(["tree", "word", "children", "user", "change", "$type", "value", "x"])
    anything = st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(names, inner),
        max_leaves=8,
    )

    @EXAMPLES
    @given(st.dictionaries(names, anything), anything)
    def check(arguments: dict[str, Any], result: Any) -> None:
        copy.decode_arguments(arguments)
        copy.decode_result(result)

    check()


def test_what_does_not_fit_is_handed_on() -> None:
    copy = answers()["hasUser"].for_host("openai-strict")
    sent = {"user": "Ada", "more": None}
    assert copy.decode_arguments(sent) == sent
    mcp = answers()["nothing"].for_host("mcp")
    assert mcp.decode_result({"result": True, "more": 1}) == {"result": True, "more": 1}
