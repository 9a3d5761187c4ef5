// The entries of the list of tools. Nothing here knows VS Code.

import type { Tool } from "../protocol.ts";
import { count } from "../statusText.ts";

export interface PickEntry {
  label: string;
  description?: string;
  detail?: string;
  /** Absent for a heading. */
  tool?: Tool;
}

/** Tools that agents offer first, then the other functions, each part by name. */
export function pickEntries(tools: readonly Tool[]): PickEntry[] {
  const sorted = [...tools].sort((one, other) => compare(one.name, other.name) || compare(one.module, other.module));
  const offered = sorted.filter((tool) => tool.offeredBy.length > 0);
  const others = sorted.filter((tool) => tool.offeredBy.length === 0);
  const headed = (label: string, part: Tool[]): PickEntry[] =>
    part.length > 0 ? [{ label }, ...part.map(entry)] : [];
  return [...headed("offered to agents", offered), ...headed("other functions", others)];
}

function entry(tool: Tool): PickEntry {
  const offered = tool.offeredBy.length > 0;
  const facts = [
    ...(tool.problems > 0 ? [`$(warning) ${count(tool.problems, "problem")}`] : []),
    ...(tool.summary ? [tool.summary] : []),
  ];
  const entry: PickEntry = {
    label: `$(${offered ? "tools" : "symbol-function"}) ${tool.name}`,
    description: offered && tool.toolName !== tool.name ? `${tool.toolName} · ${tool.module}` : tool.module,
    tool,
  };
  if (facts.length > 0) entry.detail = facts.join(" · ");
  return entry;
}

/** By code units, so that the order is the same everywhere. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
