#!/bin/sh
# Write requirements-dev.lock (and vscode-client/requirements.lock, what the extension carries): the whole closure of pyproject.toml and its dev group, pinned,
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

# For the oldest Python, whose closure is the largest; every wheel of it runs on all newer ones.
"$place/venv/bin/uv" pip compile vscode-client/requirements.in --python-version 3.10 \
  --python-platform linux --no-python-downloads --no-annotate --no-header -q -o "$place/bundle"
{
  echo '# What the extension carries, pinned. Written by `make lock`; do not edit by hand.'
  cat "$place/bundle"
} > vscode-client/requirements.lock
