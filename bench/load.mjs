/** A bot with ten thousand open rounds, beside one with ten. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buttonsOf, MAIN, openState, press, question } from "./askgate.mjs";
import { bundleAndRun } from "./bundle.mjs";
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

let opened = 0;

/** Opens rounds in sessions of their own. Resolves to each one's session and the button of its first decision. */
async function seed(gate, count) {
  const open = () => {
    opened += 1;
    return gate.open(question(opened));
  };
  const first = await open();
  const { pick } = await buttonsOf(gate, first.session);
  const target = ({ session, round }) => ({ session, button: pick.replace(first.round, round) });
  const targets = [target(first)];
  let left = count - 1;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      targets.push(target(await open()));
    }
  };
  await Promise.all(Array.from({ length: Math.min(TOGETHER, left) }, worker));
  return targets;
}

/** New sessions instead of those picked in before, whose records grew with every pick. */
async function renew(gate, targets) {
  for (const { session } of targets) await gate.down({ project: "", session, agentSession: null });
  return seed(gate, targets.length);
}

/** `bot start` until it ends, which it does once the bot answers: after a bot that stopped, and after one that was killed. */
async function readiness(state) {
  const times = { stopped: [], killed: [] };
  for (const how of Array.from({ length: RUNS }, () => ["stopped", "killed"]).flat()) {
    await end(state.gate, how);
    const command = startNode([MAIN, "bot", "start"], { env: state.env });
    times[how].push((await command.exited) - command.begun);
  }
  const what = `bot with ${MANY} open rounds ready after a`;
  const row = (how, all) => ({
    figure: "ready",
    what: `${what} ${how}`,
    value: median(all),
    limit: 2_000,
    unit: "ms",
    detail: `at most ${Math.max(...all).toFixed(0)} ms`,
  });
  return [row("stop", times.stopped), row("kill", times.killed)];
}

async function end(gate, how) {
  if (how === "stopped") return gate.stop();
  const { pid } = await gate.health();
  process.kill(pid, "SIGKILL");
  while (resident(pid).now > 0) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function overLink({ many, few, targets }) {
  const pids = { many: (await many.gate.health()).pid, few: (await few.gate.health()).pid };
  const gates = { many: many.gate, few: few.gate };
  const times = { many: [], few: [] };
  const cost = (name) => async () => {
    if (name === "few") targets.few = await renew(few.gate, targets.few);
    const before = processorTime(pids[name]);
    const slice = await pickIn(gates[name], targets[name], SLICE_MS);
    times[name].push(...slice);
    return (processorTime(pids[name]) - before) / slice.length;
  };
  for (const name of ["few", "many"]) await pickIn(gates[name], targets[name], WARM_MS);
  const { a, b, ratio } = await inPairs(cost("few"), cost("many"));
  const memory = resident(pids.many);
  const latency = (name) => [50, 99].map((part) => percentile(times[name], part).toFixed(1)).join(" and ");
  return [
    {
      figure: "memory",
      what: `resident memory of the bot with ${MANY} open rounds`,
      value: memory.most,
      limit: 300,
      unit: "MB",
      detail: `at most, over ${times.many.length} picks`,
    },
    {
      figure: "picks",
      what: `${PER_SECOND} picks a second, p99 to saved, over the link`,
      value: percentile(times.many, 99),
      limit: 20,
      unit: "ms",
      detail: `p50 and p99 ${latency("many")} ms; with ${FEW} rounds ${latency("few")} ms`,
    },
    {
      figure: "cost",
      what: `processor time per pick, against ${FEW} open rounds`,
      value: ratio,
      limit: 1.2,
      unit: "×",
      detail: `${a.toFixed(2)} ms with ${FEW}, ${b.toFixed(2)} ms with ${MANY}`,
    },
  ];
}

/** Picks at the rate, in sessions chosen at random. Resolves to the time each took until it was saved. */
const pickIn = (gate, targets, forMs) =>
  atRate(forMs, () => {
    const { session, button } = targets[Math.floor(Math.random() * targets.length)];
    return press(gate, session, button, [Math.random() < 0.5 ? "o0" : "o1"]);
  });

/** The same picks inside the process that keeps the store: without HTTP, without another process. */
async function inside(stateDir, targets) {
  const file = join(stateDir, "targets.json");
  writeFileSync(file, JSON.stringify(targets));
  const { times } = await bundleAndRun("inside.mjs", [stateDir, file]);
  const detail = `p50 ${percentile(times, 50).toFixed(1)} ms`;
  const what = `${PER_SECOND} picks a second, p99 to saved, in process`;
  return [{ figure: "picks", what, value: percentile(times, 99), limit: 20, unit: "ms", detail }];
}
