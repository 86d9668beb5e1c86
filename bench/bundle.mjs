/** Code that imports the sources, bundled and run in a process of its own. */
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Resolves to the JSON that it prints. */
export async function bundleAndRun(name, args = []) {
  // Beside the others, so that what it finds by its own place is found.
  const outfile = join(root, "bench", `built-${name}`);
  await build({
    entryPoints: [join(root, "bench", name)],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    external: ["../dist/index.js"],
    logLevel: "warning",
  });
  return answerOf([outfile, ...args]).finally(() => rmSync(outfile, { force: true }));
}

function answerOf(args) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
  });
  return new Promise((resolve, reject) =>
    child.once("close", (code) =>
      code === 0 ? resolve(JSON.parse(text)) : reject(new Error(`${args[0]}: exit ${code}`)),
    ),
  );
}
