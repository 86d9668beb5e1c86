/** What a Web API method is: the scopes it needs, the arguments it knows, and what it does. */
import { z } from "zod";
import type { Hub } from "../hub.ts";
import type { Message, Room, Team, User } from "../model.ts";
import { Refusal } from "../refusal.ts";
import { type Json, parse } from "../wire.ts";

export interface Asked {
  hub: Hub;
  team: Team;
}

export interface Method {
  /** Any one of these; none where the method needs no scope, or looks at them itself. */
  scopes: readonly string[];
  run(asked: Asked, raw: Json, name: string): Json;
}

/** Arguments any method takes; bolt's clients add the team. */
const EVERYWHERE = ["token", "team_id"];

/** A method with its arguments read from the form or the JSON; an argument nobody knows is a violation. */
export function method<S extends z.ZodRawShape>(
  scopes: readonly string[],
  shape: S,
  act: (asked: Asked, args: z.output<z.ZodObject<S>>) => Json,
): Method {
  const schema = z.object(shape);
  return {
    scopes,
    run(asked, raw, name) {
      for (const key of Object.keys(raw))
        if (!EVERYWHERE.includes(key) && !Object.hasOwn(shape, key))
          asked.hub.ledger.violation(`${name}: unknown argument ${key}`);
      const read = schema.safeParse(raw);
      if (read.success) return act(asked, read.data);
      const details = read.error.issues.map((issue) => `${issue.path.join("/")}: ${issue.message}`);
      throw new Refusal(
        "invalid_arguments",
        { response_metadata: { messages: details.map((one) => `[ERROR] ${one}`) } },
        details,
      );
    },
  };
}

const fromForm = (value: unknown): unknown => (typeof value === "string" ? (parse(value) ?? value) : value);

export const arg = {
  text: z.string().optional(),
  must: z.string().min(1),
  flag: z
    .preprocess(
      (value) =>
        value === "1" || value === 1 ? true : value === "0" || value === 0 ? false : fromForm(value),
      z.boolean(),
    )
    .optional(),
  count: z.preprocess(fromForm, z.number().int().min(0).max(1000)).optional(),
  json: z.preprocess(fromForm, z.unknown()).optional(),
  jsonText: z.preprocess(fromForm, z.unknown()),
};

export function needScope(team: Team, ...anyOf: string[]): void {
  if (anyOf.some((scope) => team.scopes.has(scope))) return;
  throw new Refusal("missing_scope", { needed: anyOf.join(","), provided: [...team.scopes].join(",") });
}

/** The channel as the bot may know it: private ones only from inside. */
export function knownRoom(team: Team, id: string): Room {
  const room = team.rooms.get(id);
  if (room === undefined) throw new Refusal("channel_not_found");
  if (room.kind !== "channel" && !room.members.has(team.bot.id)) throw new Refusal("channel_not_found");
  return room;
}

/** The channel the bot may read or write in. */
export function memberRoom(team: Team, id: string): Room {
  const room = knownRoom(team, id);
  if (!room.members.has(team.bot.id)) throw new Refusal("not_in_channel");
  return room;
}

export function knownUser(team: Team, id: string): User {
  const user = team.users.get(id);
  if (user === undefined) throw new Refusal("user_not_found");
  return user;
}

export function knownMessage(room: Room, ts: string, otherwise = "message_not_found"): Message {
  const message = room.byTs.get(ts);
  if (message === undefined || message.gone !== false) throw new Refusal(otherwise);
  return message;
}

/** One page of a list, and the cursor of the next. */
export function page<T>(items: T[], cursor: string | undefined, limit: number): { items: T[]; next: string } {
  const from = cursor === undefined || cursor === "" ? 0 : fromCursor(cursor);
  const end = from + Math.max(1, limit);
  return { items: items.slice(from, end), next: end < items.length ? toCursor(end) : "" };
}

const toCursor = (at: number): string => Buffer.from(`at:${at}`).toString("base64");

function fromCursor(cursor: string): number {
  const read = /^at:(\d+)$/.exec(Buffer.from(cursor, "base64").toString());
  if (read === null) throw new Refusal("invalid_cursor");
  return Number(read[1]);
}
