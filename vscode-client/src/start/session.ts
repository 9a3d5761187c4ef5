// The life of the server as the user sees it: start, crash, restart, stop (editor-experience 14).
//
// Every start has a language client of its own, so that an old one's diagnostics go with it and
// every open document is sent again.

import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  type LanguageClientOptions,
} from "vscode-languageclient/node";
import { features, OFFICIAL, type Mode } from "../coexistence.ts";
import type { SchemaChange, ServerStatus } from "../protocol.ts";
import type { Phase } from "../statusText.ts";
import { serverCommand } from "./command.ts";
import { CrashCounter, WITHIN_MINUTES } from "./crashes.ts";
import { endedAtStart, endedTooOften, type Failure } from "./failures.ts";
import type { Interpreter } from "./interpreter.ts";
import { ServerProcess } from "./serverProcess.ts";
import { traceChannel } from "./traceChannel.ts";

/** Commands that a hover may link to. */
const LINKED_COMMANDS = ["nxlsp.showToolSchema", "nxlsp.copyToolSchema", "nxlsp.showTypeSchema"];

/** Milliseconds that a server has for the handshake. */
const START_PATIENCE = 60_000;

/** The language client without its own pop-ups: the session tells what happened, once. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

export class NotRunning extends Error {}

interface Running {
  client: LanguageClient;
  process: ServerProcess;
  /** Whether the handshake is done. */
  ready: boolean;
  /** Whether its end is wanted. */
  ending: boolean;
}

export class Session implements vscode.Disposable {
  readonly output = vscode.window.createOutputChannel("NX Language Server", { log: true });
  readonly trace = traceChannel("NX Language Server (Protocol)");
  phase: Phase = { kind: "off" };
  /** The interpreter in use, and who named it. */
  interpreter: { found: Interpreter | undefined; origin: string } | undefined;
  readonly #extension: vscode.ExtensionContext;
  readonly #crashes = new CrashCounter();
  readonly #changed = new vscode.EventEmitter<Phase>();
  readonly #schemas = new vscode.EventEmitter<readonly SchemaChange[]>();
  readonly #failed = new vscode.EventEmitter<Failure>();
  #running: Running | undefined;
  #queue: Promise<void> = Promise.resolve();
  #again: NodeJS.Timeout | undefined;

  readonly onDidChange = this.#changed.event;
  readonly onDidChangeSchemas = this.#schemas.event;
  /** There is no server, and none will be started by itself. */
  readonly onDidFail = this.#failed.event;

  constructor(extension: vscode.ExtensionContext) {
    this.#extension = extension;
  }

  dispose(): void {
    clearTimeout(this.#again);
    for (const one of [this.#changed, this.#schemas, this.#failed, this.output, this.trace]) one.dispose();
  }

  // ------------------------------------------------------------ for the rest of the extension

  get command(): string {
    const command = this.#running?.process.command;
    return command ? [command.command, ...command.args].join(" ") : "not started";
  }

  /** Put a request to the server. Throws `NotRunning`, or what the server refused with. */
  async request<R>(method: string, params: unknown): Promise<R> {
    const running = this.#running;
    if (!running?.ready || !running.client.isRunning()) throw new NotRunning("The NX server is not running.");
    return await running.client.sendRequest<R>(method, params);
  }

  /** Run one of the server's commands (`nxlsp.server.…`). */
  async execute<R>(command: string, argument: unknown): Promise<R> {
    return await this.request<R>("workspace/executeCommand", { command, arguments: [argument] });
  }

  /** Start the server unless one is there or NX is switched off. Waits until it is ready or failed. */
  start(): Promise<void> {
    return this.#enqueue(() => this.#start());
  }

  /** End the server, if there is one. */
  stop(): Promise<void> {
    return this.#enqueue(() => this.#stop());
  }

  /** End the server and start it again, with what the settings say now. */
  restart(): Promise<void> {
    this.#crashes.forget();
    clearTimeout(this.#again);
    return this.#enqueue(async () => {
      await this.#stop();
      await this.#start();
    });
  }

  // ------------------------------------------------------------ starting and ending

  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(work).catch((error: unknown) => this.output.error(String(error)));
    return this.#queue;
  }

  #enter(phase: Phase): void {
    this.phase = phase;
    void vscode.commands.executeCommand("setContext", "nxlsp.running", phase.kind === "running");
    this.#changed.fire(phase);
  }

