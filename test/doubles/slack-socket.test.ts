import { SocketModeClient } from "@slack/socket-mode";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { Channel, Person } from "./slack/index.ts";
import { client, quiet, refusal, type Scene, scene } from "./slack/testing.ts";
import { type Json, parse, record, str } from "./slack/wire.ts";

/** Long enough for an answer of this machine, short enough to wait for. */
const ACK_MS = 150;

let it: Scene;
let ana: Person;
let plans: Channel;
const clients: SocketModeClient[] = [];
const raws: Raw[] = [];

beforeEach(async () => {
  it = await scene({ ackMs: ACK_MS, retryMs: [0, 50], pingMs: 100, factor: Number.POSITIVE_INFINITY });
  ana = it.acme.person({ id: "U1", name: "Ana" });
  plans = it.acme.channel({ id: "C1", name: "plans", members: [ana, it.acme.bot] });
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((one) => one.disconnect()));
  for (const raw of raws.splice(0)) raw.socket.terminate();
  await it.slack.stop();
});

interface Raw {
  socket: WebSocket;
  frames: Json[];
  /** The next frame that fits, also one that came already. */
  frame(fits: (frame: Json) => boolean): Promise<Json>;
  ack(frame: Json, payload?: Json): void;
}

const address = async () => (await client(it.slack, it.acme.appToken).apps.connections.open()).url ?? "";

