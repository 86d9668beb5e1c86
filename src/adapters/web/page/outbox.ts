/**
 * Presses on their way to the bot, in order. Each is kept in storage until the bot has taken it, so that a reload, a
 * second tab or a bot that is away loses none; its id makes a second delivery harmless.
 */
import type { Answer } from "../../../core/effect.ts";
import type { Waiting } from "./state.ts";
import { keysOf, onStored, readItem, removeItem, writeItem } from "./storage.ts";
import { postPress, waitingFrom } from "./wire.ts";

const RETRY_MS = 1500;

export interface Hooks {
  /** What waits has changed, here or in another tab. */
  changed(waiting: Waiting[]): void;
  answered(item: Waiting, answer: Answer): void;
  /** The bot can not take it, whatever happens: too long, not well formed. */
  refused(item: Waiting): void;
  away(): void;
}

export interface Outbox {
  add(item: Waiting): void;
  /** Tries to hand everything over; harmless at any time. */
  deliver(): void;
}

export function createOutbox(session: string, hooks: Hooks): Outbox {
  const prefix = `askgate:${session}:out:`;
  let count = 0;
  let sending: string | null = null;
  let again: ReturnType<typeof setTimeout> | undefined;

  const entries = (): { key: string; item: Waiting }[] =>
    keysOf(prefix).flatMap((key) => {
      const item = waitingFrom(readItem(key));
      return item === null ? [] : [{ key, item }];
    });
  const report = (): void => hooks.changed(entries().map(({ item }) => item));

  /** Hands over what waits until there is nothing, or the bot is away. One tab does it at a time. */
  const drain = async (): Promise<void> => {
    for (let head = entries()[0]; head !== undefined; head = entries()[0]) {
      sending = head.key;
      const delivery = await postPress(session, head.item);
      sending = null;
      if (delivery.kind === "away" || delivery.kind === "barred") {
        hooks.away();
        clearTimeout(again);
        again = setTimeout(deliver, RETRY_MS);
        return;
      }
      removeItem(head.key);
      if (delivery.kind === "answered") hooks.answered(head.item, delivery.answer);
      else hooks.refused(head.item);
      report();
    }
  };
  const deliver = (): void => {
    void navigator.locks.request(`${prefix}lock`, drain);
  };

  /** A pick that nobody has sent yet is overtaken by the next pick of the same decision. */
  const overtake = (item: Waiting): void => {
    const last = entries().at(-1);
    if (last !== undefined && last.key !== sending && isSamePick(last.item, item)) removeItem(last.key);
  };

  onStored((key) => key.startsWith(prefix) && report());
  report();
  return {
    add(item) {
      overtake(item);
      count += 1;
      writeItem(
        `${prefix}${String(Date.now()).padStart(15, "0")}:${String(count).padStart(6, "0")}:${item.id}`,
        JSON.stringify(item),
      );
      report();
      deliver();
    },
    deliver,
  };
}

const isSamePick = (one: Waiting, other: Waiting): boolean =>
  one.mark.kind === "pick" &&
  other.mark.kind === "pick" &&
  one.mark.round === other.mark.round &&
  one.mark.target === other.mark.target;
