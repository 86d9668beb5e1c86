/** What is Discord's own: how places are named, what a reply means, offers by a reaction, the slash command, and files. */
import { expect, it } from "vitest";
import { blockCard } from "../../conformance/chat-reading.ts";
import { openDiscordChat } from "../../support/discord-chat.ts";
import { discordStage } from "../../support/discord-stage.ts";
import { example } from "../../support/examples.ts";

const QUICK = { haste: 20, unlimited: true };
const UI = { question: "Which UI?", options: ["Web UI", "Terminal"] };
const SHORT = "# Login\n\nWe send a link.\n\n## Risks\n\n- spam\n- replay";
const PLAN = { title: "Login flow", plan: SHORT };

it.each(["@Ana", "501", "discord:501", "discord:@Ana"])("asks a person who is named %s", async (to) => {
  const stage = await discordStage();
  const { ana } = stage.team;
  const { notes, links } = await stage.open({ payload: example("login"), to: [to] });
  expect(ana.dm().transcript()).toContain("Login PRD");
  expect(notes).toEqual([]);
  expect(links).toMatchObject([{ surface: "discord", label: "asked Ana in Discord" }]);
});

it.each(["#plans", "plans", "201", "discord:#plans"])("asks in a channel that is named %s", async (to) => {
  const stage = await discordStage();
  const { plans } = stage.team;
  const { links } = await stage.open({ payload: example("login"), to: [to] });
  const [home] = plans.messages();
  const url = `https://discord.com/channels/100/201/${home?.id}`;
  expect(links).toEqual([{ surface: "discord", label: "asked #plans in Discord", url, open: null }]);
});

