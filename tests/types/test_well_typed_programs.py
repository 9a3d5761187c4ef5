"""No valid program is blamed, and no changed one breaks the checker (semantics 3 to 5)."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from well_typed_programs import MAIN, programs

from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import Diagnostic
from nx_lsp.program.diagnostics import module_diagnostics
from nx_lsp.program.loading import from_sources
from nx_lsp.types.diagnostics import type_diagnostics

EXAMPLES = settings(
    max_examples=30,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
MANY_EXAMPLES = settings(EXAMPLES, max_examples=400)
PATIENCE = 10
"""Seconds that any of these programs may take, far more than any needs."""

Sources = dict[str, str]
Report = tuple[str, str, str, str, int, int]
"""Module, severity, code, message, start and end in code points."""


def diagnostics(db: ProgramDatabase, module: str) -> Iterator[Diagnostic]:
    yield from module_diagnostics(db, module)
    yield from type_diagnostics(db, module)


def reports(db: ProgramDatabase, modules: list[str]) -> list[Report]:
    """All that is said about a program, module by module, whatever order they are asked in."""
    found: dict[str, list[Report]] = {}
    for module in modules:
        found[module] = []
        for each in diagnostics(db, module):
            assert each.primary is not None
            assert each.message
            for label in each.labels:
                text = db.module(label.place.module).file.text
                start, end = queries.absolute(db, label.place)
                assert 0 <= start <= end <= len(text)
            span = queries.absolute(db, each.primary.place)
            found[module].append((module, each.severity, each.code, each.message, *span))
    return [report for module in sorted(found) for report in found[module]]


def check(sources: Sources) -> list[Report]:
    return reports(from_sources(sources, entry=MAIN), list(sources))


def as_text(sources: Sources) -> str:
    return "\n".join(f"// {module}\n{text}" for module, text in sources.items())


@contextmanager
def patience() -> Iterator[None]:
    """Fails what hangs, where the system can. Counts the time of this process alone: a loaded
    machine proves nothing."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def too_slow(*_: object) -> None:
        raise TimeoutError(f"no answer after {PATIENCE} seconds")

    before = signal.signal(signal.SIGVTALRM, too_slow)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


# ---------------------------------------------------------------- valid programs


def check_nothing_is_blamed(sources: Sources) -> None:
    db = from_sources(sources, entry=MAIN)
    blame = [
        f"{module}: {severity} {code} at `{sources[module][start:end]}`: {message}"
        for module, severity, code, message, start, end in reports(db, list(sources))
        if severity in ("error", "warning")
    ]
    assert not db.problems
    assert blame == [], as_text(sources)


@EXAMPLES
@given(programs())
def test_a_valid_program_is_not_blamed(sources: Sources) -> None:
    check_nothing_is_blamed(sources)


@pytest.mark.slow
@MANY_EXAMPLES
@given(programs())
def test_no_valid_program_is_blamed(sources: Sources) -> None:
    check_nothing_is_blamed(sources)


FORMS = {
    "two modules": r'from "\./parts|import "\./parts',
    "an import with a prefix": r"\bFar\.\w+",
    "an abstract record": r"abstract type",
    "an action": r"export action",
    "a base": r"type \w+ extends",
    "a union with a base": r"type Load\d+ extends",
    "a case with fields": r"<(Far\.)?Load\d+\.c\d+",
    "a generic record": r"<(Far\.)?Page\d+ T=",
    "a constrained type": r"where in|where >=",
    "an alias": r"type Alias\d+",
    "a function type": r"<function p",
    "any function": r"<function \.\.\.",
    "a function as a value": r"=\{?(given|fun)\d+",
    "a call": r"fun\d+\(",
    "a call by name": r"<(Far\.)?fun\d+ ",
    "an element function": r"let <fun",
    "an inferred result": r"let fun\d+\([^)]*\) =",
    "an inferred value": r"let v\d+ =",
    "a match": r" is \{ c\d+",
    "a match for absence": r"[{}] \{\} =>",
    "a match in a tag": r"<[^<>]* if \w+ is",
    "a condition in a tag": r"\d+ if [\w.]+\?? \{ [fp]\d+=",
    "a condition list": r"if \{ ",
    "a loop": r"for x\d+ in",
    "a loop with an index": r"for x\d+, i\d+ in",
    "a range": r"\d\.\.=?\d",
    "a fallback": r" \?\? ",
    "an optional step": r"\w\?\.\w",
    "a presence test": r"if !?[\w.?]+\? \{",
    "a list": r'\{"\w+" ',
    "an update": r"\.Update ",
    "a bare update": r"<Update ",
    "a handler": r" on[A-Z]\w+=",
    "what a handler is told": r"action\.f\d+",
    "emitted actions": r"emits \{",
    "state": r"state \{",
    "the state of a component": r"Box\d+\.State",
    "a generic component": r"<(Far\.)?List\d+ T=",
    "an inherited component": r"<Box\d+ extends",
    "an external component": r"external component",
    "text": r"<line:>",
    "typed text": r"<memo:markdown",
    "a body of text": r">some text",
    "`apply`": r"\bapply\(",
    "`merge`": r"\bmerge\(",
    "`diff`": r"\bdiff\(",
    "`changed`": r"\bchanged\(",
    "a root": r"(?m)^<",
}


