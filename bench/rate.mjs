import { setTimeout as sleep } from "node:timers/promises";

export const PER_SECOND = 200;

/** Calls `task` so many times a second, whether earlier calls have ended or not. Resolves to how long each took, in milliseconds. */
export async function atRate(forMs, task) {
  const begun = performance.now();
  const count = Math.round((forMs * PER_SECOND) / 1_000);
  const runs = [];
  const timed = async () => {
    const sent = performance.now();
    await task();
    return performance.now() - sent;
  };
  while (runs.length < count) {
    const late = performance.now() - begun - (runs.length * 1_000) / PER_SECOND;
    if (late < 0) await sleep(-late);
    else runs.push(timed());
  }
  return Promise.all(runs);
}
