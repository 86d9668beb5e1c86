/** Ids as core and people see them, from Slack's own and back. Pure. */
import type { Place } from "../../core/people.ts";
import { placeKey } from "../../core/people.ts";

/** `T1/C1`: a channel's id is known only together with its team. */
export const placeId = (team: string, channel: string): string => `${team}/${channel}`;
export const teamOf = ({ id }: Pick<Place, "id">): string => id.split("/")[0] ?? "";
export const channelOf = ({ id }: Pick<Place, "id">): string => id.split("/")[1] ?? "";
export const isDirect = (channel: string): boolean => channel.startsWith("D");

export const placeOf = (team: string, channel: string) => ({
  surface: "slack" as const,
  id: placeId(team, channel),
  direct: isDirect(channel),
});

export const personId = (team: string, user: string): string => `slack:${team}/${user}`;
export const userOf = (person: string): string => person.split("/").at(-1) ?? "";

/** A post's handle: its `ts`, and that of its thread where it is a reply. A file's: `file/F1/` and its thread. */
export const handleOf = (ts: string, thread: string | null): string =>
  thread === null ? ts : `${ts}/${thread}`;
export const fileHandle = (file: string, thread: string): string => `file/${file}/${thread}`;
export const tsOf = (handle: string): string => handle.split("/")[0] ?? "";
export const threadOf = (handle: string): string | null => handle.split("/")[1] ?? null;
export function fileOf(handle: string): { file: string; thread: string } | null {
  const [kind, file, thread] = handle.split("/");
  return kind === "file" && file !== undefined && thread !== undefined ? { file, thread } : null;
}

/** A typed message's id: its place, its `ts` and that of its thread. */
export const messageId = (
  team: string,
  channel: string,
  { ts, thread }: { ts: string; thread: string | null },
) => `${placeKey(placeOf(team, channel))}/${handleOf(ts, thread)}`;

/** What `messageId` was made of; null for what is no message's. */
export function messageOf(id: string): { ts: string; thread: string | null } | null {
  const [, , ts, thread = null] = id.split("/");
  return ts !== undefined && /^\d+\.\d+$/.test(ts) ? { ts, thread } : null;
}

/** Epoch milliseconds of a `ts`, and back. */
export const timeOf = (ts: string): number => Math.floor(Number(ts) * 1000);
export const tsAt = (ms: number): string => (Math.max(0, ms) / 1000).toFixed(6);

/** The address of a post in the workspace at `home` (`https://acme.slack.com/`). */
export function permalink(home: string, channel: string, handle: string): string {
  const thread = threadOf(handle);
  const inThread = thread === null ? "" : `?thread_ts=${thread}&cid=${channel}`;
  return `${home}archives/${channel}/p${tsOf(handle).replace(".", "")}${inThread}`;
}