/** A socket without manners of its own. */
async function raw(url?: string): Promise<Raw> {
  const socket = new WebSocket(url ?? (await address()));
  const frames: Json[] = [];
  const waiting = new Set<() => void>();
  socket.on("error", () => {});
  socket.on("message", (data) => {
    frames.push(record(parse(data.toString())));
    for (const wake of waiting) wake();
  });
  const frame = (fits: (one: Json) => boolean) =>
    new Promise<Json>((resolve) => {
      const look = () => {
        const found = frames.find(fits);
        if (found === undefined) return;
        waiting.delete(look);
        frames.splice(frames.indexOf(found), 1);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  const made: Raw = {
    socket,
    frames,
    frame,
    ack: (one, payload) => socket.send(JSON.stringify({ envelope_id: one.envelope_id, payload })),
  };
  raws.push(made);
  return made;
}

const ready = async () => {
  const one = await raw();
  await one.frame(isHello);
  return one;
};

const isHello = (frame: Json) => frame.type === "hello";
const isEvent = (frame: Json) => frame.type === "events_api";
const isInteractive = (frame: Json) => frame.type === "interactive";
const isDisconnect = (frame: Json) => frame.type === "disconnect";
const closed = ({ socket }: Raw) => new Promise((resolve) => socket.once("close", resolve));

async function socketClient(): Promise<SocketModeClient> {
  const made = new SocketModeClient({
    appToken: it.acme.appToken,
    logger: quiet,
    clientPingTimeout: 200,
    clientOptions: { slackApiUrl: it.slack.apiUrl, retryConfig: { retries: 0 } },
  });
  clients.push(made);
  await made.start();
  return made;
}

async function posted() {
  const button = {
    type: "button" as const,
    action_id: "go",
    text: { type: "plain_text" as const, text: "Go" },
  };
  await it.web.chat.postMessage({
    channel: "C1",
    text: "a",
    blocks: [{ type: "actions", elements: [button] }],
  });
  const message = plans.messages().at(-1);
  if (message === undefined) throw new Error("nothing was posted");
  return message;
}

test("says hello with the number of connections", async () => {
  const one = await raw();
  expect(await one.frame(isHello)).toMatchObject({
    num_connections: 1,
    connection_info: { app_id: it.acme.appId },
  });
  const other = await raw();
  expect(await other.frame(isHello)).toMatchObject({ num_connections: 2 });
});

test("an address works once, and no other address works", async () => {
  const url = await address();
  const one = await raw(url);
  await one.frame(isHello);
  await closed(await raw(url));
  await closed(await raw(url.replace(/ticket=[^&]+/, "ticket=guessed")));
  expect(it.slack.violations).toHaveLength(2);
  await expect(it.slack.assertClean()).rejects.toThrow("never given out, or twice");
});

test("only the app's own token opens a connection", async () => {
  expect(await refusal(it.web.apps.connections.open())).toBe("not_allowed_token_type");
  it.acme.revokeApp();
  expect(await refusal(client(it.slack, it.acme.appToken).apps.connections.open())).toBe("invalid_auth");
});

test("the real client hears a message as an event and acknowledges it", async () => {
  const made = await socketClient();
  const heard = new Promise<Json>((resolve) => {
    made.on("message", async ({ ack, body }) => {
      await ack();
      resolve(record(body));
    });
  });
  const ts = await ana.types(plans, "hello <@U0BOTT1> https://a.test/?a=1&b=2", {
    files: [{ name: "a.txt", mimetype: "text/plain" }],
  });
  const body = await heard;
  expect(body).toMatchObject({ team_id: "T1", api_app_id: it.acme.appId, type: "event_callback" });
  expect(body.event).toMatchObject({
    type: "message",
    subtype: "file_share",
    user: "U1",
    channel: "C1",
    channel_type: "channel",
    ts,
    text: "hello <@U0BOTT1> <https://a.test/?a=1&amp;b=2>",
    files: [{ name: "a.txt", mimetype: "text/plain" }],
  });
  await it.slack.assertClean();
});

test("tells of what happens where the bot is a member, its own messages too, and nowhere else", async () => {
  const one = await ready();
  const elsewhere = it.acme.channel({ id: "C2", name: "elsewhere", members: [ana] });
  const ben = it.acme.person({ id: "U2", name: "Ben" });
  const next = async () => {
    const frame = await one.frame(isEvent);
    one.ack(frame);
    return record(record(frame.payload).event);
  };
  await ana.types(elsewhere, "unheard");
  const ts = await ana.types(plans, "a");
  expect(await next()).toMatchObject({ type: "message", text: "a" });
  await ana.edits(plans, ts, "b");
  expect(await next()).toMatchObject({
    subtype: "message_changed",
    message: { text: "b", ts },
    previous_message: { text: "a" },
  });
  await ana.deletes(plans, ts);
  expect(await next()).toMatchObject({ subtype: "message_deleted", deleted_ts: ts });
  await it.web.chat.postMessage({ channel: "C1", text: "own" });
  expect(await next()).toMatchObject({ type: "message", bot_id: it.acme.botId, user: it.acme.botUserId });
  await ana.types(ana.dm(), "psst");
  expect(await next()).toMatchObject({ channel_type: "im", text: "psst" });
  plans.invites(ben);
  expect(await next()).toMatchObject({ type: "member_joined_channel", user: "U2" });
  plans.kicks(ben);
  expect(await next()).toMatchObject({ type: "member_left_channel", user: "U2" });
  plans.archive();
  expect(await next()).toMatchObject({ type: "channel_archive", channel: "C1" });
  it.acme.revoke();
  expect(await next()).toMatchObject({ type: "tokens_revoked" });
  expect(one.frames).toEqual([]);
  await it.slack.assertClean();
});

test("each envelope goes to one connection, in turns or to the one that is chosen", async () => {
  const [one, other] = [await ready(), await ready()];
  for (const text of ["a", "b", "c", "d"]) await ana.types(plans, text);
  const both = await Promise.all(
    [one, one, other, other].map((each) => each.frame(isEvent).then((frame) => ({ each, frame }))),
  );
  for (const { each, frame } of both) each.ack(frame);
  expect(new Set(both.map(({ frame }) => frame.envelope_id)).size).toBe(4);
  it.slack.sockets.deliverTo(1);
  for (const text of ["e", "f"]) {
    await ana.types(plans, text);
    other.ack(await other.frame(isEvent));
  }
  await it.slack.assertClean();
});

test("an event nobody acknowledges comes again as the same event, until it is given up", async () => {
  const one = await ready();
  await ana.types(plans, "a");
  const first = await one.frame(isEvent);
  const second = await one.frame(isEvent);
  const third = await one.frame(isEvent);
  expect([first, second, third].map((frame) => [frame.retry_attempt, frame.retry_reason])).toEqual([
    [0, ""],
    [1, "timeout"],
    [2, "timeout"],
  ]);
  expect(new Set([first, second, third].map((frame) => record(frame.payload).event_id)).size).toBe(1);
  expect(new Set([first, second, third].map((frame) => frame.envelope_id)).size).toBe(3);
  one.ack(first);
  one.ack(third);
  await it.slack.until(() => it.slack.violations.some((text) => text.includes("too late")));
  await expect(it.slack.assertClean()).rejects.toThrow("not acknowledged in time: event message");
});

test("a press that nobody acknowledges fails before her eyes, once, and comes no second time", async () => {
  const one = await ready();
  const message = await posted();
  one.ack(await one.frame(isEvent));
  const press = ana.presses(message, "Go");
  await one.frame(isInteractive);
  expect(await press).toEqual({ kind: "failed", reason: "no acknowledgement in time" });
  expect(ana.failedPresses).toEqual(["button go"]);
  expect(one.frames.filter(isInteractive)).toEqual([]);
  await expect(it.slack.assertClean()).rejects.toThrow("failed for Ana: button go");
});

test("a press while no connection is open fails at once, and a test may expect it", async () => {
  const message = await posted();
  it.slack.expectFailedPress();
  expect(await ana.presses(message, "Go")).toEqual({ kind: "failed", reason: "no connection is open" });
  await it.slack.assertClean();
});

test("duplicate, unknown and malformed acknowledgements are violations", async () => {
  const one = await ready();
  await ana.types(plans, "a");
  const frame = await one.frame(isEvent);
  one.ack(frame);
  one.ack(frame);
  one.ack({ envelope_id: "made-up" });
  one.socket.send("not json");
  await it.slack.until(() => it.slack.violations.length === 3);
  expect(it.slack.violations.join()).toMatch(
    /acknowledged twice.*but never sent.*no acknowledgement: not json/,
  );
});

test("an answer where none is taken, or over another connection, is a violation", async () => {
  const [one, other] = [await ready(), await ready()];
  it.slack.sockets.deliverTo(0);
  await ana.types(plans, "a");
  const frame = await one.frame(isEvent);
  other.ack(frame);
  await it.slack.until(() => it.slack.violations.some((text) => text.includes("another connection")));
  one.ack(frame, { text: "thanks" });
  await it.slack.until(() => it.slack.violations.some((text) => text.includes("none is taken")));
});

test("events wait while no connection is open", async () => {
  await ana.types(plans, "a");
  await ana.types(plans, "b");
  expect(it.slack.sockets.queued).toBe(2);
  const one = await ready();
  for (const text of ["a", "b"]) {
    const frame = await one.frame(isEvent);
    one.ack(frame);
    expect(record(record(frame.payload).event).text).toBe(text);
  }
  await it.slack.assertClean();
});

test("a broken line is no fault: what it carried comes again elsewhere", async () => {
  const one = await ready();
  await ana.types(plans, "a");
  const lost = await one.frame(isEvent);
  it.slack.sockets.dropAll();
  await closed(one);
  const other = await ready();
  const again = await other.frame(isEvent);
  other.ack(again);
  other.ack(lost);
  expect(again.retry_attempt).toBe(1);
  await it.slack.assertClean();
});

test("a silent peer hears and says nothing, not even pings", async () => {
  const one = await ready();
  await new Promise((resolve) => one.socket.once("ping", resolve));
  const pong = new Promise((resolve) => one.socket.once("pong", resolve));
  one.socket.ping();
  await pong;
  let heard = 0;
  it.slack.sockets.silence(0);
  one.socket.on("ping", () => {
    heard += 1;
  });
  one.socket.on("pong", () => {
    heard += 1;
  });
  one.socket.ping();
  await ana.types(plans, "lost");
  const other = await ready();
  const frame = await other.frame((one) => isEvent(one) && one.retry_attempt !== 0);
  other.ack(frame);
  expect([heard, one.frames]).toEqual([0, []]);
  await it.slack.assertClean();
});

test("the real client comes back after a refresh and a drop", async () => {
  const made = await socketClient();
  const again = () => new Promise((resolve) => made.once("connected", resolve));
  for (const end of ["refresh", "dropAll"] as const) {
    const connected = again();
    it.slack.sockets[end]();
    await connected;
  }
  await it.slack.assertClean();
});

test("a disconnect frame gives its reason; a disabled link refuses new connections", async () => {
  const one = await ready();
  it.slack.sockets.disconnect("warning");
  expect(await one.frame(isDisconnect)).toMatchObject({ reason: "warning" });
  it.slack.sockets.refresh();
  expect(await one.frame(isDisconnect)).toMatchObject({ reason: "refresh_requested" });
  const other = await ready();
  await ana.types(plans, "a");
  other.ack(await other.frame(isEvent));
  await closed(one);
  it.slack.sockets.disconnect("link_disabled");
  expect(await other.frame(isDisconnect)).toMatchObject({ reason: "link_disabled" });
  expect(await refusal(client(it.slack, it.acme.appToken).apps.connections.open())).toBe(
    "socket_mode_disabled",
  );
});

test("an eleventh connection is sent away", async () => {
  for (let index = 0; index < 10; index += 1) await ready();
  const eleventh = await raw();
  expect(await eleventh.frame(isDisconnect)).toMatchObject({ reason: "too_many_websockets" });
  await closed(eleventh);
  expect(it.slack.sockets.count).toBe(10);
  await expect(it.slack.assertClean()).rejects.toThrow("too_many_websockets");
});

test("another process with the same token steals what comes to it", async () => {
  const foreign = await it.acme.foreignSocket();
  await ana.types(plans, "mine");
  await it.slack.until(() => foreign.stolen.length === 1);
  const payload = record(foreign.stolen[0]?.payload);
  expect(str(record(payload.event).text)).toBe("mine");
  await foreign.close();
  await it.slack.assertClean();
});
