#!/bin/sh
# Show the agent example in VS Code with the extension: in the user's own, else in a browser.
# CHECK=1: without a screen, pictures to vscode-client/test-results, then the end.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
"$top/.ci/build_vsix.sh"
if [ -n "${CHECK:-}" ]; then
  "$top/.ci/with_editor.sh" node --test test/editor/example.test.ts
  echo "pictures: vscode-client/test-results"
elif command -v code >/dev/null 2>&1; then
  code --install-extension "$top/vscode-client/nx-lsp.vsix" --force
  exec code "$top/examples/agent" --goto "$top/examples/agent/travel/search.nx:52:14"
else
  BROWSER=no exec "$top/.ci/with_editor.sh" node scripts/open_example.ts
fi
