// Two folders in one window, and the quick fixes, in the real editor.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { Bench } from "./bench.ts";
import { EXAMPLE } from "./server.ts";

let bench: Bench;
const SHAPES = "fixes/shapes.nx";

before(async () => {
  bench = await Bench.start({ folders: { fixes: path.join(import.meta.dirname, "fixes"), agent: EXAMPLE } });
});
after(() => bench.stop());

/** Put the cursor on `place`, and take the action with this title. */
async function take(place: string, title: string, shot: string): Promise<void> {
  await bench.gotoText(SHAPES, place, 2);
  const item = bench.page.locator(".action-widget .monaco-list-row", { hasText: title }).first();
  await bench.pressUntil(["Control+."], item);
  await bench.shot(shot);
  await item.click();
}

/** Save the file, and wait until it has this text on disk. */
async function saved(text: string): Promise<void> {
  await bench.command("File: Save");
  const file = path.join(bench.root, SHAPES);
  await bench.until(`saved ${text}`, () => Promise.resolve(readFileSync(file, "utf8").includes(text)));
}

test("two folders are two programs, each with its own problems", async () => {
  await bench.open("shapes.nx");
  await bench.page.locator('.monaco-editor[data-uri$="shapes.nx"] .squiggly-error').first().waitFor();
  await bench.command("Problems: Focus on Problems View");
  const files = bench.page.locator(".markers-panel .monaco-list-row", { hasText: ".nx" });
  await files.filter({ hasText: "shapes.nx" }).first().waitFor();
  await files.filter({ hasText: "drafts.nx" }).first().waitFor();
  await bench.shot("20-two-folders");
  await bench.command("View: Hide Panel");
});

test("Write inferred result type", async () => {
  await take("double(", "Write inferred result type", "21-write-result-type");
  await bench.until("the annotation", async () => (await bench.text("shapes.nx")).includes("let double(n:int): int = { n * 2 }"));
  await saved("let double(n:int): int = { n * 2 }");
});

test("Add a record that extends an abstract one removes the problem", async () => {
  await take("shape:Shape", "Add a record that extends", "22-add-record");
  await bench.until("the record", async () => (await bench.text("shapes.nx")).includes("type NewShape extends Shape"));
  await bench.page.locator('.monaco-editor[data-uri$="shapes.nx"] .squiggly-error').first().waitFor({ state: "detached" });
  await bench.shot("23-record-added");
  await saved("type NewShape extends Shape = {");
});

test("the panel of one folder is not that of the other", async () => {
  await bench.gotoText(SHAPES, "draw(", 2);
  await bench.command("NX: Show Tool Schema");
  await bench.until("its schema", async () => (await bench.text("shapes.nx/draw.json")).includes('"NewShape"'));
});

test("a fence in Markdown is coloured as NX", async () => {
  await bench.open("page.md");
  const line = bench.page.locator('.monaco-editor[data-uri$="page.md"] .view-line', { hasText: "let" });
  await bench.until("several colours", async () => {
    const classes = await line.locator("span span").evaluateAll((all) => all.map((one) => one.getAttribute("class")));
    return new Set(classes).size >= 4;
  });
  await bench.shot("24-markdown");
});

test("the walkthrough opens a sample that has a tool", async () => {
  await bench.command("NX: Open a Sample");
  await bench.page.locator(".tab.active", { hasText: "Untitled-1" }).waitFor();
  const lens = bench.page.locator(".codelens-decoration a", { hasText: "2 arguments · 1 optional" });
  await lens.first().waitFor();
  await bench.status().filter({ hasText: "10 tools" }).waitFor();
  assert.equal(await bench.page.locator('.monaco-editor[data-uri^="untitled:"] .squiggly-error').count(), 0);
  await bench.shot("25-sample");
});
