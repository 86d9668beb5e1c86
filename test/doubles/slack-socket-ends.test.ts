import { afterEach, beforeEach, expect, test } from "vitest";
import { isDisconnect, isEvent, type SocketScene, socketScene } from "./slack/test-socket.ts";
import { client, refusal } from "./slack/testing.ts";
import { record, str } from "./slack/wire.ts";

let it: SocketScene;
beforeEach(async () => {
  it = await socketScene();
});
afterEach(() => it.end());

test("events wait while no connection is open", async () => {
  await it.ana.types(it.plans, "a");
  await it.ana.types(it.plans, "b");
  expect(it.slack.sockets.queued).toBe(2);
  const one = await it.ready();
  for (const text of ["a", "b"]) {
    const frame = await one.frame(isEvent);
    one.ack(frame);
    expect(record(record(frame.payload).event).text).toBe(text);
  }
  await it.slack.assertClean();
});

test("a broken line is no fault: what it carried comes again elsewhere", async () => {
  const one = await it.ready();
  await it.ana.types(it.plans, "a");
  const lost = await one.frame(isEvent);
  it.slack.sockets.dropAll();
  await one.closed;
  const other = await it.ready();
  const again = await other.frame(isEvent);
  other.ack(again);
  other.ack(lost);
  expect(again.retry_attempt).toBe(1);
  await it.slack.assertClean();
});

test("a silent peer hears and says nothing, not even pings", async () => {
  const one = await it.ready();
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
  await it.ana.types(it.plans, "lost");
  const other = await it.ready();
  const frame = await other.frame((one) => isEvent(one) && one.retry_attempt !== 0);
  other.ack(frame);
  expect([heard, one.frames]).toEqual([0, []]);
  await it.slack.assertClean();
});

test("the real client comes back after a refresh and a drop", async () => {
  const made = await it.socketClient();
  const again = () => new Promise((resolve) => made.once("connected", resolve));
  for (const end of ["refresh", "dropAll"] as const) {
    const connected = again();
    it.slack.sockets[end]();
    await connected;
  }
  await it.slack.assertClean();
});

test("a disconnect frame gives its reason; a disabled link refuses new connections", async () => {
  const one = await it.ready();
  it.slack.sockets.disconnect("warning");
  expect(await one.frame(isDisconnect)).toMatchObject({ reason: "warning" });
  it.slack.sockets.refresh();
  expect(await one.frame(isDisconnect)).toMatchObject({ reason: "refresh_requested" });
  const other = await it.ready();
  it.slack.sockets.deliverTo(0);
  await it.ana.types(it.plans, "a");
  other.ack(await other.frame(isEvent));
  await one.closed;
  it.slack.sockets.disconnect("link_disabled");
  expect(await other.frame(isDisconnect)).toMatchObject({ reason: "link_disabled" });
  expect(await refusal(client(it.slack, it.acme.appToken).apps.connections.open())).toBe(
    "socket_mode_disabled",
  );
});

test("an eleventh connection is sent away", async () => {
  for (let index = 0; index < 10; index += 1) await it.ready();
  const eleventh = await it.raw();
  expect(await eleventh.frame(isDisconnect)).toMatchObject({ reason: "too_many_websockets" });
  await eleventh.closed;
  expect(it.slack.sockets.count).toBe(10);
  await expect(it.slack.assertClean()).rejects.toThrow("too_many_websockets");
});

test("another process with the same token steals what comes to it", async () => {
  const foreign = await it.acme.foreignSocket();
  await it.ana.types(it.plans, "mine");
  await it.slack.until(() => foreign.stolen.length === 1);
  const payload = record(foreign.stolen[0]?.payload);
  expect(str(record(payload.event).text)).toBe("mine");
  await foreign.close();
  await it.slack.assertClean();
});
