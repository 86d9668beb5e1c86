/**
 * A chat platform with teams, in memory: apps connect with tokens that are right or refused, people are found and paired by
 * a button, places are there or not. It stands for Slack where the command line and the link are meant, not Slack itself.
 */
import { AskgateError } from "../../src/core/error.ts";
import type { Chat, Check, Connected, Credentials, Vault } from "../../src/core/ports.ts";
import { ROOMY } from "../support/people.ts";

export interface Team {
  id: string;
  name: string;
  tokens: { bot: string; app: string };
  people: { id: string; name: string; email: string }[];
  channels: string[];
}

export interface Teams {
  /** Opens the surface of a bot, as often as one starts. */
  openChats(parts: { vault: Vault }): Chat[];
  /** The bot tokens that were tried, in order. */
  tried: string[];
  /** What stands there: "T1 #plans". */
  posts: string[];
  /** People who were sent a button. */
  asked: string[];
  /** Presses the button that was sent last. */
  press(): void;
  /** Connecting waits for this. */
  gate: Promise<void>;
}

export const ACME: Team = {
  id: "T1",
  name: "acme",
  tokens: { bot: "xoxb-1-acme", app: "xapp-1-acme" },
  people: [{ id: "U1", name: "Ana", email: "ana@acme.example" }],
  channels: ["#plans"],
};

export const BETA: Team = {
  id: "T2",
  name: "beta",
  tokens: { bot: "xoxb-2-beta", app: "xapp-2-beta" },
  people: [],
  channels: ["#plans"],
};

export const tokensOf = ({ tokens }: Team): Credentials => ({ surface: "slack", tokens, baseUrl: null });

export function openTeams(...teams: Team[]): Teams {
  const platform: Teams & { pressed: Map<string, () => void> } = {
    tried: [],
    posts: [],
    asked: [],
    pressed: new Map(),
    gate: Promise.resolve(),
    press: () => [...platform.pressed.values()].at(-1)?.(),
    openChats: ({ vault }) => [openChat(vault, teams, platform)],
  };
  return platform;
}

function openChat(vault: Vault, teams: Team[], platform: Teams & { pressed: Map<string, () => void> }): Chat {
  const working = new Set<Team>();
  const pairings = new Map<string, Promise<void>>();

  const teamOf = (connection: string): Team => {
    const team = [...working].find(({ id }) => id === connection);
    if (team === undefined) throw new Error(`not connected: ${connection}`);
    return team;
  };
  const connected = ({ id, name }: Team): Connected => ({
    surface: "slack",
    connection: id,
    label: labelOf(name),
    me: vault.list("slack")[id]?.me?.name ?? null,
  });
  const accept = async ({ tokens }: Credentials): Promise<Team> => {
    platform.tried.push(tokens.bot ?? "");
    await platform.gate;
    const team = teams.find(({ tokens: { bot, app } }) => bot === tokens.bot && app === tokens.app);
    if (team === undefined) {
      const help = "Copy both tokens again: askgate setup slack";
      throw new AskgateError("connection_refused", "the tokens were refused (invalid_auth)", { help });
    }
    working.add(team);
    return team;
  };

  return {
    name: "slack",
    limits: ROOMY,
    async start() {
      for (const { credentials } of Object.values(vault.list("slack")))
        await accept(credentials).catch(() => {});
    },
    async connect(credentials) {
      const team = await accept(credentials);
      const me = vault.list("slack")[team.id]?.me ?? null;
      await vault.put("slack", team.id, { credentials, label: labelOf(team.name), about: {}, me });
      return connected(team);
    },
    connections: () => [...working].map(connected),
    async pair(connection, who) {
      const person = teamOf(connection).people.find(({ id, name, email }) =>
        [id, `@${name.toLowerCase()}`, email].includes(who),
      );
      if (person === undefined)
        throw new AskgateError("not_found", `nobody in Slack is ${who}`, { help: "An e-mail is surest." });
      const pairing = `p${pairings.size + 1}`;
      platform.asked.push(person.name);
      let press = (): void => {};
      const pressed = new Promise<void>((resolve) => {
        press = resolve;
      });
      platform.pressed.set(pairing, press);
      const kept = vault.list("slack")[connection];
      const done = pressed.then(async () => {
        if (kept !== undefined) await vault.put("slack", connection, { ...kept, me: person });
      });
      pairings.set(pairing, done);
      return { pairing, name: person.name };
    },
    async paired(pairing, patienceMs) {
      const { promise, clear } = after(patienceMs);
      const done = pairings.get(pairing)?.then(() => true) ?? false;
      return Promise.race([done, promise]).finally(clear);
    },
    async *check(connection, to): AsyncGenerator<Check> {
      const team = teamOf(connection);
      yield { name: "bot token", state: "ok", detail: labelOf(team.name), help: "" };
      yield { name: "direct messages", state: "skipped", detail: "nobody is paired", help: "" };
      for (const place of to) {
        const there = team.channels.includes(place);
        yield there
          ? { name: place, state: "ok", detail: "the bot is a member", help: "" }
          : { name: place, state: "failed", detail: "not found", help: "/invite @askgate" };
      }
    },
    async resolve(place, connection) {
      const [only, ...more] = connection === null ? [...working] : [teamOf(connection)];
      if (only === undefined) return "slack is not connected";
      if (more.length > 0) return "several teams are connected: choose one with ASKGATE_SLACK";
      const me = vault.list("slack")[only.id]?.me;
      if (place === "me" && me == null) return "nobody is paired: askgate setup slack";
      if (place === "me") return { surface: "slack", id: `${only.id}/D1`, direct: true, label: "Ana" };
      return only.channels.includes(place)
        ? { surface: "slack", id: `${only.id}/${place}`, direct: false, label: place }
        : `no place ${place} in ${only.name}`;
    },
    async person(who, connection) {
      const people =
        connection === null ? [...working].flatMap((team) => team.people) : teamOf(connection).people;
      const person = people.find(({ id, name }) => [id, name].includes(who));
      return person === undefined ? `nobody is ${who}` : { id: person.id, name: person.name };
    },
    async post({ id }, _, { nonce, under }) {
      if (under === null) platform.posts.push(id.replace("/", " "));
      return { kind: "posted", handle: nonce };
    },
    update: async (_, __, handle) => ({ kind: "posted", handle }),
    remove: async () => ({ kind: "gone" }),
    tell: async () => {},
    url: ({ id }, handle) => `chat://${id}/${handle}`,
    stop: async () => {},
  };
}

const labelOf = (name: string): string => `${name} (bot askgate)`;

function after(ms: number): { promise: Promise<false>; clear(): void } {
  let timer: NodeJS.Timeout | undefined;
  const promise = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  return { promise, clear: () => clearTimeout(timer) };
}
