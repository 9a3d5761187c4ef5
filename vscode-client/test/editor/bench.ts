// A real VS Code (code-server) on a free loopback port, with throw-away profile folders, seen
// through a headless Chromium, and a few verbs. Nothing sleeps: every verb waits for a state.

import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium, type Browser, type FrameLocator, type Locator, type Page } from "playwright-core";
import { EXAMPLE, freePort, LONG, QUIET_SETTINGS, SHOTS, until, VSIX } from "./server.ts";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Nothing but this machine can be reached, so that no test depends on the network unseen.
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
];

export interface Options {
  /** Folders to copy into the window, by name; several make a workspace of several roots. */
  folders?: Record<string, string>;
  settings?: Record<string, unknown>;
  /** Settings of the machine that the server runs on: those that name programs. */
  machine?: Record<string, unknown>;
  /** Packages of further extensions to install. */
  packages?: readonly string[];
  /** Whether the editor asks if a folder is trusted; it then is not. */
  asksForTrust?: boolean;
  viewport?: { width: number; height: number };
}

function fromEnvironment(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`set ${name}; \`make test\` does so`);
  return value;
}

/** Text as it reads: the editor writes spaces that do not break. */
export function plain(text: string): string {
  return text.replaceAll("\u00a0", " ");
}

export class Bench {
  readonly root: string;
  readonly page: Page;
  readonly url: string;
  readonly #browser: Browser;
  readonly #server: ChildProcess;

  private constructor(root: string, url: string, server: ChildProcess, browser: Browser, page: Page) {
    this.root = root;
    this.url = url;
    this.#server = server;
    this.#browser = browser;
    this.page = page;
  }

