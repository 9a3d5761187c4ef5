#!/bin/sh
# Create or update .venv from requirements-dev.lock, with this package installed editable.
# Does only what is missing. Run from the top of the repository; PYTHON names the interpreter.
set -eu
python=${PYTHON:-python3}

if ! command -v "$python" >/dev/null 2>&1; then
  echo "error: no '$python' found; nx-lsp needs Python 3.10 or newer (set PYTHON=/path/to/python3)" >&2
  exit 1
fi
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then
  echo "error: nx-lsp needs Python 3.10 or newer; '$python' is $("$python" -V 2>&1) (set PYTHON=/path/to/python3)" >&2
  exit 1
fi

# The stamp holds what the environment was made from: another lock file, another package
# description or another place on disk makes it anew.
wanted=$(cat requirements-dev.lock pyproject.toml | cksum; pwd)
if [ -f .venv/.complete ] && [ "$(cat .venv/.complete)" = "$wanted" ] && .venv/bin/python -c '' 2>/dev/null; then
  exit 0
fi

if ! .venv/bin/python -m pip --version >/dev/null 2>&1 || [ "$(cat .venv/.place 2>/dev/null || pwd)" != "$(pwd)" ]; then
  rm -rf .venv
  # Debian ships the module that makes environments as a package of its own.
  if ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
      apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends python3-venv
    else
      echo "error: '$python' cannot make virtual environments; install it (on Debian: apt-get install python3-venv)" >&2
      exit 1
    fi
  fi
  echo "making .venv with $("$python" -V 2>&1)"
  "$python" -m venv .venv
  pwd > .venv/.place
fi

rm -f .venv/.complete
# setuptools comes with the lock file, so that nothing unpinned is fetched to build the package.
.venv/bin/python -m pip install -q --disable-pip-version-check -r requirements-dev.lock
# A note of the build tool about editable installs would only be noise here.
PYTHONWARNINGS=ignore .venv/bin/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
printf '%s\n' "$wanted" > .venv/.complete
