/** files.*: an address to upload to, the upload itself, and showing it in a channel. */
import { post, remove, rootFor } from "../deeds.ts";
import type { Hub } from "../hub.ts";
import type { StoredFile, Team } from "../model.ts";
import { fileJson } from "../payloads.ts";
import { Refusal } from "../refusal.ts";
import { type Json, records, str } from "../wire.ts";
import { arg, type Method, memberRoom, method } from "./method.ts";

const getUploadUrl = method(
  ["files:write"],
  { filename: arg.must, length: arg.jsonText, alt_text: arg.text, snippet_type: arg.text },
  ({ hub, team }, args) => {
    const size = Number(args.length);
    if (!Number.isInteger(size) || size <= 0) throw new Refusal("invalid_arguments", {}, ["length"]);
    const file = newFile(hub, team, team.bot.id, { name: args.filename, size });
    const path = `/upload/v1/${hub.id("up")}`;
    hub.uploads.set(path, file);
    return { upload_url: `${hub.origin()}${path}`, file_id: file.id };
  },
);

export function newFile(
  hub: Hub,
  team: Team,
  user: string,
  { name, size, mimetype = "application/octet-stream" }: { name: string; size: number; mimetype?: string },
): StoredFile {
  const file: StoredFile = {
    id: hub.id("F0"),
    name,
    title: name,
    mimetype,
    size,
    user,
    content: Buffer.alloc(0),
    state: "announced",
    shares: [],
  };
  team.files.set(file.id, file);
  return file;
}

const complete = method(
  ["files:write"],
  {
    files: arg.jsonText,
    channel_id: arg.text,
    channels: arg.text,
    thread_ts: arg.text,
    initial_comment: arg.text,
  },
  ({ hub, team }, args) => {
    const given = records(args.files);
    if (given.length === 0) throw new Refusal("invalid_arguments", {}, ["files"]);
    const files = given.map((one) => uploaded(team, str(one.id)));
    const channel = args.channel_id ?? args.channels;
    const room = channel === undefined ? null : memberRoom(team, channel);
    if (room?.archived === true) throw new Refusal("is_archived");
    if (args.thread_ts !== undefined && room === null)
      throw new Refusal("invalid_arguments", {}, ["thread_ts"]);
    const root = room === null || args.thread_ts === undefined ? null : rootFor(room, args.thread_ts);
    if (typeof root === "string") throw new Refusal(root);
    for (const [index, file] of files.entries()) {
      file.state = "complete";
      file.title = str(given[index]?.title) || file.name;
    }
    if (room !== null)
      post(
        hub,
        { team, room },
        {
          user: team.bot,
          botId: team.botId,
          text: args.initial_comment ?? "",
          threadTs: root?.ts ?? null,
          files,
        },
      );
    return { files: files.map((file) => fileJson(team, file)) };
  },
);

function uploaded(team: Team, id: string): StoredFile {
  const file = team.files.get(id);
  if (file?.state !== "uploaded") throw new Refusal("file_not_found");
  return file;
}

function completed(team: Team, id: string): StoredFile {
  const file = team.files.get(id);
  if (file?.state === "deleted") throw new Refusal("file_deleted");
  if (file?.state !== "complete") throw new Refusal("file_not_found");
  return file;
}

const info = method(
  ["files:read"],
  { file: arg.must, cursor: arg.text, limit: arg.count, count: arg.count, page: arg.count },
  ({ team }, args) => {
    const file = completed(team, args.file);
    const shares: { public: Json; private: Json } = { public: {}, private: {} };
    for (const { channel, ts } of file.shares)
      shares[team.rooms.get(channel)?.kind === "channel" ? "public" : "private"][channel] = [{ ts }];
    return { file: { ...fileJson(team, file), shares }, comments: [] };
  },
);

const deleteFile = method(["files:write"], { file: arg.must }, ({ hub, team }, args) => {
  const file = completed(team, args.file);
  if (file.user !== team.bot.id) throw new Refusal("cant_delete_file");
  file.state = "deleted";
  for (const { channel, ts } of file.shares) {
    const room = team.rooms.get(channel);
    const message = room?.byTs.get(ts);
    if (room === undefined || message === undefined) continue;
    message.files = message.files.filter((one) => one !== file);
    if (message.files.length === 0 && message.text === "") remove(hub, { team, room }, message);
  }
  hub.ledger.changed();
  return {};
});

export const files: { [name: string]: Method } = {
  "files.getUploadURLExternal": getUploadUrl,
  "files.completeUploadExternal": complete,
  "files.info": info,
  "files.delete": deleteFile,
};
