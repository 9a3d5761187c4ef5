"""What the lexer says of text that is no token."""

from __future__ import annotations

import re
import unicodedata


def shorten(text: str, limit: int = 40) -> str:
    """``text`` on one line and at most ``limit`` characters, for a message."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def bad_number(text: str) -> str:
    """What is wrong with the digits, letters and `_` of ``text`` as a number (syntax 1.6)."""
    number = re.match(r"[0-9][0-9.]*", text)
    digits = number.group() if number else text
    if re.fullmatch(r"[0-9][0-9_]*", text):
        return f"numbers have no `_`: write `{text.replace('_', '')}`"
    if re.fullmatch(r"0[xX].*", text):
        return f"`{text}` is no hexadecimal number: after `0x` come digits 0-9 and letters a-f"
    if re.fullmatch(r"[0-9]+[eE][0-9]*", text):
        return f"an exponent needs a fraction before it: write `{digits}.0{text[len(digits) :]}`"
    return f"the number `{digits}` touches `{text[len(digits) :]}`: put a space between them"


def bad_characters(text: str) -> str:
    """What is wrong with a run of characters that begin no token (syntax 1.1, 1.10)."""
    if not text.strip("; \t\r\n\v\f"):
        return "NX has no `;`: nothing ends a declaration or an item, whitespace is enough"
    if text[0] == "`":
        return 'NX has no backtick: write a string as `"…"`'
    if text[0] == "'":
        return 'strings take double quotes: write `"…"`'
    if text == "&":
        return "NX has no `&`: “and” is `&&`"
    if len(text) > 1:
        return f"unexpected characters `{shorten(text)}`"
    name = unicodedata.name(text, "")
    point = f"U+{ord(text):04X}"
    if unicodedata.category(text) in ("Zs", "Zl", "Zp", "Cc", "Cf"):
        label = f"{name.lower()} ({point})" if name else point
        return f"the character {label} is no whitespace in NX: replace it with a space"
    return f"unexpected character `{text}`"
