"""Reads Markdown specifications: prose around fenced NX, and what is expected of it.

Nothing here knows how NX is parsed or checked: this module turns a Markdown file into
``Case`` values and compares what is expected with what some caller reports. The notation
is described for authors in ``README.md`` beside this file.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SCHEMA_URI = "https://json-schema.org/draft/2020-12/schema"


class MarkdownError(Exception):
    """A Markdown file that does not follow the notation: always the author's mistake."""

    def __init__(self, file: str, line: int, message: str) -> None:
        super().__init__(f"{file}:{line}: {message}")


@dataclass(frozen=True)
class Subject:
    """What a document or a schema diagnostic is asked of: a function, or a type and a direction."""

    name: str
    direction: str | None = None
    """``None`` for a function; ``input`` or ``output`` for a type."""
    module: str | None = None
    host_supplied: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        text = self.name if self.direction is None else f"type {self.name} {self.direction}"
        if self.module is not None:
            text += f" in {self.module}"
        if self.host_supplied:
            text += " given " + ", ".join(f"{m}#{n}" for m, n in self.host_supplied)
        return text


@dataclass(frozen=True)
class Expected:
    """One expected diagnostic. ``module`` ``None``: a problem without a place."""

    severity: str
    code: str
    messages: tuple[str, ...]
    source: str | None
    column: int | None
    module: str | None
    line: int | None
    subject: Subject | None
    at: int
    """Line of the Markdown file."""

    def __str__(self) -> str:
        text = f"{self.severity}: [{self.code}]"
        if self.column is not None:
            text += f" @{self.column}"
        if self.source is not None:
            text += f" @{json.dumps(self.source, ensure_ascii=False)}"
        return " ".join([text, *(json.dumps(part, ensure_ascii=False) for part in self.messages)])


@dataclass(frozen=True)
class Reported:
    """One diagnostic that was reported, in terms of the text: ``line`` and ``column`` 1-based,
    columns in code points, ``source`` the text under the primary label."""

    severity: str
    code: str
    message: str
    module: str | None
    line: int | None
    column: int | None
    source: str | None
    help: str | None = None

    def __str__(self) -> str:
        place = "" if self.module is None else f"{self.module}:{self.line}:{self.column}: "
        text = f"{place}{self.severity}: [{self.code}] {self.message}"
        if self.source is not None:
            text += f" (at {json.dumps(self.source, ensure_ascii=False)})"
        if self.help is not None:
            text += f" (help: {self.help})"
        return text


@dataclass(frozen=True)
class ExpectedDocument:
    """A ``json`` or ``text`` fence: what ``what`` of ``subject`` must be."""

    what: str
    subject: Subject | None
    text: str
    at: int

    @property
    def title(self) -> str:
        return self.what if self.subject is None else f"{self.what} of {self.subject}"


@dataclass
class Case:
    """One program of one section, and everything expected of it."""

    file: str
    heading: str
    at: int
    """Line of the fence that begins the program."""
    modules: dict[str, str] = field(default_factory=dict)
    module_lines: dict[str, int] = field(default_factory=dict)
    """Line of the Markdown file that holds the first line of each module."""
    expected: list[Expected] = field(default_factory=list)
    documents: list[ExpectedDocument] = field(default_factory=list)

    @property
    def entry(self) -> str:
        return "main.nx" if "main.nx" in self.modules else next(iter(self.modules))

    def __str__(self) -> str:
        return f"{self.file}:{self.at} {self.heading}"


# ---------------------------------------------------------------- Markdown


_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*$")
_FENCE = re.compile(r"(\s*)(`{3,})\s*([A-Za-z]*)\s*(.*?)\s*$")
_TITLE = re.compile(r'title="([^"]*)"$')


@dataclass(frozen=True)
class _Fence:
    language: str
    title: str | None
    lines: tuple[str, ...]
    at: int


def read_cases(file: str, text: str) -> list[Case]:
    """All cases of a Markdown file, in order. Raises ``MarkdownError``."""
    cases: list[Case] = []
    current: Case | None = None
    for heading, fence in _fences(file, text):
        if fence is None:
            current = None
            continue
        if fence.language == "nx":
            name = fence.title or "main.nx"
            if current is None or name in current.modules:
                current = Case(file, heading, fence.at)
                cases.append(current)
            _add_module(current, name, fence)
        elif fence.language in ("expect", "json") or (fence.language == "text" and fence.title):
            if current is None:
                raise MarkdownError(file, fence.at, f"no nx fence before this {fence.language}")
            if fence.language == "expect":
                _add_expect_block(current, fence)
            else:
                current.documents.append(_document(file, fence))
        elif fence.language not in ("text", "ebnf"):
            raise MarkdownError(file, fence.at, f"unknown kind of fence: {fence.language!r}")
    return cases


