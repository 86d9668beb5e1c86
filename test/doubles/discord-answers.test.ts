import { ActionRowBuilder, ButtonBuilder, ButtonStyle, MessageFlags, TextDisplayBuilder } from "discord.js";
import { afterEach, expect, test } from "vitest";
import type { Channel, DiscordOptions, Person } from "./discord/index.ts";
import { type Act, type TestBot, testBot } from "./discord/test-bot.ts";
import { button, row, section, text } from "./discord/test-components.ts";
import { posts, refusal, restOf, soon } from "./discord/testing.ts";

let it: TestBot;
let ana: Person;
let plans: Channel;
afterEach(() => it.stop());

async function bot(act: Act, options: DiscordOptions = {}) {
  it = await testBot(act, options);
  ({ ana, plans } = it);
}

const go = button({ custom_id: "go" });

test("an ephemeral answer is seen by one, is edited by its token and not with the bot's", async () => {
  await bot(async (interaction) => {
    if (!interaction.isButton()) return;
    await interaction.reply({ content: "only you", flags: MessageFlags.Ephemeral });
    await interaction.editReply({ content: "still only you" });
    await interaction.followUp({ content: "and this", flags: MessageFlags.Ephemeral });
  });
  const ben = it.acme.person({ id: "502", name: "Ben" });
  const card = await it.posted({ components: [row(go)] });
  await ana.presses(card, "Go");
  await soon(() => ana.ephemerals(plans)).toHaveLength(2);
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
  const card = await it.posted({ components: [row(go)] });
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
  const card = await it.posted({ components: [row(go, button({ custom_id: "on", label: "On" }))] });
  await ana.presses(card, "Go");
  await it.discord.until(() => plans.messages().at(-1)?.content === "edited");
  await ana.presses(card, "On");
  await it.discord.until(() => plans.messages().at(-1)?.content === "followed");
  expect(seen).toEqual(["askgate: (is thinking…)", "askgate: (is thinking…)"]);
  expect(plans.messages()).toHaveLength(3);
  await it.discord.assertClean();
});

test("what is pressed in a thread, in a direct message and in a section is answered there", async () => {
  await bot(async (interaction) => {
    if (interaction.isButton()) await interaction.update({ components: [textDisplay("done")] });
  });
  const card = { flags: 1 << 15, components: [section(text("press")), text("below")] };
  const textDisplay = (content: string) => new TextDisplayBuilder().setContent(content);
  const root = await ana.types(plans, "root");
  const thread = await ana.opensThread(plans, root, "talk");
  for (const place of [thread, ana.dm()]) {
    await posts(it.rest, place.id, card);
    const last = place.messages().at(-1);
    if (last === undefined) throw new Error("nothing was posted");
    expect(await ana.presses(last, "Go")).toEqual({ kind: "acked" });
    expect(place.picture(last)).toBe("askgate: done");
  }
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
  const card = await it.posted({ components: [row(go)] });
  it.discord.expectError("POST /webhooks/:app/:token", 10015);
  it.discord.expectError("PATCH /webhooks/:app/:token/messages/:message", 50027);
  await ana.presses(card, "Go");
  await soon(() => codes).toEqual([10015, 50027]);
  expect(card.content).toBe("in time");
  await restOf(it.discord).patch(`/channels/201/messages/${card.id}`, {
    body: { content: "with the bot's" },
  });
  await it.discord.assertClean();
});
