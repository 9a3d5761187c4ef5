"""Names of tools, as a model reads them and as a host allows them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from nx_lsp.schema.hosts.limits import NAMES
from nx_lsp.schema.hosts.model import Host, HostNote

_WORD_STARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def snake_case(name: str) -> str:
    """``findPlans`` is ``find_plans``, ``HTTPFetch`` is ``http_fetch``, ``Ui.Card`` is
    ``ui_card``."""
    return re.sub(r"[^A-Za-z0-9]+", "_", _WORD_STARTS.sub("_", name)).lower()


def host_name(name: str, host: Host, pointer: str) -> tuple[str, tuple[HostNote, ...]]:
    """A tool's name at a host, and what had to be changed about it.

    What the host does not allow becomes ``_``; a name that is too long is cut and ends with a
    digest of the whole, so that two long names stay apart."""
    notes = tuple(_notes(name, host, pointer))
    return _allowed(name, host), notes


def _allowed(name: str, host: Host) -> str:
    limits = NAMES[host]
    also = re.escape(limits.also)
    allowed = re.sub(rf"[^A-Za-z0-9{also}]", "_", name) or "tool"
    if len(allowed) <= limits.longest:
        return allowed
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{allowed[: limits.longest - 9]}_{digest}"


def _notes(name: str, host: Host, pointer: str) -> Iterator[HostNote]:
    limits = NAMES[host]
    allowed = _allowed(name, host)
    if allowed != name:
        characters = "letters, digits and " + " ".join(f"`{each}`" for each in limits.also)
        why = f"names are 1 to {limits.longest} {characters}"
        message = f"The tool `{name}` is called `{allowed}` here: {why}"
        yield HostNote(pointer, "name-changed", message)
    elif limits.advised is not None and len(name) > limits.advised:
        message = (
            f"`{name}` has {len(name)} characters; at most {limits.advised} are advised, "
            "since other services of this kind take no more"
        )
        yield HostNote(pointer, "name-long", message)
