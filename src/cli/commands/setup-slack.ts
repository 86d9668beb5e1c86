/** `setup slack`: from nothing to a working connection, and who its person is. */
import { userInfo } from "node:os";
import { type Client, connect } from "../../adapters/link/client.ts";
import { SLICE_MS } from "../../adapters/link/protocol.ts";
import { manifest } from "../../adapters/slack/manifest.ts";
import { AskgateError } from "../../core/error.ts";
import type { Connected, Credentials } from "../../core/ports.ts";
import { hasBrowser, openBrowser } from "../browser.ts";
import { type Found, isOfKind, readCredentials, SLACK_TOKENS, wrongKind } from "../credentials.ts";
import { clockTime } from "../duration.ts";
import { exitOfStatus, USAGE, UsageError } from "../exit.ts";
import { helpOf } from "../explain.ts";
import { findProject } from "../project.ts";
import { openPrompt, type Prompt } from "../prompt.ts";
import { harmless, print, say, toText } from "../shell.ts";

export interface SetupFlags {
  name?: string;
  me?: string;
  manifest?: true;
  json?: true;
}

const NEW_APP = "https://api.slack.com/apps?new_app=1";

/** The name of an app that a team shares. */
const SHARED = "askgate";

/** A button that nobody has pressed for so long is not going to be pressed. */
const PRESS_MS = 10 * 60_000;

export async function setupSlack(flags: SetupFlags): Promise<number> {
  if (flags.manifest) {
    await print(toText(manifest(flags.name ?? SHARED)));
    return 0;
  }
  const given = readCredentials(findProject(process.cwd()), process.env).find(
    ({ surface }) => surface === "slack",
  );
  const prompt = openPrompt();
  const nothingToGoBy = prompt === null && given === undefined && flags.me === undefined;
  if (nothingToGoBy) return explainSteps(flags.name ?? SHARED);
  const client = await connect();
  try {
    return await setUp({ client, prompt, given, flags });
  } finally {
    prompt?.close();
    client.close();
  }
}

interface Setting {
  client: Client;
  /** Null where nobody can be asked. */
  prompt: Prompt | null;
  /** Tokens that are set already. */
  given: Found | undefined;
  flags: SetupFlags;
}

async function setUp(setting: Setting): Promise<number> {
  const connected = await connection(setting);
  say(`connected: ${harmless(connected.label)}`);
  const asked = await askWho(setting, connected);
  setting.prompt?.close();
  const paired = asked === null || (await waitForPress(setting.client, asked));
  const me = asked !== null && paired ? asked.name : connected.me;
  const { surface, connection: id, label } = connected;
  if (setting.flags.json) await print(toText({ surface, connection: id, label, me }));
  if (!paired) return exitOfStatus("pending");
  const where = me === null ? "'#channel'" : "me";
  say(`Try:  askgate clarity up --input examples/login.json --to ${where}`);
  return 0;
}

function connection({ client, prompt, given, flags }: Setting): Promise<Connected> {
  if (given === undefined)
    return prompt === null ? onlyKept(client) : connectByHand({ client, prompt, flags });
  const names = Object.values(SLACK_TOKENS).map(({ name }) => name);
  say(`using ${names.join(" and ")} from ${given.source}`);
  return client.connections.connect(withoutSource(given));
}

/** With `--me` alone: the connection that is there. */
async function onlyKept(client: Client): Promise<Connected> {
  const [only, ...more] = await kept(client);
  if (only !== undefined && more.length === 0) return only;
  const names = Object.values(SLACK_TOKENS).map(({ name }) => name);
  throw new UsageError(
    only === undefined ? "nothing is connected yet" : "several teams are connected",
    `Set ${names.join(" and ")}, or run it where somebody sits at a terminal.`,
  );
}

const kept = async (client: Client): Promise<Connected[]> =>
  (await client.connections.list()).filter(({ surface }) => surface === "slack");

const withoutSource = ({ surface, tokens, baseUrl }: Found): Credentials => ({ surface, tokens, baseUrl });

interface ByHand {
  client: Client;
  prompt: Prompt;
  flags: SetupFlags;
}

