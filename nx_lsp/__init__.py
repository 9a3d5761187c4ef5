"""JSON Schemas for the functions and types of NX programs.

>>> from nx_lsp import Program
>>> program = Program.from_sources({"main.nx": "let double(n:int): int = { n * 2 }"})
>>> program.function_schema("double").input_schema["properties"]
{'n': {'type': 'integer'}}

Everything public is listed in ``__all__``; it is documented in ``nx_lsp.api``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nx_lsp.api import (
        HOSTS,
        CopyOptions,
        DeclarationId,
        Direction,
        FunctionSchema,
        Host,
        HostCopy,
        HostNote,
        ParameterEntry,
        Program,
        Span,
        SpannedDiagnostic,
        SpannedLabel,
        TypeSchema,
        UnknownDeclaration,
    )

__version__ = "0.1.0"

__all__ = [
    "HOSTS",
    "CopyOptions",
    "DeclarationId",
    "Direction",
    "FunctionSchema",
    "Host",
    "HostCopy",
    "HostNote",
    "ParameterEntry",
    "Program",
    "Span",
    "SpannedDiagnostic",
    "SpannedLabel",
    "TypeSchema",
    "UnknownDeclaration",
]


def __getattr__(name: str) -> Any:
    # The API loads every layer below it; whoever imports one of those only need not wait for it.
    if name in __all__:
        from nx_lsp import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
