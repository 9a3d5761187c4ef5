"""What hosts allow, as their documentation said it on the day of checking.

These numbers change: ``CHECKED`` is the day on which somebody last compared them with the pages
named in ``docs/hosts.md``.
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
