"""Twenty mistakes in a copy of each example: exactly those are reported, each at its place.

What is to be reported was worked out from semantics 5, never from what the checker says.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from planted_mistakes import Mistake, Report, mistakes, plant

from nx_lsp import Program

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
NAMES = ("agent", "shop", "ui")


def reports(root: Path) -> list[Report]:
    """All errors and warnings of the workspace ``root``, in order. Hints are no judgement."""
    found = []
    for each in Program.from_directory(root, entry="main.nx").diagnostics():
        if each.severity not in ("error", "warning"):
            continue
        place = next(label for label in each.labels if label.primary)
        start, end = place.span.start_byte, place.span.end_byte
        text = (root / place.file).read_bytes()[start:end].decode()
        found.append(Report(place.file, start, end, each.code, text))
    return sorted(found)


@pytest.fixture
def workspace(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return Path(shutil.copytree(EXAMPLES / request.param, tmp_path / "workspace"))


@pytest.mark.parametrize("workspace", NAMES, indirect=True)
def test_an_untouched_copy_is_clean(workspace: Path) -> None:
    assert reports(workspace) == []


@pytest.mark.parametrize(
    ("workspace", "name"), [(name, name) for name in NAMES], indirect=["workspace"]
)
def test_exactly_the_planted_mistakes_are_reported(workspace: Path, name: str) -> None:
    planted = mistakes(name)
    assert len(planted) == 20
    expected = plant(workspace, planted)
    assert reports(workspace) == expected


@pytest.mark.parametrize(
    ("workspace", "mistake"),
    [
        pytest.param(name, mistake, id=f"{name}: {mistake.title}")
        for name in NAMES
        for mistake in mistakes(name)
    ],
    indirect=["workspace"],
)
def test_each_mistake_alone_is_one_report(workspace: Path, mistake: Mistake) -> None:
    expected = plant(workspace, [mistake])
    assert reports(workspace) == expected
