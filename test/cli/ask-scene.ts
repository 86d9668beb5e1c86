/** One scenario of the ask traces, played with commands and on a chat. */
import { expect } from "vitest";
import type { Client } from "../../src/adapters/link/client.ts";
import { formatButton } from "../../src/core/event.ts";
import type { Channel, Slack } from "../doubles/slack/index.ts";
import type { people } from "../support/slack-stage.ts";
import { until } from "../support/until.ts";
import { type Ended, press, type Running, type Workshop } from "./askgate.ts";

export interface Scenario {
  id: string;
  config: { timeout_s: number | null; max_asks?: number };
  steps: [string, ...unknown[]][];
  results: unknown[];
  events: { ask?: string; id: string; remaining: number }[];
}

/** A bot with a Slack, and the commands that reach it. */
export interface Stage {
  shop: Workshop;
  gate: Client;
  slack: Slack;
  team: ReturnType<typeof people>;
}

const STATES: Record<string, string> = {
  submitted: "answered",
  over_quota: "over_budget",
  declined: "declined",
  timeout: "timeout",
  cancelled: "cancelled",
};

/** Scenarios with an empty question: there it counted, here it does not. */
const COUNTED_EMPTY = ["ch-11", "ch-12"];

const OPENS_A_THREAD = ["permission", "Go ahead", "--command", "make", "--no-open"];

/** One scenario: a project of its own, and a channel of its own where somebody writes. */
export class Scene {
  readonly #scenario: Scenario;
  readonly #stage: Stage;
  readonly #cwd: string;
  /** Rounds, messages and invalid questions in the order in which they were made: they share one count. */
  readonly #made: string[] = [];
  readonly #runs = new Map<string, { command: Running; round: string }>();
  #chat: { channel: Channel; thread: string } | null = null;

  constructor(scenario: Scenario, stage: Stage) {
    this.#scenario = scenario;
    this.#stage = stage;
    this.#cwd = stage.shop.project();
  }

