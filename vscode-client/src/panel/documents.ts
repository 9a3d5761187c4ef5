// The documents of the panel: their texts, and how current these are (editor-experience 9).

import * as vscode from "vscode";
import { refusalCode, STALE, type ToolSchema, type TypeSchema } from "../protocol.ts";
import { NotRunning, type Session } from "../start/session.ts";
import { addressOf, partsOf, SCHEME, type Address } from "./address.ts";
import type { State } from "./lensTitles.ts";

/** Milliseconds after the last edit before a document is asked for again. */
const QUIET = 150;
/** Milliseconds of waiting for an answer before the panel says so. */
const PATIENCE = 300;

export interface Entry {
  readonly address: Address;
  readonly uri: vscode.Uri;
  text: string;
  state: State;
  /** Why the whole answer is shown instead of the view. */
  instead?: string | undefined;
  /** Counts requests, so that an answer that was overtaken is dropped. */
  asked: number;
}

export function uriOf(address: Address): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, ...partsOf(address) });
}

/** The NX document that an address is about, as far as it is one on disk or open. */
export function sourceOf({ project, module }: Address): vscode.Uri {
  const uri = vscode.Uri.parse(project);
  return uri.scheme !== "file" || uri.path.endsWith(".nx") ? uri : vscode.Uri.joinPath(uri, module);
}

export class SchemaDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #session: Session;
  readonly #entries = new Map<string, Entry>();
  readonly #texts = new vscode.EventEmitter<vscode.Uri>();
  readonly #states = new vscode.EventEmitter<void>();
  readonly #parts: { dispose(): unknown }[];
  #quiet: NodeJS.Timeout | undefined;

  readonly onDidChange = this.#texts.event;
  /** The state of a document changed, or what is counted in its source. */
  readonly onDidChangeState = this.#states.event;

  constructor(session: Session) {
    this.#session = session;
    this.#parts = [
      this.#texts,
      this.#states,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.languageId === "nx") this.#refreshSoon();
      }),
      // What came while the document was being opened was not heard.
      vscode.workspace.onDidOpenTextDocument(({ uri }) => {
        const entry = this.entry(uri);
        if (entry) this.#showText(entry);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#entries.delete(uri.toString())),
      vscode.languages.onDidChangeDiagnostics(() => this.#states.fire()),
      session.onDidChangeSchemas((changes) => {
        for (const { address, uri } of this.#entries.values()) {
          const hit = changes.some((one) => one.module === address.module && one.name === address.name);
          if (hit) void this.refresh(uri);
        }
      }),
      session.onDidChange(({ kind }) => {
        if (kind === "running") this.#refreshSoon();
        if (kind === "stopped" || kind === "off") this.#all("noServer");
      }),
    ];
  }

  dispose(): void {
    clearTimeout(this.#quiet);
    vscode.Disposable.from(...this.#parts).dispose();
  }

  entry(uri: vscode.Uri): Entry | undefined {
    return this.#entries.get(uri.toString());
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const address = addressOf(uri);
    if (!address) return "";
    const known = this.entry(uri);
    if (known) return known.text;
    const entry: Entry = { address, uri, text: "", state: "waiting", asked: 0 };
    this.#entries.set(uri.toString(), entry);
    if (this.#session.phase.kind === "running") await this.#askAndFollow(entry);
    else if (this.#session.phase.kind !== "starting") entry.state = "noServer";
    this.#states.fire();
    return entry.text;
  }

  /** Errors of the language in the source of a document, in their order. */
  problemsIn(entry: Entry): vscode.Diagnostic[] {
    return vscode.languages
      .getDiagnostics(sourceOf(entry.address))
      .filter(({ severity, source }) => severity === vscode.DiagnosticSeverity.Error && source === "nx")
      .sort((one, other) => one.range.start.compareTo(other.range.start));
  }

  /** Ask for the text of a document again, and show it where it has changed. */
  async refresh(uri: vscode.Uri): Promise<void> {
    const entry = this.entry(uri);
    if (!entry) return;
    const waiting = setTimeout(() => this.#enter(entry, "waiting"), PATIENCE);
    try {
      await this.#ask(entry);
    } finally {
      clearTimeout(waiting);
    }
    this.#showText(entry);
    this.#states.fire();
  }

  /** Ask, and wait for those who asked meanwhile: theirs is then the text. */
  async #askAndFollow(entry: Entry): Promise<void> {
    let turn: number;
    do {
      turn = entry.asked + 1;
      await this.#ask(entry);
    } while (entry.asked !== turn);
  }

  /** Let the editor fetch the text of an entry, if it shows another. */
  #showText(entry: Entry): void {
    const key = entry.uri.toString();
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === key);
    if (document && document.getText() !== entry.text) this.#texts.fire(entry.uri);
  }

  #refreshSoon(): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => {
      for (const { uri } of this.#entries.values()) void this.refresh(uri);
    }, QUIET);
  }

  #all(state: State): void {
    for (const entry of this.#entries.values()) this.#enter(entry, state);
  }

  #enter(entry: Entry, state: State): void {
    if (entry.state === state) return;
    entry.state = state;
    this.#states.fire();
  }

  /** Bring text and state of an entry up to date. Never throws. */
  async #ask(entry: Entry): Promise<void> {
    const turn = ++entry.asked;
    const current = (): boolean => entry.asked === turn;
    try {
      const { document, stale, instead } = await this.#answer(entry.address);
      if (!current()) return;
      entry.text = document + "\n";
      entry.state = stale ? "lastGood" : "live";
      entry.instead = instead;
    } catch (error) {
      if (!current()) return;
      if (error instanceof NotRunning) entry.state = this.#session.phase.kind === "starting" ? "waiting" : "noServer";
      else if (refusalCode(error) === "schema-unknown-declaration") entry.state = "gone";
      else if ((error as { code?: number }).code === STALE) this.#refreshSoon();
      else {
        entry.state = "waiting";
        this.#session.output.warn(`the panel has no answer about ${entry.address.name}: ${String(error)}`);
      }
    }
  }

  async #answer(address: Address): Promise<{ document: string; stale: boolean; instead?: string }> {
    const { project, module, name, view } = address;
    const target = { project, module, name };
    if (address.kind === "type") {
      return await this.#session.request<TypeSchema>("nxlsp/typeSchema", { target, direction: view });
    }
    try {
      const { document, stale } = await this.#session.request<ToolSchema>("nxlsp/toolSchema", { target, view });
      return { document, stale };
    } catch (error) {
      if (view === "answer" || refusalCode(error) !== "schema-inexpressible-type") throw error;
      const whole = await this.#session.request<ToolSchema>("nxlsp/toolSchema", { target, view: "answer" });
      const instead = view === "mcp" ? "no MCP copy" : `no ${view} schema`;
      return { document: whole.document, stale: whole.stale, instead };
    }
  }
}
