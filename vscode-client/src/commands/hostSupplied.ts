// *Treat `Session` as host-supplied*: the quick fix changes a setting (editor-experience 6).

import * as vscode from "vscode";
import type { Register } from "./schemas.ts";

interface HostSuppliedType {
  module: string;
  name: string;
}

export function registerHostSupplied(register: Register): void {
  register("nxlsp.addHostSuppliedType", async (given: HostSuppliedType & { project?: string }) => {
    const folder = given.project ? vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(given.project)) : undefined;
    const settings = vscode.workspace.getConfiguration("nxlsp", folder);
    const types = settings.get<HostSuppliedType[]>("schema.hostSuppliedTypes", []);
    const { module, name } = given;
    if (types.some((one) => one.module === module && one.name === name)) return;
    const { WorkspaceFolder, Global } = vscode.ConfigurationTarget;
    await settings.update("schema.hostSuppliedTypes", [...types, { module, name }], folder ? WorkspaceFolder : Global);
  });
}
