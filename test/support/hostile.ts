/** Payloads at every limit, out of whatever breaks texts. */
import fc from "fast-check";
import { TIME } from "../../src/core/card.ts";

const BITS = [
  "word ",
  "中文字",
  "日本語。",
  "👩‍👩‍👧‍👦",
  "🇩🇪",
  "👍🏽",
  "☎️",
  "\ud800",
  "\udfff",
  "<!channel>",
  "<@U9>",
  "&<>",
  "*b* ",
  "_i_ ",
  "`c`",
  "```\n",
  "- x\n",
  "> q\n",
  "| a |\n|--|\n",
  "# h\n",
  "\n\n",
  ":tada:",
  "https://e.vil ",
  "[a](https://b.c) ",
  "שלום",
  "\u202e",
  "\u2066",
  "\u0000",
  "\u0007",
  "\u001b[31m",
  "\t",
  "\r\n",
  "\u2028",
  "\ufeff",
  "e\u0301\u0301",
  TIME,
  "1. ",
  "\\",
  "~~s~~",
  "a".repeat(80),
];

/** A text of exactly this length, out of a few bits over and over. */
export const nasty = (length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...BITS), { minLength: 1, maxLength: 4 })
    .map((bits) => bits.join("").repeat(length).slice(0, length));
const upTo = (max: number, min = 0): fc.Arbitrary<string> =>
  fc.oneof(
    nasty(max),
    nasty(max),
    fc.constantFrom(min, 1, 20, 60).chain((length) => nasty(Math.min(max, Math.max(min, length)))),
  );

const decision = (index: number, parents: boolean) =>
  fc
    .record({
      question: upTo(240, 6),
      why: upTo(600, 12),
      multi: fc.boolean(),
      own: fc.boolean(),
      child: fc.boolean(),
      options: fc.array(fc.record({ label: upTo(80, 1), description: upTo(400), reason: upTo(400) }), {
        minLength: 2,
        maxLength: 25,
      }),
    })
    .map(({ question, why, multi, own, child, options }) => ({
      id: `d${index}`,
      question,
      recommendation_reason: why,
      allow_custom: own,
      multi,
      options: options.map((option, at) => ({ ...option, id: `o${at}`, recommended: at === 0 })),
      ...(parents && child && index > 0 ? { show_if: { decision: "d0", in: ["o0"] } } : {}),
    }));

export const hostileClarity = fc.tuple(fc.constantFrom(1, 3, 8, 40), fc.boolean()).chain(([count, parents]) =>
  fc.record({
    title: upTo(120, 1),
    subtitle: upTo(160),
    context: upTo(1200, 1),
    decisions: fc.tuple(...Array.from({ length: count }, (_, index) => decision(index, parents))),
    flow: fc.option(fc.record({ continue_label: upTo(40, 1), done_label: upTo(40, 1) }), { nil: undefined }),
  }),
);

/** Small words, as many as possible: what is added to each of them adds up. */
export const crumbs = fc.constantFrom(1, 2, 10).map((length) => ({
  title: "t",
  context: "c".repeat(1200),
  decisions: Array.from({ length: 40 }, (_, index) => ({
    id: `d${index}`,
    question: "q".repeat(6),
    recommendation_reason: "w".repeat(12),
    allow_custom: true,
    multi: true,
    options: Array.from({ length: 25 }, (_, at) => ({
      id: `o${at}`,
      label: "l".repeat(length),
      description: "d",
      reason: "r",
      recommended: true,
    })),
  })),
}));

export const hostilePlan = fc.record({
  title: upTo(120, 1),
  subtitle: upTo(160),
  plan: fc.array(upTo(4000, 1), { minLength: 1, maxLength: 25 }).map((pieces) => `p${pieces.join("\n\n")}`),
});
const question = (text: string): string => `q${text}`.slice(0, 2000);
export const hostileAsk = fc.record({
  question: upTo(2000, 1).map(question),
  options: fc.array(
    upTo(200, 1).map((text) => `o${text}`.slice(0, 200)),
    { maxLength: 25 },
  ),
  detail: upTo(20_000),
});
export const hostilePermission = fc.record({
  title: upTo(120, 1),
  command: upTo(20_000, 1),
  detail: upTo(20_000),
});
