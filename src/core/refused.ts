/** What places did not take, and why. */
import { isFileKey } from "./cards.ts";
import type { Place } from "./people.ts";
import { postsAt } from "./poster.ts";
import type { Session } from "./session.ts";

/** What places refused, and why: "slack #plans: it is archived: …". It is tried again at the next change. */
export function troubles(session: Session): string[] {
  const all = session.places.flatMap((place) =>
    postsAt(session, place).flatMap(({ state, reason }) =>
      state === "refused" ? `${place.surface} ${place.label}: ${reason}` : [],
    ),
  );
  return [...new Set(all)];
}

/** Why places refused a card of this round, by place. A file that is refused leaves the round as it is. */
export function refusals(
  session: Session,
  round: string,
): { place: Place; reason: string; fatal: boolean }[] {
  return session.places.flatMap((place) => {
    const refused = postsAt(session, place).filter(
      ({ key, state }) => state === "refused" && key.split("/")[0] === round,
    );
    const worst = refused.find(({ key }) => !isFileKey(key)) ?? refused[0];
    return worst === undefined ? [] : [{ place, reason: worst.reason, fatal: !isFileKey(worst.key) }];
  });
}
