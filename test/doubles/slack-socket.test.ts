import { afterEach, beforeEach, expect, test } from "vitest";
import { isEvent, isHello, isInteractive, type SocketScene, socketScene } from "./slack/test-socket.ts";
import { client, refusal } from "./slack/testing.ts";
import { type Json, record } from "./slack/wire.ts";

let it: SocketScene;
beforeEach(async () => {
  it = await socketScene();
});
afterEach(() => it.end());

test("says hello with the number of connections", async () => {
  const one = await it.raw();
  expect(await one.frame(isHello)).toMatchObject({
    num_connections: 1,
    connection_info: { app_id: it.acme.appId },
  });
  const other = await it.raw();
  expect(await other.frame(isHello)).toMatchObject({ num_connections: 2 });
});

test("an address works once, and no other address works", async () => {
  const url = await it.address();
  const one = await it.raw(url);
  await one.frame(isHello);
  await (await it.raw(url)).closed;
  await (await it.raw(url.replace(/ticket=[^&]+/, "ticket=guessed"))).closed;
  expect(it.slack.violations).toHaveLength(2);
  await expect(it.slack.assertClean()).rejects.toThrow("never given out, or twice");
});

test("only the app's own token opens a connection", async () => {
  expect(await refusal(it.web.apps.connections.open())).toBe("not_allowed_token_type");
  it.acme.revokeApp();
  expect(await refusal(client(it.slack, it.acme.appToken).apps.connections.open())).toBe("invalid_auth");
});

test("the real client hears a message as an event and acknowledges it", async () => {
  const made = await it.socketClient();
  const heard = new Promise<Json>((resolve) => {
    made.on("message", async ({ ack, body }) => {
      await ack();
      resolve(record(body));
    });
  });
  const ts = await it.ana.types(it.plans, "hello <@U0BOTT1> https://a.test/?a=1&b=2", {
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
  const one = await it.ready();
  const elsewhere = it.acme.channel({ id: "C2", name: "elsewhere", members: [it.ana] });
  const ben = it.acme.person({ id: "U2", name: "Ben" });
  const next = async () => {
    const frame = await one.frame(isEvent);
    one.ack(frame);
    return record(record(frame.payload).event);
  };
  await it.ana.types(elsewhere, "unheard");
  const ts = await it.ana.types(it.plans, "a");
  expect(await next()).toMatchObject({ type: "message", text: "a" });
  await it.ana.edits(it.plans, ts, "b");
  expect(await next()).toMatchObject({
    subtype: "message_changed",
    message: { text: "b", ts },
    previous_message: { text: "a" },
  });
  await it.ana.deletes(it.plans, ts);
  expect(await next()).toMatchObject({ subtype: "message_deleted", deleted_ts: ts });
  await it.web.chat.postMessage({ channel: "C1", text: "own" });
  expect(await next()).toMatchObject({ type: "message", bot_id: it.acme.botId, user: it.acme.botUserId });
  await it.ana.types(it.ana.dm(), "psst");
  expect(await next()).toMatchObject({ channel_type: "im", text: "psst" });
  it.plans.invites(ben);
  expect(await next()).toMatchObject({ type: "member_joined_channel", user: "U2" });
  it.plans.kicks(ben);
  expect(await next()).toMatchObject({ type: "member_left_channel", user: "U2" });
  it.plans.archive();
  expect(await next()).toMatchObject({ type: "channel_archive", channel: "C1" });
  it.acme.revoke();
  expect(await next()).toMatchObject({ type: "tokens_revoked" });
  expect(one.frames).toEqual([]);
  await it.slack.assertClean();
});

test("each envelope goes to one connection, in turns or to the one that is chosen", async () => {
  const [one, other] = [await it.ready(), await it.ready()];
  for (const text of ["a", "b", "c", "d"]) await it.ana.types(it.plans, text);
  const both = await Promise.all(
    [one, one, other, other].map((each) => each.frame(isEvent).then((frame) => ({ each, frame }))),
  );
  for (const { each, frame } of both) each.ack(frame);
  expect(new Set(both.map(({ frame }) => frame.envelope_id)).size).toBe(4);
  it.slack.sockets.deliverTo(1);
  for (const text of ["e", "f"]) {
    await it.ana.types(it.plans, text);
    other.ack(await other.frame(isEvent));
  }
  await it.slack.assertClean();
});

test("an event nobody acknowledges comes again as the same event, until it is given up", async () => {
  const one = await it.ready();
  await it.ana.types(it.plans, "a");
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
  const one = await it.ready();
  const message = await it.posted();
  one.ack(await one.frame(isEvent));
  const press = it.ana.presses(message, "Go");
  await one.frame(isInteractive);
  expect(await press).toEqual({ kind: "failed", reason: "no acknowledgement in time" });
  expect(it.ana.failedPresses).toEqual(["button go"]);
  expect(one.frames.filter(isInteractive)).toEqual([]);
  await expect(it.slack.assertClean()).rejects.toThrow("failed for Ana: button go");
});

test("a press while no connection is open fails at once, and a test may expect it", async () => {
  const message = await it.posted();
  it.slack.expectFailedPress();
  expect(await it.ana.presses(message, "Go")).toEqual({ kind: "failed", reason: "no connection is open" });
  await it.slack.assertClean();
});

test("duplicate, unknown and malformed acknowledgements are violations", async () => {
  const one = await it.ready();
  await it.ana.types(it.plans, "a");
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
  const [one, other] = [await it.ready(), await it.ready()];
  it.slack.sockets.deliverTo(0);
  await it.ana.types(it.plans, "a");
  const frame = await one.frame(isEvent);
  other.ack(frame);
  await it.slack.until(() => it.slack.violations.some((text) => text.includes("another connection")));
  one.ack(frame, { text: "thanks" });
  await it.slack.until(() => it.slack.violations.some((text) => text.includes("none is taken")));
});

test("an app hears only what its manifest subscribes to, in channels whose history it may read", async () => {
  const deaf = it.slack.workspace({
    id: "T2",
    name: "deaf",
    domain: "deaf",
    sameAppAs: it.acme,
    events: ["message.channels", "message.im", "channel_archive"],
    scopes: ["channels:history"],
  });
  const eve = deaf.person({ id: "U9", name: "Eve" });
  const open = deaf.channel({ id: "C8", name: "open", members: [eve, deaf.bot] });
  const closed = deaf.channel({ id: "C9", name: "closed", members: [eve, deaf.bot], private: true });
  await eve.types(closed, "not subscribed");
  await eve.types(eve.dm(), "no scope");
  open.kicks(eve);
  open.archive();
  const one = await it.ready();
  const frame = await one.frame(isEvent);
  one.ack(frame);
  expect(record(frame.payload)).toMatchObject({ team_id: "T2", event: { type: "channel_archive" } });
  expect(one.frames).toEqual([]);
});
