import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nx_lsp.ide.json_text import write_compact_json, write_json

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({}, "{}"),
        ([], "[]"),
        ({"type": "integer"}, '{ "type": "integer" }'),
        (["a", "b"], '["a", "b"]'),
        ({"a": {"b": [1, 2.5, None, True]}}, '{ "a": { "b": [1, 2.5, null, true] } }'),
        ("ü\n", '"ü\\n"'),
    ],
)
def test_small_values_stand_on_one_line(value: object, text: str) -> None:
    assert write_json(value) == text


def test_a_line_may_have_72_columns_with_key_and_comma() -> None:
    # `  "a": ["…"],` is 2 + 5 + 2 + 2 + 1 = 12 columns around the text.
    fits = {"a": ["x" * 60], "b": 1}
    assert write_json(fits).split("\n")[1] == f'  "a": ["{"x" * 60}"],'
    too_long = {"a": ["x" * 61], "b": 1}
    assert write_json(too_long).split("\n")[1:4] == ['  "a": [', f'    "{"x" * 61}"', "  ],"]


def test_a_long_object_has_one_member_a_line() -> None:
    value = {"first": "x" * 40, "second": "y" * 40}
    assert write_json(value) == (f'{{\n  "first": "{"x" * 40}",\n  "second": "{"y" * 40}"\n}}')


@given(JSON)
def test_the_text_means_the_value(value: object) -> None:
    assert json.loads(write_json(value)) == value
    assert json.loads(write_compact_json(value)) == value


@given(JSON)
def test_only_what_cannot_be_broken_is_longer_than_a_line(value: object) -> None:
    for line in write_json(value).split("\n"):
        bare = line.strip().removesuffix(",")
        if len(line) > 72:
            assert (
                not bare.endswith(("}", "]"))
                or bare.endswith(("{}", "[]", '}"', ']"'))
                or (bare in ("}", "]"))
            )


def test_compact_text_has_no_blanks() -> None:
    assert write_compact_json({"a": [1, {"b": "c d"}]}) == '{"a":[1,{"b":"c d"}]}'
