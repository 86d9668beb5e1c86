import { describe, expect, it } from "vitest";
import { splitEntryAction } from "../../../src/adapters/slack/buttons.ts";
import type { Message, Pressable } from "../../../src/adapters/slack/kit.ts";
import { SLACK_LIMITS } from "../../../src/adapters/slack/limits.ts";
import { renderCard, renderOffer, renderWord } from "../../../src/adapters/slack/render.ts";
import { sizeOf } from "../../../src/adapters/slack/rich-text.ts";
import type { Card } from "../../../src/core/card.ts";
import type { Session } from "../../../src/core/session.ts";
import { checkBlocks } from "../../doubles/slack/blocks.ts";
import { LOGIN, PLAN } from "../../support/login.ts";
import { ANA, asked, BEGIN, BEN, did, draw, lastRound, named } from "../../support/people.ts";
import { picture } from "./picture.ts";

const cardsOf = (session: Session): Card[] => draw(session, SLACK_LIMITS);
const cardOf = (session: Session, more: Partial<Card> = {}): Card => {
  const [card] = cardsOf(session);
  if (card === undefined) throw new Error("no card");
  return { ...card, ...more };
};
const messages = (session: Session): Message[] => cardsOf(session).map(renderCard);
const first = (session: Session): Message => messages(session)[0] ?? { text: "", blocks: [] };
const seen = (session: Session): string => picture(first(session));
const pressables = ({ blocks }: Message): Pressable[] =>
  blocks.flatMap((block) => (block.type === "actions" ? block.elements : []));
const blockIds = ({ blocks }: Message): string[] =>
  blocks.flatMap((block) => (block.type === "actions" && block.block_id ? [block.block_id] : []));
const revOf = (session: Session): number => {
  const round = lastRound(session);
  return "rev" in round ? round.rev : 0;
};

const ONE = { ...LOGIN, subtitle: "v1 · B2C", decisions: LOGIN.decisions.slice(0, 2) };

describe("a page of decisions", () => {
  it("is one message that can be answered as it stands", () => {
    expect(seen(asked("clarity", ONE, { policy: named(ANA) }))).toBe(
      [
        "<@U1>",
        "*Login PRD*",
        "  ·v1 · B2C   shop-web@main · Claude on mac-7·",
        "Email-first.",
        "*1  Which auth methods?*",
        "1. Magic link only ★ — _Lowest friction._",
        "2. Password + magic link",
        "★ _Spec says low friction._",
        "[… ▾ 1 Magic link only / 2 Password + magic link]",
        "  ·0 of 1·",
        "[★ Accept recommended] [!Send to agent] [xCancel]",
      ].join("\n"),
    );
  });

  it("notifies in one line who is asked, for what and by whom", () => {
    expect(first(asked("clarity", ONE, { policy: named(ANA) })).text).toBe(
      "<@U1> Login PRD needs 1 decision · shop-web@main · Claude on mac-7",
    );
  });

  it("shows the pick, who made it, and what follows from it", () => {
    const session = did(asked("clarity", ONE), "pick", { target: "d0", values: ["o1"] });
    const [home, followUp] = messages(session).map(picture);
    expect(home).toContain("2. ✓ *Password + magic link*");
    expect(home).toContain("*✓ Password + magic link — Ana*\n↳ follow-up: Password policy?");
    expect(home).toContain("[2 Password + magic link ▾ ");
    expect(followUp).toMatch(/^<@U1>\n\*2 {2}Password policy\?\*/);
    expect(followUp).toContain("[Other…]");
  });

  it("links to the follow-up once it has an address", () => {
    const session = did(asked("clarity", ONE), "pick", { target: "d0", values: ["o1"] });
    const url = "https://x.slack.com/p1";
    const parts = cardOf(session).parts.map((part) =>
      part.kind === "choice" ? { ...part, reveals: part.reveals.map((to) => ({ ...to, url })) } : part,
    );
    expect(picture(renderCard(cardOf(session, { parts })))).toContain(
      `↳ <follow-up: Password policy?|${url}>`,
    );
  });

  it("names the menu's block anew whenever what is stored changes", () => {
    const open = asked("clarity", LOGIN);
    const own = did(open, "own", { target: "d2", words: "until they log out" });
    const other = did(own, "own", { target: "d2", words: "a week" });
    const picked = did(other, "pick", { target: "d2", values: ["o0"] });
    const ids = [open, own, other, picked].map((session) => blockIds(first(session)).at(1));
    expect(new Set(ids).size).toBe(4);
    expect(blockIds(first(open))).toEqual(blockIds(first(asked("clarity", LOGIN))));
    expect(picture(first(own))).toContain("[✎ until they log out ▾ 1 One day / 2 One month] [Other…]");
  });

  it("preselects all options that were picked together", () => {
    const [decision] = LOGIN.decisions;
    const payload = { ...LOGIN, decisions: [{ ...decision, multi: true }] };
    const session = did(asked("clarity", payload), "pick", { target: "d0", values: ["o0", "o1"] });
    const [menu] = pressables(first(session));
    expect(menu?.type === "multi_static_select" && menu.initial_options?.map(({ value }) => value)).toEqual([
      "o0",
      "o1",
    ]);
  });

  it("says in the end who sent it, by the reader's own clock, and takes no more presses", () => {
    const accepted = did(asked("clarity", ONE), "accept");
    const sent = did(accepted, "send", { rev: revOf(accepted) });
    expect(seen(sent)).toContain("*✓ Magic link only — Ana*");
    expect(seen(sent)).toContain("✅ Sent to the agent by Ana in Slack, {08:00 UTC}");
    expect(pressables(first(sent))).toEqual([]);
  });

  it("asks before it cancels", () => {
    const cancel = pressables(first(asked("clarity", ONE))).at(-1);
    expect(cancel?.type === "button" && cancel.confirm?.text.text).toMatch(/^Cancel this\?/);
  });
});

