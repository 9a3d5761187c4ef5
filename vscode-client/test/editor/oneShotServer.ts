// Asks the bundled server one question over its standard input and output, without an editor.

import { spawn } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";

const START = path.join(import.meta.dirname, "..", "..", "server", "start_server.py");

/** The result of `method` in a session on `folder`. */
export async function ask(folder: string, method: string, params: unknown): Promise<unknown> {
  const server = spawn(process.env.NX_LSP_PYTHON ?? "python3", ["-I", "-S", START], { stdio: ["pipe", "pipe", "ignore"] });
  const answers = new Map<number, (message: { result?: unknown; error?: { message: string } }) => void>();
  let bytes = Buffer.alloc(0);
  server.stdout.on("data", (more: Buffer) => {
    bytes = Buffer.concat([bytes, more]);
    for (;;) {
      const head = bytes.indexOf("\r\n\r\n");
      const length = Number(/Content-Length: (\d+)/i.exec(bytes.subarray(0, Math.max(head, 0)).toString())?.[1]);
      if (head < 0 || bytes.length < head + 4 + length) return;
      const message = JSON.parse(bytes.subarray(head + 4, head + 4 + length).toString()) as { id?: number; result?: unknown; error?: { message: string } };
      bytes = bytes.subarray(head + 4 + length);
      if (message.id !== undefined && !("method" in message)) answers.get(message.id)?.(message);
    }
  });
  const send = (message: object): void => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    server.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    server.stdin.write(body);
  };
  let id = 0;
  const request = (method: string, params: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      id += 1;
      answers.set(id, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result)));
      send({ id, method, params });
    });
  const uri = pathToFileURL(folder).href;
  try {
    await request("initialize", { processId: null, rootUri: uri, capabilities: {}, workspaceFolders: [{ uri, name: "w" }] });
    send({ method: "initialized", params: {} });
    return await request(method, params);
  } finally {
    await request("shutdown", null);
    send({ method: "exit" });
  }
}
