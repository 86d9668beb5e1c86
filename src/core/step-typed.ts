/**
 * What a typed message means: exactly one thing, the first that fits — a comment on a block, an answer, feedback on the
 * plan, else a message to the agent. In a channel a plain message never answers by itself.
 */

import { who } from "./act.ts";
import { changed, reject, type Stepped } from "./effect.ts";
import { type Event, formatButton, type Press, type Typed } from "./event.ts";
import { placeKey } from "./people.ts";
import { blockOf, cardOf, type Taker, takers } from "./place.ts";
import { mayAct, mayComment } from "./policy.ts";
import type { PlanRound } from "./round.ts";
import { findRound, openRounds, replaceRound, type Session, type Tell } from "./session.ts";
import { answerAsk } from "./step-ask.ts";
import { store } from "./step-clarity.ts";
import { addFeedback, annotate, rewritten } from "./step-plan.ts";
import { words } from "./words.ts";

export function takeTyped(session: Session, event: Typed, now: number): Stepped {
  const stepped =
    asAnnotation(session, event, now) ?? asAnswer(session, event, now) ?? asFeedback(session, event, now);
  return stepped === null ? toInbox(session, event, now) : withTell(stepped, event, "kept");
}

const pressOf = (event: Typed): Press => ({
  ...event,
  type: "press",
  button: "",
  values: [],
  words: event.text,
});

const filesOf = ({ files }: Typed) => (files.length > 0 ? { files } : {});

/** The open plan that a message's place belongs to, if its author may comment on it. */
function planAt(session: Session, event: Typed, round: string | undefined): PlanRound | null {
  const plan = round === undefined ? undefined : findRound(session, round);
  if (plan?.kind !== "plan" || plan.outcome !== null || session.ended) return null;
  return mayComment(plan.policy, event.actor, event.place) ? plan : null;
}

function asAnnotation(session: Session, event: Typed, now: number): Stepped | null {
  const at = blockOf(session, event);
  const plan = planAt(session, event, at?.round);
  if (at === null || plan === null) return null;
  const [first, last] = at.span;
  const numbered = /^\s*¶?(\d{1,6})\s*[:：]\s*([\s\S]+)$/.exec(event.text);
  const named = Number(numbered?.[1] ?? 0) - 1;
  const inSpan = named >= first && named <= last;
  const quoted = plan.blocks
    .slice(first, last + 1)
    .find(({ quote }) => quote !== "" && quotes(event.text, quote));
  const exact = inSpan ? named : (quoted?.index ?? (first === last ? first : null));
  return annotate(
    { session, round: plan, press: pressOf(event), now },
    {
      source: event.id,
      blockIndex: exact ?? first,
      comment: inSpan ? (numbered?.[2] ?? "").trim() : event.text.trim(),
      ...(exact === null ? { span: [first, last] as [number, number] } : {}),
      ...filesOf(event),
    },
  );
}

/** Does the text begin by quoting the block (`> …`)? */
function quotes(text: string, quote: string): boolean {
  const quoted = /^\s*(?:>|&gt;)\s*(.+)/.exec(text)?.[1]?.trim() ?? "";
  return quoted.length >= 4 && quote.includes(quoted);
}

function asAnswer(session: Session, event: Typed, now: number): Stepped | null {
  const open = takers(session).filter(({ round }) => mayAct(round.policy, event.actor, event.place));
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
  const key = event.anchor === null ? null : cardOf(session, event.place, event.anchor.handle);
  const plan = planAt(session, event, key?.split("/")[0]);
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

/** Where something open takes words, its author may turn the message into the answer, once and privately. */
function offer(session: Session, event: Typed, message: string): Session {
  const [taker] = takers(session).filter(({ round }) => mayAct(round.policy, event.actor, event.place));
  if (taker === undefined || event.place.direct) return session;
  const target = `${message}-${taker.kind === "ask" ? "ask" : taker.target}`;
  const button = formatButton({ store: session.store, verb: "use", round: taker.round.id, rev: 0, target });
  const text = words(session.locale).offer;
  const tell = { ...tellAbout(event), id: `${event.id}/offer`, tone: "offer" as const, text, button };
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

/** A message was rewritten: what it became is rewritten too, while that is open. */
export function editTyped(session: Session, event: Extract<Event, { type: "edited" }>): Stepped {
  return rewriteSource(session, event, event.text.trim() || null);
}

export function deleteTyped(session: Session, event: Extract<Event, { type: "deleted" }>): Stepped {
  return rewriteSource(session, event, null);
}

function rewriteSource(
  session: Session,
  { id, actor }: { id: string; actor: { id: string } },
  text: string | null,
): Stepped {
  const mine = (entry: { source: string; by: { id: string } }) =>
    entry.source === id && entry.by.id === actor.id;
  const plan = openRounds(session).find(
    (round): round is PlanRound =>
      round.kind === "plan" && [...round.annotations, ...round.feedback].some(mine),
  );
  if (plan !== undefined) return changed(replaceRound(session, rewritten(plan, id, text)));
  const message = session.inbox.find((entry) => mine(entry) && entry.takenAt === null);
  if (message === undefined) return reject("settled");
  const inbox = session.inbox.flatMap((entry) =>
    entry !== message ? [entry] : text === null ? [] : [{ ...entry, text }],
  );
  return changed({ ...session, inbox });
}
