// The browser edition of VS Code with the extension, on the agent example, until Ctrl+C.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { EXAMPLE, freePort, QUIET_SETTINGS, until, VSIX } from "../test/editor/server.ts";

const { NX_LSP_CODE_SERVER: editor, NX_LSP_PYTHON: python } = process.env;
if (!editor) throw new Error("start this with `make run`");
// A profile of its own beside the editor, kept for the next time.
const profile = path.join(editor, "..", "..", "demo");
const settings = path.join(profile, "data", "User", "settings.json");
mkdirSync(path.dirname(settings), { recursive: true });
if (!existsSync(settings)) writeFileSync(settings, JSON.stringify(QUIET_SETTINGS, null, 2));
// Of the settings that name programs only the machine's count in such a window.
const machine = path.join(profile, "data", "Machine", "settings.json");
mkdirSync(path.dirname(machine), { recursive: true });
if (!existsSync(machine) && python) writeFileSync(machine, JSON.stringify({ "nxlsp.python.path": python }));
const environment = { ...process.env, EXTENSIONS_GALLERY: "{}", PASSWORD: undefined };
const at = (name: string): string => path.join(profile, name);
const base = [path.join(editor, "out/node/entry.js"), "--user-data-dir", at("data"), "--extensions-dir"];
base.push(at("extensions"), "--config", at("config.yaml"));
execFileSync(process.execPath, [...base, "--install-extension", VSIX, "--force"], { env: environment, stdio: "pipe" });
const port = await freePort();
const flags = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry", "--disable-update-check"];
const server = spawn(process.execPath, [...base, ...flags, "--disable-workspace-trust"], { env: environment, stdio: "ignore" });
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => server.kill());
server.once("exit", (code) => process.exit(code ?? 0));
const url = `http://127.0.0.1:${port}`;
await until("the editor", () => fetch(`${url}/healthz`).then((answer) => answer.ok, () => false));
console.log(`\nOpen this address in a browser:\n\n  ${url}/?folder=${encodeURIComponent(EXAMPLE)}\n`);
console.log("Hover searchFlights in travel/search.nx, or run NX: Show Tool Schema (F1). Ctrl+C ends.");
