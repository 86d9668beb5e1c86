/** The only place where adapters are built and put together. */
import { randomInt } from "node:crypto";
import { userInfo } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { openDiscord } from "../adapters/discord/surface.ts";
import type { Chats } from "../adapters/link/calls.ts";
import type { Health } from "../adapters/link/protocol.ts";
import { packageRoot } from "../adapters/shared/package.ts";
import { openVault } from "../adapters/shared/vault.ts";
import { openSlack } from "../adapters/slack/surface.ts";
import { openStore } from "../adapters/store/open.ts";
import { serveWeb, type Web } from "../adapters/web/surface.ts";
import { createEngine } from "../core/engine.ts";
import type { Chance, Clock, Engine, Log, Store } from "../core/ports.ts";
import type { Chat, Vault } from "../core/surface.ts";
import { connectionsOf, manageChats } from "./chats.ts";

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
  openChats?: OpenChats | undefined;
}

/** The chat platforms, each with the connections that are kept. */
export type OpenChats = (parts: { vault: Vault; clock: Clock; log: Log }) => Chat[];

export interface Bot {
  engine: Engine;
  chats: Chats;
  connections(): Health["connections"];
  web: Web;
  stop(): Promise<void>;
}

/** The engine and its surfaces, running. */
export async function composeBot(parts: BotParts): Promise<Bot> {
  const { store, id, stateDir, clock, log, openChats = allChats } = parts;
  const name = userInfo().username;
  const vault = openVault(stateDir, (error) => log.error("the connections cannot be read", { error }));
  const chats = openChats({ vault, clock, log });
  const engine = await createEngine({
    store,
    storeId: id,
    clock,
    chance,
    log,
    surfaces: chats,
    page: (session, locale) => served.page(session, locale),
    local: { id: `local:${name}`, name },
  });
  const served = await serveWeb({ gate: engine, stateDir, log, assets: join(packageRoot(), "dist", "page") });
  return {
    engine,
    chats: manageChats({ chats, vault, gate: engine, log }),
    connections: () => connectionsOf({ chats, vault }),
    web: served,
    async stop() {
      await served.close();
      await engine.stop();
    },
  };
}

const allChats: OpenChats = (parts) => [openSlack(parts), openDiscord(parts)];

const identity = z.object({ id: z.string() });

/** The store's id, given on first use. */
async function identify(store: Store): Promise<string> {
  const found = await store.load("store");
  if (found !== undefined) return identity.parse(found.value).id;
  const id = chance.id(6);
  await store.save("store", { id }, 0);
  return id;
}
