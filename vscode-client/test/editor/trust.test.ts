// A workspace that is not trusted: everything works, but its settings choose no program.

import assert from "node:assert/strict";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { Bench } from "./bench.ts";
import { EXAMPLE } from "./server.ts";

let bench: Bench;
const place = mkdtempSync(path.join(tmpdir(), "nx-lsp-trust-"));
const mark = path.join(place, "was-run");

before(async () => {
  const folder = path.join(place, "program");
  cpSync(EXAMPLE, folder, { recursive: true });
  mkdirSync(path.join(folder, ".vscode"));
  const program = path.join(place, "program.sh");
  writeFileSync(program, `#!/bin/sh\ntouch '${mark}'\n`);
  chmodSync(program, 0o755);
  const settings = { "nxlsp.python.path": program, "nxlsp.server.command": [program] };
  writeFileSync(path.join(folder, ".vscode", "settings.json"), JSON.stringify(settings));
  bench = await Bench.start({
    folders: { program: folder },
    asksForTrust: true,
    settings: {
      "security.workspace.trust.enabled": true,
      "security.workspace.trust.startupPrompt": "never",
      "security.workspace.trust.banner": "never",
    },
  });
});
after(async () => {
  await bench.stop();
  rmSync(place, { recursive: true });
});

test("the server runs, with the user's interpreter, and the workspace's program does not", async () => {
  await bench.open("money.nx");
  await bench.status().filter({ hasText: "9 tools" }).waitFor();
  await bench.page.getByText("Restricted Mode").first().waitFor();
  assert.equal(bench.serverProcesses().length, 1);
  assert.equal(existsSync(mark), false);
  await bench.shot("50-not-trusted");
});

test("trusted, the workspace's interpreter counts", async () => {
  await bench.command("Workspaces: Manage Workspace Trust");
  await bench.page.getByRole("button", { name: "Trust", exact: true }).first().click();
  // The program is no interpreter: what it did and the notice both show that it was asked.
  await bench.notice("cannot be used").first().waitFor();
  assert.equal(existsSync(mark), true);
});
