/** What Slack delivers more than once, or in another order: it counts once. */
import { expect, it } from "vitest";
import type { Opened } from "../../../src/core/gate.ts";
import type { SlackStage } from "../../support/slack-stage.ts";
import { until } from "../../support/until.ts";
import {
  asked,
  askedPlan,
  bothListen,
  calls,
  delivery,
  home,
  now,
  PASSWORD,
  promise,
  shows,
} from "./delivery.ts";

const RETRIES = { ackMs: 400, retryMs: Array.from({ length: 20 }, () => 100) };

const feedback = async (stage: SlackStage, opened: Opened): Promise<string[]> => {
  const { feedback: all } = (await now(stage, opened)) as { feedback?: { text: string }[] };
  return (all ?? []).map(({ text }) => text);
};

it("keeps a message once whose acknowledgement was lost, although it comes again on another socket", async () => {
  const stage = await delivery(RETRIES);
  const opened = await askedPlan(stage);
  await bothListen(stage);
  const { ana, plans } = stage.team;
  const { done, release } = promise();
  stage.slack.fail("users.info", { hold: done });
  const thread = home(stage).ts;
  await ana.types(plans, "one", { thread });
  await stage.slack.until(() => stage.slack.sockets.count === 2);
  stage.slack.sockets.dropAll();
  release();
  await until(async () => (await feedback(stage, opened)).length > 0);
  await bothListen(stage);
  await ana.types(plans, "two", { thread });
  await until(async () => (await feedback(stage, opened)).includes("two"));
  expect((await feedback(stage, opened)).sort()).toEqual(["one", "two"]);
});

it("counts an impatient double click once, and puts one follow-up up", async () => {
  const stage = await delivery();
  await asked(stage);
  const { ana, ben, plans } = stage.team;
  await Promise.all([
    ana.chooses(home(stage), PASSWORD),
    ana.chooses(home(stage), PASSWORD),
    ben.chooses(home(stage), PASSWORD),
  ]);
  await stage.slack.until(() => shows(home(stage), "Ana") || shows(home(stage), "Ben"));
  expect(plans.thread(home(stage).ts)).toHaveLength(1);
});

it("settles once for two who send at the same time", async () => {
  const stage = await delivery();
  const opened = await asked(stage);
  const { ana, ben, plans } = stage.team;
  await ana.presses(home(stage), "★ Accept recommended");
  await stage.slack.until(() => shows(home(stage), "Ana"));
  await Promise.all([ana.presses(home(stage), "Send to agent"), ben.presses(home(stage), "Send to agent")]);
  const result = await now(stage, opened);
  expect(result).toMatchObject({ status: "submitted" });
  await until(() => ana.ephemerals(plans).length + ben.ephemerals(plans).length === 1);
});

it("asks who somebody is again, rather than to drop a message, when Slack does not say", async () => {
  const stage = await delivery(RETRIES);
  const opened = await askedPlan(stage);
  const { ana, plans } = stage.team;
  stage.slack.expectViolation(/^not acknowledged in time: event message/);
  stage.slack.fail("users.info", { http: 503 });
  await ana.types(plans, "one", { thread: home(stage).ts });
  await until(async () => (await feedback(stage, opened)).join() === "one");
  expect(calls(stage, "users.info").length).toBe(2);
});

it("follows an edit and a deletion live", async () => {
  const stage = await delivery();
  const opened = await askedPlan(stage);
  const { ana, plans } = stage.team;
  const ts = await ana.types(plans, "frist", { thread: home(stage).ts });
  await until(async () => (await feedback(stage, opened)).join() === "frist");
  await ana.edits(plans, ts, "first");
  await until(async () => (await feedback(stage, opened)).join() === "first");
  await ana.deletes(plans, ts);
  await until(async () => (await feedback(stage, opened)).length === 0);
});

it("tells a person that Slack does not know who presses, and takes nothing", async () => {
  const stage = await delivery();
  const opened = await asked(stage);
  const { ana, plans } = stage.team;
  stage.slack.fail("users.info", { http: 503 });
  await ana.chooses(home(stage), PASSWORD);
  await stage.slack.until(() => ana.ephemerals(plans).length === 1);
  expect(await now(stage, opened)).toMatchObject({ status: "pending" });
  expect(plans.thread(home(stage).ts)).toHaveLength(0);
});
