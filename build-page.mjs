/** Bundles the web page: `node build-page.mjs FOLDER`, or as a part of `build.mjs`. */
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

export const buildPage = (outdir) =>
  build({
    entryPoints: [
      { in: "src/adapters/web/page/main.tsx", out: "page" },
      { in: "src/adapters/web/page/page.css", out: "page" },
      { in: "src/adapters/web/page/markdown-worker.ts", out: "markdown" },
    ],
    outdir,
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    logLevel: "warning",
  });

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  await buildPage(process.argv[2] ?? "dist/page");
