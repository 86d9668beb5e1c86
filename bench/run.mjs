/** `npm run bench [-- --only NAME] [--json]`: whole processes, medians of 20; exits 1 when a target is missed. */
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { endAll, openState } from "./askgate.mjs";
import { chat } from "./chat.mjs";
import { exit, followUp, start, waiting } from "./command.mjs";
import { load } from "./load.mjs";
import { median } from "./measure.mjs";

const onFreshBot = (measure) => async () => {
  const state = await openState();
  try {
    return await measure(state);
  } finally {
    await state.end();
  }
};

const BENCHES = {
  start: onFreshBot(start),
  exit: onFreshBot(exit),
  waiting: onFreshBot(waiting),
  "follow-up": onFreshBot(followUp),
  load,
  slack: chat("slack"),
  discord: chat("discord"),
};

const { values: flags } = parseArgs({
  options: { only: { type: "string", multiple: true }, json: { type: "boolean" } },
});
const names = flags.only ?? Object.keys(BENCHES);
const unknown = names.find((name) => !Object.hasOwn(BENCHES, name));
if (unknown !== undefined) {
  console.error(`there is no benchmark ${unknown}: ${Object.keys(BENCHES).join(", ")}`);
  process.exit(2);
}

process.once("SIGINT", () => void endAll().finally(() => process.exit(130)));

const machine = describeMachine();
if (!flags.json) console.log(`${machine}\n\n${columns(["figure", "", "target", "measured", ""])}`);
const rows = [];
for (const name of names) {
  for (const row of await BENCHES[name]()) {
    rows.push({ ...row, met: row.value <= row.limit });
    if (!flags.json) console.log(toLine(rows.at(-1)));
  }
}
if (flags.json) console.log(JSON.stringify({ machine, rows }, null, 2));
process.exit(rows.every(({ met }) => met) ? 0 : 1);

function toLine({ figure, what, value, limit, unit, detail, met }) {
  const digits = unit === "×" ? 2 : value < 10 ? 1 : 0;
  const measured = `${value.toFixed(digits)} ${unit}`;
  return columns([figure, what, `≤ ${limit} ${unit}`, measured, met ? detail : `MISSED · ${detail}`]);
}

function columns([figure, what, target, measured, rest]) {
  return `${figure.padEnd(10)} ${what.padEnd(56)} ${target.padStart(9)} ${measured.padStart(9)}   ${rest}`.trimEnd();
}

function describeMachine() {
  const processors = cpus();
  const cores = `${processors.length} × ${processors[0]?.model.trim() ?? "?"}`;
  const disk = `write and fsync ${fsyncTime().toFixed(1)} ms`;
  return `${cores} · node ${process.version} · ${process.platform} ${process.arch} · load ${loadavg()[0].toFixed(1)} · ${disk}`;
}

/** What a save cannot be faster than: the disk under the store. */
function fsyncTime() {
  const path = join(tmpdir(), `askgate-bench-fsync-${process.pid}`);
  const file = openSync(path, "w");
  const page = Buffer.alloc(4096, 1);
  const times = Array.from({ length: 50 }, () => {
    const begun = performance.now();
    writeSync(file, page);
    fsyncSync(file);
    return performance.now() - begun;
  });
  closeSync(file);
  rmSync(path);
  return median(times);
}
