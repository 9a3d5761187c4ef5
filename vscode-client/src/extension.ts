// The extension: what is made at its start, and how the parts hear of each other.

import * as vscode from "vscode";
import { OFFICIAL } from "./coexistence.ts";
import { registerHostSupplied } from "./commands/hostSupplied.ts";
import { registerSample } from "./commands/sample.ts";
import { registerPlaces } from "./commands/places.ts";
import { registerSchemaCommands, type Register } from "./commands/schemas.ts";
import { registerServerCommands } from "./commands/server.ts";
import { tellOfOtherExtension } from "./otherExtension.ts";
import { libraryDocuments } from "./library.ts";
import { SchemaDocuments } from "./panel/documents.ts";
import { PanelLenses } from "./panel/lenses.ts";
import { SchemaPanel } from "./panel/panel.ts";
import { NotRunning, Session } from "./start/session.ts";
import { statusItem } from "./statusItem.ts";

let session: Session | undefined;

/** Settings that name a program: a change takes a new start. */
const STARTS_AGAIN = ["nxlsp.python.path", "nxlsp.server.command", "nxlsp.coexistence", "nxlsp.enable"];

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const own = new Session(context);
  session = own;
  const documents = new SchemaDocuments(own);
  const panel = new SchemaPanel(own, documents, context.workspaceState);
  const register: Register = (command, work) => {
    const guarded = async (...args: never[]): Promise<void> => {
      try {
        await work(...args);
      } catch (error) {
        await tellFault(own, command, error);
      }
    };
    context.subscriptions.push(vscode.commands.registerCommand(command, guarded));
  };
  context.subscriptions.push(
    own,
    documents,
    panel,
    new PanelLenses(documents, panel),
    statusItem(own),
    libraryDocuments(context.extensionUri),
    registerServerCommands(register, own, context),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (STARTS_AGAIN.some((name) => event.affectsConfiguration(name))) void own.restart();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void own.restart()),
    watchOtherExtension(own, context),
  );
  registerSchemaCommands(register, own, documents, panel);
  registerHostSupplied(register);
  registerPlaces(register);
  registerSample(register, context.extensionUri);
  // Not waited for: a slow or missing interpreter must not hold up the commands.
  void own.start().then(() => panel.restore());
  await vscode.commands.executeCommand("setContext", "nxlsp.active", true);
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}

/** The other extension was installed, removed or switched: the server's features follow. */
function watchOtherExtension(own: Session, context: vscode.ExtensionContext): vscode.Disposable {
  const isThere = (): boolean => vscode.extensions.getExtension(OFFICIAL) !== undefined;
  let there = isThere();
  if (there) void tellOfOtherExtension(context);
  return vscode.extensions.onDidChange(() => {
    if (isThere() === there) return;
    there = !there;
    if (there) void tellOfOtherExtension(context);
    void own.restart();
  });
}

/** A command that could not be carried out says so, with a next step. */
async function tellFault(own: Session, command: string, error: unknown): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error);
  own.output.error(`${command}: ${reason}`);
  if (error instanceof NotRunning) {
    const starting = own.phase.kind === "starting";
    const message = starting ? "NX: the server is still starting; try again in a moment." : `NX: ${reason}`;
    const chosen = await vscode.window.showWarningMessage(message, ...(starting ? [] : ["Restart"]), "Show Output");
    if (chosen === "Restart") void own.restart();
    else if (chosen) own.output.show();
    return;
  }
  const chosen = await vscode.window.showErrorMessage(`NX: ${reason}`, "Show Output");
  if (chosen) own.output.show();
}
