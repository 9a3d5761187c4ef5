// The line of buttons above a document of the panel.

import * as vscode from "vscode";
import { addressOf, SCHEME } from "./address.ts";
import type { SchemaDocuments } from "./documents.ts";
import { lenses, type LensAction } from "./lensTitles.ts";
import type { SchemaPanel } from "./panel.ts";

export class PanelLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #documents: SchemaDocuments;
  readonly #panel: SchemaPanel;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #parts: vscode.Disposable;
  #last = "";
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(documents: SchemaDocuments, panel: SchemaPanel) {
    this.#documents = documents;
    this.#panel = panel;
    // Redrawn only where something is to be seen, or the lenses would flicker at every keystroke.
    const redraw = (): void => {
      const now = JSON.stringify(vscode.workspace.textDocuments.map((one) => this.#titles(one.uri)));
      if (now === this.#last) return;
      this.#last = now;
      this.#changed.fire();
    };
    this.#parts = vscode.Disposable.from(
      this.#changed,
      documents.onDidChangeState(redraw),
      panel.onDidChange(redraw),
      vscode.languages.registerCodeLensProvider({ scheme: SCHEME }, this),
    );
  }

  dispose(): void {
    this.#parts.dispose();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const range = new vscode.Range(0, 0, 0, 0);
    return this.#titles(document.uri).map(({ title, tooltip, action }) => {
      const [command, ...more] = commandOf(action);
      return new vscode.CodeLens(range, { title, tooltip, command, arguments: [document.uri, ...more] });
    });
  }

  #titles(uri: vscode.Uri): ReturnType<typeof lenses> {
    const address = uri.scheme === SCHEME ? addressOf(uri) : undefined;
    if (!address) return [];
    const entry = this.#documents.entry(uri);
    return lenses(address, {
      state: entry?.state ?? "waiting",
      problems: entry ? this.#documents.problemsIn(entry).length : 0,
      pinned: this.#panel.isPinned(uri),
      instead: entry?.instead,
    });
  }
}

function commandOf(action: LensAction): [string, ...string[]] {
  switch (action) {
    case "state":
      return ["nxlsp.panel.goToProblem"];
    case "copy":
      return ["nxlsp.panel.copy"];
    case "pin":
      return ["nxlsp.pinSchema"];
    case "source":
      return ["nxlsp.panel.goToSource"];
    default:
      return ["nxlsp.setSchemaView", action];
  }
}
