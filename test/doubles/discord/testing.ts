/** What the double's own tests share. */
import {
  Client,
  type ClientOptions,
  DiscordAPIError,
  Events,
  GatewayIntentBits,
  Partials,
  REST,
} from "discord.js";
import { expect } from "vitest";
import { type Discord, type DiscordOptions, type Guild, startDiscord } from "./index.ts";
import { type Json, record } from "./wire.ts";

export interface Scene {
  discord: Discord;
  acme: Guild;
  rest: REST;
}

/** A Discord with a server `acme` and the real REST client with the bot's token, without retries. */
export async function scene(options?: DiscordOptions): Promise<Scene> {
  const discord = await startDiscord(options);
  return { discord, acme: discord.guild({ id: "100", name: "acme" }), rest: restOf(discord) };
}

export const restOf = (discord: Discord, token = discord.token): REST =>
  new REST({
    api: discord.apiUrl,
    retries: 0,
    rejectOnRateLimit: () => true,
    globalRequestsPerSecond: 1_000_000,
  }).setToken(token);

export const INTENTS = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.GuildMessageReactions,
  GatewayIntentBits.DirectMessages,
  GatewayIntentBits.MessageContent,
];

/** The real client, logged in. */
export async function connected(discord: Discord, more: Partial<ClientOptions> = {}): Promise<Client<true>> {
  const client = new Client({
    intents: INTENTS,
    partials: [Partials.Channel, Partials.Message],
    rest: { api: discord.apiUrl, retries: 0 },
    allowedMentions: { parse: [] },
    ...more,
  });
  const ready = new Promise<Client<true>>((resolve) => client.once(Events.ClientReady, resolve));
  await client.login(discord.token);
  return ready;
}

/** The code that Discord answers, or null where the call went well. */
export async function refusal(call: Promise<unknown>): Promise<number | string | null> {
  const error = await refused(call);
  return error === null ? null : error.code;
}

export async function refused(call: Promise<unknown>): Promise<DiscordAPIError | null> {
  try {
    await call;
    return null;
  } catch (error) {
    if (error instanceof DiscordAPIError) return error;
    throw error;
  }
}

/** All codes that stand in an `errors` tree, with their places. */
export async function complaints(call: Promise<unknown>): Promise<string[]> {
  const error = await refused(call);
  return error === null ? [] : leaves(record(record(error.rawError).errors), "");
}

function leaves(tree: Json, at: string): string[] {
  return Object.entries(tree).flatMap(([key, held]) => {
    if (key === "_errors" && Array.isArray(held)) return held.map((one) => `${at} ${record(one).code}`);
    return leaves(record(held), at === "" ? key : `${at}.${key}`);
  });
}

export const posts = (rest: REST, channel: string, body: Json): Promise<Json> =>
  rest.post(`/channels/${channel}/messages`, { body }).then(record);

/** Expects of something that it is so within ten seconds, also where the machine is busy. */
export const soon = <T>(read: () => T) => expect.poll(read, { timeout: 10_000 });
