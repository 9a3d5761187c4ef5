import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, partsOf, viewFor, type Address } from "../../src/panel/address.ts";
import { lenses, type Shown } from "../../src/panel/lensTitles.ts";

const tool: Address = {
  kind: "tool",
  module: "travel/search.nx",
  name: "searchFlights",
  view: "mcp",
  project: "file:///home/ada/my%20desk/caf%C3%A9?x&y=1",
};
const shown: Shown = { state: "live", problems: 0, pinned: false };
const title = (change: Partial<Shown>, address = tool): string => {
  const text = lenses(address, { ...shown, ...change })[0]?.title ?? "";
  return text.replace(/\$\([^)]*\)\s*/g, "");
};

for (const address of [
  tool,
  { ...tool, view: "answer", module: "@nx/agent/agent.nx" },
  { ...tool, kind: "type", view: "input", name: "Page" },
  { ...tool, name: "garden.date-sign", module: "a b/ü#?.nx" },
] as Address[]) {
  test(`${address.name} keeps its address`, () => assert.deepEqual(addressOf(partsOf(address)), address));
}

test("the path is the module and the name", () => {
  assert.equal(partsOf(tool).path, "/travel/search.nx/searchFlights.json");
});

for (const [path, query] of [
  ["/a.nx/f.json", "view=answer"],
  ["/a.nx/f.json", "view=nonsense&project=x"],
  ["/a.nx/T.json", "view=mcp&project=x&kind=type"],
  ["/f.json", "view=answer&project=x"],
  ["/a.nx/f.txt", "view=answer&project=x"],
] as const) {
  test(`no address: ${path}?${query}`, () => assert.equal(addressOf({ path, query }), undefined));
}

test("a panel keeps its view where the next declaration has it", () => {
  assert.equal(viewFor("tool", "mcp", "answer"), "mcp");
  assert.equal(viewFor("type", "mcp", "answer"), "output");
  assert.equal(viewFor("type", "input", "answer"), "input");
  assert.equal(viewFor("tool", undefined, "output"), "output");
});

test("the first lens says how current the text is", () => {
  assert.equal(title({}), "live");
  assert.equal(title({ state: "waiting" }), "waiting");
  assert.equal(title({ state: "lastGood", problems: 3 }), "last good, 3 problems in source");
  assert.equal(title({ state: "lastGood", problems: 1 }), "last good, 1 problem in source");
  assert.equal(title({ state: "gone" }), "declaration is gone");
  assert.equal(title({ instead: "no input schema" }), "live, no input schema");
});

test("the number of lenses depends on the kind of the document only", () => {
  const states = ["live", "waiting", "lastGood", "gone", "noServer"] as const;
  const counts = (address: Address): number[] =>
    states.flatMap((state) => [true, false].map((pinned) => lenses(address, { ...shown, state, pinned }).length));
  assert.equal(new Set(counts(tool)).size, 1);
  assert.equal(new Set(counts({ ...tool, kind: "type", view: "input" })).size, 1);
});

test("the view that is shown is marked", () => {
  const marked = lenses(tool, shown).filter((one) => one.title.includes("$(check)"));
  assert.deepEqual(marked.map((one) => one.action), ["mcp"]);
});
