import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newsOf } from "../../../src/adapters/terminal/news.ts";
import * as render from "../../../src/adapters/terminal/render.ts";
import { block, safe, width, wrap } from "../../../src/adapters/terminal/text.ts";
import { LOGIN, PLAN } from "../../support/login.ts";
import { asked, BEN, did } from "../../support/people.ts";
import { locally, PLAIN, picture } from "./support.ts";

const session = asked("clarity", LOGIN);
const picked = locally(session, "pick", { target: "d0", values: ["o1"] });

const choice = (at: number, of = session, look = PLAIN): string => {
  const shown = picture(of);
  const part = shown.choices[at];
  return part === undefined ? "" : render.drawChoice(part, shown, look).join("\n");
};

describe("a decision", () => {
  it("shows numbers, the recommended one and why", () => {
    expect(choice(0)).toBe(`
  1  Which auth methods?
     ★ Spec says low friction.
     1 Magic link only  ★  Lowest friction.
     2 Password + magic link
     ? help`);
  });

  it("shows what was picked, what it follows from, and what can be typed", () => {
    expect(choice(0, picked)).toContain("   ✓ 2 Password + magic link");
    expect(choice(0, picked)).toContain("↳ follow-up: Password policy?");
    expect(choice(2, picked)).toBe(`
  3  Password policy?
     ↳ after 1 Password + magic link — ana
     ★ Most people cope.
     1 Lenient  ★
     2 Strict
     o own words   b back   ? help`);
  });

  it("fits 40 columns", () => {
    const narrow = choice(0, picked, { ...PLAIN, columns: 40 });
    expect(Math.max(...narrow.split("\n").map(width))).toBeLessThanOrEqual(40);
    expect(narrow.replaceAll(/\s+/g, " ")).toContain("Password + magic link");
  });

  it("speaks the session's language", () => {
    expect(choice(2, picked, { ...PLAIN, locale: "fr-CA" })).toContain(
      "o vos propres mots   b retour   ? aide",
    );
  });

  it("has colours only where the terminal does", () => {
    expect(choice(0)).not.toContain("\x1b");
    expect(choice(0, session, { ...PLAIN, colour: true })).toContain("\x1b[1m");
  });
});

describe("the summary", () => {
  it("lists what was picked and what can be done", () => {
    const all = locally(picked, "accept", { rev: 1 });
    expect(render.drawSummary(picture(all), PLAIN).join("\n")).toBe(`
✓ 1  Which auth methods?
     Password + magic link — ana
✓ 2  Session length?
     One day — ana
✓ 3  Password policy?
     Lenient — ana
  3 of 3   s Send to agent   c Cancel   a number changes an answer   ? help`);
  });
});

describe("a plan", () => {
  it("shows blocks with their numbers and comments as they were written", () => {
    const commented = locally(asked("plan", PLAN), "comment", { target: "b3", words: "rate limits" });
    const drawn = picture(commented).blocks.flatMap((block) => render.drawBlock(block, PLAIN));
    expect(drawn.join("\n")).toBe(`
   ¶1 # Login

   ¶2 We send a link.

   ¶3 ## Risks

   ¶4 - spam
      - replay
        a1 ana: rate limits

   ¶5 Done.`);
  });
});

describe("news", () => {
  it("tells what others picked", () => {
    const theirs = did(session, "pick", { target: "d0", values: ["o1"], actor: BEN });
    expect(newsOf(picture(session), picture(theirs))).toEqual([
      "1 Which auth methods? ✓ Password + magic link — Ben",
      "↳ follow-up: Password policy?",
    ]);
  });

  it("tells what a pick took away", () => {
    const strict = locally(picked, "pick", { target: "d1", values: ["o1"] });
    const back = locally(strict, "pick", { target: "d0", values: ["o0"] });
    expect(newsOf(picture(strict), picture(back))).toContain("removed: Password policy? — Strict");
  });

  it("is nothing where nothing changed", () => {
    expect(newsOf(picture(picked), picture(picked))).toEqual([]);
  });
});

describe("untrusted text", () => {
  it("cannot steer the terminal", () => {
    const evil = "\x1b[2J\x1b]0;owned\x07\u009b31m\u202etxt\rover\x7f";
    const drawn = choice(
      0,
      asked("clarity", { ...LOGIN, title: evil, decisions: [{ ...LOGIN.decisions[0], question: evil }] }),
    );
    expect(drawn).toContain("␛[2J␛]0;owned␇<U+009B>31m<U+202E>txt␍over␡");
  });

  it("never contains a control character once drawn, and loses no other", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 200 }),
        fc.integer({ min: 1, max: 120 }),
        (text, columns) => {
          const drawn = block(text, { ...PLAIN, columns }, 5);
          expect(drawn.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
          const bare = (value: string): string => value.replaceAll(/\s/gu, "");
          expect(bare(drawn)).toBe(bare(safe(text)));
        },
      ),
    );
  });

  it("wraps to the room there is", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), fc.integer({ min: 16, max: 100 }), (text, room) => {
        const line = safe(text).replaceAll("\n", " ");
        for (const part of wrap(line, room)) expect(width(part)).toBeLessThanOrEqual(room);
      }),
    );
  });
});