  /** People write in the thread of a session, so that one has to be there. */
  async begin(): Promise<void> {
    const { shop, team, gate } = this.#stage;
    if (!this.#scenario.steps.some(([what]) => what === "send")) return;
    const { id } = this.#scenario;
    const channel = team.acme.channel({
      id: `C0${id.replace("-", "").toUpperCase()}`,
      name: id,
      members: [team.ana, team.acme.bot],
    });
    this.#chat = { channel, thread: "" };
    const command = shop.start([...OPENS_A_THREAD, ...this.#where()], this.#how());
    const round = await command.round();
    await press(gate, round, "deny", { target: "-" });
    await command.ended;
    const root = await until(() => channel.messages()[0]?.ts ?? false);
    this.#chat = { channel, thread: root };
  }

  async run([what, ...args]: [string, ...unknown[]]): Promise<unknown> {
    const [first = "", second = "", third = []] = args;
    switch (what) {
      case "ask":
        return this.#ask(String(first), String(second), Array.isArray(third) ? third.map(String) : []);
      case "answer":
        return this.#press(String(first), "answer", String(second));
      case "decline":
        return this.#press(String(first), "skip", second === "" ? null : String(second));
      case "join":
        return this.#join(String(first));
      case "cancel":
        return this.#cancel(String(first));
      case "pending":
        return (await this.#session()).rounds
          .filter(({ kind, status }) => kind === "ask" && status === "open")
          .map(({ round }) => this.#nameOf(round, "q"));
      case "remaining":
        return this.#remaining();
      case "send":
        return this.#send(String(first));
      case "pending_mail":
        return (await this.#inbox("--peek")).messages.map(({ id }) => this.#nameOf(id, "m"));
      case "inbox":
        return this.#take();
      default:
        throw new Error(`unknown step ${what}`);
    }
  }

  #how() {
    const { team, slack } = this.#stage;
    const { botToken, appToken } = team.acme;
    const env = { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_API_URL: slack.apiUrl };
    return { cwd: this.#cwd, ...(this.#chat === null ? {} : { env }) };
  }

  #where(): string[] {
    return this.#chat === null ? ["--via", "web"] : ["--via", "slack", "--to", `#${this.#chat.channel.name}`];
  }

  #nameOf(id: string, letter: string): string {
    return `${letter}${this.#made.indexOf(id) + 1}`;
  }

  async #ask(run: string, question: string, options: string[]): Promise<null> {
    const { shop } = this.#stage;
    const { max_asks } = this.#scenario.config;
    const flags = [
      ...options.flatMap((label) => ["--option", label]),
      ...["--timeout", this.#timeout(run), "--on-timeout", "fail", "--no-open"],
      ...(max_asks === undefined ? [] : ["--asks", String(max_asks)]),
    ];
    const command = shop.start(["ask", question, ...flags, ...this.#where()], this.#how());
    const opened = await until(
      () => command.child.exitCode !== null || /^round /m.test(command.said().stderr),
    );
    const ended = opened && command.child.exitCode !== null;
    const round = ended ? String(read(await command.ended).round ?? "invalid") : await command.round();
    this.#made.push(round);
    this.#runs.set(run, { command, round });
    return null;
  }

  /** Short where time has to run out, and long where somebody answers on a busy machine. */
  #timeout(run: string): string {
    const { config, steps } = this.#scenario;
    if (config.timeout_s === null) return "never";
    if (config.timeout_s <= 0) return "0";
    const asked = steps.findIndex(([what, name]) => what === "ask" && name === run);
    const joined = steps.findIndex(([what, name]) => what === "join" && name === run);
    const between = steps.slice(asked, joined === -1 ? undefined : joined);
    return between.some(([what]) => ["answer", "decline", "cancel"].includes(what)) ? "5m" : "50ms";
  }

  /** Presses the button as it was drawn, whatever became of the question since. */
  async #press(name: string, verb: "answer" | "skip", words: string | null): Promise<boolean> {
    const { gate } = this.#stage;
    const round = this.#made[Number(name.slice(1)) - 1] ?? "r_none0000-1";
    const session = `s_${round.slice(2).split("-")[0]}`;
    const store = String((await gate.show(session).catch(() => ({ store: "none" }))).store);
    const button = formatButton({ store, verb, round, rev: 0, target: "-" });
    const id = `test-${Math.random()}`;
    const pressed = gate.act(session, { id, button, values: [], words, surface: "web" });
    return (await pressed).kind === "done";
  }

  async #join(run: string): Promise<unknown> {
    const asked = this.#runs.get(run);
    if (asked === undefined) throw new Error(`nothing was asked as ${run}`);
    const result = read(await asked.command.ended);
    const id = this.#nameOf(asked.round, "q");
    if (!COUNTED_EMPTY.includes(this.#scenario.id)) expect(result.remaining).toBe(this.#left(id));
    if (result.status === "invalid")
      return { id, state: "invalid", returned: { kind: "empty_question_text" } };
    const state = STATES[result.status] ?? result.status;
    if (state === "answered") return { id, state, returned: { text: result.answer } };
    expect(result.advice).toContain("Unknowns and assumptions");
    const reason = result.reason === undefined ? {} : { reason: result.reason };
    return { id, state, returned: { kind: `${state}_text`, ...reason } };
  }

  #left(id: string): number | undefined {
    return this.#scenario.events.findLast((event) => event.id === id)?.remaining ?? -1;
  }

  async #cancel(run: string): Promise<unknown> {
    const { shop } = this.#stage;
    await shop.run(["clarity", "down"], this.#how());
    const result = read(await (this.#runs.get(run)?.command.ended ?? Promise.reject(new Error(run))));
    return { cancelled: result.status === "cancelled", state: STATES[result.status] };
  }

  async #session(): Promise<{ session: string; rounds: { round: string; kind: string; status: string }[] }> {
    const { shop } = this.#stage;
    const [session] = JSON.parse((await shop.run(["list"], this.#how())).stdout);
    return session;
  }

  async #remaining(): Promise<number> {
    const { shop } = this.#stage;
    const { session } = await this.#session();
    const { asks } = JSON.parse((await shop.run(["show", session], this.#how())).stdout);
    return asks.quota === null ? -1 : Math.max(0, asks.quota - asks.used);
  }

  async #inbox(...flags: string[]): Promise<{
    messages: { id: string; text: string }[];
    amendments: { saved: boolean } | null;
  }> {
    const { shop } = this.#stage;
    return read(await shop.run(["inbox", ...flags], this.#how()));
  }

  async #send(text: string): Promise<unknown> {
    const { gate, team } = this.#stage;
    // No client sends a blank message.
    if (this.#chat === null || text.trim() === "") return null;
    const { channel, thread } = this.#chat;
    const there = () => gate.inbox({ project: this.#cwd, session: null, agentSession: null });
    const { length } = (await there()).messages;
    await team.ana.types(channel, text, { thread });
    const message = await until(async () => (await there()).messages[length] ?? false);
    this.#made.push(message.id);
    return { id: this.#nameOf(message.id, "m"), text: message.text };
  }

  async #take(): Promise<unknown> {
    const { messages, amendments } = await this.#inbox();
    if (messages.length === 0) return { empty: true };
    return { items: messages.map(({ text }) => text), saved: amendments?.saved };
  }
}

const read = ({ stdout }: Ended) => JSON.parse(stdout);
