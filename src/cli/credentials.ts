/**
 * The tokens of chat platforms, from the environment or else the project's `.env`. A set counts whole: tokens and address
 * of one platform come from one place, so that no project file can send somebody's tokens elsewhere.
 */
import type { ChatName, Credentials } from "../core/ports.ts";
import { envFile } from "./config.ts";
import { UsageError } from "./exit.ts";

interface TokenKind {
  /** The environment variable. */
  name: string;
  prefix: string;
  /** For people: what it is, and where it is found. */
  what: string;
  where: string;
}

interface ChatVariables {
  surface: ChatName;
  /** By the name that the surface knows it under. */
  tokens: Readonly<Record<string, TokenKind>>;
  baseUrl: string;
}

export const SLACK_TOKENS = {
  bot: {
    name: "SLACK_BOT_TOKEN",
    prefix: "xoxb-",
    what: "the bot token",
    where: "OAuth & Permissions, Bot User OAuth Token",
  },
  app: {
    name: "SLACK_APP_TOKEN",
    prefix: "xapp-",
    what: "the app-level token",
    where: "Basic Information, App-Level Tokens",
  },
} as const satisfies Record<string, TokenKind>;

/** Every chat that takes credentials. */
const CHATS: readonly ChatVariables[] = [
  { surface: "slack", tokens: SLACK_TOKENS, baseUrl: "SLACK_API_URL" },
];

export interface Found extends Credentials {
  /** "the environment", or the `.env` file. */
  source: string;
}

/** What is set, at most one per chat. Throws `UsageError` for half a set, one that is mixed, and a token of another kind. */
export function readCredentials(project: string, env: NodeJS.ProcessEnv): Found[] {
  const { path, variables } = envFile(project);
  const sources: Source[] = [
    { name: "the environment", variables: env },
    { name: path, variables },
  ];
  return CHATS.flatMap((chat) => readChat(chat, sources));
}

interface Source {
  name: string;
  variables: Readonly<Record<string, string | undefined>>;
}

function readChat(chat: ChatVariables, sources: Source[]): Found[] {
  const kinds = Object.values(chat.tokens);
  const first = sources.find((source) => kinds.some(({ name }) => said(source, name) !== ""));
  for (const source of sources) {
    // One that is hidden by the environment's tokens is no mistake as long as it is whole.
    const hasTokens = kinds.some(({ name }) => said(source, name) !== "");
    if (!hasTokens && said(source, chat.baseUrl) !== "") throw loneAddress(chat, source);
  }
  if (first === undefined) return [];
  for (const kind of kinds) {
    if (said(first, kind.name) === "") throw halfSet(kind, kinds, { first, sources });
  }
  const tokens = Object.fromEntries(
    Object.entries(chat.tokens).map(([key, { name }]) => [key, said(first, name)]),
  );
  checkKinds(chat, tokens, first.name);
  return [{ surface: chat.surface, tokens, baseUrl: address(chat, first), source: first.name }];
}

const said = ({ variables }: Source, name: string): string => variables[name]?.trim() ?? "";

const loneAddress = ({ baseUrl, tokens }: ChatVariables, { name }: Source): UsageError =>
  new UsageError(
    `${baseUrl} is set in ${name} without tokens`,
    `An address counts only together with tokens from the same place: set ${namesOf(tokens)} there too, or remove it.`,
  );

const namesOf = (tokens: ChatVariables["tokens"]): string =>
  Object.values(tokens)
    .map(({ name }) => name)
    .join(" and ");

function halfSet(
  missing: TokenKind,
  kinds: TokenKind[],
  { first, sources }: { first: Source; sources: Source[] },
): UsageError {
  const there = kinds.find(({ name }) => said(first, name) !== "");
  const other = sources.find((source) => source !== first && said(source, missing.name) !== "");
  const elsewhere = other === undefined ? "" : `; the one in ${other.name} belongs to another set`;
  return new UsageError(
    `${missing.name} is missing: ${there?.name ?? ""} comes from ${first.name}${elsewhere}`,
    `Set both in one place. It is ${missing.what} (${missing.prefix}…): ${missing.where}.`,
  );
}

function address({ baseUrl }: ChatVariables, source: Source): string | null {
  const text = said(source, baseUrl);
  if (text === "") return null;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`${baseUrl} in ${source.name}: expected an address such as https://slack.com/api/`);
  return text;
}

/** Says which of them are swapped or of another kind, without showing any. */
function checkKinds({ tokens: kinds }: ChatVariables, tokens: Record<string, string>, source: string): void {
  const wrong = Object.entries(kinds).filter(([key, kind]) => !isOfKind(tokens[key] ?? "", kind));
  const all = Object.values(kinds);
  const swapped = wrong.every(([key]) => all.some((kind) => isOfKind(tokens[key] ?? "", kind)));
  if (wrong.length > 1 && swapped) {
    const wanted = all.map(({ name, prefix }) => `${name} takes ${prefix}…`).join(", ");
    throw new UsageError(`${namesOf(kinds)} in ${source} are swapped`, `Swap them: ${wanted}.`);
  }
  for (const [key, kind] of wrong) throw wrongKind(kind, tokens[key] ?? "", `${kind.name} in ${source}`);
}

export const isOfKind = (token: string, { prefix }: TokenKind): boolean =>
  token.startsWith(prefix) && /^[\x21-\x7e]{6,}$/.test(token);

/** `at`: what holds it, for people. */
export function wrongKind(kind: TokenKind, token: string, at: string): UsageError {
  const prefix = /^xox[a-z]-|^xapp-|^xoxe\.xox[bp]-/.exec(token)?.[0];
  const known = Object.values(SLACK_TOKENS).find((candidate) => candidate.prefix === prefix);
  const found =
    prefix === undefined || prefix === kind.prefix ? "something else" : (known?.what ?? `a token ${prefix}…`);
  return new UsageError(
    `${at}: expected ${kind.what} (${kind.prefix}…), got ${found}`,
    `It stands under ${kind.where}.`,
  );
}
