// Commands about schemas: show, copy, go to, export (editor-experience 8.1).

import * as vscode from "vscode";
import { addressOf, SCHEME, TOOL_VIEWS, type Address, type View } from "../panel/address.ts";
import { sourceOf, type SchemaDocuments } from "../panel/documents.ts";
import type { SchemaPanel } from "../panel/panel.ts";
import { refusalCode, type ServerReport, type Target, type Tool, type ToolSchema, type TypeSchema } from "../protocol.ts";
import type { Session } from "../start/session.ts";
import { count } from "../statusText.ts";
import { copiedMessage } from "./copied.ts";
import { pickTool } from "./toolPick.ts";

/** What lenses, hover links and code actions hand over. */
interface Argument {
  target?: Target;
  view?: string;
}

/** How a command is registered: by its id, with its work. */
export type Register = (command: string, work: (...args: never[]) => unknown) => void;

export function registerSchemaCommands(
  register: Register,
  session: Session,
  documents: SchemaDocuments,
  panel: SchemaPanel,
): void {
  const show = async (given: unknown, column?: vscode.ViewColumn): Promise<void> => {
    const { target, view } = argumentOf(given);
    const address = target ? await namedAddress(session, target) : await toolAtCursor(session);
    if (address) await panel.open(address, isView(view) ? view : undefined, column);
  };
  register("nxlsp.showToolSchema", (given: unknown) => show(given));
  register("nxlsp.showToolSchemaHere", (given: unknown) => show(given, vscode.ViewColumn.Active));
  register("nxlsp.showTypeSchema", async (given: unknown) => {
    const { target } = argumentOf(given);
    const at = target ?? cursor();
    if (!at) return void vscode.window.showInformationMessage("NX: put the cursor on a type of an NX file first.");
    const type = await refused(session.request<TypeSchema>("nxlsp/typeSchema", { target: at }));
    if (type) await panel.open({ kind: "type", module: type.module, name: type.name, project: projectOf(at) });
  });
  register("nxlsp.copyToolSchema", (given: unknown) => copy(session, argumentOf(given)));
  register("nxlsp.listTools", async () => {
    const tool = await pickTool(session, "Go to Tool");
    if (tool) await reveal(vscode.Uri.parse(tool.uri), rangeOf(tool));
  });
  register("nxlsp.exportToolSchemas", (given?: { project?: unknown }) => exportSchemas(session, given?.project));
  register("nxlsp.addMissingDocs", () =>
    vscode.commands.executeCommand("editor.action.codeAction", { kind: "source.nxlsp.addMissingDocs", apply: "first" }),
  );

  // ---------------------------------------------------------- buttons of the panel

  const shown = (given: unknown): vscode.Uri | undefined => (given instanceof vscode.Uri ? given : panel.current);
  register("nxlsp.pinSchema", async (given: unknown) => {
    const uri = shown(given);
    if (uri) await panel.togglePin(uri);
  });
  register("nxlsp.setSchemaView", async (given: unknown, wanted?: unknown) => {
    const uri = shown(given);
    const kind = uri && addressOf(uri)?.kind;
    const offered = kind === "type" ? PANEL_VIEWS.filter(({ forTypes }) => forTypes) : PANEL_VIEWS;
    const view = isView(wanted) ? wanted : (await vscode.window.showQuickPick(offered, { title: "View" }))?.view;
    if (uri && view) await panel.setView(uri, view);
  });
  register("nxlsp.setSchemaTarget", async (given: unknown) => {
    const uri = shown(given);
    const hosts = PANEL_VIEWS.filter(({ host }) => host);
    const view = (await vscode.window.showQuickPick(hosts, { title: "Host that the tool is for" }))?.view;
    if (uri && view) await panel.setView(uri, view);
  });
  register("nxlsp.panel.copy", async (given: unknown) => {
    const uri = shown(given);
    if (!uri) return;
    await vscode.env.clipboard.writeText((await vscode.workspace.openTextDocument(uri)).getText());
    vscode.window.setStatusBarMessage("$(check) Schema copied", 4000);
  });
  register("nxlsp.panel.goToSource", async (given: unknown) => {
    const uri = shown(given);
    const address = uri && addressOf(uri);
    if (address) await goToSource(session, address);
  });
  register("nxlsp.panel.goToProblem", async (given: unknown) => {
    const uri = shown(given);
    const entry = uri && documents.entry(uri);
    if (entry?.state === "noServer") return await vscode.commands.executeCommand("nxlsp.statusMenu");
    const first = entry && documents.problemsIn(entry)[0];
    if (entry && first) await reveal(sourceOf(entry.address), first.range);
    else if (entry) await goToSource(session, entry.address);
  });
}

