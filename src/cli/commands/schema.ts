/** `schema`: prints the JSON Schema of a payload. */
import { schemaOf } from "../../core/payload.ts";
import { UsageError } from "../exit.ts";
import { KINDS } from "../options.ts";
import { print, toText } from "../shell.ts";

export async function schema(name: string): Promise<number> {
  const kind = KINDS.find((candidate) => candidate === name);
  if (kind === undefined)
    throw new UsageError(`no payload is called "${name}"`, `Known: ${KINDS.join(", ")}.`);
  await print(toText(schemaOf(kind)));
  return 0;
}
