"""Lines, positions, bytes and edits (editor-experience 12, schema-contract 1)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nx_lsp.syntax.text import Encoding, LineIndex, Span, TextChange, apply_changes, units

ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")
CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}

# One character of every kind that some way of counting or of splitting lines gets wrong.
SPECIAL = ["a", " ", "é", "e\u0301", "😀", "👩‍👧", "\r\n", "\r", "\n", "\u2028", "\x85", "\f", "\v"]
texts = st.lists(
    st.sampled_from(SPECIAL) | st.characters(exclude_categories=["Cs"]), max_size=40
).map("".join)
texts_with_lone_surrogates = st.text(st.sampled_from("a\ud83d\ude00\n\r😀"), max_size=20)
encodings = st.sampled_from(ENCODINGS)


def reference_lines(text: str) -> list[tuple[int, int]]:
    """Start and end (line end excluded) of every line, one character at a time."""
    lines, start, at = [], 0, 0
    while at < len(text):
        if text[at] in "\r\n":
            lines.append((start, at))
            at += 2 if text[at : at + 2] == "\r\n" else 1
            start = at
        else:
            at += 1
    return [*lines, (start, len(text))]


def reference_units(text: str, encoding: Encoding) -> int:
    codec, width = CODECS[encoding]
    return len(text.encode(codec, "surrogatepass")) // width


@given(texts)
def test_lines_end_at_lf_crlf_and_cr_only(text: str) -> None:
    index = LineIndex(text)
    lines = reference_lines(text)
    assert index.starts == [start for start, _ in lines]
    assert [index.line_range(n) for n in range(index.line_count)] == lines


@pytest.mark.parametrize("character", ["\f", "\v", "\x1c", "\x85", "\u2028", "\u2029"])
def test_other_separators_do_not_end_a_line(character: str) -> None:
    index = LineIndex(f"a{character}b\nc")
    assert index.line_count == 2
    assert index.line_text(0) == f"a{character}b"
    assert index.position(2, "utf-32") == (0, 2)


@given(texts, encodings)
def test_every_position_goes_there_and_back(text: str, encoding: Encoding) -> None:
    index = LineIndex(text)
    for line, (start, end) in enumerate(reference_lines(text)):
        for offset in range(start, end + 1):
            position = index.position(offset, encoding)
            assert position == (line, reference_units(text[start:offset], encoding))
            assert index.locate(*position, encoding) == (offset, True)


@given(texts)
def test_every_line_and_column_goes_there_and_back(text: str) -> None:
    index = LineIndex(text)
    for line, (start, end) in enumerate(reference_lines(text)):
        for offset in range(start, end + 1):
            assert index.line_column(offset) == (line, offset - start)
            assert index.offset(line, offset - start) == offset


@given(texts | texts_with_lone_surrogates)
def test_bytes_go_there_and_back(text: str) -> None:
    index = LineIndex(text)
    for offset in range(len(text) + 1):
        byte = len(text[:offset].encode("utf-8", "surrogatepass"))
        assert index.byte_offset(offset) == byte
        assert index.offset_of_byte(byte) == offset


@given(texts_with_lone_surrogates, encodings)
def test_lone_surrogates_do_not_raise(text: str, encoding: Encoding) -> None:
    index = LineIndex(text)
    for offset in range(len(text) + 1):
        line, character = index.position(offset, encoding)
        assert 0 <= index.offset_at(line, character, encoding) <= len(text)
    assert units(text, "utf-32") == len(text)


def test_a_position_inside_a_character_is_its_start() -> None:
    index = LineIndex("x😀é")
    assert [index.locate(0, n, "utf-16") for n in range(5)] == [
        (0, True), (1, True), (1, False), (2, True), (3, True)
    ]  # fmt: skip
    assert [index.offset_at(0, n, "utf-8") for n in range(8)] == [0, 1, 1, 1, 1, 2, 2, 3]
    assert [index.offset_of_byte(n) for n in range(8)] == [0, 1, 1, 1, 1, 2, 2, 3]


def test_what_lies_outside_is_clamped() -> None:
    index = LineIndex("ab\r\nc")
    assert index.offset_at(0, 99, "utf-16") == 2
    assert index.offset_at(9, 0, "utf-16") == 5
    assert index.offset_at(-1, 0, "utf-16") == 0
    assert index.offset_at(1, -4, "utf-16") == 4
    assert index.position(99, "utf-16") == (1, 1)
    assert index.position(-3, "utf-16") == (0, 0)
    assert index.byte_offset(99) == 5
    assert index.offset_of_byte(-1) == 0
    assert LineIndex("é").offset_of_byte(-1) == 0
    assert LineIndex("é").offset_of_byte(99) == 1


def test_between_cr_and_lf_stands_the_end_of_the_line() -> None:
    index = LineIndex("ab\r\nc")
    assert index.position(3, "utf-16") == (0, 2)
    assert index.line_column(3) == (0, 3)


def test_a_contract_span_counts_bytes_from_zero_and_columns_from_one() -> None:
    index = LineIndex("é😀\r\n  let x\r= 1")
    start, end = index.text.index("let"), len(index.text)
    span = index.span(start, end)
    assert span == Span(10, 19, 2, 3, 3, 4)
    assert list(span.to_json().items()) == [
        ("startByte", 10), ("endByte", 19), ("startLine", 2), ("startColumn", 3),
        ("endLine", 3), ("endColumn", 4),
    ]  # fmt: skip
    assert index.range_of_span(span) == (start, end)


@given(texts, st.data())
def test_a_contract_span_goes_there_and_back(text: str, data: st.DataObject) -> None:
    index = LineIndex(text)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    span = index.span(start, end)
    assert index.range_of_span(span) == (start, end)
    encoded = text.encode()
    assert encoded[span.start_byte : span.end_byte].decode() == text[start:end]


# ---------------------------------------------------------------- edits


@given(texts, st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60), texts), max_size=6))
def test_an_edited_index_is_the_index_of_the_edited_text(
    text: str, edits: list[tuple[int, int, str]]
) -> None:
    index = LineIndex(text)
    for first, second, replacement in edits:
        start, end = sorted((min(first, len(index.text)), min(second, len(index.text))))
        expected = index.text[:start] + replacement + index.text[end:]
        index = index.replaced(start, end, replacement)
        assert index.text == expected
        assert index.starts == LineIndex(expected).starts


@given(texts, encodings, st.data())
def test_edits_equal_a_reference_over_code_points(
    text: str, encoding: Encoding, data: st.DataObject
) -> None:
    expected = list(text)
    changes: list[TextChange] = []
    for _ in range(data.draw(st.integers(0, 5))):
        current = "".join(expected)
        lines = reference_lines(current)
        addressable = [
            (offset, line, reference_units(current[start:offset], encoding))
            for line, (start, end) in enumerate(lines)
            for offset in range(start, end + 1)
        ]
        places = st.sampled_from(addressable)
        low, high = sorted((data.draw(places), data.draw(places)))
        replacement = data.draw(texts)
        changes.append(TextChange(replacement, low[1:], high[1:]))
        expected[low[0] : high[0]] = list(replacement)
    edited = apply_changes(text, changes, encoding)
    assert edited.text == "".join(expected)
    assert not edited.clamped


def test_a_change_without_a_range_replaces_everything() -> None:
    changes = [
        TextChange("one\ntwo"),
        TextChange("2", (1, 0), (1, 3)),
        TextChange("x\r", (0, 0), (0, 3)),
    ]
    assert apply_changes("old", changes, "utf-16").text == "x\r\n2"


def test_an_edit_outside_the_text_is_clamped_and_told() -> None:
    edited = apply_changes("ab\ncd", [TextChange("!", (7, 3), (9, 0))], "utf-16")
    assert (edited.text, edited.clamped) == ("ab\ncd!", True)
    edited = apply_changes("ab\ncd", [TextChange("!", (0, 50), (0, 60))], "utf-16")
    assert (edited.text, edited.clamped) == ("ab!\ncd", True)
    edited = apply_changes("😀", [TextChange("!", (0, 1), (0, 2))], "utf-16")
    assert (edited.text, edited.clamped) == ("!", True)


def test_a_range_turned_around_is_turned_back_and_told() -> None:
    edited = apply_changes("abcd", [TextChange("-", (0, 3), (0, 1))], "utf-8")
    assert (edited.text, edited.clamped) == ("a-d", True)


def test_edits_use_the_lines_of_the_client() -> None:
    # With Python's line splitting the second line would start behind the form feed.
    edited = apply_changes("a\fb\u2028c\nd", [TextChange("D", (1, 0), (1, 1))], "utf-16")
    assert (edited.text, edited.clamped) == ("a\fb\u2028c\nD", False)
    index = LineIndex("a\nb")
    assert apply_changes(index, [TextChange("", (0, 1), (1, 0))], "utf-16").text == "ab"
