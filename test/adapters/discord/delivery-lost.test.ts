/** Requests and answers that are lost, refused for a while, or cut off by the bot's end: nothing twice, nothing missing. */
import { expect, it } from "vitest";
import type { DiscordStage } from "../../support/discord-stage.ts";
import { LOGIN } from "../../support/login.ts";
import { movableClock } from "../../support/movable-clock.ts";
import { until } from "../../support/until.ts";
import {
  asked,
  askedPlan,
  calls,
  delivery,
  EDIT,
  home,
  MAGIC,
  now,
  PASSWORD,
  POST,
  promise,
  REMOVE,
  showing,
  shows,
  start,
  THREAD,
  thread,
} from "./delivery.ts";

const revealed = (stage: DiscordStage) => stage.discord.until(() => shows(home(stage), "Ana"));
const stand = ({ team, discord }: DiscordStage, count: number) =>
  discord.until(() => team.plans.messages().length === count);

const LOSSES = [{ lose: "response" }, { lose: "request" }, { http: 500 }, { http: 503 }] as const;

it.each(LOSSES)("puts the home message up once: %j", async (fault) => {
  const stage = await delivery();
  stage.discord.fail(POST, fault);
  await asked(stage);
  await stage.discord.until(() => shows(stage.team.plans.messages()[0], "Session length?"));
  await stage.team.ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => thread(stage).length === 1);
  expect(stage.team.plans.messages()).toHaveLength(1);
});

it.each(LOSSES)("makes a card of what was announced, although that fails: %j", async (fault) => {
  const stage = await delivery();
  stage.discord.fail(EDIT, fault);
  await asked(stage);
  await stage.discord.until(() => shows(home(stage), "Session length?"));
  expect(stage.team.plans.messages()).toHaveLength(1);
  expect(calls(stage, POST)).toHaveLength(1);
});

it.each(LOSSES)("puts a follow-up up once, and changes what stands: %j", async (fault) => {
  const stage = await delivery();
  await asked(stage);
  for (const route of [POST, EDIT, THREAD]) stage.discord.fail(route, fault);
  await stage.team.ana.chooses(home(stage), PASSWORD);
  await revealed(stage);
  expect(thread(stage)).toHaveLength(1);
  expect(stage.team.plans.threads()).toHaveLength(1);
});

it("finds a post by its number when Discord has forgotten what it was called", async () => {
  const clock = movableClock();
  const stage = await delivery({ clock, now: clock.now });
  await asked(stage);
  stage.discord.fail(POST, { lose: "response" });
  await stage.team.ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => calls(stage, POST).length === 2);
  clock.forward(10 * 60_000);
  await revealed(stage);
  expect(thread(stage)).toHaveLength(1);
  expect(calls(stage, POST)).toHaveLength(2);
});

it("finds what was announced by its number, too, and makes the card of it", async () => {
  const clock = movableClock();
  const stage = await delivery({ clock, now: clock.now });
  stage.discord.fail(POST, { lose: "response" });
  const opening = stage.open();
  await stage.discord.until(() => calls(stage, POST).length === 1);
  clock.forward(10 * 60_000);
  await opening;
  await stage.discord.until(() => shows(home(stage), "Session length?"));
  expect(stage.team.plans.messages()).toHaveLength(1);
  expect(calls(stage, POST)).toHaveLength(1);
});

it("takes away what is to go although the answers are lost", async () => {
  const stage = await delivery();
  await asked(stage);
  const { ana } = stage.team;
  await ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => thread(stage).length === 1);
  stage.discord.fail(REMOVE, { lose: "response" });
  stage.discord.expectError(REMOVE, 10008, { maybe: true });
  await ana.chooses(home(stage), MAGIC);
  await stage.discord.until(() => thread(stage).length === 0);
  await ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => thread(stage).length === 1);
});

