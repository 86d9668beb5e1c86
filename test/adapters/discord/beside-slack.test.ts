/** One session in Slack and in Discord, in one bot: the first to settle wins, and each card says who did, and where. */
import { expect, it, onTestFinished } from "vitest";
import { openDiscord } from "../../../src/adapters/discord/surface.ts";
import { systemClock } from "../../../src/adapters/shared/clock.ts";
import { openSlack } from "../../../src/adapters/slack/surface.ts";
import { createEngine } from "../../../src/core/engine.ts";
import type { OpenRequest } from "../../../src/core/gate.ts";
import type { Kept, Vault } from "../../../src/core/surface.ts";
import { startDiscord } from "../../doubles/discord/index.ts";
import { openMemoryStore } from "../../doubles/memory-store.ts";
import { startSlack } from "../../doubles/slack/index.ts";
import { people as discordPeople } from "../../support/discord-stage.ts";
import { request } from "../../support/engine.ts";
import { people as slackPeople } from "../../support/slack-stage.ts";

function vault(): Vault {
  const kept = new Map<string, Kept>();
  return {
    list: () => Object.fromEntries(kept),
    put: async (_, connection, value) => void kept.set(connection, value),
  };
}

/** Both chats have a #plans with Ana in it. */
async function both() {
  const [slack, discord] = await Promise.all([startSlack({ factor: 100 }), startDiscord({ factor: 100 })]);
  const here = slackPeople(slack);
  const there = discordPeople(discord);
  const parts = { clock: systemClock, log: { info() {}, warn() {}, error() {} } };
  const chats = [openSlack({ vault: vault(), ...parts }), openDiscord({ vault: vault(), ...parts })] as const;
  let ids = 0;
  const engine = await createEngine({
    store: openMemoryStore({}),
    storeId: "st",
    ...parts,
    chance: { id: (length) => String(ids++).padStart(length, "0") },
    surfaces: [...chats],
    page: null,
    local: { id: "local:ana", name: "ana" },
  });
  onTestFinished(async () => {
    const complaints = await Promise.allSettled([slack.assertClean(), discord.assertClean()]);
    await engine.stop();
    await Promise.all([slack.stop(), discord.stop()]);
    expect(complaints.filter(({ status }) => status === "rejected")).toEqual([]);
  });
  const { botToken: bot, appToken: app } = here.acme;
  await chats[0].connect({ surface: "slack", tokens: { bot, app }, baseUrl: slack.apiUrl });
  await chats[1].connect({ surface: "discord", tokens: { bot: discord.token }, baseUrl: discord.apiUrl });
  const open = (more: Partial<OpenRequest>) =>
    engine.open(request({ via: ["slack", "discord"], to: ["#plans"], ...more }));
  const inSlack = () => here.plans.transcript();
  const inDiscord = () => there.plans.transcript();
  const slackCard = () => here.plans.messages()[0] ?? failed("nothing stands in Slack");
  const discordCard = () => there.plans.messages()[0] ?? failed("nothing stands in Discord");
  return { slack, discord, here, there, engine, open, inSlack, inDiscord, slackCard, discordCard };
}

function failed(what: string): never {
  throw new Error(what);
}

const ASK = { kind: "ask", payload: { question: "Which UI?", options: ["Web UI", "Terminal"] } } as const;

it("is asked in both, and answered in Discord", async () => {
  const { slack, discord, there, engine, open, inSlack, discordCard } = await both();
  const { round, links } = await open(ASK);
  expect(links.map(({ label }) => label)).toEqual(["asked #plans in Slack", "asked #plans in Discord"]);
  await there.ana.presses(discordCard(), "Terminal");
  await slack.until(() => inSlack().includes("Ana in Discord"));
  await discord.until(() => there.ana.sees(discordCard()).length === 0);
  const { result } = await engine.wait(round, 0, false);
  expect(result).toMatchObject({ answer: "Terminal", by: "Ana" });
});

it("is asked in both, and answered in Slack", async () => {
  const { discord, here, there, engine, open, inDiscord, slackCard, discordCard } = await both();
  const { round } = await open(ASK);
  await here.ana.presses(slackCard(), "Web UI");
  await discord.until(() => inDiscord().includes("Ana in Slack"));
  expect(there.ana.sees(discordCard())).toEqual([]);
  expect((await engine.wait(round, 0, false)).result).toMatchObject({ answer: "Web UI" });
});

it("counts one of two that press at the same time, and tells the other", async () => {
  const { slack, discord, here, there, engine, open, inSlack, inDiscord, slackCard, discordCard } =
    await both();
  const { round } = await open(ASK);
  await Promise.all([here.ana.presses(slackCard(), "Web UI"), there.ben.presses(discordCard(), "Terminal")]);
  const { result } = await engine.wait(round, 0, false);
  const wins = result.answer === "Web UI" ? "Ana" : "Ben";
  await slack.until(() => inSlack().includes(wins));
  await discord.until(() => inDiscord().includes(wins));
  const told = () => here.ana.ephemerals(here.plans).length + there.ben.ephemerals(there.plans).length;
  await Promise.race([slack.until(() => told() === 1), discord.until(() => told() === 1)]);
});

it("shows in one what is picked in the other", async () => {
  const { slack, discord, here, there, open, inSlack, inDiscord, slackCard, discordCard } = await both();
  await open({});
  await there.ana.chooses(discordCard(), "2 Password");
  await slack.until(() => inSlack().includes("Ana") && here.plans.thread(slackCard().ts).length === 1);
  await here.ben.chooses(slackCard(), "2 One month");
  await discord.until(() => inDiscord().includes("Ben"));
});

it("goes on in Slack while Discord is out of reach, and catches up", async () => {
  const { slack, discord, here, open, inSlack, inDiscord, slackCard } = await both();
  await open({});
  const fault = { http: 503 } as const;
  discord.fail("PATCH /channels/:channel/messages/:message", fault, { times: 2 });
  await here.ana.chooses(slackCard(), "1 One day");
  await slack.until(() => inSlack().includes("Ana"));
  expect(inDiscord()).not.toContain("One day — Ana");
  await discord.until(() => inDiscord().includes("Ana"));
});

it("is asked in Slack where Discord refuses, with a note", async () => {
  const { discord, here, open } = await both();
  discord.fail("POST /channels/:channel/messages", { status: 403, code: 50013 });
  const opened = await open(ASK);
  expect(opened.result).toBeNull();
  expect(opened.notes.join()).toMatch(/discord #plans: the bot lacks a permission there/);
  expect(here.plans.messages()).toHaveLength(1);
});
