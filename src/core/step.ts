/**
 * What happens to a session. The one function that changes anything: `(session, event, now)` gives the next session and
 * the answer for whoever acted, or a rejection with a code. It never throws and touches nothing outside.
 */
import { type Act, settle, who } from "./act.ts";
import { changed, reject, type Stepped } from "./effect.ts";
import { type Event, type Press, parseButton } from "./event.ts";
import { type Place, placeKey, type Who } from "./people.ts";
import { mayAct, mayComment } from "./policy.ts";
import type { Outcome, Round } from "./round.ts";
import { findRound, openRounds, remember, replaceRound, type Session } from "./session.ts";
import { answerAsk, decidePermission } from "./step-ask.ts";
import { answerClarity } from "./step-clarity.ts";
import { endSession, tick } from "./step-clock.ts";
import { openRound } from "./step-open.ts";
import { reviewPlan } from "./step-plan.ts";
import { notePost } from "./step-post.ts";
import { acceptOffer, takeOffer, takeTyped } from "./step-typed.ts";
import { deleteTyped, delivered, editTyped, reread } from "./step-written.ts";
import { words } from "./words.ts";

export function step(session: Session, event: Event, now: number): Stepped {
  switch (event.type) {
    case "open":
      return session.ended ? reject("ended") : openRound(session, event, now);
    case "renew":
      return renew(session, event);
    case "cancel":
      return withdraw(session, event.round, cancelled(event.by ?? null, now));
    case "unreachable":
      return withdraw(session, event.round, {
        status: "unreachable",
        by: null,
        at: now,
        reason: event.reason,
      });
    case "join":
      return changed(join(session, event.places, now));
    case "down":
      return session.ended
        ? reject("ended")
        : changed(endSession(session, { how: "down", at: now, by: null }));
    case "acknowledge":
      return acknowledge(session, event, now);
    case "say":
      return changed({ ...session, notes: [...session.notes, { text: event.text, at: now, by: "agent" }] });
    case "press":
      return once(session, event.id, () => press(session, event, now));
    case "typed":
      return once(session, event.id, () => takeTyped(session, event, now));
    case "edited":
      return editTyped(session, event);
    case "deleted":
      return deleteTyped(session, event);
    case "accepted":
      return acceptOffer(session, event, now);
    case "reread":
      return changed(reread(session, event, now));
    case "away":
      return changed({ ...session, away: { ...session.away, [event.surface]: event.until } });
    case "tick":
      return changed(tick(session, now));
    case "told":
      return changed({ ...session, tells: session.tells.filter(({ id }) => id !== event.id) });
    case "sending":
    case "posted":
    case "refused":
    case "gone":
    case "later":
      return changed(notePost(session, event, now));
  }
}

/**
 * Repeated deliveries of the same event change nothing. A form that only opens is not remembered. One that was answered with
 * a word did nothing yet: repeated, it must not count as done, nor as the press that confirms it.
 */
function once(session: Session, id: string, take: () => Stepped): Stepped {
  if (session.seen.includes(id)) return reject("duplicate");
  if (session.seen.includes(unmet(id))) return reject("stale", words(session.locale).pressAgain);
  const stepped = take();
  if (!stepped.ok || stepped.session === session) return stepped;
  const note = stepped.answer.kind === "done" ? id : unmet(id);
  return { ...stepped, session: remember(stepped.session, note) };
}

const unmet = (id: string): string => `unmet:${id}`;

function renew(session: Session, event: { round: string; deadline: number | null }): Stepped {
  const round = findRound(session, event.round);
  if (round === undefined) return reject("unknown_round");
  if (round.outcome !== null) return reject("settled");
  return changed(replaceRound(session, { ...round, deadline: event.deadline, lateAt: null }));
}

const cancelled = (by: Who | null, at: number): Outcome =>
  by === null ? { status: "cancelled", by, at } : { status: "cancelled", by, at, elsewhere: true };

