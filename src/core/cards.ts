/**
 * The picture of a session in one place: cards in order of first appearance, new ones always last. A projection — it
 * decides nothing, and the same session gives the same cards.
 */
import type { Card, Part } from "./card.ts";
import { askCards, permissionCards } from "./cards-ask.ts";
import { clarityCards } from "./cards-clarity.ts";
import { planCards } from "./cards-plan.ts";
import { fit } from "./fit.ts";
import { masked } from "./mask.ts";
import { cardKey } from "./place.ts";
import { isShown, type Round } from "./round.ts";
import type { Note, Session } from "./session.ts";
import { card, type Drawing, isPage, pointers, type Sheet, text } from "./sheet.ts";
import { words } from "./words.ts";

export function cards(session: Session, drawing: Drawing): Card[] {
  const rounds = session.rounds.filter(isShown);
  const home = rounds[0]?.id ?? null;
  const say = words(drawing.locale);
  const drawn = rounds.flatMap((round, index) => {
    const sheet = { session, round, drawing, say, home: round.id === home ? null : home };
    return [...roundCards(sheet), ...noteCards(sheet, rounds[index + 1])];
  });
  const safe = isPage(drawing.place.surface) ? drawn : drawn.map((card) => masked(card, say));
  const fitted = linked(safe, rounds, { drawing, say }).map((card) => fit(card, drawing.limits));
  return drawing.limits.files === "apart" ? filesApart(fitted) : fitted;
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

/** What was said while this was the newest round, each note a message of its own in the thread. */
function noteCards(sheet: Sheet, next: Round | undefined): Card[] {
  const { session, round, home } = sheet;
  const from = home === null ? 0 : round.openedAt;
  const until = next?.openedAt ?? Number.POSITIVE_INFINITY;
  const under = home ?? round.id;
  return session.notes.flatMap((note, index) =>
    note.at <= from || note.at > until
      ? []
      : [card(sheet, { key: cardKey.note(under, index), under, parts: text(noteText(session, note)) })],
  );
}

const noteText = ({ origin }: Session, { text: said, by }: Note): string =>
  by === "agent" && origin.agent !== "" ? `${origin.agent}: ${said}` : said;

/** Later plans have a header of their own in the place: home leads to them. */
function linked(cards: Card[], rounds: Round[], sheet: Pick<Sheet, "drawing" | "say">): Card[] {
  const [home, ...others] = cards;
  const plans = rounds
    .slice(1)
    .flatMap((round) =>
      round.kind === "plan"
        ? [{ key: cardKey.round(round.id), label: sheet.say.planAt(round.payload.title) }]
        : [],
    );
  if (home === undefined) return cards;
  return [{ ...home, parts: [...home.parts, ...pointers(sheet, plans)] }, ...others];
}

type File = Extract<Part, { kind: "file" }>;

/** Each file as a card of its own, last of all: it stands in the thread of the card that it belongs to. */
function filesApart(cards: Card[]): Card[] {
  const files = cards.flatMap((card) =>
    card.parts
      .filter((part): part is File => part.kind === "file")
      .map((file): Card => ({ ...fileOf(card), key: `${card.key}/${file.name}`, parts: [file] })),
  );
  const without = cards.map((card) => ({ ...card, parts: card.parts.filter(({ kind }) => kind !== "file") }));
  return [...without, ...files];
}

/** A file never changes with what people do, and tells nobody. */
const fileOf = ({ key, round, under, topic }: Card) => ({
  round,
  topic,
  under: under ?? key,
  settled: false,
  mention: [],
  alert: "",
});

/** Is this the key of a file's own card? */
export const isFileKey = (key: string): boolean => key.split("/").at(-1)?.includes(".") ?? false;
