/** Private words of the bot, the same in all tabs of a session. Those that give words back stay until they are closed. */
import type { Notice } from "./state.ts";
import { keysOf, onStored, readItem, removeItem, writeItem } from "./storage.ts";
import { noticeFrom } from "./wire.ts";

export interface Notices {
  add(notice: Omit<Notice, "id">): void;
  remove(id: string): void;
  /** Removes those that have served their purpose. */
  clear(): void;
}

export function createNotices(session: string, changed: (notices: Notice[]) => void): Notices {
  const prefix = `askgate:${session}:word:`;
  const all = (): Notice[] => keysOf(prefix).flatMap((key) => noticeFrom(readItem(key)) ?? []);
  const report = (): void => changed(all());
  onStored((key) => key.startsWith(prefix) && report());
  report();
  return {
    add(notice) {
      const id = `${String(Date.now()).padStart(15, "0")}-${crypto.randomUUID().slice(0, 8)}`;
      if (all().some(({ text, words }) => text === notice.text && words === notice.words)) return;
      writeItem(prefix + id, JSON.stringify({ ...notice, id } satisfies Notice));
      report();
    },
    remove(id) {
      removeItem(prefix + id);
      report();
    },
    clear() {
      for (const { id, words } of all()) if (words === null) removeItem(prefix + id);
      report();
    },
  };
}