const PANEL_VIEWS: { label: string; description: string; view: View; forTypes: boolean; host: boolean }[] = [
  { label: "Answer", description: "name, both schemas, problems", view: "answer", forTypes: false, host: false },
  { label: "Input", description: "schema of the arguments", view: "input", forTypes: true, host: false },
  { label: "Output", description: "schema of the result", view: "output", forTypes: true, host: false },
  { label: "MCP", description: "as an MCP server lists it", view: "mcp", forTypes: false, host: true },
];

const COPIES: { label: string; description: string; view: View }[] = [
  { label: "MCP", description: "a tool as an MCP server lists it", view: "mcp" },
  { label: "Whole answer", description: "name, both schemas, problems", view: "answer" },
  { label: "Input schema", description: "of the arguments", view: "input" },
  { label: "Output schema", description: "of the result", view: "output" },
];

function isView(value: unknown): value is View {
  return (TOOL_VIEWS as readonly unknown[]).includes(value);
}

function argumentOf(given: unknown): Argument {
  // From a menu the first argument is the file that the menu was opened on.
  return typeof given === "object" && given !== null && "target" in given ? (given as Argument) : {};
}

function cursor(): { textDocument: { uri: string }; position: vscode.Position } | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== "nx") return undefined;
  return { textDocument: { uri: editor.document.uri.toString() }, position: editor.selection.active };
}

function projectOf(target: Target): string {
  return "textDocument" in target ? target.textDocument.uri : (target.project ?? "");
}

/** The answer of the server, or `undefined` after it was said why there is none. */
async function refused<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (refusalCode(error) === undefined) throw error;
    void vscode.window.showInformationMessage(`NX: ${(error as Error).message}`);
    return undefined;
  }
}

type ToolAddress = Omit<Address, "view">;

async function namedAddress(session: Session, target: Target): Promise<ToolAddress | undefined> {
  if (!("textDocument" in target) && target.module !== undefined && target.project !== undefined) {
    return { kind: "tool", module: target.module, name: target.name, project: target.project };
  }
  const found = await refused(session.request<ToolSchema>("nxlsp/toolSchema", { target, view: "answer" }));
  return found && { kind: "tool", module: found.module, name: found.name, project: projectOf(target) };
}

/** The function at the cursor, or one that is chosen from the list. */
async function toolAtCursor(session: Session): Promise<ToolAddress | undefined> {
  const at = cursor();
  if (at) {
    try {
      const found = await session.request<ToolSchema>("nxlsp/toolSchema", { target: at, view: "answer" });
      return { kind: "tool", module: found.module, name: found.name, project: projectOf(at) };
    } catch (error) {
      if (refusalCode(error) === undefined) throw error;
    }
  }
  const active = vscode.window.activeTextEditor?.document.uri;
  const shown = active?.scheme === SCHEME ? addressOf(active) : undefined;
  if (shown) return shown;
  const tool = await pickTool(session, "Show Tool Schema");
  return tool && { kind: "tool", module: tool.module, name: tool.name, project: tool.project ?? tool.uri };
}

