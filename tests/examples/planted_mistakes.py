"""Mistakes planted in copies of the example workspaces, read from ``planted/*.md``.

Each section of such a page is one mistake: a title; the file, the code that is to be reported and
the source that it is to be reported at; and the edit. Of the lines of the edit those with ``-`` and
with a space are what is there before, those with ``+`` and with a space what is there afterwards.

The source stands once in the new text of the edit, or else once in the file after all edits. One
with ``…`` stands in the file; the ``…`` is the shortest text with which the braces match.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

PAGES = Path(__file__).parent / "planted"

_SECTION = re.compile(
    r"^## (?P<title>.+)\n\n"
    r"`(?P<file>[^`]+)`: `(?P<code>[^`]+)` at `(?P<source>[^`]+)`\n"
    r"(?P<words>(?:(?!```).*\n)*?)"
    r"```diff\n(?P<edit>(?:[-+ ].*\n)+)```$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Mistake:
    title: str
    file: str
    code: str
    source: str
    old: str
    new: str


@dataclass(frozen=True, order=True)
class Report:
    """A diagnostic as far as it is compared; ``start`` and ``end`` in UTF-8 bytes."""

    file: str
    start: int
    end: int
    code: str
    source: str


def mistakes(example: str) -> list[Mistake]:
    page = (PAGES / f"{example}.md").read_text(encoding="utf-8")
    found = [_mistake(match) for match in _SECTION.finditer(page)]
    assert len(found) == page.count("\n## "), "a section cannot be read"
    return found


def _mistake(match: re.Match[str]) -> Mistake:
    lines = match["edit"].splitlines(keepends=True)
    return Mistake(
        match["title"],
        match["file"],
        match["code"],
        match["source"],
        "".join(line[1:] for line in lines if line[0] != "+"),
        "".join(line[1:] for line in lines if line[0] != "-"),
    )


def plant(root: Path, planted: Iterable[Mistake]) -> list[Report]:
    """Make the mistakes in the workspace ``root``; what is to be reported, in order."""
    texts: dict[str, str] = {}
    listed = list(planted)
    for each in listed:
        if each.file not in texts:
            texts[each.file] = (root / each.file).read_text(encoding="utf-8")
        assert texts[each.file].count(each.old) == 1, f"{each.title}: old text not found once"
        texts[each.file] = texts[each.file].replace(each.old, each.new)
    for file, text in texts.items():
        (root / file).write_text(text, encoding="utf-8")
    return sorted(_report(texts[each.file], each) for each in listed)


def _report(text: str, mistake: Mistake) -> Report:
    at = text.index(mistake.new)
    assert text.count(mistake.new) == 1, f"{mistake.title}: new text not found once"
    within = [] if "…" in mistake.source else _spans(mistake.new, mistake.source)
    spans = [(at + start, at + end) for start, end in within] or _spans(text, mistake.source)
    assert len(spans) == 1, f"{mistake.title}: source found {len(spans)} times"
    start, end = spans[0]
    found = text[start:end]
    first = len(text[:start].encode())
    return Report(mistake.file, first, first + len(found.encode()), mistake.code, found)


def _spans(text: str, source: str) -> list[tuple[int, int]]:
    """Where ``source`` stands in ``text``, whole words only."""
    head, ellipsis, tail = source.partition("…")
    head, tail = head.rstrip(), tail.lstrip()
    starts = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(head)}", text)]
    if not ellipsis:
        ends = [start + len(head) for start in starts]
        spans = zip(starts, ends, strict=True)
        return [(start, end) for start, end in spans if not text[end : end + 1].isalnum()]
    return [(start, _balanced_end(text, start, len(head), tail)) for start in starts]


def _balanced_end(text: str, start: int, least: int, tail: str) -> int:
    end = start + least
    while True:
        end = text.index(tail, end) + len(tail)
        if text.count("{", start, end) == text.count("}", start, end):
            return end
