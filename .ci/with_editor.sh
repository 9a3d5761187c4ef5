#!/bin/sh
# Run a command in vscode-client/ where a real VS Code can be started: code-server, and Chromium.
# Usage: with_editor.sh COMMAND…   with BROWSER=no Chromium is not needed.
# Everything fetched goes into the user's cache folder; only what is missing is fetched.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
cache=${NX_LSP_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/nx-lsp}/editor
code_version=4.139.1
editor=$cache/code-server-$code_version

if [ "${BROWSER:-}" != no ]; then
  find_chromium() {
    for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable; do
      if [ -n "$name" ] && command -v "$name" 2>/dev/null; then return; fi
    done
  }
  NX_LSP_CHROMIUM=$(find_chromium)
  if [ -z "$NX_LSP_CHROMIUM" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    apt-get update -q >&2
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends chromium fonts-dejavu-core >&2
    NX_LSP_CHROMIUM=$(find_chromium)
  fi
  if [ -z "$NX_LSP_CHROMIUM" ]; then
    echo "error: no Chromium found; install it (on Debian: apt-get install chromium), name it with CHROMIUM=/path, or leave the checks in VS Code out with: make test VSCODE=skip" >&2
    exit 1
  fi
  export NX_LSP_CHROMIUM
fi

if ! [ -e "$editor/.complete" ]; then
  echo "fetching code-server $code_version, once (600 MB)" >&2
  rm -rf "$editor"
  mkdir -p "$editor"
  echo '{"private":true}' > "$editor/package.json"
  quiet="--ignore-scripts --no-audit --no-fund --loglevel=error"
  # Without install scripts: nothing that they build is needed.
  "$top/.ci/with_node.sh" sh -c "
    set -e
    cd '$editor' && npm install code-server@$code_version $quiet
    cd node_modules/code-server/lib/vscode && npm install --omit=dev $quiet
    cd extensions && npm install --omit=dev $quiet" >&2
  touch "$editor/.complete"
fi
NX_LSP_CODE_SERVER=$editor/node_modules/code-server
# The Python that the extension finds is one without any package: it brings its own.
NX_LSP_PYTHON=${NX_LSP_PYTHON:-$("$top/.venv/bin/python" -c 'import sys; print(getattr(sys, "_base_executable", sys.executable))')}
export NX_LSP_CODE_SERVER NX_LSP_PYTHON
exec "$top/.ci/with_node.sh" "$@"
