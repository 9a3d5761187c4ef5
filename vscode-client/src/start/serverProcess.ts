// The server's process: started without a shell, its last words kept.

import { spawn, type ChildProcess } from "node:child_process";
import { howEnded } from "./failures.ts";

const LINES_KEPT = 30;

export interface ServerCommand {
  command: string;
  args: readonly string[];
  /** Folder to start in; never the workspace, so that nothing in it is found before the real thing. */
  cwd: string;
}

export class ServerProcess {
  readonly process: ChildProcess;
  readonly command: ServerCommand;
  /** The last lines of the standard error output. */
  readonly lastWords: string[] = [];
  /** How it ended, once it has. */
  ended: string | undefined;
  /** Settled when the process has ended and everything it said has been read. */
  readonly over: Promise<void>;

  /** Start `command`; `say` gets every line of its standard error output. */
  constructor(command: ServerCommand, say: (line: string) => void) {
    this.command = command;
    const child = spawn(command.command, [...command.args], {
      cwd: command.cwd,
      stdio: "pipe",
      windowsHide: true,
    });
    this.process = child;
    let rest = "";
    const take = (line: string): void => {
      this.lastWords.push(line);
      if (this.lastWords.length > LINES_KEPT) this.lastWords.shift();
      say(line);
    };
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split(/\r?\n/);
      rest = lines.pop() ?? "";
      lines.forEach(take);
    });
    // A pipe to a process that has gone is no news: its end is reported by `over`.
    child.stdin.on("error", () => undefined);
    this.over = new Promise((resolve) => {
      child.once("error", (error: NodeJS.ErrnoException) => {
        const reason = error.code === "ENOENT" ? "there is no such program" : error.message;
        this.ended ??= `could not be started: ${reason}`;
        resolve();
      });
      child.once("close", (code, signal) => {
        if (rest) take(rest);
        this.ended ??= howEnded(code, signal);
        resolve();
      });
    });
  }
}
