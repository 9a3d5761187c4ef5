// Bundle the extension into one file. `--watch` keeps at it.
import * as esbuild from "esbuild";

const options = {
  entryPoints: ["src/extension.ts"],
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
  conditions: ["node"],
  minify: !process.argv.includes("--watch"),
  sourcemap: process.argv.includes("--watch"),
  outfile: "dist/extension.cjs",
  logLevel: "warning",
};

if (process.argv.includes("--watch")) await (await esbuild.context(options)).watch();
else await esbuild.build(options);
