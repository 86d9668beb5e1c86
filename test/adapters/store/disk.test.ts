/** What the machine does to a store: no space, no rights, no warning. Each in a process of its own, for real. */
import { chmod, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../../../src/adapters/store/open.ts";
import type { Store } from "../../../src/core/ports.ts";
import { temporaryFolder } from "./places.ts";
import { runChild } from "./run-child.ts";

let top: string;
let dir: string;

const open = (): Promise<Store> =>
  openStore({
    dir,
    onDamaged: (key, error) => {
      throw new Error(`damaged: ${key}`, { cause: error });
    },
  });

beforeEach(async () => {
  top = await temporaryFolder();
  await chmod(top, 0o755);
  dir = join(top, "store");
});

afterEach(async () => {
  await chmod(dir, 0o755);
  await rm(top, { recursive: true });
});

describe("a disk that is full", () => {
  interface Report {
    saved: string[];
    refused: unknown;
    together: unknown[];
    removed: unknown;
    readable: number;
  }

  const isReport = (line: unknown): line is Report =>
    typeof line === "object" && line !== null && "saved" in line;

  async function fill(blocks: number): Promise<Report> {
    const child = await runChild("fill", dir, blocks);
    const reports: Report[] = [];
    for await (const line of child.lines) if (isReport(line)) reports.push(line);
    expect(await child.ended).toMatchObject({ code: 0, signal: null, errors: "" });
    const [report] = reports;
    if (report === undefined) throw new Error("The child said nothing");
    return report;
  }

  it("refuses what has no place, with a code and what to do, and goes on with the rest", async () => {
    const { saved, refused, together, removed, readable } = await fill(8_192);
    const full = {
      code: "store_full",
      help: expect.stringContaining("Free some disk space"),
      fields: { failure: "EFBIG" },
    };
    expect(refused).toMatchObject(full);
    expect(together).toMatchObject([full, full]);
    expect(removed).toBeUndefined();
    expect(saved.length).toBeGreaterThan(20);
    expect(readable).toBe(saved.length);
  });

  it("has lost nothing once there is space again", async () => {
    const { saved } = await fill(8_192);
    const store = await open();
    const keys: string[] = [];
    for await (const { key, value } of store.list("")) {
      expect(value).toMatchObject({ key });
      keys.push(key);
    }
    expect(keys.sort()).toEqual(saved.sort());
    expect(await store.save("after", "x".repeat(1_000_000), 0)).toBe(1);
    await store.close();
  });

  it("refuses to begin where there is no place for a store", async () => {
    const child = await runChild("begin", dir, 100);
    const said: unknown[] = [];
    for await (const line of child.lines) said.push(line);
    expect(said).toMatchObject([{ code: "store_full", fields: { failure: "EFBIG" } }]);
    expect(await readdir(dir)).toEqual([]);
  });
});

describe("a folder without the right to write", () => {
  async function intrude(): Promise<unknown[]> {
    const child = await runChild("intrude", dir);
    const said: unknown[] = [];
    for await (const line of child.lines) said.push(line);
    expect(await child.ended).toMatchObject({ code: 0, errors: "" });
    return said;
  }

  const readOnly = {
    code: "store_readonly",
    fields: { failure: "EACCES" },
    help: expect.stringContaining("ASKGATE_STATE_DIR"),
  };

  it("takes no new store", async () => {
    await mkdir(dir, { mode: 0o555 });
    expect(await intrude()).toMatchObject([readOnly]);
  });

  it("takes no new folder", async () => {
    await mkdir(dir, { mode: 0o555 });
    const outer = dir;
    dir = join(dir, "inner");
    expect(await intrude()).toMatchObject([readOnly]);
    dir = outer;
  });

  it.each(["store.mdb", "store.mdb-lock"])(
    "opens no store whose %s is another's, and leaves it whole",
    async (name) => {
      const store = await open();
      await store.save("a", 1, 0);
      await store.close();
      for (const file of await readdir(dir)) await chmod(join(dir, file), file === name ? 0o444 : 0o666);
      await chmod(dir, 0o777);
      expect(await intrude()).toMatchObject([readOnly]);
      await chmod(join(dir, name), 0o600);
      const again = await open();
      expect(await again.load("a")).toEqual({ value: 1, version: 1 });
      await again.close();
    },
  );
});

describe("a process that is killed", () => {
  it("has saved everything that it acknowledged", async () => {
    const child = await runChild("stream", dir);
    const acknowledged = new Map<string, number>();
    let count = 0;
    for await (const line of child.lines) {
      const { key, version } = asAcknowledgement(line);
      acknowledged.set(key, version);
      count += 1;
      if (count === 400) child.kill("SIGKILL");
    }
    expect(await child.ended).toMatchObject({ signal: "SIGKILL" });
    expect(acknowledged.size).toBe(8);
    const store = await open();
    for (const [key, version] of acknowledged) {
      const found = await store.load(key);
      expect(found?.version).toBeGreaterThanOrEqual(version);
      expect(found?.value).toMatchObject({ count: found?.version });
      for (let each = 1; each <= version; each += 1) expect(await store.load(`${key}/${each}`)).toBeDefined();
      expect(await store.save(key, "on", found?.version ?? 0)).toBe((found?.version ?? 0) + 1);
    }
    await store.close();
  });
});

function asAcknowledgement(line: unknown): { key: string; version: number } {
  if (typeof line === "object" && line !== null && "key" in line && "version" in line) {
    const { key, version } = line;
    if (typeof key === "string" && typeof version === "number") return { key, version };
  }
  throw new Error(`Not an acknowledgement: ${JSON.stringify(line)}`);
}
