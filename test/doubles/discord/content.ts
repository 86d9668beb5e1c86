/** What a message may say: bodies of posts, edits and answers, checked and taken apart. */
import * as spec from "discord-api-spec/zod";
import type { $ZodType } from "zod/v4/core";
import { checkMessageComponents, flat } from "./components.ts";
import { FLAGS, LIMITS } from "./limits.ts";
import type { Attachment, Message } from "./model.ts";
import { type Complaint, invalid, Refusal, wrong } from "./refusal.ts";
import { check } from "./schema.ts";
import { type Json, list, num, record, records, str, strings } from "./wire.ts";

/** What a body is for. `answer` and `change` come as callbacks, `original` and `follow` by the webhook. */
export type Use = "create" | "edit" | "answer" | "change" | "original" | "follow";

export interface SentFile {
  /** The n of `files[n]`. */
  index: string;
  filename: string;
  contentType: string;
  content: Buffer;
}

export interface Given {
  body: Json;
  files: SentFile[];
}

export interface Content {
  content: string;
  embeds: Json[];
  components: Json[];
  flags: number;
  attachments: Attachment[];
}

const SCHEMAS: { [use in Use]: $ZodType } = {
  create: spec.MessageCreateRequestSchema,
  edit: spec.MessageEditRequestPartialSchema,
  answer: spec.IncomingWebhookInteractionRequestSchema,
  change: spec.IncomingWebhookUpdateForInteractionCallbackRequestPartialSchema,
  original: spec.IncomingWebhookUpdateRequestPartialSchema,
  follow: spec.IncomingWebhookRequestPartialSchema,
};

const { suppressEmbeds, suppressNotifications, ephemeral, componentsV2 } = FLAGS;
const EDITABLE = suppressEmbeds | componentsV2;
const FLAGS_OF: { [use in Use]: number } = {
  create: EDITABLE | suppressNotifications,
  edit: EDITABLE,
  original: EDITABLE,
  change: EDITABLE,
  answer: EDITABLE | suppressNotifications | ephemeral,
  follow: EDITABLE | suppressNotifications | ephemeral,
};

/** Checks a body and gives the message as it will stand; `before` is the one that is edited. */
export function contentOf(given: Given, use: Use, before: Message | null, newId: () => string): Content {
  const { body, files } = given;
  const had = before === null ? 0 : before.flags & componentsV2;
  const v2 = ((num(body.flags) | had) & componentsV2) !== 0;
  const complaints = [
    ...checkRest(body, use),
    ...checkMessageComponents(body.components, v2),
    ...checkFlags(body, use),
    ...checkMentions(body.allowed_mentions),
    ...checkEmbeds(body.embeds),
    ...checkFiles(given, before),
  ];
  if (complaints.length > 0) throw invalid(...complaints);
  const after = merged(given, before, newId);
  const clash = [...(v2 ? clashes(after) : []), ...missingFiles(after)];
  if (clash.length > 0) throw invalid(...clash);
  if (isEmpty(after)) throw new Refusal(50006);
  if (files.some(({ content }) => content.length > LIMITS.fileBytes)) throw new Refusal(40005);
  return after;
}

function checkRest({ components: _, ...rest }: Json, use: Use): Complaint[] {
  const complaints = check(SCHEMAS[use], rest);
  const tooLong =
    str(rest.content).length > LIMITS.content && !complaints.some(({ path }) => path[0] === "content");
  return tooLong
    ? [...complaints, wrong(["content"], "BASE_TYPE_MAX_LENGTH", "Must be 2000 or fewer in length.")]
    : complaints;
}

function checkFlags({ flags }: Json, use: Use): Complaint[] {
  const unknown = num(flags) & ~FLAGS_OF[use];
  return unknown === 0 ? [] : [wrong(["flags"], "MESSAGE_FLAGS_INVALID", `Flags ${unknown} may not be set.`)];
}

function checkMentions(given: unknown): Complaint[] {
  const { parse, users, roles } = record(given);
  const exclusive = (key: "users" | "roles", ids: unknown) =>
    strings(parse).includes(key) && list(ids).length > 0
      ? [
          wrong(
            ["allowed_mentions"],
            "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
            `parse:["${key}"] and ${key}: [ids...] are mutually exclusive.`,
          ),
        ]
      : [];
  return [...exclusive("users", users), ...exclusive("roles", roles)];
}

