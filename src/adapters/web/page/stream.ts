/**
 * The stream of cards. It comes back by itself: soon after the bot was away, and whenever the page is looked at again.
 * A page in the background lets go of it after a while and only looks in, because a browser opens six connections to a
 * host and no more.
 */
import type { Frame } from "../../../core/gate.ts";
import { frameFrom } from "./wire.ts";

const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 3000;
/** No sign of life for this long: the connection is dead though nobody closed it. */
const SILENCE_MS = 25_000;
const HIDDEN_MS = 20_000;
const LOOK_IN_MS = 20_000;

export interface Listener {
  frame(frame: Frame): void;
  /** The connection was lost or could not be made. */
  away(): void;
  barred(): void;
  /** The bot serves another version of this page. */
  version(version: string): void;
}

type End = "away" | "barred" | "ended" | "seen";

/** Listens for as long as the page lives. Returns what to call when there is reason to try again at once. */
export function listen(url: string, listener: Listener): () => void {
  let wake = (): void => {};
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async (): Promise<void> => {
    for (let retry = FIRST_RETRY_MS; ; ) {
      const end = await readOnce(url, {
        ...listener,
        frame: (frame) => {
          retry = FIRST_RETRY_MS;
          listener.frame(frame);
        },
      });
      if (end === "ended") return;
      if (end === "away") listener.away();
      if (end === "barred") listener.barred();
      await pause(end === "seen" ? LOOK_IN_MS : retry);
      retry = Math.min(retry * 2, LAST_RETRY_MS);
    }
  };
  for (const name of ["online", "focus", "pageshow"]) addEventListener(name, () => wake());
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && wake());
  void run();
  return () => wake();
}

/** One connection, until it ends or nobody has looked at the page for a while. */
async function readOnce(url: string, listener: Listener): Promise<End> {
  const stop = new AbortController();
  const release = whenHidden(() => stop.abort("seen"));
  const isGlance = document.visibilityState === "hidden";
  let number = 0;
  try {
    const response = await fetch(url, { signal: stop.signal, cache: "no-store" });
    if (response.status === 401 || response.status === 403 || response.status === 404) return "barred";
    if (!response.ok || response.body === null) return "away";
    listener.version(response.headers.get("X-Askgate-Page") ?? "");
    for await (const event of eventsOf(response.body, () => stop.abort("silent"))) {
      const frame = frameFrom(event);
      if (number !== 0 && frame.number !== number + 1) return "away";
      number = frame.number;
      listener.frame(frame);
      if (frame.ended) return "ended";
      if (isGlance) return "seen";
    }
    return "away";
  } catch {
    return stop.signal.reason === "seen" && number > 0 ? "seen" : "away";
  } finally {
    release();
    stop.abort("done");
  }
}

/** The data of server-sent events, one by one. Calls `silent` when nothing has come for too long. */
async function* eventsOf(body: ReadableStream<Uint8Array>, silent: () => void): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const timer = setTimeout(silent, SILENCE_MS);
    const { done, value } = await reader.read();
    clearTimeout(timer);
    if (done) return;
    const events = (text + decoder.decode(value, { stream: true })).split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) if (event.startsWith("data: ")) yield event.slice(6);
  }
}

/** Calls back once the page has been in the background for a while; the function returned calls it off. */
function whenHidden(callback: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    clearTimeout(timer);
    if (document.visibilityState === "hidden") timer = setTimeout(callback, HIDDEN_MS);
  };
  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", look);
  };
}
