// Commands about the server itself: restart, output, status, interpreter, issue.

import { homedir } from "node:os";
import * as vscode from "vscode";
import type { ServerReport } from "../protocol.ts";
import { issueText, statusPage, type Versions } from "../report.ts";
import { candidates } from "../start/command.ts";
import { STEP_TITLES, type Failure, type Step } from "../start/failures.ts";
import { onSearchPath, probeInterpreter, type Candidate } from "../start/interpreter.ts";
import type { Session } from "../start/session.ts";
import type { Register } from "./schemas.ts";

const STATUS = "nx-status";

export function registerServerCommands(
  register: Register,
  session: Session,
  context: vscode.ExtensionContext,
): vscode.Disposable {
  const pages = new StatusPages(session, context);
  register("nxlsp.restartServer", () => session.restart());
  register("nxlsp.showOutput", () => session.output.show());
  register("nxlsp.showTrace", async () => {
    const settings = vscode.workspace.getConfiguration("nxlsp");
    session.trace.show();
    if (settings.get<string>("trace.server", "off") !== "off") return;
    const on = "Switch On";
    const message = "NX: the protocol trace is switched off (`nxlsp.trace.server`).";
    if ((await vscode.window.showInformationMessage(message, on)) !== on) return;
    await settings.update("trace.server", "messages", vscode.ConfigurationTarget.Global);
  });
  register("nxlsp.showStatus", () => pages.show());
  register("nxlsp.statusMenu", () => statusMenu());
  register("nxlsp.selectInterpreter", () => selectInterpreter());
  register("nxlsp.useFolderAsRoot", (folder: unknown) => useFolderAsRoot(folder));
  register("nxlsp.reportIssue", async () => {
    const content = issueText(versions(session, context), await report(session));
    const page = await vscode.workspace.openTextDocument({ language: "markdown", content });
    await vscode.window.showTextDocument(page);
  });
  return vscode.Disposable.from(
    pages,
    session.onDidFail((failure) => void tell(failure)),
  );
}

/** Show a failure with its next steps, and take the one that is chosen. */
async function tell({ message, steps }: Failure): Promise<void> {
  const chosen = await vscode.window.showErrorMessage(message, ...steps.map((step) => STEP_TITLES[step]));
  const step = steps.find((one) => STEP_TITLES[one] === chosen);
  if (step) await take(step);
}

async function take(step: Step): Promise<void> {
  const commands: Record<Step, [string, ...unknown[]]> = {
    selectInterpreter: ["nxlsp.selectInterpreter"],
    openSettings: ["workbench.action.openSettings", "nxlsp.python.path nxlsp.server.command"],
    learnMore: ["workbench.action.openWalkthrough", "nx-lsp.nx-lsp#nxlsp.start"],
    restart: ["nxlsp.restartServer"],
    showOutput: ["nxlsp.showOutput"],
    report: ["nxlsp.reportIssue"],
  };
  const [command, ...args] = commands[step];
  await vscode.commands.executeCommand(command, ...args);
}

async function statusMenu(): Promise<void> {
  const items = [
    { label: "$(tools) Go to Tool…", command: "nxlsp.listTools" },
    { label: "$(info) Show Server Status", command: "nxlsp.showStatus" },
    { label: "$(debug-restart) Restart Server", command: "nxlsp.restartServer" },
    { label: "$(output) Show Output", command: "nxlsp.showOutput" },
    { label: "$(settings-gear) Select Python Interpreter…", command: "nxlsp.selectInterpreter" },
  ];
  const chosen = await vscode.window.showQuickPick(items, { title: "NX" });
  if (chosen) await vscode.commands.executeCommand(chosen.command);
}

// ---------------------------------------------------------------- status

function versions(session: Session, context: vscode.ExtensionContext): Versions {
  const { version } = context.extension.packageJSON as { version: string };
  const editor = `${vscode.env.appName} ${vscode.version}`;
  return { extension: version, editor, platform: `${process.platform} ${process.arch}`, server: session.command };
}

async function report(session: Session): Promise<ServerReport | undefined> {
  if (session.phase.kind !== "running") return undefined;
  return await session.request<ServerReport>("nxlsp/status", {});
}

