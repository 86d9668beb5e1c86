/**
 * A Discord that says no: REST, the gateway and people on one port of this machine. It refuses what Discord refuses, repairs
 * nothing, and `assertClean` fails a test in which the bot did something wrong that the test did not ask for.
 */
import { Faults, type When } from "../shared/faults.ts";
import { type Call, Ledger } from "../shared/ledger.ts";
import { close, listen } from "../shared/port.ts";
import { type Channel, channelOf } from "./channel.ts";
import { drawRoom } from "./draw.ts";
import type { Fault } from "./faults.ts";
import { Gateway } from "./gateway.ts";
import { emitGuild, type Guild, guildOf, needSnowflake, newUser } from "./guild.ts";
import { type Hub, type Settings, snowflakes } from "./hub.ts";
import type { App } from "./model.ts";
import { EVERYONE } from "./permissions.ts";
import { Rates } from "./rates.ts";
import { createDiscordServer } from "./server.ts";
import { type Sockets, socketsOf } from "./sockets.ts";

export interface DiscordOptions extends Partial<Settings> {
  /** Multiplies all rate limits; Infinity lifts them, and no headers speak of them. */
  factor?: number;
  /** Of the bot: two doubles with two of them are two bots. */
  app?: { id: string; name: string };
  /** Milliseconds since 1970: stamps messages, and says what has expired. Timers run in real time. */
  now?: () => number;
}

export interface Discord {
  /** For `rest.api`: `http://127.0.0.1:PORT/api`; discord.js appends `/v10`. */
  readonly apiUrl: string;
  readonly token: string;
  readonly appId: string;
  readonly bot: { id: string; name: string };
  /** A server with the bot in it. */
  guild(given: { id: string; name: string }): Guild;
  /** A channel, thread or direct channel that is there. */
  room(id: string): Channel;
  /** What the developer portal grants; everything unless a test takes it. */
  grants(granted: Partial<App["granted"]>): void;
  /** Makes the token worthless: 401, and 4004 on the gateway. */
  revoke(): void;
  /** Gives a new token, as the developer portal does; the one before is worthless. */
  resetToken(): string;
  readonly sockets: Sockets;
  readonly calls: readonly Call[];
  readonly violations: readonly string[];
  /** Plans a fault for the next calls of a route, `POST /channels/:channel/messages`; `*` for any. */
  fail(route: string, fault: Fault, when?: When): void;
  /** Says that this error answer may come, and must, unless `maybe`; `gateway` for the codes that close a socket. */
  expectError(route: string, code: number, how?: { maybe?: boolean }): void;
  expectViolation(pattern: RegExp, how?: { maybe?: boolean }): void;
  /** Says that people will see a failure. */
  expectFailedPress(how?: { maybe?: boolean }): void;
  /** Resolves at the next change: a message, thread, modal, reaction, call, socket or acknowledgement. */
  changed(): Promise<void>;
  /** Resolves once this holds; looks at each change, and fails with all transcripts after 10 s. */
  until(condition: () => boolean, timeout?: number): Promise<void>;
  transcript(channel: Channel, as?: { id: string }): string;
  /** Waits for what is still to be answered, then throws if anything went wrong. */
  assertClean(): Promise<void>;
  stop(): Promise<void>;
}

const DEFAULTS: Settings = { ackMs: 3_000, heartbeatMs: 41_250, sessionStarts: 1_000, oldEdits: 200 };

export async function startDiscord(options: DiscordOptions = {}): Promise<Discord> {
  const { factor = 1, now = Date.now, app = ASKGATE, ...settings } = options;
  const ledger = new Ledger();
  let origin = "";
  const hub: Hub = {
    now,
    origin: () => origin,
    settings: { ...DEFAULTS, ...settings },
    ledger,
    rates: new Rates(factor, now, ledger),
    faults: new Faults(),
    gateway: new Gateway(() => hub),
    app: newApp(app),
    guilds: new Map(),
    rooms: new Map(),
    users: new Map(),
    interactions: new Map(),
    id: snowflakes(now),
  };
  hub.users.set(hub.app.bot.id, hub.app.bot);
  const server = createDiscordServer(hub);
  origin = await listen(server);
  return discordOf(hub, async () => {
    hub.gateway.stop();
    await close(server);
  });
}

const ASKGATE = { id: "900000000000000001", name: "askgate" };

const newApp = ({ id, name }: { id: string; name: string }): App => ({
  id,
  name,
  token: tokenOf(id, "0123456789-abcdef"),
  bot: newUser({ id, name, bot: true }),
  granted: { messageContent: true, members: true, presences: true },
  commands: new Map(),
  revoked: false,
});

const tokenOf = (id: string, secret: string): string =>
  `${Buffer.from(id).toString("base64url")}.test.${secret}`;

function revoke({ app, gateway }: Hub): void {
  app.revoked = true;
  for (const connection of gateway.connections) connection.close(4004);
}

function discordOf(hub: Hub, stop: () => Promise<void>): Discord {
  const { ledger, app } = hub;
  return {
    apiUrl: `${hub.origin()}/api`,
    token: app.token,
    appId: app.id,
    bot: { id: app.bot.id, name: app.bot.name },
    guild: (given) => newGuild(hub, given),
    room: (id) => {
      const room = hub.rooms.get(id);
      if (room === undefined) throw new Error(`no channel ${id}`);
      return channelOf(hub, room);
    },
    grants: (granted) => {
      Object.assign(app.granted, granted);
    },
    revoke: () => revoke(hub),
    resetToken: () => {
      revoke(hub);
      Object.assign(app, { token: tokenOf(app.id, `renewed-${hub.id()}`), revoked: false });
      return app.token;
    },
    sockets: socketsOf(hub.gateway),
    calls: ledger.calls,
    violations: ledger.violations,
    fail: (route, fault, when) => hub.faults.plan(route, fault, when),
    expectError: (route, code, how) => ledger.expectError(route, String(code), how),
    expectViolation: (pattern, how) => ledger.expectViolation(pattern, how),
    expectFailedPress: (how) => ledger.expectViolation(/^failed for /, how),
    changed: () => ledger.next(),
    until: (condition, timeout = 10_000) => ledger.until(condition, () => scene(hub), timeout),
    transcript: (channel, as) => channel.transcript(as),
    assertClean: () => assertClean(hub),
    stop,
  };
}

function newGuild(hub: Hub, { id, name }: { id: string; name: string }): Guild {
  needSnowflake(id);
  const { bot } = hub.app;
  const guild = {
    id,
    name,
    members: new Map([[bot.id, bot]]),
    everyone: new Set(EVERYONE),
    botRole: new Set<never>(),
    joined: true,
  };
  hub.guilds.set(id, guild);
  emitGuild(hub, guild);
  return guildOf(hub, guild);
}

async function assertClean(hub: Hub): Promise<void> {
  while ([...hub.interactions.values()].some(({ state }) => state === "waiting")) await hub.ledger.next();
  const complaints = hub.ledger.complaints();
  if (complaints.length > 0)
    throw new Error(`Discord complains:\n${complaints.map((one) => `  - ${one}`).join("\n")}`);
}

/** Everything on all screens, for a test that waits in vain. */
function scene(hub: Hub): string {
  const rooms = [...hub.rooms.values()].filter(({ parent }) => parent === null);
  return [
    ...rooms.map((room) => drawRoom(hub, room, null)),
    ...hub.ledger.violations.map((one) => `violation: ${one}`),
  ].join("\n\n");
}

export type { Channel } from "./channel.ts";
export type { Guild } from "./guild.ts";
export type { Message } from "./model.ts";
export type { Person } from "./person.ts";
