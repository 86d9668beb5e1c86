/** Slack as a surface: any number of workspaces, each with a connection of its own. The SDK is loaded with the first one. */
import type { Card } from "../../core/card.ts";
import { AskgateError } from "../../core/error.ts";
import type { Place } from "../../core/people.ts";
import type {
  Chat,
  Check,
  Clock,
  Connected,
  Credentials,
  Ear,
  Kept,
  Log,
  Posting,
  Sent,
  Told,
  Vault,
} from "../../core/ports.ts";
import type { Tell } from "../../core/session.ts";
import { channelOf, permalink, personId, teamOf } from "./address.ts";
import type { Connection } from "./connection.ts";
import { inTime } from "./in-time.ts";
import { SLACK_LIMITS } from "./limits.ts";

export interface SlackParts {
  vault: Vault;
  clock: Clock;
  log: Log;
}

/** How long a new connection may take to listen. */
const START_MS = 15_000;

export const openSlack = (parts: SlackParts): Chat => new Slack(parts);

class Slack implements Chat {
  readonly name = "slack";
  readonly limits = SLACK_LIMITS;
  readonly #parts: SlackParts;
  readonly #connections = new Map<string, Connection>();
  /** Connecting, one after the other. */
  #connecting: Promise<unknown> = Promise.resolve();
  #ear: Ear | null = null;

  constructor(parts: SlackParts) {
    this.#parts = parts;
  }

  /** What is kept connects again, without anybody waiting for it. */
  async start(ear: Ear): Promise<void> {
    this.#ear = ear;
    for (const [team, kept] of Object.entries(this.#parts.vault.list("slack"))) {
      const connection = await this.#made(team, kept);
      this.#connections.set(team, connection);
      void connection.start();
    }
  }

  connect(credentials: Credentials): Promise<Connected> {
    const connecting = this.#connecting.then(() => this.#connect(credentials));
    this.#connecting = connecting.catch(() => {});
    return connecting;
  }

  async #connect(credentials: Credentials): Promise<Connected> {
    const { vault, clock, log } = this.#parts;
    const there = [...this.#connections.values()].find((one) => one.isOf(credentials) && !one.isBroken);
    if (there !== undefined) return there.connected;
    const { identify } = await import("./identify.ts");
    const { team, kept } = await identify(credentials, { clock, log });
    const me = vault.list("slack")[team]?.me ?? null;
    const connection = await this.#made(team, { ...kept, me });
    const fault = await inTime(connection.start(), START_MS, late).catch((error) =>
      this.#givenUp(connection, error),
    );
    if (fault !== "") await this.#givenUp(connection, refused(`${kept.label}: ${connection.fault || fault}`));
    const old = this.#connections.get(team);
    this.#connections.set(team, connection);
    await vault.put("slack", team, connection.kept);
    await old?.stop();
    return connection.connected;
  }

  async #givenUp(connection: Connection, error: unknown): Promise<never> {
    await connection.stop();
    throw error;
  }

  async #made(team: string, kept: Kept): Promise<Connection> {
    const { Connection } = await import("./connection.ts");
    const { clock, log } = this.#parts;
    return new Connection({ team, kept, clock, log, ear: () => this.#ear });
  }

  connections(): Connected[] {
    return [...this.#connections.values()]
      .filter(({ fault }) => fault === "")
      .map(({ connected }) => connected);
  }

  async resolve(place: string, wanted: string | null): Promise<Place | string> {
    const connection = this.#chosen(wanted);
    if (typeof connection === "string") return connection;
    await connection.lookAround();
    if (connection.fault !== "") return `Slack, ${connection.kept.label}: ${connection.fault}`;
    if (place !== "me") return connection.places.find(place);
    const { me } = connection.kept;
    return me === null
      ? `me: nobody is paired in ${connection.kept.label}; run askgate setup slack, or name somebody: --to @name`
      : connection.places.direct(me.id);
  }

  async person(who: string, wanted: string | null): Promise<{ id: string; name: string } | string> {
    const [, team = wanted, user = who] = /^(T[A-Z0-9]+)\/(.+)$/.exec(who) ?? [];
    const connection = this.#chosen(team);
    if (typeof connection === "string") return connection;
    const found = await connection.places.person(user);
    return typeof found === "string" ? found : { id: personId(connection.team, found.id), name: found.name };
  }

  #chosen(wanted: string | null): Connection | string {
    const all = [...this.#connections.values()];
    const [only, ...others] = wanted === null ? all : all.filter(({ team }) => team === wanted);
    if (only === undefined) return "Slack is not connected; run: askgate setup slack";
    if (others.length === 0) return only;
    const labels = all.map(({ team, kept }) => `${team} ${kept.label}`).join(", ");
    return `Slack has several connections (${labels}); choose one with ASKGATE_SLACK or "slack" in askgate.json`;
  }

  async post(place: Place, card: Card, how: Posting): Promise<Sent> {
    const begins = card.key === card.round;
    return this.#at(place)?.post(place, card, how) ?? (begins ? GONE : NOT_YET);
  }

  async update(place: Place, card: Card, handle: string): Promise<Sent> {
    return this.#at(place)?.update(place, card, handle) ?? NOT_YET;
  }

  async remove(place: Place, handle: string): Promise<Sent> {
    return this.#at(place)?.remove(place, handle) ?? NOT_YET;
  }

  async tell(place: Place, tell: Tell): Promise<Told> {
    return this.#at(place)?.tell(place, tell) ?? { kind: "told" };
  }

  url(place: Place, handle: string): string {
    const home = this.#at(place)?.kept.about.home ?? "https://slack.com/";
    return permalink(home, channelOf(place), handle);
  }

  #at(place: Place): Connection | undefined {
    return this.#connections.get(teamOf(place));
  }

  async pair(connection: string, who: string): Promise<{ pairing: string; name: string }> {
    return this.#named(connection).pairings.ask(who);
  }

  async paired(pairing: string, patienceMs: number): Promise<boolean> {
    for (const connection of this.#connections.values()) {
      const pressed = connection.pairings.pressed(pairing);
      if (pressed === undefined) continue;
      const me = await inTime(pressed, patienceMs, late).catch(() => null);
      if (me === null) return false;
      connection.kept = { ...connection.kept, me };
      await this.#parts.vault.put("slack", connection.team, connection.kept);
      return true;
    }
    throw new AskgateError("not_found", "That pairing is over.", {
      help: "Begin again: askgate setup slack",
    });
  }

  async *check(connection: string, to: string[]): AsyncGenerator<Check> {
    const { check } = await import("./check.ts");
    yield* check(this.#named(connection), to);
  }

  #named(team: string): Connection {
    const connection = this.#connections.get(team);
    if (connection !== undefined) return connection;
    throw new AskgateError("not_found", `Slack has no connection ${team}.`, {
      help: "See: askgate setup slack",
    });
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#connections.values()].map((connection) => connection.stop()));
  }
}

const refused = (why: string): AskgateError => new AskgateError("connection_refused", why);

const GONE: Sent = { kind: "refused", reason: "its Slack connection is gone; run: askgate setup slack" };

/** What stands in a workspace waits for its connection. */
const NOT_YET: Sent = { kind: "later", afterMs: 30_000, unsure: false };

const late = (ms: number): AskgateError => refused(`Slack does not answer within ${ms / 1000} s.`);
