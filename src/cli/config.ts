/**
 * Settings: flags, then environment (with the project's `.env`), then `askgate.json` in the project, then the user's.
 * Checked by hand, because importing zod costs more than the rest of a command's start.
 */
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import type { PolicyRequest } from "../core/gate.ts";
import type { SurfaceName } from "../core/people.ts";
import type { OnTimeout } from "../core/round.ts";
import type { ChatName } from "../core/surface.ts";
import { type Advice, readAdvice } from "./advice.ts";
import { type Check, count, maybe, oneOf, record, text, texts, wrong, yes } from "./checks.ts";
import { parseDuration } from "./duration.ts";
import { UsageError } from "./exit.ts";
import { guard, guardOf } from "./guard.ts";
import { parseJson } from "./json.ts";
import { CONFIG_FILE } from "./project.ts";
import { readIfThere } from "./read-file.ts";
import { isToken } from "./tokens.ts";

export const CHAT_NAMES = ["slack", "discord"] as const satisfies readonly ChatName[];
export const SURFACES = ["web", "terminal", ...CHAT_NAMES] as const satisfies readonly SurfaceName[];
export const ON_TIMEOUT = ["keep", "recommended", "fail"] as const satisfies readonly OnTimeout[];

/** What files and environment say; undefined is not said. */
export interface Settings {
  via?: SurfaceName[] | undefined;
  to?: string[] | undefined;
  locale?: string | undefined;
  /** Milliseconds; null is never. */
  timeout?: number | null | undefined;
  onTimeout?: OnTimeout | undefined;
  open?: boolean | undefined;
  /** Questions that an agent may ask in a session: its own `--asks` may only be fewer. */
  asks?: number | undefined;
  /** Where questions and answers are recorded instead; false is nowhere. */
  log?: string | false | undefined;
  /** Tools that agents' hooks deny before the brief is complete, beside those that change something; undefined: none. */
  guard?: string[] | undefined;
  /** What agents without an answer are told. */
  advice: Advice;
  /** Which connection of a chat is meant: a team's or an application's id or name. */
  connections: Partial<Record<ChatName, string>>;
  /** The floor: flags and payload may tighten it only. */
  policy: PolicyRequest;
  /** Accounts by name. */
  people: Record<string, string[]>;
}

/** A path, which in a project's file starts from the project, wherever a command runs. */
const STATE_DIR = "ASKGATE_STATE_DIR";

/**
 * The project's `.env`, without overriding what is set. Only askgate's own variables are taken: a checkout must not be able
 * to choose `PATH` or `BROWSER` for the programs that a command starts.
 */
export function readEnvFile(project: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = Object.entries(envFile(project).variables).filter(([name]) => name.startsWith("ASKGATE_"));
  const placed = own.map(([name, value]) => [
    name,
    name === STATE_DIR && value ? resolve(project, value) : value,
  ]);
  return { ...Object.fromEntries(placed), ...env };
}

/** All that the project's `.env` says, tokens too, which do not belong into the environment of what a command starts. */
export function envFile(project: string): { path: string; variables: NodeJS.Dict<string> } {
  const path = join(project, ".env");
  return { path, variables: parseEnv(readIfThere(path) ?? "") };
}

/** Throws `UsageError` that names file and path of an unknown key or a wrong value. */
export function loadSettings(project: string, env: NodeJS.ProcessEnv): Settings {
  const user = fromFile(userFile(env));
  const own = fromFile(join(project, CONFIG_FILE));
  const said = fromEnv(env);
  return {
    via: said.via ?? own.via ?? user.via,
    to: said.to ?? own.to ?? user.to,
    locale: said.locale ?? own.locale ?? user.locale,
    timeout: first(said.timeout, own.timeout, user.timeout),
    onTimeout: said.onTimeout ?? own.onTimeout ?? user.onTimeout,
    open: said.open ?? own.open ?? user.open,
    asks: fewest(said.asks, own.asks, user.asks),
    log: placed(own.log ?? user.log, project),
    guard: guardOf(user.guard, own.guard),
    advice: { ...user.advice, ...own.advice },
    connections: { ...user.connections, ...own.connections, ...said.connections },
    policy: tighter(user.policy, own.policy),
    people: { ...user.people, ...own.people },
  };
}

/** The user's own settings file: under `XDG_CONFIG_HOME`, else `~/.config`. */
export const userFile = (env: NodeJS.ProcessEnv): string =>
  join(env.XDG_CONFIG_HOME || join(homedir(), ".config"), "askgate", "config.json");

const first = <T>(...values: (T | undefined)[]): T | undefined => values.find((value) => value !== undefined);

const placed = <T>(path: string | T, project: string): string | T =>
  typeof path === "string" ? resolve(project, path) : path;

/** Of limits that may not be said, the one that leaves the least; less than 0 is none. */
export function fewest(...limits: (number | null | undefined)[]): number | undefined {
  const said = limits.filter((limit) => typeof limit === "number");
  const finite = said.filter((limit) => limit >= 0);
  return finite.length > 0 ? Math.min(...finite) : said[0];
}

