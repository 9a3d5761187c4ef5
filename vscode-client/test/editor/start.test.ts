// What is seen when there is no usable Python, and the way out.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Bench } from "./bench.ts";

let bench: Bench;

before(async () => {
  bench = await Bench.start({ settings: { "nxlsp.python.path": "~/no/such/python" } });
});
after(() => bench.stop());

test("an interpreter that is not there is named, with a next step", async () => {
  // Before anything else is pressed: Escape would put the notice away.
  const notice = bench.notice("~/no/such/python").first();
  await notice.waitFor();
  const text = await notice.innerText();
  assert.match(text, /nxlsp\.python\.path.*cannot be used: there is no such program.*Python 3\.10 or newer/s);
  await bench.status().filter({ hasText: "Restart" }).waitFor();
  await bench.shot("30-no-interpreter");
  await notice.getByRole("button", { name: "Select Interpreter…" }).click();
  await bench.choices.filter({ hasText: "Find by itself" }).first().waitFor();
  await bench.shot("31-select-interpreter");
});

test("another interpreter starts the server", async () => {
  await bench.choices.filter({ hasText: "Find by itself" }).first().click();
  await bench.open("money.nx");
  await bench.status().filter({ hasText: "9 tools" }).waitFor();
  assert.equal(bench.serverProcesses().length, 1);
});