it.each(["#nowhere", "@nobody", "999"])("says that it cannot ask %s", async (to) => {
  const stage = await discordStage();
  for (const [route, code] of [
    ["GET /channels/:channel", 10003],
    ["GET /users/:user", 10013],
    ["GET /guilds/:guild/members/:user", 10013],
    ["POST /users/@me/channels", 10013],
  ] as const)
    stage.discord.expectError(route, code, { maybe: true });
  const { result } = await stage.open({ payload: example("login"), to: [to] });
  expect(result).toMatchObject({ status: "unreachable" });
  expect(String(result?.reason)).toContain(to.replace(/^[@#]/, ""));
});

it.each([
  ["its words", "neither, a bot", { answer: "neither, a bot", option: null }],
  ["the option of its number", "2", { answer: "Terminal", option: 2 }],
])("takes a reply to a question as %s", async (_, text, answer) => {
  const { ana, channel, ...stage } = await openDiscordChat();
  const asked = await stage.open({ kind: "ask", payload: UI });
  const said = await ana.repliesTo(await channel.card("Which UI?"), text);
  expect(await stage.outcome(asked)).toMatchObject({ ...answer, by: "Ana" });
  await stage.until(() => said.signs.includes("kept"));
  expect(said.signs).not.toContain("offered");
});

it("takes a reply to the home message as own words for its one open decision", async () => {
  const { ana, channel, ...stage } = await openDiscordChat();
  await stage.open({ payload: example("login") });
  const home = await channel.card("Login PRD");
  await ana.repliesTo(home, "Passkeys only");
  await stage.until(() => home.text.includes("Passkeys only — Ana"));
});

it("takes a reply to a decision's own card as own words for it", async () => {
  const { ana, channel, ...stage } = await openDiscordChat();
  await stage.open({ payload: { ...example("flow-1"), flow: undefined } });
  const home = await channel.card("Export service");
  await ana.picks(home, "Attachments");
  const card = await channel.reply("How much may the attachments of one export weigh?");
  await stage.until(() => home.links.some(({ url }) => url === card.url));
  await ana.repliesTo(card, "5 GB");
  await stage.until(() => card.text.includes("5 GB — Ana"));
});

it("takes a reply to a block, and into the talk below it, as comments on it", async () => {
  const { ana, ben, channel, ...stage } = await openDiscordChat(QUICK);
  const asked = await stage.open({ kind: "plan", payload: PLAN });
  const header = await channel.card("Login flow");
  const said = await ana.repliesTo(await channel.shown("¶2"), "by e-mail?");
  await stage.until(() => header.text.includes("Ana: 1 comment"));
  const more = await ben.repliesTo(said, "and by post");
  await stage.until(() => header.text.includes("Ben: 1 comment") && more.signs.includes("kept"));
  await ana.presses(header, "Request changes");
  expect(await stage.outcome(asked)).toMatchObject({
    annotations: [
      { blockIndex: 1, comment: "by e-mail?", by: "Ana" },
      { blockIndex: 1, comment: "and by post", by: "Ben" },
    ],
  });
});

it("takes a plain message in a plan's thread as feedback on the whole", async () => {
  const { ana, channel, ...stage } = await openDiscordChat(QUICK);
  const asked = await stage.open({ kind: "plan", payload: PLAN });
  const header = await channel.card("Login flow");
  await channel.shown("¶2");
  const said = await ana.writesUnder(blockCard(channel, 2), "tighten the token TTL");
  await stage.until(() => said.signs.includes("kept"));
  await ana.presses(header, "Request changes");
  expect(await stage.outcome(asked)).toMatchObject({
    annotations: [],
    feedback: [{ by: "Ana", text: "tighten the token TTL" }],
  });
});

it("takes an offer from the message's author alone", async () => {
  const { discord, team, ...stage } = await discordStage();
  const { ana, ben, plans } = team;
  const asked = await stage.open({ kind: "ask", payload: UI });
  const [home] = plans.messages();
  if (home === undefined) throw new Error("nothing was asked");
  const thread = await ana.opensThread(plans, home.id, "talk");
  const said = await ana.types(thread, "a bot");
  const signs = () => thread.messages().find(({ id }) => id === said)?.reactions ?? [];
  await discord.until(() => signs().some(({ emoji }) => emoji === "❔"));
  await ben.reacts(thread, said, "❔");
  await ana.reacts(thread, said, "🎉");
  const other = await ben.types(thread, "2");
  await discord.until(() =>
    thread.messages().some(({ id, reactions }) => id === other && reactions.length > 1),
  );
  expect(await stage.engine().show(asked.session)).toMatchObject({
    inbox: [{ text: "a bot" }, { text: "2" }],
  });
  await ana.reacts(thread, said, "❔");
  const { result } = await stage.engine().wait(asked.round, Number.POSITIVE_INFINITY, false);
  expect(result).toMatchObject({ answer: "a bot", by: "Ana" });
});

it("forgets comments that somebody swept away", async () => {
  const { discord, team, ...stage } = await discordStage({ factor: Number.POSITIVE_INFINITY });
  const { ana, plans } = team;
  await stage.open({ kind: "plan", payload: PLAN });
  const [header] = plans.messages();
  const thread = plans.thread(header?.id ?? "");
  const block = thread?.messages().find((message) => thread.picture(message).includes("¶2"));
  if (!thread || block === undefined) throw new Error("the plan does not stand");
  const ids = [
    await ana.types(thread, "one", { replyTo: block.id }),
    await ana.types(thread, "two", { replyTo: block.id }),
  ];
  await discord.until(() => plans.transcript().includes("Ana: 2 comments"));
  plans.allows(["MANAGE_MESSAGES"], ana);
  await ana.sweeps(thread, ids);
  await discord.until(() => !plans.transcript().includes("Ana: 2 comments"));
  expect(plans.transcript()).not.toContain("Ana: 1 comment");
});

it("lists what waits for whoever asks, with links, and nothing to others", async () => {
  const stage = await discordStage();
  const { ana, sam, luc, plans } = stage.team;
  const run = async (person: typeof ana, channel = plans): Promise<string> => {
    const answer = await person.runs("askgate", channel);
    return answer === null ? "" : channel.picture(answer);
  };
  expect(await run(ana)).toContain("Nothing waits for you.");
  await stage.open({ payload: example("login") });
  await stage.open({ kind: "ask", payload: { question: "Which UI?" }, to: ["@Ana"], project: "/other" });
  const listed = await run(ana);
  expect(listed).toContain("2 questions wait for you:");
  expect(listed).toContain("Login PRD");
  expect(await run(sam, sam.dm())).toContain("Nothing waits");
  const french = await run(luc);
  expect(french).toContain("question");
  expect(french).not.toContain("waits for you");
  expect(plans.messages()).toHaveLength(1);
});

it("hands files on that come with words", async () => {
  const { discord, team, ...stage } = await discordStage({ factor: Number.POSITIVE_INFINITY });
  const { ana, plans } = team;
  const asked = await stage.open({ kind: "plan", payload: PLAN });
  const [header] = plans.messages();
  const thread = plans.thread(header?.id ?? "");
  const block = thread?.messages().find((message) => thread.picture(message).includes("¶2"));
  if (header === undefined || !thread || block === undefined) throw new Error("the plan does not stand");
  const files = [{ name: "sketch.png", mimetype: "image/png", content: "…" }];
  await ana.types(thread, "like this", { replyTo: block.id, files });
  await discord.until(() => plans.transcript().includes("Ana: 1 comment"));
  await ana.presses(header, "Request changes");
  const { result } = await stage.engine().wait(asked.round, Number.POSITIVE_INFINITY, false);
  const url = expect.stringMatching(/^http/);
  expect(result).toMatchObject({
    annotations: [{ comment: "like this", files: [{ name: "sketch.png", type: "image/png", url }] }],
  });
});

it("shows code over the limit as a file of its language, with its beginning on the message", async () => {
  const { channel, ...stage } = await openDiscordChat(QUICK);
  const code = Array.from({ length: 800 }, (_, at) => `export const step${at} = ${at};`).join("\n");
  const plan = `# Login\n\n\`\`\`ts\n${code}\n\`\`\``;
  await stage.open({ kind: "plan", payload: { title: "Login flow", plan } });
  const block = await channel.shown("export const step0 = 0;");
  expect(block.text).toContain("¶2");
  expect(channel.files()).toContainEqual({ name: "block-2.ts", text: code });
});

it("asks whoever cancels, and nobody else, whether they are sure", async () => {
  const { discord, team, ...stage } = await discordStage();
  const { ana, ben, plans } = team;
  const { round } = await stage.open({ payload: example("login") });
  const [home] = plans.messages();
  if (home === undefined) throw new Error("nothing stands there");
  await ana.presses(home, "Cancel");
  const [sure] = ana.ephemerals(plans);
  if (sure === undefined) throw new Error("nobody asks");
  expect(plans.picture(sure)).toContain("Cancel this? The agent is told that nobody wants to answer.");
  expect(ben.ephemerals(plans)).toEqual([]);
  expect((await stage.engine().wait(round, 0, false)).state).toBe("open");
  await ana.presses(sure, "Cancel");
  expect((await stage.engine().wait(round, Number.POSITIVE_INFINITY, false)).result).toMatchObject({
    status: "cancelled",
    by: "Ana",
  });
  await discord.until(() => plans.picture(sure).includes("✅"));
});