def _fences(file: str, text: str) -> Iterator[tuple[str, _Fence | None]]:
    """Fences with the headings above them; ``None`` marks the start of a section."""
    headings: list[tuple[int, str]] = []
    lines = text.split("\n")
    index = 0
    while index < len(lines):
        line = lines[index]
        index += 1
        if match := _HEADING.match(line):
            level = len(match[1])
            headings = [h for h in headings if h[0] < level] + [(level, match[2])]
            yield "", None
        elif match := _FENCE.match(line):
            at = index
            indent, ticks, language, info = match.groups()
            if indent:
                raise MarkdownError(file, at, "a fence must not be indented")
            title = None
            if info:
                titled = _TITLE.match(info)
                if titled is None:
                    raise MarkdownError(file, at, f'expected title="…" after the language: {info}')
                title = titled[1]
            while index < len(lines) and lines[index].rstrip() != ticks:
                index += 1
            if index == len(lines):
                raise MarkdownError(file, at, "this fence is not closed")
            body = tuple(lines[at:index])
            index += 1
            path = " > ".join(h[1] for h in headings[1:]) or "top"
            yield path, _Fence(language, title, body, at)


def _add_module(case: Case, name: str, fence: _Fence) -> None:
    case.module_lines[name] = fence.at + 1
    kept = []
    for number, line in enumerate(fence.lines, start=1):
        code, expectations = _split_comment(case.file, fence.at + number, line)
        kept.append(code)
        for found in expectations:
            case.expected.append(Expected(**found, module=name, line=number, at=fence.at + number))
    case.modules[name] = "\n".join(kept) + "\n"


# ---------------------------------------------------------------- expectations


_COMMENT = re.compile(r"\s*//\s(?=(?:error|warning|info|hint)(?: of [^:]*)?:)")
_HEAD = re.compile(r"(error|warning|info|hint)(?: of ([^:]*))?:\s*\[([a-z0-9-]+)\]\s*")
_STRING = r'"(?:[^"\\]|\\.)*"'
_SOURCE = re.compile(rf"@({_STRING})\s*")
_COLUMN = re.compile(r"@(\d+)\s*")
_MESSAGE = re.compile(rf"({_STRING})\s*")


def _split_comment(file: str, at: int, line: str) -> tuple[str, list[dict[str, Any]]]:
    """A line of NX without the expectations at its end, and those."""
    parts = _COMMENT.split(line)
    return parts[0] if len(parts) > 1 else line, [_expectation(file, at, p) for p in parts[1:]]


def _expectation(file: str, at: int, text: str) -> dict[str, Any]:
    head = _HEAD.match(text)
    if head is None:
        raise MarkdownError(file, at, f"expected `error: [code] …`, found: {text}")
    severity, subject, code = head.groups()
    rest = text[head.end() :]
    source = column = None
    messages: list[str] = []
    while rest:
        if match := _SOURCE.match(rest):
            source = json.loads(match[1])
        elif match := _COLUMN.match(rest):
            column = int(match[1])
        elif match := _MESSAGE.match(rest):
            messages.append(json.loads(match[1]))
        else:
            raise MarkdownError(file, at, f"cannot read this part of an expectation: {rest}")
        rest = rest[match.end() :]
    return {
        "severity": severity,
        "code": code,
        "messages": tuple(messages),
        "source": source,
        "column": column,
        "subject": None if subject is None else _subject(file, at, subject),
    }


_EXPECT_LINE = re.compile(r"(?:(program)|(?:(\S+):)?(\d+)|(\S+):\*):\s+(.*)$")


def _add_expect_block(case: Case, fence: _Fence) -> None:
    for number, line in enumerate(fence.lines, start=1):
        if not line.strip():
            continue
        at = fence.at + number
        match = _EXPECT_LINE.match(line)
        if match is None:
            raise MarkdownError(case.file, at, f"expected `LINE: error: [code] …`: {line}")
        program, module, line_number, bundled, text = match.groups()
        if bundled is not None:
            found = _expectation(case.file, at, text)
            case.expected.append(Expected(**found, module=bundled, line=None, at=at))
            continue
        name = None if program else module or list(case.modules)[-1]
        if name is not None:
            if name not in case.modules:
                raise MarkdownError(case.file, at, f"no module {name} in this program")
            if int(line_number) > case.modules[name].count("\n"):
                raise MarkdownError(case.file, at, f"{name} has no line {line_number}")
        found = _expectation(case.file, at, text)
        case.expected.append(
            Expected(**found, module=name, line=int(line_number) if name else None, at=at)
        )


_SUBJECT = re.compile(
    r"(?:type\s+(?P<type>\S+)\s+(?P<direction>input|output)|(?P<function>\S+))"
    r"(?:\s+in\s+(?P<module>\S+))?(?:\s+given\s+(?P<given>.+))?$"
)


