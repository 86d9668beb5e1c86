/** What the cards of every kind of round have in common: where it comes from, who is told, how it ended. */

import type { Limits } from "./card.ts";
import { type Card, type Control, type Part, type Pointer, TIME } from "./card.ts";
import type { Form } from "./effect.ts";
import { formatButton, type Verb } from "./event.ts";
import type { Place, SurfaceName, Who } from "./people.ts";
import { type Outcome, type Round, titleOf } from "./round.ts";
import type { Session } from "./session.ts";
import type { Words } from "./words.ts";

/** Where and how a session is drawn. */
export interface Drawing {
  place: Pick<Place, "surface" | "direct">;
  limits: Limits;
  locale: string;
  /** The address of a card, null while it does not stand; undefined where cards have none. */
  url?: (key: string) => string | null;
}

/** What the cards of one round are drawn from. */
export interface Sheet<R extends Round = Round> {
  session: Session;
  round: R;
  drawing: Drawing;
  say: Words;
  /** The home message's key, for rounds that stand in its thread; null for the round that is home. */
  home: string | null;
}

/** "shop-web@main · Claude on mac-7", without what is unknown. */
export function originLine({ origin }: Session): string {
  const repo = [origin.repo, origin.branch].filter(Boolean).join("@");
  const agent = [origin.agent, origin.host].filter(Boolean).join(" on ");
  return [repo, agent].filter(Boolean).join(" · ");
}

/** The notification: what is wanted, the title, where it comes from. */
export const alertLine = (sheet: Sheet, title: string, wanted: string): string =>
  [[title, wanted].filter(Boolean).join(" "), originLine(sheet.session)].filter(Boolean).join(" · ");

/** Whom a round's first card notifies here: those it needs by name, and whoever acted last. */
export function mentions({ round, drawing, home }: Sheet): string[] {
  const named = round.policy.named.flatMap(({ ids }) => ids);
  const last = home !== null && round.after !== null ? [round.after.id] : [];
  const here = (id: string): boolean => id.startsWith(`${drawing.place.surface}:`);
  return [...new Set([...named, ...last])].filter(here);
}

export const isOver = ({ session, round }: Sheet): boolean =>
  round.outcome !== null || session.ended !== null;

/** May anybody press here? Local people only look on where others are named. */
export const mayPress = (sheet: Sheet): boolean =>
  !isOver(sheet) && (sheet.round.policy.named.length === 0 || !isPage(sheet.drawing.place.surface));

/** Page and terminal belong to one local person, and show what other surfaces keep in their threads. */
export const isPage = (surface: SurfaceName): boolean => surface === "web" || surface === "terminal";

/** The id of a button of this round. */
export const buttonId = ({ session, round }: Sheet, verb: Verb, target = "-", rev = 0): string =>
  formatButton({ store: session.store, verb, round: round.id, rev, target });

export interface ControlLook {
  verb: Verb;
  label: string;
  target?: string;
  rev?: number;
  style?: Control["style"];
  confirm?: Control["confirm"];
  form?: Omit<Form, "button">;
}

export function control(sheet: Sheet, look: ControlLook): Control {
  const id = buttonId(sheet, look.verb, look.target, look.rev);
  const { verb, label, style = "plain", confirm = null, form } = look;
  return { id, verb, label, style, confirm, form: form === undefined ? null : { ...form, button: id } };
}

export const cancelControl = (sheet: Sheet): Control =>
  control(sheet, { verb: "cancel", label: sheet.say.cancel, style: "danger", confirm: cancelling(sheet) });

/** Asked before something is cancelled. */
export const cancelling = ({ say }: Pick<Sheet, "say">) => ({ text: say.cancelSure, decline: say.keepOpen });

type Tone = Extract<Part, { kind: "text" }>["tone"];

export const text = (value: string, tone: Tone = "body", at: number | null = null): Part[] =>
  value === "" ? [] : [{ kind: "text", text: value, tone, at }];

