"""JSON as people read it (editor-experience 4.2).

Two spaces a level; an object or array stands on one line if that line, with its
indentation, its key and a comma after it, fits 72 columns.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

WIDTH = 72
"""Columns a one-line object or array may take."""


def write_json(value: object, width: int = WIDTH) -> str:
    """``value`` (plain JSON data) as indented text without a final newline."""
    lines: list[str] = []
    _write(value, "", "", "", width, lines)
    return "\n".join(lines)


def write_compact_json(value: object) -> str:
    """``value`` on one line without any blank."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def one_line(value: object) -> str:
    """``value`` on one line, spaced as in ``write_json``: ``{ "a": [1, 2] }``."""
    if isinstance(value, Mapping):
        if not value:
            return "{}"
        members = ", ".join(f"{_scalar(key)}: {one_line(item)}" for key, item in value.items())
        return f"{{ {members} }}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(one_line(item) for item in value) + "]"
    return _scalar(value)


def _write(
    value: object, indent: str, before: str, after: str, width: int, lines: list[str]
) -> None:
    """Append the lines of ``value``; ``before`` is its key, ``after`` its comma."""
    flat = indent + before + one_line(value) + after
    is_object = isinstance(value, Mapping)
    if not value or not isinstance(value, (Mapping, list, tuple)) or len(flat) <= width:
        lines.append(flat)
        return
    lines.append(f"{indent}{before}{'{' if is_object else '['}")
    if isinstance(value, Mapping):
        members = [(f"{_scalar(key)}: ", item) for key, item in value.items()]
    else:
        members = [("", item) for item in value]
    for number, (key, item) in enumerate(members, 1):
        comma = "," if number < len(members) else ""
        _write(item, indent + "  ", key, comma, width, lines)
    lines.append(f"{indent}{'}' if is_object else ']'}{after}")


def _scalar(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
