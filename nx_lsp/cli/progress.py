"""A progress bar on a terminal, for work that takes long enough to be wondered about."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from typing import TypeVar

from rich.console import Console
from rich.progress import Progress

T = TypeVar("T")

PATIENCE = 0.5
"""Seconds before the bar appears."""


def tracked(items: Sequence[T], what: str) -> Iterator[T]:
    """The items one by one; on a terminal a bar on standard error says how far it is."""
    console = Console(stderr=True)
    if not sys.stderr.isatty():
        yield from items
        return
    started = time.monotonic()
    bar: Progress | None = None
    try:
        for number, item in enumerate(items):
            if bar is None and time.monotonic() - started > PATIENCE:
                bar = Progress(console=console, transient=True)
                bar.start()
                task = bar.add_task(what, total=len(items), completed=number)
            yield item
            if bar is not None:
                bar.update(task, completed=number + 1)
    finally:
        if bar is not None:
            bar.stop()
