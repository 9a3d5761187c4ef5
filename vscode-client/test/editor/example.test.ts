// The agent example in the real editor, from the squiggles to the copy for MCP.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, afterEach, before, test } from "node:test";
import { Bench, plain } from "./bench.ts";
import { ask } from "./oneShotServer.ts";

let bench: Bench;
const SEARCH = "agent/travel/search.nx";
const PANEL = "search.nx/searchFlights.json";
const STAYS = "search.nx/searchStays.json";

before(async () => {
  bench = await Bench.start();
});
after(() => bench.stop());
afterEach(async () => {
  await bench.page.keyboard.press("Escape");
});

const source = (): Promise<void> => bench.command("View: Focus First Editor Group");
const live = (panel: string): Promise<void> => bench.lenses(panel).filter({ hasText: "live" }).first().waitFor();

test("both schema problems have squiggles and rows in the list of problems", async () => {
  await bench.open("drafts.nx");
  await bench.page.locator('.monaco-editor[data-uri$="drafts.nx"] .squiggly-warning').first().waitFor();
  await bench.command("Problems: Focus on Problems View");
  const rows = bench.page.locator(".markers-panel .monaco-list-row");
  for (const code of ["schema-inexpressible-type", "schema-ambiguous-discriminator"]) {
    const row = rows.filter({ hasText: code }).first();
    await row.waitFor();
    assert.match(await row.innerText(), /nx-schema/);
  }
  await bench.shot("1-problems");
  await bench.command("View: Hide Panel");
  // At both ends: the member, and the parameter that reaches it.
  await bench.gotoText("agent/drafts.nx", "write:<function");
  await bench.until("two squiggles in view", async () => {
    const seen = bench.page.locator('.monaco-editor[data-uri$="drafts.nx"] .squiggly-warning');
    return (await seen.count()) >= 2;
  });
  await bench.shot("2-squiggles");
});

test("the hover on a function shows both schemas", async () => {
  await bench.open("search.nx");
  await bench.gotoText(SEARCH, "searchFlights(", 3);
  const hover = bench.page.locator(".monaco-hover:visible", { hasText: "Input schema" }).first();
  await bench.pressUntil(["Control+K", "Control+I"], hover);
  const text = plain(await hover.innerText());
  assert.match(text, /Tool search_flights · 5 arguments, 3 optional · traveller is filled in by the host/);
  assert.match(text, /Input schema[\s\S]*"origin"[\s\S]*Output schema[\s\S]*"items"/);
  const heading = hover.getByText("Input schema").first();
  await heading.scrollIntoViewIfNeeded();
  await bench.shot("3-hover");
});

test("the panel opens beside the source, in full, and the source keeps the cursor", async () => {
  await bench.gotoText(SEARCH, "searchFlights(", 3);
  await bench.command("NX: Show Tool Schema");
  await bench.until("panel text", async () => (await bench.text(PANEL)).includes('"name": "searchFlights"'));
  await live(PANEL);
  await bench.shot("4-panel");
  await bench.page.locator('.editor-group-container.active .tab.active[data-resource-name="search.nx"]').waitFor();
  const titles = plain((await bench.lenses(PANEL).allInnerTexts()).join("|"));
  assert.match(titles, /live\|.*answer\|input\|output\|MCP\|.*Copy\|.*Pin\|.*Source/);
});

test("an edit is seen in the panel at once", async () => {
  await bench.gotoText(SEARCH, "Finds flights between two airports.", 35);
  await bench.page.keyboard.type(" Nonstop first.");
  await bench.until("the new description", async () => (await bench.text(PANEL)).includes("airports. Nonstop first."));
  await live(PANEL);
  await bench.shot("5-panel-followed-edit");
});

test("broken source keeps the last good schema, marked, and a repair brings it back", async () => {
  await bench.gotoText(SEARCH, "origin:Airport", 7);
  await bench.page.keyboard.type("::");
  const mark = bench.lenses(PANEL).filter({ hasText: /last good, \d+ problem/ }).first();
  await mark.waitFor();
  assert.ok((await bench.text(PANEL)).includes('"name": "origin"'));
  await bench.shot("6-panel-last-good");
  await bench.page.keyboard.press("Backspace");
  await bench.page.keyboard.press("Backspace");
  await live(PANEL);
  assert.equal(await mark.count(), 0);
});

test("the panel follows the cursor, unless it is pinned", async () => {
  await bench.gotoText(SEARCH, "searchStays(", 3);
  await bench.until("the other function", async () => (await bench.text(STAYS)).includes('"name": "searchStays"'));
  assert.equal(await bench.tab("searchFlights.json").count(), 0);
  await bench.lenses(STAYS).filter({ hasText: "Pin" }).first().click();
  await bench.lenses(STAYS).filter({ hasText: "Unpin" }).first().waitFor();
  await source();
  await bench.gotoText(SEARCH, "findFlight(", 3);
  await bench.command("NX: Show Tool Schema");
  await bench.tab("findFlight.json").waitFor();
  assert.equal(await bench.tab("searchStays.json").count(), 1);
  await live("search.nx/findFlight.json");
  await bench.shot("7-pinned");
});

