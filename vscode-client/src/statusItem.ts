// The item in the status bar, shown with an NX document (editor-experience 14).

import * as vscode from "vscode";
import { SCHEME } from "./panel/address.ts";
import type { Session } from "./start/session.ts";
import { statusText } from "./statusText.ts";

/** Show the state of `session` while an NX document is looked at. */
export function statusItem(session: Session): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("nxlsp.status", vscode.StatusBarAlignment.Right, 100);
  item.name = "NX";
  const draw = (): void => {
    const { text, tooltip, look } = statusText(session.phase);
    item.text = text;
    item.tooltip = new vscode.MarkdownString(tooltip);
    item.accessibilityInformation = { label: text.replace(/\$\([^)]*\)\s*/g, "") };
    item.backgroundColor =
      look === "plain" ? undefined : new vscode.ThemeColor(`statusBarItem.${look}Background`);
    item.command = session.phase.kind === "stopped" ? "nxlsp.restartServer" : "nxlsp.statusMenu";
    const document = vscode.window.activeTextEditor?.document;
    // A stopped server is shown whatever is open: nothing else would tell that hovers are missing.
    if (document?.languageId === "nx" || document?.uri.scheme === SCHEME || session.phase.kind === "stopped") {
      item.show();
    } else item.hide();
  };
  draw();
  return vscode.Disposable.from(
    item,
    session.onDidChange(draw),
    vscode.window.onDidChangeActiveTextEditor(draw),
    vscode.workspace.onDidOpenTextDocument(draw), // a document may have become NX
  );
}
