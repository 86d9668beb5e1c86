/** The place of a bot's socket; apart from `paths` because a command needs none of it. */
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join, resolve } from "node:path";
import { AskgateError } from "../../core/error.ts";
import { type Environment, exists, privateFolder, unsafe } from "./paths.ts";

/** Node silently cuts socket paths that do not fit into `sun_path` (104 bytes on macOS, 108 on Linux). */
const SOCKET_PATH_BYTES = 100;

/**
 * The socket of a state directory, in a folder that only the user can enter (made here). Throws `socket_path_too_long`
 * and `socket_folder_unsafe`.
 */
export function prepareSocket(stateDir: string, env: Environment = process.env): string {
  const name = createHash("sha256").update(stateDir).digest("hex").slice(0, 16);
  if (process.platform === "win32") return `\\\\.\\pipe\\askgate-${name}`;
  const path = join(socketFolder(env), `${name}.sock`);
  const bytes = Buffer.byteLength(path);
  if (bytes > SOCKET_PATH_BYTES) {
    throw new AskgateError(
      "socket_path_too_long",
      `The socket path ${path} has ${bytes} bytes, at most 100 work.`,
      {
        fields: { path, bytes },
        help: "Set XDG_RUNTIME_DIR or TMPDIR to a folder with a shorter path.",
      },
    );
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (!privateFolder(dirname(path))) throw unsafe(path);
  return path;
}

function socketFolder(env: Environment): string {
  const runtime = env.XDG_RUNTIME_DIR;
  if (runtime && exists(runtime)) return join(runtime, "askgate");
  return join(env.TMPDIR ? resolve(env.TMPDIR) : tmpdir(), `askgate-${userInfo().uid}`);
}
