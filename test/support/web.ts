/** A bot as the page sees it: the real engine over a store in memory, and the real surface on a real socket. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { LIMITS } from "../../src/adapters/web/render.ts";
import { serveWeb, type Web } from "../../src/adapters/web/surface.ts";
import { createEngine } from "../../src/core/engine.ts";
import { formatButton, type Verb } from "../../src/core/event.ts";
import type { Opened, OpenRequest, Waited } from "../../src/core/gate.ts";
import type { Engine } from "../../src/core/ports.ts";
import type { Surface } from "../../src/core/surface.ts";
import { openMemoryStore } from "../doubles/memory-store.ts";
import { temporaryFolder } from "./folder.ts";

const STORE = "st";

let assets: string | undefined;

/** The page, bundled once per test file from the source as it is. */
export function pageAssets(): string {
  if (assets === undefined) {
    const folder = mkdtempSync(join(tmpdir(), "askgate-page-"));
    execFileSync(process.execPath, ["build-page.mjs", folder]);
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    assets = folder;
  }
  return assets;
}

export interface Bot {
  engine: Engine;
  web: Web;
  stop(): Promise<void>;
}

/** What outlives a bot: its state directory and its records. */
export interface Ground {
  stateDir: string;
  records: Map<string, string>;
  ids: { next: number };
}

export const ground = (): Ground => ({ stateDir: temporaryFolder(), records: new Map(), ids: { next: 1 } });

export async function startBot(on: Ground = ground(), now: () => number = Date.now): Promise<Bot> {
  let web: Web | null = null;
  const engine = await createEngine({
    store: openMemoryStore({ records: on.records }),
    storeId: STORE,
    clock: { now: Date.now, at: alarm },
    chance: { id: (length) => (on.ids.next++).toString(36).padStart(length, "0").slice(-length) },
    log: QUIET,
    surfaces: [CHAT],
    page: (session) => {
      if (web === null) throw new Error("asked for a link before the page was served");
      return web.page(session);
    },
    local: { id: "local:ana", name: "ana" },
  });
  web = await serveWeb({ gate: engine, stateDir: on.stateDir, log: QUIET, assets: pageAssets(), now });
  let stopped: Promise<void> | undefined;
  const bot: Bot = {
    engine,
    web,
    stop: () => {
      stopped ??= bot.web.close().then(() => engine.stop());
      return stopped;
    },
  };
  onTestFinished(() => bot.stop());
  return bot;
}

/** A chat in which everything can be posted and nobody says anything. */
const CHAT: Surface = {
  name: "slack",
  limits: LIMITS,
  start: async () => {},
  resolve: async (place) => ({ surface: "slack", id: place, direct: false, label: place }),
  post: async (_place, card) => ({ kind: "posted", handle: card.key }),
  update: async (_place, _card, handle) => ({ kind: "posted", handle }),
  remove: async () => ({ kind: "gone" }),
  tell: async () => ({ kind: "told" }),
  person: async (who) => ({ id: `slack:${who}`, name: who.split("/").at(-1) ?? who }),
  url: (_place, handle) => `chat://${handle}`,
  stop: async () => {},
};

const QUIET = { info: () => {}, warn: () => {}, error: () => {} };

function alarm(when: number, callback: () => void): () => void {
  const timer = setTimeout(callback, Math.min(when - Date.now(), 2 ** 31 - 1));
  timer.unref();
  return () => clearTimeout(timer);
}

export const ask = (
  { engine }: Bot,
  kind: OpenRequest["kind"],
  payload: unknown,
  more: Partial<OpenRequest> = {},
): Promise<Opened> =>
  engine.open({
    kind,
    again: false,
    payload,
    project: "/repo",
    session: null,
    agentSession: null,
    key: null,
    timeoutMs: null,
    policy: {},
    floor: {},
    people: {},
    granularity: "auto",
    asks: null,
    locale: "en",
    via: ["web"],
    to: [],
    connections: {},
    origin: { repo: "shop-web", branch: "main", agent: "Claude", host: "mac-7" },
    ...more,
  });

/** The outcome of a round that is over, or about to be. */
export const outcome = ({ engine }: Bot, { round }: Opened): Promise<Waited> =>
  engine.wait(round, 10_000, false);

/** What somebody does in the terminal meanwhile. */
export const elsewhere = (
  { engine }: Bot,
  { session, round }: Opened,
  press: { verb: Verb; target?: string; values?: string[]; words?: string },
): Promise<unknown> =>
  engine.act(session, {
    id: crypto.randomUUID(),
    button: formatButton({ store: STORE, verb: press.verb, round, rev: 99, target: press.target ?? "-" }),
    values: press.values ?? [],
    words: press.words ?? null,
    surface: "terminal",
  });

/** The session's page, opened by the link that a command prints. */
export async function openPage(profile: BrowserContext, bot: Bot, { session }: Opened): Promise<Page> {
  const page = await profile.newPage();
  await page.goto(bot.web.page(session).url);
  await page.waitForSelector("main h1");
  return page;
}