@pytest.mark.slow
def test_valid_programs_use_the_whole_language() -> None:
    """What is never written cannot be blamed."""
    found: set[str] = set()

    @settings(MANY_EXAMPLES, max_examples=600, phases=[Phase.generate])
    @given(programs())
    def look(sources: Sources) -> None:
        text = as_text(sources)
        found.update(form for form, sign in FORMS.items() if re.search(sign, text))

    look()
    assert set(FORMS) - found == set()


# ---------------------------------------------------------------- changed programs

INSERTIONS = [
    "{",
    "}",
    "<",
    "/>",
    "?",
    "??",
    "?.",
    "...",
    "=",
    '"',
    "if",
    "is",
    "for",
    "T",
    "0",
    "&&",
]


@st.composite
def changed_programs(draw: st.DrawFn) -> Sources:
    """A valid program with a few tokens or characters changed in one module."""
    sources = dict(draw(programs()))
    module = draw(st.sampled_from(sorted(sources)))
    tokens = re.findall(r"\w+|\s+|[^\w\s]", sources[module])
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(len(tokens) - 1, 0)))
        match draw(st.sampled_from(["drop", "twice", "other", "insert", "cut", "character"])):
            case "drop":
                del tokens[at : at + draw(st.integers(1, 3))]
            case "twice":
                tokens[at:at] = tokens[at : at + draw(st.integers(1, 30))]
            case "other" if tokens:
                tokens[at] = draw(st.sampled_from(tokens))
            case "insert":
                tokens.insert(at, draw(st.sampled_from(INSERTIONS)))
            case "cut" if draw(st.booleans()):
                del tokens[at:]
            case "character":
                tokens.insert(at, draw(st.characters()))
    sources[module] = "".join(tokens)
    return sources


def check_answers(sources: Sources) -> None:
    with patience():
        check(sources)


@EXAMPLES
@given(changed_programs())
def test_a_changed_program_is_checked(sources: Sources) -> None:
    check_answers(sources)


@pytest.mark.slow
@MANY_EXAMPLES
@given(changed_programs())
def test_every_changed_program_is_checked(sources: Sources) -> None:
    check_answers(sources)


# ---------------------------------------------------------------- the same again


@settings(EXAMPLES, max_examples=15)
@given(changed_programs())
def test_answers_do_not_depend_on_the_order_of_questions(sources: Sources) -> None:
    check_order(sources)


@pytest.mark.slow
@settings(EXAMPLES, max_examples=60)
@given(changed_programs())
def test_no_answer_depends_on_the_order_of_questions(sources: Sources) -> None:
    check_order(sources)


def check_order(sources: Sources) -> None:
    modules = list(sources)
    expected = reports(from_sources(sources, entry=MAIN), modules)
    other = from_sources(sources, entry=MAIN)
    for id in reversed([id for module in modules for id in queries.declarations(other, module)]):
        list(diagnostics(other, id.module))
    assert reports(other, modules[::-1]) == expected


ASK = """
import json, sys
from test_well_typed_programs import check
print(json.dumps([check(sources) for sources in json.load(sys.stdin)]))
"""


@pytest.mark.slow
def test_answers_do_not_depend_on_hashes() -> None:
    """Sets of strings have another order in each process."""
    asked: list[Sources] = []

    @settings(MANY_EXAMPLES, max_examples=150, phases=[Phase.generate])
    @given(changed_programs())
    def collect(sources: Sources) -> None:
        text = "".join(sources.values())
        if text.isascii():
            asked.append(sources)

    collect()
    answers = [_asked_elsewhere(asked, seed) for seed in ("1", "2")]
    assert answers[0] == answers[1]


def _asked_elsewhere(asked: list[Sources], seed: str) -> object:
    here = Path(__file__).parent
    path = os.pathsep.join([str(here.parent.parent), str(here)])
    answer = subprocess.run(
        [sys.executable, "-c", ASK],
        input=json.dumps(asked),
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(answer.stdout)
