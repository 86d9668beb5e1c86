/**
 * Connections with their tokens, in one file that only the user can read: written whole or not at all, and never logged.
 * One bot writes it, the one that holds the state directory's lock.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { AskgateError } from "../../core/error.ts";
import type { ChatName, Kept, Vault } from "../../core/surface.ts";
import { VAULT_FILE } from "./vault-file.ts";

const kept: z.ZodType<Kept> = z.object({
  credentials: z.object({
    surface: z.enum(["slack", "discord"]),
    tokens: z.record(z.string(), z.string()),
    baseUrl: z.string().nullable(),
  }),
  label: z.string(),
  about: z.record(z.string(), z.string()),
  me: z.object({ id: z.string(), name: z.string() }).nullable(),
});

const contents = z.object({
  slack: z.record(z.string(), kept).default({}),
  discord: z.record(z.string(), kept).default({}),
});
type Contents = Record<ChatName, Record<string, Kept>>;

/**
 * What is kept. A file that cannot be used is set aside under another name and told to `onDamaged`; nothing is kept then.
 * Throws `store_failed` when the disk refuses.
 */
export function openVault(stateDir: string, onDamaged: (error: AskgateError) => void): Vault {
  const path = join(stateDir, VAULT_FILE);
  let now = load(path, onDamaged);
  let writing: Promise<void> = Promise.resolve();

  async function put(surface: ChatName, connection: string, value: Kept): Promise<void> {
    const next = { ...now, [surface]: { ...now[surface], [connection]: value } };
    await write(path, next);
    now = next;
  }

  return {
    list: (surface) => ({ ...now[surface] }),
    put(surface, connection, value) {
      const done = writing.then(() => put(surface, connection, value));
      writing = done.catch(() => {});
      return done;
    },
  };
}

function load(path: string, onDamaged: (error: AskgateError) => void): Contents {
  rmSync(temporary(path), { recursive: true, force: true });
  try {
    const text = readPrivately(path);
    return text === null ? { slack: {}, discord: {} } : contents.parse(JSON.parse(text));
  } catch (cause) {
    onDamaged(setAside(path, cause));
    return { slack: {}, discord: {} };
  }
}

/** Null when there is none. Others lose what they could read, whoever gave it to them. */
function readPrivately(path: string): string | null {
  const file = openIfThere(path);
  if (file === null) return null;
  try {
    const found = fstatSync(file);
    if (!found.isFile()) throw new Error("it is no file");
    if (process.getuid !== undefined && found.uid !== process.getuid())
      throw new Error("it is another user's");
    if ((found.mode & 0o077) !== 0) fchmodSync(file, 0o600);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

function openIfThere(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

/** Moves the file away, so that nobody overwrites what may still be rescued. */
function setAside(path: string, cause: unknown): AskgateError {
  const aside = `${path}.damaged-${Date.now()}`;
  let where = `It is kept as ${aside}.`;
  try {
    renameSync(path, aside);
  } catch (error) {
    where = `It cannot be moved away: ${reasonOf(error)}.`;
  }
  // The reason of a parser may quote the file.
  const reason =
    cause instanceof SyntaxError || cause instanceof z.ZodError ? "it is damaged" : reasonOf(cause);
  return new AskgateError("connections_damaged", `${path} cannot be used: ${reason}. ${where}`, {
    fields: { path },
    help: "Connect again: askgate setup slack, askgate setup discord",
  });
}

async function write(path: string, value: Contents): Promise<void> {
  try {
    await rm(temporary(path), { force: true });
    const file = await open(temporary(path), "wx", 0o600);
    try {
      await file.writeFile(`${JSON.stringify(value, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary(path), path);
    await syncFolder(join(path, ".."));
  } catch (cause) {
    throw new AskgateError("store_failed", `The connection cannot be kept: ${reasonOf(cause)}`, {
      fields: { path },
      help: "Check the disk under the state directory, then connect again.",
      cause,
    });
  }
}

/** The name is on the disk too; where folders cannot be synced (Windows) the system sees to it. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  await folder.sync().finally(() => folder.close());
}

const temporary = (path: string): string => `${path}.new`;

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
