/** What an agent is told where there is no answer. */

/** Why an answer is not there: the outcome's status, or that the round is open and the command stops waiting. */
export type Status =
  | "submitted"
  | "cancelled"
  | "declined"
  | "timeout"
  | "pending"
  | "over_quota"
  | "unreachable"
  | "invalid";

/** What an agent should do without an answer: go on, write the assumption down, not ask again, not stop. */
export function advice(status: Status): string {
  if (status === "invalid") return "Nobody was asked, and it does not count: mend the question and ask it.";
  const why: Partial<Record<Status, string>> = {
    over_quota: "No questions are left in this session.",
    declined: "The question was skipped; the decision is yours.",
    cancelled: "The question was withdrawn.",
    unreachable: "Nobody can be reached.",
  };
  return `${why[status] ?? "Nobody has answered yet."} ${GO_ON}`;
}

/** What every advice comes to. */
export const GO_ON =
  'Go on by your own judgement. Write the question and the assumption you make under "Unknowns and assumptions". Do not ask it again, and do not stop here.';
