/** The words of a decision record for who, when, and how something ended. */
import type { By, RecordedRound } from "./decision-record-shape.ts";
import { inline, quote } from "./markdown-text.ts";
import type { SurfaceName } from "./people.ts";
import { words } from "./words.ts";

const say = words("");

/** `2026-11-30 10:00 UTC` */
export const time = (iso: string): string => `${iso.slice(0, 16).replace("T", " ")} UTC`;

export const near = (label: string, surface: SurfaceName): string =>
  label === "" ? say[surface] : say.inPlace(inline(label), say[surface]);

export const who = ({ by, where }: By): string =>
  by === null || where === null ? "nobody" : near(by, where);

/** How it ended, by whom and when. */
export function ending(round: RecordedRound, settled: string): string[] {
  const at = round.settledAt === null ? "" : `, ${time(round.settledAt)}`;
  const late = round.wentOnAt === null ? "" : ` The agent had gone on at ${time(round.wentOnAt)}.`;
  const reason = round.reason === null ? [] : ["", ...quote(round.reason)];
  return [`${how(round, settled)}${at}.${late}`, ...reason];
}

function how(round: RecordedRound, settled: string): string {
  const by = round.by === null ? "" : ` by ${who(round)}`;
  switch (round.status) {
    case "submitted":
      return by === "" && round.kind === "clarity"
        ? "Nobody sent it in time; what was open was taken as recommended"
        : `${settled}${by}`;
    case "declined":
      return `${round.kind === "permission" ? "Denied" : "Skipped"}${by}`;
    case "cancelled":
      if (round.elsewhere) return "Answered at the agent's own prompt";
      return by === "" ? "Withdrawn by the agent" : `Cancelled${by}`;
    case "timeout":
      return "Nobody answered in time";
    case "over_quota":
      return "Not put to people: no questions were left";
    case "unreachable":
      return "Not put to people: it could not be shown";
    default:
      return "Still open";
  }
}
