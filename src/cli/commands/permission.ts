/** `permission`: may the agent run this? Nobody's answer is no. */
import { UsageError } from "../exit.ts";
import { readPayload, readText } from "../input.ts";
import { askAndWait, type RoundFlags } from "../round.ts";

export interface PermissionFlags extends RoundFlags {
  /** `-` is standard input, here and in `detail`. */
  command?: string;
  detail?: string;
}

export async function permission(title: string | undefined, flags: PermissionFlags): Promise<number> {
  const payload = await payloadOf(title, flags);
  return askAndWait({ kind: "permission", again: false, flags, payload });
}

const EXAMPLE = 'For example:  askgate permission "Migrate the database" --command "npm run migrate"';

async function payloadOf(title: string | undefined, flags: PermissionFlags): Promise<unknown> {
  const { input, command, detail } = flags;
  const worded = [title, command, detail].some((text) => text !== undefined);
  if (input !== undefined) {
    if (worded) throw new UsageError("the payload has it all: no title, --command or --detail beside it");
    return readPayload(input);
  }
  if (!worded) return readPayload(undefined);
  if (title === undefined) throw new UsageError("say in a title what you want to do", EXAMPLE);
  if (command === undefined) throw new UsageError("say with --command what will be run", EXAMPLE);
  if (command === "-" && detail === "-")
    throw new UsageError("standard input cannot be both --command and --detail");
  const read = (text: string) => (text === "-" ? readText("-", ["no command", EXAMPLE]) : text);
  return {
    title,
    command: await read(command),
    ...(detail === undefined ? {} : { detail: await read(detail) }),
  };
}
