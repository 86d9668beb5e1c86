import { describe, expect, it } from "vitest";
import type { Heard } from "../../../src/adapters/agents/hook.ts";
import { parseClarity } from "../../../src/core/payload.ts";
import { HEARING, inputOf, load } from "./hook-fixtures.ts";

const agent = await load("claude-code");
const ASKED = inputOf("claude-code", "PreToolUse-AskUserQuestion");

/** A question with these parts changed. */
const asking = (questions: unknown[], more: Record<string, unknown> = {}): Heard =>
  agent.hear({ ...ASKED, ...more, tool_input: { questions } }, HEARING).heard;

const question = (more: Record<string, unknown> = {}) => ({
  question: "Which way should people log in?",
  header: "Login",
  multiSelect: false,
  options: [
    { label: "Link", description: "" },
    { label: "Password", description: "" },
  ],
  ...more,
});

const payloadOf = (heard: Heard) => parseClarity(heard.kind === "ask" ? heard.question.payload : null);

const picked = (...answers: Record<string, unknown>[]) => ({
  status: "submitted",
  result: answers.map((answer, at) => ({ decisionId: `question-${at + 1}`, answer: "…", ...answer })),
});

const said = (heard: Heard, result: { status: string }): Record<string, unknown> =>
  heard.kind === "ask" ? (heard.answer(result) ?? {}) : {};

describe("the one hook that answers", () => {
  const MODES = ["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"];
  const answering = (tool: string, permission_mode: string, chatOnly = false): string[] =>
    ["PreToolUse", "PermissionRequest"].filter((name) => {
      const file = tool === "AskUserQuestion" ? "PreToolUse-AskUserQuestion" : "PreToolUse-ExitPlanMode";
      const input = { ...inputOf("claude-code", file), hook_event_name: name, permission_mode };
      return agent.hear(input, { ...HEARING, chatOnly }).heard.kind === "ask";
    });

  it.each(MODES)("for a question in mode %s", (mode) => {
    expect(answering("AskUserQuestion", mode)).toEqual([
      mode === "default" ? "PermissionRequest" : "PreToolUse",
    ]);
  });

  it.each(MODES)("for a plan in mode %s", (mode) => {
    const beside = mode === "default" || mode === "plan";
    expect(answering("ExitPlanMode", mode)).toEqual([beside ? "PermissionRequest" : "PreToolUse"]);
  });

  it.each(MODES)("asks in chat alone where that is wanted, in mode %s", (mode) => {
    expect(answering("AskUserQuestion", mode, true)).toEqual(["PreToolUse"]);
    expect(answering("ExitPlanMode", mode, true)).toEqual(["PreToolUse"]);
  });
});

describe("questions", () => {
  it("with the same text cannot be told apart: the agent has to ask anew", () => {
    const heard = asking([question(), question({ header: "Again" })]);
    expect(heard).toMatchObject({
      kind: "decided",
      answer: { hookSpecificOutput: { permissionDecision: "deny" } },
    });
    expect(JSON.stringify(heard)).toContain("same text");
  });

  it("that are longer than a card are shown in full beside it, and answered under their full text", () => {
    const text = `${"Which of the many ways ".repeat(20)}?`;
    const heard = asking([question({ question: text })]);
    expect(payloadOf(heard).decisions[0]?.question).toHaveLength(240);
    expect(payloadOf(heard).context).toContain(text);
    expect(said(heard, picked({ optionId: "option-1" }))).toMatchObject({
      hookSpecificOutput: { updatedInput: { answers: { [text]: "Link" } } },
    });
  });

  it.each([
    ["very short", question({ question: "Why?", header: "" })],
    ["very long everywhere", hugely(question())],
    ["blank in its header", question({ header: "   " })],
    [
      "with all recommended",
      question({ options: [{ label: "A (Recommended)" }, { label: "B (recommended)" }] }),
    ],
    ["with nothing but the mark", question({ options: [{ label: "(Recommended)" }, { label: "B" }] })],
  ])("that are %s make a payload that people can be asked", (_, one) => {
    for (const multiSelect of [true, false]) payloadOf(asking([{ ...one, multiSelect }]));
  });

  it("are answered with the labels as the agent wrote them, however many", () => {
    const labels = ["A (Recommended)", "B, or not", "x".repeat(200)];
    const heard = asking([question({ multiSelect: true, options: labels.map((label) => ({ label })) })]);
    const all = picked({ optionIds: ["option-1", "option-2", "option-3"] });
    expect(said(heard, all)).toMatchObject({
      hookSpecificOutput: {
        updatedInput: { answers: { "Which way should people log in?": labels.join(", ") } },
      },
    });
  });

  it("keep every key that came with them, also unknown ones", () => {
    const input = { ...ASKED, tool_input: { questions: [question({ tone: 1 })], metadata: { source: "x" } } };
    const { heard } = agent.hear(input, HEARING);
    expect(said(heard, picked({ optionId: "option-2" }))).toMatchObject({
      hookSpecificOutput: {
        updatedInput: { ...input.tool_input, answers: { [question().question]: "Password" } },
      },
    });
  });

  function hugely(one: ReturnType<typeof question>) {
    const long = "長い😀".repeat(3000);
    const options = one.options.map(() => ({ label: long, description: long, preview: long }));
    return { ...one, question: long, header: long, options };
  }
});

describe("a plan", () => {
  const PLAN = inputOf("claude-code", "PermissionRequest-ExitPlanMode");
  const showing = (tool_input: unknown, more = {}): Heard =>
    agent.hear({ ...PLAN, tool_input }, { ...HEARING, ...more }).heard;
  const APPROVED = { status: "submitted", decision: "approve", annotations: [], feedback: [], reviews: [] };

  it("is read from its file where the event does not have it", () => {
    const readText = (path: string) => (path === "/plans/a.md" ? "# From the file" : null);
    expect(showing({ planFilePath: "/plans/a.md" }, { readText })).toMatchObject({
      question: { kind: "plan", payload: { title: "From the file", plan: "# From the file" } },
    });
  });

  it.each([{}, { plan: "" }, { planFilePath: "/plans/none.md" }, { plan: "x".repeat(100_001) }])(
    "that nobody could read is not approved",
    (tool_input) => {
      expect(showing(tool_input)).toMatchObject({
        kind: "decided",
        answer: { hookSpecificOutput: { decision: { behavior: "deny" } } },
      });
    },
  );

  it("that is approved may be carried out without asking for each edit, where that is wanted", () => {
    expect(said(showing(PLAN.tool_input, { acceptEdits: true }), APPROVED)).toEqual({
      hookSpecificOutput: {
        hookEventName: "PermissionRequest",
        decision: {
          behavior: "allow",
          updatedInput: PLAN.tool_input,
          updatedPermissions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
        },
      },
    });
  });
});

describe("a permission", () => {
  const BASH = inputOf("claude-code", "PermissionRequest-Bash");
  const wanting = (tool_input: unknown): Heard => agent.hear({ ...BASH, tool_input }, HEARING).heard;

  it("shows everything that would be run", () => {
    expect(wanting({ command: "make", dangerouslyDisableSandbox: true })).toMatchObject({
      question: {
        payload: { command: "make", detail: "In /home/ana/shop\n\ndangerouslyDisableSandbox: true" },
      },
    });
  });

  it("too long to be shown is left to the dialog in the terminal", () => {
    const heard = wanting({ command: "x".repeat(20_001) });
    expect(heard).toMatchObject({
      kind: "decided",
      answer: { systemMessage: expect.stringContaining("decide here") },
    });
    expect(JSON.stringify(heard)).not.toContain("allow");
  });
});
