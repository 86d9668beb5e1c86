/** What people wrote, edited and deleted while nobody listened: read back after a restart and after a missed resume. */
import { expect, it } from "vitest";
import type { Opened } from "../../../src/core/gate.ts";
import type { DiscordStage } from "../../support/discord-stage.ts";
import { until } from "../../support/until.ts";
import {
  asked,
  askedPlan,
  calls,
  delivery,
  home,
  known,
  listens,
  now,
  REACT,
  READ,
  room,
  says,
  showing,
  start,
  thread,
} from "./delivery.ts";

interface Away {
  leaves(stage: DiscordStage): Promise<void>;
  returns(stage: DiscordStage): Promise<void>;
}

const RESTART: Away = { leaves: (stage) => stage.stop(), returns: start };

/** Its session cannot be taken up again. */
const MISSED: Away = {
  async leaves({ discord }) {
    discord.sockets.reachable(false);
    discord.sockets.drop();
    discord.sockets.forget();
  },
  async returns(stage) {
    stage.discord.sockets.reachable(true);
    await listens(stage);
  },
};

const BOTH = [
  ["a restart", RESTART],
  ["a missed resume", MISSED],
] as const;

const shown = (stage: DiscordStage, opened: Opened, text: string) =>
  until(async () => (await known(stage, opened)).includes(text));

/** The paragraph of the plan, once it stands in its thread. */
async function block(stage: DiscordStage) {
  await stage.discord.until(() =>
    thread(stage).some(({ components }) => JSON.stringify(components).includes("We send")),
  );
  return showing(stage, "We send");
}

it.each(BOTH)(
  "takes comments on a block, in a chain of replies, and on the plan: after %s",
  async (_, away) => {
    const stage = await delivery();
    const opened = await askedPlan(stage, { granularity: "block" });
    const { ana, ben } = stage.team;
    const paragraph = await block(stage);
    await away.leaves(stage);
    const first = await ana.types(room(stage), "by when?", { replyTo: paragraph.id });
    await ben.types(room(stage), "and how?", { replyTo: first });
    await ana.types(room(stage), "all in all fine");
    await away.returns(stage);
    await shown(stage, opened, "all in all fine");
    const { annotations, feedback } = await now(stage, opened);
    expect(annotations).toMatchObject([{ comment: "by when?" }, { comment: "and how?" }]);
    expect(feedback).toMatchObject([{ text: "all in all fine" }]);
  },
);

it.each(BOTH)("takes an answer by a reply to a card: after %s", async (_, away) => {
  const stage = await delivery();
  const payload = { question: "Which name?", allow_custom: true };
  const opened = await asked(stage, { kind: "ask", payload });
  await away.leaves(stage);
  await stage.team.ana.types(stage.team.plans, "Gate", { replyTo: home(stage).id });
  await away.returns(stage);
  await until(async () => JSON.stringify(await now(stage, opened)).includes("Gate"));
});

it.each(BOTH)("takes what is written in a direct message: after %s", async (_, away) => {
  const stage = await delivery();
  const payload = { question: "Which name?", allow_custom: true };
  const opened = await asked(stage, { kind: "ask", payload, to: ["@Ana"] });
  await away.leaves(stage);
  await stage.team.ana.types(stage.team.ana.dm(), "Gate");
  await away.returns(stage);
  await until(async () => JSON.stringify(await now(stage, opened)).includes("Gate"));
});

it.each(BOTH)("follows edits and deletions, one by one and many at once: after %s", async (_, away) => {
  const stage = await delivery();
  const opened = await askedPlan(stage);
  const { ana, ben, plans } = stage.team;
  plans.allows(["MANAGE_MESSAGES"], ana);
  stage.discord.expectError(REACT, 10008, { maybe: true });
  const write = (text: string) => ben.types(room(stage), text);
  const edited = await write("first thought");
  const deleted = await write("never mind");
  const swept = [await write("swept one"), await write("swept two")];
  await shown(stage, opened, "swept two");
  await away.leaves(stage);
  await ben.edits(room(stage), edited, "second thought");
  await ben.deletes(room(stage), deleted);
  await ana.sweeps(room(stage), swept);
  await away.returns(stage);
  await shown(stage, opened, "second thought");
  expect(await now(stage, opened)).toMatchObject({ feedback: [{ text: "second thought" }] });
});

it("follows edits and deletions, one by one and many at once, while it listens", async () => {
  const stage = await delivery();
  const opened = await askedPlan(stage);
  const { ana, ben, plans } = stage.team;
  plans.allows(["MANAGE_MESSAGES"], ana);
  stage.discord.expectError(REACT, 10008, { maybe: true });
  const write = (text: string) => ben.types(room(stage), text);
  const edited = await write("first thought");
  const deleted = await write("never mind");
  const swept = [await write("swept one"), await write("swept two")];
  await shown(stage, opened, "swept two");
  await ben.edits(room(stage), edited, "second thought");
  await ben.deletes(room(stage), deleted);
  await ana.sweeps(room(stage), swept);
  await until(async () => JSON.stringify((await now(stage, opened)).feedback).match(/"text"/g)?.length === 1);
  await shown(stage, opened, "second thought");
});

