// Why there is no server, in words, and what can be done about it (editor-experience 14).

import { OLDEST_TEXT, type Tried } from "./interpreter.ts";

export type Step = "selectInterpreter" | "openSettings" | "learnMore" | "restart" | "showOutput" | "report";

export interface Failure {
  /** One or two sentences; names the thing. */
  message: string;
  /** What the notice offers, the most useful first. */
  steps: readonly Step[];
}

export const STEP_TITLES: Record<Step, string> = {
  selectInterpreter: "Select Interpreter…",
  openSettings: "Open Settings",
  learnMore: "Learn More",
  restart: "Restart",
  showOutput: "Show Output",
  report: "Report…",
};

/** The interpreter that the setting names cannot be used. */
export function unusableSetting(setting: string, tried: Tried): Failure {
  return {
    message:
      `NX: the Python interpreter of the setting \`nxlsp.python.path\`, \`${setting}\`, cannot be used: ` +
      `${whyNot(tried)}. The server needs Python ${OLDEST_TEXT} or newer.`,
    steps: ["selectInterpreter", "openSettings", "learnMore"],
  };
}

/** No interpreter was found anywhere. */
export function noInterpreter(tried: readonly Tried[]): Failure {
  const known = tried.filter(({ probe }) => probe.kind !== "missing");
  const found = known.map((one) => `\`${one.candidate.command}\`: ${whyNot(one)}`).join("; ");
  return {
    message:
      `NX: the language server needs Python ${OLDEST_TEXT} or newer, and none was found` +
      (found ? ` (${found}).` : "."),
    steps: ["selectInterpreter", "learnMore"],
  };
}

function whyNot({ probe }: Tried): string {
  switch (probe.kind) {
    case "missing":
      return "there is no such program";
    case "tooOld":
      return `it is Python ${probe.version}`;
    case "unusable":
      return probe.reason;
    case "usable":
      return "it was not tried";
  }
}

/** The setting `nxlsp.server.command` is no command. */
export function badServerCommand(problem: string): Failure {
  return {
    message: `NX: the setting \`nxlsp.server.command\` cannot be used: ${problem}.`,
    steps: ["openSettings", "showOutput"],
  };
}

/** The process could not be started, or ended before it had answered. */
export function endedAtStart(command: string, how: string, lastWords: readonly string[]): Failure {
  const said = lastWords.filter((line) => line.trim()).at(-1);
  return {
    message: `NX: the language server did not start: \`${command}\` ${how}${said ? ` (${said.trim()})` : ""}.`,
    steps: ["showOutput", "restart", "selectInterpreter"],
  };
}

/** It ended too often to be started once more. */
export function endedTooOften(times: number, minutes: number, how: string): Failure {
  return {
    message:
      `NX: the language server ended ${times} times within ${minutes} minutes and is not started again ` +
      `by itself. The last time it ${how}.`,
    steps: ["restart", "showOutput", "report"],
  };
}

/** How a process ended, to follow "it". */
export function howEnded(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal) return `was ended by ${signal}`;
  return `ended with exit code ${code ?? "unknown"}`;
}
