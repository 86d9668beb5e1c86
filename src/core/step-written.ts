/**
 * What becomes of messages that were kept: they are edited, deleted, read back after a gap, and at last delivered.
 */
import { changed, reject, type Stepped } from "./effect.ts";
import type { Event } from "./event.ts";
import { canonical } from "./payload.ts";
import { placeKey } from "./people.ts";
import { blockOf } from "./place.ts";
import type { PlanRound } from "./round.ts";
import { openRounds, REMEMBERED, remember, replaceRound, type Session, type Tell } from "./session.ts";
import { rewritten } from "./step-plan.ts";
import { anchored, noteHeard, planAt, takeTyped } from "./step-typed.ts";

type Edited = Extract<Event, { type: "edited" }>;

/** A message was rewritten: what it became is rewritten too, while that is open. Edits may come late: the newest counts. */
export function editTyped(session: Session, event: Edited): Stepped {
  const { id, editedAt } = event;
  const newest = session.edits.find((edit) => edit.id === id)?.at ?? 0;
  if (editedAt !== undefined && editedAt < newest) return changed(session);
  const stepped = rewrite(session, event);
  return stepped.ok ? { ...stepped, session: noteEdit(stepped.session, event) } : stepped;
}

function noteEdit(session: Session, { id, editedAt = 0 }: Pick<Edited, "id" | "editedAt">): Session {
  const newest = session.edits.find((edit) => edit.id === id)?.at ?? 0;
  if (editedAt <= newest) return session;
  const others = session.edits.filter((edit) => edit.id !== id).slice(1 - REMEMBERED);
  return { ...session, edits: [...others, { id, at: editedAt }] };
}

function rewrite(session: Session, event: Edited): Stepped {
  const at = blockOf(session, event);
  const plan = planAt(session, event, at?.round);
  const mine = plan?.annotations.find(({ source, by }) => source === event.id && by.id === event.actor.id);
  if (at === null || plan === null || mine === undefined || event.text.trim() === "")
    return rewriteSource(session, { id: event.id, by: event.actor.id }, event.text.trim() || null);
  const { span: _span, ...rest } = mine;
  const made = anchored(plan, at.span, event.text);
  const next = { ...rest, ...made, quote: plan.blocks[made.blockIndex]?.quote ?? "" };
  if (canonical(next) === canonical(mine)) return changed(session);
  const annotations = plan.annotations.map((entry) => (entry === mine ? next : entry));
  return changed(replaceRound(session, { ...plan, rev: plan.rev + 1, annotations }));
}

/** A message that is deleted before it comes is not taken when it does. */
export function deleteTyped(session: Session, event: Extract<Event, { type: "deleted" }>): Stepped {
  const stepped = rewriteSource(session, { id: event.id, by: null }, null);
  if (stepped.ok || session.seen.includes(event.id)) return stepped;
  return changed(remember(session, event.id));
}

/** `by`: its author, who alone may edit it; null for a deletion, which may be anybody's. */
function rewriteSource(
  session: Session,
  { id, by }: { id: string; by: string | null },
  text: string | null,
): Stepped {
  const mine = (entry: { source: string; by: { id: string } }) =>
    entry.source === id && (by === null || entry.by.id === by);
  const plan = openRounds(session).find(
    (round): round is PlanRound =>
      round.kind === "plan" && [...round.annotations, ...round.feedback].some(mine),
  );
  if (plan?.feedback.some((entry) => entry.source === id && entry.text === text)) return changed(session);
  if (plan !== undefined) return changed(replaceRound(session, rewritten(plan, id, text)));
  const message = session.inbox.find((entry) => mine(entry) && entry.takenAt === null);
  if (message === undefined) return reject("settled");
  if (message.text === text) return changed(session);
  const inbox = session.inbox.flatMap((entry) =>
    entry !== message ? [entry] : text === null ? [] : [{ ...entry, text }],
  );
  return changed({ ...session, inbox });
}

/** A message may be heard so long before one that was written earlier: what was taken is known anyway. */
const OVERTAKING_MS = 60_000;

/**
 * What people wrote while nobody listened: new messages are taken, old ones may have been edited, and what was there and is
 * not any more was deleted. Meanwhile people go on: what was heard of a message since is newer.
 */
export function reread(session: Session, event: Extract<Event, { type: "reread" }>, now: number): Session {
  const there = new Set(event.messages.map(({ id }) => id));
  const kept = wordsAt(session, event.place);
  const known = new Set([...session.seen, ...kept.map(({ id }) => id)]);
  const words = new Set(event.words);
  const gone = kept.filter(({ id, at }) => at >= event.from && words.has(id) && !there.has(id));
  const old = event.messages.filter(({ id }) => known.has(id));
  const fresh = event.messages.filter(({ id, at }) => at > event.heard - OVERTAKING_MS && !known.has(id));
  const steps = [
    ...old.map(
      ({ editedAt = 0, ...message }) =>
        (on: Session) =>
          editTyped(on, { ...message, editedAt, type: "edited" }),
    ),
    ...gone.map(
      ({ id }) =>
        (on: Session) =>
          rewriteSource(on, { id, by: null }, null),
    ),
    ...fresh.map(
      (message) => (on: Session) => takeTyped(noteEdit(remember(on, message.id), message), message, now),
    ),
  ];
  const newest = Math.max(event.ahead, ...event.messages.map(({ at }) => at));
  return steps.reduce((on, take) => after(on, take(on)), noteHeard(session, event.place, newest));
}

const after = (before: Session, stepped: Stepped): Session => (stepped.ok ? stepped.session : before);

/** Typed messages of a place that were kept and may still be rewritten. */
export function wordsAt(session: Session, place: string): { id: string; by: string; at: number }[] {
  const plans = openRounds(session).filter((round): round is PlanRound => round.kind === "plan");
  const said = plans.flatMap(({ annotations, feedback }) => [...annotations, ...feedback]);
  const inbox = session.inbox.filter(({ takenAt }) => takenAt === null);
  return [...said, ...inbox]
    .filter(({ source }) => source.startsWith(`${place}/`))
    .map(({ source, by, at }) => ({ id: source, by: by.id, at }));
}

/** A small sign on each typed message that has now reached the agent. */
export function delivered(session: Session, taken: { rounds: string[]; messages: string[] }): Tell[] {
  const rounds = session.rounds.filter(({ id, acknowledged }) => taken.rounds.includes(id) && !acknowledged);
  const said = rounds.flatMap((round) =>
    round.kind === "plan" && round.outcome !== null ? [...round.annotations, ...round.feedback] : [],
  );
  const messages = session.inbox.filter(({ id, takenAt }) => takenAt === null && taken.messages.includes(id));
  return [...said, ...messages].flatMap(({ source, by }): Tell[] => {
    const place = session.places.map(placeKey).find((key) => source.startsWith(`${key}/`));
    if (place === undefined) return [];
    return [{ id: `${source}/delivered`, place, to: by.id, about: source, tone: "delivered", text: "" }];
  });
}
