/** When to give up on bots that go away: not because one was killed, nor several, but when the call itself may be to blame. */

/** A bot that goes away so often in a row, for so long, each time soon and without an answer, is beyond help. */
const LOSSES = 5;
const LOSING_MS = 60_000;
/** One that had the call for longer than this did not go away because of it. */
const SOON_MS = 1_000;

/** The troubles of one call in a row. */
export interface Troubles {
  /** Counts one more; gives how many there were when that is enough, else null. */
  another(): number | null;
  /** The call is made again now. */
  tryAgain(): void;
  /** An answer came: the row is over. */
  forget(): void;
}

export function countTroubles(now: () => number = () => performance.now()): Troubles {
  let [times, since, tried] = [0, now(), now()];
  const forget = (): void => {
    [times, since] = [0, now()];
  };
  return {
    forget,
    another() {
      if (now() - tried > SOON_MS) forget();
      times += 1;
      return times > LOSSES && now() - since > LOSING_MS ? times : null;
    },
    tryAgain() {
      tried = now();
    },
  };
}
