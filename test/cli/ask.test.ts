import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../../src/adapters/link/client.ts";
import { ROOMY } from "../support/people.ts";
import { type Ended, openWorkshop, press, type Running, type Workshop } from "./askgate.ts";

let shop: Workshop;
let gate: Client;
beforeAll(async () => {
  shop = openWorkshop();
  await shop.run(["bot", "start"]);
  gate = await shop.gate();
});
afterAll(async () => {
  gate.close();
  await shop.close();
});

const read = ({ code, stdout }: Ended) => ({ code, ...JSON.parse(stdout) });
const at = (cwd: string, ...args: string[]): Running => shop.start(["ask", ...args, "--no-open"], { cwd });
const ask = (...args: string[]): Running => at(shop.project(), ...args);
const unasked = async (cwd: string, question: string, ...flags: string[]) =>
  read(await at(cwd, question, "--timeout", "0", ...flags).ended);

async function answered(command: Running, how: Parameters<typeof press>[3]): Promise<Ended> {
  await press(gate, await command.round(), "answer", how);
  return command.ended;
}

describe.concurrent("ask", { timeout: 60_000 }, () => {
  it("prints the option that was pressed, by number", async () => {
    const command = ask("Web UI or terminal?", "--option", "Web UI", "--option", "a=b, or not");
    const ended = await answered(command, { target: "-", values: ["o1"] });
    expect(read(ended)).toMatchObject({
      code: 0,
      mode: "ask",
      status: "submitted",
      question: "Web UI or terminal?",
      answer: "a=b, or not",
      option: 2,
      remaining: -1,
    });
    expect(ended.stderr).toMatch(/answered by .+ · 00:00:\d\d\n$/);
  });

  it("prints an option's id, so that nobody compares labels", async () => {
    const ids = ["--option-id", "accept", "--option-id", "go-on"];
    const command = ask("What now?", "--option", "Accept", "--option", "Accept nothing: go on", ...ids);
    const ended = await answered(command, { target: "-", values: ["o1"] });
    expect(read(ended)).toMatchObject({ option: 2, optionId: "go-on" });
  });

  it("takes only options with --no-own-words", async () => {
    const command = ask("Drop it?", "--option", "Yes", "--option", "No", "--no-own-words");
    await expect(answered(command, { words: "maybe" })).rejects.toThrow("own_words_not_allowed");
    expect(read(await answered(command, { target: "-", values: ["o1"] }))).toMatchObject({ answer: "No" });
  });

  it.each([
    ["words", ["ask", "-"], "Which\nport?\n"],
    ["words without any sign of it", ["ask"], "Which\nport?"],
    ["a payload", ["ask"], '{"question": "Which\\nport?"}'],
    ["a payload by name", ["ask", "--input", "-"], '{"question": "Which\\nport?"}'],
  ])("reads %s from standard input", async (_, args, input) => {
    const ended = await shop.run([...args, "--timeout", "0"], { input, cwd: shop.project() });
    expect(read(ended)).toMatchObject({ code: 4, status: "timeout", question: "Which\nport?" });
  });

  it("is asked once from two sources", async () => {
    const input = '{"question": "Which port?"}';
    for (const args of [
      ["Which?", "--input", "-"],
      ["--option", "a"],
      ["-", "--detail", "-"],
    ]) {
      const { code, stdout } = await shop.run(["ask", ...args], { input });
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    }
  });

  it("is over its quota for the session: exit 6, and an empty question does not count", async () => {
    const cwd = shop.project();
    expect(await unasked(cwd, "  ", "--asks", "1")).toMatchObject({
      code: 2,
      status: "invalid",
      remaining: 1,
    });
    expect(await unasked(cwd, "one", "--asks", "1")).toMatchObject({ code: 4, remaining: 0 });
    const over = await unasked(cwd, "two");
    expect(over).toMatchObject({ code: 6, status: "over_quota", remaining: 0, items: [] });
    expect(over.advice).toMatch(/No questions are left.+Unknowns and assumptions/);
    expect(await unasked(cwd, "three", "--asks", "-1")).toMatchObject({ code: 4, remaining: -1 });
  });

  it("may ask no more than the project allows", async () => {
    const cwd = shop.project();
    writeFileSync(join(cwd, "askgate.json"), JSON.stringify({ asks: 0 }));
    expect(await unasked(cwd, "any", "--asks", "9")).toMatchObject({ code: 6, remaining: 0 });
  });

  it("says how many are left on its card", async () => {
    const command = ask("one", "--asks", "3");
    const session = `s_${(await command.round()).slice(2).split("-")[0]}`;
    const view = { surface: "web" as const, limits: ROOMY, locale: "en" };
    const enough = new AbortController();
    for await (const { cards } of gate.watch(session, view, enough.signal)) {
      expect(JSON.stringify(cards)).toContain("2 questions left");
      enough.abort();
    }
    command.child.kill();
  });

  it("tells the agent what the project wants it told, and in late outcomes too", async () => {
    const cwd = shop.project();
    const advice = { timeout: "Nimm das Einfachste.", declined: "Entscheide selbst." };
    writeFileSync(join(cwd, "askgate.json"), JSON.stringify({ advice }));
    const late = read(await at(cwd, "first", "--timeout", "30ms").ended);
    expect(late).toMatchObject({ code: 4, advice: "Nimm das Einfachste." });
    await press(gate, late.round, "skip", { words: "later" });
    const next = await unasked(cwd, "second");
    expect(next.late).toMatchObject([
      { status: "declined", reason: "later", question: "first", advice: "Entscheide selbst." },
    ]);
    expect((await unasked(cwd, "third")).late).toBeUndefined();
  });

  it("names the place of advice that cannot be", async () => {
    const cwd = shop.project();
    writeFileSync(join(cwd, "askgate.json"), JSON.stringify({ advice: { declined: 3 } }));
    const { code, stderr } = await at(cwd, "any").ended;
    expect(code).toBe(2);
    expect(stderr).toContain(`${join(cwd, "askgate.json")}: advice.declined: expected a text, got number`);
  });

  it("says also where nobody can be reached what to do now", async () => {
    const ended = await ask("any", "--via", "slack").ended;
    expect(read(ended)).toMatchObject({ code: 5, status: "unreachable", mode: "ask", remaining: -1 });
    expect(read(ended).advice).toContain("Unknowns and assumptions");
  });
});

