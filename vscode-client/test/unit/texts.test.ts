import assert from "node:assert/strict";
import { test } from "node:test";
import { BESIDE_ANOTHER, features } from "../../src/coexistence.ts";
import { copiedMessage } from "../../src/commands/copied.ts";
import { pickEntries } from "../../src/commands/pickEntries.ts";
import { refusalCode, type ServerReport, type Tool, type ToolSchema } from "../../src/protocol.ts";
import { issueText, statusPage } from "../../src/report.ts";
import { statusText } from "../../src/statusText.ts";

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
const tool = (name: string, offeredBy: string[], more: Partial<Tool> = {}): Tool => ({
  module: "a.nx", name, toolName: name, uri: "file:///a.nx", range, offeredBy, problems: 0, ...more,
});

test("the status item counts tools, spins, warns, and offers a restart", () => {
  const server = { health: "ok", quiescent: true, tools: 9, problems: 0 } as const;
  assert.equal(statusText({ kind: "running", server }).text, "NX: 9 tools");
  assert.equal(statusText({ kind: "running", server: { ...server, tools: 1 } }).text, "NX: 1 tool");
  assert.equal(statusText({ kind: "running", server: { ...server, tools: 0 } }).text, "NX");
  assert.match(statusText({ kind: "running", server: { ...server, quiescent: false } }).text, /~spin/);
  const warned = statusText({ kind: "running", server: { ...server, health: "warning", message: "2 of 9 tools cannot be called" } });
  assert.deepEqual([warned.text, warned.look], ["$(warning) NX: 2 of 9 tools cannot be called", "warning"]);
  const stopped = statusText({ kind: "stopped", why: "NX: no Python." });
  assert.deepEqual([stopped.look, stopped.text.includes("Restart"), stopped.tooltip.startsWith("NX: no Python.")], ["error", true, true]);
});

test("beside the official extension only what concerns schemas is asked for", () => {
  assert.equal(features("auto", false), undefined);
  assert.equal(features("full", true), undefined);
  assert.equal(features("auto", true), BESIDE_ANOTHER);
  assert.equal(features("schemaOnly", false), BESIDE_ANOTHER);
  for (const theirs of ["diagnostics", "completion", "documentSymbol"]) {
    assert.ok(!(BESIDE_ANOTHER as readonly string[]).includes(theirs));
  }
});

test("offered tools come first, with their problems and their name on the wire", () => {
  const entries = pickEntries([
    tool("zeta", []),
    tool("beta", ["desk"], { toolName: "beta_tool", problems: 2, summary: "Does it." }),
    tool("alpha", ["desk"]),
  ]);
  assert.deepEqual(entries.map(({ label }) => label), [
    "offered to agents", "$(tools) alpha", "$(tools) beta", "other functions", "$(symbol-function) zeta",
  ]);
  const shown = [entries[2]?.description, entries[2]?.detail];
  assert.deepEqual(shown, ["beta_tool · a.nx", "$(warning) 2 problems · Does it."]);
});

test("a copy says its size, and each change that had to be made", () => {
  const found: ToolSchema = {
    module: "a.nx", name: "f", toolName: "f_tool", version: 1, stale: false, answer: {}, document: "{}",
    notes: [], size: { characters: 400, tokensEstimate: 100 },
  };
  assert.deepEqual(copiedMessage(found, "MCP"), { message: "NX: copied the MCP copy of f_tool (about 100 tokens, estimated)." });
  const note = { pointer: "/outputSchema", code: "wrapped", message: "The result is wrapped.", lossy: true };
  const changed = copiedMessage({ ...found, notes: [note], stale: true }, "MCP");
  assert.match(changed.message, /1 change had to be made\..*still check.*last good schema/);
  assert.match(changed.detail ?? "", /- `\/outputSchema`: The result is wrapped\. \*\*Admits more/);
});

const versions = { extension: "0.1.0", editor: "Code 1.99", platform: "linux x64", server: "/home/ada/python -I start.py" };
const report: ServerReport = {
  version: "0.1.0", python: "3.12.1 (/home/ada/python)", encoding: "utf-16", memoryMB: 61.5, queue: 0,
  lastAnalysisMs: 12, loopLagMs: 0.4, cache: { hits: 5, misses: 7 },
  projects: [{ root: "file:///home/ada/secret%20desk", modules: 8, tools: 9, problems: 3 }],
};

test("the status page names everything, and why there is no report", () => {
  const page = statusPage(versions, report, "");
  for (const part of ["`/home/ada/secret desk`: 8 modules, 9 tools, 3 problems", "61.5 MB", "12 ms", "3.12.1"]) {
    assert.ok(page.includes(part), part);
  }
  assert.match(statusPage(versions, undefined, "No Python."), /No Python\.\n$/);
});

test("an issue has versions and figures, and no folder of the user's", () => {
  const text = issueText(versions, report);
  assert.match(text, /Python 3\.12\.1,/);
  assert.ok(!text.includes("ada") && !text.includes("desk"));
});

test("only refusals of ours have a code", () => {
  assert.equal(refusalCode({ code: -32803, data: { code: "schema-unknown-declaration" } }), "schema-unknown-declaration");
  assert.equal(refusalCode({ code: -32601, data: { code: "x" } }), undefined);
  assert.equal(refusalCode(new Error("no")), undefined);
});