/** Both floors hold: everybody named by either, the higher quorum, a veto if either has one. */
function tighter(user: PolicyRequest, project: PolicyRequest): PolicyRequest {
  const both = (a?: string[], b?: string[]): string[] | undefined =>
    a === undefined && b === undefined ? undefined : [...new Set([...(a ?? []), ...(b ?? [])])];
  const quorums = [user.quorum, project.quorum].filter((quorum) => quorum !== undefined);
  const vetoes = [user.veto, project.veto].filter((veto) => veto !== undefined);
  return {
    reviewers: both(user.reviewers, project.reviewers),
    responders: both(user.responders, project.responders),
    quorum: quorums.length === 0 ? undefined : Math.max(...quorums),
    veto: vetoes.length === 0 ? undefined : vetoes.includes(true),
    onTimeout: project.onTimeout ?? user.onTimeout,
  };
}

function fromEnv(env: NodeJS.ProcessEnv): Omit<Settings, "policy" | "people" | "advice"> {
  const said = <T>(name: string, check: Check<T>, split = false): T | undefined => {
    const text = env[name];
    if (text === undefined || text === "") return undefined;
    return check(split ? splitList(text) : text, `${name} (environment)`);
  };
  return {
    via: said("ASKGATE_VIA", surfaces, true),
    to: said("ASKGATE_TO", texts, true),
    locale: said("ASKGATE_LOCALE", text),
    timeout: said("ASKGATE_TIMEOUT", duration),
    onTimeout: said("ASKGATE_ON_TIMEOUT", onTimeout),
    open: said("ASKGATE_OPEN", (value, at) =>
      yes(value === "1" || value === "0" ? value === "1" : value, at),
    ),
    asks: said("ASKGATE_ASKS", (value, at) =>
      quota(/^\d{1,6}$/.test(String(value)) ? Number(value) : value, at),
    ),
    connections: chosen((chat) => said(`ASKGATE_${chat.toUpperCase()}`, connection)),
  };
}

/** "a, b" → ["a", "b"] */
export const splitList = (list: string): string[] =>
  list
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

function fromFile(file: string): Settings {
  const source = readIfThere(file);
  if (source === null) return { connections: {}, policy: {}, people: {}, advice: {} };
  const at = (key: string): string => `${file}: ${key}`;
  const root = record(parseJson(source, file), at("<root>"), ROOT_KEYS, at);
  return {
    via: maybe(root.via, surfaces, at("via")),
    to: maybe(root.to, texts, at("to")),
    locale: maybe(root.locale, text, at("locale")),
    timeout: maybe(root.timeout, duration, at("timeout")),
    onTimeout: maybe(root.on_timeout, onTimeout, at("on_timeout")),
    open: maybe(root.open, yes, at("open")),
    asks: maybe(root.asks, quota, at("asks")),
    log: maybe(root.log, logPlace, at("log")),
    guard: maybe(root.guard, guard, at("guard")),
    advice: readAdvice(root.advice ?? {}, at),
    connections: chosen((chat) => maybe(root[chat], connection, at(chat))),
    policy: policyOf(root.policy ?? {}, at),
    people: peopleOf(root.people ?? {}, at),
  };
}

const ROOT_KEYS = [
  "via",
  "to",
  "locale",
  "timeout",
  "on_timeout",
  "open",
  "asks",
  "log",
  "guard",
  "advice",
  ...CHAT_NAMES,
  "policy",
  "people",
];
const POLICY_KEYS = ["reviewers", "responders", "quorum", "veto", "on_timeout"];

function chosen(said: (chat: ChatName) => string | undefined): Settings["connections"] {
  const named = CHAT_NAMES.map((chat) => [chat, said(chat)] as const);
  return Object.fromEntries(named.filter(([, name]) => name !== undefined));
}

function policyOf(value: unknown, at: (key: string) => string): PolicyRequest {
  const inside = (key: string): string => at(`policy.${key}`);
  const policy = record(value, at("policy"), POLICY_KEYS, inside);
  return {
    reviewers: maybe(policy.reviewers, texts, inside("reviewers")),
    responders: maybe(policy.responders, texts, inside("responders")),
    quorum: maybe(policy.quorum, count, inside("quorum")),
    veto: maybe(policy.veto, yes, inside("veto")),
    onTimeout: maybe(policy.on_timeout, onTimeout, inside("on_timeout")),
  };
}

function peopleOf(value: unknown, at: (key: string) => string): Record<string, string[]> {
  const people = record(value, at("people"), null, at);
  return Object.fromEntries(
    Object.entries(people).map(([name, accounts]) => [name, texts(accounts, at(`people.${name}`))]),
  );
}

/** A token in its place would be shown and kept. */
const connection: Check<string> = (value, at) => {
  const name = text(value, at);
  if (!isToken(name)) return name;
  throw new UsageError(
    `${at}: expected a connection's id or name, got a token`,
    "Tokens: askgate setup --help",
  );
};

const quota: Check<number> = (value, at) => {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
  throw wrong(at, "a whole number from 0", value);
};

const logPlace: Check<string | false> = (value, at) => (value === false ? value : text(value, at));

const surface = oneOf(SURFACES);
const onTimeout = oneOf(ON_TIMEOUT);

export const surfaces: Check<SurfaceName[]> = (value, at) => {
  if (!Array.isArray(value) || value.length === 0) throw wrong(at, "a list of surfaces", value);
  return [...new Set(value.map((item, index) => surface(item, `${at}[${index}]`)))];
};

const duration: Check<number | null> = (value, at) => {
  if (typeof value !== "string") throw wrong(at, 'a time such as "30m"', value);
  return parseDuration(value, at);
};
