/** `doctor`: looks at everything that askgate needs, and says what to do about what is not as it should be. */
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type Client, connect, type Health } from "../../adapters/link/client.ts";
import { prepareStateDirectory, stateDirectory } from "../../adapters/link/paths.ts";
import { VERSION } from "../../adapters/shared/package.ts";
import type { ChatName, Check, Connected } from "../../core/surface.ts";
import { isCalled } from "../chats.ts";
import { CHAT_NAMES, loadSettings, type Settings } from "../config.ts";
import { readCredentials } from "../credentials.ts";
import { UNREACHABLE } from "../exit.ts";
import { helpOf } from "../explain.ts";
import { reasonOf } from "../input.ts";
import { findProject } from "../project.ts";
import { harmless, print, toText } from "../shell.ts";
import { checkHooks } from "./hook-check.ts";

export interface DoctorFlags {
  to?: string[];
  json?: true;
}

/** A check, and whose it is: "askgate", "slack acme (bot askgate)". */
interface Finding extends Check {
  about: string;
}

/** How long the page may take to answer. */
const PAGE_MS = 5_000;

export async function doctor(flags: DoctorFlags): Promise<number> {
  const all: Finding[] = [];
  for await (const finding of examine(flags)) {
    if (!flags.json) await print(describe(finding, all.at(-1)?.about));
    all.push(finding);
  }
  if (flags.json) await print(toText(all));
  return all.some(({ state }) => state === "failed") ? UNREACHABLE : 0;
}

const MARKS = { ok: "✓", failed: "✗", skipped: "–" } as const;

/** A line, below the heading that it begins, above what to do. */
function describe({ about, name, state, detail, help }: Finding, before: string | undefined): string {
  const heading = about === before ? [] : [harmless(about)];
  const line = `  ${MARKS[state]} ${harmless(name).padEnd(20)} ${harmless(detail)}`.trimEnd();
  const advice = help === "" ? [] : help.split("\n").map((text) => `      ${harmless(text)}`);
  return [...heading, line, ...advice].map((text) => `${text}\n`).join("");
}

async function* examine(flags: DoctorFlags): AsyncGenerator<Finding> {
  const own = (check: Check): Finding => ({ about: "askgate", ...check });
  yield own(fine("version", `${VERSION}, Node ${process.version}`));
  yield own(await trying("state directory", async () => prepareStateDirectory(stateDirectory())));
  yield own(await trying("disk", async () => writeSomething()));
  const project = findProject(process.cwd());
  let settings: Settings = { connections: {}, policy: {}, people: {}, advice: {} };
  const reading = async (): Promise<string> => {
    settings = loadSettings(project, process.env);
    return project;
  };
  yield own(await trying("settings", reading));
  for await (const check of checkHooks(project, settings)) yield { about: "agents", ...check };
  let client: Client | null = null;
  try {
    client = await connect();
    // An older bot would be asked for its health and nothing else: this replaces it.
    await client.connections.list();
    const health = await client.health();
    yield own(fine("bot", `runs (process ${health.pid}, ${health.version})`));
    yield own(await trying("page", () => reachPage(health)));
    yield* chats({ client, project, settings, flags });
  } catch (error) {
    yield own(failed("bot", error));
  } finally {
    client?.close();
  }
}

const fine = (name: string, detail: string): Check => ({ name, state: "ok", detail, help: "" });

function failed(name: string, error: unknown): Check {
  const detail = error instanceof Error ? error.message : String(error);
  return { name, state: "failed", detail, help: helpOf(error) };
}

/** The detail is what `look` gives. */
async function trying(name: string, look: () => Promise<string>): Promise<Check> {
  try {
    return fine(name, await look());
  } catch (error) {
    return failed(name, error);
  }
}

function writeSomething(): string {
  const file = join(stateDirectory(), `doctor.${process.pid}`);
  try {
    const open = openSync(file, "w", 0o600);
    try {
      writeSync(open, Buffer.alloc(64 * 1024));
      fsyncSync(open);
    } finally {
      closeSync(open);
    }
    return "can be written";
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error });
  } finally {
    rmSync(file, { force: true });
  }
}

async function reachPage({ page }: Health): Promise<string> {
  if (page === "") return "none";
  const { status } = await fetch(page, { redirect: "manual", signal: AbortSignal.timeout(PAGE_MS) });
  if (status >= 500) throw new Error(`${page} answers with ${status}`);
  return page;
}

interface Looking {
  client: Client;
  project: string;
  settings: Settings;
  flags: DoctorFlags;
}

async function* chats({ client, project, settings, flags }: Looking): AsyncGenerator<Finding> {
  const own = new Map<ChatName, string>();
  yield* tokens(client, project, own);
  const { connections } = await client.health();
  if (connections.length === 0) {
    const detail = "none: questions are asked on the page and in the terminal";
    const help = "Connect one: askgate setup slack, or askgate setup discord";
    yield { about: "chat", name: "connections", state: "skipped", detail, help };
  }
  for (const connected of connections) {
    const to = placesFor(connected, { connections, own, settings, flags });
    yield* connection(client, connected, to);
  }
}

/** Connects what this project's tokens belong to, as a command that asks would. */
async function* tokens(client: Client, project: string, own: Map<ChatName, string>): AsyncGenerator<Finding> {
  for (const surface of CHAT_NAMES) {
    const name = `${surface} tokens`;
    try {
      const [found] = readCredentials(project, process.env, [surface]);
      if (found === undefined) continue;
      const { tokens, baseUrl, source } = found;
      const { connection, label } = await client.connections.connect({ surface, tokens, baseUrl });
      own.set(surface, connection);
      yield { about: "chat", ...fine(name, `from ${source}: ${label}`) };
    } catch (error) {
      yield { about: "chat", ...failed(name, error) };
    }
  }
}

interface Choosing {
  connections: Connected[];
  /** What this project's tokens belong to. */
  own: Map<ChatName, string>;
  settings: Settings;
  flags: DoctorFlags;
}

/** The places that this project would ask on this connection. */
function placesFor({ surface, connection, label }: Connected, choosing: Choosing): string[] {
  const { connections, own, settings, flags } = choosing;
  const named = own.get(surface) ?? settings.connections[surface];
  const only = connections.filter((other) => other.surface === surface).length === 1;
  const isMeant = named === undefined ? only : named === connection || isCalled(label, named);
  if (!isMeant) return [];
  return (flags.to ?? settings.to ?? []).flatMap((place) => {
    const [, prefix, rest = ""] = /^(slack|discord):(.*)$/.exec(place) ?? [];
    if (prefix === undefined) return [place];
    return prefix === surface ? [rest] : [];
  });
}

async function* connection(
  client: Client,
  { surface, connection, label, works }: Health["connections"][number],
  to: string[],
): AsyncGenerator<Finding> {
  const about = `${surface} ${label}`;
  let explained = false;
  try {
    for await (const check of client.connections.check({ surface, connection, to })) {
      explained ||= check.state === "failed";
      yield { about, ...check };
    }
  } catch (error) {
    explained = true;
    yield { about, ...failed("connection", error) };
  }
  if (works || explained) return;
  const help = `See \`askgate bot logs\`; with new tokens: askgate setup ${surface}`;
  yield { about, name: "connection", state: "failed", detail: "does not work now", help };
}
