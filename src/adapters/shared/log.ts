/** The bot's log: lines of JSON in files that only the user can read, a few megabytes in all. */
import { join } from "node:path";
import { pino } from "pino";
import { createStream, type RotatingFileStream } from "rotating-file-stream";
import { maskText } from "../../core/mask.ts";
import type { Log } from "../../core/ports.ts";

export interface LogFile extends Log {
  path: string;
  /** Resolves when every line is in the file. */
  close(): Promise<void>;
}

export interface LogOptions {
  dir: string;
  /** Of the file: `bot.log`. */
  name: string;
  /** Size at which a file is put away as `<name>.1`, `.2` … */
  bytes?: number;
  /** Files that are kept besides the current one. */
  keep?: number;
}

const SECRETS = ["token", "tokens", "credentials", "secret", "authorization", "cookie", "password", "ticket"];

const HIDDEN = { hidden: () => "[secret]" };

export function openLog({ dir, name, bytes = 5 * 1024 * 1024, keep = 3 }: LogOptions): LogFile {
  const file = new RotatingFile(() =>
    createStream(name, { path: dir, size: `${bytes}B`, rotate: keep, mode: 0o600 }),
  );
  const logger = pino(
    {
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      serializers: { error: pino.stdSerializers.err, cause: pino.stdSerializers.err },
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: "[secret]" },
    },
    file,
  );
  return {
    path: join(dir, name),
    info: (message, fields = {}) => logger.info(fields, message),
    warn: (message, fields = {}) => logger.warn(fields, message),
    error: (message, fields = {}) => logger.error(fields, message),
    close: () => file.close(),
  };
}

/** A full disk must not end the bot: lines are lost until the file can be opened again. */
class RotatingFile {
  private static readonly RETRY_MS = 10_000;
  private stream: RotatingFileStream | null = null;
  private failedAt = 0;
  private readonly open: () => RotatingFileStream;

  constructor(open: () => RotatingFileStream) {
    this.open = open;
  }

  write(line: string): void {
    if (this.stream === null && Date.now() - this.failedAt > RotatingFile.RETRY_MS) {
      this.stream = this.open().on("error", () => this.fail());
    }
    // Whatever brought it here: an error of somebody else's library may hold the request that failed.
    this.stream?.write(maskText(line, HIDDEN));
  }

  close(): Promise<void> {
    const stream = this.stream;
    this.stream = null;
    return new Promise((resolve) => {
      if (stream === null || stream.destroyed) return resolve();
      stream.once("error", () => resolve()).end(() => resolve());
    });
  }

  private fail(): void {
    this.stream = null;
    this.failedAt = Date.now();
  }
}
