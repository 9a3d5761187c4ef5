// Where the panel is: opening it beside the source, following the cursor, pinning, coming back
// after a reload (editor-experience 9).

import * as vscode from "vscode";
import type { SchemaPosition } from "../protocol.ts";
import type { Session } from "../start/session.ts";
import { addressOf, LANGUAGE, sameDeclaration, SCHEME, viewFor, type Address, type View } from "./address.ts";
import { uriOf, type SchemaDocuments } from "./documents.ts";

/** Milliseconds that the cursor rests before the panel follows it. */
const REST = 200;
const MEMORY = "nxlsp.panel";

interface Memory {
  /** The document that follows the cursor. */
  following?: string;
  pinned: string[];
}

export class SchemaPanel implements vscode.Disposable {
  readonly #session: Session;
  readonly #documents: SchemaDocuments;
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #parts: { dispose(): unknown }[];
  readonly #pinned = new Set<string>();
  /** The one document that follows the cursor. */
  #following: vscode.Uri | undefined;
  #rest: NodeJS.Timeout | undefined;
  /** Counts moves, so that the answer to an older one is dropped. */
  #moves = 0;

  readonly onDidChange = this.#changed.event;

  constructor(session: Session, documents: SchemaDocuments, state: vscode.Memento) {
    this.#session = session;
    this.#documents = documents;
    this.#state = state;
    this.#parts = [
      this.#changed,
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.#moved(textEditor)),
      vscode.window.onDidChangeActiveTextEditor((editor) => editor && this.#moved(editor)),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => closed.forEach((tab) => this.#closed(tab))),
    ];
  }

