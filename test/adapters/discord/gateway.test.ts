/** The bot's session at the gateway, against a real one: resumed, begun anew, silent, refused, and out of reach. */
import { expect, it, onTestFinished } from "vitest";
import { Gateway } from "../../../src/adapters/discord/gateway.ts";
import { systemClock } from "../../../src/adapters/shared/clock.ts";
import type { Clock } from "../../../src/core/ports.ts";
import { type Discord, type DiscordOptions, startDiscord } from "../../doubles/discord/index.ts";
import { manualClock } from "../../doubles/manual-clock.ts";
import { until } from "../../support/until.ts";

async function opened(options: DiscordOptions & { clock?: Clock; token?: string } = {}) {
  const { clock = systemClock, token, ...rest } = options;
  const discord = await startDiscord({ now: clock.now, ...rest });
  const acme = discord.guild({ id: "100", name: "acme" });
  const plans = acme.channel({ id: "201", name: "plans" });
  const ana = acme.person({ id: "501", name: "Ana" });
  const gaps: (number | null | "lost")[] = [];
  const heard: string[] = [];
  const logged: string[] = [];
  const gateway = new Gateway({
    token: token ?? discord.token,
    baseUrl: discord.apiUrl,
    clock,
    log: {
      info() {},
      warn: (line) => line.includes("cannot be reached") && logged.push(line),
      error() {},
    },
    onPacket: (type, data) => {
      if (type === "MESSAGE_CREATE") heard.push(String(Object(data).content));
    },
    onHearing: (since) => gaps.push(since),
    onLost: () => gaps.push("lost"),
  });
  onTestFinished(async () => {
    await gateway.stop();
    await discord.stop();
  });
  return { discord, plans, ana, gateway, gaps, heard, logged };
}

async function listening(options: Parameters<typeof opened>[0] = {}) {
  const there = await opened(options);
  expect(await there.gateway.start()).toBe("");
  return there;
}

const logins = ({ calls }: Discord) => calls.filter(({ method }) => method === "GET /gateway/bot").length;

it("is one, and knows servers and channels", async () => {
  const { discord, gateway, gaps } = await listening();
  expect(discord.sockets.count).toBe(1);
  expect(gateway.listening).toBe(true);
  expect(gateway.client?.channels.cache.get("201")).toMatchObject({ name: "plans" });
  expect(gaps).toEqual([null]);
});

it.each([
  ["a line that breaks", ({ sockets }: Discord) => sockets.drop()],
  ["a socket that is closed", ({ sockets }: Discord) => sockets.close(4000)],
  ["a request to reconnect", ({ sockets }: Discord) => sockets.reconnect()],
  ["a session that may be taken up again", ({ sockets }: Discord) => sockets.invalidate(true)],
] as const)("resumes after %s, and misses nothing", async (_, breaks) => {
  const { discord, gateway, plans, ana, gaps, heard } = await listening();
  breaks(discord);
  await ana.types(plans, "meanwhile");
  await until(() => heard.length === 1 && discord.sockets.resumed === 1);
  await until(() => gateway.listening);
  expect(discord.sockets.started).toBe(1);
  expect(gaps.filter((gap) => gap !== "lost")).toEqual([null]);
});

it.each([
  ["an invalid session", ({ sockets }: Discord) => sockets.invalidate(false)],
  [
    "a session that is forgotten meanwhile",
    ({ sockets }: Discord) => {
      sockets.drop();
      sockets.forget();
    },
  ],
] as const)("begins anew after %s, and says since when nobody listened", async (_, breaks) => {
  const { discord, gaps, gateway } = await listening();
  const before = Date.now();
  breaks(discord);
  await discord.until(() => discord.sockets.started === 2, 20_000);
  await until(() => gateway.listening && gaps.length === 3);
  const [, lost, since] = gaps;
  expect(lost).toBe("lost");
  expect(Math.abs(Number(since) - before)).toBeLessThan(1_000);
});

it("hears what comes again after a resume as it came", async () => {
  const { discord, plans, ana, heard } = await listening();
  await ana.types(plans, "one");
  await until(() => heard.length === 1);
  discord.sockets.repeat(3);
  discord.sockets.drop();
  await until(() => heard.length === 2);
  expect(heard).toEqual(["one", "one"]);
});

it("notices a gateway that answers no heartbeat, and resumes", async () => {
  const { discord, gateway } = await listening({ heartbeatMs: 150 });
  discord.sockets.acknowledge(false);
  await discord.until(() => discord.sockets.resumed > 0);
  discord.sockets.acknowledge(true);
  await until(() => gateway.listening);
  expect(gateway.fault).toBe("");
});

