// What the tests and the demonstration share about the editor: paths, settings, waiting.

import { createServer, type AddressInfo } from "node:net";
import path from "node:path";

const CLIENT = path.join(import.meta.dirname, "..", "..");
export const VSIX = path.join(CLIENT, "nx-lsp.vsix");
export const EXAMPLE = path.join(CLIENT, "..", "examples", "agent");
export const EXAMPLES = path.join(CLIENT, "..", "examples");
export const SHOTS = process.env.NX_LSP_SHOTS ?? path.join(CLIENT, "test-results");
/** Milliseconds until a state counts as missed; a slow machine needs many. */
export const LONG = 60_000;

export const QUIET_SETTINGS = {
  "workbench.startupEditor": "none",
  "telemetry.telemetryLevel": "off",
  "security.workspace.trust.enabled": false,
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "chat.disableAIFeatures": true,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.tips.enabled": false,
  "git.enabled": false,
  "editor.minimap.enabled": false,
  "files.autoSave": "off",
  "window.commandCenter": false,
  "workbench.layoutControl.enabled": false,
  "workbench.colorTheme": "Default Light Modern",
};

/** Look until something is there. */
export async function until<T>(what: string, look: () => Promise<T | false | undefined>): Promise<T> {
  for (const end = Date.now() + LONG; ; ) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
