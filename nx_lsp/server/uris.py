"""URIs of documents: which scheme is analysed, which file they name, when two are the same."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

ANALYSED_SCHEMES = frozenset({"file", "untitled", "nx"})
"""Everything else (``git:``, ``vscode-*``, output views…) is left alone (editor-experience 5)."""

_DRIVE = re.compile(r"/[A-Za-z]:")
_CASE_INSENSITIVE = sys.platform in ("win32", "darwin")


def scheme_of(uri: str) -> str:
    """The scheme of ``uri`` in lower case; empty where there is none."""
    head, colon, _ = uri.partition(":")
    return head.lower() if colon else ""


def uri_key(uri: str) -> str:
    """What two spellings of the same URI have in common (editor-experience 13).

    Decoded, scheme and drive letter in lower case; the whole in lower case for files where
    the file system does not tell cases apart."""
    scheme, colon, rest = uri.partition(":")
    if not colon:
        return unquote(uri)
    scheme, rest = scheme.lower(), unquote(rest)
    if scheme != "file":
        return f"{scheme}:{rest}"
    path = rest.removeprefix("//") if rest.startswith("///") else rest
    path = path.removeprefix("//localhost")
    if _DRIVE.match(path):
        path = path[0] + path[1].lower() + path[2:]
    return "file:" + (path.casefold() if _CASE_INSENSITIVE else path)


def path_of(uri: str) -> Path | None:
    """The file that a ``file:`` URI names, ``None`` for any other scheme or a malformed one."""
    if scheme_of(uri) != "file":
        return None
    try:
        parts = urlsplit(uri.replace("?", "%3F").replace("#", "%23"))
    except ValueError:
        return None
    path = unquote(parts.path)
    if "\0" in path:
        return None
    if _DRIVE.match(path):
        path = path[1:]
    elif parts.netloc and parts.netloc != "localhost":
        path = f"//{unquote(parts.netloc)}{path}"
    return Path(path) if path else None


def uri_of(path: Path) -> str:
    """The ``file:`` URI of an absolute path."""
    return path.as_uri()


def name_of_untitled(uri: str) -> str:
    """The file name that an ``untitled:`` document would be saved under: its last segment, with
    the suffix ``.nx``."""
    name = unquote(uri.partition(":")[2]).replace("\\", "/").rstrip("/").rpartition("/")[2]
    name = name.strip() or "Untitled"
    return name if name.endswith(".nx") else f"{name}.nx"
