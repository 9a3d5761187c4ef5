"""What a description says in the place of a keyword that a host does not take."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_WORDS = {
    "minimum": "At least {}.",
    "maximum": "At most {}.",
    "exclusiveMinimum": "More than {}.",
    "exclusiveMaximum": "Less than {}.",
}


def bound_in_words(keyword: str, value: int | float) -> str:
    """A bound as a sentence: ``At least 1.``, for a list ``At least 1 item.``"""
    if keyword == "minItems":
        return f"At least {value} item{'' if value == 1 else 's'}."
    return _WORDS[keyword].format(json.dumps(value))


def default_in_words(value: object) -> str:
    """A default as a sentence: ``Used when left out: 3.``"""
    return f"Used when left out: {json.dumps(value, ensure_ascii=False)}."


def with_sentences(schema: Mapping[str, Any], sentences: list[str]) -> dict[str, Any]:
    """``schema`` whose description, in its last place, also says ``sentences``."""
    if not sentences:
        return dict(schema)
    rest = {key: each for key, each in schema.items() if key != "description"}
    told = " ".join(sentences)
    own = schema.get("description")
    return {**rest, "description": f"{own}\n\n{told}" if own else told}
