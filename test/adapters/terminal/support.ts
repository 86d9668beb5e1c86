/** Pictures as the terminal gets them: the real cards of real sessions. */
import { TERMINAL_LIMITS } from "../../../src/adapters/terminal/board.ts";
import { type Picture, pictureOf } from "../../../src/adapters/terminal/picture.ts";
import type { Look } from "../../../src/adapters/terminal/text.ts";
import type { Verb } from "../../../src/core/event.ts";
import type { Place } from "../../../src/core/people.ts";
import type { Session } from "../../../src/core/session.ts";
import { did, draw, LOCAL, lastRound, type Pressing } from "../../support/people.ts";

export const TERMINAL: Place = { surface: "terminal", id: "", direct: true, label: "terminal" };
export const PLAIN: Look = { columns: 80, colour: false, locale: "en" };

export function picture(session: Session): Picture {
  const drawn = pictureOf(draw(session, TERMINAL_LIMITS, TERMINAL), lastRound(session).id);
  if (drawn === null) throw new Error("nothing is drawn");
  return drawn;
}

/** The session after somebody at the terminal did something. */
export const locally = (session: Session, verb: Verb, how: Pressing): Session =>
  did(session, verb, { actor: LOCAL, place: TERMINAL, ...how });
