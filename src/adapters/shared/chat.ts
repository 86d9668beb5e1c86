/** A chat as a surface: any number of connections, each kept in the vault. What a platform does itself is given to it. */
import type { Card, Limits } from "../../core/card.ts";
import { AskgateError } from "../../core/error.ts";
import type { Place } from "../../core/people.ts";
import type { Tell } from "../../core/session.ts";
import type {
  Chat,
  ChatName,
  Check,
  Connected,
  Credentials,
  Ear,
  Kept,
  Posting,
  Sent,
  Told,
  Vault,
} from "../../core/surface.ts";
import { inTime } from "./in-time.ts";
import type { Pairings } from "./pairings.ts";

/** Finds places and people; a string says what is in the way. */
export interface Finder {
  /** A place by name or id. */
  find(place: string): Promise<Place | string>;
  /** The direct message with a person. */
  direct(user: string): Promise<Place | string>;
  /** A person by name, id or address; `id` is the platform's own. */
  person(who: string): Promise<{ id: string; name: string } | string>;
}

/** The bot on one platform app. */
export interface Connection extends Pick<Chat, "post" | "update" | "remove" | "tell"> {
  /** As the platform names it: `T1`. */
  readonly id: string;
  kept: Kept;
  /** What keeps new rounds from being asked here; "" while nothing does. */
  readonly fault: string;
  /** It will not work any more with the tokens that it has. */
  readonly isBroken: boolean;
  readonly places: Finder;
  readonly pairings: Pairings;
  /** Resolves when it listens, or with the reason why it will not. */
  start(): Promise<string>;
  stop(): Promise<void>;
  /** Looks whether rounds can be asked, before `fault` is believed. */
  lookAround(): Promise<void>;
  check(to: string[]): AsyncIterable<Check>;
}

/** What a surface of connections needs to know of its platform. */
export interface Platform {
  name: ChatName;
  /** "Slack" */
  label: string;
  limits: Limits;
  /** Throws `connection_refused`, whose help says what to do. */
  identify(credentials: Credentials): Promise<{ connection: string; kept: Kept }>;
  /** A connection that has not begun to listen. */
  open(connection: string, kept: Kept, ear: () => Ear | null): Promise<Connection>;
  connectionOf(place: Pick<Place, "id">): string;
  /** An actor's id, and what one says how came to it: `T1/U7` is a person on a connection. */
  personId(connection: string, user: string): string;
  personIn(who: string): { connection: string | null; who: string };
  /** The address of a post; `kept` is undefined when its connection is gone. */
  url(place: Place, handle: string, kept: Kept | undefined): string;
}

/** How long a new connection may take to listen. */
const START_MS = 15_000;

export const openChat = (platform: Platform, vault: Vault): Chat => new Connections(platform, vault);

class Connections implements Chat {
  readonly #platform: Platform;
  readonly #vault: Vault;
  readonly #connections = new Map<string, Connection>();
  /** Connecting, one after the other. */
  #connecting: Promise<unknown> = Promise.resolve();
  #ear: Ear | null = null;

  constructor(platform: Platform, vault: Vault) {
    this.#platform = platform;
    this.#vault = vault;
  }

  get name(): ChatName {
    return this.#platform.name;
  }

  get limits(): Limits {
    return this.#platform.limits;
  }

  /** What is kept connects again, without anybody waiting for it. */
  async start(ear: Ear): Promise<void> {
    this.#ear = ear;
    for (const [id, kept] of Object.entries(this.#vault.list(this.name))) {
      const connection = await this.#opened(id, kept);
      this.#connections.set(id, connection);
      void connection.start();
    }
  }

  connect(credentials: Credentials): Promise<Connected> {
    const connecting = this.#connecting.then(() => this.#connect(credentials));
    this.#connecting = connecting.catch(() => {});
    return connecting;
  }

  async #connect(credentials: Credentials): Promise<Connected> {
    const there = [...this.#connections.values()].find((one) => isOf(one, credentials) && !one.isBroken);
    if (there !== undefined) return this.#connected(there);
    const { connection: id, kept } = await this.#platform.identify(credentials);
    const me = this.#vault.list(this.name)[id]?.me ?? null;
    const connection = await this.#opened(id, { ...kept, me });
    const fault = await inTime(connection.start(), START_MS, this.#late).catch((error) =>
      givenUp(connection, error),
    );
    if (fault !== "") await givenUp(connection, refused(`${kept.label}: ${connection.fault || fault}`));
    const old = this.#connections.get(id);
    this.#connections.set(id, connection);
    await this.#vault.put(this.name, id, connection.kept);
    await old?.stop();
    return this.#connected(connection);
  }

  #opened(id: string, kept: Kept): Promise<Connection> {
    return this.#platform.open(id, kept, () => this.#ear);
  }