async function copy(session: Session, { target, view }: Argument): Promise<void> {
  let wanted = target;
  if (!wanted) {
    const address = await toolAtCursor(session);
    if (!address) return;
    const { project, module, name } = address;
    wanted = { project, module, name };
  }
  const name = "name" in wanted ? ` of ${wanted.name}` : "";
  const picked = isView(view)
    ? COPIES.find((one) => one.view === view)
    : await vscode.window.showQuickPick(COPIES, { title: `Copy Tool Schema${name} As`, placeHolder: "What for" });
  if (!picked) return;
  const found = await refused(session.request<ToolSchema>("nxlsp/toolSchema", { target: wanted, view: picked.view }));
  if (!found) return;
  await vscode.env.clipboard.writeText(found.document);
  const { message, detail } = copiedMessage(found, picked.label);
  if (!detail) return void vscode.window.showInformationMessage(message);
  const chosen = await vscode.window.showInformationMessage(message, "Show Changes");
  if (chosen) {
    const page = await vscode.workspace.openTextDocument({ language: "markdown", content: detail });
    await vscode.window.showTextDocument(page, { viewColumn: vscode.ViewColumn.Beside });
  }
}

async function goToSource(session: Session, { kind, project, module, name }: Address): Promise<void> {
  const source = sourceOf({ kind, project, module, name, view: "answer" });
  const symbols = await vscode.commands
    .executeCommand<vscode.DocumentSymbol[] | undefined>("vscode.executeDocumentSymbolProvider", source)
    .then((found) => found, () => undefined);
  const symbol = symbols?.find((one) => one.name === name || one.name.startsWith(`${name}(`));
  if (symbol) return await reveal(source, symbol.selectionRange);
  const { tools } = await session.request<{ tools: Tool[] }>("nxlsp/listTools", { project });
  const tool = tools.find((one) => one.module === module && one.name === name);
  await reveal(tool ? vscode.Uri.parse(tool.uri) : source, tool ? rangeOf(tool) : new vscode.Range(0, 0, 0, 0));
}

function rangeOf({ range }: Tool): vscode.Range {
  return new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
}

/** Show the start of a range, in the editor that has the document where there is one. */
async function reveal(uri: vscode.Uri, range: vscode.Range): Promise<void> {
  const open = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
  const selection = new vscode.Range(range.start, range.start);
  const column = open?.viewColumn ?? firstColumnOfSources();
  await vscode.window.showTextDocument(uri, { selection, ...(column === undefined ? {} : { viewColumn: column }) });
}

function firstColumnOfSources(): vscode.ViewColumn | undefined {
  return vscode.window.visibleTextEditors.find(({ document }) => document.languageId === "nx")?.viewColumn;
}

// ---------------------------------------------------------------- export

async function exportSchemas(session: Session, wanted: unknown): Promise<void> {
  const { projects } = await session.request<ServerReport>("nxlsp/status", {});
  const asked = projects.filter(({ root }) => root === wanted);
  const named = (asked.length > 0 ? asked : projects).map(({ root, tools }) => {
    const uri = vscode.Uri.parse(root);
    return { label: vscode.workspace.asRelativePath(uri, true), description: count(tools, "tool"), uri };
  });
  if (named.length === 0) return void vscode.window.showInformationMessage("NX: no NX project is open.");
  const project = named.length === 1 ? named[0] : await vscode.window.showQuickPick(named, { title: "Project to Export" });
  if (!project) return;
  const found = await session.execute<{ document: string; functions: number }>("nxlsp.server.exportSchemas", {
    project: project.uri.toString(),
  });
  const folder = project.uri.path.endsWith(".nx") ? vscode.Uri.joinPath(project.uri, "..") : project.uri;
  const target = await vscode.window.showSaveDialog({
    title: "Export Tool Schemas",
    defaultUri: vscode.Uri.joinPath(folder, "tool-schemas.json"),
    filters: { JSON: ["json"] },
  });
  if (!target) return;
  await vscode.workspace.fs.writeFile(target, Buffer.from(found.document, "utf8"));
  const message = `NX: the schemas of ${found.functions} functions are in ${vscode.workspace.asRelativePath(target)}.`;
  if (await vscode.window.showInformationMessage(message, "Open")) await vscode.window.showTextDocument(target);
}
