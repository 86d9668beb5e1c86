import { expect, it, onTestFinished } from "vitest";
import { Keeper } from "../../src/core/keeper.ts";
import type { Store } from "../../src/core/ports.ts";
import { manualClock } from "../doubles/manual-clock.ts";
import { openMemoryStore } from "../doubles/memory-store.ts";
import { LOGIN } from "../support/login.ts";
import { asked, emptySession, pressOf } from "../support/people.ts";

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

const open = (store: Store): Promise<Keeper> =>
  Keeper.open(
    { store, clock: manualClock(), log: quiet },
    {
      prepare: (session) => session,
      onChange: () => {},
    },
  );

/** A session as a keeper finds it after a restart. */
async function saved(records: Map<string, string>) {
  const session = asked("clarity", LOGIN);
  const keeper = await open(openMemoryStore({ records }));
  const [round] = session.rounds;
  if (round?.kind !== "clarity") throw new Error("no page");
  const { id, key, deadline, policy, kind, payload } = round;
  const more = { immediate: false, granularity: "auto" as const, asks: null, matter: { kind, payload } };
  await keeper.begin(emptySession(), { type: "open", round: id, key, deadline, policy, ...more });
  return session;
}

/** The store, whose first reading of a payload takes until it is let go. */
function hesitant(store: Store) {
  let [reach, release] = [() => {}, () => {}];
  const reached = new Promise<void>((done) => {
    reach = done;
  });
  const released = new Promise<void>((done) => {
    release = done;
  });
  let first = true;
  const load: Store["load"] = async (key) => {
    if (!first || !key.startsWith("payload/")) return store.load(key);
    first = false;
    reach();
    await released;
    return store.load(key);
  };
  return { store: { ...bound(store), load }, reached, release };
}

const bound = (store: Store): Store => ({
  load: (key) => store.load(key),
  save: (key, value, expected) => store.save(key, value, expected),
  remove: (key) => store.remove(key),
  list: (prefix) => store.list(prefix),
  close: () => store.close(),
});

it("a session that changes while somebody reads it is not taken for what it was before", async () => {
  const records = new Map<string, string>();
  const session = await saved(records);
  const slow = hesitant(openMemoryStore({ records }));
  const keeper = await open(slow.store);
  onTestFinished(() => keeper.stop());
  const reading = keeper.load(session.id);
  await slow.reached;
  const pick = (option: string) =>
    keeper.take(session.id, pressOf(session, "pick", { target: "d0", values: [option] }));
  expect(await pick("o0")).toMatchObject({ ok: true });
  slow.release();
  expect((await reading)?.rounds).toMatchObject([{ rev: 1 }]);
  expect(await pick("o1")).toMatchObject({ ok: true });
});
