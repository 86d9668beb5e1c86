/** Setting up a chat, whichever: from nothing to a working connection, and who its person is. */
import { type Client, connect } from "../../adapters/link/client.ts";
import { SLICE_MS } from "../../adapters/link/protocol.ts";
import { AskgateError } from "../../core/error.ts";
import type { Connected, Credentials } from "../../core/surface.ts";
import { hasBrowser, openBrowser } from "../browser.ts";
import { type Found, readCredentials } from "../credentials.ts";
import { clockTime } from "../duration.ts";
import { exitOfStatus, USAGE, UsageError } from "../exit.ts";
import { helpOf } from "../explain.ts";
import { findProject } from "../project.ts";
import { openPrompt, type Prompt } from "../prompt.ts";
import { harmless, print, say, toText } from "../shell.ts";
import { type ChatVariables, isOfKind, namesOf, type TokenKind, wrongKind } from "../tokens.ts";

export interface SetupFlags {
  me?: string;
  json?: true;
}

/** What differs from chat to chat. */
export interface ChatSetup {
  chat: ChatVariables;
  /** For people: "Slack". */
  title: string;
  /** What a person is found by. */
  who: string;
  /** Everything to do until there are tokens, for somebody who cannot be asked. */
  steps(): string[];
  /** The same for somebody at the terminal. */
  guide(prompt: Prompt): Promise<void>;
  /** Asks for the tokens. */
  paste: string;
  /** What is left to do between the connection and its person; false while nobody can be asked yet. */
  settle(setting: Setting, connected: Connected): Promise<boolean>;
}

export interface Setting {
  client: Client;
  /** Null where nobody can be asked. */
  prompt: Prompt | null;
  flags: SetupFlags;
}

/** A button that nobody has pressed for so long is not going to be pressed. */
const PRESS_MS = 10 * 60_000;

/** Resolves to the exit code. */
export async function setUpChat(setup: ChatSetup, flags: SetupFlags): Promise<number> {
  const given = givenTokens(setup.chat);
  const prompt = openPrompt();
  const nothingToGoBy = prompt === null && given === undefined && flags.me === undefined;
  if (nothingToGoBy) return explainSteps(setup);
  const client = await connect();
  try {
    return await setUp(setup, { client, prompt, flags }, given);
  } finally {
    prompt?.close();
    client.close();
  }
}

/** Tokens that are set already. */
export const givenTokens = ({ surface }: ChatVariables): Found | undefined =>
  readCredentials(findProject(process.cwd()), process.env, [surface])[0];

async function setUp(setup: ChatSetup, setting: Setting, given: Found | undefined): Promise<number> {
  const connected = await connection(setup, setting, given);
  say(`connected: ${harmless(connected.label)}`);
  const isReady = await setup.settle(setting, connected);
  const asked = isReady ? await askWho(setup, setting, connected) : null;
  setting.prompt?.close();
  const paired = asked === null || (await waitForPress(setup, setting.client, asked));
  const me = asked !== null && paired ? asked.name : connected.me;
  const { surface, connection: id, label } = connected;
  if (setting.flags.json) await print(toText({ surface, connection: id, label, me }));
  if (!paired) return exitOfStatus("pending");
  const where = me === null ? "'#channel'" : "me";
  const next = `Try:  askgate clarity up --input examples/login.json --to ${where}`;
  say(isReady ? next : `Then say who you are:  askgate setup ${surface}`);
  return 0;
}

function connection(setup: ChatSetup, setting: Setting, given: Found | undefined): Promise<Connected> {
  const { client, prompt } = setting;
  if (given === undefined)
    return prompt === null ? onlyKept(setup, client) : connectByHand(setup, client, prompt);
  say(`using ${namesOf(setup.chat.tokens)} from ${given.source}`);
  return client.connections.connect(withoutSource(given));
}

/** With `--me` alone: the connection that is there. */
async function onlyKept({ chat }: ChatSetup, client: Client): Promise<Connected> {
  const [only, ...more] = await kept(chat, client);
  if (only !== undefined && more.length === 0) return only;
  throw new UsageError(
    only === undefined ? "nothing is connected yet" : "several are connected",
    `Set ${namesOf(chat.tokens)}, or run it where somebody sits at a terminal.`,
  );
}

export const kept = async ({ surface }: ChatVariables, client: Client): Promise<Connected[]> =>
  (await client.connections.list()).filter((connected) => connected.surface === surface);

