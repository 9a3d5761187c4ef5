// Commands that lenses and code actions of the server carry: where to look, where to put the cursor.

import * as vscode from "vscode";
import type { Place, Range } from "../protocol.ts";
import type { Register } from "./schemas.ts";

export function registerPlaces(register: Register): void {
  register("nxlsp.showLocations", async ({ locations }: { title: string; locations: Place[] }) => {
    const editor = vscode.window.activeTextEditor;
    const found = locations.map(({ uri, range }) => new vscode.Location(vscode.Uri.parse(uri), rangeOf(range)));
    if (found.length === 0) return void vscode.window.showInformationMessage("NX: there is none.");
    const [first] = found;
    if (!editor && first) return void (await vscode.window.showTextDocument(first.uri, { selection: first.range }));
    if (!editor) return;
    const { document, selection } = editor;
    await vscode.commands.executeCommand("editor.action.showReferences", document.uri, selection.active, found);
  });
  register("nxlsp.placeCursor", async ({ uri, range, then }: Place & { then?: "suggest" }) => {
    const editor = await vscode.window.showTextDocument(vscode.Uri.parse(uri));
    const place = rangeOf(range);
    editor.selection = new vscode.Selection(place.start, place.end);
    editor.revealRange(place);
    if (then === "suggest") await vscode.commands.executeCommand("editor.action.triggerSuggest");
  });
}

function rangeOf({ start, end }: Range): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