describe("a question", () => {
  it("comes first, with its options as buttons beside the others", () => {
    const detail = "Both are *built*.";
    expect(seen(asked("ask", { question: "Which UI?", options: ["Web UI", "Terminal"], detail }))).toBe(
      [
        "*Which UI?*",
        "  ·Claude has a question   shop-web@main · Claude on mac-7·",
        "Both are *built*.",
        "[Web UI] [Terminal] [Other…] [Skip]",
      ].join("\n"),
    );
  });

  it("sends the option with the button, each with an id of its own", () => {
    const session = asked("ask", { question: "Which UI?", options: ["Web UI", "Terminal"] });
    const ids = pressables(first(session)).map(({ action_id }) => action_id);
    expect(new Set(ids).size).toBe(4);
    expect(splitEntryAction(ids[1] ?? "")).toEqual({ button: ids[2], value: "o1" });
    expect(splitEntryAction(ids[2] ?? "")).toEqual({ button: ids[2], value: null });
  });

  it("lists options that a button cannot show whole", () => {
    const options = ["Web UI, but only for what the keyboard cannot do", "Terminal"];
    expect(seen(asked("ask", { question: "Which UI?", options }))).toContain(
      "1. Web UI, but only for what the keyboard cannot do\n2. Terminal\n[1 Web UI, but only for what t…] [2 Terminal]",
    );
  });

  it("has a menu for more options than a row of buttons holds", () => {
    const session = asked("ask", { question: "Which one?", options: ["a", "b", "c", "d", "e", "f"] });
    expect(seen(session)).toContain("[… ▾ 1 a / 2 b / 3 c / 4 d / 5 e / 6 f] [Other…] [Skip]");
    const [menu, other] = pressables(first(session));
    expect(splitEntryAction(menu?.action_id ?? "")).toEqual({ button: other?.action_id, value: null });
  });

  it("shows the answer and no buttons once somebody was first", () => {
    const session = asked("ask", { question: "Which UI?", options: ["Web UI", "Terminal"] });
    const settled = seen(did(session, "answer", { values: ["o0"] }));
    expect(settled).toContain("1. ✓ *Web UI*\n2. Terminal\n*✓ Web UI — Ana*");
    expect(settled).toContain("✅ Answered by Ana in Slack, {08:00 UTC}");
    expect(settled).not.toContain("[");
  });
});

describe("a permission", () => {
  it("shows what would run just as it is", () => {
    expect(seen(asked("permission", { title: "Drop the table", command: "  psql -c 'drop *x*'\n" }))).toBe(
      [
        "*Drop the table*",
        "  ·needs permission   shop-web@main · Claude on mac-7·",
        "#   psql -c 'drop *x*'",
        "[!Allow once] [xDeny] [Deny with words]",
      ].join("\n"),
    );
  });

  it("keeps the reason of a denial", () => {
    const session = asked("permission", { title: "Drop the table", command: "psql" });
    expect(seen(did(session, "deny", { target: "words", words: "not on prod" }))).toContain("not on prod");
  });
});

