import { describe, expect, it } from "vitest";
import { splitEntryAction } from "../../../src/adapters/discord/buttons.ts";
import type { Message } from "../../../src/adapters/discord/kit.ts";
import { drawMarkdown } from "../../../src/adapters/discord/markdown.ts";
import {
  fileName,
  mentioned,
  renderCard,
  renderFile,
  renderOffer,
  renderPlainly,
  renderWord,
} from "../../../src/adapters/discord/render.ts";
import type { Card } from "../../../src/core/card.ts";
import type { Session } from "../../../src/core/session.ts";
import { fullCard } from "../../support/every-part.ts";
import { LOGIN, PLAN } from "../../support/login.ts";
import { BEGIN, lastRound, named, type Pressing, did as pressed } from "../../support/people.ts";
import { picture } from "./picture.ts";
import { seenIn } from "./reading.ts";
import { ANA, BEN, cardsOf, contents, messages, opened, post, pressables, URL } from "./support.ts";

const did = (session: Session, verb: Parameters<typeof pressed>[1], how: Pressing = {}): Session =>
  pressed(session, verb, { actor: ANA, ...how });
const cardOf = (session: Session, more: Partial<Card> = {}): Card => {
  const [card] = cardsOf(session);
  if (card === undefined) throw new Error("no card");
  return { ...card, ...more };
};
const first = (session: Session): Message => renderCard(cardOf(session));
const seen = (session: Session): string => picture(first(session));
const wordsOf = ({ components }: Message): string =>
  contents(components)
    .map((one) => seenIn(one).words)
    .join("\n");
const revOf = (session: Session): number => {
  const round = lastRound(session);
  return "rev" in round ? round.rev : 0;
};

const ONE = { ...LOGIN, subtitle: "v1 · B2C", decisions: LOGIN.decisions.slice(0, 2) };

describe("a page of decisions", () => {
  it("is one message that can be answered as it stands", () => {
    expect(seen(opened("clarity", ONE, { policy: named(ANA) }))).toBe(
      [
        "<@1000000000000000001>",
        "### Login PRD",
        "-# v1 · B2C",
        "-# shop-web@main · Claude on mac-7",
        "Email-first.",
        "**1  Which auth methods?**",
        "1. Magic link only ★ — *Lowest friction.*",
        "2. Password + magic link",
        "★ *Spec says low friction.*",
        "[… ▾ 1 Magic link only / 2 Password + magic link]",
        "-# 0 of 1",
        "[★ Accept recommended] [!Send to agent] [xCancel]",
      ].join("\n"),
    );
  });

  it("is made of components, and of nothing else", () => {
    expect(first(opened("clarity", ONE)).flags).toBe(1 << 15);
  });

  it("shows the pick, who made it, and what follows from it", () => {
    const session = did(opened("clarity", ONE), "pick", { target: "d0", values: ["o1"] });
    const [home, followUp] = messages(session).map(picture);
    expect(home).toContain("2. ✓ **Password + magic link**");
    expect(home).toContain("**✓ Password + magic link — Ana**\n↳ follow-up: Password policy?");
    expect(home).toContain("[2 Password + magic link ▾ ");
    expect(followUp).toMatch(/^<@1000000000000000001>\n\*\*2 {2}Password policy\?\*\*/);
    expect(followUp).toContain("[Other…]");
  });

  it("links to the follow-up once it has an address", () => {
    const session = did(opened("clarity", ONE), "pick", { target: "d0", values: ["o1"] });
    const [home] = messages(session, { url: () => URL });
    expect(home && picture(home)).toContain(`[↳ follow-up: Password policy?](${URL})`);
  });

  it("shows a label that looks like an address beside its link, as Discord draws no such link", () => {
    const pointer = { key: "k", label: "https://good.example [x]", url: URL };
    expect(picture(renderWord("Open:", [pointer]))).toBe(`Open:\n↳ <https://good.example> \\[x] <${URL}>`);
  });

  it("shows own words in the menu that they stand for", () => {
    const session = did(opened("clarity", LOGIN), "own", { target: "d2", words: "until they log out" });
    expect(seen(session)).toContain("[✎ until they log out ▾ 1 One day / 2 One month]\n[Other…]");
  });

  it("takes one option, or any number where several may be picked", () => {
    const [decision] = LOGIN.decisions;
    const several = { ...LOGIN, decisions: [{ ...decision, multi: true }] };
    expect(pressables(first(opened("clarity", LOGIN)))[0]).toMatchObject({ min_values: 1, max_values: 1 });
    const session = did(opened("clarity", several), "pick", { target: "d0", values: ["o0", "o1"] });
    expect(pressables(first(session))[0]).toMatchObject({
      min_values: 0,
      max_values: 2,
      options: [
        { value: "o0", default: true },
        { value: "o1", default: true },
      ],
    });
  });

  it("says in the end who sent it, by the reader's own clock, and takes no more presses", () => {
    const accepted = did(opened("clarity", ONE), "accept");
    const sent = did(accepted, "send", { rev: revOf(accepted) });
    expect(seen(sent)).toContain("**✓ Magic link only — Ana**");
    expect(seen(sent)).toMatch(/✅ Sent to the agent by Ana in \w+, <t:1800000001:t>/);
    expect(pressables(first(sent))).toEqual([]);
  });
});