it.each(LOSSES)("puts a plan's file up once: %j", async (fault) => {
  const stage = await delivery();
  const opening = askedPlan(stage);
  const file = () => thread(stage).flatMap(({ attachments }) => attachments);
  await stage.discord.until(() => thread(stage).some((message) => shows(message, "We send")));
  stage.discord.fail(POST, fault);
  stage.discord.fail(POST, fault);
  await opening;
  await stage.discord.until(() => file().length === 1);
  await stage.discord.until(() => thread(stage).some((message) => shows(message, "Approve")));
  expect(file()).toHaveLength(1);
});

it("puts nothing up twice when the bot ends between a post and its answer", async () => {
  const stage = await delivery();
  const { done, release } = promise();
  stage.discord.fail(POST, { hold: done, at: "response" });
  const opening = stage.open();
  await stand(stage, 1);
  const stopping = stage.stop();
  release();
  await Promise.all([opening.catch(() => {}), stopping]);
  await start(stage);
  await stage.discord.until(() => shows(home(stage), "Session length?"));
  await stage.team.ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => thread(stage).length === 1);
  expect(stage.team.plans.messages()).toHaveLength(1);
});

it("makes the card of an announcement after a restart", async () => {
  const stage = await delivery();
  stage.discord.fail(EDIT, { http: 503 }, { times: 2 });
  const opening = stage.open();
  await stage.discord.until(() => calls(stage, EDIT).length === 1);
  await Promise.all([opening.catch(() => {}), stage.stop()]);
  expect(shows(home(stage), "Session length?")).toBe(false);
  await start(stage);
  await stage.discord.until(() => shows(home(stage), "Session length?"));
  expect(stage.team.plans.messages()).toHaveLength(1);
});

it("goes on with a plan's posting after a restart", async () => {
  const stage = await delivery();
  const words = ["One.", "Two.", "Three.", "Four.", "Five."];
  const payload = { title: "Long", plan: words.join("\n\n") };
  const opening = stage.open({ kind: "plan", granularity: "block", payload });
  await stage.discord.until(() => thread(stage).length === 2);
  await Promise.all([opening.catch(() => {}), stage.stop()]);
  await start(stage);
  const count = (text: string) => thread(stage).filter((message) => shows(message, text)).length;
  await stage.discord.until(() => count("Five.") === 1 && count("Approve") === 1, 20_000);
  for (const text of words) expect(count(text)).toBe(1);
  expect(stage.team.plans.messages()).toHaveLength(1);
  await stage.team.ana.presses(home(stage), "Approve");
  await stage.discord.until(() => !shows(home(stage), "Request changes"));
});

it("shows what was pressed before the bot ended, and what it answered", async () => {
  const stage = await delivery();
  const opened = await asked(stage);
  const { ana } = stage.team;
  stage.discord.fail(POST, { http: 503 }, { times: 2 });
  await ana.chooses(home(stage), PASSWORD);
  await stage.stop();
  await start(stage);
  await revealed(stage);
  expect(thread(stage)).toHaveLength(1);
  stage.discord.fail(EDIT, { http: 503 }, { times: 3 });
  await ana.presses(showing(stage, "Accept recommended"), "★ Accept recommended");
  await ana.presses(showing(stage, "Send to agent"), "Send to agent");
  expect(await now(stage, opened)).toMatchObject({ status: "submitted" });
  await stage.stop();
  await start(stage);
  await stage.discord.until(() => !thread(stage).some((message) => shows(message, "Send to agent")), 20_000);
});

it("sends nothing again after a restart when nothing changed", async () => {
  const stage = await delivery();
  await asked(stage, { payload: LOGIN });
  await stage.team.ana.chooses(home(stage), PASSWORD);
  await revealed(stage);
  await until(async () => JSON.stringify(await stage.engine().list(null)).includes("Login"));
  const changes = () => [POST, EDIT, REMOVE, THREAD].map((route) => calls(stage, route).length);
  const before = changes();
  await stage.stop();
  await start(stage);
  await stage.discord.until(() => calls(stage, "GET /channels/:channel/messages").length > 0);
  expect(changes()).toEqual(before);
});
