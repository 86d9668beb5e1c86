/** What stands where there are no cards to draw. */
import type { PageWords } from "./words.ts";

export type LandingKind = "opening" | "away" | "closed";

export function Landing({ words, kind }: { words: PageWords; kind: LandingKind }) {
  return (
    <main class="landing">
      <Mark />
      {kind === "closed" ? <h1>{words.openTitle}</h1> : null}
      <p role="status">
        {kind === "opening" ? words.opening : kind === "away" ? words.awayFirst : words.openText}
      </p>
    </main>
  );
}

export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <path d="M8 25V14a8 8 0 0 1 16 0v11M16 25V14" />
  </svg>
);
