// Modules that come with the server, as read-only documents (editor-experience 13).

import * as vscode from "vscode";

const FILES: Readonly<Record<string, string>> = { "/@nx/agent/agent.nx": "agent.nx" };
const FOLDER = ["server", "lib", "nx_lsp", "program", "bundled"];

/** Give the text of `nx:/@nx/agent/agent.nx` and of the prelude. */
export function libraryDocuments(extension: vscode.Uri): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider("nx", {
    provideTextDocumentContent: async ({ path }) => {
      const file = FILES[path] ?? path.split("/").at(-1) ?? "";
      const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extension, ...FOLDER, file));
      return new TextDecoder().decode(bytes);
    },
  });
}
