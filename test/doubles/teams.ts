/**
 * A chat platform with teams, in memory: apps connect with tokens that are right or refused, people are found and paired by
 * a button, places are there or not. It stands for Slack where the command line and the link are meant, not Slack itself.
 */
import { AskgateError } from "../../src/core/error.ts";
import type { Place } from "../../src/core/people.ts";
import type {
  Chat,
  Check,
  Connected,
  Credentials,
  Posting,
  Sent,
  Told,
  Vault,
} from "../../src/core/surface.ts";
import { ROOMY } from "../support/people.ts";

export interface Team {
  id: string;
  name: string;
  tokens: { bot: string; app: string };
  people: { id: string; name: string; email: string }[];
  channels: string[];
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

export const openTeams = (...teams: Team[]): Teams => new Teams(teams);

/** The platform: what stands there, and what its people do. */
export class Teams {
  readonly teams: Team[];
  /** The bot tokens that were tried, in order. */
  readonly tried: string[] = [];
  /** Where something was put up, in order: "T1 #plans". */
  readonly posts: string[] = [];
  /** People who were sent a button. */
  readonly asked: string[] = [];
  /** Connecting waits for this. */
  gate: Promise<void> = Promise.resolve();
  /** Presses the button that was sent last. */
  press = (): void => {};

  constructor(teams: Team[]) {
    this.teams = teams;
  }

  /** Opens the surface of a bot, as often as one starts. */
  readonly openChats = ({ vault }: { vault: Vault }): Chat[] => [new TeamsChat(vault, this)];

  /** The team of an app. Throws `connection_refused`. */
  async accept({ tokens }: Credentials): Promise<Team> {
    this.tried.push(tokens.bot ?? "");
    await this.gate;
    const team = this.teams.find(({ tokens: { bot, app } }) => bot === tokens.bot && app === tokens.app);
    if (team !== undefined) return team;
    const help = "Copy both tokens again: askgate setup slack";
    throw new AskgateError("connection_refused", "the tokens were refused (invalid_auth)", { help });
  }

  /** Resolves when the person presses. */
  ask(name: string): Promise<void> {
    this.asked.push(name);
    return new Promise((resolve) => {
      this.press = resolve;
    });
  }
}

class TeamsChat implements Chat {
  readonly name = "slack";
  readonly limits = ROOMY;
  private readonly working = new Set<Team>();
  private readonly pairings = new Map<string, Promise<void>>();
  private readonly vault: Vault;
  private readonly platform: Teams;

  constructor(vault: Vault, platform: Teams) {
    this.vault = vault;
    this.platform = platform;
  }

  async start(): Promise<void> {
    for (const { credentials } of Object.values(this.vault.list("slack"))) {
      const team = await this.platform.accept(credentials).catch(() => null);
      if (team !== null) this.working.add(team);
    }
  }

  async connect(credentials: Credentials): Promise<Connected> {
    const team = await this.platform.accept(credentials);
    this.working.add(team);
    const kept = { credentials, label: labelOf(team), about: {}, me: this.me(team) };
    await this.vault.put("slack", team.id, kept);
    return this.connected(team);
  }

  connections(): Connected[] {
    return [...this.working].map((team) => this.connected(team));
  }

  async pair(connection: string, who: string): Promise<{ pairing: string; name: string }> {
    const found = this.team(connection).people.find(({ id, name, email }) =>
      [id, `@${name.toLowerCase()}`, email].includes(who),
    );
    if (found === undefined)
      throw new AskgateError("not_found", `nobody in Slack is ${who}`, { help: "An e-mail is surest." });
    const { id, name } = found;
    const pairing = `p${this.pairings.size + 1}`;
    const paired = this.platform.ask(name).then(() => this.isMe(connection, { id, name }));
    this.pairings.set(pairing, paired);
    return { pairing, name };
  }

  async paired(pairing: string, patienceMs: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), patienceMs);
    });
    const pressed = this.pairings.get(pairing)?.then(() => true) ?? false;
    return Promise.race([pressed, over]).finally(() => clearTimeout(timer));
  }

  async *check(connection: string, to: string[]): AsyncGenerator<Check> {
    const team = this.team(connection);
    yield { name: "bot token", state: "ok", detail: labelOf(team), help: "" };
    yield { name: "direct messages", state: "skipped", detail: "nobody is paired", help: "" };
    for (const place of to) {
      yield team.channels.includes(place)
        ? { name: place, state: "ok", detail: "the bot is a member", help: "" }
        : { name: place, state: "failed", detail: "not found", help: "/invite @askgate" };
    }
  }

  async resolve(place: string, connection: string | null): Promise<Place | string> {
    const [team, ...more] = connection === null ? [...this.working] : [this.team(connection)];
    if (team === undefined) return "slack is not connected";
    if (more.length > 0) return "several teams are connected: choose one with ASKGATE_SLACK";
    const me = this.me(team);
    if (place !== "me") {
      const there = team.channels.includes(place);
      const found: Place = { surface: "slack", id: `${team.id}/${place}`, direct: false, label: place };
      return there ? found : `no place ${place} in ${team.name}`;
    }
    if (me === null) return "nobody is paired: askgate setup slack";
    return { surface: "slack", id: `${team.id}/D1`, direct: true, label: me.name };
  }

  async person(who: string, connection: string | null): Promise<{ id: string; name: string } | string> {
    const teams = connection === null ? [...this.working] : [this.team(connection)];
    const found = teams.flatMap(({ people }) => people).find(({ id, name }) => [id, name].includes(who));
    return found === undefined ? `nobody is ${who}` : { id: found.id, name: found.name };
  }

  async post({ id }: Place, _card: unknown, { under, nonce }: Posting): Promise<Sent> {
    if (under === null) this.platform.posts.push(id.replace("/", " "));
    return { kind: "posted", handle: nonce };
  }

  async update(_place: Place, _card: unknown, handle: string): Promise<Sent> {
    return { kind: "posted", handle };
  }

  async remove(): Promise<Sent> {
    return { kind: "gone" };
  }

  async tell(): Promise<Told> {
    return { kind: "told" };
  }

  url({ id }: Place, handle: string): string {
    return `chat://${id}/${handle}`;
  }

  async stop(): Promise<void> {}

  private team(connection: string): Team {
    const team = [...this.working].find(({ id }) => id === connection);
    if (team === undefined) throw new Error(`not connected: ${connection}`);
    return team;
  }

  private me({ id }: Team): { id: string; name: string } | null {
    return this.vault.list("slack")[id]?.me ?? null;
  }

  private connected(team: Team): Connected {
    const me = this.me(team)?.name ?? null;
    return { surface: "slack", connection: team.id, label: labelOf(team), me };
  }

  private async isMe(connection: string, me: { id: string; name: string }): Promise<void> {
    const kept = this.vault.list("slack")[connection];
    if (kept !== undefined) await this.vault.put("slack", connection, { ...kept, me });
  }
}

const labelOf = ({ name }: Team): string => `${name} (bot askgate)`;
