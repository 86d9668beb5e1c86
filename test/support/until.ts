import { vi } from "vitest";

/** Resolves as soon as the condition gives something true; a condition that throws is not met yet. */
export const until = <T>(condition: () => T | Promise<T>, timeout = 20_000): Promise<T> =>
  vi.waitFor(
    async () => {
      const met = await condition();
      if (!met) throw new Error(`not met: ${condition}`);
      return met;
    },
    { timeout, interval: 10 },
  );
