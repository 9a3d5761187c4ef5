// Beside the official extension: nothing twice, and a way to have everything.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { Bench } from "./bench.ts";

let bench: Bench;
const place = mkdtempSync(path.join(tmpdir(), "nx-lsp-other-"));

/** A package with the official extension's name that contributes the language and nothing else. */
function otherExtension(): string {
  const language = { id: "nx", extensions: [".nx"], aliases: ["NX"] };
  const manifest = {
    name: "nx-language", publisher: "nx-lang", version: "0.0.1", license: "MIT",
    engines: { vscode: "^1.91.0" }, contributes: { languages: [language] },
  };
  writeFileSync(path.join(place, "package.json"), JSON.stringify(manifest));
  writeFileSync(path.join(place, "README.md"), "# Stands in for the official extension\n");
  writeFileSync(path.join(place, "LICENSE"), "MIT\n");
  const vsce = path.join(path.dirname(createRequire(import.meta.url).resolve("@vscode/vsce/package.json")), "vsce");
  const args = [vsce, "package", "--no-dependencies", "--allow-missing-repository", "--out", "other.vsix"];
  execFileSync(process.execPath, args, { cwd: place, stdio: "pipe" });
  return path.join(place, "other.vsix");
}

before(async () => {
  const folder = path.join(place, "program");
  mkdirSync(folder);
  // One error of the language, one of a schema.
  const source = "abstract type Shape = { name:string }\n\nlet draw(shape:Shape): int = { shape.name }\n";
  writeFileSync(path.join(folder, "draw.nx"), source);
  bench = await Bench.start({ folders: { program: folder }, packages: [otherExtension()] });
});
after(async () => {
  await bench.stop();
  rmSync(place, { recursive: true });
});

test("the notice says what is left to the other, and only problems of schemas are shown", async () => {
  // Before anything else is pressed: Escape would put the notice away.
  await bench.notice("official NX extension").first().waitFor();
  await bench.command("Problems: Focus on Problems View");
  const rows = bench.page.locator(".markers-panel .monaco-list-row");
  await rows.filter({ hasText: "schema-inexpressible-type" }).first().waitFor();
  assert.equal(await rows.filter({ hasText: "return-type-mismatch" }).count(), 0);
  await bench.shot("40-beside-the-official-extension");
});

test("full mode brings the language's own problems, too", async () => {
  await bench.command("Notifications: Show Notifications");
  await bench.page.getByRole("button", { name: "Use Full Mode" }).last().click();
  const rows = bench.page.locator(".markers-panel .monaco-list-row");
  await rows.filter({ hasText: "return-type-mismatch" }).first().waitFor();
  await rows.filter({ hasText: "schema-inexpressible-type" }).first().waitFor();
  assert.equal(bench.serverProcesses().length, 1);
});
