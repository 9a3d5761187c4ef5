"""The parts of the shell that need no session."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nx_lsp.engine import QueryCancelled
from nx_lsp.server.configuration import ServerSettings, read_settings
from nx_lsp.server.documents import DocumentStore
from nx_lsp.server.last_good import carried_over
from nx_lsp.server.projects import Folder, Projects
from nx_lsp.server.scheduling import AnalysisThread, Urgency
from nx_lsp.server.uris import name_of_untitled, path_of, scheme_of, uri_key, uri_of
from nx_lsp.syntax.text import TextChange

# ---------------------------------------------------------------- addresses


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("file:///a%20b.nx", "file:///a b.nx"),
        ("file:///c%3A/x.nx", "file:///C:/x.nx"),
        ("FILE:///x.nx", "file:///x.nx"),
        ("file://localhost/x.nx", "file:///x.nx"),
        ("untitled:Untitled-1", "untitled:Untitled-1"),
    ],
)
def test_spellings_of_one_address(one, other):
    assert uri_key(one) == uri_key(other)


def test_different_addresses():
    assert uri_key("file:///a.nx") != uri_key("file:///b.nx")
    assert uri_key("file:///a.nx") != uri_key("git:/a.nx")
    assert uri_key("file://server/a.nx") != uri_key("file:///a.nx")


@pytest.mark.parametrize(
    "name", ["a.nx", "a b.nx", "a;b.nx", "a#b?c.nx", "100%.nx", "é😀.nx", "a%20b.nx"]
)
def test_every_file_name_survives_its_address(name):
    path = Path("/folder") / name
    assert path_of(uri_of(path)) == path


@pytest.mark.parametrize("uri", ["untitled:x", "git:/x", "", "x", "file:", "file:///a%00b"])
def test_what_names_no_file(uri):
    assert path_of(uri) is None


def test_schemes_and_names_of_untitled_documents():
    assert scheme_of("GIT:/x") == "git"
    assert scheme_of("x") == ""
    assert name_of_untitled("untitled:Untitled-1") == "Untitled-1.nx"
    assert name_of_untitled("untitled:/folder/draft.nx") == "draft.nx"
    assert name_of_untitled("untitled:") == "Untitled.nx"


# ---------------------------------------------------------------- documents


def test_a_document_remembers_that_it_may_be_out_of_step():
    store = DocumentStore()
    store.open("untitled:a", 1, "ab\n")
    edited = store.change("untitled:a", 2, [TextChange("x", (9, 0), (9, 0))], "utf-16")
    assert edited is not None
    assert edited.out_of_step
    again = store.change("untitled:a", 3, [TextChange("", (0, 0), (0, 1))], "utf-16")
    assert again is not None
    assert again.out_of_step
    assert (again.version, again.text) == (3, "b\nx")
    assert store.close("untitled:a") is again
    assert store.close("untitled:a") is None
    assert store.change("untitled:a", 4, [], "utf-16") is None


# ---------------------------------------------------------------- settings


def test_settings_come_nested_and_with_dots():
    nested, none = read_settings({"project": {"roots": ["nx"]}, "hover": {"maxLines": 5}})
    dotted, _ = read_settings({"project.roots": ["nx"], "hover.maxLines": 5})
    assert nested == dotted
    assert nested.roots == ("nx",)
    assert nested.ide.hover_max_lines == 5
    assert none == ()


@pytest.mark.parametrize("values", [None, {}, {"project": None}, {"files.limit": None}])
def test_nothing_set_means_the_defaults(values):
    assert read_settings(values) == (ServerSettings(), ())


@given(
    st.dictionaries(
        st.sampled_from(
            ["enable", "diagnostics", "diagnostics.delay", "project", "files.limit", "log.level"]
        ),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
            lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner),
            max_leaves=4,
        ),
    )
)
def test_no_value_raises(values):
    settings, messages = read_settings(values)
    assert isinstance(settings, ServerSettings)
    assert all(message.startswith("Setting `nxlsp.") for message in messages)


# ---------------------------------------------------------------- projects


def test_an_untitled_document_never_takes_the_name_of_a_file(tmp_path):
    async def check() -> None:
        projects = Projects()
        projects.folders["x"] = Folder(uri_of(tmp_path), tmp_path, ServerSettings())
        ((project,), _) = projects.arrange()
        project.take_file("draft.nx", tmp_path / "draft.nx", "type A = { x:int }\n")
        store = DocumentStore()
        place = projects.opened(store.open("untitled:draft", 1, ""))
        assert place == (project, "draft-2.nx")
        assert projects.locate("untitled:draft") == (project, "draft-2.nx")
        assert projects.closed("untitled:draft") == (project, "draft-2.nx")
        assert list(project.snapshot().sources) == ["draft.nx"]

    asyncio.run(check())


def test_a_snapshot_stays_as_it_was(tmp_path):
    async def check() -> None:
        projects = Projects()
        projects.folders["x"] = Folder(uri_of(tmp_path), tmp_path, ServerSettings())
        ((project,), _) = projects.arrange()
        project.take_file("a.nx", tmp_path / "a.nx", "one")
        project.take_file("b.nx", tmp_path / "b.nx", "two")
        old = project.snapshot()
        assert project.snapshot() is old
        project.take_file("a.nx", tmp_path / "a.nx", "three")
        assert old.sources["a.nx"].text == "one"
        assert not old.is_current()
        assert not old.is_current("a.nx")
        assert old.is_current("b.nx")
        assert project.snapshot().sources["b.nx"] is old.sources["b.nx"]

    asyncio.run(check())


# ---------------------------------------------------------------- the analysis thread


def test_urgent_jobs_go_first_and_cancelled_ones_not_at_all():
    thread = AnalysisThread()
    go = threading.Event()
    ran: list[str] = []
    first = thread.submit(Urgency.REQUEST, "first", lambda: go.wait(10))
    later = [
        thread.submit(urgency, name, lambda name=name: ran.append(name))
        for urgency, name in (
            (Urgency.DEPENDENTS, "dependents"),
            (Urgency.OWN_DIAGNOSTICS, "own"),
            (Urgency.REQUEST, "hover"),
            (Urgency.REQUEST, "cancelled"),
            (Urgency.REQUEST, "hover again"),
        )
    ]
    later[3].cancel()
    go.set()
    assert first.result(10)
    later[0].result(10)
    assert ran == ["hover", "hover again", "own", "dependents"]
    thread.stop()
    assert thread.submit(Urgency.REQUEST, "too late", lambda: None).cancelled()


class Counting:
    """Facts that are found one by one and remembered; reading them gives way when told to."""

    def __init__(self) -> None:
        self.found = 0
        self.runs = 0
        self.cancelled = threading.Event()
        self.reached = threading.Event()

    def cancel(self) -> None:
        self.cancelled.set()

    def resume(self) -> None:
        self.cancelled.clear()

    def work(self) -> int:
        self.runs += 1
        while self.found < 3:
            self.reached.set()
            if self.cancelled.wait(0.05 if self.runs > 1 else 10):
                raise QueryCancelled
            self.found += 1
        return self.found


def test_a_job_gives_way_to_a_more_urgent_one_and_goes_on_after_it():
    thread, facts = AnalysisThread(), Counting()
    check = thread.submit(Urgency.DEPENDENTS, "check", facts.work, facts)
    assert facts.reached.wait(10)
    later = thread.submit(Urgency.DEPENDENTS, "later", lambda: facts.found)
    assert not facts.cancelled.is_set()
    hover = thread.submit(Urgency.REQUEST, "hover", lambda: "hover", facts)
    assert hover.result(5) == "hover"
    assert check.result(10) == 3
    assert later.result(10) == 3
    assert facts.runs == 2
    thread.stop()


class Forgetful:
    """Facts that remember nothing: whoever gives way starts from nothing."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.cancelled = threading.Event()

    def cancel(self) -> None:
        self.cancelled.set()

    def resume(self) -> None:
        self.cancelled.clear()

    def work(self) -> str:
        if self.cancelled.wait(self.seconds):
            raise QueryCancelled
        return "done"


