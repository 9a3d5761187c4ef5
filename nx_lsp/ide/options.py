"""What a user has set, checked once (editor-experience 11).

A bad value never reaches a feature: the default is used, and one message names the setting.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from nx_lsp.program.declarations import DeclarationId

SeverityOrOff = Literal["error", "warning", "info", "hint", "off"]

SCHEMA_CODES = (
    "schema-inexpressible-type",
    "schema-ambiguous-discriminator",
    "tool-missing-description",
    "tool-undocumented-parameter",
    "tool-invalid-name",
    "tool-duplicate-name",
    "tool-open-object",
    "tool-target-limit",
)

DEFAULT_HOST_SUPPLIED = (DeclarationId("@nx/agent/agent.nx", "ToolContext"),)
"""Decision 7: in the editor and on the command line."""


@dataclass(frozen=True, slots=True)
class IdeOptions:
    """Settings and client capabilities that change what features answer. Hashable."""

    host_supplied: tuple[DeclarationId, ...] = DEFAULT_HOST_SUPPLIED
    tools: tuple[str, ...] = ()
    """``module#name`` patterns (``*``, ``?``) of functions that count as tools."""
    other_functions: Literal["auto"] | SeverityOrOff = "auto"
    """Severity of schema diagnostics of functions that no tool offers."""
    severity: tuple[tuple[str, SeverityOrOff], ...] = ()
    """Code to severity; goes before every other rule."""
    hover_schema: Literal["both", "input", "output", "link", "off"] = "both"
    hover_max_schema_lines: int = 40
    hover_max_schema_characters: int = 2000
    hover_max_lines: int = 120
    hover_max_characters: int = 6000
    hover_max_members: int = 12
    lens_schema: bool = True
    lens_summary: bool = True
    lens_copy: bool = False
    lens_usage: bool = False
    lens_descendants: bool = True
    lens_file: bool = False
    copy_meta_schema: bool = False
    """Copies for hosts keep the root ``$schema``."""
    copy_result_in_description: bool = False
    """Copies for hosts without output schemas tell the result in the description."""
    targets: tuple[str, ...] = ()
    """Views of the hosts whose limits are checked."""
    command_links: bool = False
    """The client runs links to our commands in a hover (VS Code)."""
    client_commands: bool = False
    """The client has the commands ``nxlsp.showToolSchema`` and ``nxlsp.copyToolSchema``."""

    def names_tool(self, function: DeclarationId) -> bool:
        """Whether the setting ``nxlsp.schema.tools`` names ``function``."""
        name = f"{function.module}#{function.name}"
        return any(fnmatch.fnmatchcase(name, pattern) for pattern in self.tools)

    def severity_of(self, code: str) -> SeverityOrOff | None:
        """What ``nxlsp.schema.severity`` says about ``code``."""
        return dict(self.severity).get(code)


DEFAULT_OPTIONS = IdeOptions()


class BadValueError(Exception):
    """A setting has a value that is not allowed.

    ``expected``: what would have been right, for the message."""

    def __init__(self, expected: str) -> None:
        super().__init__(expected)
        self.expected = expected


def options_from_settings(
    settings: object, base: IdeOptions = DEFAULT_OPTIONS
) -> tuple[IdeOptions, tuple[str, ...]]:
    """Options from the value of the section ``nxlsp``, over ``base``.

    ``settings`` is what the client sent: nested objects, or names with dots, or both; ``None``
    (and ``None`` anywhere inside) means the default. Returns the options and one message for
    each bad value."""
    if settings is None:
        return base, ()
    if not isinstance(settings, Mapping):
        return base, (bad_value_message("nxlsp", settings, "an object"),)
    values: dict[str, Any] = {}
    messages: list[str] = []
    for name, field, read in _SETTINGS:
        value = setting_value(settings, name)
        if value is None:
            continue
        try:
            values[field] = read(value)
        except BadValueError as problem:
            messages.append(bad_value_message(f"nxlsp.{name}", value, problem.expected))
    return replace(base, **values), tuple(messages)


def bad_value_message(name: str, value: object, expected: str) -> str:
    """What a user is told about a bad value of the setting ``name``."""
    shown = repr(value) if isinstance(value, str) else str(value)
    if len(shown) > 60:
        shown = shown[:60] + "…"
    return f"Setting `{name}`: expected {expected}, found {shown}. The default is used."