it("notices a socket that fell silent, and says that it was alive until its last heartbeat", async () => {
  const { discord, gateway, gaps } = await listening({ heartbeatMs: 150 });
  await discord.until(() => discord.sockets.heartbeats > 1);
  const before = Date.now();
  discord.sockets.silence();
  await until(() => gaps.includes("lost"));
  discord.sockets.forget();
  await until(() => gateway.listening && gaps.length === 3);
  expect(Number(gaps[2])).toBeGreaterThan(before - 1_000);
});

it("tries again while the gateway is out of reach, longer each time, and listens once it is back", async () => {
  const clock = manualClock();
  const { discord, gateway, logged } = await opened({ clock });
  discord.fail("GET /gateway/bot", { http: 503 }, { times: 3 });
  const starting = gateway.start();
  for (const [failures, ms] of [
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
  ] as const) {
    await until(() => logged.length === failures);
    clock.advance(ms - 1);
    expect(logins(discord)).toBe(failures);
    clock.advance(1);
    await discord.until(() => logins(discord) === failures + 1);
  }
  expect(await starting).toBe("");
});

it.each([
  ["takes no sockets", ({ sockets }: Discord) => sockets.reachable(false)],
  ["says nothing on sockets", ({ sockets }: Discord) => sockets.greet(false)],
] as const)(
  "is one session again after a long time in which the gateway %s",
  async (_, breaks) => {
    const clock = manualClock();
    const { discord, gateway } = await listening({ clock });
    breaks(discord);
    discord.sockets.drop();
    discord.sockets.forget();
    for (let minute = 1; minute <= 2; minute += 1) {
      const before = logins(discord);
      await until(() => !gateway.listening);
      clock.advance(60_000);
      await discord.until(() => logins(discord) > before);
    }
    discord.sockets.reachable(true);
    discord.sockets.greet(true);
    discord.sockets.dropAll();
    await until(() => gateway.listening);
    // As long as others would take that connect again as often as this one.
    for (const times of [1, 2, 3]) {
      discord.sockets.drop(0);
      await discord.until(() => discord.sockets.resumed === times);
    }
    expect(discord.sockets).toMatchObject({ started: 2, count: 1 });
    await until(() => gateway.listening);
    await gateway.stop();
    await discord.until(() => discord.sockets.sessions === 0);
  },
  60_000,
);

it("tries again when there are no logins left today, and asks for none", async () => {
  const clock = manualClock();
  const { discord, gateway, logged } = await opened({ clock, sessionStarts: 0 });
  void gateway.start();
  await until(() => logged.length === 1);
  clock.advance(1_000);
  await until(() => logged.length === 2);
  expect(discord.violations).toEqual([]);
  expect(gateway.fault).toBe("");
});

it("begins anew when it gets no answer for a minute", async () => {
  const clock = manualClock();
  const { discord, gateway } = await opened({ clock });
  let answers = (): void => {};
  const hold = new Promise<void>((resolve) => {
    answers = resolve;
  });
  discord.fail("GET /gateway/bot", { hold });
  const starting = gateway.start();
  await discord.until(() => true);
  clock.advance(60_000);
  answers();
  expect(await starting).toBe("");
  await discord.until(() => discord.sockets.started === 1 && discord.sockets.count === 1, 20_000);
  await until(() => gateway.listening);
});

it.each([
  [4004, /token is not valid; run: askgate setup discord/, (discord: Discord) => discord.revoke()],
  [
    4014,
    /Message Content Intent is switched off: switch it on/,
    (discord: Discord) => {
      discord.grants({ messageContent: false });
      discord.sockets.drop();
      discord.sockets.forget();
    },
  ],
  [4013, /install a newer askgate/, (discord: Discord) => discord.sockets.close(4013)],
] as const)(
  "says why Discord will not have the bot any more, and tries no further: %i",
  async (code, words, ends) => {
    const { discord, gateway } = await listening();
    discord.expectError("gateway", code, { maybe: true });
    ends(discord);
    await until(() => gateway.fault !== "");
    expect(gateway.fault).toMatch(words);
    expect(gateway.listening).toBe(false);
    await discord.until(() => discord.sockets.count === 0);
  },
);

it("says at once that a token is worth nothing", async () => {
  const { discord, gateway } = await opened({ token: "OTAw.wrong.0123456789-abcdef" });
  discord.expectError("GET /gateway/bot", 401);
  expect(await gateway.start()).toMatch(/token is not valid/);
  expect(logins(discord)).toBe(1);
});

it("closes when the bot stops, also while it logs in", async () => {
  const { discord, gateway } = await opened();
  const starting = gateway.start();
  await gateway.stop();
  expect(await starting).toBe("");
  await discord.until(() => discord.sockets.count === 0);
  expect(discord.sockets.sessions).toBe(0);
});

it("leaves no session behind that could be resumed", async () => {
  const { discord, gateway } = await listening();
  await gateway.stop();
  await discord.until(() => discord.sockets.sessions === 0);
});
