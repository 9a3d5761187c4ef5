// The protocol trace: a channel of its own, switched by `nxlsp.trace.server` alone.
//
// The language client writes a trace only while its channel's own level is `Trace`, which is set
// somewhere else than our settings. This channel says that it is, and is a plain one.

import * as vscode from "vscode";

/** A log channel over a plain one, whose level is always `Trace`. */
export function traceChannel(name: string): vscode.LogOutputChannel {
  const plain = vscode.window.createOutputChannel(name);
  const never = new vscode.EventEmitter<vscode.LogLevel>();
  const write = (message: unknown, ...more: unknown[]): void =>
    plain.appendLine([new Date().toISOString(), message, ...more].map(String).join(" "));
  return {
    name,
    logLevel: vscode.LogLevel.Trace,
    onDidChangeLogLevel: never.event,
    trace: write,
    debug: write,
    info: write,
    warn: write,
    error: write,
    append: (text) => plain.append(text),
    appendLine: (text) => plain.appendLine(text),
    replace: (text) => plain.replace(text),
    clear: () => plain.clear(),
    // The older form names a column first, which channels have not had for long.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    show: (...args: unknown[]) => plain.show(args.includes(true)),
    hide: () => plain.hide(),
    dispose: () => {
      never.dispose();
      plain.dispose();
    },
  };
}
