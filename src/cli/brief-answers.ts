/** What people answered in this project already, out of the bot's store: a resumed agent asks none of it again. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { connect } from "../adapters/link/client.ts";
import { stateDirectory } from "../adapters/link/paths.ts";
import { decisionRecord } from "../core/decision-record.ts";
import type { RecordedAsk, RecordedClarity, RecordedRound } from "../core/decision-record-shape.ts";
import type { Gate } from "../core/gate.ts";
import { FREEZE, lastArchived } from "./brief-files.ts";

export interface Answered {
  question: string;
  answer: string;
  /** Null where it was taken by default. */
  by: string | null;
  at: string | null;
}

/** A question that was put, and that nobody answered. */
export interface Unanswered {
  question: string;
  status: string;
}

export interface Known {
  answered: Answered[];
  unanswered: Unanswered[];
  /** Why nothing is known; null where something could be. */
  unknown: string | null;
}

/** Sessions that are looked at, the last ones. */
const MOST = 20;

/** All since the last brief was archived. A bot is started for it only where one has kept something. */
export async function knownAnswers(project: string): Promise<Known> {
  const kept = existsSync(join(stateDirectory(), "store"));
  try {
    const gate = await connect({ start: kept });
    try {
      return await readAnswers(gate, project);
    } finally {
      gate.close();
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const unknown = kept
      ? `the answers so far are not known: ${why}`
      : "no bot runs and nothing is kept: no question was asked here";
    return { answered: [], unanswered: [], unknown };
  }
}

async function readAnswers(gate: Gate, project: string): Promise<Known> {
  const since = lastArchived(project);
  const sessions = (await gate.list(project)).filter(({ usedAt }) => Date.parse(usedAt) >= since);
  const shown = await Promise.all(sessions.slice(0, MOST).map(({ session }) => gate.show(session)));
  const rounds = shown.toReversed().flatMap((session) => decisionRecord(session).rounds);
  const recent = rounds.filter(({ askedAt }) => Date.parse(askedAt) >= since);
  return { answered: recent.flatMap(answersOf), unanswered: recent.flatMap(unansweredOf), unknown: null };
}

function answersOf(round: RecordedRound): Answered[] {
  if (round.kind === "clarity") return round.decisions.flatMap(decisionAnswer);
  return round.kind === "ask" && isQuestion(round) ? askAnswer(round) : [];
}

const decisionAnswer = ({ question, answer, by, at }: RecordedClarity["decisions"][number]): Answered[] =>
  answer === null ? [] : [{ question, answer, by, at }];

const askAnswer = ({ title, answer, by, settledAt }: RecordedAsk): Answered[] =>
  answer === null ? [] : [{ question: title, answer, by, at: settledAt }];

function unansweredOf(round: RecordedRound): Unanswered[] {
  const open = { status: round.status };
  if (round.kind === "clarity") {
    const decisions = round.decisions.filter(({ answer }) => answer === null);
    return decisions.map(({ question }) => ({ question, ...open }));
  }
  return round.kind === "ask" && isQuestion(round) && round.answer === null
    ? [{ question: round.title, ...open }]
    : [];
}

/** Whether a brief may be frozen is no question about the task. */
const isQuestion = ({ optionIds }: RecordedAsk): boolean => !optionIds.includes(FREEZE);
