/** The bot's two sockets, against real ones: renewed, broken, silent, refused, and those of strangers. */
import { expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../../src/adapters/shared/clock.ts";
import { Sockets } from "../../../src/adapters/slack/sockets.ts";
import type { Clock } from "../../../src/core/ports.ts";
import { manualClock } from "../../doubles/manual-clock.ts";
import { type SlackOptions, startSlack } from "../../doubles/slack/index.ts";
import { until } from "../../support/until.ts";

async function listening(options: SlackOptions & { clock?: Clock } = {}) {
  const { clock = systemClock, ...rest } = options;
  const slack = await startSlack({ now: clock.now, ...rest });
  const acme = slack.workspace({ id: "T1", name: "acme", domain: "acme" });
  const gaps: (number | null | "deaf")[] = [];
  const warnings: string[] = [];
  const warn = (message: string) => message.startsWith("a Slack socket") && warnings.push(message);
  const sockets = new Sockets({
    appToken: acme.appToken,
    baseUrl: slack.apiUrl,
    clock,
    log: { info() {}, warn, error() {} },
    onIncoming: ({ ack }) => ack(),
    onDeaf: () => gaps.push("deaf"),
    onHearing: (since) => gaps.push(since),
  });
  onTestFinished(async () => {
    await sockets.stop();
    await slack.stop();
  });
  return { slack, acme, sockets, gaps, warnings };
}

async function both(options: Parameters<typeof listening>[0] = {}) {
  const there = await listening(options);
  expect(await there.sockets.start()).toBe("");
  await until(() => there.sockets.listening === 2);
  return there;
}

const opened = (slack: { calls: readonly { method: string }[] }) =>
  slack.calls.filter(({ method }) => method === "apps.connections.open").length;

it("are two, and know no stranger", async () => {
  const { slack, sockets, gaps } = await both();
  expect(slack.sockets.count).toBe(2);
  expect(gaps).toEqual([null]);
  expect(sockets.strangers).toMatchObject({ count: 0, sure: false });
});

it("have a successor before one is renewed", async () => {
  const { slack, sockets, gaps } = await both();
  slack.sockets.refresh(0);
  await slack.until(() => slack.sockets.count === 3);
  expect(sockets.listening).toBeGreaterThan(1);
  await slack.until(() => slack.sockets.count === 2);
  expect(gaps).toEqual([null]);
  expect(opened(slack)).toBe(3);
});

it("are never deaf while both are renewed at once", async () => {
  const { slack, gaps } = await both();
  slack.sockets.refresh();
  await slack.until(() => slack.sockets.count === 4);
  await slack.until(() => slack.sockets.count === 2);
  expect(gaps).toEqual([null]);
});

it("say since when nobody listened", async () => {
  const { slack, gaps } = await both();
  const before = Date.now();
  slack.sockets.dropAll();
  await until(() => gaps.length === 3);
  const [, deaf, since] = gaps;
  expect(deaf).toBe("deaf");
  expect(since).toBeGreaterThanOrEqual(before);
});

it("are replaced when one falls silent, which takes seconds to notice", async () => {
  const { slack, sockets, gaps } = await both();
  slack.sockets.silence(0);
  await slack.until(() => opened(slack) === 3, 20_000);
  await until(() => sockets.listening === 2);
  expect(gaps).toEqual([null]);
});

it("wait before the next try, longer each time, and as long as Slack says", async () => {
  const clock = manualClock();
  const { slack, sockets, warnings } = await listening({ clock });
  slack.fail("apps.connections.open", { http: 503 }, { times: 4 });
  slack.fail("apps.connections.open", { retryAfter: 7 }, { times: 2 });
  void sockets.start();
  for (const [failures, ms] of [
    [2, 500],
    [4, 1_000],
    [6, 7_000],
  ] as const) {
    await until(() => warnings.length === failures);
    clock.advance(ms - 1);
    expect(opened(slack)).toBe(failures);
    clock.advance(1);
    await slack.until(() => opened(slack) === failures + 2);
  }
  await until(() => sockets.listening === 2);
});

it("give up at once, and say why, on a token that is worth nothing; try again all the same", async () => {
  const { slack, acme, sockets } = await listening();
  slack.expectError("apps.connections.open", "invalid_auth");
  acme.revokeApp();
  expect(await sockets.start()).toBe("invalid_auth");
  expect(sockets.fault).toBe("invalid_auth");
  await slack.until(() => opened(slack) > 2);
});

it("hear of Socket Mode switched off", async () => {
  const { slack, sockets, gaps } = await both();
  slack.expectError("apps.connections.open", "socket_mode_disabled");
  slack.sockets.disconnect("link_disabled");
  await until(() => sockets.fault === "socket_mode_disabled" && gaps.includes("deaf"));
  expect(sockets.listening).toBe(0);
});

it("are sure of strangers after two minutes only, and see them go", async () => {
  const clock = manualClock();
  const { slack, acme, sockets } = await both({ clock });
  const foreign = await acme.foreignSocket();
  await sockets.look();
  expect(sockets.strangers).toMatchObject({ count: 1, sure: false });
  await slack.until(() => slack.sockets.count === 3);
  clock.advance(119_999);
  expect(sockets.strangers.sure).toBe(false);
  clock.advance(1);
  await expect.poll(() => sockets.strangers.sure).toBe(true);
  await foreign.close();
  await slack.until(() => slack.sockets.count === 2);
  await sockets.look();
  expect(sockets.strangers).toMatchObject({ count: 0, sure: false });
});

it("take their own dead sockets for strangers no longer than Slack counts them", async () => {
  const clock = manualClock();
  const there = await listening({ clock });
  const dead = await there.acme.foreignSocket();
  await there.sockets.start();
  await until(() => there.sockets.listening === 2);
  expect(there.sockets.strangers.count).toBe(1);
  await dead.close();
  await there.slack.until(() => there.slack.sockets.count === 2);
  clock.advance(120_000);
  await expect.poll(() => there.sockets.strangers.count).toBe(0);
  expect(there.sockets.strangers.sure).toBe(false);
});

it("do not storm an app that has too many sockets", async () => {
  const clock = manualClock();
  const { slack, sockets, warnings } = await listening({ clock, maxSockets: 1 });
  await sockets.start();
  await until(() => warnings.length === 1);
  expect(opened(slack)).toBe(2);
  clock.advance(500);
  await until(() => warnings.length === 2);
  expect(opened(slack)).toBe(3);
  expect(sockets.listening).toBe(1);
});

it("close when the bot stops, also while one is being opened", async () => {
  const { slack, sockets } = await listening();
  const first = sockets.start();
  await sockets.stop();
  await Promise.race([first, slack.until(() => opened(slack) === 2)]);
  await slack.until(() => slack.sockets.count === 0);
});