/** A connection that is there already, or the way to a new one. */
async function connectByHand({ client, prompt, flags }: ByHand): Promise<Connected> {
  const there = await kept(client);
  const chosen = there.length > 0 ? await chooseKept(prompt, there) : null;
  if (chosen !== null) return chosen;
  const name = flags.name ?? (await chooseName(prompt));
  for (const line of steps(name)) say(line);
  if (hasBrowser(process.env)) await offerBrowser(prompt, name);
  say("\nPaste the two tokens here; they are not shown.");
  for (;;) {
    const tokens = { bot: await askToken(prompt, "bot"), app: await askToken(prompt, "app") };
    try {
      return await client.connections.connect({ surface: "slack", tokens, baseUrl: null });
    } catch (error) {
      if (!(error instanceof AskgateError) || error.code !== "connection_refused") throw error;
      say(`${error.message}\n${error.help}`);
    }
  }
}

/** The page of step 1 with the manifest filled in. */
async function offerBrowser(prompt: Prompt, name: string): Promise<void> {
  const answer = await prompt.ask("\nOpen step 1 in the browser, the manifest filled in? (Y/n): ");
  if (answer.toLowerCase().startsWith("n")) return;
  await openBrowser(
    `${NEW_APP}&manifest_json=${encodeURIComponent(JSON.stringify(manifest(name)))}`,
    process.env,
  );
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

/** Shared or one's own: only the names differ, so that two apps in one team can be told apart. */
async function chooseName(prompt: Prompt): Promise<string> {
  const own = ownName();
  say("Does your team share one bot, or is this one for your agents alone?");
  say(`  1  my own (app "${own}"): I run it, and anybody in Slack can be asked`);
  say(`  2  the team's (app "${SHARED}"): one machine runs it for everybody's agents`);
  say("An app is for one bot: two that use it steal each other's answers.");
  const answer = await prompt.ask("1 or 2 (1): ");
  if (answer === "2") return SHARED;
  return answer === "" || answer === "1" ? own : chooseName(prompt);
}

const ownName = (): string =>
  `${SHARED}-${userInfo()
    .username.toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")}`.slice(0, 35);

async function askToken(prompt: Prompt, key: keyof typeof SLACK_TOKENS): Promise<string> {
  const kind = SLACK_TOKENS[key];
  for (;;) {
    const token = await prompt.askHidden(`  ${kind.what} (${kind.prefix}…): `);
    if (isOfKind(token, kind)) return token;
    const { message, advice } = wrongKind(kind, token, "That is another one");
    say(`  ${message}. ${advice}`);
  }
}

/** Everything to click, and the manifest to paste. */
const steps = (name: string): string[] => [
  "",
  `1  Open ${NEW_APP} · From a manifest · choose the workspace · JSON · paste this:`,
  "",
  JSON.stringify(manifest(name), null, 2),
  "",
  "2  Create it, then Install to Workspace (where apps need one, an admin approves it)",
  `3  ${SLACK_TOKENS.bot.where}: copy it (xoxb-…)`,
  `4  ${SLACK_TOKENS.app.where}: generate one with the scope connections:write, copy it (xapp-…)`,
  `5  In Slack, invite the bot to the channels where it should ask:  /invite @${name}`,
];

function explainSteps(name: string): number {
  for (const line of steps(name)) say(line);
  say(
    `\nThen set ${SLACK_TOKENS.bot.name} and ${SLACK_TOKENS.app.name} in the environment or in .env, and run`,
  );
  say("askgate setup slack again; or run it where somebody sits at a terminal, and it asks for them.");
  return USAGE;
}

interface Asked {
  pairing: string;
  name: string;
}

/** Who the person is, asked by a button in Slack; null when nobody said. */
async function askWho(
  { client, prompt, flags }: Setting,
  { connection, me }: Connected,
): Promise<Asked | null> {
  const pair = (who: string): Promise<Asked> =>
    client.connections.pair({ surface: "slack", connection, who });
  if (flags.me !== undefined) return pair(flags.me);
  if (prompt === null) return null;
  const skip = me === null ? "Enter: skip" : `Enter: still ${harmless(me)}`;
  for (;;) {
    const who = await prompt.ask(`Who are you in Slack? e-mail, @name or id (${skip}): `);
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
async function waitForPress(client: Client, { pairing, name }: Asked): Promise<boolean> {
  say(`Press the button that the bot just sent ${harmless(name)} in Slack …   (^C stops waiting)`);
  const began = performance.now();
  for (let waited = 0; waited < PRESS_MS; waited = performance.now() - began) {
    if (waited > 0) say(`  not pressed yet · ${clockTime(waited)}`);
    if (await client.connections.paired({ surface: "slack", pairing, patienceMs: SLICE_MS })) {
      say(`paired with ${harmless(name)}`);
      return true;
    }
  }
  say("Nobody pressed it. To be asked again: askgate setup slack");
  return false;
}
