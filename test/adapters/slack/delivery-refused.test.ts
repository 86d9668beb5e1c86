/** What Slack refuses for good, before a round is put and after: the command hears it, people do, and the bot goes on. */
import { expect, it } from "vitest";
import { client } from "../../doubles/slack/testing.ts";
import type { SlackStage } from "../../support/slack-stage.ts";
import { until } from "../../support/until.ts";
import { asked, askedPlan, calls, delivery, home, now, PASSWORD, showing, shows } from "./delivery.ts";

const unreachable = (reason: RegExp) => ({
  status: "unreachable",
  reason: expect.stringMatching(reason),
});

it("cannot ask in an archived channel, nor where it is no member, and says what to do", async () => {
  const stage = await delivery();
  const { acme, ana, plans } = stage.team;
  acme.channel({ id: "C0OLD", name: "old", members: [ana, acme.bot], archived: true });
  acme.channel({ id: "C0OTHER", name: "other", members: [ana] });
  expect((await stage.open({ to: ["#old"] })).result).toMatchObject(
    unreachable(/#old: it is archived: choose another place with --to/),
  );
  expect((await stage.open({ to: ["#other"] })).result).toMatchObject(
    unreachable(/#other: the bot is not a member: invite/),
  );
  expect(plans.messages()).toHaveLength(0);
});

it("hears at opening what the list of channels did not say", async () => {
  const stage = await delivery();
  const { acme, plans, ana } = stage.team;
  await asked(stage);
  await ana.presses(home(stage), "Cancel");
  await stage.slack.until(() => shows(home(stage), "Cancelled by Ana"));
  plans.kicks(acme.bot);
  stage.slack.expectError("chat.postMessage", "not_in_channel");
  const { result } = await stage.open({ session: "another" });
  expect(result).toMatchObject(unreachable(/not a member: invite/));
});

it.each([
  ["missing_scope", /missing scope/],
  ["is_archived", /it is archived: choose another place/],
  ["restricted_action", /restricted by the workspace/],
  ["something_new", /Slack says something_new/],
] as const)("tells the command at once why nothing could be put up: %s", async (error, reason) => {
  const stage = await delivery();
  stage.slack.fail("chat.postMessage", { error });
  const opened = await stage.open();
  expect(opened.result).toMatchObject(unreachable(reason));
  expect(opened.notes.join()).toMatch(reason);
});

it("is asked elsewhere when one of two places refuses, with a note", async () => {
  const stage = await delivery();
  const { acme, ana } = stage.team;
  acme.channel({ id: "C0OLD", name: "old", members: [ana, acme.bot], archived: true });
  const opened = await asked(stage, { to: ["#plans", "#old"] });
  expect(opened.notes.join()).toContain("#old: it is archived");
});

const REFUSALS = { archived: "is_archived", removed: "not_in_channel", scope: "missing_scope" };

it.each(["archived", "removed", "scope"] as const)(
  "goes on, visibly, where it may not write any more, and shows all with the next change: %s",
  async (how) => {
    const stage = await delivery();
    const opened = await asked(stage);
    const { ana, acme, plans } = stage.team;
    for (const method of ["chat.postMessage", "chat.update"]) {
      if (how === "scope") stage.slack.fail(method, { error: REFUSALS[how] });
      else stage.slack.expectError(method, REFUSALS[how]);
    }
    if (how === "archived") plans.archive();
    if (how === "removed") plans.kicks(acme.bot);
    await ana.chooses(home(stage), PASSWORD);
    await stage.slack.until(() => calls(stage, "chat.update").length === 1);
    const troubles = async () => JSON.stringify((await stage.engine().show(opened.session)).troubles);
    await until(async () => (await troubles()).includes("slack #plans: "));
    expect(stage.logged.some((line) => line.includes("a surface refused a card"))).toBe(true);
    expect(await now(stage, opened)).toMatchObject({ status: "pending" });
    if (how === "archived") plans.unarchive();
    if (how === "removed") plans.invites(acme.bot);
    await ana.chooses(home(stage), "1 One day");
    await stage.slack.until(() => shows(home(stage), "Ana"));
    await until(async () => (await troubles()) === "[]");
  },
);

it("asks without the plan's file where files are refused, with a note", async () => {
  const stage = await delivery();
  stage.slack.fail("files.getUploadURLExternal", { error: "missing_scope" });
  const opened = await askedPlan(stage);
  expect(opened.notes.join()).toContain("missing scope");
  await stage.team.ana.presses(home(stage), "Approve");
  expect(await now(stage, opened)).toMatchObject({ decision: "approve" });
});

it("keeps what was typed where signs are refused", async () => {
  const stage = await delivery();
  const opened = await askedPlan(stage);
  stage.slack.fail("reactions.add", { error: "missing_scope" });
  await stage.team.ana.types(stage.team.plans, "rate-limit it", { thread: home(stage).ts });
  await until(() => stage.logged.some((line) => line.includes("could not be told")));
  expect(JSON.stringify((await stage.engine().show(opened.session)).rounds)).toContain("rate-limit it");
});

it("draws a card plainly that Slack does not accept, with buttons that work", async () => {
  const stage = await delivery();
  stage.slack.fail("chat.postMessage", { error: "invalid_blocks" });
  const opened = await asked(stage);
  expect(stage.logged.some((line) => line.includes("drawn plainly"))).toBe(true);
  expect(shows(home(stage), "Which auth methods?")).toBe(true);
  await stage.team.ana.presses(home(stage), "★ Accept recommended");
  await until(async () => shows(home(stage), "Ana"));
  await stage.team.ana.presses(home(stage), "Send to agent");
  expect(await now(stage, opened)).toMatchObject({ status: "submitted" });
});

it("shows plainly, too, what Slack does not accept as a change", async () => {
  const stage = await delivery();
  await asked(stage);
  stage.slack.fail("chat.update", { error: "invalid_blocks" });
  await stage.team.ana.chooses(home(stage), "1 One day");
  await stage.slack.until(() => shows(home(stage), "Ana"));
});

/** Whoever may delete everything in a workspace does. */
const deleted = (stage: SlackStage, { channel, ts }: { channel: string; ts: string }) =>
  client(stage.slack, stage.team.acme.botToken).chat.delete({ channel, ts });

it("puts the home message up again that somebody deleted, once", async () => {
  const stage = await delivery();
  await asked(stage);
  const { plans, ana } = stage.team;
  const old = home(stage).ts;
  await deleted(stage, home(stage));
  await stage.slack.until(() => plans.messages().length === 1 && home(stage).ts !== old);
  await ana.chooses(home(stage), PASSWORD);
  await stage.slack.until(() => shows(home(stage), "Ana"));
  expect(plans.messages()).toHaveLength(1);
  expect(plans.thread(home(stage).ts)).toHaveLength(1);
});

it("puts a follow-up up again that somebody deleted", async () => {
  const stage = await delivery();
  await asked(stage);
  const { plans, ana } = stage.team;
  await ana.chooses(home(stage), PASSWORD);
  await stage.slack.until(() => shows(home(stage), "Ana"));
  const [first] = plans.thread(home(stage).ts);
  if (first === undefined) throw new Error("no follow-up");
  await deleted(stage, first);
  await stage.slack.until(() => plans.thread(home(stage).ts).some(({ ts }) => ts !== first.ts));
  expect(plans.thread(home(stage).ts)).toHaveLength(1);
});

it("puts a root up again of which a tombstone is left, and goes on below the new one", async () => {
  const stage = await delivery();
  const opened = await asked(stage);
  const { plans, ana } = stage.team;
  await ana.chooses(home(stage), PASSWORD);
  await stage.slack.until(() => shows(home(stage), "Ana"));
  const old = home(stage).ts;
  await deleted(stage, home(stage));
  await stage.slack.until(() => plans.messages().some(({ ts }) => ts !== old));
  const controls = plans.thread(old).find((message) => shows(message, "Accept recommended"));
  if (controls === undefined) throw new Error("the controls are gone");
  await ana.presses(controls, "★ Accept recommended");
  await until(async () => JSON.stringify(await now(stage, opened)).includes("Lenient"));
  await ana.presses(controls, "Send to agent");
  expect(await now(stage, opened)).toMatchObject({ status: "submitted" });
});

it("puts a plan's block up again that somebody deleted, and takes comments there", async () => {
  const stage = await delivery();
  const opened = await askedPlan(stage, { granularity: "block" });
  const { plans, ana } = stage.team;
  const spam = () => plans.messages().find((message) => shows(message, "We send a link"));
  const old = spam();
  if (old === undefined) throw new Error("no block");
  await deleted(stage, old);
  await stage.slack.until(() => spam() !== undefined && spam()?.ts !== old.ts);
  await ana.types(plans, "by when?", { thread: spam()?.ts ?? "" });
  const rounds = async () => JSON.stringify((await stage.engine().show(opened.session)).rounds);
  await until(async () => /"annotations":\[\{[^\]]*by when\?/.test(await rounds()));
});

it("changes a message that is gone without anybody having said so: it is put up anew", async () => {
  const stage = await delivery();
  await asked(stage);
  const { plans, ana } = stage.team;
  stage.slack.fail("chat.update", { error: "message_not_found" });
  await ana.chooses(home(stage), "1 One day");
  await stage.slack.until(() => plans.messages().length === 2);
});

it("says privately that a form came too late, and opens the next one", async () => {
  const stage = await delivery();
  await asked(stage);
  const { plans, ana } = stage.team;
  stage.slack.fail("views.open", { error: "expired_trigger_id" });
  await ana.presses(home(stage), "Other…");
  await stage.slack.until(() => ana.ephemerals(plans).length === 1);
  expect(ana.view()).toBeNull();
  await ana.presses(home(stage), "Other…");
  await stage.slack.until(() => ana.view() !== null);
  await ana.closesView();
});

it("gives a private word to whoever presses a button of another store", async () => {
  const stage = await delivery();
  await asked(stage);
  const { plans, ana, acme } = stage.team;
  await client(stage.slack, acme.botToken).chat.postMessage({
    channel: plans.id,
    text: "theirs",
    blocks: [
      {
        type: "actions",
        elements: [
          {
            type: "button",
            action_id: "v1:other:send:r_x-1:0:-",
            text: { type: "plain_text", text: "Theirs" },
          },
        ],
      },
    ],
  });
  await ana.presses(showing(stage, "Theirs"), "Theirs");
  await stage.slack.until(() => ana.ephemerals(plans).length === 1);
});

it("takes nothing of what is written elsewhere, by bots, or by itself", async () => {
  const stage = await delivery();
  const opened = await askedPlan(stage);
  const { plans, ana, acme } = stage.team;
  const ideas = acme.channel({ id: "C0IDEAS", name: "ideas", members: [ana, acme.bot] });
  const looked = calls(stage, "users.info").length;
  await ana.types(plans, "not for the agent 1");
  const thread = await ana.types(ideas, "not for the agent 2");
  await ana.types(ideas, "not for the agent 3", { thread });
  const own = client(stage.slack, acme.botToken).chat;
  await own.postMessage({ channel: plans.id, thread_ts: home(stage).ts, text: "not for the agent 4" });
  await ana.types(plans, "for the agent", { thread: home(stage).ts });
  const shown = async () => JSON.stringify(await stage.engine().show(opened.session));
  await until(async () => (await shown()).includes("for the agent"));
  expect(await shown()).not.toContain("not for the agent");
  expect(calls(stage, "users.info").length).toBeLessThanOrEqual(looked + 1);
});
