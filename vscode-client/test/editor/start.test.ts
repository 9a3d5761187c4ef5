// What is seen when there is no usable Python, and the way out.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Bench } from "./bench.ts";

let bench: Bench;

before(async () => {
  bench = await Bench.start({ machine: { "nxlsp.python.path": "~/no/such/python" } });
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

test("a server that ends before it answers is named, with what it said last", async () => {
  const words = "import sys; sys.stderr.write('no such library\\n'); sys.exit(9)";
  bench.set({ "nxlsp.server.command": [process.env.NX_LSP_PYTHON, "-c", words] });
  const notice = bench.notice("did not start").first();
  await notice.waitFor();
  assert.match(await notice.innerText(), /ended with exit code 9 \(no such library\)/);
  await notice.getByRole("button", { name: "Show Output" }).waitFor();
  await bench.shot("32-did-not-start");
  bench.set({ "nxlsp.server.command": [] });
  await bench.status().filter({ hasText: "9 tools" }).waitFor();
});

test("a server that ends again and again is left alone, until a person restarts it", async () => {
  const killed = new Set<number>();
  await bench.until("the end of the restarts", async () => {
    for (const id of bench.serverProcesses()) {
      // One that has not answered yet counts as one that did not start.
      const ready = await bench.status().filter({ hasText: "9 tools" }).isVisible();
      if (ready && !killed.has(id)) {
        killed.add(id);
        process.kill(id, "SIGKILL");
        await bench.status().filter({ hasNotText: "9 tools" }).waitFor();
      }
    }
    return await bench.notice("is not started again").first().isVisible();
  });
  assert.equal(killed.size, 5);
  await bench.shot("33-ended-too-often");
  await bench.notice("is not started again").first().getByRole("button", { name: "Restart" }).click();
  await bench.status().filter({ hasText: "9 tools" }).waitFor();
});
