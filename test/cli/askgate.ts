/** The command line as processes, on a bot and a state directory of their own. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Client, connect } from "../../src/adapters/link/client.ts";
import { TERMINAL_LIMITS } from "../../src/adapters/terminal/board.ts";
import type { Card } from "../../src/core/card.ts";
import { parseButton, type Verb } from "../../src/core/event.ts";
import type { Gate } from "../../src/core/gate.ts";
import { until } from "../support/until.ts";

export const MAIN = resolve("dist/main.js");

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  /** What it has written so far. */
  said(): { stdout: string; stderr: string };
  /** The round's id, as soon as it is open. */
  round(): Promise<string>;
  ended: Promise<Ended>;
}

export interface Start {
  /** Standard input; undefined leaves it closed. */
  input?: string;
  cwd?: string;
  env?: Record<string, string>;
}

export interface Workshop {
  stateDir: string;
  /** A folder that is a project of its own. */
  project(): string;
  file(name: string, content: unknown): string;
  env(more?: Record<string, string>): Record<string, string>;
  start(args: string[], how?: Start): Running;
  run(args: string[], how?: Start): Promise<Ended>;
  gate(): Promise<Client>;
  close(): Promise<void>;
}

export function openWorkshop(): Workshop {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "askgate-cli-")));
  const stateDir = join(root, "state");
  let projects = 0;
  const project = (): string => {
    projects += 1;
    const path = join(root, `project-${projects}`);
    mkdirSync(path);
    return path;
  };
  const home = project();
  const env = (more: Record<string, string> = {}): Record<string, string> => ({
    PATH: process.env.PATH ?? "",
    HOME: home,
    XDG_CONFIG_HOME: join(home, "config"),
    TMPDIR: tmpdir(),
    ASKGATE_STATE_DIR: stateDir,
    ...more,
  });
  const commands: Running[] = [];
  const start = (args: string[], how: Start = {}): Running => {
    const command = startCommand(args, { cwd: home, ...how, env: env(how.env) });
    commands.push(command);
    return command;
  };
  return {
    stateDir,
    project,
    env,
    start,
    run: (args, how) => start(args, how).ended,
    gate: () => connect({ stateDir, start: false }),
    file(name, content) {
      const path = join(root, name);
      writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
      return path;
    },
    async close() {
      // A command that still waits, because its test failed, would start the bot again.
      for (const { child } of commands) child.kill("SIGKILL");
      await startCommand(["bot", "stop"], { cwd: home, env: env() }).ended;
      rmSync(root, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

function startCommand(args: string[], { input, cwd, env }: Start & { env: Record<string, string> }): Running {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
  const said = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.stderr += text;
  });
  // A command that ends without reading its input is no failure of the test.
  child.stdin.on("error", () => {});
  child.stdin.end(input ?? "");
  const ended = new Promise<Ended>((done) => {
    child.once("close", (code, signal) => done({ code, signal, ...said }));
  });
  const round = (): Promise<string> => until(() => /^round (\S+)/m.exec(said.stderr)?.[1] ?? false);
  return { child, said: () => said, round, ended };
}

/** Presses buttons of a round as its page would: what is drawn is looked at first. */
export async function press(gate: Pressable, round: string, verb: Verb, how: Pressing = {}): Promise<void> {
  const session = `s_${round.slice(2).split("-")[0]}`;
  const cards = await drawn(gate, session);
  const id = buttons(cards).find((button) => {
    const parsed = parseButton(button);
    return parsed?.round === round && parsed.verb === verb && (how.target ?? parsed.target) === parsed.target;
  });
  if (id === undefined) throw new Error(`no button ${verb} ${how.target ?? ""} on ${round}`);
  const answer = await gate.act(session, {
    id: `test-${Math.random()}`,
    button: id,
    values: how.values ?? [],
    words: how.words ?? null,
    surface: "web",
  });
  if (answer.kind !== "done") throw new Error(`${verb} was answered with ${JSON.stringify(answer)}`);
}

/** A bot's gate, or an engine in the test's own process. */
type Pressable = Pick<Gate, "watch" | "act">;

export interface Pressing {
  target?: string;
  values?: string[];
  words?: string;
}

/** All cards of a session, as they are now. */
async function drawn(gate: Pressable, session: string): Promise<Card[]> {
  const enough = new AbortController();
  const view = { surface: "web" as const, limits: TERMINAL_LIMITS, locale: "en" };
  try {
    for await (const { cards } of gate.watch(session, view, enough.signal)) return cards;
    return [];
  } finally {
    enough.abort();
  }
}

const buttons = (cards: Card[]): string[] =>
  cards.flatMap(({ parts }) =>
    parts.flatMap((part) => {
      if (part.kind === "controls") return part.controls.map(({ id }) => id);
      if (part.kind === "choice") return [part.pick ?? "", part.other?.id ?? ""];
      return part.kind === "block"
        ? [part.comment?.id ?? "", ...part.comments.map(({ edit }) => edit ?? "")]
        : [];
    }),
  );
