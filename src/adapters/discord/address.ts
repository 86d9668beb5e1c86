/** Ids as core and people see them, from Discord's own and back. Pure. */
import { type Place, placeKey } from "../../core/people.ts";

/** Stands for the server of a direct message, also in Discord's own addresses. */
export const DIRECT = "@me";

/** `900/100/200`: application, server (`@me` for direct messages), channel. Several bots may see one channel. */
export const placeOf = (app: string, guild: string | null, channel: string) => ({
  surface: "discord" as const,
  id: `${app}/${guild ?? DIRECT}/${channel}`,
  direct: guild === null,
});

const part = ({ id }: Pick<Place, "id">, at: number): string => id.split("/")[at] ?? "";
export const appOf = (place: Pick<Place, "id">): string => part(place, 0);
export const channelOf = (place: Pick<Place, "id">): string => part(place, 2);
/** Null in a direct message. */
export function guildOf(place: Pick<Place, "id">): string | null {
  const guild = part(place, 1);
  return guild === DIRECT ? null : guild;
}

/** People are the same everywhere in Discord. */
export const personId = (_app: string, user: string): string => `discord:${user}`;

/** A message's handle: its id, and that of its thread where it stands in one. */
export const handleOf = (message: string, thread: string | null): string =>
  thread === null ? message : `${message}/${thread}`;
export const messageOf = (handle: string): string => handle.split("/")[0] ?? "";
export const threadOf = (handle: string): string | null => handle.split("/")[1] ?? null;
/** The channel or thread that a message stands in. */
export const roomOf = (place: Pick<Place, "id">, handle: string): string =>
  threadOf(handle) ?? channelOf(place);

/** A typed message's id, and the handle in it; null for what is no message's. */
export const typedId = (place: Pick<Place, "surface" | "id">, handle: string): string =>
  `${placeKey(place)}/${handle}`;
export function handleIn(id: string): string | null {
  const [, , , ...handle] = id.split("/");
  return handle.length > 0 && handle.every(isSnowflake) ? handle.join("/") : null;
}

export const isSnowflake = (text: string): boolean => /^\d{1,20}$/.test(text);

/** Epoch milliseconds of the first id. */
const EPOCH = 1_420_070_400_000;
/** When something with this id was made, in epoch milliseconds, and the least id of a time. */
export const timeOf = (id: string): number => Number(BigInt(id) >> 22n) + EPOCH;
export const idAt = (ms: number): string => String(BigInt(Math.max(0, Math.floor(ms) - EPOCH)) << 22n);

/** The address of a message, for people. */
export const permalink = (place: Pick<Place, "id">, handle: string): string =>
  `https://discord.com/channels/${guildOf(place) ?? DIRECT}/${roomOf(place, handle)}/${messageOf(handle)}`;
