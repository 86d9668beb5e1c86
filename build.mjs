/** Bundles the command line and the exports (dependencies stay external, development ones are bundled) and the page. */
import { readFileSync, rmSync } from "node:fs";
import { build } from "esbuild";
import { buildPage } from "./build-page.mjs";

const { dependencies, version } = JSON.parse(readFileSync("package.json", "utf8"));
rmSync("dist", { recursive: true, force: true });

await build({
  entryPoints: { main: "src/cli/main.ts", index: "src/index.ts" },
  outdir: "dist",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  chunkNames: "chunks/[name]-[hash]",
  external: Object.keys(dependencies),
  define: { __VERSION__: JSON.stringify(version) },
  banner: {
    js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);",
  },
  sourcemap: true,
  minify: false,
  logLevel: "warning",
});

await buildPage("dist/page");
