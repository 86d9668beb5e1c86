import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openLog } from "../../../src/adapters/shared/log.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { until } from "../../support/until.ts";

test("a line has time, level, message and fields", async () => {
  const dir = temporaryFolder();
  const log = openLog({ dir, name: "bot.log" });
  log.warn("a post was refused", { place: "web:" });
  await log.close();
  expect(entries(dir)).toMatchObject([
    { level: "warn", msg: "a post was refused", place: "web:", pid: process.pid },
  ]);
});

test("an error is written with its stack and its cause", async () => {
  const dir = temporaryFolder();
  const log = openLog({ dir, name: "bot.log" });
  log.error("failed", { error: new Error("outer", { cause: new Error("inner") }) });
  await log.close();
  expect(entries(dir)).toMatchObject([{ error: { stack: expect.stringContaining("inner") } }]);
});

test("no secret is written", async () => {
  const dir = temporaryFolder();
  const log = openLog({ dir, name: "bot.log" });
  log.info("connected", { token: "xoxb-1", request: { authorization: "Bearer abc", cookie: "a=b" } });
  await log.close();
  expect(readFileSync(join(dir, "bot.log"), "utf8")).not.toMatch(/xoxb|Bearer|a=b/);
});

test("no secret is written that stands in an error of a library", async () => {
  const dir = temporaryFolder();
  const log = openLog({ dir, name: "bot.log" });
  const request = {
    headers: ["Bearer xoxb-1234567890-abcdefghij"],
    body: "token=xapp-1-A0-1234567890-abcdef",
  };
  const cause = new Error("refused: xoxb-1234567890-abcdefghij");
  log.error("a call failed", { error: Object.assign(new Error("no answer", { cause }), { request }) });
  log.warn("a connection is not kept", { credentials: { bot: "of an unknown shape" } });
  await log.close();
  expect(readFileSync(join(dir, "bot.log"), "utf8")).not.toMatch(/xoxb|xapp|unknown shape/);
  expect(entries(dir)).toHaveLength(2);
});

test("it is kept in a few files of limited size that only the user can read, the newest line last", async () => {
  const dir = temporaryFolder();
  const log = openLog({ dir, name: "bot.log", bytes: 2_000, keep: 2 });
  for (let line = 1; line <= 100; line += 1) {
    log.info(`line ${line}`);
    await until(
      () => readFileSync(join(dir, "bot.log"), "utf8").includes(`line ${line}"`) || rotated(dir, line),
    );
  }
  await log.close();
  const files = readdirSync(dir).sort();
  expect(files).toEqual(["bot.log", "bot.log.1", "bot.log.2"]);
  for (const file of files) {
    const { size, mode } = statSync(join(dir, file));
    expect(size).toBeLessThan(3_000);
    expect(mode & 0o777).toBe(0o600);
  }
});

const rotated = (dir: string, line: number): boolean =>
  readdirSync(dir).includes("bot.log.1") &&
  readFileSync(join(dir, "bot.log.1"), "utf8").includes(`line ${line}"`);

const entries = (dir: string): unknown[] =>
  readFileSync(join(dir, "bot.log"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
