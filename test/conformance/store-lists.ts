/** What every store does with many records, when it is opened again, and with records that are damaged. */
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { all, type Bench, clear } from "./store-bench.ts";

export function listCases(bench: Bench): void {
  describe("list", () => {
    it("gives the records under a prefix, in key order, with their versions", async () => {
      for (const key of ["round/b", "round/a", "rounds/a", "round", "session/a"])
        await bench.store.save(key, key, 0);
      await bench.store.save("round/a", "changed", 1);
      expect(await all(bench.store, "round/")).toEqual([
        { key: "round/a", value: "changed", version: 2 },
        { key: "round/b", value: "round/b", version: 1 },
      ]);
      expect(await all(bench.store, "none/")).toEqual([]);
      expect((await all(bench.store, "")).map((entry) => entry.key)).toEqual([
        "round",
        "round/a",
        "round/b",
        "rounds/a",
        "session/a",
      ]);
    });

    it("orders any keys by their UTF-8 bytes", async () => {
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(fc.string({ unit: "binary", minLength: 1 })), async (keys) => {
          await clear(bench.store);
          await Promise.all(keys.map((key) => bench.store.save(key, null, 0)));
          const bytes = keys.map((key) => Buffer.from(key)).sort(Buffer.compare);
          expect((await all(bench.store, "")).map((entry) => entry.key)).toEqual(bytes.map(String));
        }),
        { numRuns: 15 },
      );
    });

    it("lets records be saved and removed while it goes on", async () => {
      for (const key of ["a", "b", "c"]) await bench.store.save(key, 1, 0);
      const seen: string[] = [];
      for await (const { key } of bench.store.list("")) {
        seen.push(key);
        if (key === "a") await bench.store.remove("b");
        await bench.store.save(`${key}/copy`, 1, 0);
      }
      expect(seen).toEqual(["a", "c"]);
      expect(await all(bench.store, "")).toHaveLength(4);
    });

    it("can be left early, many times", async () => {
      for (const key of ["a", "b", "c"]) await bench.store.save(key, 1, 0);
      for (let turn = 0; turn < 300; turn += 1) {
        for await (const { key } of bench.store.list("")) if (key === "a") break;
      }
      expect(await all(bench.store, "")).toHaveLength(3);
    });
  });

  describe("many at once and again", () => {
    it("saves 500 keys at once", async () => {
      const keys = Array.from({ length: 500 }, (_, index) => `round/${String(index).padStart(3, "0")}`);
      await Promise.all(keys.map((key) => bench.store.save(key, { key }, 0)));
      await bench.reopen();
      expect(await all(bench.store, "round/")).toEqual(
        keys.map((key) => ({ key, value: { key }, version: 1 })),
      );
    });

    it("finds everything after it was closed", async () => {
      await bench.store.save("session/a", { n: 1 }, 0);
      await bench.store.save("session/a", { n: 2 }, 1);
      await bench.store.save("session/b", { n: 1 }, 0);
      await bench.store.remove("session/b");
      await bench.reopen();
      expect(await all(bench.store, "")).toEqual([{ key: "session/a", value: { n: 2 }, version: 2 }]);
      expect(await bench.store.save("session/a", { n: 3 }, 2)).toBe(3);
    });

    it("writes what was asked for before it closes", async () => {
      const saving = [bench.store.save("a", 1, 0), bench.store.save("b", 1, 0)];
      await Promise.all([...saving, bench.store.close()]);
      await bench.open();
      expect(await all(bench.store, "")).toHaveLength(2);
    });

    it("answers nothing once closed, and closes twice", async () => {
      await bench.store.save("a", 1, 0);
      await bench.store.close();
      await bench.store.close();
      const closed = { code: "store_failed", message: "The store is closed." };
      await expect(bench.store.load("a")).rejects.toMatchObject(closed);
      await expect(bench.store.save("a", 2, 1)).rejects.toMatchObject(closed);
      await expect(bench.store.remove("a")).rejects.toMatchObject(closed);
      await expect(all(bench.store, "")).rejects.toMatchObject(closed);
    });
  });

  describe("a damaged record", () => {
    beforeEach(async () => {
      for (const key of ["a", "b", "c"]) await bench.store.save(key, { key }, 0);
      await bench.store.close();
      await bench.place.damage("b");
      await bench.open();
    });

    it("is refused by load, and kept under damaged/", async () => {
      await expect(bench.store.load("b")).rejects.toMatchObject({
        code: "damaged",
        fields: { key: "b", setAside: true },
      });
      expect(await bench.store.load("b")).toBeUndefined();
      expect(await bench.store.load("damaged/b")).toEqual({
        value: { key: "b", bytes: expect.stringMatching(/^[\w+/]+=*$/) },
        version: 1,
      });
    });

    it("is reported by list, and passed over", async () => {
      expect(await all(bench.store, "")).toEqual([
        { key: "a", value: { key: "a" }, version: 1 },
        { key: "c", value: { key: "c" }, version: 1 },
      ]);
      expect(bench.damaged).toEqual(["damaged b"]);
      expect((await all(bench.store, "")).map((entry) => entry.key)).toEqual(["a", "c", "damaged/b"]);
      expect(bench.damaged).toEqual(["damaged b"]);
    });

    it("leaves the others alone, and its key free", async () => {
      await expect(bench.store.load("b")).rejects.toMatchObject({ code: "damaged" });
      expect(await bench.store.save("a", "still", 1)).toBe(2);
      expect(await bench.store.save("b", "anew", 0)).toBe(1);
      await bench.reopen();
      expect(await bench.store.load("b")).toEqual({ value: "anew", version: 1 });
      expect(await bench.store.load("a")).toEqual({ value: "still", version: 2 });
    });
  });
}
