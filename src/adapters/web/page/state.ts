/** What the page knows at a moment. Nothing here is decided by the page: cards come from the bot, the rest is on its way there. */
import type { Card } from "../../../core/card.ts";
import type { Form } from "../../../core/effect.ts";

/** What a press will show once the bot has taken it, so that the page can show it at once. */
export type Mark =
  | { kind: "pick"; round: string; target: string; values: string[] }
  | { kind: "own"; round: string; target: string; words: string }
  | { kind: "comment"; round: string; target: string; words: string }
  | { kind: "edit"; round: string; comment: string; words: string }
  | { kind: "feedback"; round: string; words: string }
  | { kind: "control"; round: string; verb: string };

/** A press that the bot has not taken yet. */
export interface Waiting {
  id: string;
  button: string;
  values: string[];
  words: string | null;
  mark: Mark;
}

/** A private word of the bot to whoever pressed here. `words` are given back to their author. */
export interface Notice {
  id: string;
  /** The round that the press was about. */
  round: string;
  text: string;
  words: string | null;
}

/** `opening`: no card yet. `barred`: this browser may not see the session. */
export type Presence = "opening" | "live" | "away" | "barred";

export interface State {
  cards: Card[];
  presence: Presence;
  /** The bot does not take presses just now. */
  stuck: boolean;
  ended: boolean;
  waiting: Waiting[];
  /** Taken by the bot, not drawn by it yet. */
  taken: Mark[];
  notices: Notice[];
  /** A form that the bot asked for. */
  form: { form: Form; mark: Mark } | null;
  /** Said to a screen reader when it changes. */
  spoken: string;
}

export const EMPTY: State = {
  cards: [],
  presence: "opening",
  stuck: false,
  ended: false,
  waiting: [],
  taken: [],
  notices: [],
  form: null,
  spoken: "",
};

export interface Store {
  get(): State;
  set(change: Partial<State>): void;
  subscribe(callback: () => void): () => void;
}

export function createStore(): Store {
  let state = EMPTY;
  const callbacks = new Set<() => void>();
  return {
    get: () => state,
    set(change) {
      state = { ...state, ...change };
      for (const callback of callbacks) callback();
    },
    subscribe(callback) {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
  };
}
