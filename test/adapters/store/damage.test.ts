/** A data file that something has spoilt: what can be read is read, what cannot is named, and the process lives. */
import { readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../../../src/adapters/store/open.ts";
import type { Store } from "../../../src/core/ports.ts";
import { editFile, replaceAll, temporaryFolder } from "./places.ts";

const PAGE = 4096;
const MANY = Array.from({ length: 300 }, (_, index) => `record/${String(index).padStart(3, "0")}`);

let dir: string;
let file: string;
let damaged: string[];

const open = (): Promise<Store> =>
  openStore({ dir, onDamaged: (key, error) => damaged.push(`${error.code} ${key}`) });

const keysOf = async (store: Store): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of store.list("record/")) keys.push(key);
  return keys;
};

beforeEach(async () => {
  damaged = [];
  dir = await temporaryFolder();
  file = join(dir, "store.mdb");
  const store = await open();
  await Promise.all(MANY.map((key) => store.save(key, { key, pad: "x".repeat(100) }, 0)));
  await store.close();
});

afterEach(async () => {
  await rm(dir, { recursive: true });
});

describe("a data file that is spoilt as a whole", () => {
  it.each([
    ["a text", async () => writeFile(file, "This is no database.\n".repeat(1_000))],
    ["a few bytes", async () => writeFile(file, "no")],
    ["zeros", async () => editFile(file, (bytes) => bytes.fill(0))],
    ["without its first page", async () => editFile(file, (bytes) => bytes.fill(0, 0, PAGE))],
    [
      "with noise for its second page",
      async () => editFile(file, (bytes) => bytes.fill("~", PAGE, 2 * PAGE)),
    ],
    ["cut off", async () => truncate(file, 10 * PAGE)],
  ])("is refused when it is %s, and left as it is", async (_, spoil) => {
    await spoil();
    const before = await readFile(file);
    await expect(open()).rejects.toMatchObject({
      code: "damaged",
      message: expect.stringContaining(file),
      help: expect.stringContaining("restore a backup"),
    });
    expect((await readFile(file)).equals(before)).toBe(true);
  });

  it("is refused when a newer LMDB made it", async () => {
    await editFile(file, (bytes) => {
      for (const page of [0, PAGE]) bytes.writeUInt16LE(3, page + 28);
    });
    await expect(open()).rejects.toMatchObject({ code: "store_newer" });
  });
});

describe("a data file with a page that cannot be read", () => {
  let store: Store;

  beforeEach(async () => {
    await editFile(file, (bytes) => {
      for (let at = bytes.indexOf("record/150"); at !== -1; at = bytes.indexOf("record/150", at + 1)) {
        const page = at - (at % PAGE);
        bytes.fill(0, page, page + PAGE);
      }
    });
    store = await open();
  });

  afterEach(async () => {
    await store.close();
  });

  it("refuses the records on it and gives all others, in any order", async () => {
    const refused: string[] = [];
    for (const key of MANY.toReversed()) {
      const found = await store.load(key).catch((error) => error);
      if ("code" in found) refused.push(key);
      else expect(found).toMatchObject({ value: { key }, version: 1 });
    }
    expect(refused).toContain("record/150");
    expect(refused.length).toBeLessThan(50);
    await expect(store.load("record/150")).rejects.toMatchObject({
      code: "damaged",
      fields: { setAside: false },
    });
  });

  it("lists the records on both sides of it, time and again", async () => {
    for (let turn = 1; turn <= 200; turn += 1) {
      const keys = await keysOf(store);
      expect(keys).toEqual(MANY.filter((key) => keys.includes(key)));
      expect(keys).toEqual(expect.arrayContaining(["record/000", "record/299"]));
      expect(keys.length).toBeGreaterThan(250);
      expect(damaged).toHaveLength(turn);
    }
    expect(new Set(damaged)).toEqual(new Set(["damaged record/"]));
  });

  it("saves the others, even together with one that cannot be", async () => {
    const saving = ["record/000", "record/150", "record/299"].map((key) => store.save(key, "new", 1));
    const ended = await Promise.allSettled(saving);
    expect(ended).toMatchObject([{ value: 2 }, { reason: { code: "damaged" } }, { value: 2 }]);
    expect(await store.load("record/000")).toEqual({ value: "new", version: 2 });
  });
});

describe("bytes that changed", () => {
  it("are found even where they are still JSON", async () => {
    await editFile(file, (bytes) => replaceAll(bytes, '"key":"record/007"', '"key":"record/OO7"'));
    const store = await open();
    await expect(store.load("record/007")).rejects.toMatchObject({ code: "damaged" });
    const kept = await store.load("damaged/record/007");
    expect(Buffer.from(JSON.stringify(kept?.value)).toString()).toContain("record/007");
    await store.close();
  });
});
