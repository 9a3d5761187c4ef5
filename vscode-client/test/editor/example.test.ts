// The agent example in the real editor, from the squiggles to the copy for MCP.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Bench } from "./bench.ts";

let bench: Bench;
const SEARCH = "agent/travel/search.nx";
const PANEL = "search.nx/searchFlights.json";

before(async () => {
  bench = await Bench.start();
});
after(() => bench.stop());

test("both schema problems have squiggles and rows", async () => {
  await bench.open("drafts.nx");
  const editor = bench.page.locator('.monaco-editor[data-uri$="drafts.nx"]');
  await editor.locator(".squiggly-warning").first().waitFor();
  await bench.command("Problems: Focus on Problems View");
  const rows = bench.page.locator(".markers-panel .monaco-list-row");
  for (const code of ["schema-inexpressible-type", "schema-ambiguous-discriminator"]) {
    await rows.filter({ hasText: code }).first().waitFor();
    assert.match(await rows.filter({ hasText: code }).first().innerText(), /nx-schema/);
  }
  await bench.shot("problems");
  await bench.command("View: Hide Panel");
});

test("the hover shows both schemas", async () => {
  await bench.open("search.nx");
  await bench.gotoText(SEARCH, "searchFlights(", 3);
  const hover = bench.page.locator(".monaco-hover:visible", { hasText: "Input schema" }).first();
  await bench.pressUntil(["Control+K", "Control+I"], hover);
  const text = await hover.innerText();
  assert.match(text, /Tool search_flights/);
  assert.match(text, /Input schema[\s\S]*"origin"[\s\S]*Output schema/);
  await bench.shot("hover");
  await bench.page.keyboard.press("Escape");
});

test("the panel opens beside the source and follows an edit", async () => {
  await bench.gotoText(SEARCH, "searchFlights(", 3);
  await bench.command("NX: Show Tool Schema");
  await bench.until("panel text", async () => (await bench.text(PANEL)).includes('"searchFlights"'));
  await bench.lenses(PANEL).filter({ hasText: "live" }).first().waitFor();
  await bench.shot("panel");
});