/** A card of this round, with what all of them share. */
export const card = (sheet: Sheet, look: Pick<Card, "key" | "parts"> & Partial<Card>): Card => ({
  round: sheet.round.id,
  under: sheet.home,
  settled: isOver(sheet),
  topic: titleOf(sheet.session.rounds.find(({ id }) => id === sheet.home) ?? sheet.round),
  mention: [],
  alert: "",
  ...look,
});

/** "The agent went on", while the round is open all the same. */
export const lateNote = ({ round, say }: Sheet): Part[] =>
  round.outcome === null && round.lateAt !== null ? text(say.wentOn(TIME), "warn", round.lateAt) : [];

/** By when an answer is wanted. */
export const deadlineNote = ({ round, say }: Sheet): Part[] =>
  round.outcome === null && round.lateAt === null && round.deadline !== null
    ? text(say.until(TIME), "quiet", round.deadline)
    : [];

/** A bot that was away says so, until somebody presses again. */
export function awayNote({ session, round, say, drawing }: Sheet): Part[] {
  const until = session.away[drawing.place.surface];
  const missed = until !== undefined && round.openedAt < until && round.outcome === null;
  return missed ? text(say.wasAway(TIME), "warn", until) : [];
}

/** Leads to other cards, where cards have addresses. */
export function pointers({ drawing }: Pick<Sheet, "drawing">, list: Omit<Pointer, "url">[]): Part[] {
  const { url } = drawing;
  if (url === undefined || list.length === 0) return [];
  return [{ kind: "pointers", pointers: list.map((pointer) => ({ ...pointer, url: url(pointer.key) })) }];
}

/** How the round ended, in one line; nothing while it is open. */
export function endNote(sheet: Sheet): Part[] {
  const { outcome } = sheet.round;
  if (outcome === null) return [];
  const tone = outcome.status === "submitted" ? "good" : "quiet";
  return text(ending(sheet, outcome), tone, outcome.at);
}

function ending({ round, say }: Sheet, outcome: Outcome): string {
  const name = outcome.by?.name ?? "";
  const where = outcome.by === null ? "" : say[outcome.by.surface];
  switch (outcome.status) {
    case "submitted":
      return submitted(round, say, outcome);
    case "cancelled":
      if (outcome.elsewhere) return say.answeredIn(name, where, TIME);
      return outcome.by === null ? say.cancelledByAgent(TIME) : say.cancelledBy(name, where, TIME);
    case "declined":
      return round.kind === "permission" ? say.deniedBy(name, where, TIME) : say.skippedBy(name, where, TIME);
    case "timeout":
    case "over_quota":
      return say.timedOut(TIME);
    case "unreachable":
      return say.unreachable;
  }
}

/** "Ben, Ana in Slack, Cho in the browser" */
function namesByPlace(reviews: { by: Who }[], say: Words): string {
  const surfaces = [...new Set(reviews.map(({ by }) => by.surface))];
  const namesOn = (surface: SurfaceName): string =>
    reviews.flatMap(({ by }) => (by.surface === surface ? [by.name] : [])).join(", ");
  return surfaces.map((surface) => say.inPlace(namesOn(surface), say[surface])).join(", ");
}

function submitted(round: Round, say: Words, outcome: Outcome): string {
  const name = outcome.by?.name ?? "";
  const where = outcome.by === null ? "" : say[outcome.by.surface];
  switch (round.kind) {
    case "clarity":
      return outcome.by === null ? say.sentByNobody(TIME) : say.sentBy(name, where, TIME);
    case "ask":
      return say.answeredIn(name, where, TIME);
    case "permission":
      return say.allowedBy(name, where, TIME);
    case "plan": {
      const { decision } = outcome;
      const agreeing = round.reviews.filter((review) => review.decision === decision);
      const names = namesByPlace(agreeing, say);
      return decision === "approve" ? say.approvedBy(names, TIME) : say.reviseBy(names, TIME);
    }
  }
}
