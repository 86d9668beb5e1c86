/** Run bundled, in a process of its own: the engine on a store, picked at a rate. Prints the times as JSON. */
import { readFileSync } from "node:fs";
import { systemClock } from "../src/adapters/shared/clock.ts";
import { chance, openState } from "../src/cli/compose.ts";
import { createEngine } from "../src/core/engine.ts";
import { atRate } from "./rate.mjs";

const WARM_MS = 4_000;
const MEASURED_MS = 10_000;

const [stateDir, targetsFile] = process.argv.slice(2);
const targets = JSON.parse(readFileSync(targetsFile, "utf8"));
const log = { info() {}, warn: console.error, error: console.error };
const { store, id } = await openState(stateDir, log);
const local = { id: "local:bench", name: "bench" };
const parts = { store, storeId: id, clock: systemClock, chance, log, surfaces: [], page: null, local };
const engine = await createEngine(parts);

let presses = 0;
async function pick() {
  presses += 1;
  const { session, button } = targets[Math.floor(Math.random() * targets.length)];
  const values = [Math.random() < 0.5 ? "o0" : "o1"];
  const press = { surface: "web", id: `i${presses}`, button, values, words: null };
  const answer = await engine.act(session, press);
  if (answer.kind !== "done") throw new Error(`not taken: ${JSON.stringify(answer)}`);
}

await atRate(WARM_MS, pick);
const times = await atRate(MEASURED_MS, pick);
await engine.stop();
await store.close();
console.log(JSON.stringify({ times }));
