import type { Clock } from "../../core/ports.ts";

/** Looked at again at least this often, so that a machine that slept finds its deadlines soon after it wakes. */
const LOOK_AGAIN_MS = 60_000;

/** The machine's clock. Its timers reach any distance (setTimeout alone ends at 2^31 ms) and keep no process alive. */
export const systemClock: Clock = { now: Date.now, at };

function at(when: number, callback: () => void): () => void {
  let timer: NodeJS.Timeout;
  const arm = (): void => {
    const left = Math.max(when - Date.now(), 0);
    timer = setTimeout(look, Math.min(left, LOOK_AGAIN_MS)).unref();
  };
  const look = (): void => (Date.now() < when ? arm() : callback());
  arm();
  return () => clearTimeout(timer);
}
