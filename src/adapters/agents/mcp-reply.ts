/** What a tool gives back, in words and as data. */
import { advice } from "../../core/advice.ts";
import type { Result, Waited } from "../../core/gate.ts";
import type { Leftovers } from "./mcp-late.ts";
import type { Explained, Reply } from "./mcp-ports.ts";

/** A reply that carries nothing which has to be acknowledged. */
export const plain = (result: Record<string, unknown>, line: string): Reply => ({
  result,
  line,
  isError: false,
  receipts: [],
  outcomes: [],
});

export function failed({ kind, message, help }: Explained): Reply {
  const line = [message, help].filter((part) => part !== "").join("\n");
  if (kind !== "unreachable") return { ...plain({ error: kind, message, help }, line), isError: true };
  return unreachable(plain({ status: kind, round: null, session: null, reason: message, help }, line));
}

/** Nobody can be asked: an error that somebody can mend, and the agent goes on without. */
export const unreachable = (reply: Reply): Reply => ({
  ...reply,
  result: { ...reply.result, advice: advice("unreachable") },
  isError: true,
});

/** Arguments or a payload that cannot be taken; every mistake is named. */
export const invalid = (issues: unknown): Reply => ({
  ...plain({ status: "invalid", issues }, "Nobody was asked. Correct every issue and call again."),
  isError: true,
});

/** Adds what was left from before to a reply. */
export function withLeftovers(reply: Reply, { late, unread, receipts }: Leftovers): Reply {
  const lines = [
    reply.line,
    late.length === 0 ? "" : `Answers to earlier questions came meanwhile: see "late".`,
    unread === 0 ? "" : `People wrote to you (${unread}): call inbox.`,
  ];
  return {
    ...reply,
    result: {
      ...reply.result,
      ...(late.length === 0 ? {} : { late }),
      ...(unread === 0 ? {} : { unread }),
    },
    line: lines.filter((line) => line !== "").join("\n"),
    receipts: [...reply.receipts, ...receipts],
    outcomes: [...reply.outcomes, ...late],
  };
}

/** What to do while people are still asked. */
export const goOn = (round: string): string =>
  `Nobody has decided yet; people are still asked. Call wait with {"round":"${round}"} to go on waiting, or do other work first: the answer is kept for you. Do not ask it again in other words.`;

/** When even putting the question up takes long: the same call finds it. */
export const CALL_AGAIN =
  "The question is still being put up. Make the same call with the same arguments again: it goes on with this question, nobody is asked twice.";

/** One line about a result. */
export function lineOf({ state, result, by }: Pick<Waited, "state" | "result" | "by">): string {
  const who = by === "" ? "" : ` by ${by}`;
  const isPermission = result.mode === "permission";
  switch (result.status) {
    case "submitted":
      return by === "" && result.mode === "clarity"
        ? "Nobody decided in time: the recommended options were taken."
        : `${verdictOf(result)}${who}.`;
    case "declined":
      return isPermission ? `Denied${who}: do not do it.` : words(`Skipped${who}.`, result);
    case "cancelled":
      return words(`Cancelled${who}.`, result);
    case "timeout":
      if (isPermission) return "No answer in time: denied, do not do it.";
      return words(state === "late" ? LATE : "No answer in time.", result);
    default:
      return words("", result) || `Status: ${result.status}.`;
  }
}

const LATE =
  "No answer in time. The question stays open: a later answer comes with one of your next calls, or call wait.";

const VERDICTS: Readonly<Record<string, string>> = {
  approve: "Approved",
  revise: "Changes requested",
  allow: "Allowed once",
  deny: "Denied",
};

const verdictOf = ({ decision }: Result): string =>
  (typeof decision === "string" ? VERDICTS[decision] : undefined) ?? "Answered";

const words = (said: string, { advice: told }: Result): string =>
  [said, typeof told === "string" ? told : ""].filter((part) => part !== "").join(" ");
