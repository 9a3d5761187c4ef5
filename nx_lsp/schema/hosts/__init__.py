"""Copies of a function's contract for the systems that call tools (editor-experience 10).

Each is a pure function of the contract answer. See ``docs/hosts.md``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, get_args

from nx_lsp.schema.hosts.mcp import mcp_copy
from nx_lsp.schema.hosts.model import CopyOptions, Host, HostCopy, HostNote, Subject
from nx_lsp.schema.hosts.naming import snake_case

if TYPE_CHECKING:
    from nx_lsp.schema.answers import FunctionSchema

__all__ = ["HOSTS", "CopyOptions", "Host", "HostCopy", "HostNote", "copy_for_host"]

HOSTS: tuple[Host, ...] = get_args(Host)

DEFAULTS = CopyOptions()

_COPIES: dict[Host, Callable[[Subject], HostCopy]] = {
    "mcp": mcp_copy,
}


def copy_for_host(
    answer: FunctionSchema,
    host: Host,
    name: str | None = None,
    description: str | None = None,
    options: CopyOptions = DEFAULTS,
) -> HostCopy:
    """The copy of ``answer`` for ``host``.

    ``name`` and ``description`` are those that a tool record gives; left out, the function's name
    in snake case and its documentation. Raises ``ValueError`` for a host that is not known."""
    if host not in _COPIES:
        known = ", ".join(f'"{each}"' for each in _COPIES)
        raise ValueError(f"`host` must be one of {known}, not {host!r}")
    subject = Subject(
        name=name if name is not None else snake_case(answer.name),
        description=description if description is not None else answer.description,
        input_schema=answer.input_schema,
        output_schema=answer.output_schema,
        reasons=tuple(each.message for each in answer.diagnostics),
        options=options,
    )
    return _COPIES[host](subject)
