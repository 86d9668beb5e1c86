/** A bot in the test's own process, on chats of the test's choice; the commands that reach it are processes. */
import { mkdirSync, readFileSync } from "node:fs";
import { LINK_VERSION } from "../../src/adapters/link/protocol.ts";
import { runBot } from "../../src/cli/bot.ts";
import type { OpenChats } from "../../src/cli/compose.ts";

/** Resolves when commands are served; the function that it gives ends the bot. */
export async function startBot(stateDir: string, openChats: OpenChats): Promise<() => Promise<void>> {
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const { version }: { version: string } = JSON.parse(readFileSync("package.json", "utf8"));
  const versions = { link: LINK_VERSION, version };
  const stop = new AbortController();
  let running: Promise<void> = Promise.resolve();
  await new Promise<void>((ready, failed) => {
    const onReady = (): void => ready();
    running = runBot({ stateDir, versions, openChats, idleExit: false, signal: stop.signal, onReady });
    running.catch(failed);
  });
  return async () => {
    stop.abort();
    await running;
  };
}
