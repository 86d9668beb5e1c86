/** What the real client makes of its own builders and calls passes, for the double is strict about unknown properties. */
import {
  ActionRowBuilder,
  AttachmentBuilder,
  ButtonBuilder,
  ButtonStyle,
  ContainerBuilder,
  EmbedBuilder,
  Events,
  FileBuilder,
  GatewayIntentBits,
  LabelBuilder,
  MessageFlags,
  ModalBuilder,
  SlashCommandBuilder,
  StringSelectMenuBuilder,
  type TextChannel,
  TextDisplayBuilder,
  TextInputBuilder,
  TextInputStyle,
} from "discord.js";
import { afterEach, expect, test } from "vitest";
import { type TestBot, testBot } from "./discord/test-bot.ts";
import { row, select } from "./discord/test-components.ts";
import { connected, INTENTS, soon } from "./discord/testing.ts";

let it: TestBot;
afterEach(() => it.stop());

async function channel(): Promise<TextChannel> {
  const found = await it.client.channels.fetch("201");
  if (found === null || !found.isTextBased() || !("threads" in found) || found.isThreadOnly())
    throw new Error("no text channel");
  if (found.type !== 0) throw new Error("no text channel");
  return found;
}

const buttons = () =>
  new ActionRowBuilder<ButtonBuilder>().addComponents(
    new ButtonBuilder().setCustomId("go").setLabel("Go").setStyle(ButtonStyle.Primary),
  );
const menu = () =>
  new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(
    new StringSelectMenuBuilder()
      .setCustomId("pick")
      .setPlaceholder("Choose")
      .addOptions({ label: "A", value: "a", description: "first", default: true }),
  );

test("messages with embeds, files, controls, nonces and replies, and their edits", async () => {
  it = await testBot(async () => {});
  const room = await channel();
  const file = new AttachmentBuilder(Buffer.from("# Plan"), { name: "plan.md", description: "the plan" });
  const sent = await room.send({
    content: "a",
    embeds: [new EmbedBuilder().setTitle("t").setDescription("d").addFields({ name: "n", value: "v" })],
    components: [buttons(), menu()],
    files: [file],
    nonce: "n1",
    enforceNonce: true,
    flags: MessageFlags.SuppressNotifications,
  });
  const answer = await sent.reply({ content: "b", failIfNotExists: false });
  await sent.edit({ content: "c", components: [], files: [file] });
  await answer.react("✅");
  await room.messages.edit(answer.id, { content: "d" });
  expect(it.plans.messages().map(({ content, attachments }) => [content, attachments.length])).toEqual([
    ["c", 1],
    ["d", 0],
  ]);
  await it.discord.assertClean();
});

test("Components V2 with a container and a file", async () => {
  it = await testBot(async () => {});
  const room = await channel();
  await room.send({
    flags: MessageFlags.IsComponentsV2,
    components: [
      new TextDisplayBuilder().setContent("# Plan"),
      new ContainerBuilder()
        .addTextDisplayComponents(new TextDisplayBuilder().setContent("inside"))
        .addActionRowComponents(buttons()),
      new FileBuilder().setURL("attachment://plan.md"),
    ],
    files: [new AttachmentBuilder(Buffer.from("# Plan"), { name: "plan.md" })],
  });
  expect(it.plans.transcript()).toBe("# plans\naskgate: Plan\n  | inside\n  | [ Go ]\n  📎 plan.md");
  await it.discord.assertClean();
});

test("threads are opened, renamed, archived, opened again, and people added", async () => {
  it = await testBot(async () => {});
  const room = await channel();
  const root = await room.send("root");
  const joined: string[] = [];
  const all = await connected(it.discord, { intents: [...INTENTS, GatewayIntentBits.GuildMembers] });
  all.on(Events.ThreadMembersUpdate, (added) => joined.push(...added.keys()));
  const thread = await root.startThread({ name: "talk" });
  await thread.setName("more");
  await thread.members.add("501");
  await thread.setArchived(true);
  await thread.setArchived(false);
  await room.threads.create({ name: "alone", type: 11 });
  expect(it.plans.threads().map(({ name, archived }) => [name, archived])).toEqual([
    ["more", false],
    ["alone", false],
  ]);
  expect(it.plans.thread(root.id)?.members()).toContain("501");
  await soon(() => joined).toEqual(["501"]);
  await all.destroy();
  await it.discord.assertClean();
});

test("a modal of builders, a reply with its response, a deleted answer", async () => {
  const ids: (string | undefined)[] = [];
  it = await testBot(async (interaction) => {
    if (interaction.isStringSelectMenu()) {
      const input = new TextInputBuilder().setCustomId("why").setStyle(TextInputStyle.Paragraph);
      const shown = new ModalBuilder().setCustomId("m").setTitle("Other");
      shown.addLabelComponents(new LabelBuilder().setLabel("Why").setTextInputComponent(input));
      await interaction.showModal(shown);
    }
    if (!interaction.isModalSubmit()) return;
    const said = await interaction.reply({ content: "thanks", withResponse: true });
    ids.push(said.resource?.message?.id);
    const more = await interaction.followUp({ content: "and", files: [Buffer.from("x")] });
    await interaction.editReply({ message: more, content: "more" });
    await interaction.deleteReply();
  });
  const card = await it.posted({ components: [row(select())] });
  await it.ana.chooses(card, "Option v1");
  expect(await it.ana.submits({ Why: "so" })).toEqual({ kind: "closed" });
  await soon(() => it.plans.messages().map(({ content }) => content)).toEqual(["", "more"]);
  expect(ids[0]).toMatch(/^\d+$/);
  await it.discord.assertClean();
});

test("commands of builders, the application and members", async () => {
  it = await testBot(async () => {});
  const command = new SlashCommandBuilder().setName("askgate").setDescription("What waits for you");
  command.addStringOption((option) => option.setName("which").setDescription("Which"));
  await it.client.application.commands.set([command]);
  await it.client.application.fetch();
  const guild = await it.client.guilds.fetch("100");
  expect((await guild.members.fetch("501")).displayName).toBe("Ana");
  expect((await guild.members.search({ query: "an" })).size).toBe(1);
  expect((await (await it.client.users.fetch("501")).createDM()).id).toBe(it.ana.dm().id);
  expect((await it.client.application.commands.fetch()).size).toBe(1);
  await it.discord.assertClean();
});
