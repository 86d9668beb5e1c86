/**
 * Bundles what Node runs: the command line and the exports. Dependencies stay external, development ones are bundled. A
 * command must start as fast as it can, and every further file that it loads costs more than the code in it: so all that
 * `main` needs at once goes into one shared chunk.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";

/** Reaches all that a command needs before it asks. */
const START = resolve("src/cli/program.ts");

/** esbuild makes a chunk for each set of entries that reach the same code: let everything imported later reach it all. */
const oneStart = {
  name: "one-start",
  setup({ onResolve, onLoad }) {
    const later = new Set();
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind === "dynamic-import") later.add(resolve(resolveDir, path));
    });
    onLoad({ filter: /\.ts$/ }, ({ path }) =>
      later.has(path)
        ? { contents: `import ${JSON.stringify(START)};${readFileSync(path, "utf8")}`, loader: "ts" }
        : undefined,
    );
  },
};

export async function buildClient({ dependencies, version }) {
  const common = {
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
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: "warning",
  };
  await build({ ...common, entryPoints: { main: "src/cli/main.ts" }, plugins: [oneStart] });
  await build({ ...common, entryPoints: { index: "src/index.ts" } });
}