describe("a question", () => {
  it("comes first, with its options as buttons", () => {
    const detail = "Both are *built*.";
    expect(seen(opened("ask", { question: "Which UI?", options: ["Web UI", "Terminal"], detail }))).toBe(
      [
        "**Which UI?**",
        "-# Claude has a question",
        "-# shop-web@main · Claude on mac-7",
        "Both are \\*built\\*.",
        "[Web UI] [Terminal] [Other…] [Skip]",
      ].join("\n"),
    );
  });

  it("sends the option with the button, each with an id of its own", () => {
    const session = opened("ask", { question: "Which UI?", options: ["Web UI", "Terminal"] });
    const ids = pressables(first(session)).map(({ custom_id }) => custom_id);
    expect(new Set(ids).size).toBe(4);
    expect(splitEntryAction(ids[1] ?? "")).toEqual({ button: ids[2], value: "o1" });
    expect(splitEntryAction(ids[2] ?? "")).toEqual({ button: ids[2], value: null });
  });

  it("lists options that a button cannot show whole", () => {
    const options = ["Web UI, but only for what the keyboard cannot do", "Terminal"];
    expect(seen(opened("ask", { question: "Which UI?", options }))).toContain(
      [
        "1. Web UI, but only for what the keyboard cannot do",
        "2. Terminal",
        "[1 Web UI, but only for what the k…] [2 Terminal] [Other…] [Skip]",
      ].join("\n"),
    );
  });

  it("has a menu for more options than a row of buttons holds", () => {
    const session = opened("ask", { question: "Which one?", options: ["a", "b", "c", "d", "e", "f"] });
    expect(seen(session)).toContain("[… ▾ 1 a / 2 b / 3 c / 4 d / 5 e / 6 f]\n[Other…] [Skip]");
    const [menu, other] = pressables(first(session));
    expect(splitEntryAction(menu?.custom_id ?? "")).toEqual({ button: other?.custom_id, value: null });
  });

  it("shows the answer and no buttons once somebody was first", () => {
    const session = opened("ask", { question: "Which UI?", options: ["Web UI", "Terminal"] });
    const settled = seen(did(session, "answer", { values: ["o0"] }));
    expect(settled).toContain("1. ✓ **Web UI**\n2. Terminal\n**✓ Web UI — Ana**");
    expect(settled).toMatch(/✅ Answered by Ana in \w+, <t:1800000001:t>/);
    expect(settled).not.toContain("[");
  });
});

describe("a permission", () => {
  it("shows what would run just as it is", () => {
    expect(seen(opened("permission", { title: "Drop the table", command: "  psql -c 'drop *x*'\n" }))).toBe(
      [
        "### Drop the table",
        "-# needs permission",
        "-# shop-web@main · Claude on mac-7",
        "```",
        "  psql -c 'drop *x*'",
        "```",
        "[!Allow once] [xDeny] [Deny with words]",
      ].join("\n"),
    );
  });

  it("keeps the reason of a denial", () => {
    const session = opened("permission", { title: "Drop the table", command: "psql" });
    expect(seen(did(session, "deny", { target: "words", words: "not on prod" }))).toContain("not on prod");
  });
});

