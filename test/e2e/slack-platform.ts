/** Slack for tests with whole processes. */
import { channelOf } from "../../src/adapters/slack/address.ts";
import { splitEntryAction } from "../../src/adapters/slack/buttons.ts";
import { SLACK_LIMITS } from "../../src/adapters/slack/limits.ts";
import { renderCard } from "../../src/adapters/slack/render.ts";
import type { Card } from "../../src/core/card.ts";
import type { Credentials } from "../../src/core/surface.ts";
import { type Message, type Person, type Slack, startSlack, type Workspace } from "../doubles/slack/index.ts";
import { isJson, record, str } from "../doubles/slack/wire.ts";
import type { Random } from "../support/random.ts";
import { stripped, under } from "./chat-looks.ts";
import type { Control, Platform, Post, Room, Sent, Sign, Somebody } from "./chat-platform.ts";

/** How long an acknowledgement may take, on a machine that does much else. */
const ACK_MS = 4_000;

/** A workspace, and the server that it is on. */
interface World {
  slack: Slack;
  acme: Workspace;
}

export async function openSlackPlatform(): Promise<Platform> {
  const slack = await startSlack({
    factor: 50,
    ackMs: ACK_MS,
    retryMs: Array.from({ length: 100 }, () => 200),
  });
  const acme = slack.workspace({ id: "T1", name: "acme", domain: "acme" });
  expectKills(slack);
  const world = { slack, acme };
  return {
    ...tokensOf(world),
    ...sceneOf(world),
    name: "slack",
    limits: SLACK_LIMITS,
    calls: slack.calls,
    posting: "chat.postMessage",
    limited: "ratelimited",
    usual: /"reason":"the message was deleted"|not_known_yet/,
    get listens() {
      return slack.sockets.count > 0;
    },
    changed: () => slack.changed(),
    until: (condition, patienceMs) => slack.until(condition, patienceMs),
    gone: () => slack.until(() => slack.sockets.count === 0),
    person: (number, name) => somebody(acme.person({ id: `U${number}`, name }), world),
    channel(number, name, members) {
      const { id } = acme.channel({ id: `C${number}`, name, members: [...members, acme.bot] });
      return { id, to: id };
    },
    isIn: (place, room) => channelOf(place) === room.id,
    disturb: (random) => disturb(slack, random),
    holds: (call, at) =>
      new Promise((met) => {
        slack.fail(call, { hold: new Promise(() => {}), at, met });
      }),
    assertClean: () => slack.assertClean(),
    stop: () => slack.stop(),
  };
}

/** What Slack sees of a bot that is killed, and of the one that comes after it; `tried` and `expectObedience` look closer. */
function expectKills(slack: Slack): void {
  slack.expectFailedPress({ maybe: true });
  slack.expectViolation(/^not acknowledged in time: event message/, { maybe: true });
  slack.expectViolation(/before its Retry-After had passed/, { maybe: true });
  slack.expectError("reactions.add", "already_reacted", { maybe: true });
  // Somebody deletes a message before its sign is there; a card was taken away, and nobody noted it.
  slack.expectError("reactions.add", "message_not_found", { maybe: true });
  slack.expectError("chat.delete", "message_not_found", { maybe: true });
}

function tokensOf({ slack, acme }: World): Pick<Platform, "credentials" | "env"> {
  const { botToken: bot, appToken: app } = acme;
  const credentials: Credentials = { surface: "slack", tokens: { bot, app }, baseUrl: slack.apiUrl };
  return {
    credentials,
    env: { SLACK_BOT_TOKEN: bot, SLACK_APP_TOKEN: app, SLACK_API_URL: slack.apiUrl },
  };
}

function somebody(person: Person, { acme }: World): Somebody {
  const writes = async ({ id }: Room, text: string, thread?: string): Promise<Post> => ({
    room: id,
    id: await person.types(acme.room(id), text, thread === undefined ? {} : { thread }),
  });
  const below = ({ room, id }: Post, text: string) => writes({ id: room, to: room }, text, id);
  return {
    id: person.id,
    name: person.name,
    direct: () => ({ id: person.dm().id, to: person.id }),
    sees: (post) => controls(person, messageOf(acme, post)),
    hasForm: () => person.view() !== null,
    async closesForm() {
      while (person.view() !== null) await person.closesView();
    },
    sendsForm: (words) => sendForm(person, words),
    writes: (room, text) => writes(room, text),
    comments: below,
    remarks: below,
    edits: ({ room, id }, text) => person.edits(acme.room(room), id, text),
    deletes: ({ room, id }) => person.deletes(acme.room(room), id),
  };
}

