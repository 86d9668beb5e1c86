/** Both stores against the one suite, and what only the file of the embedded one has: modes, a schema, one owner. */
import { chmod, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LmdbTable } from "../../../src/adapters/store/lmdb-table.ts";
import { openStore, STORE_SCHEMA } from "../../../src/adapters/store/open.ts";
import { storeSuite } from "../../conformance/store-suite.ts";
import { lmdbPlace, memoryPlace, temporaryFolder } from "./places.ts";

storeSuite("LMDB", lmdbPlace);
storeSuite("memory", memoryPlace);

describe("the store's file", () => {
  let dir: string;
  const onDamaged = (key: string, error: Error): void => {
    throw new Error(`damaged: ${key}`, { cause: error });
  };
  const mode = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);
  const setMeta = async (text: string): Promise<void> => {
    await mkdir(dir, { recursive: true });
    const table = await LmdbTable.open(join(dir, "store.mdb"));
    await table.setMeta(text);
    await table.close();
  };

  beforeEach(async () => {
    dir = join(await temporaryFolder(), "state", "store");
  });

  afterEach(async () => {
    await rm(join(dir, "..", ".."), { recursive: true });
  });

  it("is made for the user alone, in folders made for the user alone", async () => {
    const store = await openStore({ dir, onDamaged });
    await store.save("a", 1, 0);
    expect(await mode(join(dir, ".."))).toBe("700");
    expect(await mode(dir)).toBe("700");
    expect(await mode(join(dir, "store.mdb"))).toBe("600");
    expect(await mode(join(dir, "store.mdb-lock"))).toBe("600");
    await store.close();
  });

  it("leaves the mode of a folder that is there as it is", async () => {
    await mkdir(dir, { recursive: true });
    await chmod(dir, 0o750);
    await (await openStore({ dir, onDamaged })).close();
    expect(await mode(dir)).toBe("750");
  });

  it("says which schema it has", async () => {
    await (await openStore({ dir, onDamaged })).close();
    const table = await LmdbTable.open(join(dir, "store.mdb"));
    expect(table.meta()).toBe(JSON.stringify({ schema: STORE_SCHEMA }));
    await table.close();
  });

  it("is refused when a newer askgate wrote it, and left as it is", async () => {
    const store = await openStore({ dir, onDamaged });
    await store.save("a", 1, 0);
    await store.close();
    await setMeta(JSON.stringify({ schema: STORE_SCHEMA + 1 }));
    await expect(openStore({ dir, onDamaged })).rejects.toMatchObject({
      code: "store_newer",
      fields: { found: STORE_SCHEMA + 1, known: STORE_SCHEMA },
      help: expect.stringContaining("Install a newer askgate"),
    });
    await setMeta(JSON.stringify({ schema: STORE_SCHEMA }));
    const again = await openStore({ dir, onDamaged });
    expect(await again.load("a")).toEqual({ value: 1, version: 1 });
    await again.close();
  });

  it.each(["{}", "[1]", '{"schema":"2"}'])("is refused when it says %s for a schema", async (text) => {
    await setMeta(text);
    await expect(openStore({ dir, onDamaged })).rejects.toMatchObject({ code: "damaged" });
  });

  it("is made anew over an empty file, which a crash may leave", async () => {
    await mkdir(dir, { recursive: true });
    await writeFile(join(dir, "store.mdb"), "");
    const store = await openStore({ dir, onDamaged });
    expect(await store.save("a", 1, 0)).toBe(1);
    await store.close();
  });

  it("cannot be where a file is in the way", async () => {
    await mkdir(join(dir, ".."), { recursive: true });
    await writeFile(dir, "");
    await expect(openStore({ dir, onDamaged })).rejects.toMatchObject({
      code: "store_failed",
      message: expect.stringContaining(dir),
      help: expect.stringContaining("state directory"),
    });
  });
});