test("views: the input schema alone, and the tool as an MCP server lists it", async () => {
  const found = "search.nx/findFlight.json";
  await bench.lenses(found).filter({ hasText: "input" }).first().click();
  await bench.until("the input schema", async () => {
    const text = await bench.text(found);
    return text.includes('"id"') && !text.includes('"outputSchema"');
  });
  await bench.lenses(found).filter({ hasText: "MCP" }).first().click();
  await bench.until("the MCP copy", async () => (await bench.text(found)).includes('"name": "find_flight"'));
  await bench.shot("8-panel-mcp");
});

test("a reload of the window brings the panel back, pinned and following", async () => {
  await bench.command("File: Save All");
  await bench.page.reload();
  await bench.page.locator(".explorer-folders-view [role=treeitem]").first().waitFor();
  await bench.tab("searchStays.json").waitFor();
  await bench.tab("findFlight.json").waitFor();
  // In the group that it had: no third one.
  assert.equal(await bench.page.locator(".editor-group-container").count(), 2);
  await bench.tab("findFlight.json").click();
  await bench.page.mouse.move(5, 5);
  const found = "search.nx/findFlight.json";
  await bench.until("the schema again", async () => (await bench.text(found)).includes('"name": "find_flight"'));
  await live(found);
  await bench.shot("9-after-reload");
  await bench.command("View: Close All Editors in Group");
});

test("a copy for MCP is what the server answers", async () => {
  await source();
  await bench.open("search.nx");
  await bench.gotoText(SEARCH, "searchStays(", 3);
  await bench.command("NX: Copy Tool Schema As…");
  await bench.choices.filter({ hasText: "MCP" }).first().waitFor();
  await bench.shot("10-copy-as");
  await bench.choices.filter({ hasText: "MCP" }).first().click();
  await bench.notice(/copied the MCP copy of search_stays/).first().waitFor();
  await bench.shot("11-copied");
  const target = { module: "travel/search.nx", name: "searchStays" };
  const answer = (await ask(path.join(bench.root, "agent"), "nxlsp/toolSchema", { target, view: "mcp" })) as { document: string };
  assert.equal(await bench.clipboard(), answer.document);
});

test("Go to Tool lists what agents offer, and goes there", async () => {
  await bench.command("NX: Go to Tool…");
  await bench.choices.filter({ hasText: "planTrip" }).first().waitFor();
  await bench.shot("12-go-to-tool");
  await bench.choices.filter({ hasText: "planTrip" }).first().click();
  await bench.page.locator('.tab.active[data-resource-name="booking.nx"]').waitFor();
});

test("a type has its schema too, in both directions", async () => {
  await bench.gotoText("agent/travel/booking.nx", "type PricedOffer", 7);
  await bench.command("NX: Show Type Schema");
  const panel = "booking.nx/PricedOffer.json";
  await bench.until("the type's schema", async () => (await bench.text(panel)).includes('"PricedOffer"'));
  await live(panel);
  await bench.shot("13-type-schema");
  await bench.lenses(panel).filter({ hasText: "input" }).first().click();
  await bench.lenses(panel).filter({ hasText: "input" }).first().waitFor();
});

test("an export holds every function, as the editor has it", async () => {
  await bench.command("NX: Export Tool Schemas…");
  await bench.until("the dialog for the file", async () => (await bench.input.inputValue()).endsWith("tool-schemas.json"));
  await bench.shot("16-export");
  await bench.page.keyboard.press("Enter");
  await bench.notice(/the schemas of \d+ functions are in tool-schemas\.json/).first().waitFor();
  const text = readFileSync(path.join(bench.root, "agent", "tool-schemas.json"), "utf8");
  const { functions } = JSON.parse(text) as { functions: { name: string; description?: string }[] };
  const flights = functions.find(({ name }) => name === "searchFlights");
  assert.match(flights?.description ?? "", /airports\. Nonstop first\./);
});

test("a killed server comes back, with hover and status", async () => {
  const before = bench.serverProcesses();
  assert.equal(before.length, 1);
  process.kill(before[0]!, "SIGKILL");
  await bench.until("another server", async () => {
    const now = bench.serverProcesses();
    return Promise.resolve(now.length === 1 && now[0] !== before[0]);
  });
  await bench.status().filter({ hasText: "9 tools" }).waitFor();
  await source();
  await bench.open("search.nx");
  await bench.gotoText(SEARCH, "searchStays(", 3);
  await bench.pressUntil(["Control+K", "Control+I"], bench.page.locator(".monaco-hover:visible", { hasText: "Input schema" }).first());
});

test("the status says what is running, and the menu leads there", async () => {
  await bench.status().click();
  await bench.choices.filter({ hasText: "Show Server Status" }).first().waitFor();
  await bench.shot("14-status-menu");
  await bench.choices.filter({ hasText: "Show Server Status" }).first().click();
  await bench.webview().getByText("8 modules, 9 tools").waitFor();
  await bench.shot("15-status");
});
