/** The card of a question, and of a request for permission. */
import type { Card, ChoicePart, Control, Part } from "./card.ts";
import { cardKey } from "./place.ts";
import type { AskRound, PermissionRound } from "./round.ts";
import * as sheets from "./sheet.ts";
import { answerForm, denyForm, takesWords } from "./step-ask.ts";

export function askCards(sheet: sheets.Sheet<AskRound>): Card[] {
  const { round, say, session } = sheet;
  const { question, detail = "" } = round.payload;
  const left = round.outcome === null && round.remaining >= 0 ? say.questionsLeft(round.remaining) : "";
  const agent = session.origin.agent || "askgate";
  const parts: Part[] = [
    { kind: "title", text: agent, subtitle: say.asks, origin: sheets.originLine(session) },
    questionPart(sheet),
    ...sheets.text(detail),
    ...sheets.text(left, "quiet"),
    ...sheets.lateNote(sheet),
    ...sheets.deadlineNote(sheet),
    ...sheets.awayNote(sheet),
    ...sheets.endNote(sheet),
    ...(sheets.mayPress(sheet) ? [{ kind: "controls" as const, controls: [skip(sheet)] }] : []),
  ];
  return [
    sheets.card(sheet, {
      key: cardKey.round(round.id),
      mention: sheets.mentions(sheet),
      alert: sheets.alertLine(sheet, question, ""),
      parts,
    }),
  ];
}

const skip = (sheet: sheets.Sheet<AskRound>): Control =>
  sheets.control(sheet, { verb: "skip", label: sheet.say.skip });

function questionPart(sheet: sheets.Sheet<AskRound>): ChoicePart {
  const { round, say } = sheet;
  const { payload, outcome } = round;
  const open = sheets.mayPress(sheet);
  const answered = outcome?.status === "submitted" ? outcome : null;
  const other = {
    verb: "answer" as const,
    label: payload.options?.length ? say.other : say.yourAnswer,
    form: answerForm(round, say),
  };
  return {
    kind: "choice",
    target: "ask",
    number: 0,
    question: payload.question,
    why: "",
    entries: (payload.options ?? []).map((label, at) => ({
      value: `o${at}`,
      number: at + 1,
      label,
      description: "",
      reason: "",
      recommended: false,
      chosen: answered?.option === at + 1,
    })),
    multi: false,
    parent: null,
    answer: answered === null ? "" : say.answeredBy(answered.answer ?? "", answered.by?.name ?? ""),
    own: answered !== null && answered.option === null ? (answered.answer ?? "") : "",
    notes: [],
    reveals: [],
    pick: open ? sheets.buttonId(sheet, "answer") : null,
    other: open && takesWords(round) ? sheets.control(sheet, other) : null,
  };
}

export function permissionCards(sheet: sheets.Sheet<PermissionRound>): Card[] {
  const { round, say, session } = sheet;
  const { title, command, detail = "" } = round.payload;
  const controls = [
    sheets.control(sheet, { verb: "allow", label: say.allow, style: "primary" }),
    sheets.control(sheet, { verb: "deny", label: say.deny, style: "danger" }),
    sheets.control(sheet, {
      verb: "deny",
      target: "words",
      label: say.denyWords,
      form: denyForm(say),
    }),
  ];
  return [
    sheets.card(sheet, {
      key: cardKey.round(round.id),
      mention: sheets.mentions(sheet),
      alert: sheets.alertLine(sheet, title, say.wantsToRun),
      parts: [
        { kind: "title", text: title, subtitle: say.wantsToRun, origin: sheets.originLine(session) },
        ...sheets.text(command, "code"),
        ...sheets.text(detail),
        ...sheets.deadlineNote(sheet),
        ...sheets.awayNote(sheet),
        ...sheets.endNote(sheet),
        ...sheets.text(round.outcome?.reason ?? ""),
        ...(sheets.mayPress(sheet) ? [{ kind: "controls" as const, controls }] : []),
      ],
    }),
  ];
}
