/** The gate with a Slack of its own, in one process: real SDKs and sockets, a real clock, records in memory. */
import { onTestFinished } from "vitest";
import { systemClock } from "../../src/adapters/shared/clock.ts";
import { openSlack } from "../../src/adapters/slack/surface.ts";
import { createEngine } from "../../src/core/engine.ts";
import type {
  Chat,
  Clock,
  Credentials,
  Engine,
  Kept,
  Log,
  Opened,
  OpenRequest,
  Store,
  Vault,
} from "../../src/core/ports.ts";
import { openMemoryStore } from "../doubles/memory-store.ts";
import { type Slack, type SlackOptions, startSlack, type Workspace } from "../doubles/slack/index.ts";
import { request } from "./engine.ts";

export interface SlackStage {
  slack: Slack;
  team: ReturnType<typeof people>;
  engine(): Engine;
  chat(): Chat;
  logged: string[];
  vault: Vault;
  credentials: Credentials;
  open(more?: Partial<OpenRequest>): Promise<Opened>;
  /** Stops the bot; `start` begins anew on what was saved. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export interface StageOptions extends SlackOptions {
  clock?: Clock;
  /** Puts a store of the test's own around the one in memory. */
  around?: (store: Store) => Store;
}

export function people(
  slack: Slack,
  acme: Workspace = slack.workspace({ id: "T1", name: "acme", domain: "acme" }),
) {
  const ana = acme.person({ id: "U0ANA", name: "Ana", email: "ana@acme.test" });
  const ben = acme.person({ id: "U0BEN", name: "Ben", email: "ben@acme.test" });
  const cho = acme.person({ id: "U0CHO", name: "Cho", email: "cho@acme.test" });
  const gus = acme.person({ id: "U0GUS", name: "Gus", guest: true });
  const sam = acme.person({ id: "U0SAM", name: "Sam" });
  const plans = acme.channel({ id: "C0PLANS", name: "plans", members: [ana, ben, cho, gus, acme.bot] });
  return { acme, ana, ben, cho, gus, sam, plans };
}

/** Everything is put away when the test ends, and Slack must have nothing to complain about. */
export async function slackStage({
  clock = systemClock,
  around = (store) => store,
  ...options
}: StageOptions = {}): Promise<SlackStage> {
  const slack = await startSlack(options);
  const team = people(slack);
  const records = new Map<string, string>();
  const logged: string[] = [];
  const vault = memoryVault();
  const credentials: Credentials = {
    surface: "slack",
    tokens: { bot: team.acme.botToken, app: team.acme.appToken },
    baseUrl: slack.apiUrl,
  };
  let running: { engine: Engine; chat: Chat } | null = null;
  const now = () => {
    if (running === null) throw new Error("the bot does not run");
    return running;
  };
  const stage: SlackStage = {
    slack,
    team,
    logged,
    vault,
    credentials,
    engine: () => now().engine,
    chat: () => now().chat,
    open: (more = {}) => now().engine.open(request({ via: ["slack"], to: ["#plans"], ...more })),
    async stop() {
      const { engine } = now();
      running = null;
      await engine.stop();
    },
    async start() {
      const log = logInto(logged);
      const chat = openSlack({ vault, clock, log });
      const store = around(openMemoryStore({ records }));
      const engine = await createEngine({
        store,
        storeId: "st",
        clock,
        chance: { id: randomId },
        log,
        surfaces: [chat],
        page: (session) => ({ surface: "web", label: "page", url: `http://page/#${session}`, open: null }),
        local: { id: "local:ana", name: "ana" },
      });
      running = { engine, chat };
      await chat.connect(credentials);
    },
  };
  onTestFinished(async () => {
    const complaint = await slack.assertClean().catch((error: unknown) => error);
    if (running !== null) await stage.stop();
    await slack.stop();
    if (complaint !== undefined) throw complaint;
  });
  await stage.start();
  return stage;
}

const randomId = (length: number): string =>
  Array.from({ length }, () => "abcdefghijklmnopqrstuvwxyz0123456789"[Math.floor(Math.random() * 36)]).join(
    "",
  );

function logInto(lines: string[]): Log {
  const line =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}) => {
      const { error, ...rest } = fields;
      lines.push(
        `${level} ${message} ${JSON.stringify(rest)} ${error instanceof Error ? error.stack : (error ?? "")}`.trim(),
      );
    };
  return { info: line("info"), warn: line("warn"), error: line("error") };
}

export function memoryVault(): Vault {
  const kept = new Map<string, Kept>();
  return {
    list: () => Object.fromEntries(kept),
    async put(_surface, connection, value) {
      kept.set(connection, value);
    },
  };
}
