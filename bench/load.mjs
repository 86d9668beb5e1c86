/** A bot with ten thousand open rounds, beside one with ten. */
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buttonsOf, MAIN, openState, press, question } from "./askgate.mjs";
import { inPairs, median, percentile, processorTime, RUNS, resident, startNode } from "./measure.mjs";
import { atRate, PER_SECOND } from "./rate.mjs";

const MANY = 10_000;
const FEW = 10;
const TOGETHER = 100;
const SLICE_MS = 1_500;
const WARM_MS = 4_000;

export async function load() {
  const many = await openState();
  const few = await openState();
  try {
    const targets = { many: await seed(many.gate, MANY), few: await seed(few.gate, FEW) };
    const rows = [...(await readiness(many)), ...(await overLink({ many, few, targets }))];
    await many.gate.stop();
    return [...rows, ...(await inside(many.stateDir, targets.many))];
  } finally {
    await few.end();
    await many.end();
  }
}

/** Opens rounds in sessions of their own. Resolves to each one's session and the button of its first decision. */
async function seed(gate, count) {
  const first = await gate.open(question(0));
  const { pick } = await buttonsOf(gate, first.session);
  const target = ({ session, round }) => ({ session, button: pick.replace(first.round, round) });
  const targets = [target(first)];
  let next = 1;
  const worker = async () => {
    while (next < count) {
      next += 1;
      targets.push(target(await gate.open(question(next))));
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, worker));
  return targets;
}

/** `bot start` until it ends, which it does once the bot answers: after a bot that stopped, and after one that was killed. */
async function readiness(state) {
  const times = { stopped: [], killed: [] };
  const memory = [];
  for (const how of Array.from({ length: RUNS }, () => ["stopped", "killed"]).flat()) {
    await end(state.gate, how);
    const command = startNode([MAIN, "bot", "start"], { env: state.env });
    times[how].push((await command.exited) - command.begun);
    memory.push(resident((await state.gate.health()).pid).now);
  }
  const what = `bot ready with ${MANY} open rounds after a`;
  const row = (how, detail) => ({
    figure: "ready",
    what: `${what} ${how}`,
    value: median(times[how === "stop" ? "stopped" : "killed"]),
    limit: 2_000,
    unit: "ms",
    detail,
  });
  return [row("stop", `${median(memory).toFixed(0)} MB resident then`), row("kill", "")];
}

async function end(gate, how) {
  if (how === "stopped") return gate.stop();
  const { pid } = await gate.health();
  process.kill(pid, "SIGKILL");
  while (resident(pid).now > 0) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function overLink({ many, few, targets }) {
  const bots = { many: await botOf(many, targets.many), few: await botOf(few, targets.few) };
  for (const bot of Object.values(bots)) await bot.picks(WARM_MS);
  const times = { many: [], few: [] };
  const cost = (name) => async () => {
    const before = processorTime(bots[name].pid);
    const slice = await bots[name].picks(SLICE_MS);
    times[name].push(...slice);
    return (processorTime(bots[name].pid) - before) / slice.length;
  };
  const { a, b, ratio } = await inPairs(cost("few"), cost("many"));
  const memory = resident(bots.many.pid);
  const latency = (name) =>
    `p50 ${percentile(times[name], 50).toFixed(1)} ms, p99 ${percentile(times[name], 99).toFixed(1)} ms`;
  return [
    {
      figure: "memory",
      what: `resident memory of the bot with ${MANY} open rounds, after the picks`,
      value: memory.now,
      limit: 300,
      unit: "MB",
      detail: `at most ${memory.most.toFixed(0)} MB`,
    },
    {
      figure: "picks",
      what: `${PER_SECOND} picks a second, p99 to saved, over the link`,
      value: percentile(times.many, 99),
      limit: 20,
      unit: "ms",
      detail: `${times.many.length} picks, ${latency("many")}; with ${FEW} rounds ${latency("few")}`,
    },
    {
      figure: "cost",
      what: `processor time per pick, ${MANY} rounds against ${FEW}`,
      value: ratio,
      limit: 1.2,
      unit: "×",
      detail: `${a.toFixed(2)} ms with ${FEW}, ${b.toFixed(2)} ms with ${MANY}`,
    },
  ];
}

async function botOf({ gate }, targets) {
  const { pid } = await gate.health();
  const picks = (ms) =>
    atRate(ms, () => {
      const { session, button } = targets[Math.floor(Math.random() * targets.length)];
      return press(gate, session, button, [Math.random() < 0.5 ? "o0" : "o1"]);
    });
  return { pid, picks };
}

/** The same picks inside the process that keeps the store: without HTTP, without another process. */
async function inside(stateDir, targets) {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const folder = join(root, "node_modules", ".cache", "askgate-bench");
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, "inside.mjs");
  await build({
    entryPoints: [join(root, "bench", "inside.mjs")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    logLevel: "warning",
  });
  const file = join(stateDir, "targets.json");
  writeFileSync(file, JSON.stringify(targets));
  const { times } = await answerOf([outfile, stateDir, file]);
  const detail = `${times.length} picks, p50 ${percentile(times, 50).toFixed(1)} ms`;
  const what = `${PER_SECOND} picks a second, p99 to saved, in process`;
  return [{ figure: "picks", what, value: percentile(times, 99), limit: 20, unit: "ms", detail }];
}

function answerOf(args) {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
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
