/** Looks at everything that a connection needs, one thing after the other, and says what to do about what is missing. */
import { z } from "zod";
import type { Place } from "../../core/people.ts";
import type { Check } from "../../core/surface.ts";
import { failed, ok, skipped } from "../shared/checks.ts";
import { channelOf } from "./address.ts";
import type { Api, Reply } from "./api.ts";
import type { DiscordConnection } from "./connection.ts";
import { account, application, COMMAND, hearsMessages, intentHelp, register } from "./identify.ts";
import { inviteLink, PERMISSIONS } from "./invite.ts";
import { failureOf } from "./reasons.ts";

/** What is looked at of a connection. */
type Looked = Pick<DiscordConnection, "id" | "api" | "gateway" | "kept" | "fault" | "places">;

const AGAIN = "Try again: askgate doctor";

export async function* check(connection: Looked, to: string[]): AsyncGenerator<Check> {
  const { api, id } = connection;
  const bot = await api.call({ method: "GET", path: "/users/@me" }, account);
  if (bot.kind !== "ok") {
    yield failed("bot token", failureOf(bot), "Reset it and set it again: askgate setup discord");
    return;
  }
  yield ok("bot token", `${bot.value.username}, application ${id}`);
  yield await intents(api);
  yield listening(connection);
  yield await servers(api, id);
  yield await command(api, id);
  const places: Place[] = [];
  for await (const [result, place] of wanted(connection, to)) {
    yield result;
    if (place !== null) places.push(place);
  }
  if (places.length === 0)
    yield skipped("round trip", "there is no place to try", "Name one: askgate doctor --to '#channel'");
  for (const place of places) yield await roundTrip(api, place);
}

async function intents(api: Api): Promise<Check> {
  const name = "message content";
  const reply = await api.call({ method: "GET", path: "/applications/@me" }, application);
  if (reply.kind !== "ok") return failed(name, failureOf(reply), AGAIN);
  return hearsMessages(reply.value)
    ? ok(name, "the intent is switched on")
    : failed(name, "the intent is switched off", intentHelp(reply.value.id));
}

function listening({ fault, gateway }: Looked): Check {
  if (fault !== "") return failed("gateway", fault, "See `askgate bot logs`.");
  return gateway.listening
    ? ok("gateway", "listens")
    : failed(
        "gateway",
        "nobody listens",
        "Is wss://gateway.discord.gg allowed from here? See `askgate bot logs`.",
      );
}

const guilds = z.array(z.object({ name: z.string() }));

async function servers(api: Api, app: string): Promise<Check> {
  const reply = await api.call({ method: "GET", path: "/users/@me/guilds" }, guilds);
  if (reply.kind !== "ok") return failed("servers", failureOf(reply), AGAIN);
  const names = reply.value.map(({ name }) => name);
  return names.length > 0
    ? ok("servers", names.length > 5 ? `${names.length} servers` : names.join(", "))
    : failed("servers", "the bot is in no server", `Let it into one: ${inviteLink(app)}`);
}

const commands = z.array(z.object({ name: z.string() }));

/** Registers it where it is missing. */
async function command(api: Api, app: string): Promise<Check> {
  const name = `/${COMMAND.name}`;
  const reply = await api.call({ method: "GET", path: `/applications/${app}/commands` }, commands);
  if (reply.kind !== "ok") return failed(name, failureOf(reply), AGAIN);
  if (reply.value.some((there) => there.name === COMMAND.name)) return ok(name, "is registered");
  const registered = await register(api, app);
  return registered.kind === "ok"
    ? ok(name, "was missing, and is registered now")
    : failed(name, `is missing: ${failureOf(registered)}`, AGAIN);
}

/** The places named, and `me`; a channel counts only if the bot may do all there that it does. */
async function* wanted(connection: Looked, to: string[]): AsyncGenerator<[Check, Place | null]> {
  const { me } = connection.kept;
  if (me === null) yield [skipped("me", "nobody is paired", "Pair yourself: askgate setup discord"), null];
  for (const name of [...(me === null ? [] : ["me"]), ...to.filter((place) => place !== "me")]) {
    const place =
      name === "me" && me !== null
        ? await connection.places.direct(me.id)
        : await connection.places.find(name);
    if (typeof place === "string") yield [failed(name, place, placeHelp(connection)), null];
    else if (place.direct) yield [ok(name, `direct message with ${place.label}`), place];
    else yield [ok(place.label, `all ${Object.keys(PERMISSIONS).length} permissions`), place];
  }
}

const placeHelp = ({ id }: Looked): string =>
  `Permissions are given under Edit Channel · Permissions, or in all channels by inviting again: ${inviteLink(id)}`;

const posted = z.object({ id: z.string() });
const SUPPRESS_NOTIFICATIONS = 1 << 12;
const SIGN = encodeURIComponent("👀");

/**
 * Posts, marks, reads back, removes; nobody is notified. No thread is opened: only who manages threads can remove one, and
 * the bot asks for no permission to.
 */
async function roundTrip(api: Api, place: Place): Promise<Check> {
  const path = `/channels/${channelOf(place)}/messages` as const;
  const body = {
    content: "askgate doctor: this message is removed at once.",
    flags: SUPPRESS_NOTIFICATIONS,
    allowed_mentions: { parse: [] },
  };
  const sent = await api.call({ method: "POST", path, body }, posted);
  if (sent.kind !== "ok") return broken("posting", place, sent);
  const message = `${path}/${sent.value.id}` as const;
  const marked = await api.call({ method: "PUT", path: `${message}/reactions/${SIGN}/@me` }, z.unknown());
  const read = await api.call({ method: "GET", path: message }, posted);
  const removed = await api.call({ method: "DELETE", path: message }, z.unknown());
  if (marked.kind !== "ok") return broken("marking", place, marked);
  if (read.kind !== "ok") return broken("reading", place, read);
  if (removed.kind !== "ok") return broken("removing", place, removed);
  return ok("round trip", `posted, marked, read back and removed in ${place.label}`);
}

const broken = (doing: string, { label }: Place, reply: Exclude<Reply<unknown>, { kind: "ok" }>): Check =>
  failed("round trip", `${doing} in ${label}: ${failureOf(reply)}`, AGAIN);