  static async start(options: Options = {}): Promise<Bench> {
    const root = mkdtempSync(path.join(tmpdir(), "nx-lsp-editor-"));
    const at = (...parts: string[]): string => path.join(root, ...parts);
    for (const one of ["data/User", "data/Machine", "extensions", "home"]) mkdirSync(at(one), { recursive: true });
    const folders = options.folders ?? { agent: EXAMPLE };
    for (const [name, source] of Object.entries(folders)) cpSync(source, at(name), { recursive: true });
    const names = Object.keys(folders);
    const workspace = at("window.code-workspace");
    writeFileSync(workspace, JSON.stringify({ folders: names.map((name) => ({ path: name })) }));
    writeFileSync(at("data/User/settings.json"), JSON.stringify({ ...QUIET_SETTINGS, ...options.settings }, null, 1));
    // Of the settings that name programs only the machine's count in such a window.
    const ofMachine = { "nxlsp.python.path": fromEnvironment("NX_LSP_PYTHON"), ...options.machine };
    writeFileSync(at("data/Machine/settings.json"), JSON.stringify(ofMachine));
    const environment = {
      ...process.env,
      HOME: at("home"),
      XDG_CONFIG_HOME: at("home/.config"),
      XDG_DATA_HOME: at("home/.local"),
      XDG_CACHE_HOME: at("home/.cache"),
      EXTENSIONS_GALLERY: "{}",
      PASSWORD: undefined,
    };
    const entry = path.join(fromEnvironment("NX_LSP_CODE_SERVER"), "out/node/entry.js");
    const base = [entry, "--user-data-dir", at("data"), "--extensions-dir", at("extensions"), "--config", at("config.yaml")];
    const packages = [VSIX, ...(options.packages ?? [])].flatMap((one) => ["--install-extension", one]);
    execFileSync(process.execPath, [...base, ...packages], { env: environment, stdio: "pipe" });
    const port = await freePort();
    const log = openSync(at("server.log"), "w");
    const flags = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry", "--disable-update-check"];
    if (!options.asksForTrust) flags.push("--disable-workspace-trust");
    flags.push("--disable-getting-started-override", "--disable-proxy");
    const server = spawn(process.execPath, [...base, ...flags], {
      env: environment,
      stdio: ["ignore", log, log],
      detached: true,
    });
    const url = `http://127.0.0.1:${port}`;
    await until("the editor's server", async () => {
      if (server.exitCode !== null) throw new Error(`it ended:\n${readFileSync(at("server.log"), "utf8")}`);
      return await fetch(`${url}/healthz`).then((answer) => answer.ok, () => false);
    });
    const browser = await chromium.launch({ executablePath: fromEnvironment("NX_LSP_CHROMIUM"), args: FLAGS });
    const context = await browser.newContext({ viewport: options.viewport ?? { width: 1440, height: 900 } });
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: url });
    const page = await context.newPage();
    page.setDefaultTimeout(LONG);
    const [only] = names;
    const what = names.length === 1 && only ? `folder=${encodeURIComponent(at(only))}` : `workspace=${encodeURIComponent(workspace)}`;
    const bench = new Bench(root, url, server, browser, page);
    await page.goto(`${url}/?${what}`);
    await page.locator(".explorer-folders-view [role=treeitem]").first().waitFor();
    return bench;
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    const gone = new Promise((resolve) => this.#server.once("exit", resolve));
    try {
      if (this.#server.pid) process.kill(-this.#server.pid, "SIGTERM");
      if (this.#server.exitCode === null) await gone;
    } catch {
      // it has ended already
    }
    if (!process.env.KEEP) rmSync(this.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  // ------------------------------------------------------------ looking

  /** Write a picture. */
  async shot(name: string): Promise<void> {
    mkdirSync(SHOTS, { recursive: true });
    await this.page.screenshot({ path: path.join(SHOTS, `${name}.png`), animations: "disabled" });
  }

  tab(name: string): Locator {
    return this.page.locator(`.tab[data-resource-name="${name}"]`);
  }

  /** The editor that shows a document. */
  editor(name: string): Locator {
    return this.page.locator(".editor-instance", { has: this.page.locator(`.monaco-editor[data-uri*="${name}"]`) });
  }

  /** The visible lines of the document whose address ends in `name`. */
  async text(name: string): Promise<string> {
    const lines = await this.page
      .locator(`.monaco-editor[data-uri*="${name}"] .view-line`)
      .evaluateAll((all) => all.map((one) => [parseInt((one as HTMLElement).style.top), one.textContent] as const));
    return plain(lines.sort(([one], [other]) => one - other).map(([, text]) => text).join("\n"));
  }

  lenses(name: string): Locator {
    return this.page.locator(`.monaco-editor[data-uri*="${name}"] .codelens-decoration a`);
  }

  notice(text: string | RegExp): Locator {
    return this.page.locator(".notifications-toasts .notification-list-item", { hasText: text });
  }

  status(): Locator {
    return this.page.locator("#nx-lsp\\.nx-lsp\\.nxlsp\\.status");
  }

  webview(): FrameLocator {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
  }

  async clipboard(): Promise<string> {
    return await this.page.evaluate(() => navigator.clipboard.readText());
  }

  /** Ids of the server's processes that the extension of this window has started. */
  serverProcesses(): number[] {
    const all = execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" }).split("\n");
    const ours = all.filter((line) => line.includes(this.root) && line.includes("start_server.py"));
    return ours.map((line) => parseInt(line, 10));
  }

  // ------------------------------------------------------------ doing

  /** Change the settings of the machine, as an edit of their file does. */
  set(change: Record<string, unknown>): void {
    const file = path.join(this.root, "data/Machine/settings.json");
    const before = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    writeFileSync(file, JSON.stringify({ ...before, ...change }, null, 1));
  }

  /** Press until a thing stays in view: a pop-up can vanish when the caret moves under it. */
  async pressUntil(keys: string[], wanted: Locator): Promise<Locator> {
    await this.until(`visible after ${keys.join(" ")}`, async () => {
      for (const key of keys) await this.page.keyboard.press(key);
      return await wanted.waitFor({ timeout: 3000 }).then(
        () => true,
        async () => {
          await this.page.keyboard.press("Escape");
          return false;
        },
      );
    });
    return wanted;
  }

  get input(): Locator {
    return this.page.locator(".quick-input-widget:visible input").first();
  }

  get choices(): Locator {
    return this.page.locator(".quick-input-list [role=option]");
  }

  /** Run a command by its exact title in the palette. */
  async command(title: string): Promise<void> {
    await this.pressUntil(["F1"], this.input);
    await this.input.fill(`>${title}`);
    await this.page.locator(".quick-input-list").getByText(title, { exact: true }).first().click();
  }

  async open(name: string): Promise<void> {
    const base = path.basename(name);
    await this.until(`${name} open`, async () => {
      await this.pressUntil(["Control+P"], this.input);
      await this.input.fill(name);
      // By its exact name: documents of the panel have the module's name in their path.
      const row = this.page.locator(".quick-input-list .label-name").getByText(base, { exact: true }).first();
      const found = await row.click({ timeout: 5000 }).then(() => true, () => false);
      if (!found) {
        await this.page.keyboard.press("Escape");
        return false;
      }
      return await this.page
        .locator(`.tab.active[data-resource-name="${base}"]`)
        .waitFor({ timeout: 5000 })
        .then(() => true, () => false);
    });
    await this.page.locator(`.monaco-editor[data-uri$="${base}"] .view-line`).first().waitFor();
  }

  async goto(line: number, column: number): Promise<void> {
    await this.pressUntil(["Control+G"], this.input);
    await this.input.fill(`:${line}:${column}`);
    await this.page.keyboard.press("Enter");
    await this.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
  }

  /** Put the cursor behind `text` in a file of the window, as it is on disk. */
  async gotoText(file: string, text: string, offset = 0): Promise<void> {
    const source = readFileSync(path.join(this.root, file), "utf8");
    const before = source.slice(0, source.indexOf(text) + offset);
    if (!source.includes(text)) throw new Error(`no ${text} in ${file}`);
    await this.goto(before.split("\n").length, before.length - before.lastIndexOf("\n"));
  }

  async until<T>(what: string, look: () => Promise<T | false | undefined>): Promise<T> {
    try {
      return await until(what, look);
    } catch (error) {
      await this.shot(`missed-${what.replace(/\W+/g, "-").slice(0, 60)}`);
      throw error;
    }
  }
}

