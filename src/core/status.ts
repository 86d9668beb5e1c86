/** How a session stands, in a few lines for people: read from the store, without asking any agent. */
import { titleOf } from "./round.ts";
import { openRounds, type Session } from "./session.ts";
import { wantedOf } from "./summary.ts";
import { words } from "./words.ts";

/** Does somebody ask how things stand? `?`, or a question after it. */
export const asksForStatus = (text: string): boolean => /^\s*[?？]/.test(text);

export function statusText(session: Session): string {
  const say = words(session.locale);
  const open = openRounds(session).map((round) => `${titleOf(round)} ${wantedOf(session, round)}`);
  const unread = session.inbox.filter(({ takenAt }) => takenAt === null).length;
  const state = open.length > 0 ? open : [session.ended === null ? say.nothingOpen : say.sessionEnded];
  return [...state, ...(unread > 0 ? [say.unread(unread)] : [])].join("\n");
}
