#!/bin/sh
# Write requirements-dev.lock: the whole closure of pyproject.toml and its dev group, pinned,
# for every Python from 3.10 on. Usage: write_lock.sh PYTHON
set -eu
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
"$1" -m venv "$place/venv"
"$place/venv/bin/pip" install -q --disable-pip-version-check uv
"$place/venv/bin/uv" pip compile pyproject.toml --group dev --universal --python-version 3.10 \
  --no-python-downloads --no-annotate --no-header -q -o "$place/lock"
{
  echo '# Everything that `make test` installs, pinned. Written by `make lock`; do not edit by hand.'
  cat "$place/lock"
} > requirements-dev.lock
