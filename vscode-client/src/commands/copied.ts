// What is said after a copy: how large it is, and what had to be changed (editor-experience 10).

import type { ToolSchema } from "../protocol.ts";
import { count } from "../statusText.ts";

/** One line for a notice, and a Markdown page of the changes if there are any. */
export function copiedMessage(found: ToolSchema, what: string): { message: string; detail?: string } {
  const size = `about ${count(found.size.tokensEstimate, "token")}, estimated`;
  const stale = found.stale ? " The source is broken: this is the last good schema." : "";
  const copied = `NX: copied ${what === "MCP" ? "the MCP copy" : what.toLowerCase()} of ${found.toolName} (${size}).`;
  if (found.notes.length === 0) return { message: copied + stale };
  const lossy = found.notes.filter((note) => note.lossy).length;
  const warning = lossy > 0 ? ` With ${lossy} of them the host must still check against the contract schema.` : "";
  const rows = found.notes.map(
    ({ pointer, message, lossy }) => `- \`${pointer || "(root)"}\`: ${message}${lossy ? " **Admits more than the contract.**" : ""}`,
  );
  return {
    message: `${copied} ${count(found.notes.length, "change")} had to be made.${warning}${stale}`,
    detail: [`# ${what} copy of \`${found.toolName}\``, "", "What differs from the contract:", "", ...rows, ""].join("\n"),
  };
}