it("forgets what stood in a thread that was deleted", async () => {
  const stage = await delivery();
  const opened = await askedPlan(stage);
  await stage.team.ana.types(room(stage), "rate-limit it");
  await shown(stage, opened, "rate-limit it");
  await stage.stop();
  stage.discord.expectError(READ, 10003);
  room(stage).delete();
  await start(stage);
  await until(async () => !(await known(stage, opened)).includes("rate-limit it"));
});

it.each(["VIEW_CHANNEL", "READ_MESSAGE_HISTORY"] as const)(
  "keeps what it may not read any more: %s",
  async (permission) => {
    const stage = await delivery();
    const opened = await askedPlan(stage);
    await stage.team.ana.types(room(stage), "rate-limit it");
    await shown(stage, opened, "rate-limit it");
    await stage.stop();
    stage.discord.expectError(READ, 50001, { maybe: true });
    stage.team.plans.denies([permission]);
    const before = calls(stage, READ).length;
    await start(stage);
    await stage.discord.until(() => calls(stage, READ).length > before);
    await until(() => says(stage, "could not be read back"));
    expect(await known(stage, opened)).toContain("rate-limit it");
  },
);

it.each([{ http: 503 }, { retryAfter: 1 }, { lose: "response" }] as const)(
  "reads a place back as soon as Discord lets it: %j",
  async (fault) => {
    const stage = await delivery();
    const opened = await askedPlan(stage);
    await stage.stop();
    await stage.team.ana.types(room(stage), "rate-limit it");
    stage.discord.fail(READ, fault);
    await start(stage);
    await shown(stage, opened, "rate-limit it");
  },
);

it("reads back when Discord says later who wrote it", async () => {
  const stage = await delivery();
  const opened = await askedPlan(stage);
  await stage.stop();
  await stage.team.ana.types(room(stage), "rate-limit it");
  stage.discord.fail("GET /guilds/:guild/members/:user", { http: 503 });
  await start(stage);
  await until(() => says(stage, "could not be read back yet"));
  expect(await known(stage, opened)).not.toContain("rate-limit it");
});

it("reads more than a hundred messages back, of the channel and of a thread", async () => {
  const stage = await delivery();
  const opened = await askedPlan(stage);
  await stage.stop();
  const { ana, plans } = stage.team;
  for (let count = 1; count <= 130; count += 1) await ana.types(plans, `chatter ${count}`);
  for (let count = 1; count <= 130; count += 1) await ana.types(room(stage), `remark ${count}.`);
  const first = await ana.types(plans, "to the plan", { replyTo: home(stage).id });
  expect(first).not.toBe("");
  await start(stage);
  await shown(stage, opened, "remark 130.");
  const { feedback } = await now(stage, opened);
  expect(JSON.stringify(feedback).match(/remark \d+\./g)).toHaveLength(130);
  expect(JSON.stringify(feedback)).not.toContain("chatter");
});

it("reads on in a thread whose beginning somebody deleted", async () => {
  const stage = await delivery();
  const opened = await askedPlan(stage, { granularity: "block" });
  const { ana, plans } = stage.team;
  plans.allows(["MANAGE_MESSAGES"], ana);
  const paragraph = await block(stage);
  const old = room(stage);
  await ana.sweeps(plans, [home(stage).id]);
  await stage.discord.until(() => plans.messages().length === 1);
  await stage.stop();
  await ana.types(old, "by when?", { replyTo: paragraph.id });
  await start(stage);
  await shown(stage, opened, "by when?");
});

it("takes nothing of what is written elsewhere, by bots, or by itself", async () => {
  const stage = await delivery();
  const opened = await askedPlan(stage);
  const { plans, ana, acme } = stage.team;
  const robot = acme.person({ id: "590", name: "Robot", bot: true });
  const ideas = acme.channel({ id: "202", name: "ideas", members: [ana, acme.bot] });
  await stage.stop();
  await ana.types(plans, "not for the agent 1");
  await ana.types(ideas, "not for the agent 2");
  await robot.types(room(stage), "not for the agent 3").catch(() => {});
  await ana.types(room(stage), "for the agent");
  await start(stage);
  await shown(stage, opened, "for the agent");
  await ana.types(plans, "not for the agent 4");
  await ana.types(room(stage), "for the agent, too");
  await shown(stage, opened, "for the agent, too");
  expect(await known(stage, opened)).not.toContain("not for the agent");
});
