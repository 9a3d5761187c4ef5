// Texts about the server: its status and an issue (editor-experience 8.1). No source text in either.

import type { ServerReport } from "./protocol.ts";
import { count } from "./statusText.ts";

export interface Versions {
  extension: string;
  editor: string;
  platform: string;
  /** The command that the server was started with. */
  server: string;
}

/** A Markdown page about a session. `why` says why there is no report of the server. */
export function statusPage(versions: Versions, report: ServerReport | undefined, why: string): string {
  const lines = ["# NX server", "", ...row("Extension", versions.extension), ...row("Editor", versions.editor)];
  lines.push(...row("Platform", versions.platform), ...row("Started as", code(versions.server)));
  if (!report) return [...lines, "", why, ""].join("\n");
  lines.push(
    ...row("Server", report.version),
    ...row("Python", report.python),
    ...row("Positions", report.encoding),
    ...row("Memory", report.memoryMB === null ? "not known on this system" : `${report.memoryMB} MB`),
    ...row("Last analysis", report.lastAnalysisMs === null ? "none yet" : `${report.lastAnalysisMs} ms`),
    ...row("Waiting in the queue", String(report.queue)),
    ...row("Lag of the loop", `${report.loopLagMs} ms`),
    ...row("Answers kept", `${report.cache.hits} used again, ${report.cache.misses} worked out`),
  );
  if (report.faults) lines.push(...row("Faults", `${report.faults}; see the output of the server`));
  for (const uri of report.outOfStep ?? []) lines.push(...row("Text may be out of step", code(uri)));
  lines.push("", "## Projects", "");
  if (report.projects.length === 0) lines.push("None: no folder and no NX document is open.");
  for (const one of report.projects) {
    const figures = [count(one.modules, "module"), count(one.tools, "tool"), count(one.problems, "problem")];
    const alone = one.partOfProgram === false ? " (not part of the program)" : "";
    lines.push(`- ${code(decoded(one.root))}${alone}: ${figures.join(", ")}`);
    if (one.skipped?.length) lines.push(`  - not read: ${one.skipped.map(code).join(", ")}`);
  }
  return [...lines, ""].join("\n");
}

/** The text of an issue; folders are left out, since their names may be private. */
export function issueText(versions: Versions, report: ServerReport | undefined): string {
  const figures = (report?.projects ?? []).map(
    (one, at) => `- project ${at + 1}: ${count(one.modules, "module")}, ${count(one.tools, "tool")}, ${count(one.problems, "problem")}`,
  );
  return [
    "## What happened",
    "",
    "",
    "## What should have happened",
    "",
    "",
    "## How to get there",
    "",
    "1. ",
    "",
    "## Versions",
    "",
    `- extension ${versions.extension}, ${versions.editor}, ${versions.platform}`,
    report
      ? `- server ${report.version}, Python ${report.python.replace(/ \(.*/, "")}, ${report.encoding}`
      : "- the server is not running",
    ...figures,
    ...(report ? [`- ${report.memoryMB ?? "?"} MB, ${report.faults ?? 0} faults`] : []),
    "",
  ].join("\n");
}

function row(name: string, value: string): string[] {
  return [`- **${name}**: ${value}`];
}

function code(text: string): string {
  return `\`${text.replaceAll("`", "'")}\``;
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri.replace(/^file:\/\//, ""));
  } catch {
    return uri;
  }
}
