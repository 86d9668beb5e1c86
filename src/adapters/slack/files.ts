/** Files in threads: what does not fit a message, and plans as a whole. */

import { z } from "zod";
import type { Part } from "../../core/card.ts";
import { fileHandle, tsAt } from "./address.ts";
import type { Api, Reply } from "./api.ts";
import { answers } from "./wire.ts";

type File = Extract<Part, { kind: "file" }>;

const UPLOAD_MS = 30_000;
const SKEW_MS = 5 * 60_000;

const sharedFiles = z.object({
  messages: z.array(
    z.object({ files: z.array(z.object({ id: z.string(), name: z.string().nullish() })).nullish() }),
  ),
});
export class Files {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Puts a file into a thread; resolves to its handle. After an attempt whose end is unknown it looks first. */
  async put(
    { channel, thread }: { channel: string; thread: string },
    { name, text }: File,
    since: number | null,
  ): Promise<Reply<string>> {
    if (since !== null) {
      const there = await this.#find({ channel, thread }, name, since);
      if (there.kind !== "ok" || there.value !== null)
        return there.kind === "ok" ? { kind: "ok", value: fileHandle(there.value ?? "", thread) } : there;
    }
    const content = new TextEncoder().encode(text === "" ? "\n" : text);
    const place = await this.#api.call(
      "files.getUploadURLExternal",
      { filename: name, length: content.byteLength },
      answers.uploadUrl,
    );
    if (place.kind !== "ok") return place;
    const sent = await upload(place.value.upload_url, content);
    if (sent !== null) return sent;
    const shared = await this.#api.call(
      "files.completeUploadExternal",
      { files: [{ id: place.value.file_id, title: name }], channel_id: channel, thread_ts: thread },
      answers.nothing,
    );
    return shared.kind === "ok" ? { kind: "ok", value: fileHandle(place.value.file_id, thread) } : shared;
  }

  /** A file cannot be changed: the new one takes the old one's place. */
  async replace(channel: string, old: { file: string; thread: string }, file: File): Promise<Reply<string>> {
    const put = await this.put({ channel, thread: old.thread }, file, null);
    if (put.kind === "ok") await this.remove(old.file);
    return put;
  }

  remove(file: string): Promise<Reply<object>> {
    return this.#api.call("files.delete", { file }, answers.nothing);
  }

  async #find(
    { channel, thread }: { channel: string; thread: string },
    name: string,
    since: number,
  ): Promise<Reply<string | null>> {
    const where = { channel, ts: thread, oldest: tsAt(since - SKEW_MS), limit: 200 };
    const reply = await this.#api.call("conversations.replies", where, sharedFiles);
    if (reply.kind !== "ok") return reply;
    const files = reply.value.messages.flatMap((message) => message.files ?? []);
    return { kind: "ok", value: files.find((file) => file.name === name)?.id ?? null };
  }
}

async function upload(url: string, content: Uint8Array<ArrayBuffer>): Promise<Reply<string> | null> {
  try {
    const response = await fetch(url, {
      method: "POST",
      body: content,
      signal: AbortSignal.timeout(UPLOAD_MS),
    });
    return response.ok ? null : { kind: "lost", reason: `upload: HTTP ${response.status}` };
  } catch (error) {
    return { kind: "lost", reason: error instanceof Error ? error.message : String(error) };
  }
}
