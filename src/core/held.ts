/** Open rounds that were named by a key, found by how it begins: whoever asked finds its own questions again. */

import type { Held, Selector } from "./gate.ts";
import type { Keeper } from "./keeper.ts";
import { openRounds } from "./session.ts";
import { fitting } from "./which.ts";

export async function heldRounds(keeper: Keeper, selector: Selector, prefix: string): Promise<Held[]> {
  const open = fitting(keeper.known(), selector).filter((known) => known.open > 0);
  const sessions = await Promise.all(open.map(({ id }) => keeper.load(id).catch(() => undefined)));
  return sessions
    .flatMap((session) => (session === undefined ? [] : openRounds(session)))
    .flatMap(({ id, key, lateAt }) =>
      key?.startsWith(prefix) ? [{ round: id, key, late: lateAt !== null }] : [],
    );
}