/** Ends an open round without a person: the agent withdrew it, or no surface could show it. */
function withdraw(session: Session, id: string, outcome: Outcome): Stepped {
  const round = findRound(session, id);
  if (round === undefined) return reject("unknown_round");
  if (round.outcome !== null) return reject("settled");
  // The agent withdrew it itself: nobody waits to hear so.
  return changed(replaceRound(session, { ...round, outcome, acknowledged: outcome.status === "cancelled" }));
}

function join(session: Session, places: Place[], usedAt: number): Session {
  const known = session.places.map(placeKey);
  const further = places.filter((place) => !known.includes(placeKey(place)));
  return { ...session, usedAt, places: [...session.places, ...further] };
}

function acknowledge(session: Session, event: Extract<Event, { type: "acknowledge" }>, now: number): Stepped {
  const taken = (id: string, takenAt: number | null) => takenAt ?? (event.messages.includes(id) ? now : null);
  return changed({
    ...session,
    tells: [...session.tells, ...delivered(session, event)],
    rounds: session.rounds.map((round) =>
      event.rounds.includes(round.id) && round.outcome !== null ? { ...round, acknowledged: true } : round,
    ),
    inbox: session.inbox.map((message) => ({ ...message, takenAt: taken(message.id, message.takenAt) })),
  });
}

function press(session: Session, event: Press, now: number): Stepped {
  const say = words(event.locale || session.locale);
  const button = parseButton(event.button);
  if (button === null) return reject("unknown_button", say.unknownButton);
  if (button.verb === "cancel" && button.target === "session") return cancelSession(session, event, now);
  const round = findRound(session, button.round);
  if (round === undefined) return reject("unknown_round", say.unknownButton);
  const allowed = COMMENTS.has(button.verb) ? mayComment : mayAct;
  if (!allowed(round.policy, event.actor, event.place))
    return reject("not_allowed", refusal(round, event, say));
  if (round.outcome !== null) return reject("settled", givenBack(tooLate(round.outcome, say), event, say));
  if (session.ended !== null) return reject("ended", givenBack(say.sessionEnded, event, say));
  const stepped = act({ session, round, button, press: event, now, say });
  if (!stepped.ok || stepped.session === session) return stepped;
  const { [event.place.surface]: _back, ...away } = stepped.session.away;
  return { ...stepped, session: { ...stepped.session, away, lastActor: who(event) } };
}

const COMMENTS = new Set(["comment", "edit", "feedback"]);

type Say = ReturnType<typeof words>;

const refusal = (round: Round, event: Press, say: Say): string =>
  event.actor.kind === "local" && round.policy.named.length > 0
    ? say.onlyThere(round.policy.named.map(({ name }) => name).join(", "))
    : say.notAllowed;

/** Whoever is too late hears who was first. */
const tooLate = ({ by }: Outcome, say: Say): string =>
  by === null ? say.settledAlready : say.settledBy(say.inPlace(by.name, say[by.surface]));

/** Words that can no longer be stored go back to their author. */
const givenBack = (text: string, event: Press, say: Say): string =>
  event.words?.trim() ? `${text} ${say.keptWords(event.words)}` : text;

function act(on: Act): Stepped {
  const { round, button } = on;
  if (button.verb === "cancel") return settle(on, { status: "cancelled" });
  if (button.verb === "use") return takeOffer(on.session, on.press, button.target, on.now);
  switch (round.kind) {
    case "clarity":
      return answerClarity({ ...on, round });
    case "plan":
      return reviewPlan({ ...on, round });
    case "ask":
      return answerAsk({ ...on, round });
    case "permission":
      return decidePermission({ ...on, round });
  }
}

/** *Cancel* between two pages of a flow ends the session. */
function cancelSession(session: Session, event: Press, now: number): Stepped {
  const say = words(event.locale || session.locale);
  if (session.ended !== null || openRounds(session).length > 0) return reject("ended", say.gone);
  const last = session.rounds.at(-1);
  if (last === undefined || !mayAct(last.policy, event.actor, event.place))
    return reject("not_allowed", say.notAllowed);
  return changed(endSession(session, { how: "cancelled", at: now, by: who(event) }));
}
