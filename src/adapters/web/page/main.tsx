/** The page's start: it exchanges a link's secret for the cookie, or draws the session that its address names. */
import { render } from "preact";
import { App } from "./app.tsx";
import { Landing } from "./landing.tsx";
import { openSession } from "./session.ts";
import { postEntry } from "./wire.ts";
import { pageLanguage, pageWords } from "./words.ts";

const RETRY_MS = 1000;

const root = document.querySelector("#page") ?? document.body;
const locale = new URLSearchParams(location.search).get("lang") || navigator.language || "en";
const words = pageWords(locale);

document.documentElement.lang = pageLanguage(locale);

function start(): void {
  const session = /^\/s\/([\w-]+)$/.exec(location.pathname)?.[1];
  if (session !== undefined) {
    render(<App page={openSession(session, locale, words)} />, root);
    return;
  }
  addEventListener("hashchange", () => void enter());
  void enter();
}

/** The fragment never leaves the browser by itself, so the secret in it is in no log and no referrer. */
async function enter(): Promise<void> {
  const [, session, secret] = /^#([\w-]+)\.([\w-]+)$/.exec(location.hash) ?? [];
  if (session === undefined || secret === undefined)
    return render(<Landing words={words} kind="closed" />, root);
  render(<Landing words={words} kind="opening" />, root);
  const result = await postEntry(session, secret);
  if (result === "open") return location.replace(`/s/${session}${location.search}`);
  render(<Landing words={words} kind={result === "away" ? "away" : "closed"} />, root);
  if (result === "away") setTimeout(() => void enter(), RETRY_MS);
}

start();
