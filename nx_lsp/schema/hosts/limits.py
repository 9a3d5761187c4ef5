"""What hosts allow, as their documentation said it on the day of checking.

These numbers change: ``CHECKED`` is the day on which somebody last compared them with the pages
that ``docs/hosts.md`` names. Whoever does so again changes this file, that date, and the rules in
``tests/hosts/rules``.
"""

from __future__ import annotations

from dataclasses import dataclass

CHECKED = "2026-12-03"
"""When the limits were last compared with what the hosts publish."""


@dataclass(frozen=True, slots=True)
class NameLimits:
    """Which tool names a host takes: ASCII letters, digits, and ``also``; at most ``longest``
    characters. ``advised`` is what keeps a tool usable at hosts of the same kind."""

    longest: int
    also: str
    advised: int | None = None


NAMES: dict[str, NameLimits] = {
    "mcp": NameLimits(128, "_-."),
    "openai": NameLimits(64, "_-"),
    "openai-strict": NameLimits(64, "_-"),
    "anthropic": NameLimits(128, "_-", advised=64),
    "ax": NameLimits(128, "_-."),
}

LONG_DESCRIPTION: dict[str, int] = {"openai": 1024, "openai-strict": 1024}
"""Characters of a tool's description that some services of a kind still refuse to exceed."""

BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems")
"""The keywords of a contract that bound a value."""

ALLOWED_BOUNDS: dict[str, frozenset[str]] = {
    "openai-strict": frozenset(BOUNDS),
    "anthropic": frozenset(BOUNDS),
    "ax": frozenset(),
}
"""Those that a host takes; the others are told in the description."""

ARGUMENT_NAME_LENGTH = 64
"""Anthropic: characters of an argument's name."""


@dataclass(frozen=True, slots=True)
class SizeLimits:
    """How large a schema may be."""

    properties: int
    nesting: int
    """Objects and arrays inside each other, the root counted, references followed."""
    enum_values: int
    characters: int
    """Of all names of properties and definitions and all values of enums."""
    large_enum: int
    large_enum_characters: int
    """Of the values of one enum that has more than ``large_enum``."""


STRICT_SIZES = SizeLimits(5000, 10, 1000, 120_000, 250, 15_000)
"""OpenAI strict mode."""

AX_NODES, AX_DEPTH = 5000, 50
"""Schema objects of a copy that has its references written out, and references inside each other;
ours, since Ax has no limit."""
