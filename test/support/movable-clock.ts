import { systemClock } from "../../src/adapters/shared/clock.ts";
import type { Clock } from "../../src/core/ports.ts";

/** The machine's clock, which a test can put forward: what is due by then is called back soon after. */
export function movableClock(): Clock & { forward(ms: number): void } {
  let ahead = 0;
  const alarms = new Set<() => void>();
  const at: Clock["at"] = (when, callback) => {
    let off = (): void => {};
    const set = (): void => {
      off();
      off = systemClock.at(when - ahead, () => {
        alarms.delete(set);
        callback();
      });
    };
    alarms.add(set);
    set();
    return () => {
      alarms.delete(set);
      off();
    };
  };
  return {
    now: () => systemClock.now() + ahead,
    at,
    forward(ms) {
      ahead += ms;
      for (const set of [...alarms]) set();
    },
  };
}