/** A read-only page, made anew whenever it is asked for. */
class StatusPages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #session: Session;
  readonly #context: vscode.ExtensionContext;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #provider = vscode.workspace.registerTextDocumentContentProvider(STATUS, this);
  readonly onDidChange = this.#changed.event;

  constructor(session: Session, context: vscode.ExtensionContext) {
    this.#session = session;
    this.#context = context;
  }

  dispose(): void {
    this.#provider.dispose();
    this.#changed.dispose();
  }

  async show(): Promise<void> {
    const uri = vscode.Uri.from({ scheme: STATUS, path: "/NX Server Status.md" });
    this.#changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    try {
      await vscode.commands.executeCommand("markdown.showPreview", uri);
    } catch {
      await vscode.window.showTextDocument(document, { preview: true }); // without VS Code's own Markdown
    }
  }

  async provideTextDocumentContent(): Promise<string> {
    const { phase, interpreter } = this.#session;
    const why = phase.kind === "stopped" ? phase.why : `The server is ${phase.kind === "off" ? "off" : phase.kind}.`;
    const page = statusPage(versions(this.#session, this.#context), await report(this.#session), why);
    return interpreter ? `${page}\nThe interpreter was named by: ${interpreter.origin}.\n` : page;
  }
}

// ---------------------------------------------------------------- settings

async function selectInterpreter(): Promise<void> {
  const settings = vscode.workspace.getConfiguration("nxlsp");
  const current = settings.get<string>("python.path", "");
  const own: Candidate[] = current ? [{ command: current, origin: "setting `nxlsp.python.path`" }] : [];
  const found = async (): Promise<(vscode.QuickPickItem & { path?: string })[]> => {
    const all = [...own, ...(await candidates()), ...onSearchPath(process.platform)];
    const probes = await Promise.all(all.map(async (one) => ({ one, probe: await probeInterpreter(one) })));
    const usable = new Map<string, vscode.QuickPickItem & { path: string }>();
    for (const { one, probe } of probes) {
      if (probe.kind !== "usable" || usable.has(probe.interpreter.path)) continue;
      const { path, version } = probe.interpreter;
      usable.set(path, { label: `$(symbol-misc) Python ${version}`, description: path, detail: `From ${one.origin}`, path });
    }
    return [
      { label: "$(search) Find by itself", description: "the Python extension, then the search path", path: "" },
      { label: "$(folder-opened) Choose a File…" },
      ...usable.values(),
    ];
  };
  const title = "Python that runs the NX server (3.10 or newer)";
  const chosen = await vscode.window.showQuickPick(found(), { title, matchOnDescription: true });
  if (!chosen) return;
  let path = chosen.path;
  if (path === undefined) {
    const defaultUri = vscode.Uri.file(homedir());
    path = (await vscode.window.showOpenDialog({ title, canSelectMany: false, defaultUri }))?.[0]?.fsPath;
    if (!path) return;
    const probe = await probeInterpreter({ command: path, origin: "the file that was chosen" });
    if (probe.kind === "tooOld" || probe.kind === "unusable" || probe.kind === "missing") {
      const reason = probe.kind === "tooOld" ? `it is Python ${probe.version}` : probe.kind === "missing" ? "there is no such program" : probe.reason;
      return void vscode.window.showErrorMessage(`NX: ${path} cannot run the server: ${reason}.`);
    }
  }
  // Where the value in use stands: a workspace's own choice stays the workspace's.
  const ofWorkspace = vscode.workspace.isTrusted && settings.inspect("python.path")?.workspaceValue !== undefined;
  const { Global, Workspace } = vscode.ConfigurationTarget;
  // A changed setting starts the server again; one that stays the same has to be asked.
  if (path === current) return await vscode.commands.executeCommand("nxlsp.restartServer");
  // An empty value, not none: what stands in the settings of another level must not come back.
  await settings.update("python.path", path, ofWorkspace ? Workspace : Global);
}

async function useFolderAsRoot(given: unknown): Promise<void> {
  if (!(given instanceof vscode.Uri)) return;
  const folder = vscode.workspace.getWorkspaceFolder(given);
  if (!folder) return;
  const inside = vscode.workspace.asRelativePath(given, false);
  const settings = vscode.workspace.getConfiguration("nxlsp", folder);
  const roots = settings.get<string[]>("project.roots", []);
  const root = given.toString() === folder.uri.toString() ? "." : inside;
  if (!roots.includes(root)) {
    await settings.update("project.roots", [...roots, root], vscode.ConfigurationTarget.WorkspaceFolder);
  }
  void vscode.window.showInformationMessage(`NX: ${root === "." ? folder.name : root} is an NX root (\`nxlsp.project.roots\`).`);
}