  dispose(): void {
    clearTimeout(this.#rest);
    vscode.Disposable.from(...this.#parts).dispose();
  }

  /** Open the panel again where the last session of the window had it, unless the editor has. */
  async restore(): Promise<void> {
    const memory = this.#state.get<Memory>(MEMORY, { pinned: [] });
    for (const text of memory.pinned) this.#pinned.add(text);
    if (memory.following) this.#following = vscode.Uri.parse(memory.following);
    const open = new Set(tabs().map(({ uri }) => uri.toString()));
    for (const text of [...memory.pinned, ...(memory.following ? [memory.following] : [])]) {
      const uri = vscode.Uri.parse(text);
      if (!open.has(text)) await this.#show(uri, this.#column(undefined), this.#pinned.has(text));
      else await setLanguage(await vscode.workspace.openTextDocument(uri));
    }
  }

  isPinned(uri: vscode.Uri): boolean {
    return this.#pinned.has(uri.toString());
  }

  /** The document of the panel that is looked at: the active one, else the one that follows. */
  get current(): vscode.Uri | undefined {
    const active = vscode.window.activeTextEditor?.document.uri;
    return active?.scheme === SCHEME ? active : this.#following;
  }

  /** Show the schema of a declaration, beside the source unless `column` says otherwise. */
  async open(address: Omit<Address, "view">, view?: View, column?: vscode.ViewColumn): Promise<void> {
    const preferred = vscode.workspace.getConfiguration("nxlsp").get<View>("panel.view", "answer");
    const shown = this.#following && addressOf(this.#following)?.view;
    const whole: Address = { ...address, view: view ?? viewFor(address.kind, shown, preferred) };
    await this.#follow(whole, column);
  }

  /** Show another view of a document of the panel in its place. */
  async setView(uri: vscode.Uri, view: View): Promise<void> {
    const address = addressOf(uri);
    if (!address || address.view === view) return;
    const pinned = this.isPinned(uri);
    const next = uriOf({ ...address, view });
    const place = tabs().find((tab) => tab.uri.toString() === uri.toString());
    if (pinned) {
      this.#pinned.delete(uri.toString());
      this.#pinned.add(next.toString());
    } else this.#following = next;
    await this.#show(next, place?.column, pinned);
    await closeTab(uri);
    this.#remember();
  }

  /** Let a document stay while the cursor moves on, or follow again. */
  async togglePin(uri: vscode.Uri): Promise<void> {
    const text = uri.toString();
    if (this.#pinned.delete(text)) {
      const before = this.#following;
      this.#following = uri;
      if (before && before.toString() !== text) await closeTab(before);
    } else {
      this.#pinned.add(text);
      if (this.#following?.toString() === text) this.#following = undefined;
      const place = tabs().find((tab) => tab.uri.toString() === text);
      await this.#show(uri, place?.column, true);
    }
    this.#remember();
  }

  // ------------------------------------------------------------ following

  #moved(editor: vscode.TextEditor): void {
    if (editor.document.languageId !== "nx") return;
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => void this.#followCursor(editor), REST);
  }

  async #followCursor(editor: vscode.TextEditor): Promise<void> {
    const shown = this.#following;
    const follows = vscode.workspace.getConfiguration("nxlsp").get<string>("panel.follow", "cursor") === "cursor";
    // Only what is in view moves on: a tab that is hidden must not come to the front by itself.
    if (!follows || !shown || !tabs().some((tab) => tab.active && tab.uri.toString() === shown.toString())) return;
    const move = ++this.#moves;
    const { document, selection } = editor;
    const { line, character } = selection.active;
    let at: SchemaPosition | null;
    try {
      const params = { textDocument: { uri: document.uri.toString() }, position: { line, character } };
      at = await this.#session.request<SchemaPosition | null>("nxlsp/schemaAt", params);
    } catch {
      return; // no server, or the text has moved on: the panel keeps what it has
    }
    const before = addressOf(shown);
    if (move !== this.#moves || at?.kind !== "function" || !before) return;
    const next: Address = {
      kind: "tool",
      module: at.module,
      name: at.name,
      view: viewFor("tool", before.view, "answer"),
      project: document.uri.toString(),
    };
    if (sameDeclaration(before, next) || this.#isPinnedElsewhere(next)) return;
    if (this.#following?.toString() === shown.toString()) await this.#follow(next, undefined);
  }

  #isPinnedElsewhere(address: Address): boolean {
    return [...this.#pinned].some((text) => {
      const pinned = addressOf(vscode.Uri.parse(text));
      return pinned !== undefined && sameDeclaration(pinned, address);
    });
  }

  async #follow(address: Address, column: vscode.ViewColumn | undefined): Promise<void> {
    const next = uriOf(address);
    const before = this.#following;
    this.#following = this.isPinned(next) ? before : next;
    await this.#show(next, this.#column(column), this.isPinned(next));
    if (before && before.toString() !== next.toString() && this.#following === next) await closeTab(before);
    this.#remember();
  }

  /** Where the panel goes: where it was asked to, where it is, or beside the source. */
  #column(wanted: vscode.ViewColumn | undefined): vscode.ViewColumn {
    if (wanted !== undefined) return wanted;
    const open = tabs();
    const place = open.find((tab) => tab.uri.toString() === this.#following?.toString()) ?? open[0];
    // After a reload the group of the panel is there again, but empty.
    const empty = vscode.window.tabGroups.all.find(({ tabs }) => tabs.length === 0);
    return place?.column ?? (empty && empty.viewColumn !== vscode.ViewColumn.One ? empty.viewColumn : vscode.ViewColumn.Beside);
  }

  async #show(uri: vscode.Uri, viewColumn: vscode.ViewColumn | undefined, stays: boolean): Promise<void> {
    const document = await setLanguage(await vscode.workspace.openTextDocument(uri));
    const column = viewColumn ?? vscode.ViewColumn.Beside;
    await vscode.window.showTextDocument(document, { viewColumn: column, preserveFocus: true, preview: !stays });
    this.#changed.fire();
  }

  #closed(tab: vscode.Tab): void {
    const uri = uriOfTab(tab);
    if (!uri || tabs().some((other) => other.uri.toString() === uri.toString())) return;
    const text = uri.toString();
    const was = this.#pinned.delete(text);
    if (this.#following?.toString() === text) this.#following = undefined;
    else if (!was) return;
    this.#remember();
  }

  #remember(): void {
    const memory: Memory = { pinned: [...this.#pinned] };
    if (this.#following) memory.following = this.#following.toString();
    void this.#state.update(MEMORY, memory);
    this.#changed.fire();
  }
}

/** Documents of the panel open in tabs. */
function tabs(): { uri: vscode.Uri; column: vscode.ViewColumn; active: boolean }[] {
  return vscode.window.tabGroups.all.flatMap((group) =>
    group.tabs.flatMap((tab) => {
      const uri = uriOfTab(tab);
      return uri ? [{ uri, column: group.viewColumn, active: tab.isActive }] : [];
    }),
  );
}

function uriOfTab({ input }: vscode.Tab): vscode.Uri | undefined {
  return input instanceof vscode.TabInputText && input.uri.scheme === SCHEME ? input.uri : undefined;
}

async function closeTab(uri: vscode.Uri): Promise<void> {
  const found = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter((tab) => uriOfTab(tab)?.toString() === uri.toString());
  if (found.length > 0) await vscode.window.tabGroups.close(found, true);
}

/** By its path a document is known as ours already, unless its module has no `.nx` in its name. */
async function setLanguage(document: vscode.TextDocument): Promise<vscode.TextDocument> {
  if (document.languageId === LANGUAGE) return document;
  return await vscode.languages.setTextDocumentLanguage(document, LANGUAGE);
}
