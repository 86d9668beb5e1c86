/** Files in threads: what does not fit a message, and plans as a whole. */

import { z } from "zod";
import type { Part } from "../../core/card.ts";
import { fileHandle, tsAt } from "./address.ts";
import type { Api, Reply } from "./api.ts";
import { answers } from "./wire.ts";

type File = Extract<Part, { kind: "file" }>;

const UPLOAD_MS = 30_000;
const RETRY_MS = 2_000;
const SKEW_MS = 5 * 60_000;

const sharedFiles = z.object({
  messages: z.array(
    z.object({
      files: z
        .array(z.object({ id: z.string(), name: z.string().nullish(), size: z.number().nullish() }))
        .nullish(),
    }),
  ),
});

interface Where {
  channel: string;
  thread: string;
}

export class Files {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Puts a file into a thread; resolves to its handle. After an attempt whose end is unknown it looks first. */
  async put(where: Where, file: File, since: number | null): Promise<Reply<string>> {
    const there = since === null ? NONE : await this.#find(where, file, { since, not: "" });
    if (there.kind !== "ok") return there;
    return there.value === null ? this.#upload(where, file) : ok(fileHandle(there.value, where.thread));
  }

  /** A file cannot be changed: a new one takes the old one's place, unless it stands there since an earlier attempt. */
  async replace(channel: string, old: { file: string; thread: string }, file: File): Promise<Reply<string>> {
    const where = { channel, thread: old.thread };
    const there = await this.#find(where, file, { since: 0, not: old.file });
    if (there.kind !== "ok") return there;
    const put =
      there.value === null ? await this.#upload(where, file) : ok(fileHandle(there.value, old.thread));
    if (put.kind === "ok") await this.remove(old.file);
    return put;
  }

  async #upload({ channel, thread }: Where, { name, text }: File): Promise<Reply<string>> {
    const content = bytesOf(text);
    const address = await this.#api.call(
      "files.getUploadURLExternal",
      { filename: name, length: content.byteLength },
      answers.uploadUrl,
    );
    if (address.kind !== "ok") return address;
    const sent = await upload(address.value.upload_url, content);
    if (sent !== null) return sent;
    const id = address.value.file_id;
    const shared = await this.#api.call(
      "files.completeUploadExternal",
      { files: [{ id, title: name }], channel_id: channel, thread_ts: thread },
      answers.nothing,
    );
    return shared.kind === "ok" ? ok(fileHandle(id, thread)) : shared;
  }

  remove(file: string): Promise<Reply<object>> {
    return this.#api.call("files.delete", { file }, answers.nothing);
  }

  /** A file of this name and size in the thread. */
  async #find(
    { channel, thread }: Where,
    { name, text }: File,
    { since, not }: { since: number; not: string },
  ): Promise<Reply<string | null>> {
    const where = { channel, ts: thread, oldest: tsAt(since - SKEW_MS), limit: 200 };
    const reply = await this.#api.call("conversations.replies", where, sharedFiles);
    if (reply.kind !== "ok") return reply;
    const { byteLength } = bytesOf(text);
    const files = reply.value.messages.flatMap((message) => message.files ?? []);
    const found = files.find((file) => file.id !== not && file.name === name && file.size === byteLength);
    return ok(found?.id ?? null);
  }
}

const ok = <T>(value: T): Reply<T> => ({ kind: "ok", value });
const NONE: Reply<string | null> = ok(null);
const bytesOf = (text: string) => new TextEncoder().encode(text === "" ? "\n" : text);

async function upload(url: string, content: Uint8Array<ArrayBuffer>): Promise<Reply<string> | null> {
  try {
    const response = await fetch(url, {
      method: "POST",
      body: content,
      signal: AbortSignal.timeout(UPLOAD_MS),
    });
    return response.ok ? null : lost(`upload: HTTP ${response.status}`);
  } catch (error) {
    return lost(error instanceof Error ? error.message : String(error));
  }
}

const lost = (reason: string): Reply<never> => ({ kind: "lost", reason, afterMs: RETRY_MS });
