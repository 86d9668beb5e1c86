/** A question, a permission and the inbox where somebody sits at the terminal. Runs what `npm run build` made. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../../src/adapters/link/client.ts";
import { MAIN, openWorkshop, press, type Workshop } from "../cli/askgate.ts";
import { inTerminal } from "./pty.ts";

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

/** A command in a terminal of its own, whose standard output is a file. */
function sit(args: string, cwd = shop.project()) {
  const command = `cd ${cwd} && exec ${process.execPath} ${MAIN} ${args} > answer.json`;
  return {
    ...inTerminal(command, shop.env()),
    result: () => JSON.parse(readFileSync(join(cwd, "answer.json"), "utf8")),
  };
}

const WHICH = 'ask "Web UI or terminal?" --option "Web UI" --option "Terminal" --no-open';

describe("a question in the terminal", () => {
  it("is answered by an option's number", async () => {
    const here = sit(WHICH);
    await here.see("Web UI or terminal?");
    await here.see("> ");
    here.type("2");
    expect(await here.ended).toBe(0);
    expect(here.result()).toMatchObject({ answer: "Terminal", option: 2, where: "terminal" });
  });

  it("is answered in own words after o, which may be a number", async () => {
    const here = sit(WHICH);
    await here.see("> ");
    here.type("o 7");
    expect(await here.ended).toBe(0);
    expect(here.result()).toMatchObject({ answer: "7", option: null });
  });

  it("is skipped by Enter: exit 3", async () => {
    const here = sit(WHICH);
    await here.see("> ");
    here.type("");
    expect(await here.ended).toBe(3);
    expect(here.result()).toMatchObject({ status: "declined" });
  });
});

it("without any words says what it wants of somebody at a terminal", async () => {
  const here = sit("ask");
  await here.see("no question: standard input is a terminal");
  expect(await here.ended).toBe(2);
});

it("the inbox is a list where somebody reads it", async () => {
  const cwd = shop.project();
  const ask = ["ask", "Which port?", "--timeout", "30ms", "--no-open", "--via", "web"];
  const { round } = JSON.parse((await shop.run(ask, { cwd })).stdout);
  await press(gate, round, "answer", { words: "8080" });
  const here = inTerminal(`cd ${cwd} && exec ${process.execPath} ${MAIN} inbox`, shop.env());
  await here.see("late  Which port?");
  await here.see("answered by ");
  await here.see("8080");
  expect(await here.ended).toBe(0);
});
