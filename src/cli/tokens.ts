/** The tokens that chats take: how they look, and what is mistaken for them. None is ever shown. */
import type { ChatName } from "../core/surface.ts";
import { UsageError } from "./exit.ts";

export interface TokenKind {
  /** The environment variable. */
  name: string;
  shape: RegExp;
  /** For people: what it is, how it looks, and where it is found. */
  what: string;
  looks: string;
  where: string;
}

export interface ChatVariables {
  surface: ChatName;
  /** By the name that the surface knows it under. */
  tokens: Readonly<Record<string, TokenKind>>;
  /** The variable of another server's address, and how one looks. */
  baseUrl: string;
  address: string;
}

export const SLACK = {
  surface: "slack",
  tokens: {
    bot: {
      name: "SLACK_BOT_TOKEN",
      shape: /^xoxb-[\x21-\x7e]+$/,
      what: "the bot token",
      looks: "xoxb-…",
      where: "OAuth & Permissions, Bot User OAuth Token",
    },
    app: {
      name: "SLACK_APP_TOKEN",
      shape: /^xapp-[\x21-\x7e]+$/,
      what: "the app-level token",
      looks: "xapp-…",
      where: "Basic Information, App-Level Tokens",
    },
  },
  baseUrl: "SLACK_API_URL",
  address: "https://slack.com/api/",
} as const satisfies ChatVariables;

export const DISCORD = {
  surface: "discord",
  tokens: {
    bot: {
      name: "DISCORD_TOKEN",
      shape: /^[\w-]{18,}\.[\w-]{4,}\.[\w-]{16,}$/,
      what: "the bot's token",
      looks: "three parts with dots between",
      where: "the application's page Bot, Reset Token",
    },
  },
  baseUrl: "DISCORD_API_URL",
  address: "https://discord.com/api",
} as const satisfies ChatVariables;

/** Every chat that takes credentials. */
export const CHATS: readonly ChatVariables[] = [SLACK, DISCORD];

export const namesOf = (tokens: ChatVariables["tokens"]): string =>
  Object.values(tokens)
    .map(({ name }) => name)
    .join(" and ");

export const isOfKind = (token: string, { shape }: TokenKind): boolean => shape.test(token);

/** Of any chat: what must not stand where it would be shown and kept. */
export const isToken = (text: string): boolean =>
  /^xox|^xapp/.test(text) ||
  CHATS.some(({ tokens }) => Object.values(tokens).some((kind) => isOfKind(text, kind)));

/** What is mistaken for a token, for people. */
const MISTAKEN: readonly [RegExp, string][] = [
  [SLACK.tokens.bot.shape, "Slack's bot token"],
  [SLACK.tokens.app.shape, "Slack's app-level token"],
  [/^xoxp-/, "Slack's user token"],
  [/^xoxe\.|^xox[ac-z]-/, "another token of Slack"],
  [DISCORD.tokens.bot.shape, "the token of a Discord bot"],
  [/^Bot\s/i, 'one with "Bot" before it: leave that word out'],
  [/^\d{17,20}$/, "an application's id"],
  [/^[0-9a-f]{64}$/, "a public key"],
  [/^[\w-]{32}$/, "a client secret"],
];

/** `at`: what holds it, for people. */
export function wrongKind({ what, looks, where }: TokenKind, token: string, at: string): UsageError {
  const found = MISTAKEN.find(([shape]) => shape.test(token))?.[1] ?? "something else";
  return new UsageError(`${at}: expected ${what} (${looks}), got ${found}`, `It stands under ${where}.`);
}