const messageOf = (acme: Workspace, { room, id }: Post): Message => {
  const message = acme.room(room).room.byTs.get(id);
  if (message === undefined) throw new Error(`nothing stood at ${id}`);
  return message;
};

const controls = (person: Person, message: Message): Control[] =>
  person.sees(message).map(({ actionId, blockId, label, options }) => {
    const { button, value } = splitEntryAction(actionId);
    const at = { actionId, blockId };
    return {
      button,
      option: value,
      label,
      options,
      presses: async () => pressed(await person.presses(message, at)),
      chooses: async (values) => pressed(await person.chooses(message, { ...at, values })),
    };
  });

/** Nobody says no in a confirm dialog here. */
const pressed = (deed: Awaited<ReturnType<Person["presses"]>>) =>
  deed.kind === "declined" ? { kind: "unsent" as const } : deed;

async function sendForm(person: Person, words: string): Promise<Sent> {
  const field = person.view()?.blocks.find(({ element }) => record(element).type === "plain_text_input");
  const sent = await person.submits({ [str(field?.block_id)]: words });
  if (sent.kind === "errors") return { kind: "errors", said: Object.values(sent.errors).join(" ") };
  return sent.kind === "failed" ? sent : { kind: "closed" };
}

type Scene = "standing" | "says" | "look" | "drawn" | "somewhere" | "linked" | "signs" | "numbers";

function sceneOf({ acme }: World): Pick<Platform, Scene> {
  const logOf = ({ id }: Room): Message[] => acme.room(id).room.log;
  const bots = (room: Room) => logOf(room).filter(({ user }) => user === acme.botUserId);
  const of = (post: Post) => messageOf(acme, post);
  return {
    standing: (room) =>
      bots(room)
        .filter(({ gone }) => gone === false)
        .map(({ ts }) => ({ room: room.id, id: ts })),
    says: (post) => JSON.stringify(of(post).blocks),
    look(post) {
      const { threadTs } = of(post);
      const root = threadTs === null ? undefined : acme.room(post.room).room.byTs.get(threadTs);
      return under(root && seen(root), seen(of(post)));
    },
    drawn: (card, root) => under(root === null ? undefined : drawn(root), drawn(card)),
    somewhere: "https://acme.slack.com/archives/C0/p00000000000000000",
    linked: (post) =>
      [...JSON.stringify(of(post).blocks).matchAll(LINK)].map(
        ([, seconds, micros]) => `${seconds}.${micros}`,
      ),
    signs: ({ room, id }) => signsAt(acme.room(room).room.byTs.get(id)),
    numbers: (room) =>
      bots(room).flatMap(({ metadata }) => (metadata === null ? [] : JSON.stringify(metadata))),
  };
}

function drawn(card: Card): string {
  const [part] = card.parts;
  return part?.kind === "file"
    ? `file ${part.name} ${part.text}`
    : bare(renderCard({ ...card, mention: [] }).blocks);
}

function seen({ files, blocks }: Message): string {
  const [file] = files;
  return file === undefined ? bare(blocks) : `file ${file.name} ${file.content.toString()}`;
}

/** Where a link leads is looked at apart. */
const LINK = /https:\/\/acme\.slack\.com\/archives\/\w+\/p(\d{10})(\d{6})[^"]*/g;

/** Blocks without what Slack fills in, and without mentions, which belong to a first post only. */
function bare(blocks: readonly unknown[]): string {
  const kept = blocks.filter((block) => !(isJson(block) && block.type === "section"));
  return JSON.stringify(kept.map((one) => stripped(one, FILLED_IN))).replaceAll(LINK, "there");
}

const FILLED_IN = new Set(["block_id", "emoji", "verbatim"]);

const SIGNS: { [reaction: string]: Sign } = { eyes: "kept", white_check_mark: "delivered" };

const signsAt = (message: Message | undefined): string[] =>
  (message?.reactions ?? []).map(({ name }) => SIGNS[name] ?? name);

const METHODS = [
  "chat.postMessage",
  "chat.update",
  "chat.delete",
  "conversations.history",
  "conversations.replies",
  "files.completeUploadExternal",
];

function disturb(slack: Slack, random: Random): void {
  const faults = [{ retryAfter: 1 }, { http: 500 }, { lose: "request" }, { lose: "response" }] as const;
  slack.fail(random.of(METHODS), random.of(faults));
}
