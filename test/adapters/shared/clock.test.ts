import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemClock } from "../../../src/adapters/shared/clock.ts";

const DAY_MS = 86_400_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("an alarm further away than 2^31 ms rings when it is due, and once", async () => {
  let rung = 0;
  systemClock.at(systemClock.now() + 40 * DAY_MS, () => {
    rung += 1;
  });
  await vi.advanceTimersByTimeAsync(40 * DAY_MS - 1);
  expect(rung).toBe(0);
  await vi.advanceTimersByTimeAsync(DAY_MS);
  expect(rung).toBe(1);
});

test("an alarm in the past rings at once, but not before `at` has returned", async () => {
  let rung = false;
  systemClock.at(systemClock.now() - 1, () => {
    rung = true;
  });
  expect(rung).toBe(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(rung).toBe(true);
});

test("an alarm that is called off stays silent, however long it was armed", async () => {
  let rung = false;
  const off = systemClock.at(systemClock.now() + 3 * DAY_MS, () => {
    rung = true;
  });
  await vi.advanceTimersByTimeAsync(2 * DAY_MS);
  off();
  await vi.advanceTimersByTimeAsync(2 * DAY_MS);
  expect(rung).toBe(false);
});

test("a machine that slept past a deadline finds it within a minute", async () => {
  let rung = false;
  systemClock.at(systemClock.now() + DAY_MS, () => {
    rung = true;
  });
  vi.setSystemTime(Date.now() + 2 * DAY_MS);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(rung).toBe(true);
});
