/** What an agent is told about how a question ended: who, in which words, and what to do now. */
import { z } from "zod";
import { advice, GO_ON } from "../../core/advice.ts";
import type { Result } from "../../core/gate.ts";

const who = z.looseObject({ by: z.string().optional(), where: z.string().optional() });
const PLACES: Readonly<Record<string, string>> = {
  slack: "Slack",
  discord: "Discord",
  web: "the browser",
  terminal: "the terminal",
};

/** "Ana in Slack"; "Somebody" where it is not known. */
export function whoSaid(said: unknown): string {
  const { by, where } = who.safeParse(said).data ?? {};
  if (!by) return "Somebody";
  const place = where === undefined ? "" : (PLACES[where] ?? where);
  return place === "" ? by : `${by} in ${place}`;
}

/** Cancelled at the agent's own prompt, or on askgate's in a terminal: whoever sits there has the word. */
export const isElsewhere = ({ status, where }: Result): boolean =>
  status === "cancelled" && where === "terminal";

/** Why a question has no answer, and that the agent goes on by itself; in the result's own words where it has some. */
export function unanswered(result: Result): string {
  const said = typeof result.advice === "string" ? result.advice : null;
  switch (result.status) {
    case "submitted":
      return `Not every question was answered. ${GO_ON}`;
    case "cancelled":
      return `${whoSaid(result)} cancelled the question. ${said ?? GO_ON}`;
    case "unreachable":
      return `Nobody could be asked: ${String(result.reason ?? "no place took the question")}. ${GO_ON}`;
    default:
      return `${said ?? advice("timeout")} The question stays open: \`askgate wait ${String(result.round)} --timeout 1m\` prints an answer that comes later.`;
  }
}

/** Why a plan is not approved. */
export function unreviewed(result: Result): string {
  if (result.status === "cancelled") {
    return `${whoSaid(result)} cancelled the review, so the plan is not approved. Do not carry it out; ask what is wanted instead.`;
  }
  const wait = `\`askgate wait ${String(result.round)} --timeout 8m\``;
  return `Nobody has settled the review, so the plan is not approved. Do not carry it out. The review stays open: ${wait} waits for it, and presenting the same plan again attaches to it.`;
}

const annotation = z.looseObject({
  blockIndex: z.number(),
  span: z.tuple([z.number(), z.number()]).optional(),
  quote: z.string(),
  comment: z.string(),
});
const remarks = z.looseObject({
  annotations: z.array(annotation).default([]),
  feedback: z.array(z.looseObject({ text: z.string() })).default([]),
  reviews: z.array(z.looseObject({ decision: z.string() })).default([]),
});

/** Every comment with its block, quote and author, then what was said on the whole; "" if there is nothing. */
export function remarksOf(result: Result): string {
  const { annotations, feedback } = remarks.parse(result);
  const onBlocks = annotations.map((one) => {
    const [from, to] = one.span ?? [one.blockIndex, one.blockIndex];
    const blocks = from === to ? `¶${from + 1}` : `¶${from + 1}–¶${to + 1}`;
    return `${blocks} “${one.quote}” — ${whoSaid(one)}: ${one.comment}`;
  });
  return [...onBlocks, ...feedback.map((one) => `On the whole plan — ${whoSaid(one)}: ${one.text}`)].join(
    "\n",
  );
}

/** That changes are wanted, by whom, and which. */
export function changesWanted(result: Result, next: string): string {
  const asking = remarks.parse(result).reviews.filter(({ decision }) => decision === "revise");
  const names = asking.map(whoSaid).join(", ") || "The reviewers";
  const said = remarksOf(result);
  return [`${names} asked for changes to the plan.`, ...(said === "" ? [] : [said]), next].join("\n\n");
}

/** Why something may not be run. */
export function denied(result: Result): string {
  const { status, reason } = result;
  const words = typeof reason === "string" && reason !== "" ? `: ${reason}` : ".";
  if (status === "declined") return `${whoSaid(result)} denied this${words}`;
  if (status === "cancelled") return `${whoSaid(result)} withdrew the question, so this is denied.`;
  return "Nobody allowed this in time, so it is denied. Do not look for another way to do the same; go on with what needs no permission, or say what is needed.";
}
