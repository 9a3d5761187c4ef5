// *Open a Sample*, the first step of the walkthrough.

import * as vscode from "vscode";
import type { Register } from "./schemas.ts";

export function registerSample(register: Register, extension: vscode.Uri): void {
  register("nxlsp.openSample", async () => {
    const file = vscode.Uri.joinPath(extension, "walkthrough", "sample.nx");
    const content = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    // A copy without a file, which may be changed at will.
    const document = await vscode.workspace.openTextDocument({ language: "nx", content });
    await vscode.window.showTextDocument(document, { preview: false });
  });
}
