/** What commands may do with the bot's chats: add connections, look after them, and open rounds on them. */
import type { Chats } from "../adapters/link/calls.ts";
import type { Health } from "../adapters/link/protocol.ts";
import { AskgateError } from "../core/error.ts";
import type { Gate, Opened, OpenRequest } from "../core/gate.ts";
import type { Log } from "../core/ports.ts";
import type { Chat, ChatName, Connected, Credentials, Vault } from "../core/surface.ts";

export interface ChatParts {
  chats: Chat[];
  vault: Vault;
  gate: Pick<Gate, "open">;
  log: Log;
}

export function manageChats({ chats, vault, gate, log }: ChatParts): Chats {
  const known = new Known(chats, vault, log);
  return {
    connect: (credentials) => known.connect(credentials),
    list: async () => chats.flatMap((chat) => chat.connections()),
    pair: async ({ surface, connection, who }) => known.chatWith(surface, connection).pair(connection, who),
    paired: async ({ surface, pairing, patienceMs }) => chatOf(chats, surface).paired(pairing, patienceMs),
    async *check({ surface, connection, to }) {
      yield* known.chatWith(surface, connection).check(connection, to);
    },
    async open(request, credentials) {
      const chosen = await choose(known, request, credentials);
      return said(await gate.open(chosen.request), chosen.troubles);
    },
  };
}

/** For `health`: what is kept, and whether it works now. */
export function connectionsOf({ chats, vault }: Pick<ChatParts, "chats" | "vault">): Health["connections"] {
  return chats.flatMap((chat) => {
    const working = chat.connections();
    const silent = Object.entries(vault.list(chat.name)).filter(
      ([id]) => !working.some(({ connection }) => connection === id),
    );
    return [
      ...working.map((connected) => ({ ...connected, works: true })),
      ...silent.map(([connection, { label, me }]) => ({
        surface: chat.name,
        connection,
        label,
        me: me?.name ?? null,
        works: false,
      })),
    ];
  });
}

/** Throws `unknown_connection`. */
function chatOf(chats: Chat[], surface: ChatName): Chat {
  const chat = chats.find(({ name }) => name === surface);
  if (chat !== undefined) return chat;
  throw unknownConnection(`This bot has no ${surface}.`, "Install a newer askgate.");
}

const unknownConnection = (message: string, help: string): AskgateError =>
  new AskgateError("unknown_connection", message, { help });

/** "acme" calls "acme (bot askgate)". */
export const isCalled = (label: string, name: string): boolean =>
  [label, label.replace(/ \(bot [^()]*\)$/, "")].some(
    (called) => called.toLowerCase() === name.toLowerCase(),
  );

/** Connections by the credentials that made them, so that what every command hands over is connected once. */
class Known {
  private readonly chats: Chat[];
  private readonly vault: Vault;
  private readonly log: Log;
  private readonly connecting = new Map<string, Promise<Connected>>();

  constructor(chats: Chat[], vault: Vault, log: Log) {
    this.chats = chats;
    this.vault = vault;
    this.log = log;
  }

  /** The connection of these credentials, made if it does not work already. Throws `connection_refused`. */
  async ensure(credentials: Credentials): Promise<Connected> {
    return this.working(credentials) ?? (await this.connect(credentials));
  }

  /** Makes it anew; those who want the same at once share it. */
  connect(credentials: Credentials): Promise<Connected> {
    const key = textOf(credentials);
    const running = this.connecting.get(key);
    if (running !== undefined) return running;
    const connecting = this.make(credentials).finally(() => this.connecting.delete(key));
    this.connecting.set(key, connecting);
    return connecting;
  }

  names(): ChatName[] {
    return this.chats.map(({ name }) => name);
  }

  /** The chat that has this connection, whether it works now or not. Throws `unknown_connection`. */
  chatWith(surface: ChatName, connection: string): Chat {
    const chat = chatOf(this.chats, surface);
    const works = chat.connections().some((there) => there.connection === connection);
    if (works || Object.hasOwn(this.vault.list(surface), connection)) return chat;
    throw unknownConnection(
      `The bot has no connection ${connection} to ${surface}.`,
      `Connect: askgate setup ${surface}`,
    );
  }

