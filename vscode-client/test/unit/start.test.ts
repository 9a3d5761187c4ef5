import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { CrashCounter, MOST_RESTARTS } from "../../src/start/crashes.ts";
import { expand } from "../../src/start/expand.ts";
import { endedAtStart, endedTooOften, noInterpreter, unusableSetting } from "../../src/start/failures.ts";
import { choose, onSearchPath, probeInterpreter, readProbe, type Probe } from "../../src/start/interpreter.ts";
import { ServerProcess } from "../../src/start/serverProcess.ts";

const folder = mkdtempSync(path.join(tmpdir(), "nx-lsp-start-"));
after(() => rmSync(folder, { recursive: true }));

function script(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}

const around = {
  home: "/home/ada",
  environment: { PYTHONS: "/opt/pythons" },
  folders: [
    { name: "desk", path: "/srv/desk" },
    { name: "shop", path: "/srv/shop" },
  ],
};

for (const [text, expected] of [
  ["~/bin/python3", "/home/ada/bin/python3"],
  ["~", "/home/ada"],
  ["~ada/python", "~ada/python"],
  ["a~/python", "a~/python"],
  ["${userHome}/p", "/home/ada/p"],
  ["${workspaceFolder}/.venv/bin/python", "/srv/desk/.venv/bin/python"],
  ["${workspaceFolder:shop}/python", "/srv/shop/python"],
  ["${workspaceFolder:none}/python", "${workspaceFolder:none}/python"],
  ["${env:PYTHONS}/3.12", "/opt/pythons/3.12"],
  ["${env:MISSING}/3.12", "/3.12"],
  ["${unknown}", "${unknown}"],
  ["  python3 ", "python3"],
] as const) {
  test(`expand ${text}`, () => assert.equal(expand(text, around), expected));
}

test("an interpreter answers with its version and place", async () => {
  const python = script("python", "echo -n 'nx-lsp|3.10.2|/opt/py/python'");
  const probe = await probeInterpreter({ command: python, origin: "test" });
  const interpreter = { command: python, args: [], version: "3.10.2", path: "/opt/py/python" };
  assert.deepEqual(probe, { kind: "usable", interpreter });
});

for (const [version, kind] of [
  ["2.7.18", "tooOld"],
  ["3.9.99", "tooOld"],
  ["3.10.0", "usable"],
  ["3.15.0", "usable"],
  ["4.0.0", "usable"],
] as const) {
  test(`Python ${version} is ${kind}`, () => {
    assert.equal(readProbe({ command: "p", origin: "test" }, `nx-lsp|${version}|/p`).kind, kind);
  });
}

test("what is no Python says so, each in its own words", async () => {
  const ask = (command: string, patience?: number): Promise<Probe> => probeInterpreter({ command, origin: "t" }, patience);
  assert.deepEqual(await ask(path.join(folder, "nowhere")), { kind: "missing" });
  assert.deepEqual(await ask(script("hello", "echo hello")), { kind: "unusable", reason: "it is not a Python interpreter" });
  assert.deepEqual(await ask(script("angry", "echo no libpython >&2; exit 127")), { kind: "unusable", reason: "no libpython" });
  assert.deepEqual(await ask(script("silent", "exit 3")), { kind: "unusable", reason: "it ended with 3" });
  assert.deepEqual(await ask(script("slow", "exec sleep 60"), 50), { kind: "unusable", reason: "it did not answer in time" });
  const plain = path.join(folder, "plain.txt");
  writeFileSync(plain, "");
  assert.deepEqual(await ask(plain), { kind: "unusable", reason: "it is not a program that may be run" });
});

test("the first usable candidate is taken, and what was tried before is kept", async () => {
  const answers: Record<string, Probe> = {
    a: { kind: "missing" },
    b: { kind: "tooOld", version: "3.8.1", path: "/b" },
    c: { kind: "usable", interpreter: { command: "c", args: [], version: "3.12.0", path: "/c" } },
  };
  const candidates = ["a", "b", "c"].map((command) => ({ command, origin: "test" }));
  const probe = ({ command }: { command: string }): Promise<Probe> => Promise.resolve(answers[command]!);
  const found = await choose(candidates, probe);
  assert.equal(found.kind === "found" && found.interpreter.path, "/c");
  const none = await choose(candidates.slice(0, 2), probe);
  assert.ok(none.kind === "none");
  const failure = noInterpreter(none.tried);
  assert.equal(failure.message, "NX: the language server needs Python 3.10 or newer, and none was found (`b`: it is Python 3.8.1).");
  assert.equal(failure.steps[0], "selectInterpreter");
});

test("the search path is asked for the usual names first", () => {
  assert.deepEqual(onSearchPath("linux").slice(0, 2).map(({ command }) => command), ["python3", "python"]);
  const [launcher] = onSearchPath("win32");
  assert.deepEqual([launcher?.command, launcher?.args], ["py", ["-3"]]);
});

test("messages name the setting, the reason and the version that is needed", () => {
  const tried = { candidate: { command: "/x", origin: "s" }, probe: { kind: "missing" } as const };
  const { message } = unusableSetting("~/x", tried);
  assert.match(message, /`nxlsp\.python\.path`, `~\/x`, cannot be used: there is no such program.*Python 3\.10/);
  assert.match(endedAtStart("py x", "ended with exit code 1", ["Traceback", "ImportError: no", ""]).message, /\(ImportError: no\)\.$/);
  assert.deepEqual(endedTooOften(5, 3, "was ended by SIGKILL").steps, ["restart", "showOutput", "report"]);
});

test("four restarts within three minutes, not five; then time heals", () => {
  let now = 0;
  const crashes = new CrashCounter(() => now);
  const ends = Array.from({ length: MOST_RESTARTS }, () => crashes.ended());
  assert.deepEqual(ends.map(({ restart, delay }) => [restart, delay]), [[true, 0], [true, 500], [true, 1000], [true, 2000]]);
  assert.deepEqual(crashes.ended().restart, false);
  now += 3 * 60_000;
  assert.deepEqual(crashes.ended(), { restart: true, delay: 0, times: 1 });
  for (let end = 0; end < 9; end++) crashes.ended();
  crashes.forget();
  assert.equal(crashes.ended().restart, true);
});

test("a process keeps its last words and says how it ended", async () => {
  const said: string[] = [];
  const command = { command: script("dies", "echo one >&2; printf two >&2; exit 7"), args: [], cwd: folder };
  const process = new ServerProcess(command, (line) => said.push(line));
  await process.over;
  assert.deepEqual([said, process.lastWords, process.ended], [["one", "two"], ["one", "two"], "ended with exit code 7"]);
});

test("a process that cannot be started says why", async () => {
  const process = new ServerProcess({ command: path.join(folder, "nowhere"), args: [], cwd: folder }, () => undefined);
  await process.over;
  assert.equal(process.ended, "could not be started: there is no such program");
});
