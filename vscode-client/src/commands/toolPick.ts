// The list of tools to choose from: *Go to Tool…*, and *Show Tool Schema* outside of any function.

import * as vscode from "vscode";
import type { Tool } from "../protocol.ts";
import type { Session } from "../start/session.ts";
import { pickEntries, type PickEntry } from "./pickEntries.ts";

/** Let a person choose a tool or another function; `undefined` when nothing was chosen. */
export async function pickTool(session: Session, title: string): Promise<Tool | undefined> {
  const { tools } = await session.request<{ tools: Tool[] }>("nxlsp/listTools", {});
  if (tools.length === 0) {
    void vscode.window.showInformationMessage("NX: there is no function in the NX modules of this window.");
    return undefined;
  }
  const items = pickEntries(tools).map((entry) => ({
    ...entry,
    kind: entry.tool ? vscode.QuickPickItemKind.Default : vscode.QuickPickItemKind.Separator,
  }));
  const options = { title, placeHolder: "Name or module", matchOnDescription: true, matchOnDetail: true };
  const chosen = await vscode.window.showQuickPick<PickEntry & vscode.QuickPickItem>(items, options);
  return chosen?.tool;
}
