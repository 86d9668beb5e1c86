import fc from "fast-check";
import { marked } from "marked";
import { describe, expect, it } from "vitest";
import { decisionRecord } from "../../src/core/decision-record.ts";
import { recordMarkdown } from "../../src/core/decision-record-markdown.ts";
import { inline, quote } from "../../src/core/markdown-text.ts";
import { parsePayload } from "../../src/core/payload.ts";
import type { Session } from "../../src/core/session.ts";
import { step } from "../../src/core/step.ts";
import { LOGIN, PLAN } from "../support/login.ts";
import { after, asked, BEGIN, BEN, did, named, open } from "../support/people.ts";

/** A task from its first questions to the approved plan. */
function task(): Session {
  const first = asked("clarity", LOGIN);
  const chosen = did(first, "pick", { target: "d0", values: ["o1"] });
  const followed = did(chosen, "own", { target: "d1", words: "12 characters,\n# no rules", actor: BEN });
  const sent = did(
    did(followed, "pick", { target: "d2", values: ["o0"] }),
    "send",
    { rev: 9 },
    BEGIN + 600_000,
  );
  const asking = open(sent, parsePayload("ask", { question: "Which port?", options: ["80", "8080"] }));
  const answered = did(asking, "answer", { values: ["o1"] });
  const allowing = open(
    answered,
    parsePayload("permission", { title: "Migrate", command: "npm run migrate" }),
  );
  const denied = did(allowing, "deny", { target: "words", words: "not on prod" });
  const plan = open(denied, parsePayload("plan", PLAN), { policy: named(BEN) });
  const commented = did(plan, "comment", { target: "b2", words: "rate-limit it", actor: BEN });
  const revised = did(commented, "revise", { words: "start smaller", actor: BEN });
  const again = open(revised, parsePayload("plan", { ...PLAN, subtitle: "v2" }), { policy: named(BEN) });
  const approved = did(again, "approve", { actor: BEN });
  const said = after(step(approved, { type: "say", text: "Building it now." }, BEGIN + 700_000));
  const text = "Use the *blue* logo";
  const message = {
    id: "m9",
    source: "x",
    text,
    by: { id: "slack:U1", name: "Ana", surface: "slack" as const },
  };
  return { ...said, inbox: [{ ...message, at: BEGIN, takenAt: BEGIN + 60_000 }] };
}

const markdown = (session: Session): string => recordMarkdown(decisionRecord(session));

describe("a record to read", () => {
  const text = markdown(task());
  const headings = marked.lexer(text).flatMap(({ type, raw }) => (type === "heading" ? [raw.trim()] : []));

  it("tells all that was asked in its order, follow-ups under what revealed them", () => {
    expect(headings).toEqual([
      "# Decision record: Login PRD",
      "## In short",
      "## Decisions: Login PRD",
      "### 1. Which auth methods?",
      "#### 3. Password policy?",
      "### 2. Session length?",
      "## Question: Which port?",
      "## Permission: Migrate",
      "## Plan, version 1: Login flow",
      "## Plan, version 2: Login flow",
      "## What people wrote to the agent",
      "## What the agent said",
    ]);
  });

  it.each([
    [
      "where it comes from",
      "- Repository: `shop-web` on `main`\n- Agent: Claude on mac-7\n- Asked in: #plans in Slack",
    ],
    [
      "who chose what, when and where",
      "**Password + magic link**, chosen by Ana in Slack, 2027-01-15 08:00 UTC",
    ],
    [
      "what was not chosen, and why it might have been",
      "- Rejected: Magic link only (recommended). Lowest friction.",
    ],
    ["what made a question necessary", "Asked because 1 is “Password + magic link”."],
    [
      "own words as they are",
      "In own words, by Ben in Slack, 2027-01-15 08:00 UTC:\n\n> 12 characters,\\\n> \\# no rules",
    ],
    [
      "a reason for a no",
      "Denied by Ana in Slack, 2027-01-15 08:00 UTC.\n\n> not on prod\n\n```sh\nnpm run migrate\n```",
    ],
    ["comments by block", "- ¶3 `## Risks`, Ben in Slack, 2027-01-15 08:00 UTC:\n  > rate-limit it"],
    ["reviews", "- Ben in Slack: approves"],
    ["what was written to the agent", "delivered 2027-01-15 08:01 UTC:\n  > Use the \\*blue\\* logo"],
    ["what the agent said", "> Building it now."],
    [
      "each answer in a line",
      "- Which port? **8080** (Ana)\n- Migrate: **denied** (Ana)\n- Plan, version 1: Login flow: **changes requested** (Ben)",
    ],
  ])("says %s", (_, said) => expect(text).toContain(said));

  it("has the text of the last plan only", () => expect(text.split("- replay")).toHaveLength(2));
});

