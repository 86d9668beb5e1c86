/** Requests and answers that are lost, refused for a while, or cut off by the bot's end: nothing twice, nothing missing. */
import { expect, it } from "vitest";
import { LOGIN } from "../../support/login.ts";
import type { SlackStage } from "../../support/slack-stage.ts";
import { until } from "../../support/until.ts";
import {
  asked,
  askedPlan,
  calls,
  delivery,
  home,
  now,
  PASSWORD,
  promise,
  showing,
  shows,
  start,
  stop,
} from "./delivery.ts";

const thread = (stage: SlackStage) => stage.team.plans.thread(home(stage).ts);
const followUp = (stage: SlackStage) => stage.slack.until(() => thread(stage).length === 1);
const revealed = (stage: SlackStage) => stage.slack.until(() => shows(home(stage), "Ana"));

it.each([
  { lose: "response" },
  { lose: "request" },
  { http: 500 },
  { http: 503 },
  { error: "internal_error" },
] as const)("puts the home message up once: %j", async (fault) => {
  const stage = await delivery();
  stage.slack.fail("chat.postMessage", fault);
  await asked(stage);
  await stage.slack.until(() => stage.team.plans.messages().length === 1);
  await stage.team.ana.chooses(home(stage), PASSWORD);
  await followUp(stage);
  expect(stage.team.plans.messages()).toHaveLength(1);
});

it.each([{ lose: "response" }, { lose: "request" }, { http: 503 }] as const)(
  "puts a follow-up up once, and changes what stands: %j",
  async (fault) => {
    const stage = await delivery();
    await asked(stage);
    stage.slack.fail("chat.postMessage", fault);
    stage.slack.fail("chat.update", fault);
    await stage.team.ana.chooses(home(stage), PASSWORD);
    await revealed(stage);
    expect(thread(stage)).toHaveLength(1);
  },
);

it("takes away what is to go although the answers are lost", async () => {
  const stage = await delivery();
  await asked(stage);
  const { ana } = stage.team;
  await ana.chooses(home(stage), PASSWORD);
  await followUp(stage);
  stage.slack.fail("chat.delete", { lose: "response" });
  stage.slack.expectError("chat.delete", "message_not_found", { maybe: true });
  await ana.chooses(home(stage), "1 Magic link only");
  await stage.slack.until(() => thread(stage).length === 0);
  await ana.chooses(home(stage), PASSWORD);
  await followUp(stage);
});

it.each(["files.getUploadURLExternal", "upload", "files.completeUploadExternal"])(
  "puts a plan's file up once: lost answer to %s",
  async (method) => {
    const stage = await delivery();
    stage.slack.fail(method, { lose: "response" });
    await askedPlan(stage);
    const files = () => thread(stage).flatMap(({ files: all }) => all);
    await stage.slack.until(() => files().length === 1);
    const done = () => calls(stage, "files.completeUploadExternal").length;
    await until(() => done() === 1);
    expect(files()).toHaveLength(1);
  },
);

it("puts nothing up twice when the bot ends between a post and its answer", async () => {
  const stage = await delivery();
  const { done, release } = promise();
  stage.slack.fail("chat.postMessage", { hold: done, at: "response" });
  const opening = stage.open();
  await stage.slack.until(() => stage.team.plans.messages().length === 1);
  const stopping = stop(stage);
  release();
  await Promise.all([opening.catch(() => {}), stopping]);
  await start(stage);
  await stage.team.ana.chooses(home(stage), PASSWORD);
  await followUp(stage);
  expect(stage.team.plans.messages()).toHaveLength(1);
});

it("goes on with a plan's posting after a restart", async () => {
  const stage = await delivery();
  const opening = stage.open({
    kind: "plan",
    granularity: "block",
    payload: { title: "Long", plan: ["One.", "Two.", "Three.", "Four.", "Five.", "Six."].join("\n\n") },
  });
  const { plans, ana } = stage.team;
  await stage.slack.until(() => plans.messages().length === 3);
  await Promise.all([opening.catch(() => {}), stop(stage)]);
  expect(plans.messages().length).toBeLessThan(7);
  await start(stage);
  await stage.slack.until(() => plans.messages().some((message) => shows(message, "Six.")));
  await until(() => plans.messages().filter((message) => shows(message, "Approve")).length === 2);
  for (const words of ["One.", "Two.", "Three.", "Four.", "Five.", "Six."])
    expect(plans.messages().filter((message) => shows(message, words))).toHaveLength(1);
  await ana.presses(home(stage), "Approve");
  await stage.slack.until(() => !shows(home(stage), "Request changes"));
});

