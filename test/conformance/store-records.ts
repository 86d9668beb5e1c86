/** What every store does with single records. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { all, type Bench, clear, increment } from "./store-bench.ts";

export function recordCases(bench: Bench): void {
  describe("load and save", () => {
    it("finds nothing where nothing was saved", async () => {
      expect(await bench.store.load("session/a")).toBeUndefined();
    });

    it("counts versions from 1 and gives back the last value", async () => {
      expect(await bench.store.save("session/a", { title: "one" }, 0)).toBe(1);
      expect(await bench.store.save("session/a", { title: "two" }, 1)).toBe(2);
      expect(await bench.store.load("session/a")).toEqual({ value: { title: "two" }, version: 2 });
    });

    it("gives back a value of its own, not the one that was saved", async () => {
      const value = { picks: ["a"] };
      await bench.store.save("session/a", value, 0);
      value.picks.push("b");
      expect(await bench.store.load("session/a")).toEqual({ value: { picks: ["a"] }, version: 1 });
    });

    it("keeps any JSON value as it is", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.jsonValue(), { minLength: 20, maxLength: 40 }), async (values) => {
          await clear(bench.store);
          await Promise.all(values.map((value, index) => bench.store.save(`any/${index}`, value, 0)));
          for (const [index, value] of values.entries()) {
            expect(JSON.stringify(await bench.store.load(`any/${index}`))).toBe(
              JSON.stringify({ version: 1, value }),
            );
          }
        }),
        { numRuns: 5 },
      );
    });

    it("keeps strings that Keyv itself gives a meaning", async () => {
      const value = { a: ":base64:aGk=", b: ":x", "keyv:c": "keyv:d", value: null, expires: 1 };
      await bench.store.save("odd", value, 0);
      expect(await bench.store.load("odd")).toEqual({ value, version: 1 });
    });

    it("keeps 2 MB", async () => {
      const value = { markdown: "plän\n".repeat(400_000) };
      await bench.store.save("payload/large", value, 0);
      await bench.reopen();
      expect(await bench.store.load("payload/large")).toEqual({ value, version: 1 });
    });

    it.each([undefined, () => 1, Symbol("s"), 1n])("refuses %s, which JSON cannot carry", async (value) => {
      await expect(bench.store.save("session/a", value, 0)).rejects.toBeInstanceOf(TypeError);
      expect(await bench.store.load("session/a")).toBeUndefined();
    });
  });

  describe("keys", () => {
    const ODD = [
      "__proto__",
      "constructor",
      "keyv:a",
      "a",
      ":",
      "a/../b",
      "Ünïcode/日本/🗝️",
      "a\u0000b",
      "\n",
      "x".repeat(1_000),
    ];

    it("keeps odd keys apart", async () => {
      for (const key of ODD) await bench.store.save(key, { key }, 0);
      await bench.reopen();
      for (const key of ODD) expect(await bench.store.load(key)).toEqual({ value: { key }, version: 1 });
    });

    it.each(["", "x".repeat(1_001), "\ud800"])("refuses the key %j", async (key) => {
      await expect(bench.store.save(key, 1, 0)).rejects.toBeInstanceOf(RangeError);
      await expect(bench.store.load(key)).rejects.toBeInstanceOf(RangeError);
      await expect(bench.store.remove(key)).rejects.toBeInstanceOf(RangeError);
    });
  });

  describe("expected versions", () => {
    it("refuses to create what is there", async () => {
      await bench.store.save("session/a", "first", 0);
      await expect(bench.store.save("session/a", "second", 0)).rejects.toMatchObject({
        code: "conflict",
      });
      expect(await bench.store.load("session/a")).toEqual({ value: "first", version: 1 });
    });

    it("refuses a stale version, one that is not there yet, and one of nothing", async () => {
      await bench.store.save("session/a", 1, 0);
      await bench.store.save("session/a", 2, 1);
      for (const expected of [1, 3]) {
        await expect(bench.store.save("session/a", 9, expected)).rejects.toMatchObject({
          code: "conflict",
        });
      }
      await expect(bench.store.save("session/b", 9, 1)).rejects.toMatchObject({ code: "conflict" });
      expect(await all(bench.store, "")).toEqual([{ key: "session/a", value: 2, version: 2 }]);
    });

    it("says in a conflict which record it was, and what to do", async () => {
      await bench.store.save("session/a", 1, 0);
      await expect(bench.store.save("session/a", 1, 0)).rejects.toMatchObject({
        fields: { key: "session/a", expected: 0 },
        help: expect.stringContaining("Load the record again"),
      });
    });

    it.each([0, 1])("lets exactly one of twenty racing writers at version %i win", async (expected) => {
      if (expected === 1) await bench.store.save("session/a", "before", 0);
      const racing = Array.from({ length: 20 }, (_, writer) =>
        bench.store.save("session/a", writer, expected),
      );
      const ended = await Promise.allSettled(racing);
      const winners = ended.flatMap((end, writer) => (end.status === "fulfilled" ? [writer] : []));
      expect(winners).toHaveLength(1);
      expect(await bench.store.load("session/a")).toEqual({ value: winners[0], version: expected + 1 });
      for (const end of ended) {
        if (end.status === "rejected") expect(end.reason).toMatchObject({ code: "conflict" });
      }
    });

    it("loses no change when writers load, change and try again", async () => {
      await bench.store.save("counter", 0, 0);
      await Promise.all(Array.from({ length: 20 }, () => increment(bench.store, "counter")));
      expect(await bench.store.load("counter")).toEqual({ value: 20, version: 21 });
    });
  });

  describe("remove", () => {
    it("removes, and what is saved then is new", async () => {
      await bench.store.save("session/a", 1, 0);
      await bench.store.save("session/a", 2, 1);
      await bench.store.remove("session/a");
      expect(await bench.store.load("session/a")).toBeUndefined();
      await expect(bench.store.save("session/a", 3, 2)).rejects.toMatchObject({ code: "conflict" });
      expect(await bench.store.save("session/a", 3, 0)).toBe(1);
    });

    it("is content when nothing is there", async () => {
      await bench.store.save("session/a", 1, 0);
      await bench.store.remove("session/b");
      expect(await all(bench.store, "")).toHaveLength(1);
    });
  });
}
