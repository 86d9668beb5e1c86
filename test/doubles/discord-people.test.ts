import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  type Client,
  Events,
  type Interaction,
  MessageFlags,
  StringSelectMenuBuilder,
} from "discord.js";
import { afterEach, expect, test } from "vitest";
import type { Channel, DiscordOptions, Message, Person } from "./discord/index.ts";
import { button, row, select } from "./discord/test-components.ts";
import { connected, posts, refusal, restOf, type Scene, scene } from "./discord/testing.ts";
import type { Json } from "./discord/wire.ts";

let it: Scene;
let ana: Person;
let plans: Channel;
const clients: Client[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) await client.destroy();
  await it.discord.stop();
});

/** A bot that does this with every interaction. */
async function bot(
  act: (interaction: Interaction) => Promise<unknown>,
  options: DiscordOptions = {},
): Promise<Client<true>> {
  it = await scene({ factor: Number.POSITIVE_INFINITY, ackMs: 400, ...options });
  ana = it.acme.person({ id: "501", name: "Ana" });
  plans = it.acme.channel({ id: "201", name: "plans" });
  const client = await connected(it.discord);
  clients.push(client);
  client.on(Events.InteractionCreate, (interaction) => act(interaction));
  return client;
}

async function message(body: Json): Promise<Message> {
  await posts(it.rest, "201", body);
  const last = plans.messages().at(-1);
  if (last === undefined) throw new Error("nothing was posted");
  return last;
}

const nothing = async () => {};
const go = button({ custom_id: "go" });
const choice = (more: Json = {}) => row(select({ custom_id: "pick", ...more }));

test("a press updates the message it stands on", async () => {
  await bot(async (interaction) => {
    if (interaction.isButton()) await interaction.update({ content: "done", components: [] });
  });
  const card = await message({ content: "a plan", components: [row(go)] });
  expect(await ana.presses(card, "Go")).toEqual({ kind: "acked" });
  expect(plans.transcript()).toBe("# plans\naskgate: done (edited)");
  await expect(ana.presses(card, "Go")).rejects.toThrow("no button");
  await it.discord.assertClean();
});

test("a pick is told with its values, and the same again is not told", async () => {
  const picked: string[][] = [];
  await bot(async (interaction) => {
    if (!interaction.isStringSelectMenu()) return;
    picked.push(interaction.values);
    await interaction.deferUpdate();
  });
  const card = await message({ components: [choice({ max_values: 2 })] });
  expect(await ana.chooses(card, "Option v1")).toEqual({ kind: "acked" });
  expect(await ana.chooses(card, "Option v1")).toEqual({ kind: "unsent" });
  expect(ana.sees(card)[0]?.chosen).toEqual(["Option v1"]);
  await ana.chooses(card, "Option v1", "Option v0");
  expect(picked).toEqual([["v1"], ["v0", "v1"]]);
  await expect(ana.chooses(card, { customId: "pick", values: [] })).rejects.toThrow("takes 1 to 2");
  await it.discord.assertClean();
});

test("what is redrawn shows its defaults, and picking those tells nobody", async () => {
  await bot(async (interaction) => {
    if (!interaction.isStringSelectMenu()) return;
    const menu = StringSelectMenuBuilder.from(interaction.component);
    for (const option of menu.options) option.setDefault(option.data.value === interaction.values[0]);
    await interaction.update({
      components: [new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(menu)],
    });
  });
  const card = await message({ components: [choice()] });
  await ana.chooses(card, "Option v1");
  expect(plans.transcript()).toContain("[ Option v1 ▾ ]");
  expect(await ana.chooses(card, "Option v1")).toEqual({ kind: "unsent" });
  expect(await ana.chooses(card, "Option v0")).toEqual({ kind: "acked" });
  await it.discord.assertClean();
});

test("nobody presses what is disabled, gone, or in a channel she does not see", async () => {
  await bot(nothing);
  const card = await message({
    components: [row(button({ custom_id: "off", label: "Off", disabled: true }))],
  });
  await expect(ana.presses(card, "Off")).rejects.toThrow("disabled");
  plans.denies(["VIEW_CHANNEL"], ana);
  await expect(ana.presses(card, "Off")).rejects.toThrow("does not see");
  plans.allows(["VIEW_CHANNEL"], ana);
  await it.rest.delete(`/channels/201/messages/${card.id}`);
  await expect(ana.presses(card, "Off")).rejects.toThrow("not there any more");
  await it.discord.assertClean();
});

test("a forged press comes as it was sent, in the person's language", async () => {
  const heard: string[] = [];
  await bot(async (interaction) => {
    if (!interaction.isStringSelectMenu()) return;
    heard.push(interaction.customId, ...interaction.values, interaction.locale);
    await interaction.deferUpdate();
  });
  const card = await message({ components: [row(go)] });
  const luc = it.acme.person({ id: "503", name: "Luc", locale: "fr" });
  expect(await luc.forges(card, { customId: "none", values: ["x"] })).toEqual({ kind: "acked" });
  expect(heard).toEqual(["none", "x", "fr"]);
  await it.discord.assertClean();
});

