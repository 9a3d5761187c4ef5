"""JSON as people read it (editor-experience 4.2).

Two spaces a level; an object or array stands on one line if that line, with its
indentation, its key and a comma after it, fits 72 columns.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

WIDTH = 72
"""Columns a one-line object or array may take."""

_ENCODER = json.JSONEncoder(ensure_ascii=False)


def write_json(value: object, width: int = WIDTH) -> str:
    """``value`` (plain JSON data) as indented text without a final newline."""
    return "\n".join(json_lines(value, width))


def json_lines(value: object, width: int = WIDTH) -> Iterator[str]:
    """The lines of ``write_json``, one by one: who needs only the first pays for no more."""
    return _lines(value, "", "", "", width)


def write_compact_json(value: object) -> str:
    """``value`` on one line without any blank."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def is_no_longer(value: object, length: int) -> bool:
    """Whether ``value`` on one line takes at most ``length`` characters."""
    return _one_line(value, length) is not None


def _lines(value: object, indent: str, before: str, after: str, width: int) -> Iterator[str]:
    """The lines of ``value``; ``before`` is its key, ``after`` its comma."""
    if not isinstance(value, (dict, list, tuple)):
        yield f"{indent}{before}{_ENCODER.encode(value)}{after}"
        return
    is_object = isinstance(value, dict)
    flat = _one_line(value, width - len(indent) - len(before) - len(after))
    if flat is not None or not value:
        yield f"{indent}{before}{flat or ('{}' if is_object else '[]')}{after}"
        return
    yield f"{indent}{before}{'{' if is_object else '['}"
    last = len(value) - 1
    for number, member in enumerate(value):
        key, item = "", member
        if isinstance(value, dict):
            key, item = f"{_ENCODER.encode(member)}: ", value[member]
        comma = "" if number == last else ","
        yield from _lines(item, indent + "  ", key, comma, width)
    yield f"{indent}{'}' if is_object else ']'}{after}"


def _one_line(value: object, room: int) -> str | None:
    """``value`` on one line, ``{ "a": [1, 2] }``, if it takes at most ``room`` characters.

    Gives up as soon as it does not, so that long values cost no more than short ones."""
    if isinstance(value, dict):
        if not value:
            return "{}" if room >= 2 else None
        opening, closing = "{ ", " }"
        parts: Iterator[tuple[str, object]] = (
            (f"{_ENCODER.encode(key)}: ", item) for key, item in value.items()
        )
    elif isinstance(value, (list, tuple)):
        opening, closing = "[", "]"
        parts = (("", item) for item in value)
    else:
        text = _ENCODER.encode(value)
        return text if len(text) <= room else None
    written = opening
    separator = ""
    for key, item in parts:
        written += separator + key
        flat = _one_line(item, room - len(written) - len(closing))
        if flat is None:
            return None
        written += flat
        separator = ", "
    written += closing
    return written if len(written) <= room else None
