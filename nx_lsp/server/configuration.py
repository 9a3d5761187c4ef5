"""Settings of the server itself; what features answer to is in ``ide.options``.

A bad value is reported once, with the setting's name, and the default is used; ``null``
anywhere means the default (editor-experience 11).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from nx_lsp.ide.options import (
    DEFAULT_OPTIONS,
    BadValueError,
    IdeOptions,
    bad_value_message,
    options_from_settings,
    setting_value,
)

SECTION = "nxlsp"

LOG_LEVELS = ("debug", "info", "warning", "error", "off")


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Settings of one workspace folder."""

    ide: IdeOptions = DEFAULT_OPTIONS
    enable: bool = True
    coexistence: Literal["auto", "full", "schemaOnly"] = "auto"
    """``auto`` is decided by the client, which names the features that it wants."""
    diagnostics_mode: Literal["workspace", "openFiles"] = "workspace"
    diagnostics_delay: int = 150
    """Milliseconds of quiet after an edit before its diagnostics are worked out."""
    roots: tuple[str, ...] = ()
    """Folders inside the workspace folder that are programs of their own."""
    libraries: tuple[tuple[str, str], ...] = ()
    """Library root and the folder it lies in, relative to the project root or absolute."""
    implicit_imports: tuple[str, ...] = ()
    entry: str | None = None
    exclude: tuple[str, ...] = ()
    file_limit: int = 5000
    log_level: str = "info"


def read_settings(
    values: object, base: ServerSettings | None = None
) -> tuple[ServerSettings, tuple[str, ...]]:
    """Settings from the value of the section ``nxlsp``, over ``base``.

    Returns them with one message for each bad value; never raises."""
    base = base or ServerSettings()
    ide, messages = options_from_settings(values, base.ide)
    settings = replace(base, ide=ide)
    if not isinstance(values, Mapping):
        return settings, messages
    read: dict[str, Any] = {}
    found = list(messages)
    for name, field, reader in _READERS:
        value = setting_value(values, name)
        if value is None:
            continue
        try:
            read[field] = reader(value)
        except BadValueError as problem:
            found.append(bad_value_message(f"{SECTION}.{name}", value, problem.expected))
    return replace(settings, **read), tuple(found)


def _boolean(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise BadValueError("true or false")


def _choice(*allowed: str) -> Callable[[object], str]:
    def read(value: object) -> str:
        if isinstance(value, str) and value in allowed:
            return value
        raise BadValueError("one of " + ", ".join(f'"{one}"' for one in allowed))

    return read


def _count(least: int, most: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        raise BadValueError(f"a whole number from {least} to {most}")

    return read


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return tuple(value)
    raise BadValueError("a list of texts")


def _text(value: object) -> str | None:
    if isinstance(value, str):
        return value or None
    raise BadValueError("a text")


def _folders(value: object) -> tuple[tuple[str, str], ...]:
    if isinstance(value, Mapping) and all(isinstance(one, str) for one in value.values()):
        return tuple(value.items())
    raise BadValueError("an object of library roots and folders")


_READERS: tuple[tuple[str, str, Callable[[object], object]], ...] = (
    ("enable", "enable", _boolean),
    ("coexistence", "coexistence", _choice("auto", "full", "schemaOnly")),
    ("diagnostics.mode", "diagnostics_mode", _choice("workspace", "openFiles")),
    ("diagnostics.delay", "diagnostics_delay", _count(0, 10_000)),
    ("project.roots", "roots", _texts),
    ("project.libraries", "libraries", _folders),
    ("project.implicitImports", "implicit_imports", _texts),
    ("project.entry", "entry", _text),
    ("files.exclude", "exclude", _texts),
    ("files.limit", "file_limit", _count(1, 1_000_000)),
    ("log.level", "log_level", _choice(*LOG_LEVELS)),
)