describe("a plan", () => {
  it("has the state of the review in one line, and its controls at head and end", () => {
    const open = opened("plan", PLAN, { policy: named(ANA, BEN), deadline: BEGIN + 1_800_000 });
    const session = did(open, "feedback", { actor: BEN, words: "nice" });
    expect(seen(session)).toMatch(/^-# Ana – · Ben: \d+ comments?$|^-# Ana – · Ben –$/m);
    expect(seen(session)).toMatch(/^-# .*<t:1800001800:t>/m);
    const row = "[!Approve] [Request changes] [Feedback] [xCancel]";
    const drawn = cardsOf(session).filter(({ parts }) => parts.every(({ kind }) => kind !== "file"));
    expect(seen(session)).toContain(row);
    expect(drawn.map((card) => picture(renderCard(card))).at(-1)).toContain(row);
  });

  it("numbers its blocks and draws their Markdown", () => {
    const all = messages(opened("plan", PLAN)).map(picture).join("\n");
    expect(all).toContain("# ¶1  Login");
    expect(all).toContain("**¶2**  We send a link.");
    expect(all).toContain("**¶4**\n- spam\n- replay");
  });

  it("shows comments from elsewhere under their block", () => {
    const session = opened("plan", PLAN);
    const comments = [{ id: "a1", text: "see\nbelow", by: "Ben", byId: "local:ben", edit: null }];
    const parts = cardsOf(session).flatMap((card) =>
      card.parts.map((part) => (part.kind === "block" ? { ...part, comments } : part)),
    );
    expect(picture(renderCard(cardOf(session, { parts })))).toContain("> **Ben:** see\n> below");
  });
});

describe("words of others", () => {
  const hostile = "@everyone <@9> *b* `c` ||d|| [x](https://evil.example) \ud800 \u202e \u0007";

  it("call nobody, hide nothing and format nothing", () => {
    const session = opened("clarity", { ...ONE, title: hostile, context: hostile });
    const { components } = first(session);
    const all = contents(components).map(seenIn);
    const shown = "@everyone <@9> *b* `c` ||d|| [x](https://evil.example) \ufffd \ufffd ␇";
    expect(all[0]?.words).toContain(shown);
    expect(all[0]?.marks).toEqual(["heading", "link https://evil.example", "small", "small"]);
    expect(all[1]).toEqual({ words: shown, marks: ["link https://evil.example"] });
  });

  it("mention only people of this surface", () => {
    const mention = [
      "slack:T1/U7",
      "discord:42",
      "discord:@everyone",
      "discord:43",
      "discord:42",
      "local:ana",
    ];
    const card = cardOf(opened("clarity", ONE), { mention });
    expect(mentioned(card)).toEqual(["42", "43"]);
    expect(picture(renderCard(card))).toMatch(/^<@42> <@43>\n### Login PRD\n/);
  });
});

describe("a card that Discord refused", () => {
  it("is drawn again with all its words and buttons, but without looks", () => {
    const plain = renderPlainly(fullCard((name) => `*${name}*`));
    post(plain);
    for (const name of ["title", "question", "label", "why", "raw", "on block", "pointer"])
      expect(wordsOf(plain)).toContain(`*${name}*`);
    expect(contents(plain.components).every((content) => content.startsWith("```\n"))).toBe(true);
    expect(picture(plain)).toContain("[*control*]");
  });

  it("is cut where even that is too much, and says so", () => {
    const text = "中".repeat(2_000);
    const parts = [1, 2, 3].map(() => ({ kind: "text" as const, text, tone: "body" as const, at: null }));
    const card = { ...cardOf(opened("clarity", ONE)), parts };
    const message = renderCard({ ...card, parts: [...parts, ...cardOf(opened("clarity", ONE)).parts] });
    post(message);
    expect(contents(message.components).at(-1)).toBe("…");
    expect(pressables(message)).toHaveLength(4);
  });
});

describe("a file", () => {
  it("is shown under a name that Discord keeps", () => {
    expect(picture(renderFile({ name: "plan.md" }))).toBe("(attachment://plan.md)");
    expect(picture(renderFile({ name: "../a b.c++" }))).toBe(`(attachment://${fileName("../a b.c++")})`);
    expect(fileName("../a b.c++")).toBe("a_b.c_");
    expect(fileName("中")).toBe("file.txt");
    expect(fileName(`${"x".repeat(200)}.md`)).toMatch(/^x{97}\.md$/);
  });
});

describe("a private word", () => {
  it("comes with links to what it is about", () => {
    const message = renderWord("Still open: *Which?* · What?", [
      { key: "k", label: "*Which?*", url: URL },
      { key: "l", label: "What?", url: null },
    ]);
    expect(picture(message)).toBe(`Still open:\n[↳ \\*Which?\\*](${URL})\n↳ What?`);
  });

  it("is one that Discord takes, however much is open", () => {
    const label = "*which* ".repeat(30);
    const pointers = Array.from({ length: 40 }, (_, index) => ({ key: `k${index}`, label, url: URL }));
    for (const many of [pointers, []]) {
      const message = renderWord(label.repeat(60), many);
      post(message);
      expect(contents(message.components).at(-1)).not.toBe("…");
    }
  });

  it("offers to take a message as the answer", () => {
    const message = renderOffer("Should this be your answer?", "v1:st:use:r:0:d0", "Use as my answer");
    expect(picture(message)).toBe("Should this be your answer?\n[!Use as my answer]");
    post(message);
    const long = renderOffer("?", "v1:st:use:r:0:d0", "x".repeat(81));
    expect(pressables(long)[0]).toMatchObject({ label: `${"x".repeat(79)}…` });
  });
});

it("draws every part of a card", () => {
  const card = fullCard((name) => `the ${name}`);
  post(renderCard(card));
  const words = wordsOf(renderCard(card));
  for (const name of [
    "origin",
    "text",
    "description",
    "reason",
    "answer",
    "note",
    "reveals",
    "comments",
    "name",
    "state",
  ])
    expect(words).toContain(`the ${name}`);
  expect(drawMarkdown("the raw")).toBe("the raw");
});
