/** Clocks, medians and the processes that are measured. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Each figure is the median of so many runs. */
export const RUNS = 20;

export const median = (values) => percentile(values, 50);

export function percentile(values, percent) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

/** Runs A and B in turn (A B A B …), so that what else the machine does meets both. `ratio` is the median of B / A. */
export async function inPairs(a, b, runs = RUNS) {
  const pairs = [];
  for (let run = 0; run < runs; run += 1) pairs.push({ a: await a(run), b: await b(run) });
  return {
    a: median(pairs.map((pair) => pair.a)),
    b: median(pairs.map((pair) => pair.b)),
    ratio: median(pairs.map((pair) => pair.b / pair.a)),
  };
}

export async function repeat(task, runs = RUNS) {
  const values = [];
  for (let run = 0; run < runs; run += 1) values.push(await task(run));
  return values;
}

/** A `node` process. `until` resolves when standard error has a match, `exited` at its end; both to milliseconds on one clock. */
export function startNode(args, options) {
  const begun = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
  let said = "";
  child.stdout.resume();
  const exited = new Promise((resolve) => child.once("exit", () => resolve(performance.now())));
  const until = (pattern) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(said);
        if (match !== null) resolve({ at: performance.now(), match });
      };
      child.stderr.on("data", look);
      child.once("close", () => reject(new Error(`ended before ${pattern}: ${said}`)));
      look();
    });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    said += text;
  });
  return { child, begun, exited, until };
}

/** Resident memory of a process in MB, now and at most so far. Linux only; NaN elsewhere. */
export function resident(pid) {
  const status = fromProc(`/proc/${pid}/status`);
  const megabytes = (name) =>
    (Number(new RegExp(`^${name}:\\s*(\\d+) kB`, "m").exec(status)?.[1]) * 1024) / 1e6;
  return { now: megabytes("VmRSS"), most: megabytes("VmHWM") };
}

/** Processor time that all threads of a process used so far, in milliseconds. Linux only; NaN elsewhere. */
export function processorTime(pid) {
  const used = threads(pid).map((thread) => Number(fromProc(`${thread}/schedstat`).split(" ")[0]) / 1e6);
  return used.length === 0 ? Number.NaN : used.reduce((sum, time) => sum + time, 0);
}

function threads(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`);
  } catch {
    return [];
  }
}

function fromProc(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
