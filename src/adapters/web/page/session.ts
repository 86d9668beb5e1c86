/** The page of one session, without its looks: cards come in, presses go out, and what is written is kept. */

import type { Card } from "../../../core/card.ts";
import type { Answer } from "../../../core/effect.ts";
import type { Frame } from "../../../core/gate.ts";
import { announce, type Saying } from "./announce.ts";
import { createDrafts, type Drafts, dropOldDrafts } from "./drafts.ts";
import { createNotices } from "./notices.ts";
import { goToOpen } from "./open-question.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { createStore, type Mark, type Store, type Waiting } from "./state.ts";
import { listen } from "./stream.ts";
import type { PageWords } from "./words.ts";

export interface PageSession {
  store: Store;
  words: PageWords;
  locale: string;
  drafts: Drafts;
  /** Shows it at once and hands it over as soon as the bot takes it. */
  press(press: { button: string; values?: string[]; words?: string | null; mark: Mark }): void;
  dismiss(notice: string): void;
  closeForm(): void;
}

export function openSession(session: string, locale: string, words: PageWords): PageSession {
  const store = createStore();
  const notices = createNotices(session, (list) => store.set({ notices: list }));
  dropOldDrafts(Date.now());
  /** Presses made on this page since it was loaded: their forms open here. */
  const mine = new Set<string>();
  const outbox: Outbox = createOutbox(session, {
    changed: (waiting) => store.set({ waiting }),
    answered: (item, answer) => take(item, answer),
    refused: (item) =>
      notices.add({
        round: item.mark.round,
        text: item.words === null ? words.refusedPick : words.refused,
        words: item.words,
      }),
    away: () => store.set({ stuck: true }),
  });
  const take = (item: Waiting, answer: Answer): void => {
    store.set({ stuck: false });
    if (answer.kind === "done") store.set({ taken: [...store.get().taken, item.mark] });
    if (answer.kind === "form" && mine.has(item.id))
      store.set({ form: { form: answer.form, mark: item.mark } });
    if (answer.kind === "word" && answer.code !== "duplicate") {
      notices.add({
        round: item.mark.round,
        text: answer.text || words.refusedPick,
        words: item.words?.trim() ? item.words : null,
      });
      if (answer.code === "incomplete") requestAnimationFrame(() => goToOpen(item.mark.round));
    }
  };
  const wake = listen(`/s/${session}/stream?lang=${encodeURIComponent(locale)}`, {
    frame(frame) {
      store.set(
        afterFrame(store, frame, { words, locale, now: Date.now(), isOwn: (...at) => isOwn(store, ...at) }),
      );
      outbox.deliver();
    },
    away: () => store.get().presence !== "opening" && store.set({ presence: "away" }),
    barred: () => store.set({ presence: "barred" }),
    version: renewWhenOld,
  });
  return {
    store,
    words,
    locale,
    drafts: createDrafts(session),
    press({ button, values = [], words: text = null, mark }) {
      const id = crypto.randomUUID();
      mine.add(id);
      notices.clear();
      outbox.add({ id, button, values, words: text, mark });
      if (store.get().presence === "away") wake();
    },
    dismiss: (notice) => notices.remove(notice),
    closeForm: () => store.set({ form: null }),
  };
}

function afterFrame(store: Store, frame: Frame, saying: Saying) {
  const { cards: before } = store.get();
  const cards = applyFrame(before, frame);
  return {
    cards,
    presence: "live" as const,
    ended: frame.ended,
    taken: [],
    spoken: announce(before, cards, saying) || store.get().spoken,
  };
}

function isOwn(store: Store, round: string, target: string): boolean {
  const { waiting, taken } = store.get();
  return [...taken, ...waiting.map(({ mark }) => mark)].some(
    (mark) => "target" in mark && mark.round === round && mark.target === target,
  );
}

/** The cards after a frame: those it names, in its order. */
export function applyFrame(before: Card[], frame: Frame): Card[] {
  const byKey = new Map([...before, ...frame.cards].map((card) => [card.key, card]));
  return frame.order.flatMap((key) => byKey.get(key) ?? []);
}

/** An upgraded bot serves another page: load it, unless somebody is writing here just now. */
function renewWhenOld(version: string): void {
  const own = document.querySelector<HTMLMetaElement>("meta[name=askgate-page]")?.content;
  if (version === "" || own === version || document.activeElement?.matches("textarea, select")) return;
  location.reload();
}
