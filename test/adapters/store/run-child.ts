/** Runs `child.ts` in a process of its own; bundled, because the oldest supported Node reads no TypeScript. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

const bundled = build({
  entryPoints: [fileURLToPath(new URL("./child.ts", import.meta.url))],
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  write: false,
});

export interface Child {
  /** What it says, parsed, as it says it; ends with the process. */
  lines: AsyncIterable<unknown>;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; errors: string }>;
}

/** `fileBlocks`: the largest file that it may write, in the shell's blocks of 512 or 1,024 bytes. */
export async function runChild(task: string, dir: string, fileBlocks?: number): Promise<Child> {
  const { outputFiles } = await bundled;
  const node = [process.execPath, "--input-type=module", "-", task, dir];
  const limit = fileBlocks === undefined ? "" : `ulimit -f ${fileBlocks} && `;
  const child = spawn("sh", ["-c", `${limit}exec "$0" "$@"`, ...node], { cwd: ROOT });
  child.stdin.end(outputFiles[0]?.text);
  return { lines: parsed(child), kill: (signal) => void child.kill(signal), ended: end(child) };
}

async function* parsed(child: ChildProcessWithoutNullStreams): AsyncGenerator<unknown> {
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.endsWith("}")) yield JSON.parse(line);
  }
}

function end(child: ChildProcessWithoutNullStreams): Child["ended"] {
  let errors = "";
  child.stderr.on("data", (text) => {
    errors += text;
  });
  return new Promise((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal, errors }));
  });
}
