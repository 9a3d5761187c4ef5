"""Did-you-mean: the nearest of a set of names (semantics 2.7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass


def edit_distance(a: str, b: str) -> int:
    """The number of single-character insertions, deletions and replacements from ``a`` to ``b``
    (Levenshtein)."""
    if len(a) < len(b):
        a, b = b, a
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        above_left, row[0] = row[0], i
        for j, right in enumerate(b, 1):
            above = row[j]
            row[j] = min(above + 1, row[j - 1] + 1, above_left + (left != right))
            above_left = above
    return row[-1]


@dataclass(frozen=True, slots=True)
class NameIndex:
    """Names, kept so that those near another are found without looking at all."""

    by_length: Mapping[int, tuple[tuple[int, str], ...]]
    """With the letters that each has (``_letters``)."""

    @classmethod
    def of(cls, names: Iterable[str]) -> NameIndex:
        """An index of names."""
        found: dict[int, list[tuple[int, str]]] = {}
        for name in names:
            found.setdefault(len(name), []).append((_letters(name), name))
        return cls({length: tuple(each) for length, each in found.items()})

    def near(self, written: str) -> Iterator[str]:
        """All names that ``nearest_name`` may choose for ``written``, and some others."""
        letters, widest = _letters(written), max(1, len(written) // 3)
        for length in range(len(written) - widest, len(written) + widest + 1):
            most = max(1, min(length, len(written)) // 3)
            if abs(length - len(written)) > most:
                continue
            for others, name in self.by_length.get(length, ()):
                # a replacement takes one letter out and brings one in
                if (letters ^ others).bit_count() <= 2 * most:
                    yield name


def _letters(name: str) -> int:
    """The characters of a name, whatever their case, as bits; several may share one."""
    found = 0
    for character in name.lower():
        found |= 1 << ord(character) % 64
    return found


def nearest_name(written: str, names: Iterable[str]) -> str | None:
    """The visible name an author most likely meant by ``written``, or ``None``.

    Compared without case: a distance ``d`` counts when it is less than the length of ``written``
    and at most a third of the shorter name's length (but at least 1). The least wins; ties are
    decided by the distance with case, then by alphabet so that the answer never varies."""
    lowered = written.lower()
    best: tuple[int, int, str] | None = None
    for name in names:
        if name == written:
            continue
        shorter = min(len(name), len(written))
        limit = min(len(written) - 1, max(1, shorter // 3))
        if abs(len(name) - len(written)) > limit:
            continue
        distance = edit_distance(lowered, name.lower())
        if distance > limit:
            continue
        rank = (distance, edit_distance(written, name), name)
        if best is None or rank < best:
            best = rank
    return best[2] if best else None


def nearest_member(written: str, names: Iterable[str]) -> str | None:
    """The union case or type parameter that an author most likely meant by ``written``: a distance
    of at most a third of the candidate's length, but at least 2, counts; the least wins, then the
    first listed."""
    best: tuple[int, str] | None = None
    for name in names:
        if name == written:
            continue
        distance = edit_distance(written, name)
        if distance > max(2, len(name) // 3):
            continue
        if best is None or distance < best[0]:
            best = (distance, name)
    return best[1] if best else None
