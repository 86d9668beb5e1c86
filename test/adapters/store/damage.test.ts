/** A data file that something has spoilt: what can be read is read, what cannot is named, and the process lives. */
import { readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../../../src/adapters/store/open.ts";
import type { Store } from "../../../src/core/ports.ts";
import { editFile, replaceAll, temporaryFolder } from "./places.ts";

const PAGE = 4096;
const MANY = Array.from({ length: 300 }, (_, index) => `record/${String(index).padStart(3, "0")}`);
/** Its value stands on pages of its own. */
const LARGE = "record/150";

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
  const pad = (key: string): string => "x".repeat(key === LARGE ? 5_000 : 100);
  await Promise.all(MANY.map((key) => store.save(key, { key, pad: pad(key) }, 0)));
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

describe("a data file that was not closed well", () => {
  it("is read through and opened as it is when it is sound", async () => {
    await rm(`${file}-closed`);
    const store = await open();
    expect(await keysOf(store)).toEqual(MANY);
    expect(damaged).toEqual([]);
    await store.close();
  });

  it("is not taken for closed while it is open", async () => {
    const store = await open();
    expect(await readdir(dir)).not.toContain("store.mdb-closed");
    await store.close();
    expect(await readdir(dir)).toContain("store.mdb-closed");
  });
});

describe("a data file with spoilt pages", () => {
  /** Every page that has the record, in its present or an older state. */
  const spoilPagesOf = (key: string, spoil: (page: Buffer) => void): Promise<void> =>
    editFile(file, (bytes) => {
      for (let at = bytes.indexOf(key); at !== -1; at = bytes.indexOf(key, at + PAGE - (at % PAGE))) {
        spoil(bytes.subarray(at - (at % PAGE), at - (at % PAGE) + PAGE));
      }
    });

  it.each([
    ["zeros", (page: Buffer) => page.fill(0)],
    ["noise", (page: Buffer) => page.fill("#~x1")],
    ["another page's number", (page: Buffer) => page.writeUInt32LE(1)],
    ["a transaction that has not been", (page: Buffer) => page.writeUInt8(1, 15)],
    [
      "a value beyond the file",
      (page: Buffer) => page.writeUIntLE(2 ** 40, page.indexOf(LARGE) + LARGE.length, 6),
    ],
    ["an entry in the gap", (page: Buffer) => page.writeUInt16LE(page.readUInt16LE(20), 24)],
    ["an entry that begins outside", (page: Buffer) => page.writeUInt16LE(0xfff0, 24)],
    ["an entry that ends outside", (page: Buffer) => page.writeUInt32LE(5_000, 24 + page.readUInt16LE(24))],
  ])("is replaced by one with the records that are left: %s", async (_, spoil) => {
    await spoilPagesOf(LARGE, spoil);
    const spoilt = await readFile(file);
    const store = await open();
    const left = await keysOf(store);
    expect(left).toEqual(MANY.filter((key) => left.includes(key)));
    expect(left.length).toBeGreaterThan(250);
    expect(left).not.toContain(LARGE);
    expect(damaged).toEqual([`damaged ${file}`]);
    expect((await readFile(`${file}.damaged-1`)).equals(spoilt)).toBe(true);
    expect(await store.save("record/000", "new", 1)).toBe(2);
    expect(await store.save(LARGE, "anew", 0)).toBe(1);
    await store.close();
  });

  it("is replaced, and loses nothing, when only the head of a large value is spoilt", async () => {
    const begins = (page: Buffer): boolean => page.readUInt16LE(18) === 4;
    await spoilPagesOf(LARGE, (page) => begins(page) && page.writeUInt8(1, 15));
    const store = await open();
    expect(damaged).toEqual([`damaged ${file}`]);
    expect(await keysOf(store)).toEqual(MANY);
    expect(await store.save(LARGE, "new", 1)).toBe(2);
    await store.close();
  });

  it("is replaced once, and again when it is spoilt again", async () => {
    await spoilPagesOf(LARGE, (page) => page.fill(0));
    await (await open()).close();
    await (await open()).close();
    expect(damaged).toHaveLength(1);
    await spoilPagesOf("record/000", (page) => page.fill(0));
    await (await open()).close();
    expect((await readdir(dir)).sort()).toEqual([
      "store.mdb",
      "store.mdb-closed",
      "store.mdb-lock",
      "store.mdb.damaged-1",
      "store.mdb.damaged-2",
    ]);
  });

  it("is refused when nothing is left, and left as it is", async () => {
    await editFile(file, (bytes) => bytes.fill(0, 2 * PAGE));
    const before = await readFile(file);
    await expect(open()).rejects.toMatchObject({
      code: "damaged",
      message: expect.stringContaining("any more"),
    });
    expect((await readFile(file)).equals(before)).toBe(true);
    expect((await readdir(dir)).sort()).toEqual(["store.mdb", "store.mdb-lock"]);
  });

  it("loses few records, whichever page it is; all only with the root of the tree", async () => {
    const whole = await readFile(file);
    const refused: unknown[] = [];
    for (let at = 2 * PAGE; at < whole.length; at += PAGE) {
      const used = whole.readUIntLE(at, 6) === at / PAGE;
      if (!used) continue;
      await writeFile(file, Buffer.from(whole).fill("#~x1", at, at + PAGE));
      const store = await open().catch((error) => void refused.push(error));
      if (store === undefined) continue;
      expect((await keysOf(store)).length).toBeGreaterThan(250);
      await store.save("record/new", 1, 0);
      await store.close();
    }
    expect(refused).toMatchObject([{ code: "damaged" }]);
  });
});

describe("bytes that changed", () => {
  it("are found even where they are still JSON", async () => {
    await editFile(file, (bytes) => replaceAll(bytes, '"key":"record/007"', '"key":"record/OO7"'));
    const store = await open();
    await expect(store.load("record/007")).rejects.toMatchObject({ code: "damaged" });
    expect(await store.load("damaged/record/007")).toMatchObject({ value: { key: "record/007" } });
    await store.close();
  });

  it("are found in a key, too", async () => {
    await editFile(file, (bytes) => replaceAll(bytes, "record/299", "record/29:"));
    const store = await open();
    expect(await store.load("record/299")).toBeUndefined();
    await expect(store.load("record/29:")).rejects.toMatchObject({ code: "damaged" });
    await store.close();
  });
});
