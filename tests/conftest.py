"""What holds for every test: a schema document that anything here produces is valid JSON Schema.

The two functions that write documents are watched for the whole run, so no test has to remember
to ask. The server is a process of its own: ``server/sessions.py`` looks at what it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from metaschema import assert_valid_schema

from nx_lsp.schema import schema as schema_queries

# On a loaded machine a test that is fast takes long: the clock says nothing about the code.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")

_written: list[dict[str, Any]] = []


def _watched(write: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    def watched(*arguments: Any) -> dict[str, Any]:
        document = write(*arguments)
        _written.append(document)
        return document

    return watched


@pytest.fixture(scope="session", autouse=True)
def _every_document_is_kept() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("arguments_document", "type_document"):
            patch.setattr(schema_queries, name, _watched(getattr(schema_queries, name)))
        yield


@pytest.fixture(autouse=True)
def _every_document_is_valid(_every_document_is_kept: None) -> Iterator[None]:
    """Looks only after the test, so that no test's own clock runs meanwhile."""
    yield
    documents = _written.copy()
    _written.clear()
    for document in documents:
        assert_valid_schema(document)
