/**
 * What was decided in a session, and how, as data to keep beside the code: everything that was asked, the options that
 * were considered, who chose, when and where. Secrets of known shapes are masked. Decides nothing.
 */
import { recordedRound, saidOf } from "./decision-record-rounds.ts";
import type { DecisionRecord } from "./decision-record-shape.ts";
import { AskgateError } from "./error.ts";
import { maskText } from "./mask.ts";
import { isoTime } from "./outcome.ts";
import { titleOf } from "./round.ts";
import type { Session } from "./session.ts";
import { words } from "./words.ts";

/** The parts of a session that a record is made of, as `Gate.show` hands them over. */
type Source = Pick<
  Session,
  "id" | "name" | "origin" | "places" | "createdAt" | "ended" | "rounds" | "inbox" | "notes"
>;

/** The record of what `Gate.show` gave. Throws `damaged` where that is no session. */
export function decisionRecord(shown: object): DecisionRecord {
  if (!isSource(shown)) throw new AskgateError("damaged", "The session could not be read.");
  return withMasked(recordOf(shown));
}

function recordOf({ id, name, origin, places, createdAt, ended, rounds, ...rest }: Source): DecisionRecord {
  const plans = rounds.filter(({ kind }) => kind === "plan");
  const [first] = rounds;
  return {
    version: 1,
    session: id,
    name,
    title: first === undefined ? "" : titleOf(first),
    origin,
    places: places.map(({ surface, label }) => ({ surface, label })),
    startedAt: isoTime(createdAt),
    endedAt: ended === null ? null : isoTime(ended.at),
    ended: ended?.how ?? null,
    rounds: rounds.map((round) => recordedRound(round, plans.indexOf(round) + 1)),
    messages: rest.inbox.map((message) => ({
      ...saidOf(message),
      deliveredAt: message.takenAt === null ? null : isoTime(message.takenAt),
    })),
    notes: rest.notes.flatMap(({ text, at, by }) => (by === "agent" ? [{ text, at: isoTime(at) }] : [])),
  };
}

const PARTS = ["origin", "places", "createdAt", "rounds", "inbox", "notes"];

/** A session as this program keeps it: the bot has read it out of its store. */
const isSource = (shown: object): shown is Source =>
  PARTS.every((part) => part in shown) && "rounds" in shown && Array.isArray(shown.rounds);

/** The record with every text masked. */
function withMasked(record: DecisionRecord): DecisionRecord {
  const say = words("");
  return JSON.parse(JSON.stringify(record), (_, value: unknown) =>
    typeof value === "string" ? maskText(value, say) : value,
  );
}
