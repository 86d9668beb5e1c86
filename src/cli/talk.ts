/** What a command says to people on standard error when its wait is over. */
import type { Result, Waited } from "../core/gate.ts";
import { harmless } from "./shell.ts";

/** "answered by Ana in Slack · 2 decisions · 00:01:12" */
export function closingLine({ state, result, by }: Omit<Waited, "carries">, took: string): string {
  if (state === "open") return ["still open", took, `askgate wait ${String(result.round)}`].join(" · ");
  if (state === "late") {
    return [
      "no answer in time",
      took,
      "the question stays open; a later answer comes with the session's next command",
    ].join(" · ");
  }
  return [how(result, by), amount(result), took].filter((part) => part !== "").join(" · ");
}

function how(result: Result, by: string): string {
  const [verb, alone] = settledAs(result);
  return by === "" ? alone : `${verb} by ${by}`;
}

/** What was done, with somebody's name after it and without. */
function settledAs({ status, mode, decision }: Result): [string, string] {
  if (status === "cancelled") return ["cancelled", "cancelled"];
  if (status === "declined") return mode === "permission" ? ["denied", "denied"] : ["skipped", "skipped"];
  if (status === "submitted" && decision === "revise") return ["changes requested", "changes requested"];
  if (status === "submitted" && decision === "approve") return ["approved", "approved"];
  if (status === "submitted" && decision === "allow") return ["allowed", "allowed"];
  if (status === "submitted")
    return ["answered", "nobody answered in time: the recommended options were taken"];
  return status === "timeout" ? ["no answer in time", "no answer in time"] : [status, status];
}

function amount({ result, annotations, status }: Result): string {
  if (status !== "submitted") return "";
  if (Array.isArray(result)) return count(result.length, "decision");
  return Array.isArray(annotations) && annotations.length > 0 ? count(annotations.length, "comment") : "";
}

const count = (n: number, thing: string): string => `${n} ${thing}${n === 1 ? "" : "s"}`;

/** The mistakes of a payload, one a line. */
export function listIssues(issues: unknown): string[] {
  if (!Array.isArray(issues)) return [];
  const lines = issues.map((issue: unknown) =>
    typeof issue === "object" && issue !== null && "path" in issue && "message" in issue
      ? `  ${String(issue.path)}: ${String(issue.message)}`
      : `  ${JSON.stringify(issue)}`,
  );
  return [`invalid payload: ${count(lines.length, "mistake")}`, ...lines.map(harmless)];
}
