/** Looks at everything that a connection needs, one thing after the other, and says what to do about what is missing. */
import { randomUUID } from "node:crypto";
import type { Place } from "../../core/people.ts";
import type { Check } from "../../core/surface.ts";
import { failed, ok, skipped } from "../shared/checks.ts";
import { channelOf, isDirect, timeOf, tsAt } from "./address.ts";
import type { SlackConnection as Connection } from "./connection.ts";
import { SCOPES } from "./manifest.ts";
import { failureOf } from "./places.ts";
import { EVENT_TYPE } from "./posts.ts";
import { reason } from "./reasons.ts";
import { answers } from "./wire.ts";

export async function* check(connection: Connection, to: string[]): AsyncGenerator<Check> {
  const identity = await connection.api.call("auth.test", {}, answers.identity);
  if (identity.kind !== "ok") {
    yield failed(
      "bot token",
      failureOf(identity),
      "Copy the Bot User OAuth Token (xoxb-…) again: askgate setup slack",
    );
    return;
  }
  yield ok("bot token", `${identity.value.user} in ${identity.value.team}`);
  yield scopes(identity.value.response_metadata?.scopes ?? []);
  yield socket(connection);
  yield await strangers(connection);
  const places: Place[] = [];
  for await (const [result, place] of wanted(connection, to)) {
    yield result;
    if (place !== null) places.push(place);
  }
  yield places[0] === undefined
    ? skipped("round trip", "there is no place to try", "Name one: askgate doctor --to '#channel'")
    : await roundTrip(connection, places[0]);
}

function scopes(granted: string[]): Check {
  const missing = SCOPES.filter((scope) => !granted.includes(scope));
  if (missing.length === 0) return ok("scopes", `all ${SCOPES.length}`);
  const help =
    "Paste the manifest again (askgate setup slack --manifest), then reinstall the app to the workspace.";
  return failed("scopes", `missing: ${missing.join(", ")}`, help);
}

function socket({ sockets }: Connection): Check {
  if (sockets.fault !== "") {
    const help =
      "Make an app-level token with connections:write, and switch Socket Mode on: askgate setup slack";
    return failed("socket", `app token: ${reason(sockets.fault)}`, help);
  }
  return sockets.listening > 0
    ? ok("socket", `${sockets.listening} of 2 listen`)
    : failed("socket", "none listens", "Is wss://*.slack.com allowed from here? See `askgate bot logs`.");
}

async function strangers({ sockets }: Connection): Promise<Check> {
  await sockets.look();
  const { count } = sockets.strangers;
  if (count === 0) return ok("only bot of this app", "no other process has a socket");
  const help =
    "Another process uses this Slack app and takes some of the answers: stop it, or use an app of your own. A bot that was just killed is counted for two minutes.";
  return failed(
    "only bot of this app",
    `${count} other ${count === 1 ? "socket is" : "sockets are"} open`,
    help,
  );
}

/** The places named, and `me`. */
async function* wanted(connection: Connection, to: string[]): AsyncGenerator<[Check, Place | null]> {
  const { me } = connection.kept;
  if (me === null) yield [skipped("me", "nobody is paired", "Pair yourself: askgate setup slack"), null];
  for (const name of [...(me === null ? [] : ["me"]), ...to.filter((place) => place !== "me")]) {
    const place =
      name === "me" && me !== null
        ? await connection.places.direct(me.id)
        : await connection.places.find(name);
    const label = name === "me" ? "me" : typeof place === "string" ? name : place.label;
    yield typeof place === "string"
      ? [failed(label, place, "Then run askgate doctor again."), null]
      : [
          ok(
            label,
            isDirect(channelOf(place)) ? `direct message with ${place.label}` : "the bot is a member",
          ),
          place,
        ];
  }
}

/** Posts, reads back, removes. */
async function roundTrip({ api }: Connection, place: Place): Promise<Check> {
  const name = "round trip";
  const channel = channelOf(place);
  const help = "Is the bot still a member there, and are the scopes complete?";
  const nonce = randomUUID();
  const metadata = { event_type: EVENT_TYPE, event_payload: { nonce } };
  const text = "askgate doctor: this message is removed at once.";
  const posted = await api.call("chat.postMessage", { channel, text, metadata }, answers.posted);
  if (posted.kind !== "ok") return failed(name, `posting in ${place.label}: ${failureOf(posted)}`, help);
  const { ts } = posted.value;
  const range = {
    channel,
    oldest: tsAt(timeOf(ts) - 1000),
    inclusive: true,
    limit: 20,
    include_all_metadata: true,
  };
  const read = await api.call("conversations.history", range, answers.messages);
  const removed = await api.call("chat.delete", { channel, ts }, answers.nothing);
  if (read.kind !== "ok") return failed(name, `reading in ${place.label}: ${failureOf(read)}`, help);
  const found = read.value.messages.find((message) => message.ts === ts);
  if (found?.metadata?.event_payload?.nonce !== nonce)
    return failed(name, `what was posted in ${place.label} was not read back`, help);
  if (removed.kind !== "ok") return failed(name, `removing in ${place.label}: ${failureOf(removed)}`, help);
  return ok(name, `posted, read back and removed in ${place.label}`);
}
