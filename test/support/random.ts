/** Chance that a seed repeats. */
export interface Random {
  /** 0 or more, less than 1. */
  next(): number;
  /** A whole number from 0, below `end`. */
  below(end: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** One of the entries, which must not be none. */
  of<Entry>(entries: readonly Entry[]): Entry;
}

/** mulberry32, public domain. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    of(entries) {
      const [entry] = entries.slice(below(entries.length));
      if (entry === undefined) throw new Error("nothing to choose from");
      return entry;
    },
  };
}

/** The entries in another order. */
export const shuffled = <Entry>(entries: readonly Entry[], random: Random): Entry[] =>
  entries
    .map((entry) => ({ entry, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ entry }) => entry);
