import type { Clock } from "../../src/core/ports.ts";

/** A clock that only moves when told to. */
export interface ManualClock extends Clock {
  /** Moves on, calling back what falls due in order of time; during each callback `now` is its time. */
  advance(ms: number): void;
}

export function manualClock(start = Date.UTC(2026, 10, 30, 10)): ManualClock {
  let time = start;
  const alarms = new Set<{ when: number; callback: () => void }>();

  const nextUntil = (end: number) =>
    [...alarms].filter((alarm) => alarm.when <= end).sort((one, other) => one.when - other.when)[0];

  return {
    now: () => time,
    at(when, callback) {
      const alarm = { when, callback };
      alarms.add(alarm);
      return () => alarms.delete(alarm);
    },
    advance(ms) {
      const end = time + ms;
      for (let alarm = nextUntil(end); alarm !== undefined; alarm = nextUntil(end)) {
        alarms.delete(alarm);
        time = Math.max(time, alarm.when);
        alarm.callback();
      }
      time = end;
    },
  };
}
