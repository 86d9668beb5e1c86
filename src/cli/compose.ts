/** The only place where adapters are built and put together. */
import { randomInt } from "node:crypto";
import { userInfo } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { packageRoot } from "../adapters/shared/package.ts";
import { openStore } from "../adapters/store/open.ts";
import { serveWeb, type Web } from "../adapters/web/surface.ts";
import { createEngine } from "../core/engine.ts";
import type { Chance, Clock, Engine, Log, Store } from "../core/ports.ts";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";

export const chance: Chance = {
  id: (length) => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join(""),
};

export interface State {
  store: Store;
  /** Stands in every button, so that another store's is recognised. */
  id: string;
}

/** The store of a state directory, whose lock must be held. Throws `store_newer` when a newer askgate has written to it. */
export async function openState(stateDir: string, log: Log): Promise<State> {
  const store = await openStore({
    dir: join(stateDir, "store"),
    onDamaged: (key, error) => log.error("a record is damaged and set aside", { key, error }),
  });
  try {
    return { store, id: await identify(store) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

export interface BotParts extends State {
  stateDir: string;
  clock: Clock;
  log: Log;
}

export interface Bot {
  engine: Engine;
  web: Web;
  stop(): Promise<void>;
}

/** The engine and its surfaces, running. */
export async function composeBot({ store, id, stateDir, clock, log }: BotParts): Promise<Bot> {
  const name = userInfo().username;
  const engine = await createEngine({
    store,
    storeId: id,
    clock,
    chance,
    log,
    surfaces: [],
    page: (session, locale) => served.page(session, locale),
    local: { id: `local:${name}`, name },
  });
  const served = await serveWeb({ gate: engine, stateDir, log, assets: join(packageRoot(), "dist", "page") });
  return {
    engine,
    web: served,
    async stop() {
      await served.close();
      await engine.stop();
    },
  };
}

const identity = z.object({ id: z.string() });

/** The store's id, given on first use. */
async function identify(store: Store): Promise<string> {
  const found = await store.load("store");
  if (found !== undefined) return identity.parse(found.value).id;
  const id = chance.id(6);
  await store.save("store", { id }, 0);
  return id;
}
