// The notice about the official extension, once in a workspace (editor-experience 2).

import * as vscode from "vscode";
import type { Mode } from "./coexistence.ts";

const TOLD = "nxlsp.toldOfOtherExtension";

export async function tellOfOtherExtension({ workspaceState }: vscode.ExtensionContext): Promise<void> {
  const settings = vscode.workspace.getConfiguration("nxlsp");
  if (settings.get<Mode>("coexistence", "auto") !== "auto" || workspaceState.get(TOLD)) return;
  await workspaceState.update(TOLD, true);
  const full = "Use Full Mode";
  const message =
    "NX: the official NX extension is enabled too. This one leaves problems of the language, completion and the " +
    "outline to it, and adds what concerns schemas. The other server sees open files only, so what it says of " +
    "missing imports may be wrong.";
  if ((await vscode.window.showInformationMessage(message, full)) !== full) return;
  await settings.update("coexistence", "full", vscode.ConfigurationTarget.Workspace);
}