it("puts a file up once when the bot ends in the middle of its upload", async () => {
  const stage = await delivery();
  const { done, release } = promise();
  stage.slack.fail("files.completeUploadExternal", { hold: done, at: "response" });
  const opening = stage.open({ kind: "plan", payload: { title: "Short", plan: "One.\n\nTwo." } });
  await stage.slack.until(() => stage.team.plans.messages().length > 0 && thread(stage).length === 1);
  const stopping = stop(stage);
  release();
  await Promise.all([opening.catch(() => {}), stopping]);
  await start(stage);
  await until(() => stage.team.plans.messages().some((message) => shows(message, "Two.")));
  expect(thread(stage).flatMap(({ files }) => files)).toHaveLength(1);
});

it("shows what was pressed before the bot ended, and what it answered", async () => {
  const stage = await delivery();
  const opened = await asked(stage);
  const { ana } = stage.team;
  stage.slack.fail("chat.postMessage", { http: 503 }, { times: 3 });
  await ana.chooses(home(stage), PASSWORD);
  await stop(stage);
  await start(stage);
  await revealed(stage);
  expect(thread(stage)).toHaveLength(1);
  stage.slack.fail("chat.update", { http: 503 }, { times: 4 });
  await ana.presses(showing(stage, "Accept recommended"), "★ Accept recommended");
  await ana.presses(showing(stage, "Send to agent"), "Send to agent");
  expect(await now(stage, opened)).toMatchObject({ status: "submitted" });
  await stop(stage);
  await start(stage);
  await stage.slack.until(() => !thread(stage).some((message) => shows(message, "Send to agent")), 60_000);
}, 90_000);

it("waits as long as Slack says, for each channel and method, and holds no other channel up", async () => {
  const stage = await delivery();
  const { acme, ana, plans } = stage.team;
  const ideas = acme.channel({ id: "C0IDEAS", name: "ideas", members: [ana, acme.bot] });
  await asked(stage);
  stage.slack.fail("chat.postMessage", { retryAfter: 2 }, { channel: plans.id });
  await ana.chooses(home(stage), PASSWORD);
  await stage.slack.until(() => calls(stage, "chat.postMessage").length === 2);
  await asked(stage, { to: ["#ideas"], session: "other" });
  expect(ideas.messages()).toHaveLength(1);
  expect(thread(stage)).toHaveLength(0);
  await revealed(stage);
  expect(thread(stage)).toHaveLength(1);
  stage.slack.fail("chat.update", { retryAfter: 1 });
  await ana.chooses(home(stage), "1 Magic link only");
  await stage.slack.until(() => thread(stage).length === 0);
});

it("answers clicks before it goes on with bulk in the same channel", async () => {
  const stage = await delivery();
  const { ana, plans } = stage.team;
  await asked(stage, { session: "one" });
  const paragraphs = Array.from({ length: 12 }, (_, index) => `Paragraph ${index}.`);
  const plan = stage.open({
    kind: "plan",
    session: "two",
    granularity: "block",
    payload: { title: "Long", plan: paragraphs.join("\n\n") },
  });
  await stage.slack.until(() => plans.messages().length >= 4);
  await ana.chooses(home(stage), PASSWORD);
  await revealed(stage);
  expect(plans.messages().length).toBeLessThan(12);
  await stop(stage);
  await plan.catch(() => {});
});

it("opens forms while posts have to wait", async () => {
  const stage = await delivery();
  const { ana, plans } = stage.team;
  await asked(stage);
  stage.slack.fail("chat.postMessage", { retryAfter: 3 }, { channel: plans.id });
  await ana.chooses(home(stage), PASSWORD);
  await ana.presses(home(stage), "Other…");
  await stage.slack.until(() => ana.view() !== null);
  await ana.closesView();
});

it("keeps a sign for a typed message until Slack takes it", async () => {
  const stage = await delivery();
  await askedPlan(stage);
  const { ana, plans } = stage.team;
  stage.slack.fail("reactions.add", { retryAfter: 1 });
  const ts = await ana.types(plans, "rate-limit it", { thread: home(stage).ts });
  const typed = () => thread(stage).find((message) => message.ts === ts);
  await stage.slack.until(() => (typed()?.reactions.length ?? 0) === 1);
});

it("asks for nothing twice when everything is delivered again", async () => {
  const stage = await delivery();
  await asked(stage, { payload: LOGIN });
  await stage.team.ana.chooses(home(stage), PASSWORD);
  await revealed(stage);
  const posts = calls(stage, "chat.postMessage").length;
  const updates = calls(stage, "chat.update").length;
  await stop(stage);
  await start(stage);
  expect(calls(stage, "chat.postMessage")).toHaveLength(posts);
  expect(calls(stage, "chat.update")).toHaveLength(updates);
});

it("puts no previews below, and into metadata only what makes a post recognisable", async () => {
  const stage = await delivery();
  await askedPlan(stage);
  for (const { args } of calls(stage, "chat.postMessage")) {
    expect(args).toMatchObject({ unfurl_links: "false", unfurl_media: "false" });
    const metadata = typeof args.metadata === "string" ? JSON.parse(args.metadata) : args.metadata;
    expect(metadata).toEqual({ event_type: "askgate_card", event_payload: { nonce: expect.any(String) } });
  }
});
