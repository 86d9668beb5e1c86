import { describe, expect, it } from "vitest";
import { type Intent, parseLine } from "../../../src/adapters/terminal/parse.ts";
import { parseButton } from "../../../src/core/event.ts";
import type { Session } from "../../../src/core/session.ts";
import { LOGIN, PLAN } from "../../support/login.ts";
import { ANA, asked, named } from "../../support/people.ts";
import { locally, picture } from "./support.ts";

const ASK = { question: "Which database?", options: ["Postgres", "SQLite"] };
const PERMISSION = { title: "Migrate", command: "npm run migrate" };

/** What a line means, in short: the verb and target of the press, or the intent. */
function meaning(session: Session, at: string | null, line: string): string {
  const intent = parseLine({ line, picture: picture(session), at, locale: "en" });
  switch (intent.kind) {
    case "press":
      return ["press", pressed(intent.button), ...intent.values, ...words(intent), confirmed(intent)]
        .join(" ")
        .trim();
    case "fill":
      return ["fill", pressed(intent.form.button), confirmed(intent)].join(" ").trim();
    case "go":
      return `go ${intent.to}`;
    case "show":
      return `show ¶${intent.block}`;
    case "unclear":
      return `unclear: ${intent.text}`;
    case "next":
    case "help":
    case "leave":
      return intent.kind;
  }
}

const pressed = (id: string): string => {
  const button = parseButton(id);
  return `${button?.verb} ${button?.target}`;
};
const words = ({ words: typed }: Extract<Intent, { kind: "press" }>): string[] =>
  typed === null ? [] : [JSON.stringify(typed)];
const confirmed = ({ confirm }: { confirm: string | null }): string =>
  confirm === null ? "" : "once confirmed";

describe("on a decision", () => {
  const session = asked("clarity", LOGIN);
  const picked = locally(session, "pick", { target: "d0", values: ["o1"] });

  it.each([
    ["2", "press pick d0 o1"],
    [" 1 ", "press pick d0 o0"],
    ["3", "unclear: There is no 3 here."],
    ["1,2", "unclear: One number, please."],
    ["", "unclear: Pick a number; Enter alone sends nothing."],
    ["o", "unclear: This one takes no own words: pick a number."],
    ["a", "press accept -"],
    ["s", "press send -"],
    ["c", "press cancel - once confirmed"],
    ["?", "help"],
    ["q", "leave"],
    ["yes", "unclear: Not understood; ? explains."],
    ["a b", "unclear: Not understood; ? explains."],
  ])("%j means %s", (line, meant) => {
    expect(meaning(session, "d0", line)).toBe(meant);
  });

  it("words are asked for, or come along", () => {
    expect(meaning(picked, "d1", "o")).toBe("fill own d1");
    expect(meaning(picked, "d1", "o at least 12\ncharacters")).toBe(
      'press own d1 "at least 12\\ncharacters"',
    );
  });

  it("b goes to the one before, in the order they appeared", () => {
    expect(meaning(picked, "d1", "b")).toBe("go d2");
    expect(meaning(picked, "d0", "b")).toBe("go d0");
  });

  it("Enter keeps an answer that is there", () => {
    expect(meaning(picked, "d0", "")).toBe("next");
  });

  it("takes several numbers where several may be picked", () => {
    const [first] = LOGIN.decisions;
    const several = asked("clarity", { ...LOGIN, decisions: [{ ...first, multi: true }] });
    expect(meaning(several, "d0", "2, 1 2")).toBe("press pick d0 o1 o0");
    expect(meaning(several, "d0", "1,4")).toBe("unclear: There is no 4 here.");
  });

  it("cannot be answered where others are named", () => {
    const watched = asked("clarity", LOGIN, { policy: named(ANA) });
    expect(meaning(watched, "d0", "1")).toBe("unclear: This can only be read here.");
    expect(meaning(watched, "d0", "s")).toBe("unclear: This can only be read here.");
  });
});

describe("on the summary", () => {
  const session = locally(asked("clarity", LOGIN), "pick", { target: "d0", values: ["o1"] });

  it.each([
    ["", "unclear: Pick a number; Enter alone sends nothing."],
    ["s", "press send -"],
    ["2", "go d2"],
    ["3", "go d1"],
    ["4", "unclear: There is no 4 here."],
    ["b", "go d1"],
  ])("%j means %s", (line, meant) => {
    expect(meaning(session, null, line)).toBe(meant);
  });
});

describe("on a plan", () => {
  const session = locally(asked("plan", PLAN), "comment", { target: "b1", words: "which one?" });

  it.each([
    ["5: say when", 'press comment b4 "say when"'],
    ["¶5：又一个", 'press comment b4 "又一个"'],
    ["5:", "fill comment b4"],
    ["9: no", "unclear: There is no ¶9 here."],
    ["e a1 the short one", 'press edit a1 "the short one"'],
    ["e a1", "press edit a1"],
    ["r a1", 'press edit a1 ""'],
    ["r a7", "unclear: There is no a7 here."],
    ["p 3", "show ¶3"],
    ["p 30", "unclear: There is no ¶30 here."],
    ["f all fine", 'press feedback - "all fine"'],
    ["f", "fill feedback -"],
    ["approve", "press approve -"],
    ["APPROVE", "press approve -"],
    ["approve it", "unclear: Not understood; ? explains."],
    ["changes", "press revise -"],
    ["changes tighten the TTL", 'press revise - "tighten the TTL"'],
    ["", "unclear: Not understood; ? explains."],
  ])("%j means %s", (line, meant) => {
    expect(meaning(session, null, line)).toBe(meant);
  });

  it("asks for words before changes are requested of which nobody has said a word", () => {
    expect(meaning(asked("plan", PLAN), null, "changes")).toBe("fill revise -");
  });
});

describe("on a question", () => {
  it.each([
    ["", "press skip -"],
    ["2", "press answer - o1"],
    ["o MySQL", 'press answer - "MySQL"'],
  ])("%j means %s", (line, meant) => {
    expect(meaning(asked("ask", ASK), "ask", line)).toBe(meant);
  });

  it("without options takes the line itself", () => {
    const free = asked("ask", { question: "Which port?" });
    expect(meaning(free, "ask", "8080")).toBe('press answer - "8080"');
    expect(meaning(free, "ask", "any free one")).toBe('press answer - "any free one"');
  });
});

describe("on a request for permission", () => {
  it.each([
    ["", "unclear: Not understood; ? explains."],
    ["allow", "press allow -"],
    ["deny", "press deny -"],
    ["deny not on prod", 'press deny words "not on prod"'],
  ])("%j means %s", (line, meant) => {
    expect(meaning(asked("permission", PERMISSION), null, line)).toBe(meant);
  });
});
