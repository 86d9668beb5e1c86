/** A real Chromium for tests of the page: $CHROMIUM, one of the system's, or what `npx playwright-core install chromium` put in place. */
import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { onTestFinished, vi } from "vitest";

const SYSTEM = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** A busy machine may take its time; what matters is what happens, not how soon. */
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });
const PATIENCE_MS = 45_000;

const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

export function findChromium(): string {
  const named = process.env.CHROMIUM;
  const found = [named, ...SYSTEM, chromium.executablePath()].find(
    (path) => path !== undefined && path !== "" && existsSync(path),
  );
  if (found !== undefined) return found;
  throw new Error(
    "No Chromium was found, and the page is tested in a real one. Set CHROMIUM to its path, install the package " +
      "`chromium`, or run: npx playwright-core install chromium",
  );
}

let browser: Promise<Browser> | undefined;

const launched = (): Promise<Browser> => {
  browser ??= chromium.launch({ executablePath: findChromium(), args: QUIET });
  return browser;
};

export async function closeChromium(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

type Look = NonNullable<Parameters<Browser["newContext"]>[0]>;

/** A browser profile of its own, which goes with the test. */
export async function newProfile(look: Look = {}): Promise<BrowserContext> {
  const profile = await (await launched()).newContext({
    locale: "en-GB",
    timezoneId: "UTC",
    reducedMotion: "reduce",
    ...look,
  });
  profile.setDefaultTimeout(PATIENCE_MS);
  onTestFinished(() => profile.close());
  return profile;
}
