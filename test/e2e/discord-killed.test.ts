/** What Discord adds to the moments at which a bot can die: threads, words that become cards, answers that a bot gives by a call. */
import { expect, test } from "vitest";
import { LOGIN } from "../support/login.ts";
import { PLAN, type Stage, stages, testKills } from "./chat-killed.ts";
import { CALLS, openDiscordPlatform } from "./discord-platform.ts";

const now = stages(openDiscordPlatform);

testKills(now);

/** A page is answered, whatever was killed meanwhile. */
async function answers(stage: Stage): Promise<void> {
  await stage.presses(stage.ana, "★ Accept recommended");
  await stage.presses(stage.ana, "Send to agent");
}

test.each([
  { call: "post", at: "response" },
  { call: "update", at: "request" },
  { call: "update", at: "response" },
] as const)(
  "while words become a card, the $at of $call on its way: they become it, once",
  async ({ call, at }) => {
    const stage = now();
    const way = stage.holds(CALLS[call], at);
    const command = stage.asks("clarity", LOGIN);
    await stage.killsOnTheWay(way);
    await answers(stage);
    await stage.settles(command, { status: "submitted", by: "Ana" });
  },
);

test.each([
  { call: "thread", at: "request" },
  { call: "thread", at: "response" },
] as const)(
  "before the first follow-up stands in its thread, the $at of $call on its way: it stands there, once",
  async ({ call, at }) => {
    const stage = now();
    const command = stage.asks("clarity", LOGIN);
    await stage.control(stage.ana, "Password");
    const way = stage.holds(CALLS[call], at);
    await stage.chooses(stage.ana, "Password");
    await stage.killsOnTheWay(way);
    await stage.saying("Password policy?");
    await answers(stage);
    await stage.settles(command, { status: "submitted", by: "Ana" });
  },
);

test("between a press that is saved and its answer: the person sees that it failed, and on the card that it counts", async () => {
  const stage = now();
  const command = stage.asks("clarity", LOGIN);
  const home = await stage.saying("Login PRD");
  const password = await stage.control(stage.ana, "Password");
  const way = stage.holds(CALLS.answer, "request");
  const choice = password.chooses(["o1"]);
  await stage.killsOnTheWay(way);
  expect(await choice).toMatchObject({ kind: "failed" });
  await stage.until(() => stage.platform.says(home).includes("✓ Password"));
  await answers(stage);
  await stage.settles(command, { result: [{ answer: "Password + magic link" }, {}, {}] });
});

test("between a form that is saved and its answer: sent again, it counts once", async () => {
  const stage = now();
  const command = stage.asks("plan", PLAN);
  await stage.opensForm(stage.ana, "Feedback");
  const way = stage.holds(CALLS.answer, "request");
  const first = stage.ana.sendsForm("Mind the spam.");
  await stage.killsOnTheWay(way);
  expect(await first).toMatchObject({ kind: "failed" });
  await stage.listening();
  expect(await stage.ana.sendsForm("Mind the spam.")).toEqual({ kind: "closed" });
  await stage.presses(stage.ana, "Approve");
  await stage.settles(command, { decision: "approve", feedback: [{ text: "Mind the spam.", by: "Ana" }] });
});

test("between words that are saved and their sign: they carry it, and count once", async () => {
  const stage = now();
  const command = stage.asks("plan", PLAN);
  const block = await stage.saying("Step 1 of the plan.");
  const way = stage.holds(CALLS.sign, "request");
  const said = await stage.ana.comments(block, "Use links.");
  await stage.killsOnTheWay(way);
  await stage.kept(said);
  await stage.presses(stage.ana, "Request changes");
  await stage.settles(command, { decision: "revise", annotations: [{ comment: "Use links.", by: "Ana" }] });
});