  #fail(failure: Failure): void {
    this.output.error(failure.message);
    this.#enter({ kind: "stopped", why: failure.message });
    this.#failed.fire(failure);
  }

  async #start(): Promise<void> {
    if (this.#running) return;
    if (!isEnabled()) return this.#enter({ kind: "off" });
    this.#enter({ kind: "starting" });
    const choice = await serverCommand(this.#extension.extensionUri);
    if (choice.kind === "failed") return this.#fail(choice.failure);
    this.interpreter = { found: choice.interpreter, origin: choice.origin };
    const { command } = choice;
    const shown = [command.command, ...command.args].join(" ");
    this.output.info(`starting ${shown} (interpreter from ${choice.origin})`);
    let process: ServerProcess;
    try {
      process = new ServerProcess(command, (line) => logLine(this.output, line));
    } catch (error) {
      return this.#fail(endedAtStart(shown, `could not be started: ${String(error)}`, []));
    }
    const client = new QuietClient("nxlsp", "NX", () => Promise.resolve(process.process), this.#options());
    const running: Running = { client, process, ready: false, ending: false };
    this.#running = running;
    void process.over.then(() => this.#ended(running));
    client.registerFeature({
      fillClientCapabilities: (capabilities) => {
        const own = { commandLinks: true, nxlspStatus: true, nxlspSchemaEvents: true };
        capabilities.experimental = { ...(capabilities.experimental as object | undefined), ...own };
      },
      initialize: () => undefined,
      getState: () => ({ kind: "static" }),
      clear: () => undefined,
    });
    client.onNotification("nxlsp/serverStatus", (status: ServerStatus) => {
      if (this.#running === running) this.#enter({ kind: "running", server: status });
    });
    // A list as parameters arrives as separate arguments.
    client.onNotification("nxlsp/schemaDidChange", (...changes: SchemaChange[]) => this.#schemas.fire(changes));
    const patience = setTimeout(() => {
      process.ended = `did not answer within ${START_PATIENCE / 1000} seconds`;
      process.process.kill();
    }, START_PATIENCE);
    try {
      await client.start();
    } catch (error) {
      this.output.error(String(error));
      process.process.kill();
      await process.over;
      return;
    } finally {
      clearTimeout(patience);
    }
    running.ready = true;
    if (this.#running === running && this.phase.kind === "starting") this.#enter({ kind: "running" });
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    clearTimeout(this.#again);
    if (!running) return this.#enter({ kind: "off" });
    running.ending = true;
    this.#running = undefined;
    try {
      if (running.ready) await running.client.stop();
    } catch (error) {
      this.output.warn(`the server did not end as asked: ${String(error)}`);
    }
    running.process.process.kill();
    await running.process.over;
    await running.client.dispose().catch(() => undefined);
    this.#enter({ kind: "off" });
  }

  /** The process is gone. */
  #ended(running: Running): void {
    if (running.ending || this.#running !== running) return;
    this.#running = undefined;
    void running.client.dispose().catch(() => undefined);
    const how = running.process.ended ?? "ended";
    const { command, args } = running.process.command;
    if (!running.ready) return this.#fail(endedAtStart([command, ...args].join(" "), how, running.process.lastWords));
    const { restart, delay, times } = this.#crashes.ended();
    this.output.warn(`the server ${how}, which nobody asked for; it happened ${times} times lately`);
    if (!restart) return this.#fail(endedTooOften(times, WITHIN_MINUTES, how));
    this.#enter({ kind: "starting" });
    this.#again = setTimeout(() => void this.start(), delay);
  }

  #options(): LanguageClientOptions {
    const mode = vscode.workspace.getConfiguration("nxlsp").get<Mode>("coexistence", "auto");
    const wanted = features(mode, vscode.extensions.getExtension(OFFICIAL) !== undefined);
    return {
      documentSelector: [
        { language: "nx", scheme: "file" },
        { language: "nx", scheme: "untitled" },
        { language: "nx", scheme: "nx" },
      ],
      outputChannel: this.output,
      traceOutputChannel: this.trace,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: wanted ? { features: wanted } : {},
      // The server asks for its settings itself, but has to be told when.
      // eslint-disable-next-line @typescript-eslint/no-deprecated
      synchronize: { configurationSection: "nxlsp" },
      markdown: { isTrusted: { enabledCommands: LINKED_COMMANDS }, supportHtml: false },
      initializationFailedHandler: () => false,
      // The session decides by the process's end; the client is not to start or tell anything itself.
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => ({ action: CloseAction.DoNotRestart, handled: true }),
      },
    };
  }
}

/** Whether NX is switched on in this window: in one of its folders, or at all where there is none. */
export function isEnabled(): boolean {
  const at = (scope?: vscode.Uri): boolean => vscode.workspace.getConfiguration("nxlsp", scope).get("enable", true);
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.length > 0 ? folders.some(({ uri }) => at(uri)) : at();
}

/** The server writes `date time LEVEL name: message`; what has no level belongs to the line before. */
function logLine(output: vscode.LogOutputChannel, line: string): void {
  const found = /^\S+ \S+ (DEBUG|INFO|WARNING|ERROR|CRITICAL) (.*)$/.exec(line);
  const text = found?.[2] ?? line;
  switch (found?.[1]) {
    case "DEBUG":
      return output.debug(text);
    case "WARNING":
      return output.warn(text);
    case "ERROR":
    case "CRITICAL":
      return output.error(text);
    default:
      return output.info(text);
  }
}