  readonly #late = (ms: number): AskgateError =>
    refused(`${this.#platform.label} does not answer within ${ms / 1000} s.`);

  #connected({ id, kept: { label, me } }: Connection): Connected {
    return { surface: this.name, connection: id, label, me: me?.name ?? null };
  }

  connections(): Connected[] {
    return [...this.#connections.values()]
      .filter(({ fault }) => fault === "")
      .map((connection) => this.#connected(connection));
  }

  async resolve(place: string, wanted: string | null): Promise<Place | string> {
    const connection = this.#chosen(wanted);
    if (typeof connection === "string") return connection;
    await connection.lookAround();
    const { label, me } = connection.kept;
    if (connection.fault !== "") return `${this.#platform.label}, ${label}: ${connection.fault}`;
    if (place !== "me") return connection.places.find(place);
    return me === null
      ? `me: nobody is paired in ${label}; run ${this.#setup}, or name somebody: --to @name`
      : connection.places.direct(me.id);
  }

  async person(who: string, wanted: string | null): Promise<{ id: string; name: string } | string> {
    const asked = this.#platform.personIn(who);
    const connection = this.#chosen(asked.connection ?? wanted);
    if (typeof connection === "string") return connection;
    const found = await connection.places.person(asked.who);
    if (typeof found === "string") return found;
    return { id: this.#platform.personId(connection.id, found.id), name: found.name };
  }

  #chosen(wanted: string | null): Connection | string {
    const { name, label } = this.#platform;
    const all = [...this.#connections.values()];
    const [only, ...others] = wanted === null ? all : all.filter(({ id }) => id === wanted);
    if (only === undefined) return `${label} is not connected; run: ${this.#setup}`;
    if (others.length === 0) return only;
    const labels = all.map(({ id, kept }) => `${id} ${kept.label}`).join(", ");
    return `${label} has several connections (${labels}); choose one with ASKGATE_${name.toUpperCase()} or "${name}" in askgate.json`;
  }

  get #setup(): string {
    return `askgate setup ${this.name}`;
  }

  async post(place: Place, card: Card, how: Posting): Promise<Sent> {
    const begins = card.key === card.round;
    return this.#at(place)?.post(place, card, how) ?? (begins ? this.#gone : NOT_YET);
  }

  get #gone(): Sent {
    return {
      kind: "refused",
      reason: `its ${this.#platform.label} connection is gone; run: ${this.#setup}`,
    };
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
    return this.#platform.url(place, handle, this.#at(place)?.kept);
  }

  #at(place: Place): Connection | undefined {
    return this.#connections.get(this.#platform.connectionOf(place));
  }

  async pair(connection: string, who: string): Promise<{ pairing: string; name: string }> {
    return this.#named(connection).pairings.ask(who);
  }

  async paired(pairing: string, patienceMs: number): Promise<boolean> {
    for (const connection of this.#connections.values()) {
      const pressed = connection.pairings.pressed(pairing);
      if (pressed === undefined) continue;
      const me = await inTime(pressed, patienceMs, this.#late).catch(() => null);
      if (me === null) return false;
      connection.kept = { ...connection.kept, me };
      await this.#vault.put(this.name, connection.id, connection.kept);
      return true;
    }
    throw new AskgateError("not_found", "That pairing is over.", { help: `Begin again: ${this.#setup}` });
  }

  async *check(connection: string, to: string[]): AsyncGenerator<Check> {
    yield* this.#named(connection).check(to);
  }

  #named(id: string): Connection {
    const connection = this.#connections.get(id);
    if (connection !== undefined) return connection;
    throw new AskgateError("not_found", `${this.#platform.label} has no connection ${id}.`, {
      help: `See: ${this.#setup}`,
    });
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#connections.values()].map((connection) => connection.stop()));
  }
}

/** Does it have these tokens, of this server? */
function isOf({ kept: { credentials } }: Connection, { tokens, baseUrl }: Credentials): boolean {
  const names = new Set([...Object.keys(credentials.tokens), ...Object.keys(tokens)]);
  const same = [...names].every((name) => credentials.tokens[name] === tokens[name]);
  return same && credentials.baseUrl === baseUrl;
}

async function givenUp(connection: Connection, error: unknown): Promise<never> {
  await connection.stop();
  throw error;
}

const refused = (why: string): AskgateError => new AskgateError("connection_refused", why);

/** What stands there waits for its connection. */
const NOT_YET: Sent = { kind: "later", afterMs: 30_000, unsure: false };