def test_a_job_comes_to_its_end_however_many_others_are_more_urgent():
    thread, facts = AnalysisThread(), Forgetful(0.3)
    check = thread.submit(Urgency.DEPENDENTS, "check", facts.work, facts)
    deadline = time.monotonic() + 20
    while not check.done():
        assert time.monotonic() < deadline
        assert thread.submit(Urgency.REQUEST, "status", lambda: 1, facts).result(5) == 1
        time.sleep(0.01)
    assert check.result() == "done"
    thread.stop()


def test_a_job_that_nobody_awaits_any_more_ends():
    async def check() -> None:
        thread, facts = AnalysisThread(), Counting()
        task = asyncio.ensure_future(thread.run(Urgency.REQUEST, "hover", facts.work, facts))
        await asyncio.to_thread(facts.reached.wait, 10)
        task.cancel()
        assert await thread.run(Urgency.REQUEST, "next", lambda: facts.found, facts) == 0
        with pytest.raises(asyncio.CancelledError):
            await task
        assert facts.runs == 1
        assert not facts.cancelled.is_set()
        thread.stop()

    asyncio.run(check())


def test_what_a_job_raises_reaches_who_waits():
    async def check() -> None:
        thread = AnalysisThread()

        def job() -> None:
            raise KeyError("x")

        with pytest.raises(KeyError):
            await thread.run(Urgency.REQUEST, "failing", job)
        assert await thread.run(Urgency.REQUEST, "next", lambda: 3) == 3
        thread.stop()

    asyncio.run(check())


# ---------------------------------------------------------------- the last good view


@given(st.text("ab\n"), st.text("ab\n"), st.text("xy"), st.text("xy"))
def test_offsets_outside_an_edit_are_carried_over(before, after, old, new):
    was, now = before + old + after, before + new + after
    for offset in range(len(before)):
        assert carried_over(now, was, offset) == offset
    for left in range(len(after)):
        assert carried_over(now, was, len(now) - left) == len(was) - left
    for offset in range(len(now) + 1):
        assert 0 <= carried_over(now, was, offset) <= len(was)
