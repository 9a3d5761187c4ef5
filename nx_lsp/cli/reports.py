"""Problems in the three formats of ``nx-lsp check``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.text import Text

from nx_lsp.cli.excerpts import STYLES, Mark, Problem, render

_GITHUB = {"error": "error", "warning": "warning", "info": "notice", "hint": "notice"}


def write_text(problems: Sequence[Problem], modules: int, console: Console) -> None:
    """Excerpts, then a line with the counts. ``console`` decides about colour."""
    for problem in problems:
        console.print(render(problem), soft_wrap=True, highlight=False)
        console.print()
    counts = Counter(problem.severity for problem in problems)
    words = [
        (f"{counts[severity]} {severity}{'' if counts[severity] == 1 else 's'}", STYLES[severity])
        for severity in STYLES
        if counts[severity]
    ]
    summary = Text()
    for number, (word, style) in enumerate(words):
        summary.append(", " if number else "")
        summary.append(word, style=style)
    if not words:
        summary.append("no problems", style="bold green")
    summary.append(f" in {modules} module{'' if modules == 1 else 's'}")
    console.print(summary, soft_wrap=True, highlight=False)


def to_json(problems: Iterable[Problem]) -> str:
    """One JSON array; each problem has the members of the schema contract's diagnostics, and
    labels name the file as it was given on the command line."""
    answer = []
    for problem in problems:
        entry: dict[str, object] = {
            "severity": problem.severity,
            "code": problem.code,
            "message": problem.message,
            "labels": [_label(mark) for mark in problem.marks],
        }
        if problem.help is not None:
            entry["help"] = problem.help
        answer.append(entry)
    return json.dumps(answer, indent=2, ensure_ascii=False) + "\n"


def _label(mark: Mark) -> dict[str, object]:
    label: dict[str, object] = {
        "file": mark.path,
        "span": mark.index.span(mark.start, mark.end).to_json(),
        "primary": mark.primary,
    }
    if mark.message is not None:
        label["message"] = mark.message
    return label


def to_github(problems: Iterable[Problem]) -> str:
    """Workflow commands that annotate the lines of a change, one a line."""
    lines = []
    for problem in problems:
        properties: dict[str, object] = {}
        if problem.primary is not None:
            mark = problem.primary
            span = mark.index.span(mark.start, mark.end)
            properties = {"file": mark.path, "line": span.start_line, "endLine": span.end_line}
            # GitHub takes columns only for a range within one line, the end included.
            if span.start_line == span.end_line:
                properties["col"] = span.start_column
                properties["endColumn"] = max(span.end_column - 1, span.start_column)
        properties["title"] = problem.code
        written = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
        message = problem.message + (f"\nhelp: {problem.help}" if problem.help else "")
        lines.append(f"::{_GITHUB[problem.severity]} {written}::{_escape(message)}\n")
    return "".join(lines)


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: object) -> str:
    return _escape(str(value)).replace(":", "%3A").replace(",", "%2C")
