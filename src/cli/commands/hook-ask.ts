/** Asking people what an agent's hook wants to know, and taking it back when the agent was answered elsewhere. */
import { createHash, randomUUID } from "node:crypto";
import type { Answer, Heard, Matter } from "../../adapters/agents/hook.ts";
import { type Client, connect } from "../../adapters/link/client.ts";
import { AskgateError } from "../../core/error.ts";
import type { Opened, OpenRequest, Result, Selector } from "../../core/gate.ts";
import type { Kind } from "../../core/round.ts";
import { withAdvice } from "../advice.ts";
import { hasBrowser, openBrowser } from "../browser.ts";
import { UsageError } from "../exit.ts";
import { buildRequest, DEFAULT_TIMEOUT_MS, type Setting, selectorOf, surfacesOf } from "../request.ts";
import { waiting } from "../shell.ts";
import { listIssues } from "../talk.ts";
import type { Time } from "./hook-time.ts";

type Ask = Extract<Heard, { kind: "ask" }>;
type Over = Extract<Heard, { kind: "over" }>;

export interface HookAsking {
  setting: Setting;
  /** Who asks, on the cards. */
  title: string;
  time: Time;
}

/** An answer, and what to do once the agent has it. */
export interface Given {
  answer: Answer;
  taken(): Promise<void>;
}

/** Asks and waits. Throws where nobody could be asked. */
export async function askPeople(ask: Ask, on: HookAsking): Promise<Given> {
  const gate = await connect();
  const opened = await open(gate, ask, on);
  const { round, session } = opened;
  if (round === "") throw notAsked(opened.result, opened.notes);
  // Nothing attaches to it again: an agent that ends its hook asks anew.
  waiting.leave = () => gate.cancel(round);
  showPage(opened, on.setting);
  const { result, carries } = await gate.wait(round, on.time.left(), false);
  waiting.leave = null;
  if (result.status === "unreachable") throw notAsked(result, opened.notes);
  const own = { rounds: carries.rounds.filter((id) => id === round), messages: [] };
  return {
    answer: ask.answer(inOwnWords(result, on.setting)),
    async taken() {
      if (own.rounds.length > 0) await gate.acknowledge(session, own);
      gate.close();
    },
  };
}

/** With the advice that the settings have for a question without an answer. */
function inOwnWords(result: Result, { settings }: Setting): Result {
  const told = withAdvice({ ...result, advice: "" }, settings);
  return told.advice === "" ? result : told;
}

async function open(gate: Client, ask: Ask, on: HookAsking): Promise<Opened> {
  const { setting } = on;
  const request = await requestFor(gate, ask, on);
  try {
    return await gate.open(request, setting.credentials);
  } catch (error) {
    // Another question of its kind is open there, or several sessions are waited for: it gets one of its own.
    if (!(error instanceof AskgateError) || error.code !== "usage") throw error;
    return gate.open({ ...request, session: `hook-${randomUUID()}` }, setting.credentials);
  }
}

async function requestFor(
  gate: Client,
  ask: Ask,
  { setting, title, time }: HookAsking,
): Promise<OpenRequest> {
  const { kind, payload } = ask.question;
  const via = surfacesOf(setting).filter((surface) => surface !== "terminal");
  const flags = { timeout: { ms: deadline(setting, time) } };
  const request = buildRequest(
    { kind, again: false, payload, flags },
    setting,
    via.length > 0 ? via : ["web"],
  );
  const prefix = keyOf(ask.asker, ask.question);
  const [same] = await gate.held(selectorOf(setting), prefix);
  return {
    ...request,
    key: kind === "permission" || same === undefined ? `${prefix}${randomUUID()}` : same.key,
    session: request.session ?? (await sessionOf(gate, selectorOf(setting))),
    origin: { ...request.origin, agent: title },
  };
}

/** People's time is over before the agent's, whatever the settings give them. */
const deadline = ({ settings }: Setting, time: Time): number =>
  Math.min(
    settings.timeout === undefined ? DEFAULT_TIMEOUT_MS : (settings.timeout ?? Infinity),
    time.asking(),
  );

/** The session that the agent's conversation has already; null: none, or several. */
async function sessionOf(gate: Client, selector: Selector): Promise<string | null> {
  try {
    return (await gate.inbox(selector)).session;
  } catch (error) {
    if (error instanceof AskgateError && error.code === "usage") return null;
    throw error;
  }
}

/** How the keys of an asker's questions begin: of all, of a kind, or of one question. */
function keyOf(asker: string, of: Matter | Kind | null): string {
  const who = `hook:${encodeURIComponent(asker)}:`;
  if (of === null) return who;
  if (typeof of === "string") return `${who}${of}:`;
  const digest = createHash("sha256").update(JSON.stringify(of.payload)).digest("hex").slice(0, 16);
  return `${who}${of.kind}:${digest}:`;
}

function notAsked(result: Result | null, notes: string[]): UsageError {
  const reason = typeof result?.reason === "string" && result.reason !== "" ? [result.reason] : notes;
  const said = [...listIssues(result?.issues), ...reason].join("; ");
  return new UsageError(said, typeof result?.help === "string" ? result.help : "");
}

function showPage({ links, attached }: Opened, { settings, env }: Setting): void {
  const url = links.find((link) => link.open !== null)?.open;
  if (url && !attached && settings.open !== false && hasBrowser(env)) void openBrowser(url, env);
}

/** The agent went on: what this asker still has open was answered at its own prompt, and its cards say so. */
export async function takeBack({ asker, of }: Over, setting: Setting): Promise<void> {
  const gate = await running();
  if (gate === null) return;
  const held = await gate.held({ ...selectorOf(setting), session: null }, keyOf(asker, of));
  for (const { round, late } of held) if (!late) await gate.cancel(round, true);
  gate.close();
}

/** Without a bot nothing is open: none is started. */
async function running(): Promise<Client | null> {
  try {
    const gate = await connect({ start: false });
    await gate.health();
    return gate;
  } catch (error) {
    if (error instanceof AskgateError && error.code === "unreachable") return null;
    throw error;
  }
}
