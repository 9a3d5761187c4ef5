"""The NX sources that come with the package: the prelude (semantics 1.7) and the standard library
``@nx/agent`` (semantics 1.8). They are ordinary NX, loaded like anyone's."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from importlib import resources

from nx_lsp.program.identities import AGENT_ROOT, PRELUDE_IDENTITY
from nx_lsp.syntax.source_file import SyntaxFile

_RESOURCES = {PRELUDE_IDENTITY: "prelude.nx", f"{AGENT_ROOT}/agent.nx": "agent.nx"}

STANDARD_LIBRARIES: Mapping[str, tuple[str, ...]] = {AGENT_ROOT: (f"{AGENT_ROOT}/agent.nx",)}
"""Root of every standard library, with the identities of its modules in order."""


@functools.cache
def bundled_file(identity: str) -> SyntaxFile:
    """The source of a bundled module, split once per process: it never changes.

    Raises ``KeyError`` for an identity that is not bundled."""
    resource = resources.files(__name__) / _RESOURCES[identity]
    return SyntaxFile.parse(resource.read_text(encoding="utf-8"))
