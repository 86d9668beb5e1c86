import { vi } from "vitest";

/** Resolves to what the condition gives as soon as that is true; a condition that throws is not met yet. */
export const until = <T>(condition: () => T | false | Promise<T | false>, timeout = 20_000): Promise<T> =>
  vi.waitFor(
    async () => {
      const met = await condition();
      if (met === false) throw new Error(`not met: ${condition}`);
      return met;
    },
    { timeout, interval: 10 },
  );
