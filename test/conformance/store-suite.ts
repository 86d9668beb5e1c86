/** What every store must do. Called once per store with a way to get a fresh place for one. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OnDamaged } from "../../src/adapters/store/store.ts";
import type { Store, StoredEntry } from "../../src/core/ports.ts";

/** A place where one store lives: what is saved there is found by the next store that is opened. */
export interface StorePlace {
  open(onDamaged: OnDamaged): Promise<Store>;
  /** Changes the stored bytes of a record, while no store is open. */
  damage(key: string): Promise<void>;
  remove(): Promise<void>;
}

export function storeSuite(name: string, makePlace: () => Promise<StorePlace>): void {
  describe(`${name} store`, () => {
    let place: StorePlace;
    let store: Store;
    let damaged: string[];

    const open = async (): Promise<Store> => place.open((key, error) => damaged.push(`${error.code} ${key}`));
    const reopen = async (): Promise<void> => {
      await store.close();
      store = await open();
    };

    beforeEach(async () => {
      damaged = [];
      place = await makePlace();
      store = await open();
    });

    afterEach(async () => {
      await store.close();
      await place.remove();
    });

    describe("load and save", () => {
      it("finds nothing where nothing was saved", async () => {
        expect(await store.load("session/a")).toBeUndefined();
      });

      it("counts versions from 1 and gives back the last value", async () => {
        expect(await store.save("session/a", { title: "one" }, 0)).toBe(1);
        expect(await store.save("session/a", { title: "two" }, 1)).toBe(2);
        expect(await store.load("session/a")).toEqual({ value: { title: "two" }, version: 2 });
      });

      it("gives back a value of its own, not the one that was saved", async () => {
        const value = { picks: ["a"] };
        await store.save("session/a", value, 0);
        value.picks.push("b");
        expect(await store.load("session/a")).toEqual({ value: { picks: ["a"] }, version: 1 });
      });

      it("keeps any JSON value as it is", async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(fc.jsonValue(), { minLength: 20, maxLength: 40 }), async (values) => {
            await clear(store);
            await Promise.all(values.map((value, index) => store.save(`any/${index}`, value, 0)));
            for (const [index, value] of values.entries()) {
              expect(JSON.stringify(await store.load(`any/${index}`))).toBe(
                JSON.stringify({ version: 1, value }),
              );
            }
          }),
          { numRuns: 5 },
        );
      });

      it("keeps strings that Keyv itself gives a meaning", async () => {
        const value = { a: ":base64:aGk=", b: ":x", "keyv:c": "keyv:d", value: null, expires: 1 };
        await store.save("odd", value, 0);
        expect(await store.load("odd")).toEqual({ value, version: 1 });
      });

      it("keeps 2 MB", async () => {
        const value = { markdown: "plän\n".repeat(400_000) };
        await store.save("payload/large", value, 0);
        await reopen();
        expect(await store.load("payload/large")).toEqual({ value, version: 1 });
      });

      it.each([undefined, () => 1, Symbol("s"), 1n])("refuses %s, which JSON cannot carry", async (value) => {
        await expect(store.save("session/a", value, 0)).rejects.toBeInstanceOf(TypeError);
        expect(await store.load("session/a")).toBeUndefined();
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
        for (const key of ODD) await store.save(key, { key }, 0);
        await reopen();
        for (const key of ODD) expect(await store.load(key)).toEqual({ value: { key }, version: 1 });
      });

      it.each(["", "x".repeat(1_001), "\ud800"])("refuses the key %j", async (key) => {
        await expect(store.save(key, 1, 0)).rejects.toBeInstanceOf(RangeError);
        await expect(store.load(key)).rejects.toBeInstanceOf(RangeError);
        await expect(store.remove(key)).rejects.toBeInstanceOf(RangeError);
      });
    });

    describe("expected versions", () => {
      it("refuses to create what is there", async () => {
        await store.save("session/a", "first", 0);
        await expect(store.save("session/a", "second", 0)).rejects.toMatchObject({ code: "conflict" });
        expect(await store.load("session/a")).toEqual({ value: "first", version: 1 });
      });

      it("refuses a stale version, one that is not there yet, and one of nothing", async () => {
        await store.save("session/a", 1, 0);
        await store.save("session/a", 2, 1);
        for (const expected of [1, 3]) {
          await expect(store.save("session/a", 9, expected)).rejects.toMatchObject({ code: "conflict" });
        }
        await expect(store.save("session/b", 9, 1)).rejects.toMatchObject({ code: "conflict" });
        expect(await all(store, "")).toEqual([{ key: "session/a", value: 2, version: 2 }]);
      });

      it("says in a conflict which record it was, and what to do", async () => {
        await store.save("session/a", 1, 0);
        await expect(store.save("session/a", 1, 0)).rejects.toMatchObject({
          fields: { key: "session/a", expected: 0 },
          help: expect.stringContaining("Load the record again"),
        });
      });

      it.each([0, 1])("lets exactly one of twenty racing writers at version %i win", async (expected) => {
        if (expected === 1) await store.save("session/a", "before", 0);
        const racing = Array.from({ length: 20 }, (_, writer) => store.save("session/a", writer, expected));
        const ended = await Promise.allSettled(racing);
        const winners = ended.flatMap((end, writer) => (end.status === "fulfilled" ? [writer] : []));
        expect(winners).toHaveLength(1);
        expect(await store.load("session/a")).toEqual({ value: winners[0], version: expected + 1 });
        for (const end of ended) {
          if (end.status === "rejected") expect(end.reason).toMatchObject({ code: "conflict" });
        }
      });

      it("loses no change when writers load, change and try again", async () => {
        await store.save("counter", 0, 0);
        await Promise.all(Array.from({ length: 20 }, () => increment(store, "counter")));
        expect(await store.load("counter")).toEqual({ value: 20, version: 21 });
      });
    });

    describe("remove", () => {
      it("removes, and what is saved then is new", async () => {
        await store.save("session/a", 1, 0);
        await store.save("session/a", 2, 1);
        await store.remove("session/a");
        expect(await store.load("session/a")).toBeUndefined();
        await expect(store.save("session/a", 3, 2)).rejects.toMatchObject({ code: "conflict" });
        expect(await store.save("session/a", 3, 0)).toBe(1);
      });

      it("is content when nothing is there", async () => {
        await store.save("session/a", 1, 0);
        await store.remove("session/b");
        expect(await all(store, "")).toHaveLength(1);
      });
    });

    describe("list", () => {
      it("gives the records under a prefix, in key order, with their versions", async () => {
        for (const key of ["round/b", "round/a", "rounds/a", "round", "session/a"])
          await store.save(key, key, 0);
        await store.save("round/a", "changed", 1);
        expect(await all(store, "round/")).toEqual([
          { key: "round/a", value: "changed", version: 2 },
          { key: "round/b", value: "round/b", version: 1 },
        ]);
        expect(await all(store, "none/")).toEqual([]);
        expect((await all(store, "")).map((entry) => entry.key)).toEqual([
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
            await clear(store);
            await Promise.all(keys.map((key) => store.save(key, null, 0)));
            const bytes = keys.map((key) => Buffer.from(key)).sort(Buffer.compare);
            expect((await all(store, "")).map((entry) => entry.key)).toEqual(bytes.map(String));
          }),
          { numRuns: 15 },
        );
      });

      it("lets records be saved and removed while it goes on", async () => {
        for (const key of ["a", "b", "c"]) await store.save(key, 1, 0);
        const seen: string[] = [];
        for await (const { key } of store.list("")) {
          seen.push(key);
          if (key === "a") await store.remove("b");
          await store.save(`${key}/copy`, 1, 0);
        }
        expect(seen).toEqual(["a", "c"]);
        expect(await all(store, "")).toHaveLength(4);
      });

      it("can be left early, many times", async () => {
        for (const key of ["a", "b", "c"]) await store.save(key, 1, 0);
        for (let turn = 0; turn < 300; turn += 1) {
          for await (const { key } of store.list("")) if (key === "a") break;
        }
        expect(await all(store, "")).toHaveLength(3);
      });
    });

    describe("many at once and again", () => {
      it("saves 500 keys at once", async () => {
        const keys = Array.from({ length: 500 }, (_, index) => `round/${String(index).padStart(3, "0")}`);
        await Promise.all(keys.map((key) => store.save(key, { key }, 0)));
        await reopen();
        expect(await all(store, "round/")).toEqual(keys.map((key) => ({ key, value: { key }, version: 1 })));
      });

      it("finds everything after it was closed", async () => {
        await store.save("session/a", { n: 1 }, 0);
        await store.save("session/a", { n: 2 }, 1);
        await store.save("session/b", { n: 1 }, 0);
        await store.remove("session/b");
        await reopen();
        expect(await all(store, "")).toEqual([{ key: "session/a", value: { n: 2 }, version: 2 }]);
        expect(await store.save("session/a", { n: 3 }, 2)).toBe(3);
      });

      it("writes what was asked for before it closes", async () => {
        const saving = [store.save("a", 1, 0), store.save("b", 1, 0)];
        await Promise.all([...saving, store.close()]);
        store = await open();
        expect(await all(store, "")).toHaveLength(2);
      });

      it("answers nothing once closed, and closes twice", async () => {
        await store.save("a", 1, 0);
        await store.close();
        await store.close();
        const closed = { code: "store_failed", message: "The store is closed." };
        await expect(store.load("a")).rejects.toMatchObject(closed);
        await expect(store.save("a", 2, 1)).rejects.toMatchObject(closed);
        await expect(store.remove("a")).rejects.toMatchObject(closed);
        await expect(all(store, "")).rejects.toMatchObject(closed);
      });
    });

    describe("a damaged record", () => {
      beforeEach(async () => {
        for (const key of ["a", "b", "c"]) await store.save(key, { key }, 0);
        await store.close();
        await place.damage("b");
        store = await open();
      });

      it("is refused by load, and kept under damaged/", async () => {
        await expect(store.load("b")).rejects.toMatchObject({
          code: "damaged",
          fields: { key: "b", setAside: true },
        });
        expect(await store.load("b")).toBeUndefined();
        expect(await store.load("damaged/b")).toEqual({
          value: { key: "b", bytes: expect.stringMatching(/^[\w+/]+=*$/) },
          version: 1,
        });
      });

      it("is reported by list, and passed over", async () => {
        expect(await all(store, "")).toEqual([
          { key: "a", value: { key: "a" }, version: 1 },
          { key: "c", value: { key: "c" }, version: 1 },
        ]);
        expect(damaged).toEqual(["damaged b"]);
        expect((await all(store, "")).map((entry) => entry.key)).toEqual(["a", "c", "damaged/b"]);
        expect(damaged).toEqual(["damaged b"]);
      });

      it("leaves the others alone, and its key free", async () => {
        await expect(store.load("b")).rejects.toMatchObject({ code: "damaged" });
        expect(await store.save("a", "still", 1)).toBe(2);
        expect(await store.save("b", "anew", 0)).toBe(1);
        await reopen();
        expect(await store.load("b")).toEqual({ value: "anew", version: 1 });
        expect(await store.load("a")).toEqual({ value: "still", version: 2 });
      });
    });
  });
}

async function all(store: Store, prefix: string): Promise<StoredEntry[]> {
  const entries: StoredEntry[] = [];
  for await (const entry of store.list(prefix)) entries.push(entry);
  return entries;
}

async function clear(store: Store): Promise<void> {
  await Promise.all((await all(store, "")).map(({ key }) => store.remove(key)));
}

async function increment(store: Store, key: string): Promise<void> {
  const found = await store.load(key);
  try {
    await store.save(key, Number(found?.value) + 1, found?.version ?? 0);
  } catch {
    await increment(store, key);
  }
}
