import { ActionRowBuilder, type Interaction, StringSelectMenuBuilder } from "discord.js";
import { afterEach, expect, test } from "vitest";
import type { Channel, DiscordOptions, Person } from "./discord/index.ts";
import { type Act, type TestBot, testBot } from "./discord/test-bot.ts";
import { button, row, select } from "./discord/test-components.ts";
import { refusal, soon } from "./discord/testing.ts";
import type { Json } from "./discord/wire.ts";

let it: TestBot;
let ana: Person;
let plans: Channel;
afterEach(() => it.stop());

async function bot(act: Act, options: DiscordOptions = {}) {
  it = await testBot(act, options);
  ({ ana, plans } = it);
}

const nothing = async () => {};
const go = button({ custom_id: "go" });
const choice = (more: Json = {}) => row(select({ custom_id: "pick", ...more }));

test("a press updates the message it stands on", async () => {
  await bot(async (interaction) => {
    if (interaction.isButton()) await interaction.update({ content: "done", components: [] });
  });
  const card = await it.posted({ content: "a plan", components: [row(go)] });
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
  const card = await it.posted({ components: [choice({ max_values: 2 })] });
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
  const card = await it.posted({ components: [choice()] });
  await ana.chooses(card, "Option v1");
  expect(plans.transcript()).toContain("[ Option v1 ▾ ]");
  expect(await ana.chooses(card, "Option v1")).toEqual({ kind: "unsent" });
  expect(await ana.chooses(card, "Option v0")).toEqual({ kind: "acked" });
  await it.discord.assertClean();
});

test("nobody presses what is disabled, gone, or in a channel she does not see", async () => {
  await bot(nothing);
  const card = await it.posted({
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
  const card = await it.posted({ components: [row(go)] });
  const luc = it.acme.person({ id: "503", name: "Luc", locale: "fr" });
  expect(await luc.forges(card, { customId: "none", values: ["x"] })).toEqual({ kind: "acked" });
  expect(heard).toEqual(["none", "x", "fr"]);
  await it.discord.assertClean();
});

test("without an answer in time the press failed, for the person and for good", async () => {
  let late: Promise<number | string | null> = Promise.resolve(null);
  await bot(
    async (interaction) => {
      if (interaction.isButton()) {
        await it.discord.until(() => ana.failedPresses.length === 1);
        late = refusal(interaction.deferUpdate());
      }
    },
    { ackMs: 500 },
  );
  const card = await it.posted({ components: [row(go)] });
  it.discord.expectFailedPress();
  it.discord.expectError("POST /interactions/:interaction/:token/callback", 10062);
  expect(await ana.presses(card, "Go")).toMatchObject({ kind: "failed" });
  await it.discord.until(() => it.discord.calls.some(({ error }) => error === "10062"));
  expect(await late).toBe(10062);
  await it.discord.assertClean();
});

test("a failed press fails the test that did not expect it", async () => {
  await bot(nothing, { ackMs: 100 });
  const card = await it.posted({ components: [row(go)] });
  await ana.presses(card, "Go");
  await expect(it.discord.assertClean()).rejects.toThrow("failed for Ana: button Go");
});

test("two sessions of one bot both hear a press, and one of them comes second", async () => {
  const codes: (number | string | null)[] = [];
  const act = async (interaction: Interaction) => {
    if (interaction.isButton()) codes.push(await refusal(interaction.deferUpdate()));
  };
  await bot(act);
  await it.again(act);
  const card = await it.posted({ components: [row(go)] });
  it.discord.expectError("POST /interactions/:interaction/:token/callback", 40060);
  await ana.presses(card, "Go");
  await soon(() => codes.toSorted()).toEqual([40060, null]);
  await it.discord.assertClean();
});
