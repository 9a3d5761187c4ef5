#!/bin/sh
# Build vscode-client/nx-lsp.vsix: the extension with the server and its Python dependencies.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
"$top/.venv/bin/python" "$top/vscode-client/scripts/bundle_server.py"
"$top/.ci/with_node.sh" sh -c 'npm run -s bundle && npm run -s package > /dev/null'
echo "built vscode-client/nx-lsp.vsix"
