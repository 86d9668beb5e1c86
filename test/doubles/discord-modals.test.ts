import { GatewayDispatchEvents, type Interaction, type ModalSubmitInteraction } from "discord.js";
import { afterEach, expect, test } from "vitest";
import type { Channel, Message, Person } from "./discord/index.ts";
import { type Act, type TestBot, testBot } from "./discord/test-bot.ts";
import { button, input, label, modal, option, options, row, text } from "./discord/test-components.ts";
import { refusal, soon } from "./discord/testing.ts";
import { type Json, record, records } from "./discord/wire.ts";

let it: TestBot;
let ana: Person;
let plans: Channel;
let card: Message;
afterEach(() => it.stop());

const MODAL = 9;
const CALLBACK = "POST /interactions/:interaction/:token/callback";
const WHY = label(input({ custom_id: "why", min_length: 2, max_length: 5 }));

/** A bot that does this with every interaction, and a card with one button. */
async function bot(act: Act) {
  it = await testBot(act);
  ({ ana, plans } = it);
  card = await it.posted({ components: [row(button({ custom_id: "other", label: "Other" }))] });
}

/** Answers as it is told, past what the library would object to itself. */
const callback = ({ id, token }: Interaction, type: number, data: Json = {}) =>
  refusal(it.rest.post(`/interactions/${id}/${token}/callback`, { body: { type, data } }));

/** Opens this modal on a press, and does this with the submit. */
const opens = (shown: Json, submitted: (submit: ModalSubmitInteraction) => Promise<unknown>) =>
  bot(async (interaction) => {
    if (interaction.isButton()) await callback(interaction, MODAL, shown);
    if (interaction.isModalSubmit()) await submitted(interaction);
  });

test("a modal opens on a press, is filled in and submitted, and changes the message it came from", async () => {
  const said: string[] = [];
  await opens(modal(text("Say why."), WHY), async (submit) => {
    said.push(submit.fields.getTextInputValue("why"));
    if (submit.isFromMessage()) await submit.update({ content: "noted", components: [] });
  });
  expect(ana.modal()).toBe(null);
  await ana.presses(card, "Other");
  expect(ana.modal()).toMatchObject({
    title: "Other",
    texts: ["Say why."],
    inputs: [{ customId: "why", label: "Why", required: true, options: [], value: "" }],
  });
  expect(await ana.submits({ Why: "so" })).toEqual({ kind: "closed" });
  expect(ana.modal()).toBe(null);
  expect(said).toEqual(["so"]);
  expect(card.content).toBe("noted");
  await expect(ana.submits({ Why: "so" })).rejects.toThrow("no modal open");
  await it.discord.assertClean();
});

test("the client itself objects to what is missing, too short or too long, and sends nothing", async () => {
  await opens(modal(WHY), (submit) => submit.deferUpdate());
  await ana.presses(card, "Other");
  expect(await ana.submits()).toMatchObject({ kind: "errors" });
  expect(await ana.submits({ why: "a" })).toMatchObject({
    errors: { why: "Must be at least 2 characters." },
  });
  expect(await ana.submits({ why: "abcdef" })).toMatchObject({ kind: "errors" });
  expect(await ana.submits({ why: "abcde" })).toEqual({ kind: "closed" });
  await it.discord.assertClean();
});

test("radio groups, checkboxes and selects are filled in by their words", async () => {
  const heard: Json[] = [];
  const shown = modal(
    label({ type: 21, custom_id: "radio", options: options(2) }, { label: "One" }),
    label({ type: 22, custom_id: "boxes", options: options(3), required: false }, { label: "Some" }),
    label({ type: 3, custom_id: "select", options: [option("a", { default: true })] }, { label: "Menu" }),
    label({ type: 23, custom_id: "box" }, { label: "Sure" }),
  );
  await opens(shown, (submit) => submit.deferUpdate());
  it.client.ws.on(GatewayDispatchEvents.InteractionCreate, ({ data }) => heard.push(record(data)));
  await ana.presses(card, "Other");
  expect(await ana.submits({})).toMatchObject({ errors: { radio: "This field is required." } });
  await ana.submits({ One: "Option v1", Some: ["Option v0", "Option v2"], Sure: true });
  expect(records(heard.at(-1)?.components).map(({ component }) => component)).toMatchObject([
    { custom_id: "radio", value: "v1" },
    { custom_id: "boxes", values: ["v0", "v2"] },
    { custom_id: "select", values: ["a"] },
    { custom_id: "box", value: true },
  ]);
  await it.discord.assertClean();
});

test("a modal answers neither a modal nor a press that was answered already", async () => {
  const codes: (number | string | null)[] = [];
  await bot(async (interaction) => {
    if (interaction.isButton()) {
      codes.push(await callback(interaction, MODAL, modal(WHY)));
      codes.push(await callback(interaction, MODAL, modal(WHY)));
    }
    if (interaction.isModalSubmit()) {
      codes.push(await callback(interaction, MODAL, modal(WHY)));
      await interaction.deferUpdate();
    }
  });
  it.discord.expectError(CALLBACK, 40060);
  it.discord.expectError(CALLBACK, 50035);
  await ana.presses(card, "Other");
  await soon(() => codes).toEqual([null, 40060]);
  await ana.submits({ why: "so" });
  expect(codes).toEqual([null, 40060, 50035]);
  await it.discord.assertClean();
});

test("a submit that nobody answers leaves the modal open, as failed", async () => {
  let answers = false;
  await opens(modal(WHY), async (submit) => answers && submit.deferUpdate());
  await ana.presses(card, "Other");
  it.discord.expectFailedPress();
  expect(await ana.submits({ why: "so" })).toMatchObject({ kind: "failed" });
  answers = true;
  expect(await ana.submits()).toEqual({ kind: "closed" });
  expect(ana.failedPresses).toEqual(["submit of Other"]);
  await it.discord.assertClean();
});

test("a modal that is wrong is refused under data, and can be tried again", async () => {
  const codes: (number | string | null)[] = [];
  await bot(async (interaction) => {
    codes.push(await callback(interaction, MODAL, { ...modal(WHY), title: "x".repeat(46) }));
    codes.push(await callback(interaction, MODAL, modal(WHY)));
  });
  it.discord.expectError(CALLBACK, 50035);
  await ana.presses(card, "Other");
  await soon(() => codes).toEqual([50035, null]);
  ana.dismisses();
  expect(ana.modal()).toBe(null);
  await it.discord.assertClean();
});

test("commands are run as they are registered, answered for one or for all", async () => {
  await bot(async (interaction) => {
    if (!interaction.isChatInputCommand()) return;
    const which = interaction.options.getString("which");
    await interaction.reply({ content: `${interaction.options.getSubcommand()} ${which}`, flags: 64 });
  });
  await expect(ana.runs("askgate list", plans)).rejects.toThrow("no command /askgate");
  const which = { type: 3, name: "which", description: "Which", required: true };
  const list = { type: 1, name: "list", description: "What waits", options: [which] };
  const body = [{ name: "askgate", description: "askgate", options: [list] }];
  await it.rest.put(`/applications/${it.discord.appId}/commands`, { body });
  await expect(ana.runs("askgate list", plans)).rejects.toThrow("which is required");
  expect((await ana.runs("askgate list", plans, { which: "all" }))?.content).toBe("list all");
  expect(ana.ephemerals(plans)).toHaveLength(1);
  expect((await ana.runs("/askgate list", ana.dm(), { which: "mine" }))?.content).toBe("list mine");
  await it.discord.assertClean();
});
