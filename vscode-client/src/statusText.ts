// What the status item says (editor-experience 14). Nothing here knows VS Code.

import type { ServerStatus } from "./protocol.ts";

export type Phase =
  | { kind: "off" }
  | { kind: "starting" }
  | { kind: "running"; server?: ServerStatus }
  | { kind: "stopped"; why: string };

export interface StatusText {
  text: string;
  tooltip: string;
  look: "plain" | "warning" | "error";
}

/** Text, tooltip and look for a phase of the session. */
export function statusText(phase: Phase): StatusText {
  switch (phase.kind) {
    case "off":
      return { text: "NX: off", tooltip: "NX is switched off by `nxlsp.enable`.", look: "plain" };
    case "starting":
      return { text: "$(loading~spin) NX", tooltip: "The NX server is starting.", look: "plain" };
    case "stopped":
      return {
        text: "$(error) NX: Restart",
        tooltip: `${phase.why}\n\nClick to start the server again.`,
        look: "error",
      };
    case "running":
      return running(phase.server);
  }
}

function running(server: ServerStatus | undefined): StatusText {
  if (!server) return { text: "NX", tooltip: "The NX server is running.", look: "plain" };
  const tools = count(server.tools, "tool");
  const said = server.message ? [server.message] : [];
  if (!server.quiescent) {
    const tooltip = [...said, "NX is reading and checking the workspace."].join("\n\n");
    return { text: "$(loading~spin) NX", tooltip, look: "plain" };
  }
  const shown = server.tools > 0 ? `NX: ${tools}` : "NX";
  if (server.health === "ok") {
    const problems = server.problems > 0 ? count(server.problems, "problem") : "no problems";
    return { text: shown, tooltip: [...said, `${tools} offered to agents, ${problems}.`].join("\n\n"), look: "plain" };
  }
  const text = `$(warning) NX: ${server.message ?? tools}`;
  return { text, tooltip: server.message ?? "The NX server has a problem.", look: server.health };
}

/** `1 tool`, `2 tools`. */
export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}
