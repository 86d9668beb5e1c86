import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { takeLock } from "../../src/cli/lock.ts";
import { temporaryFolder } from "../support/folder.ts";

/** A process that tries to take the lock, says "taken" or the error's code, and then lives until its input ends. */
const CONTENDER = `
import { takeLock } from "./src/cli/lock.ts";
process.stdin.resume().on("end", () => process.exit(0));
takeLock(process.argv[2]).then(() => console.log("taken"), (error) => console.log(error.code));
`;
const folder = mkdtempSync(join(tmpdir(), "askgate-"));
const outfile = join(folder, "contender.mjs");

beforeAll(async () => {
  const stdin = { contents: CONTENDER, resolveDir: process.cwd(), loader: "ts" as const };
  await build({ stdin, outfile, bundle: true, format: "esm", platform: "node" });
});
afterAll(() => rmSync(folder, { recursive: true }));

test("of six processes that find a dead holder at once, one gets the lock, time after time", async () => {
  const stateDir = temporaryFolder();
  for (let round = 0; round < 3; round += 1) {
    const processes = Array.from({ length: 6 }, () => contend(stateDir));
    const said = await Promise.all(processes.map(firstLine));
    expect(said.filter((line) => line === "taken")).toHaveLength(1);
    expect(said.filter((line) => line === "bot_running")).toHaveLength(5);
    await Promise.all(processes.map(kill));
  }
});

test("a holder that was killed and not yet collected by its parent holds nothing", async () => {
  const stateDir = temporaryFolder();
  const holder = contend(stateDir);
  expect(await firstLine(holder)).toBe("taken");
  await kill(holder);
  await takeLock(stateDir);
});

test("a process with the holder's id that was started later is not the holder", async () => {
  const stateDir = temporaryFolder();
  writeFileSync(
    join(stateDir, "lock-7"),
    JSON.stringify({ pid: process.pid, born: "earlier", state: "held" }),
  );
  await takeLock(stateDir);
  expect(readdirSync(stateDir)).toContain("lock-8");
});

test("whoever comes while the holder is stopping waits until it has let go", async () => {
  const stateDir = temporaryFolder();
  const lock = await takeLock(stateDir);
  await expect(takeLock(stateDir)).rejects.toMatchObject({
    code: "bot_running",
    fields: { pid: process.pid },
  });
  lock.stopping();
  const next = takeLock(stateDir);
  lock.release();
  await next;
});

test("old numbers are cleaned up", async () => {
  const stateDir = temporaryFolder();
  for (let times = 0; times < 10; times += 1) (await takeLock(stateDir)).release();
  expect(readdirSync(stateDir).sort()).toEqual(["lock-10", "lock-9"]);
});

function contend(stateDir: string): ChildProcess {
  const child = spawn(process.execPath, [outfile, stateDir], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

const firstLine = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => child.stdout?.once("data", (data) => resolve(String(data).trim())));

const kill = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => {
    child.once("exit", resolve).kill("SIGKILL");
  });
