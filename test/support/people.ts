/** People, payloads and presses that many tests use. */

import type { Card, ChoicePart, Comment, Control, Limits, Part } from "../../src/core/card.ts";
import { cards } from "../../src/core/cards.ts";
import type { Stepped } from "../../src/core/effect.ts";
import { type Event, formatButton, type Press, type Verb } from "../../src/core/event.ts";
import { type Matter, parsePayload } from "../../src/core/payload.ts";
import type { Actor, Place } from "../../src/core/people.ts";
import type { Kind, Policy, Round } from "../../src/core/round.ts";
import { type Session, startSession } from "../../src/core/session.ts";
import { step } from "../../src/core/step.ts";

export const CHANNEL: Place = { surface: "slack", id: "C1", direct: false, label: "#plans" };
export const DIRECT: Place = { surface: "slack", id: "D1", direct: true, label: "Ana" };
export const PAGE: Place = { surface: "web", id: "", direct: true, label: "web" };

const member = (id: string, name: string): Actor => ({
  id: `slack:T1/${id}`,
  name,
  kind: "member",
  inPlace: true,
});
export const ANA = member("U1", "Ana");
export const BEN = member("U2", "Ben");
export const CHO = member("U3", "Cho");
export const GUEST: Actor = { ...member("U9", "Gus"), kind: "guest" };
export const STRANGER: Actor = { ...member("U8", "Sam"), inPlace: false };
export const LOCAL: Actor = { id: "local:ana", name: "ana", kind: "local", inPlace: true };

export const OPEN_TO_ALL: Policy = { named: [], quorum: 1, veto: true, onTimeout: "keep" };
export const named = (...people: Actor[]): Policy => ({
  ...OPEN_TO_ALL,
  named: people.map(({ name, id }) => ({ name, ids: [id] })),
  quorum: people.length,
});

/** As a page sees it: nothing has to be shortened. */
export const ROOMY: Limits = {
  card: 1e9,
  text: 1e9,
  entries: 100,
  entryText: 1000,
  units: 1e9,
  unitsPer: { text: 1, choice: 2, controls: 1 },
  files: "inline",
  blocks: "place",
  planCards: 1e9,
  planCardsDirect: 1e9,
};

/** About what Slack allows. */
export const TIGHT: Limits = {
  card: 10_000,
  text: 3_000,
  entries: 100,
  entryText: 75,
  units: 45,
  unitsPer: { text: 1, choice: 2, controls: 1 },
  files: "apart",
  blocks: "place",
  planCards: 8,
  planCardsDirect: 3,
};

export const BEGIN = 1_800_000_000_000;

export const emptySession = (places: Place[] = [CHANNEL]): Session =>
  startSession(
    {
      id: "s_test0001",
      store: "st",
      project: "/repo",
      name: null,
      agentSession: null,
      origin: { repo: "shop-web", branch: "main", agent: "Claude", host: "mac-7" },
      locale: "en",
      places,
    },
    BEGIN,
  );

type Opening = Partial<Extract<Event, { type: "open" }>>;

export function open(session: Session, matter: Matter, more: Opening = {}): Session {
  const round = `r_test0001-${session.rounds.length + 1}`;
  return after(
    step(
      session,
      {
        type: "open",
        round,
        key: null,
        matter,
        deadline: null,
        immediate: false,
        policy: OPEN_TO_ALL,
        granularity: "auto",
        asks: null,
        ...more,
      },
      BEGIN,
    ),
  );
}

export const asked = (
  kind: Kind,
  payload: unknown,
  more: Opening = {},
  places: Place[] = [CHANNEL],
): Session => open(emptySession(places), parsePayload(kind, payload), more);

/** The session after a step that had to succeed. */
export function after(stepped: Stepped): Session {
  if (!stepped.ok) throw new Error(`rejected: ${stepped.code} ${stepped.text}`);
  return stepped.session;
}

export function lastRound(session: Session): Round {
  const round = session.rounds.at(-1);
  if (round === undefined) throw new Error("no round");
  return round;
}

let presses = 0;

export interface Pressing {
  target?: string;
  rev?: number;
  actor?: Actor;
  values?: string[];
  words?: string | null;
  place?: Place;
  id?: string;
}

export function pressOf(session: Session, verb: Verb, how: Pressing = {}): Press {
  const { target = "-", rev = 0, actor = ANA, values = [], words = null, place = CHANNEL } = how;
  presses += 1;
  const button = formatButton({ store: session.store, verb, round: lastRound(session).id, rev, target });
  return { type: "press", id: how.id ?? `p${presses}`, place, actor, button, values, words };
}

export const press = (session: Session, verb: Verb, how: Pressing = {}, now = BEGIN + 1000): Stepped =>
  step(session, pressOf(session, verb, how), now);

export const did = (session: Session, verb: Verb, how: Pressing = {}, now = BEGIN + 1000): Session =>
  after(press(session, verb, how, now));

export const draw = (session: Session, limits: Limits = ROOMY, place: Place = CHANNEL): Card[] =>
  cards(session, { place, limits, locale: "en" });

export const controlsOf = (all: Card[]): Control[] =>
  all.flatMap((card) => card.parts.flatMap((part) => (part.kind === "controls" ? part.controls : [])));

/** The words on a card, line by line, as a person reads them. */
export const lines = (card: Card | undefined): string => (card?.parts ?? []).map(lineOf).join("\n");

function lineOf(part: Part): string {
  switch (part.kind) {
    case "title":
      return [part.text, part.subtitle, part.origin].filter(Boolean).join(" | ");
    case "text":
    case "progress":
      return part.text;
    case "choice":
      return choiceLines(part);
    case "block":
      return [`¶${part.number} ${part.raw.trim()}`, ...part.comments.map(commentLine)].join("\n");
    case "comments":
      return [part.label, ...part.comments.map(commentLine)].join("\n");
    case "people":
      return part.people.map(({ name, state }) => `${name}: ${state}`).join(" · ");
    case "file":
      return `[file ${part.name}]`;
    case "pointers":
      return part.pointers.map(({ label }) => label).join("\n");
    case "controls":
      return part.controls.map(({ label }) => `[${label}]`).join(" ");
  }
}

const commentLine = ({ by, text }: Comment): string => `  ${by}: ${text}`;

function choiceLines(part: ChoicePart): string {
  const entries = part.entries.map(
    ({ number, label, chosen, recommended }) =>
      `  ${number} ${label}${recommended ? " ★" : ""}${chosen ? " ✓" : ""}`,
  );
  const head = part.number > 0 ? `${part.number} ${part.question}` : part.question;
  return [head, ...entries, part.answer, ...part.notes, ...part.reveals.map(({ label }) => `↳ ${label}`)]
    .filter(Boolean)
    .join("\n");
}
