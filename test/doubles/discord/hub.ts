/** The one place where all that belongs to one double hangs together. */

import type { Faults } from "../shared/faults.ts";
import type { Ledger } from "../shared/ledger.ts";
import type { Fault } from "./faults.ts";
import type { Gateway } from "./gateway.ts";
import type { App, Guild, Interaction, Message, Room, User } from "./model.ts";
import type { Rates } from "./rates.ts";
import { Refusal } from "./refusal.ts";

export interface Settings {
  /** How long people wait for the first answer to what they press. */
  ackMs: number;
  heartbeatMs: number;
  /** How many sessions may be started in a day. */
  sessionStarts: number;
  /** Edits of messages older than an hour, per channel and hour; Discord's own number is not published. */
  oldEdits: number;
}

export interface Hub {
  now(): number;
  /** `http://127.0.0.1:PORT` */
  origin(): string;
  settings: Settings;
  ledger: Ledger;
  rates: Rates;
  faults: Faults<Fault>;
  gateway: Gateway;
  app: App;
  guilds: Map<string, Guild>;
  /** Channels, threads and direct channels. */
  rooms: Map<string, Room>;
  users: Map<string, User>;
  /** By token. */
  interactions: Map<string, Interaction>;
  /** A fresh snowflake, higher than all before. */
  id(): string;
}

const EPOCH = 1_420_070_400_000n;

/** Snowflakes that rise also where the clock stands. */
export function snowflakes(now: () => number): () => string {
  let last = 0n;
  return () => {
    const next = (BigInt(Math.floor(now())) - EPOCH) << 22n;
    last = next > last ? next : last + 1n;
    return String(last);
  };
}

export const isSnowflake = (id: string): boolean => /^[1-9]\d{0,19}$/.test(id);

/** A channel that is there, or 10003. */
export function roomOf(hub: Hub, id: string): Room {
  const room = hub.rooms.get(id);
  if (room === undefined || room.deleted) throw new Refusal(10003);
  if (room.guild !== null && !room.guild.joined) throw new Refusal(50001);
  return room;
}

export function guildOf(hub: Hub, id: string): Guild {
  const guild = hub.guilds.get(id);
  if (guild === undefined || !guild.joined) throw new Refusal(10004);
  return guild;
}

/** A message that stands for all, or 10008. */
export function messageOf(room: Room, id: string): Message {
  const message = room.log.find((one) => one.id === id);
  if (message === undefined || message.gone) throw new Refusal(10008);
  return message;
}

export const isThread = ({ kind }: Room): boolean => kind === "thread" || kind === "private_thread";