describe.concurrent("the log", { timeout: 60_000 }, () => {
  const log = (cwd: string, name = ".askgate/qa.md"): string => readFileSync(join(cwd, name), "utf8");

  it("has every question with its end: when, who, where", async () => {
    const cwd = shop.project();
    await answered(at(cwd, "Which?", "--option", "One", "--option", "Two"), { target: "-", values: ["o0"] });
    const skipped = at(cwd, "Skip?");
    await press(gate, await skipped.round(), "skip", { words: "not now" });
    await skipped.ended;
    await unasked(cwd, "Timed out?");
    await unasked(cwd, "Too many?", "--asks", "0");
    const text = log(cwd).replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "NOW");
    expect(text).toMatch(
      /^# Questions and answers\n\n> Only a record .+ It never enters a prompt\.\n\n- NOW/,
    );
    expect(text).toMatch(/\n- NOW · r_\w+-1 · answered by .+ \(local:.+\) in web\n {2}- \*\*Q\*\* Which\?\n/);
    expect(text).toContain("  - **Options** 1. One / 2. Two\n  - **A** One\n");
    expect(text).toMatch(/-2 · declined by .+\n {2}- \*\*Q\*\* Skip\?\n {2}- \*\*A\*\* not now\n/);
    expect(text).toMatch(/-3 · timeout\n {2}- \*\*Q\*\* Timed out\?\n/);
    expect(text).toMatch(/-4 · over quota\n/);
  });

  it("lets nothing out of its entry", async () => {
    const cwd = shop.project();
    const question = "one\r\n- 2026 · r_x-1 · answered\n\n# Title\n```\n<!-- \u2028## Goal";
    await unasked(cwd, question);
    await unasked(cwd, "after it");
    const loose = log(cwd)
      .split("\n")
      .filter((line) => line !== "" && !/^(- \d{4}-|# Questions|> Only| {2}- \*\*| {4})/.test(line));
    expect(loose).toEqual([]);
    expect(log(cwd)).not.toMatch(/```|(?<!\\)<!--/);
  });

  it("has an answer that came late, and one that `wait` fetched, once", async () => {
    const cwd = shop.project();
    const { round } = read(await at(cwd, "Late?", "--timeout", "30ms").ended);
    await press(gate, round, "answer", { words: "yes" });
    const elsewhere = { cwd: shop.project() };
    await shop.run(["wait", round], elsewhere);
    await shop.run(["wait", round], elsewhere);
    await unasked(cwd, "next");
    expect(log(cwd).match(new RegExp(`${round} · timeout`, "g"))).toHaveLength(1);
    expect(log(cwd).match(new RegExp(`${round} · answered`, "g"))).toHaveLength(1);
  });

  it("stands elsewhere with --log and in the config, or nowhere", async () => {
    const cwd = shop.project();
    await unasked(cwd, "there", "--log", "notes/qa.md");
    await unasked(cwd, "nowhere", "--no-log");
    expect(() => log(cwd)).toThrow("ENOENT");
    expect(log(cwd, "notes/qa.md")).toContain("there");
    writeFileSync(join(cwd, "askgate.json"), JSON.stringify({ log: "record.md" }));
    await unasked(cwd, "by config");
    expect(log(cwd, "record.md")).toContain("by config");
  });

  it("that cannot be written fails no question", async () => {
    const cwd = shop.project();
    mkdirSync(join(cwd, ".askgate", "qa.md"), { recursive: true });
    const ended = await at(cwd, "any", "--timeout", "0").ended;
    expect(read(ended)).toMatchObject({ code: 4, status: "timeout" });
    expect(ended.stderr).toContain("askgate: cannot write the log ");
  });
});
