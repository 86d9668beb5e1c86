/** A decision record to read: Markdown for a pull request, to keep beside the code. Text of others stays text in it. */
import { near, time, who } from "./decision-record-ending.ts";
import { headed, roundSection, saidBlock } from "./decision-record-sections.ts";
import type { DecisionRecord, RecordedRound } from "./decision-record-shape.ts";
import { code, inline, short } from "./markdown-text.ts";

/** From this many answers on they are listed before they are told. */
const WORTH_A_LIST = 2;

export function recordMarkdown(record: DecisionRecord): string {
  const list = record.rounds.flatMap(inShort);
  const last = record.rounds.findLast(({ kind }) => kind === "plan");
  const sections = [
    [`# Decision record: ${inline(record.title) || "nothing was asked"}`, "", ...origin(record)],
    headed("## In short", list.length < WORTH_A_LIST ? [] : list),
    ...record.rounds.map((round) => roundSection(round, round === last)),
    headed("## What people wrote to the agent", record.messages.flatMap(message)),
    headed(
      "## What the agent said",
      record.notes.flatMap(({ text, at }) => saidBlock(`- ${time(at)}:`, text)),
    ),
  ];
  return `${sections
    .filter(({ length }) => length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function origin({ origin: from, places, session, ...record }: DecisionRecord): string[] {
  const where = places.map(({ surface, label }) => near(label === surface ? "" : label, surface));
  const parts: [name: string, text: string][] = [
    ["Repository", [from.repo && code(from.repo), from.branch && `on ${code(from.branch)}`].join(" ").trim()],
    ["Agent", [inline(from.agent), from.host && `on ${inline(from.host)}`].join(" ").trim()],
    ["Asked in", where.join(", ")],
    ["Time", [time(record.startedAt), record.endedAt && `to ${time(record.endedAt)}`].join(" ").trim()],
    ["Session", [code(session), record.name && `(${inline(record.name)})`].join(" ").trim()],
  ];
  return parts.flatMap(([name, text]) => (text === "" ? [] : [`- ${name}: ${text}`]));
}

/** One line for each thing that was settled. */
function inShort(round: RecordedRound): string[] {
  switch (round.kind) {
    case "clarity":
      return round.decisions.map((decision) => {
        const { question, answer, by, status } = decision;
        const from = status === "defaulted" ? "by default" : inline(by ?? "");
        return line(question, answer === null ? "open" : answer, from);
      });
    case "plan":
      return [
        line(
          `Plan, version ${round.version}: ${round.title}`,
          verdict(round.decision, round.status),
          names(round),
        ),
      ];
    case "ask":
      return [line(round.title, round.answer ?? unanswered(round.status), inline(round.by ?? ""))];
    case "permission":
      return [line(round.title, verdict(round.decision, round.status), inline(round.by ?? ""))];
  }
}

function line(question: string, answer: string, from: string): string {
  const asked = inline(short(question));
  const given = inline(short(answer)) || "(blank)";
  return `- ${asked}${/[?!.:？！。：]$/.test(asked) ? "" : ":"} **${given}**${from === "" ? "" : ` (${from})`}`;
}

const VERDICTS: Readonly<Record<string, string>> = {
  approve: "approved",
  revise: "changes requested",
  allow: "allowed once",
  deny: "denied",
};

const verdict = (decision: string | null, status: string): string =>
  (decision === null ? undefined : VERDICTS[decision]) ?? unanswered(status);

const STATUSES: Readonly<Record<string, string>> = {
  declined: "skipped",
  timeout: "no answer in time",
  over_quota: "not asked: no questions were left",
  unreachable: "not asked: it could not be shown",
};

const unanswered = (status: string): string => STATUSES[status] ?? status;

const names = (round: Extract<RecordedRound, { kind: "plan" }>): string =>
  round.reviews
    .filter(({ decision }) => decision === round.decision)
    .map(({ by }) => inline(by ?? ""))
    .join(", ");

const message = (said: DecisionRecord["messages"][number]): string[] => {
  const taken = said.deliveredAt === null ? "not delivered" : `delivered ${time(said.deliveredAt)}`;
  return saidBlock(`- ${who(said)}, ${time(said.at)}, ${taken}:`, said.text, said.files);
};
