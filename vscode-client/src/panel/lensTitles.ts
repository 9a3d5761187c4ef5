// The line above a document of the panel (editor-experience 9). Nothing here knows VS Code.

import { count } from "../statusText.ts";
import { TOOL_VIEWS, TYPE_VIEWS, type Address, type View } from "./address.ts";

export type State =
  /** The newest text is shown. */
  | "live"
  /** The newest text was asked for and is not there yet. */
  | "waiting"
  /** The source is broken: this is the answer for the last text that was not. */
  | "lastGood"
  /** The function or type is not there any more. */
  | "gone"
  /** No server is running. */
  | "noServer";

export interface Shown {
  state: State;
  /** Errors in the source. */
  problems: number;
  pinned: boolean;
  /** Why the view that was chosen is not shown, but the whole answer. */
  instead?: string | undefined;
}

export type LensAction = "state" | View | "copy" | "pin" | "source";

export interface Lens {
  title: string;
  tooltip: string;
  action: LensAction;
}

const VIEW_TITLES: Record<View, [string, string]> = {
  answer: ["answer", "The whole answer: name, both schemas, problems"],
  input: ["input", "The schema of the arguments"],
  output: ["output", "The schema of the result"],
  mcp: ["MCP", "The tool as an MCP server lists it"],
};

/** The lenses above the first line, in their order. Their number depends on the kind only. */
export function lenses(address: Address, shown: Shown): Lens[] {
  const views: readonly View[] = address.kind === "type" ? TYPE_VIEWS : TOOL_VIEWS;
  return [
    { ...stateLens(shown), action: "state" },
    ...views.map((view): Lens => {
      const [title, tooltip] = VIEW_TITLES[view];
      return { title: view === address.view ? `$(check)\u00a0${title}` : title, tooltip, action: view };
    }),
    { title: "Copy", tooltip: "Copy this text", action: "copy" },
    shown.pinned
      ? { title: "Unpin", tooltip: "Let this panel follow the cursor again", action: "pin" }
      : { title: "Pin", tooltip: "Keep this schema while the cursor moves on", action: "pin" },
    { title: "Source", tooltip: "Go to the declaration", action: "source" },
  ];
}

function stateLens({ state, problems, instead }: Shown): { title: string; tooltip: string } {
  const inSource = `${count(problems, "problem")} in source`;
  switch (state) {
    case "live":
      if (instead) return { title: `$(warning)\u00a0live, ${instead}`, tooltip: "See `diagnostics` below" };
      return { title: "$(circle-filled)\u00a0live", tooltip: "Redrawn as you type" };
    case "waiting":
      return { title: "$(sync~spin)\u00a0waiting", tooltip: "The newest text is being read" };
    case "lastGood":
      return {
        title: problems > 0 ? `$(history)\u00a0last good, ${inSource}` : "$(history)\u00a0last good",
        tooltip: "The source is broken; this is the schema from before. Click for the first problem.",
      };
    case "gone":
      return { title: "$(circle-slash)\u00a0declaration is gone", tooltip: "What is shown was its last schema" };
    case "noServer":
      return { title: "$(debug-disconnect)\u00a0no server", tooltip: "Click for the status of the server" };
  }
}