const withoutSource = ({ surface, tokens, baseUrl }: Found): Credentials => ({ surface, tokens, baseUrl });

/** A connection that is there already, or the way to a new one. */
async function connectByHand(setup: ChatSetup, client: Client, prompt: Prompt): Promise<Connected> {
  const { surface, tokens: kinds } = setup.chat;
  const there = await kept(setup.chat, client);
  const chosen = there.length > 0 ? await chooseKept(prompt, there) : null;
  if (chosen !== null) return chosen;
  await setup.guide(prompt);
  say(`\n${setup.paste}`);
  for (;;) {
    const tokens = await askTokens(prompt, kinds);
    try {
      return await client.connections.connect({ surface, tokens, baseUrl: null });
    } catch (error) {
      if (!(error instanceof AskgateError) || error.code !== "connection_refused") throw error;
      say(`${error.message}\n${error.help}`);
    }
  }
}

async function chooseKept(prompt: Prompt, there: Connected[]): Promise<Connected | null> {
  say("Connected already:");
  for (const [index, { label, me }] of there.entries())
    say(
      `  ${index + 1}  ${harmless(label)} · ${me === null ? "nobody paired" : `paired with ${harmless(me)}`}`,
    );
  const answer = await prompt.ask("its number to say who you are, n to connect another (1): ");
  if (answer.toLowerCase().startsWith("n")) return null;
  return there[Number(answer || 1) - 1] ?? chooseKept(prompt, there);
}

async function askTokens(prompt: Prompt, kinds: ChatVariables["tokens"]): Promise<Record<string, string>> {
  const tokens: Record<string, string> = {};
  for (const [key, kind] of Object.entries(kinds)) tokens[key] = await askToken(prompt, kind);
  return tokens;
}

async function askToken(prompt: Prompt, kind: TokenKind): Promise<string> {
  for (;;) {
    const token = await prompt.askHidden(`  ${kind.what} (${kind.looks}): `);
    if (isOfKind(token, kind)) return token;
    const { message, advice } = wrongKind(kind, token, "That is another one");
    say(`  ${message}. ${advice}`);
  }
}

/** Opens a page if there is a browser and the person wants it. */
export async function offerBrowser(prompt: Prompt, question: string, url: string): Promise<void> {
  if (!hasBrowser(process.env)) return;
  const answer = await prompt.ask(`\n${question} (Y/n): `);
  if (!answer.toLowerCase().startsWith("n")) await openBrowser(url, process.env);
}

function explainSteps({ chat, steps }: ChatSetup): number {
  for (const line of steps()) say(line);
  say(`\nThen set ${namesOf(chat.tokens)} in the environment or in .env, and run`);
  say(`askgate setup ${chat.surface} again; or run it where somebody sits at a terminal, and it asks.`);
  return USAGE;
}

interface Asked {
  pairing: string;
  name: string;
}

/** Who the person is, asked by a button in the chat; null when nobody said. */
async function askWho(
  { chat: { surface }, title, who: by }: ChatSetup,
  { client, prompt, flags }: Setting,
  { connection, me }: Connected,
): Promise<Asked | null> {
  const pair = (who: string): Promise<Asked> => client.connections.pair({ surface, connection, who });
  if (flags.me !== undefined) return pair(flags.me);
  if (prompt === null) return null;
  const skip = me === null ? "Enter: skip" : `Enter: still ${harmless(me)}`;
  for (;;) {
    const who = await prompt.ask(`Who are you in ${title}? ${by} (${skip}): `);
    if (who === "") return null;
    try {
      return await pair(who);
    } catch (error) {
      if (!(error instanceof AskgateError) || error.code !== "not_found") throw error;
      say([error.message, helpOf(error)].filter((line) => line !== "").join("\n"));
    }
  }
}

/** False when nobody pressed it. */
async function waitForPress(
  { chat: { surface }, title }: ChatSetup,
  client: Client,
  { pairing, name }: Asked,
): Promise<boolean> {
  say(`Press the button that the bot just sent ${harmless(name)} in ${title} …   (^C stops waiting)`);
  const began = performance.now();
  for (let waited = 0; waited < PRESS_MS; waited = performance.now() - began) {
    if (waited > 0) say(`  not pressed yet · ${clockTime(waited)}`);
    if (await client.connections.paired({ surface, pairing, patienceMs: SLICE_MS })) {
      say(`paired with ${harmless(name)}`);
      return true;
    }
  }
  say(`Nobody pressed it. To be asked again: askgate setup ${surface}`);
  return false;
}
