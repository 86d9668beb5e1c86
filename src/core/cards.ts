/**
 * The picture of a session in one place: cards in order of first appearance, new ones always last. A projection — it
 * decides nothing, and the same session gives the same cards.
 */
import type { Card } from "./card.ts";
import { askCards, permissionCards } from "./cards-ask.ts";
import { clarityCards } from "./cards-clarity.ts";
import { planCards } from "./cards-plan.ts";
import { fit } from "./fit.ts";
import { isShown } from "./round.ts";
import type { Session } from "./session.ts";
import type { Drawing, Sheet } from "./sheet.ts";
import { words } from "./words.ts";

export function cards(session: Session, drawing: Drawing): Card[] {
  const rounds = session.rounds.filter(isShown);
  const home = rounds[0]?.id ?? null;
  const say = words(drawing.locale);
  return rounds
    .flatMap((round) => roundCards({ session, round, drawing, say, home: round.id === home ? null : home }))
    .map((card) => fit(card, drawing.limits));
}

function roundCards(sheet: Sheet): Card[] {
  const { round } = sheet;
  switch (round.kind) {
    case "clarity":
      return clarityCards({ ...sheet, round });
    case "plan":
      return planCards({ ...sheet, round });
    case "ask":
      return askCards({ ...sheet, round });
    case "permission":
      return permissionCards({ ...sheet, round });
  }
}
