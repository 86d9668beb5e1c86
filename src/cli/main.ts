#!/usr/bin/env node
/** The process: signals, errors and the exit. The only file that ends it. */
import { readEnvFile } from "./config.ts";
import { SIGNALS } from "./exit.ts";
import { explain } from "./explain.ts";
import { run } from "./program.ts";
import { findProject } from "./project.ts";
import { say, waiting } from "./shell.ts";

/** How long a signal waits for what is left behind. */
const LEAVING_MS = 1_000;

for (const [signal, code] of Object.entries(SIGNALS)) {
  process.on(signal, () => {
    // A terminal shows ^C where the cursor stands.
    const start = process.stderr.isTTY ? "\n" : "";
    if (waiting.round !== null) say(`${start}the question stays open:  askgate wait ${waiting.round}`);
    if (waiting.leave === null) process.exit(code);
    void waiting.leave().finally(() => process.exit(code));
    setTimeout(() => process.exit(code), LEAVING_MS);
  });
}

try {
  Object.assign(process.env, readEnvFile(findProject(process.cwd()), process.env));
  process.exit(await run(process.argv.slice(2)));
} catch (error) {
  process.exit(explain(error));
}
