/** The traces of the system before us, scenario by scenario through the command line, on a bot with a chat. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../../src/adapters/link/client.ts";
import { openSlack } from "../../src/adapters/slack/surface.ts";
import { type Slack, startSlack } from "../doubles/slack/index.ts";
import { people } from "../support/slack-stage.ts";
import { type Scenario, Scene } from "./ask-scene.ts";
import { openWorkshop, type Workshop } from "./askgate.ts";
import { startBot } from "./own-bot.ts";

const { scenarios }: { scenarios: Scenario[] } = JSON.parse(
  readFileSync(new URL("../fixtures/conformance/ask-traces.json", import.meta.url), "utf8"),
);

let shop: Workshop;
let slack: Slack;
let team: ReturnType<typeof people>;
let gate: Client;
let endBot: () => Promise<void>;
beforeAll(async () => {
  slack = await startSlack({ factor: 50 });
  team = people(slack);
  shop = openWorkshop();
  endBot = await startBot(shop.stateDir, (parts) => [openSlack(parts)]);
  gate = await shop.gate();
});
afterAll(async () => {
  gate.close();
  await endBot();
  await shop.close();
  await slack.stop();
});

const saved = (results: unknown[]): unknown[] =>
  JSON.parse(JSON.stringify(results).replaceAll('"saved":false', '"saved":true'));

/** Where askgate does better than what was observed, as the data's README says. */
const BETTER: Record<string, (results: unknown[]) => unknown[]> = {
  // An empty question does not count against the quota: the second one is put, and nobody answers it.
  "ch-12": ([first, second]) => [
    first,
    second,
    null,
    { id: "q2", state: "timeout", returned: { kind: "timeout_text" } },
  ],
  // A cancelled ask has the outcome `cancelled`.
  "ch-20": ([first, , ...rest]) => [first, { cancelled: true, state: "cancelled" }, ...rest],
  // What people wrote is always saved.
  "ch-21": saved,
  "ch-25": saved,
};

/** No sleeping, and the bot keeps no list of what failed on a surface. */
const isStep = ([what]: [string, ...unknown[]]): boolean => what !== "ui_errors" && what !== "sleep";

describe.concurrent("ask on the command line, as observed on the system before us", {
  timeout: 120_000,
}, () => {
  it.each(scenarios)("$id", async (scenario) => {
    const scene = new Scene(scenario, { shop, gate, slack, team });
    await scene.begin();
    const results: unknown[] = [];
    for (const step of scenario.steps.filter(isStep)) results.push(await scene.run(step));
    const better = (BETTER[scenario.id] ?? ((all) => all))(scenario.results);
    expect(results).toEqual(better.filter((_, at) => isStep(scenario.steps[at] ?? ["none"])));
  });
});
