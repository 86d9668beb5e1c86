/** A Bolt app that does nothing but post one message under whatever is pressed: what a follow-up cannot be faster than. */
import bolt from "@slack/bolt";

const { botToken, appToken, apiUrl: slackApiUrl, message } = JSON.parse(process.argv[2] ?? "{}");
const app = new bolt.App({
  token: botToken,
  appToken,
  socketMode: true,
  clientOptions: { slackApiUrl },
  logLevel: bolt.LogLevel.ERROR,
});

app.action(/.*/, async ({ ack, body, client }) => {
  await ack();
  await client.chat.postMessage({ channel: body.channel.id, thread_ts: body.message.ts, ...message });
});

await app.start();
console.log("ready");
