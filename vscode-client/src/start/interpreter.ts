// Which Python runs the server (editor-experience 14). Nothing here knows VS Code.

import { execFile, type ExecFileException } from "node:child_process";
import { dirname } from "node:path";

export const OLDEST = [3, 10] as const;
export const OLDEST_TEXT = OLDEST.join(".");

export interface Interpreter {
  command: string;
  /** Arguments that choose the interpreter, as in `py -3`. */
  args: readonly string[];
  version: string;
  /** Where the interpreter says it is. */
  path: string;
}

export interface Candidate {
  command: string;
  args?: readonly string[];
  /** Who proposed it, for messages: "setting `nxlsp.python.path`". */
  origin: string;
}

/** What came of asking one candidate for its version. */
export type Probe =
  | { kind: "usable"; interpreter: Interpreter }
  | { kind: "tooOld"; version: string; path: string }
  | { kind: "missing" }
  | { kind: "unusable"; reason: string };

export type Prober = (candidate: Candidate) => Promise<Probe>;

export interface Tried {
  candidate: Candidate;
  probe: Probe;
}

export type Choice =
  | { kind: "found"; interpreter: Interpreter; candidate: Candidate }
  | { kind: "none"; tried: readonly Tried[] };

/** The first candidate that can run the server. */
export async function choose(candidates: readonly Candidate[], probe: Prober): Promise<Choice> {
  const tried: Tried[] = [];
  for (const candidate of candidates) {
    const found = await probe(candidate);
    if (found.kind === "usable") return { kind: "found", interpreter: found.interpreter, candidate };
    tried.push({ candidate, probe: found });
  }
  return { kind: "none", tried };
}

/** What is on the search path: the usual names, then the versions by name, newest first. */
export function onSearchPath(platform: NodeJS.Platform): Candidate[] {
  const origin = "the search path (`PATH`)";
  const plain: Candidate[] =
    platform === "win32"
      ? [
          { command: "py", args: ["-3"], origin },
          { command: "python", origin },
          { command: "python3", origin },
        ]
      : [
          { command: "python3", origin },
          { command: "python", origin },
        ];
  const named = [15, 14, 13, 12, 11, 10].map((minor) => ({ command: `python3.${minor}`, origin }));
  return platform === "win32" ? plain : [...plain, ...named];
}

// Only `sys`, which nothing can shadow; readable for Python 2 as well.
const QUESTION =
  "import sys; sys.stdout.write('nx-lsp|%d.%d.%d|%s' % (tuple(sys.version_info[:3]) + (sys.executable,)))";

/** Ask a program whether it is a Python that can run the server. Gives it `patience` milliseconds. */
export function probeInterpreter(candidate: Candidate, patience = 15_000): Promise<Probe> {
  const args = [...(candidate.args ?? []), "-E", "-S", "-c", QUESTION];
  // Some systems look into the current folder first; that must not be the workspace.
  const options = { timeout: patience, windowsHide: true, cwd: dirname(process.execPath) };
  return new Promise((resolve) => {
    execFile(candidate.command, args, options, (error, stdout, stderr) => {
      if (error) resolve(failedProbe(error, stderr));
      else resolve(readProbe(candidate, stdout));
    });
  });
}

function failedProbe(error: ExecFileException, stderr: string): Probe {
  switch (error.code) {
    case "ENOENT":
      return { kind: "missing" };
    case "EACCES":
      return { kind: "unusable", reason: "it is not a program that may be run" };
    default: {
      if (error.killed) return { kind: "unusable", reason: "it did not answer in time" };
      const last = stderr.trim().split(/\r?\n/).at(-1);
      return { kind: "unusable", reason: last || `it ended with ${String(error.code ?? "an error")}` };
    }
  }
}

/** Read the answer to the question of `probeInterpreter`. */
export function readProbe(candidate: Candidate, stdout: string): Probe {
  const answer = /^nx-lsp\|((\d+)\.(\d+)\.\d+)\|(.*)$/s.exec(stdout);
  if (!answer) return { kind: "unusable", reason: "it is not a Python interpreter" };
  const [, version = "", major, minor, path = ""] = answer;
  const numbers = [Number(major), Number(minor)] as const;
  if (numbers[0] < OLDEST[0] || (numbers[0] === OLDEST[0] && numbers[1] < OLDEST[1])) {
    return { kind: "tooOld", version, path };
  }
  const args = candidate.args ?? [];
  return { kind: "usable", interpreter: { command: candidate.command, args, version, path } };
}
