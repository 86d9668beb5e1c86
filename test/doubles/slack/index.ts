/**
 * A Slack that says no: Web API, Socket Mode, files and people on one port of this machine. It refuses what Slack refuses,
 * repairs nothing, and `assertClean` fails a test in which the bot did something wrong that the test did not ask for.
 */

import { Faults, type When } from "../shared/faults.ts";
import { type Call, Ledger } from "../shared/ledger.ts";
import { close, listen } from "../shared/port.ts";
import type { Channel } from "./channel.ts";
import { drawRoom } from "./draw.ts";
import type { Fault } from "./faults.ts";
import type { Hub } from "./hub.ts";
import { Link, type LinkSettings } from "./link.ts";
import type { App } from "./model.ts";
import { Rates } from "./rates.ts";
import { createSlackServer } from "./server.ts";
import { type Sockets, socketsOf } from "./sockets.ts";
import { type Workspace, workspaceOf } from "./workspace.ts";
import { type NewTeam, newTeam } from "./world.ts";

export interface SlackOptions extends Partial<LinkSettings> {
  /** Multiplies all rate limits; Infinity lifts them. */
  factor?: number;
  /** Milliseconds since 1970: stamps messages, and says what has expired. Timers run in real time. */
  now?: () => number;
}

export interface Slack {
  /** `http://127.0.0.1:PORT/api/` */
  readonly apiUrl: string;
  /** A workspace with an app of its own, or with the app of another one. */
  workspace(given: NewTeam & { sameAppAs?: Workspace }): Workspace;
  readonly sockets: Sockets;
  readonly calls: readonly Call[];
  readonly violations: readonly string[];
  /** How many block and view payloads were checked. */
  readonly validated: number;
  /** Plans a fault for the next calls of a method: `*` for any, `upload` and `response_url` for those addresses. */
  fail(method: string, fault: Fault, when?: When): void;
  /** Says that this error answer may come, and must, unless `maybe`. */
  expectError(method: string, error: string, how?: { maybe?: boolean }): void;
  expectViolation(pattern: RegExp, how?: { maybe?: boolean }): void;
  /** Says that people will see a failure. */
  expectFailedPress(how?: { maybe?: boolean }): void;
  /** Resolves at the next change: a message, view, reaction, ephemeral, call, socket or acknowledgement. */
  changed(): Promise<void>;
  /** Resolves once this holds; looks at each change, and fails with all transcripts after 10 s. */
  until(condition: () => boolean, timeout?: number): Promise<void>;
  transcript(channel: Channel, as?: { id: string }): string;
  /** Waits for what is still to be acknowledged, then throws if anything went wrong. */
  assertClean(): Promise<void>;
  stop(): Promise<void>;
}

const DEFAULTS: LinkSettings = {
  ackMs: 3_000,
  retryMs: [0, 60_000, 300_000],
  pingMs: 10_000,
  maxSockets: 10,
};

export async function startSlack(options: SlackOptions = {}): Promise<Slack> {
  const { factor = 1, now = Date.now, ...settings } = options;
  const ledger = new Ledger();
  let origin = "";
  let ids = 0;
  const hub: Hub = {
    now,
    origin: () => origin,
    ledger,
    rates: new Rates(factor, now, ledger),
    faults: new Faults(),
    teams: new Map(),
    tokens: new Map(),
    links: new Map(),
    tickets: new Map(),
    triggers: new Map(),
    hooks: new Map(),
    uploads: new Map(),
    validated: 0,
    id(prefix) {
      ids += 1;
      return `${prefix}${ids.toString(36).toUpperCase().padStart(6, "0")}`;
    },
  };
  const server = createSlackServer(hub);
  origin = await listen(server);
  const stop = async () => {
    await Promise.all([...hub.links.values()].map((link) => link.close()));
    await close(server);
  };
  return slackOf(hub, { ...DEFAULTS, ...settings }, stop);
}

function slackOf(hub: Hub, settings: LinkSettings, stop: () => Promise<void>): Slack {
  const { ledger } = hub;
  const apps = new Map<string, App>();
  return {
    apiUrl: `${hub.origin()}/api/`,
    workspace: ({ sameAppAs, ...given }) => {
      const app = (sameAppAs && apps.get(sameAppAs.appId)) ?? newApp(hub, given.id, settings);
      apps.set(app.id, app);
      const team = newTeam(given, app);
      hub.teams.set(team.id, team);
      hub.tokens.set(team.botToken, { kind: "bot", team });
      return workspaceOf(hub, team);
    },
    sockets: socketsOf(hub),
    calls: ledger.calls,
    violations: ledger.violations,
    get validated() {
      return hub.validated;
    },
    fail: (method, fault, when) => hub.faults.plan(method, fault, when),
    expectError: (method, error, how) => ledger.expectError(method, error, how),
    expectViolation: (pattern, how) => ledger.expectViolation(pattern, how),
    expectFailedPress: (how) => ledger.expectViolation(/^failed for /, how),
    changed: () => ledger.next(),
    until: (condition, timeout = 10_000) => ledger.until(condition, () => scene(hub), timeout),
    transcript: (channel, as) => channel.transcript(as),
    assertClean: () => assertClean(hub),
    stop,
  };
}

function newApp(hub: Hub, id: string, settings: LinkSettings): App {
  const app: App = { id: `A0${id}`, token: `xapp-1-A0${id}-0123456789-abcdef`, refusal: null };
  hub.tokens.set(app.token, { kind: "app", app });
  hub.links.set(app.id, new Link(app.id, hub.ledger, settings));
  return app;
}

async function assertClean(hub: Hub): Promise<void> {
  while ([...hub.links.values()].some((link) => link.inFlight > 0)) await hub.ledger.next();
  const complaints = hub.ledger.complaints();
  if (complaints.length > 0)
    throw new Error(`Slack complains:\n${complaints.map((one) => `  - ${one}`).join("\n")}`);
}

/** Everything on all screens, for a test that waits in vain. */
function scene(hub: Hub): string {
  const rooms = [...hub.teams.values()].flatMap((team) =>
    [...team.rooms.values()].map((room) => drawRoom(room, { team, user: null })),
  );
  return [...rooms, ...hub.ledger.violations.map((one) => `violation: ${one}`)].join("\n\n");
}

export type { Channel } from "./channel.ts";
export type { Message } from "./model.ts";
export type { Person } from "./person.ts";
export type { Workspace } from "./workspace.ts";
