/** A discord.js bot that does nothing but post one message under whatever is pressed: what a follow-up cannot be faster than. */
import { Client, Events, GatewayIntentBits } from "discord.js";

const { token, apiUrl, message } = JSON.parse(process.argv[2] ?? "{}");
const client = new Client({
  intents: [GatewayIntentBits.Guilds, GatewayIntentBits.DirectMessages],
  rest: { api: apiUrl },
});

client.on(Events.InteractionCreate, async (interaction) => {
  await interaction.deferUpdate();
  await client.rest.post(`/channels/${interaction.channelId}/messages`, {
    body: { ...message, message_reference: { message_id: interaction.message.id } },
  });
});

await client.login(token);
console.log("ready");