  /** The connection of that id or name; undefined where none is named. Throws `unknown_connection`. */
  find(surface: ChatName, named: string | undefined): Connected | undefined {
    const all = chatOf(this.chats, surface).connections();
    if (all.length + Object.keys(this.vault.list(surface)).length === 0)
      throw unknownConnection(`${surface} is not configured`, `Connect: askgate setup ${surface}`);
    if (named === undefined) return undefined;
    const found = all.find(({ connection, label }) => connection === named || isCalled(label, named));
    if (found !== undefined) return found;
    const there = all.map(({ connection, label }) => `${label} (${connection})`).join(", ");
    throw unknownConnection(
      `${surface} has no connection to ${named}`,
      `Connections: ${there || "none works now"}.`,
    );
  }

  private async make(credentials: Credentials): Promise<Connected> {
    try {
      const connected = await chatOf(this.chats, credentials.surface).connect(credentials);
      const { surface, connection, label } = connected;
      this.log.info("connected", { surface, connection, label });
      return connected;
    } catch (error) {
      this.log.warn("a connection was refused", { surface: credentials.surface, error });
      throw error;
    }
  }

  private working(credentials: Credentials): Connected | undefined {
    const kept = this.vault.list(credentials.surface);
    const connections = chatOf(this.chats, credentials.surface).connections();
    return connections.find(({ connection }) => {
      const of = kept[connection];
      return of !== undefined && textOf(of.credentials) === textOf(credentials);
    });
  }
}

/** The same for the same credentials. */
const textOf = ({ surface, tokens, baseUrl }: Credentials): string =>
  JSON.stringify([surface, baseUrl, Object.entries(tokens).sort(([a], [b]) => (a < b ? -1 : 1))]);

interface Trouble {
  surface: ChatName;
  reason: string;
  help: string;
}

interface Chosen {
  request: OpenRequest;
  troubles: Trouble[];
}

/** The request with each chat's connection by its id, and without the chats that cannot be used. */
async function choose(known: Known, request: OpenRequest, credentials: Credentials[]): Promise<Chosen> {
  const connections = { ...request.connections };
  const troubles: Trouble[] = [];
  for (const surface of known.names().filter((name) => request.via.includes(name))) {
    const own = credentials.find((candidate) => candidate.surface === surface);
    try {
      const chosen = own === undefined ? known.find(surface, connections[surface]) : await known.ensure(own);
      if (chosen !== undefined) connections[surface] = chosen.connection;
    } catch (error) {
      troubles.push(troubleOf(surface, error));
    }
  }
  const via = request.via.filter((name) => !troubles.some(({ surface }) => surface === name));
  return { request: { ...request, via, connections }, troubles };
}

function troubleOf(surface: ChatName, error: unknown): Trouble {
  const known = error instanceof AskgateError ? error : null;
  // A library's error may say anything; the log has it.
  const message = known?.message ?? "the connection failed";
  const reason = message.toLowerCase().includes(surface) ? message : `${surface}: ${message}`;
  return { surface, reason, help: known?.help ?? "See `askgate bot logs`." };
}

/** What became of the round, with what was said about its connections. */
function said(opened: Opened, troubles: Trouble[]): Opened {
  if (troubles.length === 0) return opened;
  const notes = [...troubles.map(({ reason, help }) => `${reason} ${help}`.trimEnd()), ...opened.notes];
  if (opened.result?.status !== "unreachable") return { ...opened, notes };
  const others = typeof opened.result.reason === "string" ? [opened.result.reason] : [];
  const reasons = [...troubles.map(({ reason }) => reason), ...others];
  const reason = reasons.filter((text) => text !== "").join("; ");
  const help = troubles.map((trouble) => trouble.help).join("\n");
  return { ...opened, notes, result: { ...opened.result, reason, help } };
}
