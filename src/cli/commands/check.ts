/** `check`: validates a payload and names every mistake, without a bot. */
import { PayloadError } from "../../core/error.ts";
import { parsePayload } from "../../core/payload.ts";
import { exitOfStatus } from "../exit.ts";
import { readPayload } from "../input.ts";
import type { PayloadKind } from "../options.ts";
import { print, say, toText } from "../shell.ts";
import { listIssues } from "../talk.ts";

export async function check(file: string | undefined, wanted: PayloadKind | undefined): Promise<number> {
  const payload = await readPayload(file);
  const kind = wanted ?? kindOf(payload);
  try {
    parsePayload(kind, payload);
    await print(toText({ status: "valid", kind }));
    return 0;
  } catch (error) {
    if (!(error instanceof PayloadError)) throw error;
    await print(toText({ status: "invalid", kind, issues: error.issues }));
    for (const line of listIssues(error.issues)) say(line);
    return exitOfStatus("invalid");
  }
}

/** What a payload looks like; a page of decisions when it looks like nothing. */
function kindOf(payload: unknown): PayloadKind {
  const has = (key: string): boolean =>
    typeof payload === "object" && payload !== null && Object.hasOwn(payload, key);
  if (has("decisions")) return "clarity";
  if (has("plan")) return "plan";
  if (has("question")) return "ask";
  return has("command") ? "permission" : "clarity";
}
