/** What a command did wrong, and what to do instead. */
import { AskgateError } from "./error.ts";
import type { Place } from "./people.ts";
import type { Policy, Round } from "./round.ts";
import type { Choice } from "./which.ts";

export const usage = (message: string, help: string): AskgateError =>
  new AskgateError("usage", message, { help });

export const several = ({ ids }: Extract<Choice, { kind: "several" }>): AskgateError =>
  usage(
    `commands are waiting in several sessions of this project: ${ids.join(", ")}`,
    "Say which one is meant with --session, or set ASKGATE_SESSION for each agent.",
  );

export const busy = ({ id, kind }: Round): AskgateError =>
  usage(
    `round ${id} is still open in this session`,
    `Wait for it (askgate wait ${id}) or end it (askgate ${kind} down).`,
  );

export const nobody = ({ named }: Policy, places: Place[]): AskgateError =>
  usage(
    `nobody on ${places.map(({ label }) => label).join(", ")} may settle this: it is for ${named.map(({ name }) => name).join(", ")}`,
    "Ask where they are (--via, --to), or name other people.",
  );

export const notOpened = (stepped: { code: string; text: string }): AskgateError =>
  stepped.code === "not_saved"
    ? new AskgateError("store_failed", "the question could not be saved, so nobody was asked", {
        help: "See: askgate bot logs",
      })
    : usage(`the question could not be opened: ${stepped.code} ${stepped.text}`, "See: askgate list");