function checkEmbeds(embeds: unknown): Complaint[] {
  const total = records(embeds).reduce((sum, one) => sum + embedLength(one), 0);
  return total > LIMITS.embedsText
    ? [
        wrong(
          ["embeds"],
          "MAX_EMBED_SIZE_EXCEEDED",
          `Embed size exceeds maximum size of ${LIMITS.embedsText}`,
        ),
      ]
    : [];
}

const embedLength = ({ title, description, footer, author, fields }: Json): number =>
  [
    title,
    description,
    record(footer).text,
    record(author).name,
    ...records(fields).flatMap(({ name, value }) => [name, value]),
  ].reduce<number>((sum, text) => sum + str(text).length, 0);

/** Every file that is named must have come, or stand in the message already. */
function checkFiles({ body, files }: Given, before: Message | null): Complaint[] {
  const there = new Set([
    ...files.map(({ index }) => index),
    ...(before?.attachments ?? []).map(({ id }) => id),
  ]);
  const missing = records(body.attachments).flatMap(({ id }, index) =>
    there.has(str(id)) ? [] : [wrong(["attachments", index, "id"], "ATTACHMENT_NOT_FOUND", "No such file")],
  );
  return files.length > LIMITS.files
    ? [...missing, wrong(["files"], "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.")]
    : missing;
}

function merged({ body, files }: Given, before: Message | null, newId: () => string): Content {
  const kept = (key: "content" | "embeds" | "components") => body[key] === undefined && before !== null;
  const flags = before?.flags ?? 0;
  const settable = num(body.flags);
  return {
    content: kept("content") ? (before?.content ?? "") : str(body.content).trim(),
    embeds: kept("embeds") ? (before?.embeds ?? []) : records(body.embeds),
    components: kept("components") ? (before?.components ?? []) : numbered(records(body.components)),
    flags:
      before === null
        ? settable
        : body.flags === undefined
          ? flags
          : (flags & ~suppressEmbeds) | (settable & EDITABLE),
    attachments: attachmentsOf({ body, files }, before, newId),
  };
}

function attachmentsOf({ body, files }: Given, before: Message | null, newId: () => string): Attachment[] {
  const named = records(body.attachments);
  const stand = before?.attachments ?? [];
  const kept = Array.isArray(body.attachments)
    ? stand.filter(({ id }) => named.some((one) => str(one.id) === id))
    : stand;
  const added = files.map((file) => {
    const about = named.find((one) => str(one.id) === file.index) ?? {};
    const { contentType, content } = file;
    const filename = str(about.filename) || file.filename;
    return { id: newId(), filename, description: str(about.description) || null, contentType, content };
  });
  return [...kept, ...added];
}

/** What a component shows by `attachment://` must be a file of the message. */
const missingFiles = ({ components, attachments }: Content): Complaint[] =>
  flat(components).flatMap(({ file, media, items }) =>
    [file, media, ...records(items).map((item) => item.media)]
      .map((one) => str(record(one).url))
      .filter((url) => url.startsWith("attachment://"))
      .filter((url) => !attachments.some(({ filename }) => url === `attachment://${filename}`))
      .map((url) => wrong(["components"], "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND", url)),
  );

const clashes = ({ content, embeds }: Content): Complaint[] => {
  const code = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2";
  const say = (key: string) => wrong([key], code, `The '${key}' field cannot be used with Components V2`);
  return [...(content === "" ? [] : [say("content")]), ...(embeds.length === 0 ? [] : [say("embeds")])];
};

const isEmpty = ({ content, embeds, components, attachments }: Content): boolean =>
  content === "" && embeds.length + components.length + attachments.length === 0;

/** Ids for components that have none: the lowest that are free, in the order of a reader. */
export function numbered(components: Json[]): Json[] {
  const taken = new Set<unknown>();
  const collect = (one: Json): void => {
    taken.add(one.id);
    inner(one).forEach(collect);
  };
  components.forEach(collect);
  let last = 0;
  const free = (): number => {
    do last += 1;
    while (taken.has(last));
    return last;
  };
  const fill = (one: Json): Json => {
    const id = num(one.id) === 0 ? free() : one.id;
    return {
      ...one,
      id,
      ...(Array.isArray(one.components) ? { components: records(one.components).map(fill) } : {}),
      ...(one.accessory === undefined ? {} : { accessory: fill(record(one.accessory)) }),
      ...(one.component === undefined ? {} : { component: fill(record(one.component)) }),
    };
  };
  return components.map(fill);
}

const inner = (one: Json): Json[] => records([...list(one.components), one.accessory, one.component]);
