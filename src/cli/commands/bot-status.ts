/** `bot start|stop|status`. */
import { join } from "node:path";
import { type Client, connect, type Health } from "../../adapters/link/client.ts";
import { stateDirectory } from "../../adapters/link/paths.ts";
import { LOG_NAME } from "../../adapters/link/protocol.ts";
import { AskgateError } from "../../core/error.ts";
import { harmless, print, say, toText } from "../shell.ts";

interface Flags {
  json?: true;
}

export async function botStart(flags: Flags): Promise<void> {
  const client = await connect();
  await show(await client.health().finally(() => client.close()), flags);
}

export async function botStatus(flags: Flags): Promise<void> {
  const health = await withBot((client) => client.health());
  if (health !== null) return show(health, flags);
  const stateDir = stateDirectory();
  const logFile = join(stateDir, LOG_NAME);
  if (flags.json) return print(toText({ running: false, stateDir, logFile }));
  await print(
    table([
      ["bot", "not running; the next command that asks something starts it"],
      ["state", stateDir],
      ["log", logFile],
    ]),
  );
}

export async function botStop(): Promise<void> {
  const stopped = await withBot(async (client) => {
    const health = await client.health();
    await client.stop();
    return health;
  });
  if (stopped === null) return say("no bot is running");
  say(`stopped (process ${stopped.pid})`);
  if (stopped.waiting > 0)
    say(`${count(stopped.waiting, "command")} waiting for an answer will start it again`);
}

/** Null when no bot is running. */
async function withBot<T>(use: (client: Client) => Promise<T>): Promise<T | null> {
  try {
    const client = await connect({ start: false });
    return await use(client).finally(() => client.close());
  } catch (error) {
    if (error instanceof AskgateError && error.code === "unreachable" && error.fields.running === false)
      return null;
    throw error;
  }
}

const show = (health: Health, { json }: Flags): Promise<void> =>
  print(json ? toText({ running: true, ...health }) : table(describe(health)));

function describe(health: Health): [string, string][] {
  const since = new Date(health.started);
  return [
    ["bot", `running for ${span(Date.now() - since.getTime())} (process ${health.pid})`],
    ["version", `${health.version} (link ${health.link}, store ${health.store})`],
    ["open", `${count(health.openRounds, "question")} in ${count(health.sessions, "session")}`],
    [
      "waiting",
      `${count(health.waiting, "command")}, ${count(health.watching, "page or terminal", "pages or terminals")} watching`,
    ],
    ["page", health.page || "none"],
    ...chatsOf(health),
    ["state", health.stateDir],
    ["log", health.logFile],
  ];
}

/** A bot of link 1 knows no connections. */
const chatsOf = ({ connections = [] }: Partial<Health>): [string, string][] =>
  connections.map(({ surface, connection, label, me, works }) => [
    surface,
    [
      `${harmless(label)} ${connection}`,
      works ? "connected" : "not connected",
      me === null ? "nobody paired" : `paired with ${harmless(me)}`,
    ].join(" · "),
  ]);

const table = (rows: [string, string][]): string =>
  rows.map(([name, value]) => `${name.padEnd(9)}${value}\n`).join("");

const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;

/** "3 s", "12 min", "5 h 3 min", "2 d 4 h" */
function span(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return `${Math.max(0, Math.floor(ms / 1000))} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
