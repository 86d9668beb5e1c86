/**
 * What a typed message means: exactly one thing, the first that fits — a comment on a block, an answer, feedback on the
 * plan, else a message to the agent. In a channel a plain message never answers by itself.
 */

import { who } from "./act.ts";
import { changed, reject, type Stepped } from "./effect.ts";
import { type Accepted, formatButton, type Press, type Typed } from "./event.ts";
import { placeKey } from "./people.ts";
import { blockOf, cardOf, cardUnder, type Taker, takers } from "./place.ts";
import { mayAct, mayComment } from "./policy.ts";
import type { Annotation, PlanRound } from "./round.ts";
import { findRound, type Session, type Tell } from "./session.ts";
import { asksForStatus, statusText } from "./status.ts";
import { answerAsk } from "./step-ask.ts";
import { store } from "./step-clarity.ts";
import { addFeedback, annotate } from "./step-plan.ts";
import { words } from "./words.ts";

export function takeTyped(session: Session, event: Typed, now: number): Stepped {
  const heard = event.ahead ? session : noteHeard(session, placeKey(event.place), event.at);
  const annotated = asAnnotation(heard, event, now);
  const status = annotated === null ? asStatus(heard, event, now) : null;
  if (status !== null) return status;
  const stepped = annotated ?? asAnswer(heard, event, now) ?? asFeedback(heard, event, now);
  return stepped === null ? toInbox(heard, event, now) : withTell(stepped, event, "kept");
}

/** Everything that was written in a place up to then was heard. */
export const noteHeard = (session: Session, place: string, at: number): Session => ({
  ...session,
  heard: { ...session.heard, [place]: Math.max(at, heardAt(session, place)) },
});

export const heardAt = ({ heard }: Session, place: string): number =>
  Object.hasOwn(heard, place) ? (heard[place] ?? 0) : 0;

const pressOf = (event: Typed): Press => ({
  ...event,
  type: "press",
  button: "",
  values: [],
  words: event.text,
});

const filesOf = ({ files }: Typed) => (files.length > 0 ? { files } : {});

/** The open plan that a message's place belongs to, if its author may comment on it. */
export function planAt(
  session: Session,
  event: Pick<Typed, "actor" | "place">,
  round: string | undefined,
): PlanRound | null {
  const plan = round === undefined ? undefined : findRound(session, round);
  if (plan?.kind !== "plan" || plan.outcome !== null || session.ended) return null;
  return mayComment(plan.policy, event.actor, event.place) ? plan : null;
}

function asAnnotation(session: Session, event: Typed, now: number): Stepped | null {
  const at = blockOf(session, event);
  const plan = planAt(session, event, at?.round);
  if (at === null || plan === null) return null;
  const made = anchored(plan, at.span, event.text);
  return annotate(
    { session, round: plan, press: pressOf(event), now },
    { source: event.id, ...made, ...filesOf(event) },
  );
}

/** Which block of a message the words are about: the one that they name by its number (`5: …`) or quote, else the first. */
export function anchored(
  plan: PlanRound,
  [first, last]: [number, number],
  text: string,
): Pick<Annotation, "blockIndex" | "comment" | "span"> {
  const numbered = /^\s*¶?(\d{1,6})\s*[:：]\s*([\s\S]+)$/.exec(text);
  const named = Number(numbered?.[1] ?? 0) - 1;
  if (named >= first && named <= last) return { blockIndex: named, comment: (numbered?.[2] ?? "").trim() };
  const quoted = plan.blocks.slice(first, last + 1).find(({ quote }) => quote !== "" && quotes(text, quote));
  const exact = quoted?.index ?? (first === last ? first : null);
  const comment = text.trim();
  return exact === null
    ? { blockIndex: first, comment, span: [first, last] }
    : { blockIndex: exact, comment };
}

/** Does the text begin by quoting the block (`> …`)? */
function quotes(text: string, quote: string): boolean {
  const quoted = /^\s*(?:>|&gt;)\s*(.+)/.exec(text)?.[1]?.trim() ?? "";
  return quoted.length >= 4 && quote.includes(quoted);
}

/** A question about how things stand is answered in the thread, and is nothing for the agent. */
function asStatus(session: Session, event: Typed, now: number): Stepped | null {
  if (!asksForStatus(event.text) || !event.actor.inPlace) return null;
  const note = { text: statusText(session), at: now, by: "bot" as const };
  return changed({ ...session, notes: [...session.notes, note] });
}

function asAnswer(session: Session, event: Typed, now: number): Stepped | null {
  const open = takers(session).filter(({ round }) => mayAct(round.policy, event.actor, event.place));
  if (event.doubtful) return null;
  const replied = event.anchor?.kind === "reply" ? cardOf(session, event.place, event.anchor.handle) : null;
  const [only, ...others] = replied === null ? open : open.filter(({ card }) => card === replied);
  const direct = event.place.direct && others.length === 0;
  if (only === undefined || (replied === null ? !direct : others.length > 0)) return null;
  return answer(session, only, pressOf(event), now);
}

