/** The gateway: sessions that hear of everything, and the sockets they come and go on. */
import type { WebSocket } from "ws";
import { Connection } from "./connection.ts";
import type { Hub } from "./hub.ts";
import { INTENTS, refusedIntents } from "./intents.ts";
import type { Reader } from "./payloads.ts";
import { appJson, userJson } from "./payloads.ts";
import { guildCreateJson } from "./places.ts";
import { type Json, num, str } from "./wire.ts";

export interface GatewayEvent {
  t: string;
  /** One of these must be asked for; 0 for what every session hears. */
  intents: number;
  d: (reader: Reader) => Json;
}

interface Dispatch {
  s: number;
  t: string;
  d: Json;
}

export interface Session {
  id: string;
  intents: number;
  seq: number;
  /** All that was dispatched, for a RESUME. */
  log: Dispatch[];
  connection: Connection | null;
}

export class Gateway {
  /** Those that can be resumed, connected or not. */
  readonly sessions = new Map<string, Session>();
  readonly connections = new Set<Connection>();
  /** The codes that sockets were closed with, in order. */
  readonly closes: number[] = [];
  acknowledges = true;
  /** Whether it takes sockets, and says HELLO on them. */
  reachable = true;
  greets = true;
  /** How many dispatches a RESUME repeats that were heard already. */
  repeats = 0;
  started = 0;
  resumed = 0;
  readonly #hub: () => Hub;

  constructor(hub: () => Hub) {
    this.#hub = hub;
  }

  accept(socket: WebSocket, search: URLSearchParams): void {
    const connection = new Connection(socket, this.#hub(), this);
    this.connections.add(connection);
    if (search.get("v") !== "10") connection.refuse(4012);
    else if (search.get("encoding") !== "json" || search.has("compress")) connection.refuse(4002);
    else if (this.greets) connection.hello();
  }

  /** Tells all sessions that may hear it; those without a socket hear it when they resume. */
  emit(event: GatewayEvent): void {
    for (const session of this.sessions.values())
      if (event.intents === 0 || (session.intents & event.intents) !== 0)
        this.dispatch(session, event.t, event.d(this.#readerOf(session)));
    this.#hub().ledger.changed();
  }

  dispatch(session: Session, t: string, d: Json): void {
    session.seq += 1;
    const dispatch = { s: session.seq, t, d };
    session.log.push(dispatch);
    session.connection?.send({ op: 0, ...dispatch });
  }

  #readerOf({ intents }: Session): Reader {
    return { bot: this.#hub().app.bot, content: (intents & INTENTS.content) !== 0 };
  }

  /** Starts a session on a socket, or gives the code that closes it; null where no start is left. */
  identify(connection: Connection, { token, intents }: Json): Session | number | null {
    const hub = this.#hub();
    if (token !== hub.app.token || hub.app.revoked) return 4004;
    const refused = refusedIntents(num(intents), hub.app);
    if (refused !== null) return refused;
    if (this.started >= hub.settings.sessionStarts) {
      hub.ledger.violation("a session was started where session_start_limit left none");
      return null;
    }
    this.started += 1;
    const session = { id: `session-${hub.id()}`, intents: num(intents), seq: 0, log: [], connection };
    this.sessions.set(session.id, session);
    return session;
  }

  /** What a session hears first. */
  welcome(session: Session): void {
    const hub = this.#hub();
    const joined = [...hub.guilds.values()].filter((guild) => guild.joined);
    this.dispatch(session, "READY", {
      v: 10,
      user: { ...userJson(hub.app.bot), verified: true, mfa_enabled: false, email: null },
      guilds: joined.map(({ id }) => ({ id, unavailable: true })),
      session_id: session.id,
      session_type: "normal",
      resume_gateway_url: `${hub.origin().replace("http", "ws")}/resume`,
      application: { id: hub.app.id, flags: appJson(hub.app).flags },
      shard: [0, 1],
    });
    if ((session.intents & INTENTS.guilds) === 0) return;
    const withMembers = (session.intents & INTENTS.members) !== 0;
    for (const guild of joined)
      this.dispatch(session, "GUILD_CREATE", guildCreateJson(guild, hub, withMembers));
  }

  /** Takes a session up again, or gives the code that closes the socket; null where the session is gone. */
  resume(connection: Connection, { token, session_id, seq }: Json): Session | number | null {
    const { app } = this.#hub();
    if (token !== app.token || app.revoked) return 4004;
    const session = this.sessions.get(str(session_id));
    if (session === undefined) return null;
    if (typeof seq !== "number" || seq > session.seq) return 4007;
    session.connection?.drop();
    session.connection = connection;
    for (const dispatch of session.log.filter(({ s }) => s > seq - this.repeats))
      connection.send({ op: 0, ...dispatch });
    this.resumed += 1;
    this.dispatch(session, "RESUMED", {});
    return session;
  }

  /** Nobody can resume it any more. */
  forget(session: Session): void {
    this.sessions.delete(session.id);
  }

  stop(): void {
    for (const connection of this.connections) connection.drop();
  }
}
