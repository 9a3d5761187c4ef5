"""Put the server and its Python dependencies into ``vscode-client/server``, for the extension.

Usage: ``python bundle_server.py`` with an interpreter that has pip. Only wheels that run on every
platform and every Python from 3.10 are accepted, so that one package serves all. The command line
is left out with what only it needs (`click`, `rich`). Does only what is missing.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

CLIENT = Path(__file__).resolve().parents[1]
TOP = CLIENT.parent
LOCK = CLIENT / "requirements.lock"
TARGET = CLIENT / "server"
LEFT_OUT = {"cli", "__main__.py", "__pycache__"}
"""Parts of the package that the extension does not use."""


def main() -> int:
    """Build the bundle; the exit code."""
    dependencies(TARGET / "lib")
    copy_server(TARGET / "lib" / "nx_lsp")
    shutil.copy(CLIENT / "launcher" / "start_server.py", TARGET / "start_server.py")
    return 0


def dependencies(lib: Path) -> None:
    """Install the pinned wheels into ``lib``, unless they are there."""
    wanted = hashlib.sha256(LOCK.read_bytes() + Path(__file__).read_bytes()).hexdigest()
    stamp = TARGET / ".complete"
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    shutil.rmtree(TARGET, ignore_errors=True)
    lib.mkdir(parents=True)
    pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    only_pure = ["--only-binary=:all:", "--platform=any", "--implementation=py", "--abi=none"]
    only_pure += ["--python-version=3.10"]
    subprocess.run(
        [*pip, "--target", str(lib), "--no-deps", "--no-compile", *only_pure, "-r", str(LOCK)],
        check=True,
    )
    for folder in (lib / "bin", *lib.rglob("__pycache__")):
        shutil.rmtree(folder, ignore_errors=True)
    stamp.write_text(wanted)


def copy_server(target: Path) -> None:
    """Copy the package, file by file where something changed, and drop what is gone."""
    source = TOP / "nx_lsp"
    names = set(_files(source))
    for old in list(_files(target)) if target.is_dir() else []:
        if old not in names:
            (target / old).unlink()
    for name in names:
        new = (source / name).read_bytes()
        place = target / name
        if not place.is_file() or place.read_bytes() != new:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(new)


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_file() and not LEFT_OUT.intersection(name.parts):
            yield name


if __name__ == "__main__":
    sys.exit(main())
