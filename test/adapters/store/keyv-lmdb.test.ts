/** Keyv's own suite against the LMDB adapter, with every store opened over one file as the suite expects. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyvIteratorTests, default as keyvSuite } from "@keyv/test-suite";
import { Keyv } from "keyv";
import * as vitest from "vitest";
import { KeyvLmdb } from "../../../src/adapters/store/keyv-lmdb.ts";
import { LmdbTable } from "../../../src/adapters/store/lmdb-table.ts";

const { afterAll, describe, expect, it } = vitest;

const dir = await mkdtemp(join(tmpdir(), "askgate-keyv-"));
const table = await LmdbTable.open(join(dir, "keyv.mdb"));

afterAll(async () => {
  await table.close();
  await rm(dir, { recursive: true });
});

describe("Keyv over LMDB", () => {
  keyvSuite(vitest, Keyv, () => new KeyvLmdb(table));
  keyvIteratorTests(vitest, Keyv, () => new KeyvLmdb(table));

  it("iterates in key order, within its namespace", async () => {
    const one = new Keyv({ store: new KeyvLmdb(table), namespace: "one" });
    const other = new Keyv({ store: new KeyvLmdb(table), namespace: "other" });
    for (const key of ["b", "a", "c"]) await one.set(key, key);
    await other.set("a", "other's");
    const found: unknown[] = [];
    for await (const [key] of one.iterator?.(undefined) ?? []) found.push(key);
    expect(found).toEqual(["a", "b", "c"]);
  });
});
