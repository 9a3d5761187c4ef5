"""All answers of a program as one document, for hosts that load schemas from a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from nx_lsp.ide.tools import user_functions
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId
from nx_lsp.schema.schema import function_schema

Tracker = Callable[[Sequence[DeclarationId]], Iterable[DeclarationId]]


def export_document(
    db: ProgramDatabase,
    host_supplied: tuple[DeclarationId, ...],
    track: Tracker = iter,
    wanted: Iterable[DeclarationId] | None = None,
) -> dict[str, Any]:
    """The answers about the functions ``wanted``, all that users wrote if left out:
    ``{"functions": […]}``, sorted by module and name, so that the same sources give the same
    document. ``track`` passes the functions on
    one by one and may tell someone how far the work is."""
    functions = sorted(user_functions(db) if wanted is None else wanted)
    answers = (function_schema(db, id, host_supplied) for id in track(functions))
    return {"functions": [answer.to_json() for answer in answers if answer is not None]}