describe("what nobody answered", () => {
  it("was taken by default", () => {
    const policy = { ...named(), onTimeout: "recommended" as const };
    const session = asked("clarity", LOGIN, { deadline: BEGIN + 60_000, policy });
    const text = markdown(after(step(session, { type: "tick" }, BEGIN + 60_000)));
    expect(text).toContain(
      "Nobody sent it in time; what was open was taken as recommended, 2027-01-15 08:01 UTC.",
    );
    expect(text).toContain(
      "**Magic link only**, taken by default: nobody answered in time, 2027-01-15 08:01 UTC",
    );
    expect(text).toContain("- Which auth methods? **Magic link only** (by default)");
  });

  it("is open, withdrawn, skipped or too late", () => {
    const ask = asked("ask", { question: "Which port?", options: ["80"] }, { deadline: BEGIN + 60_000 });
    expect(markdown(ask)).toContain("## Question: Which port?\n\nStill open.\n\n- Considered: 80");
    expect(markdown(after(step(ask, { type: "down" }, BEGIN)))).toContain("Withdrawn by the agent, 2027");
    expect(markdown(did(ask, "skip", { words: "yours" }))).toContain(
      "Skipped by Ana in Slack, 2027-01-15 08:00 UTC.\n\n> yours",
    );
    const late = after(step(ask, { type: "tick" }, BEGIN + 60_000));
    expect(markdown(did(late, "answer", { values: ["o0"] }, BEGIN + 120_000))).toContain(
      "Answered by Ana in Slack, 2027-01-15 08:02 UTC. The agent had gone on at 2027-01-15 08:01 UTC.",
    );
  });

  it("was dropped with the answer that had made it necessary", () => {
    const followed = did(did(asked("clarity", LOGIN), "pick", { target: "d0", values: ["o1"] }), "pick", {
      target: "d1",
      values: ["o1"],
    });
    const back = did(followed, "pick", { target: "d0", values: ["o0"] });
    expect(decisionRecord(back).rounds).toMatchObject([
      { decisions: [{ decisionId: "auth" }, { decisionId: "session" }], dropped: [{ answer: "Strict" }] },
    ]);
    expect(markdown(back)).toContain("pointless:\n\n- Password policy? Strict");
  });
});

describe("a record as data", () => {
  it("has the same keys whatever happened", () => {
    const [open] = decisionRecord(asked("clarity", LOGIN)).rounds;
    const [settled] = decisionRecord(task()).rounds;
    expect(Object.keys(open ?? {})).toEqual(Object.keys(settled ?? {}));
    expect(open).toMatchObject({ status: "open", by: null, settledAt: null });
  });

  it("numbers the plans of a session", () => {
    const plans = decisionRecord(task()).rounds.filter(({ kind }) => kind === "plan");
    expect(plans).toMatchObject([
      { version: 1, decision: "revise", annotations: [{ block: 3 }], feedback: [{ text: "start smaller" }] },
      { version: 2, decision: "approve" },
    ]);
  });

  it("hides secrets of known shapes everywhere", () => {
    const secret = `gh${"p"}_${"aB3".repeat(12)}`;
    const session = did(asked("plan", { ...PLAN, plan: `use ${secret}` }), "feedback", { words: secret });
    expect(JSON.stringify(decisionRecord(session))).not.toContain(secret);
    expect(markdown(session)).not.toContain(secret);
  });

  it("is made of sessions only", () => {
    expect(() => decisionRecord({ id: "s_1", rounds: [] })).toThrow("could not be read");
  });
});

const HOSTILE = fc
  .array(
    fc.constantFrom(
      ...[
        "# h",
        "\n",
        "\r",
        "\n\n",
        "- x",
        "1. y",
        "> q",
        "```",
        "~~~~",
        "`",
        "``",
        "    code",
        "\t",
        "***",
        "__b__",
      ],
      ...[
        "[a](javascript:x)",
        "![i](http://e.vil)",
        "<img src=x>",
        "</details>",
        "<!--",
        "| a |\n|--|",
        "===",
        "---",
      ],
      ...[
        "&lt;",
        "\\",
        "@channel",
        "#12",
        "$x$",
        "~~s~~",
        "word ",
        "_",
        "*",
        "\u202e",
        "\u0000",
        "\u2028",
        "[x]: y",
      ],
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(""));

/** The names of all tags, without links that show where they lead. */
const tags = (html: string): string[] => [
  ...new Set(html.replace(/<a href="([^"]+)">\1<\/a>/g, "").match(/(?<=<)[a-z0-9]+/g) ?? []),
];

describe("whatever people and agents write", () => {
  it("stays text on its line", () => {
    fc.assert(
      fc.property(HOSTILE, (text) => {
        expect(tags(marked.parse(`x ${inline(text)}`, { async: false }))).toEqual(["p"]);
      }),
    );
  });

  it("stays in its quote", () => {
    fc.assert(
      fc.property(HOSTILE, (text) => {
        const html = marked.parse(`${quote(text).join("\n")}\n\n# End`, { async: false });
        expect(html.startsWith("<blockquote>")).toBe(true);
        expect(html.endsWith("</blockquote>\n<h1>End</h1>\n")).toBe(true);
        expect(
          tags(html).filter((tag) => !["blockquote", "p", "br", "pre", "code", "h1"].includes(tag)),
        ).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it("changes nothing about the record's headings", () => {
    const shape = (session: Session): string[] =>
      marked.lexer(markdown(session)).map((token) => `${token.type} ${"depth" in token ? token.depth : ""}`);
    const plain = shape(talk("x"));
    fc.assert(
      fc.property(HOSTILE, (text) => {
        expect(shape(talk(`x ${text}`))).toEqual(plain);
      }),
    );
  });
});

/** A plan with somebody's words at every place that takes some. */
function talk(text: string): Session {
  const plan = asked("plan", { title: "T", plan: `P\n\n${text}` });
  const commented = did(plan, "comment", { target: "b0", words: text });
  const session = did(commented, "revise", { words: text, actor: BEN });
  return {
    ...session,
    notes: [{ text, at: BEGIN, by: "agent" }],
    origin: { ...session.origin, agent: text },
  };
}
