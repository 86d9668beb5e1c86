/**
 * How a session is written down: a small record that changes with every event, and records of their own for payloads and
 * settled rounds, which are written first and never change.
 */
import { AskgateError } from "./error.ts";
import type { Round } from "./round.ts";
import type { Session } from "./session.ts";
import { isPage } from "./sheet.ts";
import { due } from "./times.ts";
import type { Known } from "./which.ts";

/** Rises when a later version could not read what an earlier one wrote. */
const RECORD_VERSION = 1;

interface SettledNote {
  id: string;
  settled: true;
  acknowledged: boolean;
  at: number;
}

/** A round without what never changes: its payload, and a plan's blocks. */
type OpenNote = Omit<Round, "payload" | "blocks">;

export interface SessionRecord extends Omit<Session, "rounds"> {
  version: number;
  rounds: (SettledNote | OpenNote)[];
}

export const sessionKey = (id: string): string => `session/${id}`;
const payloadKey = (round: string): string => `payload/${round}`;
const settledKey = (round: string): string => `round/${round}`;

/** The records to write before the session's own, given what was written before. */
export function immutableRecords(before: Session | null, after: Session): [key: string, value: unknown][] {
  return after.rounds.flatMap((round): [string, unknown][] => {
    const earlier = before?.rounds.find(({ id }) => id === round.id);
    const payload: [string, unknown][] =
      earlier === undefined ? [[payloadKey(round.id), fixedPart(round)]] : [];
    const settles = round.outcome !== null && (earlier?.outcome ?? null) === null;
    return settles ? [...payload, [settledKey(round.id), openNote(round)]] : payload;
  });
}

const fixedPart = (round: Round): object =>
  round.kind === "plan" ? { payload: round.payload, blocks: round.blocks } : { payload: round.payload };

function openNote(round: Round): OpenNote {
  const { payload: _payload, ...note } = round;
  if (!("blocks" in note)) return note;
  const { blocks: _blocks, ...rest } = note;
  return rest;
}

export const toRecord = (session: Session): SessionRecord => ({
  ...session,
  version: RECORD_VERSION,
  rounds: session.rounds.map((round) =>
    round.outcome === null
      ? openNote(round)
      : { id: round.id, settled: true, acknowledged: round.acknowledged, at: round.outcome.at },
  ),
});

/** What a record's session needs to be read whole: the other records' values by key. */
export async function fromRecord(
  record: SessionRecord,
  read: (key: string) => Promise<unknown>,
): Promise<Session> {
  const { version: _version, ...session } = record;
  const rounds = record.rounds.map(async (note): Promise<Round> => {
    const fixed = await read(payloadKey(note.id));
    const state = "settled" in note ? await read(settledKey(note.id)) : note;
    if (!isObject(fixed) || !isObject(state)) throw damaged(note.id);
    return asRound({ ...state, ...fixed, acknowledged: note.acknowledged });
  });
  // Records of before chats were read back lack these.
  const { heard = {}, away = {}, edits = [] } = session;
  return { ...session, heard, away, edits, rounds: await Promise.all(rounds) };
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** A round as this program wrote it; anything else is damage. */
function asRound(value: object): Round {
  if (!isRound(value)) throw damaged("?");
  return value;
}

const isRound = (value: object): value is Round => "kind" in value && "payload" in value && "policy" in value;

export const isSessionRecord = (value: unknown): value is SessionRecord =>
  isObject(value) && "version" in value && value.version === RECORD_VERSION && "rounds" in value;

const damaged = (round: string): AskgateError =>
  new AskgateError("damaged", `A record of round ${round} is damaged or missing.`, {
    help: "The other rounds work. Ask again to open a new one.",
  });

/** The facts kept in memory, read from the record alone. */
export function knownFrom(record: SessionRecord): Known {
  const { id, project, name, agentSession, usedAt, ended } = record;
  const open = record.rounds.filter((note): note is OpenNote => !("settled" in note));
  const settled = record.rounds.flatMap((note) => ("settled" in note ? [note.at] : []));
  const pending = record.rounds.some(({ acknowledged }) => !acknowledged);
  const awaited = open.filter(({ lateAt }) => lateAt === null);
  return {
    id,
    project,
    name,
    agentSession,
    usedAt,
    ended,
    open: open.length,
    inChat: record.places.some(({ surface }) => !isPage(surface)),
    pending,
    due: dueOf(record, awaited, settled),
  };
}

function dueOf(record: SessionRecord, awaited: OpenNote[], settledAt: number[]): number | null {
  const late = record.rounds.flatMap((note) => ("settled" in note ? [] : (note.lateAt ?? [])));
  const { usedAt, ended } = record;
  return due({
    usedAt,
    ended,
    awaited: awaited.map(({ deadline }) => deadline),
    ends: [...settledAt, ...late],
  });
}