describe("a plan", () => {
  it("has the state of the review in one line, and its controls at head and end", () => {
    const open = asked("plan", PLAN, { policy: named(ANA, BEN), deadline: BEGIN + 1_800_000 });
    const session = did(open, "feedback", { actor: BEN, words: "nice" });
    const all = messages(session);
    expect(seen(session)).toContain("·Ana – · Ben: 1 comment·");
    expect(seen(session)).toContain("{08:30 UTC}");
    const row = "[!Approve] [Request changes] [Feedback] [xCancel]";
    const drawn = all.map(picture).filter((one) => one !== "");
    expect(drawn.at(0)).toContain(row);
    expect(drawn.at(-1)).toContain(row);
  });

  it("numbers its blocks and draws their Markdown", () => {
    const all = messages(asked("plan", PLAN)).map(picture).join("\n");
    expect(all).toContain("*¶1*  *Login*");
    expect(all).toContain("*¶2*  We send a link.");
    expect(all).toContain("*¶4*\n• spam\n• replay");
  });

  it("has words for the notification of every message", () => {
    for (const { text } of messages(asked("plan", PLAN))) expect(text).not.toBe("");
  });

  it("shows comments from elsewhere under their block", () => {
    const session = asked("plan", PLAN);
    const comments = [{ id: "a1", text: "see\nbelow", by: "Ben", byId: "local:ben", edit: null }];
    const parts = cardsOf(session).flatMap((card) =>
      card.parts.map((part) => (part.kind === "block" ? { ...part, comments } : part)),
    );
    expect(picture(renderCard(cardOf(session, { parts })))).toContain("| *Ben: *see\n| below");
  });
});

describe("words of others", () => {
  const hostile = "<!channel> <@U9> *b* `c` :tada: https://evil.example & \ud800 \u202e \u0007";

  it("call nobody, link nowhere and format nothing", () => {
    const session = asked("clarity", { ...ONE, title: hostile, context: hostile });
    const { text, blocks } = first(session);
    expect(text).not.toMatch(/<[!@]/);
    const words = blocks.flatMap((block) =>
      block.type === "rich_text"
        ? block.elements.flatMap(({ elements }) =>
            elements.flatMap((one) => ("elements" in one ? one.elements : [one])),
          )
        : [],
    );
    expect(words.every(({ type }) => type === "text")).toBe(true);
    expect(
      words.some((one) => one.type === "text" && one.text.includes("<!channel> <@U9> *b* `c` :tada:")),
    ).toBe(true);
    expect(blocks.every(({ type }) => type !== "section")).toBe(true);
    expect(JSON.stringify(blocks)).not.toMatch(/\\ud800|\u202e|\\u0007/);
  });

  it("mention only members of this surface", () => {
    const mention = ["slack:T1/U7", "discord:42", "slack:T1/<!channel>", "slack:W8", "local:ana"];
    const card = cardOf(asked("clarity", ONE), { mention });
    expect(renderCard(card).text).toMatch(/^<@U7> <@W8> Login PRD/);
    expect(picture(renderCard(card))).toMatch(/^<@U7> <@W8>\n/);
  });
});

describe("a private word", () => {
  it("comes with links to what it is about", () => {
    const message = renderWord("Still open: <Which?>", [
      { key: "k", label: "Which?", url: "https://x.slack.com/p1" },
      { key: "l", label: "What?", url: null },
    ]);
    expect(message.text).toBe("Still open: &lt;Which?&gt;");
    expect(picture(message)).toBe("Still open: <Which?>\n↳ <Which?|https://x.slack.com/p1>\n↳ What?");
  });

  it("is one that Slack takes, however much is open", () => {
    const label = "which ".repeat(40);
    const pointers = Array.from({ length: 40 }, (_, index) => ({ key: `k${index}`, label, url: null }));
    for (const many of [pointers, []]) {
      const { blocks, text } = renderWord(label.repeat(60), many);
      expect(text.length).toBeLessThan(3_000);
      expect(sizeOf(blocks)).toBeLessThanOrEqual(12_000);
      expect(checkBlocks(blocks, "message")).toEqual([]);
    }
  });

  it("offers to take a message as the answer", () => {
    const message = renderOffer("Should this be your answer?", "v1:st:use:r:0:d0", "Use as my answer");
    expect(picture(message)).toBe("Should this be your answer?\n[!Use as my answer]");
    expect(checkBlocks(message.blocks, "message")).toEqual([]);
  });
});
