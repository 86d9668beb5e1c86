/**
 * What the page draws, from the cards that the bot streams: they are sorted into rounds, follow-ups stand under the
 * decision that revealed them, and the buttons of a round come together in one row. Pure; used by the page itself.
 */
import {
  type BlockPart,
  type Card,
  type ChoicePart,
  type Control,
  type Limits,
  type Part,
  TIME,
} from "../../core/card.ts";
import { parseButton } from "../../core/event.ts";
import type { Frame } from "../../core/gate.ts";

const ANY = 1_000_000_000;

/** A page has room for everything: `fit` leaves the cards as they are. */
export const LIMITS: Limits = {
  card: ANY,
  text: ANY,
  entries: ANY,
  entryText: ANY,
  units: ANY,
  unitsPer: { text: 0, choice: 0, controls: 0 },
  files: "inline",
  blocks: "place",
  planCards: ANY,
  planCardsDirect: ANY,
};

/** A decision and what its pick revealed. */
export interface Question {
  kind: "question";
  part: ChoicePart;
  follow: Question[];
}

export type TextPart = Extract<Part, { kind: "text" }>;
type Of<K extends Part["kind"]> = Extract<Part, { kind: K }>;

export interface RoundView {
  id: string;
  settled: boolean;
  alert: string;
  title: Of<"title"> | null;
  progress: Of<"progress"> | null;
  /** Lines about time: the deadline, that the agent went on, how it ended. */
  times: TextPart[];
  people: Of<"people">["people"];
  /** Texts and root questions in their order. */
  items: (TextPart | Question)[];
  blocks: BlockPart[];
  comments: Of<"comments">[];
  files: Of<"file">[];
  controls: Control[];
}

/** The rounds in order of first appearance. */
export function layOut(cards: Card[]): RoundView[] {
  const rounds = [...new Set(cards.map(({ round }) => round))];
  return rounds.map((id) =>
    layOutRound(
      id,
      cards.filter(({ round }) => round === id),
    ),
  );
}

function layOutRound(id: string, cards: Card[]): RoundView {
  const parts = cards.flatMap((card) => card.parts);
  const all = <K extends Part["kind"]>(kind: K): Of<K>[] => parts.filter((part) => isKind(part, kind));
  return {
    id,
    settled: cards.every(({ settled }) => settled),
    alert: cards[0]?.alert ?? "",
    title: all("title")[0] ?? null,
    progress: all("progress").at(-1) ?? null,
    times: unique(
      all("text").filter(({ at }) => at !== null),
      ({ text, at }) => `${text} ${at}`,
    ),
    people: all("people").flatMap(({ people }) => people),
    items: itemsOf(parts),
    blocks: all("block"),
    comments: all("comments"),
    files: all("file"),
    controls: unique(
      all("controls").flatMap(({ controls }) => controls),
      ({ verb, label }) => `${verb} ${label}`,
    ),
  };
}

const isKind = <K extends Part["kind"]>(part: Part, kind: K): part is Of<K> => part.kind === kind;

/** A plan's buttons and its end stand at its head and again under its last block; here once is enough. */
const unique = <T>(all: T[], keyOf: (one: T) => string): T[] =>
  all.filter((one, at) => all.findIndex((other) => keyOf(other) === keyOf(one)) === at);

function itemsOf(parts: Part[]): RoundView["items"] {
  const choices = parts.filter((part) => part.kind === "choice");
  const known = new Set(choices.map(({ target }) => target));
  const nest = (part: ChoicePart): Question => ({
    kind: "question",
    part,
    follow: choices.filter(({ parent }) => parent === part.target).map(nest),
  });
  const items = parts.flatMap((part): RoundView["items"] => {
    if (part.kind === "text" && part.at === null) return [part];
    const isRoot = part.kind === "choice" && (part.parent === null || !known.has(part.parent));
    return isRoot ? [nest(part)] : [];
  });
  return unique(items, (item) => (item.kind === "text" ? item.text : item.part.target));
}

/** All questions of a round, in the order in which they stand on the page. */
export function questionsOf(round: RoundView): ChoicePart[] {
  const flat = ({ part, follow }: Question): ChoicePart[] => [part, ...follow.flatMap(flat)];
  return round.items.flatMap((item) => (item.kind === "question" ? flat(item) : []));
}

/** The one question of a round that is nothing but this question; it has no number. */
export function singleOf(round: RoundView): ChoicePart | null {
  const [only, ...others] = questionsOf(round);
  return only !== undefined && others.length === 0 && only.number === 0 ? only : null;
}

/** What a round is called: a single question by its own words, everything else by its title. */
export function headlineOf(round: RoundView): { title: string; subtitle: string } {
  const { text = "", subtitle = "" } = round.title ?? {};
  const single = singleOf(round);
  if (single === null) return { title: text || round.alert, subtitle };
  return { title: single.question, subtitle: [text, subtitle].filter(Boolean).join(" ") };
}

/** Does choosing settle it there and then? Such options are buttons, not marks that can be moved. */
export const isInstant = ({ pick }: Pick<ChoicePart, "pick">): boolean =>
  pick !== null && parseButton(pick)?.verb === "answer";

/** A timed line with the reader's own clock time in it, and the day where it is not today. */
export function withTime({ text, at }: Pick<TextPart, "text" | "at">, now: number, locale: string): string {
  if (at === null) return text;
  const day = (time: number): string => new Date(time).toDateString();
  const date = day(at) === day(now) ? {} : ({ day: "numeric", month: "short" } as const);
  const format = new Intl.DateTimeFormat(locale, {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    ...date,
  });
  return text.replaceAll(TIME, format.format(at));
}

/** A frame as a server-sent event. */
export const renderFrame = (frame: Frame): string => `data: ${JSON.stringify(frame)}\n\n`;

/** The document around the page's script. It is the same for every session and holds nothing of any. */
export const renderShell = (version: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f6f4ef" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#161512" media="(prefers-color-scheme: dark)">
<meta name="askgate-page" content="${version}">
<title>askgate</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="/assets/page.css">
<script type="module" src="/assets/page.js"></script>
</head>
<body>
<div id="page"></div>
<noscript>This page needs JavaScript. The question can also be answered in the terminal or in chat.</noscript>
</body>
</html>
`;

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0f6b57"/><path d="M8 24V14a8 8 0 0 1 16 0v10M16 24V13" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>',
)}`;