def setting_value(settings: Mapping[str, Any], name: str) -> object:
    """The value of a dotted name; a flat key with dots goes before nested objects."""
    if name in settings:
        return settings[name]
    head, _, rest = name.partition(".")
    inner = settings.get(head)
    return setting_value(inner, rest) if rest and isinstance(inner, Mapping) else None


# ---------------------------------------------------------------- reading values


def _number(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 1:
        return value
    raise BadValueError("a whole number of at least 1")


def _one_of(*allowed: str) -> Callable[[object], str]:
    def read(value: object) -> str:
        if isinstance(value, str) and value in allowed:
            return value
        raise BadValueError("one of " + ", ".join(f'"{one}"' for one in allowed))

    return read


_SEVERITY_NAMES = ("error", "warning", "information", "hint", "off")


def _severity(value: object) -> SeverityOrOff:
    name = _one_of(*_SEVERITY_NAMES)(value)
    return cast("SeverityOrOff", "info" if name == "information" else name)


def _other_functions(value: object) -> str:
    if value == "auto":
        return "auto"
    try:
        return _severity(value)
    except BadValueError as problem:
        raise BadValueError('"auto" or ' + problem.expected) from None


def _severities(value: object) -> tuple[tuple[str, SeverityOrOff], ...]:
    expected = "an object of schema codes and severities (" + ", ".join(_SEVERITY_NAMES) + ")"
    if not isinstance(value, Mapping):
        raise BadValueError(expected)
    pairs = []
    for code, severity in value.items():
        if code not in SCHEMA_CODES or severity not in _SEVERITY_NAMES:
            raise BadValueError(expected)
        pairs.append((code, _severity(severity)))
    return tuple(pairs)


def _host_supplied(value: object) -> tuple[DeclarationId, ...]:
    expected = 'a list of objects with "module" and "name"'
    if not isinstance(value, list):
        raise BadValueError(expected)
    types = []
    for entry in value:
        module = entry.get("module") if isinstance(entry, Mapping) else None
        name = entry.get("name") if isinstance(entry, Mapping) else None
        if not isinstance(module, str) or not isinstance(name, str):
            raise BadValueError(expected)
        types.append(DeclarationId(module, name))
    return tuple(dict.fromkeys(types))


def _patterns(value: object) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(one, str) and "#" in one for one in value):
        return tuple(value)
    raise BadValueError('a list of "module#name" patterns')


def _boolean(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise BadValueError("true or false")


HOST_VIEWS = ("mcp", "openai", "openaiStrict", "anthropic", "ax")
"""The views that are copies for hosts (editor-experience 10)."""


def _hosts(value: object) -> tuple[str, ...]:
    if isinstance(value, list) and all(one in HOST_VIEWS for one in value):
        return tuple(dict.fromkeys(value))
    raise BadValueError("a list of " + ", ".join(f'"{one}"' for one in HOST_VIEWS))


_SETTINGS: tuple[tuple[str, str, Callable[[object], object]], ...] = (
    ("schema.hostSuppliedTypes", "host_supplied", _host_supplied),
    ("schema.tools", "tools", _patterns),
    ("schema.otherFunctions", "other_functions", _other_functions),
    ("schema.severity", "severity", _severities),
    ("schema.targets", "targets", _hosts),
    ("codeLens.toolSchema", "lens_schema", _boolean),
    ("codeLens.summary", "lens_summary", _boolean),
    ("codeLens.copy", "lens_copy", _boolean),
    ("codeLens.usage", "lens_usage", _boolean),
    ("codeLens.descendants", "lens_descendants", _boolean),
    ("codeLens.file", "lens_file", _boolean),
    ("copy.metaSchema", "copy_meta_schema", _boolean),
    ("copy.resultInDescription", "copy_result_in_description", _boolean),
    ("hover.schema", "hover_schema", _one_of("both", "input", "output", "link", "off")),
    ("hover.maxSchemaLines", "hover_max_schema_lines", _number),
    ("hover.maxLines", "hover_max_lines", _number),
    ("hover.maxMembers", "hover_max_members", _number),
)
