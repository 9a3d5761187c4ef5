// The grammar over whole modules: after each of them the next declaration is seen as one, so that
// nothing in them was left open. (What each part is called is tested in ../grammar.)

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { test } from "node:test";

const require = createRequire(import.meta.url);
const textmate = require("vscode-textmate") as typeof import("vscode-textmate");
const oniguruma = require("vscode-oniguruma") as typeof import("vscode-oniguruma");

const CLIENT = path.join(import.meta.dirname, "..", "..");
const TOP = path.join(CLIENT, "..");

const wasm = readFileSync(path.join(path.dirname(require.resolve("vscode-oniguruma")), "onig.wasm"));
const onigLib = oniguruma.loadWASM(new Uint8Array(wasm).buffer).then(() => ({
  createOnigScanner: (patterns: string[]) => new oniguruma.OnigScanner(patterns),
  createOnigString: (text: string) => new oniguruma.OnigString(text),
}));
const registry = new textmate.Registry({
  onigLib,
  loadGrammar: (scope) => {
    const file = path.join(CLIENT, "syntaxes", `${scope === "source.nx" ? "nx" : "nx-tool-schema"}.tmLanguage.json`);
    return Promise.resolve(textmate.parseRawGrammar(readFileSync(file, "utf8"), file));
  },
});

async function scopesAtEnd(text: string, last: string): Promise<string[]> {
  const grammar = await registry.loadGrammar("source.nx");
  assert.ok(grammar);
  let stack = textmate.INITIAL;
  let scopes: string[] = [];
  for (const line of [...text.split("\n"), last]) {
    const done = grammar.tokenizeLine(line, stack);
    stack = done.ruleStack;
    scopes = done.tokens[0]?.scopes ?? [];
  }
  return scopes;
}

function modules(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".nx"))
    .map((name) => path.join(folder, name));
}

const FILES = [path.join(TOP, "examples"), path.join(TOP, "nx_lsp"), path.join(CLIENT, "walkthrough")].flatMap(modules);

for (const file of FILES) {
  test(`nothing stays open in ${path.relative(TOP, file)}`, async () => {
    const scopes = await scopesAtEnd(readFileSync(file, "utf8"), "action Zzz = {}");
    assert.deepEqual(scopes, ["source.nx", "meta.declaration.type.nx", "storage.type.nx"]);
  });
}

test("the documents of the panel are coloured as JSON", async () => {
  const grammar = await registry.loadGrammar("source.nx-tool-schema");
  const line = '{ "a": [1, true, "b\\n"] }';
  const { tokens } = grammar!.tokenizeLine(line, textmate.INITIAL);
  const scopeOf = (text: string): string =>
    tokens.find(({ startIndex, endIndex }) => line.slice(startIndex, endIndex).includes(text))?.scopes.at(-1) ?? "";
  assert.match(scopeOf('"a"'), /support\.type\.property-name\.json/);
  assert.equal(scopeOf("1"), "constant.numeric.json");
  assert.equal(scopeOf("true"), "constant.language.json");
  assert.equal(scopeOf("b"), "string.quoted.double.json");
});