def _subject(file: str, at: int, text: str) -> Subject:
    match = _SUBJECT.match(text.strip())
    if match is None:
        raise MarkdownError(file, at, f"expected a function, or `type NAME input`: {text}")
    given = []
    for entry in (match["given"] or "").split(","):
        if entry.strip():
            module, separator, name = entry.strip().partition("#")
            if not separator:
                raise MarkdownError(file, at, f"expected MODULE#NAME: {entry}")
            given.append((module, name))
    return Subject(
        match["type"] or match["function"], match["direction"], match["module"], tuple(given)
    )


_DOCUMENT = re.compile(
    r"(?P<what>input|output|schema|answer|parameters|resultType|description|summary|declaration"
    r"|diagnostics|failure|(?:values|no values) for (?:input|output|schema)) of (?P<subject>.+)$"
)
_OF_TEXT = ("grouping", "documentation")


def _document(file: str, fence: _Fence) -> ExpectedDocument:
    title = fence.title or ""
    text = "\n".join(fence.lines)
    if title in _OF_TEXT and fence.language == "text":
        return ExpectedDocument(title, None, text, fence.at)
    match = _DOCUMENT.match(title)
    if match is None:
        raise MarkdownError(file, fence.at, f"unknown title: {title!r}")
    if (match["what"] == "failure") != (fence.language == "text"):
        raise MarkdownError(file, fence.at, f"{title!r} in a fence of the wrong kind")
    if fence.language == "json":
        try:
            json.loads(text, object_pairs_hook=_no_repeated_member)
        except ValueError as error:
            raise MarkdownError(file, fence.at, f"not JSON: {error}") from error
    return ExpectedDocument(
        match["what"], _subject(file, fence.at, match["subject"]), text, fence.at
    )


def _no_repeated_member(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member is written twice")
    return members


# ---------------------------------------------------------------- comparing


def differing_diagnostics(
    case: Case, reported: Iterable[Reported], subject: Subject | None = None
) -> list[str]:
    """What is wrong with the diagnostics reported for ``subject`` (``None``: the program).

    Every reported one must be expected and every expected one reported, one to one."""
    problems = []
    open_ = list(reported)
    for expected in (e for e in case.expected if e.subject == subject):
        match = next((r for r in open_ if _fits(expected, r)), None)
        if match is None:
            near = [r for r in open_ if (r.module, r.line) == (expected.module, expected.line)]
            text = f"{case.file}:{expected.at}: not reported: {expected}"
            problems.append(text + "".join(f"\n    but: {r}" for r in near))
        else:
            open_.remove(match)
    for extra in open_:
        at = case.at
        if extra.module in case.module_lines and extra.line is not None:
            at = case.module_lines[extra.module] + extra.line - 1
        of = "" if subject is None else f" of {subject}"
        problems.append(f"{case.file}:{at}: not expected{of}: {extra}")
    return problems


def _fits(expected: Expected, reported: Reported) -> bool:
    return (
        expected.severity == reported.severity
        and expected.code == reported.code
        and all(part in f"{reported.message}\n{reported.help}" for part in expected.messages)
        and expected.module == reported.module
        and (expected.line == reported.line or (expected.module and expected.line is None))
        and (expected.column is None or expected.column == reported.column)
        and (expected.source is None or expected.source == reported.source)
    )


def differing_json(expected: Any, actual: Any) -> str | None:
    """How two JSON values differ, the order of members included; ``None`` if they do not.

    A schema that is expected without ``$schema`` is compared without it, once it is known to
    stand first and to be right."""
    if (
        isinstance(actual, dict)
        and isinstance(expected, dict)
        and "$schema" in actual
        and "$schema" not in expected
    ):
        if next(iter(actual.items())) != ("$schema", SCHEMA_URI):
            return f"does not begin with $schema {SCHEMA_URI}"
        actual = {name: value for name, value in actual.items() if name != "$schema"}
    if isinstance(expected, list) != isinstance(actual, list):
        return f"expected {expected!r}, found {actual!r}"
    left, right = (json.dumps(v, indent=2, ensure_ascii=False) for v in (expected, actual))
    return None if left == right else differing_text(left, right)


def differing_text(expected: str, actual: str) -> str | None:
    """A line by line difference, ``None`` if the texts are equal."""
    if expected == actual:
        return None
    lines = difflib.unified_diff(
        expected.split("\n"), actual.split("\n"), "expected", "found", lineterm="", n=4
    )
    return "\n".join(lines)


def markdown_files(root: Path, folders: Sequence[str]) -> list[Path]:
    """All specification files of some folders, sorted."""
    return sorted(path for name in folders for path in (root / name).glob("**/*.md"))
