import { App, type BlockAction, LogLevel } from "@slack/bolt";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Slack, startSlack, type Workspace } from "./slack/index.ts";
import { record, str } from "./slack/wire.ts";

let slack: Slack;
let acme: Workspace;
let app: App | undefined;

beforeEach(async () => {
  slack = await startSlack({ ackMs: 1000 });
  acme = slack.workspace({ id: "T1", name: "acme", domain: "acme" });
});

afterEach(async () => {
  await app?.stop();
  app = undefined;
  await slack.stop();
});

const button = (text: string, more = {}) => ({
  type: "button" as const,
  action_id: "go",
  text: { type: "plain_text" as const, text },
  ...more,
});

const option = (text: string) => ({
  text: { type: "plain_text" as const, text, emoji: true },
  value: text.toLowerCase(),
});

async function bolt(): Promise<App> {
  app = new App({
    token: acme.botToken,
    appToken: acme.appToken,
    socketMode: true,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } },
  });
  return app;
}

const start = async (it: App) => {
  await it.start();
  await slack.until(() => slack.sockets.count === 1);
};

test("a press reaches a bolt app as a block action, and the changed message is what stands", async () => {
  const ana = acme.person({ id: "U1", name: "Ana" });
  const plans = acme.channel({ id: "C1", name: "plans", members: [ana, acme.bot] });
  const it = await bolt();
  it.action<BlockAction>("go", async ({ ack, body, client, respond }) => {
    await ack();
    const { channel_id, message_ts } = record(body.container);
    await client.chat.update({ channel: str(channel_id), ts: str(message_ts), text: "done", blocks: [] });
    await respond({ text: "only for you", response_type: "ephemeral" });
  });
  await start(it);
  await it.client.chat.postMessage({
    channel: "C1",
    text: "a plan",
    blocks: [{ type: "actions", elements: [button("Send to agent", { value: "v" })] }],
  });
  const [message] = plans.messages();
  if (message === undefined) throw new Error("nothing was posted");
  expect(await ana.presses(message, "Send to agent")).toEqual({ kind: "acked" });
  await slack.until(() => plans.messages()[0]?.text === "done" && ana.ephemerals(plans).length === 1);
  await expect(ana.presses(message, "Send to agent")).rejects.toThrow("no button");
  expect(plans.transcript(ana)).toBe(
    "# plans\naskgate: done (edited)\n(only visible to you) askgate: only for you",
  );
  await slack.assertClean();
});

test("a pick stays on that person's screen until the ids change", async () => {
  const ana = acme.person({ id: "U1", name: "Ana" });
  const ben = acme.person({ id: "U2", name: "Ben" });
  const plans = acme.channel({ id: "C1", name: "plans", members: [ana, ben, acme.bot] });
  const it = await bolt();
  const states: unknown[] = [];
  it.action(/.*/, async ({ ack, body }) => {
    states.push("state" in body ? body.state : null);
    await ack();
  });
  await start(it);
  const select = (rev: string) => [
    {
      type: "actions" as const,
      block_id: `b${rev}`,
      elements: [
        {
          type: "static_select" as const,
          action_id: `a${rev}`,
          options: [option("Postgres"), option("SQLite")],
          initial_option: option("SQLite"),
        },
      ],
    },
  ];
  const { ts } = await it.client.chat.postMessage({ channel: "C1", text: "which?", blocks: select("1") });
  const [message] = plans.messages();
  if (message === undefined || ts === undefined) throw new Error("nothing was posted");
  await ana.chooses(message, "Post");
  expect(states).toEqual([
    { values: { b1: { a1: { type: "static_select", selected_option: option("Postgres") } } } },
  ]);
  await it.client.chat.update({ channel: "C1", ts, text: "which?", blocks: select("1") });
  expect(ana.sees(message)[0]?.chosen).toEqual(["Postgres"]);
  expect(ben.sees(message)[0]?.chosen).toEqual(["SQLite"]);
  await it.client.chat.update({ channel: "C1", ts, text: "which?", blocks: select("2") });
  expect(ana.sees(message)[0]?.chosen).toEqual(["SQLite"]);
  await slack.assertClean();
});
