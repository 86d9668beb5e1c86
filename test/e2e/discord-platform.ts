/** Discord for tests with whole processes. */
import { setTimeout as pause } from "node:timers/promises";
import { channelOf } from "../../src/adapters/discord/address.ts";
import { askedOf, splitEntryAction } from "../../src/adapters/discord/buttons.ts";
import { DISCORD_LIMITS } from "../../src/adapters/discord/limits.ts";
import type { Credentials } from "../../src/core/surface.ts";
import {
  type Channel,
  type Discord,
  type Message,
  type Person,
  startDiscord,
} from "../doubles/discord/index.ts";
import type { Random } from "../support/random.ts";
import type { Control, Deed, Failed, Platform, Post, Sent, Somebody } from "./chat-platform.ts";
import { messageOf, sceneOf } from "./discord-looks.ts";

/** How long an acknowledgement may take, on a machine that does much else. */
const ACK_MS = 4_000;
/** The acknowledgement of a bot that is gone may still be on its way. */
const GRACE_MS = 500;

export const CALLS = {
  post: "POST /channels/:channel/messages",
  update: "PATCH /channels/:channel/messages/:message",
  remove: "DELETE /channels/:channel/messages/:message",
  read: "GET /channels/:channel/messages",
  thread: "POST /channels/:channel/messages/:message/threads",
  sign: "PUT /channels/:channel/messages/:message/reactions/:emoji/@me",
  answer: "POST /interactions/:interaction/:token/callback",
} as const;

export async function openDiscordPlatform(): Promise<Platform> {
  const discord = await startDiscord({ factor: 50, ackMs: ACK_MS });
  const acme = discord.guild({ id: "100", name: "acme" });
  expectKills(discord);
  return {
    ...tokenOf(discord),
    ...sceneOf(discord),
    name: "discord",
    limits: DISCORD_LIMITS,
    calls: discord.calls,
    posting: CALLS.post,
    limited: "429",
    usual: /"reason":"the message was deleted"|not_known_yet/,
    get listens() {
      return discord.sockets.count > 0;
    },
    changed: () => discord.changed(),
    until: (condition, patienceMs) => discord.until(condition, patienceMs),
    async gone() {
      await discord.until(() => discord.sockets.count === 0);
      discord.sockets.forget();
    },
    person: (number, name) => somebody(acme.person({ id: String(number), name }), discord),
    channel(number, name, members) {
      const { id } = acme.channel({ id: String(number), name, members: [...members, acme.bot] });
      return { id, to: id };
    },
    isIn: (place, room) => channelOf(place) === room.id,
    disturb: (random) => disturb(discord, random),
    holds: (call, at) =>
      new Promise((met) => {
        discord.fail(call, { hold: new Promise(() => {}), at, met });
      }),
    assertClean: () => discord.assertClean(),
    stop: () => discord.stop(),
  };
}

/** What Discord sees of a bot that is killed, and of the one that comes after it; `tried` and `expectObedience` look closer. */
function expectKills(discord: Discord): void {
  discord.expectFailedPress({ maybe: true });
  discord.expectViolation(/before its retry_after had passed/, { maybe: true });
  discord.expectError(CALLS.thread, 160004, { maybe: true });
  // Somebody deletes a message before its sign is there; a card was taken away, and nobody noted it.
  discord.expectError(CALLS.sign, 10008, { maybe: true });
  discord.expectError(CALLS.remove, 10008, { maybe: true });
}

function tokenOf({ token, apiUrl }: Discord): Pick<Platform, "credentials" | "env"> {
  const credentials: Credentials = { surface: "discord", tokens: { bot: token }, baseUrl: apiUrl };
  return { credentials, env: { DISCORD_TOKEN: token, DISCORD_API_URL: apiUrl } };
}

function somebody(person: Person, discord: Discord): Somebody {
  const writes = async (channel: Channel, text: string, replyTo?: string): Promise<Post> => ({
    room: channel.id,
    id: await person.types(channel, text, replyTo === undefined ? {} : { replyTo }),
  });
  const comments = ({ room, id }: Post, text: string) => writes(discord.room(room), text, id);
  return {
    id: person.id,
    name: person.name,
    direct: () => ({ id: person.dm().id, to: person.id }),
    sees: (post) => controls(person, messageOf(discord, post), discord),
    hasForm: () => person.modal() !== null,
    async closesForm() {
      person.dismisses();
    },
    sendsForm: (words) => sendForm(person, words, discord),
    writes: ({ id }, text) => writes(discord.room(id), text),
    comments,
    /** In the thread below it, which a person opens where there is none; in a direct message a reply stands for that. */
    async remarks(card, text) {
      const channel = discord.room(card.room);
      if (channel.room.kind === "dm") return comments(card, text);
      if (channel.room.parent !== null) return writes(channel, text);
      return writes(channel.thread(card.id) ?? (await person.opensThread(channel, card.id, "talk")), text);
    },
    edits: ({ room, id }, text) => person.edits(discord.room(room), id, text),
    deletes: ({ room, id }) => person.deletes(discord.room(room), id),
  };
}

const controls = (person: Person, message: Message, discord: Discord): Control[] =>
  person.sees(message).map(({ customId, label, options }) => {
    const sure = askedOf(customId);
    const { button, value } = splitEntryAction(sure ?? customId);
    const press = () => answered(discord, person.presses(message, { customId }));
    return {
      button,
      option: value,
      label,
      options,
      presses:
        sure === null
          ? press
          : () => confirmed(press, () => saysYes(person, { room: message.channel, customId: sure }, discord)),
      chooses: (values) => answered(discord, person.chooses(message, { customId, values })),
    };
  });

async function confirmed(press: () => Promise<Deed>, says: () => Promise<Deed>): Promise<Deed> {
  const done = await press();
  return done.kind === "acked" ? says() : done;
}

/** "Are you sure?", for her eyes only, has the button that acts. */
function saysYes(
  person: Person,
  { room, customId }: { room: string; customId: string },
  discord: Discord,
): Promise<Deed> {
  const asked = person
    .ephemerals(discord.room(room))
    .findLast((message) => person.sees(message).some((control) => control.customId === customId));
  if (asked === undefined) throw new Error(`nobody asked ${person.name} whether she is sure`);
  return answered(discord, person.presses(asked, { customId }));
}

async function sendForm(person: Person, words: string, discord: Discord): Promise<Sent> {
  const field = person.modal()?.inputs.find(({ options }) => options.length === 0);
  const sent = await answered(discord, person.submits({ [field?.customId ?? ""]: words }));
  return sent.kind === "errors" ? { kind: "errors", said: Object.values(sent.errors).join(" ") } : sent;
}

/** What nobody can answer any more has failed: a person need not wait until Discord says so. */
function answered<Done>(discord: Discord, deed: Promise<Done>): Promise<Done | Failed> {
  let done = false;
  const ended = deed.finally(() => {
    done = true;
  });
  const given = async (): Promise<Failed> => {
    while (!done && discord.sockets.sessions > 0) await discord.changed();
    await pause(GRACE_MS);
    return { kind: "failed", reason: "nobody listens" };
  };
  return Promise.race([ended, given()]);
}

function disturb(discord: Discord, random: Random): void {
  const faults = [{ retryAfter: 1 }, { http: 500 }, { lose: "request" }, { lose: "response" }] as const;
  const { answer: _answer, ...calls } = CALLS;
  discord.fail(random.of(Object.values(calls)), random.of(faults));
}