/** Takes typed words as the answer to what is open; a digit means the option of that number. */
function answer(session: Session, taker: Taker, press: Press, now: number): Stepped {
  const text = press.words ?? "";
  const number = /^\s*\d{1,2}\s*$/.test(text) ? Number(text) - 1 : -1;
  if (taker.kind === "ask") {
    const { round } = taker;
    const values = round.payload.options?.[number] === undefined ? [] : [`o${number}`];
    const button = { store: session.store, verb: "answer" as const, round: round.id, rev: 0, target: "-" };
    return answerAsk({
      session,
      round,
      button,
      press: { ...press, values },
      now,
      say: words(session.locale),
    });
  }
  const { round, decision } = taker;
  const option = decision.options[number]?.id;
  const { multi } = decision;
  const chosen =
    option === undefined
      ? { kind: "custom" as const, value: text.trim() }
      : multi
        ? { kind: "options" as const, optionIds: [option] }
        : { kind: "option" as const, optionId: option };
  return store({ session, round, press, now }, decision, chosen);
}

function asFeedback(session: Session, event: Typed, now: number): Stepped | null {
  const plan = planAt(session, event, cardUnder(session, event)?.split("/")[0]);
  if (plan === null) return null;
  const said = { source: event.id, text: event.text.trim(), ...filesOf(event) };
  return addFeedback({ session, round: plan, press: pressOf(event), now }, said);
}

function toInbox(session: Session, event: Typed, now: number): Stepped {
  const text = event.text.trim();
  if (text === "" && event.files.length === 0) return reject("blank");
  const counter = session.counter + 1;
  const by = who(event);
  const message = {
    id: `m${counter}`,
    source: event.id,
    text,
    by,
    at: now,
    takenAt: null,
    ...filesOf(event),
  };
  const next = { ...session, counter, inbox: [...session.inbox, message] };
  return withTell(changed(offer(next, event, message.id)), event, "kept");
}

/** What somebody's words could answer. */
const takerFor = (session: Session, { actor, place }: Pick<Typed, "actor" | "place">): Taker | undefined =>
  takers(session).find(({ round }) => mayAct(round.policy, actor, place));

/** Where something open takes words, its author may turn the message into the answer, once and privately. */
function offer(session: Session, event: Typed, message: string): Session {
  const taker = takerFor(session, event);
  if (taker === undefined || event.place.direct) return session;
  const target = `${message}-${taker.kind === "ask" ? "ask" : taker.target}`;
  const button = formatButton({ store: session.store, verb: "use", round: taker.round.id, rev: 0, target });
  const { offer: text, useAnswer: label } = words(session.locale);
  const tell = { ...tellAbout(event), id: `${event.id}/offer`, tone: "offer" as const, text, button, label };
  return { ...session, tells: [...session.tells, tell] };
}

const tellAbout = (event: Typed): Omit<Tell, "id" | "tone" | "text"> => ({
  place: placeKey(event.place),
  to: event.actor.id,
  about: event.id,
});

function withTell(stepped: Stepped, event: Typed, tone: Tell["tone"]): Stepped {
  if (!stepped.ok) return stepped;
  const tell = { ...tellAbout(event), id: event.id, tone, text: "" };
  return { ...stepped, session: { ...stepped.session, tells: [...stepped.session.tells, tell] } };
}

/** The same, where an offer is a sign on the message: it answers what it could have been offered for now. */
export function acceptOffer(session: Session, event: Accepted, now: number): Stepped {
  const message = session.inbox.find(({ source, by }) => source === event.id && by.id === event.actor.id);
  const taker = takerFor(session, event);
  if (message === undefined || message.takenAt !== null || taker === undefined) return reject("settled");
  const inbox = session.inbox.filter((entry) => entry !== message);
  const { place, actor } = event;
  const press = { ...{ type: "press" as const, id: event.id, button: "", values: [] }, place, actor };
  return answer({ ...session, inbox }, taker, { ...press, words: message.text }, now);
}

/** *Use as my answer*: the message leaves the inbox and answers what it was offered for. */
export function takeOffer(session: Session, press: Press, target: string, now: number): Stepped {
  const say = words(session.locale);
  const [id = "", what = ""] = target.split("-");
  const message = session.inbox.find((entry) => entry.id === id && entry.by.id === press.actor.id);
  const taker = takers(session).find((entry) => (entry.kind === "ask" ? "ask" : entry.target) === what);
  if (message === undefined || taker === undefined) return reject("settled", say.gone);
  const inbox = session.inbox.filter((entry) => entry !== message);
  return answer({ ...session, inbox }, taker, { ...press, words: message.text }, now);
}
