// What the package promises: files that are there, commands that exist, settings the server reads,
// no registry in the lock file, and a bundle that runs without anything of the environment.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

const CLIENT = path.join(import.meta.dirname, "..", "..");
const read = (name: string): string => readFileSync(path.join(CLIENT, name), "utf8");

interface Package {
  version: string;
  contributes: {
    commands: { command: string; title: string }[];
    menus: Record<string, { command: string }[]>;
    configuration: { properties: Record<string, { scope: string; markdownDescription: string; default: unknown }> }[];
    grammars: { path: string }[];
    languages: { configuration?: string; icon?: Record<string, string> }[];
    snippets: { path: string }[];
    walkthroughs: { steps: { media: { markdown: string }; description: string }[] }[];
  };
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
}
const manifest = JSON.parse(read("package.json")) as Package;
const { contributes } = manifest;
const commands = new Set(contributes.commands.map(({ command }) => command));
const sources = readdirSync(path.join(CLIENT, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => read(path.join("src", name)))
  .join("\n");

test("every file that the manifest names is there", () => {
  const names = [
    ...contributes.grammars.map((one) => one.path),
    ...contributes.snippets.map((one) => one.path),
    ...contributes.languages.flatMap((one) => [one.configuration, ...Object.values(one.icon ?? {})]),
    ...contributes.walkthroughs.flatMap((one) => one.steps.map(({ media }) => media.markdown)),
  ];
  for (const name of names) if (name) assert.ok(existsSync(path.join(CLIENT, name)), name);
});

test("every command is registered once, and menus and links name only those", () => {
  for (const command of commands) {
    assert.equal(sources.split(`register("${command}"`).length - 1, 1, command);
  }
  const linked = [...JSON.stringify(contributes.walkthroughs).matchAll(/\(command:(nxlsp\.\w+)\)/g)].map(([, id]) => id ?? "");
  for (const { command } of Object.values(contributes.menus).flat()) linked.push(command);
  for (const command of linked) assert.ok(commands.has(command), command);
});

test("every setting has a scope and a description, and those that name programs are restricted", () => {
  const settings = Object.assign({}, ...contributes.configuration.map((one) => one.properties)) as Record<
    string,
    { scope: string; markdownDescription: string }
  >;
  for (const [name, { scope, markdownDescription }] of Object.entries(settings)) {
    assert.match(name, /^nxlsp\./);
    assert.match(scope, /^(resource|window|machine|machine-overridable)$/, name);
    assert.ok(markdownDescription.length > 20, name);
  }
  for (const name of manifest.capabilities.untrustedWorkspaces.restrictedConfigurations) {
    assert.match(settings[name]?.scope ?? "", /^machine/, name);
  }
});

test("the server reads every setting that is its own", () => {
  const python = ["nx_lsp/ide/options.py", "nx_lsp/server/configuration.py"].map((name) => read(path.join("..", name))).join("\n");
  const ofClient = ["python.path", "server.command", "coexistence", "trace.server", "panel.follow", "panel.view"];
  for (const { properties } of contributes.configuration) {
    for (const name of Object.keys(properties).map((one) => one.replace(/^nxlsp\./, ""))) {
      if (!ofClient.includes(name)) assert.ok(python.includes(`"${name}"`), name);
    }
  }
});

test("the lock file names no registry", () => {
  assert.ok(!/"resolved"|https?:\/\/[^"]*registry/.test(read("package-lock.json")));
});

test("snippets are well-formed and their places are numbered without gaps", () => {
  for (const { path: name } of contributes.snippets) {
    for (const [title, { body }] of Object.entries(JSON.parse(read(name)) as Record<string, { body: string[] }>)) {
      const numbers = new Set([...body.join("\n").matchAll(/\$\{?(\d+)/g)].map(([, number]) => Number(number)));
      const wanted = Array.from({ length: numbers.size }, (_, number) => number);
      assert.deepEqual([...numbers].sort((one, other) => one - other), wanted, title);
    }
  }
});

test("the sample of the walkthrough has both schemas, with the bundled server, isolated", () => {
  const python = process.env.NX_LSP_PYTHON ?? "python3";
  const question = [
    "import sys; sys.path[:0] = [sys.argv[1]]",
    "from nx_lsp import Program",
    "program = Program.from_sources({'main.nx': open(sys.argv[2], encoding='utf-8').read()})",
    "answer = program.function_schema('findPlans', host_supplied_types=[('@nx/agent/agent.nx', 'ToolContext')])",
    "print(len(program.diagnostics()), len(answer.diagnostics), sorted(answer.input_schema['properties']), answer.output_schema['type'])",
  ].join("\n");
  const lib = path.join(CLIENT, "server", "lib");
  const args = ["-I", "-S", "-c", question, lib, path.join(CLIENT, "walkthrough", "sample.nx")];
  const said = execFileSync(python, args, { encoding: "utf8" });
  assert.equal(said.trim(), "0 0 ['maxMonthlyPrice', 'teamSize'] array");
});

test("every module of the bundle can be imported, isolated, and none is native", () => {
  const lib = path.join(CLIENT, "server", "lib");
  const files = readdirSync(lib, { recursive: true, encoding: "utf8" });
  assert.deepEqual(files.filter((name) => /\.(so|pyd|dylib|dll)$/.test(name)), []);
  const modules = files
    .filter((name) => name.startsWith(`nx_lsp${path.sep}`) && name.endsWith(".py"))
    .map((name) => name.slice(0, -3).split(path.sep).filter((part) => part !== "__init__").join("."));
  const question = "import sys, importlib; sys.path[:0] = [sys.argv[1]]; [importlib.import_module(one) for one in sys.argv[2:]]";
  execFileSync(process.env.NX_LSP_PYTHON ?? "python3", ["-I", "-S", "-c", question, lib, ...modules]);
  assert.ok(modules.length > 50);
});
