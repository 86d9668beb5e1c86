import { expect, test } from "vitest";
import { countTroubles } from "../../../src/adapters/link/troubles.ts";

/** Troubles on a clock that is told how long each try had the call. */
function row() {
  let now = 0;
  const troubles = countTroubles(() => now);
  const lost = (heldMs: number, restMs: number): number | null => {
    now += heldMs;
    const enough = troubles.another();
    now += restMs;
    troubles.tryAgain();
    return enough;
  };
  return { troubles, lost };
}

test("bots that go away soon, again and again for a minute, are beyond help", () => {
  const { lost } = row();
  for (let second = 0; second < 60; second += 5) expect(lost(0, 5000)).toBeNull();
  expect(lost(0, 5000)).toBeNull();
  expect(lost(0, 5000)).toBe(14);
});

test("a few are not, however long they took", () => {
  const { lost } = row();
  for (const _ of [1, 2, 3, 4, 5]) expect(lost(0, 60_000)).toBeNull();
  expect(lost(0, 0)).toBe(6);
});

test("one that had the call for a while did not go away because of it", () => {
  const { lost } = row();
  for (let kill = 0; kill < 100; kill += 1) expect(lost(2000, 5000)).toBeNull();
});

test("an answer ends the row", () => {
  const { lost, troubles } = row();
  for (let kill = 0; kill < 100; kill += 1) {
    expect(lost(0, 50_000)).toBeNull();
    troubles.forget();
  }
});