test("without an answer in time the press failed, for the person and for good", async () => {
  let late: Promise<number | string | null> = Promise.resolve(null);
  await bot(async (interaction) => {
    if (interaction.isButton()) {
      await it.discord.until(() => ana.failedPresses.length === 1);
      late = refusal(interaction.deferUpdate());
    }
  });
  const card = await message({ components: [row(go)] });
  it.discord.expectFailedPress();
  it.discord.expectError("POST /interactions/:interaction/:token/callback", 10062);
  expect(await ana.presses(card, "Go")).toMatchObject({ kind: "failed" });
  await it.discord.until(() => it.discord.calls.some(({ error }) => error === "10062"));
  expect(await late).toBe(10062);
  await it.discord.assertClean();
});

test("a failed press fails the test that did not expect it", async () => {
  await bot(nothing);
  const card = await message({ components: [row(go)] });
  await ana.presses(card, "Go");
  await expect(it.discord.assertClean()).rejects.toThrow("failed for Ana: button Go");
});

test("two sessions of one bot both hear a press, and one of them comes second", async () => {
  const codes: (number | string | null)[] = [];
  const act = async (interaction: Interaction) => {
    if (interaction.isButton()) codes.push(await refusal(interaction.deferUpdate()));
  };
  await bot(act);
  const second = await connected(it.discord);
  clients.push(second);
  second.on(Events.InteractionCreate, (interaction) => act(interaction));
  const card = await message({ components: [row(go)] });
  it.discord.expectError("POST /interactions/:interaction/:token/callback", 40060);
  await ana.presses(card, "Go");
  await expect.poll(() => codes.toSorted()).toEqual([40060, null]);
  await it.discord.assertClean();
});

test("an ephemeral answer is seen by one, is edited by its token and not with the bot's", async () => {
  await bot(async (interaction) => {
    if (!interaction.isButton()) return;
    await interaction.reply({ content: "only you", flags: MessageFlags.Ephemeral });
    await interaction.editReply({ content: "still only you" });
    await interaction.followUp({ content: "and this", flags: MessageFlags.Ephemeral });
  });
  const ben = it.acme.person({ id: "502", name: "Ben" });
  const card = await message({ components: [row(go)] });
  await ana.presses(card, "Go");
  await expect.poll(() => ana.ephemerals(plans)).toHaveLength(2);
  expect(ana.ephemerals(plans).map(({ content }) => content)).toEqual(["still only you", "and this"]);
  expect(ben.ephemerals(plans)).toEqual([]);
  expect(plans.messages()).toHaveLength(1);
  const [first] = ana.ephemerals(plans);
  it.discord.expectError("PATCH /channels/:channel/messages/:message", 10008);
  const edit = it.rest.patch(`/channels/201/messages/${first?.id}`, { body: { content: "x" } });
  expect(await refusal(edit)).toBe(10008);
  await it.discord.assertClean();
});

test("a control on an ephemeral message can be pressed, and updates it", async () => {
  await bot(async (interaction) => {
    if (!interaction.isButton()) return;
    if (interaction.customId === "in") return interaction.update({ content: "pressed", components: [] });
    const inner = new ButtonBuilder().setCustomId("in").setLabel("In").setStyle(ButtonStyle.Primary);
    return interaction.reply({
      content: "private",
      components: [new ActionRowBuilder<ButtonBuilder>().addComponents(inner)],
      flags: MessageFlags.Ephemeral,
    });
  });
  const card = await message({ components: [row(go)] });
  await ana.presses(card, "Go");
  const [shown] = ana.ephemerals(plans);
  if (shown === undefined) throw new Error("nothing private");
  await ana.presses(shown, "In");
  expect(plans.transcript(ana)).toContain("(only visible to you) askgate: pressed");
  await it.discord.assertClean();
});

test("a deferred answer shows that the bot thinks, and is filled by an edit or the first follow-up", async () => {
  const seen: string[] = [];
  await bot(async (interaction) => {
    if (!interaction.isButton()) return;
    await interaction.deferReply();
    seen.push(plans.transcript().split("\n").at(-1) ?? "");
    if (interaction.customId === "go") await interaction.editReply("edited");
    else await interaction.followUp("followed");
  });
  const card = await message({ components: [row(go, button({ custom_id: "on", label: "On" }))] });
  await ana.presses(card, "Go");
  await it.discord.until(() => plans.messages().at(-1)?.content === "edited");
  await ana.presses(card, "On");
  await it.discord.until(() => plans.messages().at(-1)?.content === "followed");
  expect(seen).toEqual(["askgate: (is thinking…)", "askgate: (is thinking…)"]);
  expect(plans.messages()).toHaveLength(3);
  await it.discord.assertClean();
});

test("a token works after the first answer and for fifteen minutes", async () => {
  let time = Date.UTC(2026, 10, 30);
  const codes: (number | string | null)[] = [];
  await bot(
    async (interaction) => {
      if (!interaction.isButton()) return;
      const early = { body: { content: "early" } };
      codes.push(await refusal(it.rest.post(`/webhooks/${it.discord.appId}/${interaction.token}`, early)));
      await interaction.deferUpdate();
      await interaction.editReply("in time");
      time += 15 * 60_000 + 1;
      codes.push(await refusal(interaction.editReply("too late")));
    },
    { now: () => time },
  );
  const card = await message({ components: [row(go)] });
  it.discord.expectError("POST /webhooks/:app/:token", 10015);
  it.discord.expectError("PATCH /webhooks/:app/:token/messages/:message", 50027);
  await ana.presses(card, "Go");
  await expect.poll(() => codes).toEqual([10015, 50027]);
  expect(card.content).toBe("in time");
  await restOf(it.discord).patch(`/channels/201/messages/${card.id}`, {
    body: { content: "with the bot's" },
  });
  await it.discord.assertClean();
});
