// Which command starts the server: the settings, the Python extension, the search path.

import { homedir } from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { expand } from "./expand.ts";
import { badServerCommand, noInterpreter, unusableSetting, type Failure } from "./failures.ts";
import { choose, onSearchPath, probeInterpreter, type Candidate, type Interpreter } from "./interpreter.ts";
import type { ServerCommand } from "./serverProcess.ts";

export type CommandChoice =
  | { kind: "found"; command: ServerCommand; interpreter?: Interpreter; origin: string }
  | { kind: "failed"; failure: Failure };

/** The command that starts the server, by `nxlsp.server.command` or with a Python that was found. */
export async function serverCommand(extension: vscode.Uri): Promise<CommandChoice> {
  const settings = vscode.workspace.getConfiguration("nxlsp");
  const cwd = vscode.Uri.joinPath(extension, "server").fsPath;
  const own: unknown = trusted(settings, "server.command") ?? [];
  if (!Array.isArray(own) || !own.every((one): one is string => typeof one === "string")) {
    return { kind: "failed", failure: badServerCommand("it must be a list of texts") };
  }
  const [program, ...args] = own.map(expanded);
  if (program !== undefined) {
    if (!program) return { kind: "failed", failure: badServerCommand("its first entry names no program") };
    return { kind: "found", command: { command: program, args, cwd }, origin: "setting `nxlsp.server.command`" };
  }
  const start = path.join(cwd, "start_server.py");
  const found = await pythonFor(trusted(settings, "python.path"));
  if ("message" in found) return { kind: "failed", failure: found };
  const { interpreter, candidate } = found;
  // `-I -S`: no variables, no site-packages, no current folder; see start_server.py.
  const isolated = [...interpreter.args, "-I", "-S", "-X", "utf8", start];
  const command = { command: interpreter.command, args: isolated, cwd };
  return { kind: "found", command, interpreter, origin: candidate.origin };
}

async function pythonFor(
  setting: unknown,
): Promise<{ interpreter: Interpreter; candidate: Candidate } | Failure> {
  if (typeof setting === "string" && setting.trim()) {
    const origin = "setting `nxlsp.python.path`";
    const choice = await choose([{ command: expanded(setting), origin }], probeInterpreter);
    const first = choice.kind === "none" ? choice.tried[0] : undefined;
    if (choice.kind === "found") return choice;
    if (first) return unusableSetting(setting, first);
  }
  const choice = await choose(await candidates(), probeInterpreter);
  return choice.kind === "found" ? choice : noInterpreter(choice.tried);
}

/** Interpreters worth trying when no setting names one. */
export async function candidates(): Promise<Candidate[]> {
  const chosen = await ofPythonExtension();
  const path = onSearchPath(process.platform);
  return chosen ? [{ command: chosen, origin: "the Python extension" }, ...path] : path;
}

/**
 * The value of a setting that names a program. In a workspace that is not trusted only the user's
 * own value counts (editor-experience 11).
 */
function trusted(settings: vscode.WorkspaceConfiguration, name: string): unknown {
  if (vscode.workspace.isTrusted) return settings.get(name);
  const values = settings.inspect(name);
  return values?.globalValue ?? values?.defaultValue;
}

function expanded(text: string): string {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ name, uri }) => ({ name, path: uri.fsPath }));
  return expand(text, { home: homedir(), environment: process.env, folders });
}

/** As much of the Python extension's interface as is used here. */
interface PythonExtension {
  environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(environment: { path: string }): Promise<{ executable?: { uri?: vscode.Uri } } | undefined>;
  };
}

async function ofPythonExtension(): Promise<string | undefined> {
  // In a workspace that is not trusted the chosen environment may be the workspace's.
  if (!vscode.workspace.isTrusted) return undefined;
  const extension = vscode.extensions.getExtension<PythonExtension>("ms-python.python");
  if (!extension) return undefined;
  try {
    const { environments } = await extension.activate();
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const active = environments?.getActiveEnvironmentPath(folder);
    const resolved = active && (await environments?.resolveEnvironment(active));
    return resolved?.executable?.uri?.fsPath;
  } catch {
    return undefined; // it is not our task to tell about faults of that extension
  }
}
