/**
 * Claude Code's hooks, after code.claude.com/docs/en/hooks and what its users measured; test/fixtures/agents pins the shapes.
 */
import { GO_ON } from "../../core/advice.ts";
import type { Result } from "../../core/gate.ts";
import {
  allow,
  askedIn,
  type Common,
  common,
  deny,
  leave,
  planIn,
  specific,
  type ToolEvent,
  toolEvent,
} from "./claude-code-wire.ts";
import {
  type Agent,
  type Answer,
  type Event,
  type Heard,
  type Hearing,
  MAIN,
  type Matter,
  textIn,
} from "./hook.ts";
import { patternOf } from "./hook-guard.ts";
import type { Groups, Installing } from "./hook-install.ts";
import { permissionPayload } from "./hook-permission.ts";
import { planPayload, tooLong } from "./hook-plan.ts";
import { type Asked, answersOf, pickedSoFar, questionsPayload, repeated } from "./hook-questions.ts";
import { changesWanted, denied, isElsewhere, remarksOf, unanswered, unreviewed } from "./hook-words.ts";

const TITLE = "Claude";

function hear(input: unknown, hearing: Hearing): Event {
  const event = common.parse(input);
  return { session: event.session_id, cwd: event.cwd, heard: heard(event, input, hearing) };
}

function heard(
  { hook_event_name: name, agent_id: asker = MAIN }: Common,
  input: unknown,
  hearing: Hearing,
): Heard {
  switch (name) {
    case "PreToolUse":
      return preToolUse(toolEvent.parse(input), hearing);
    case "PermissionRequest":
      return permissionRequest(toolEvent.parse(input), hearing);
    case "PostToolUse":
      return { kind: "over", asker, of: finished(toolEvent.parse(input)) };
    case "UserPromptSubmit":
    case "Stop":
    case "SubagentStop":
      return { kind: "over", asker, of: null };
    case "SessionStart":
      return {
        kind: "start",
        tell: (context) => specific({ hookEventName: name, additionalContext: context }),
      };
    default:
      return { kind: "nothing" };
  }
}

const preToolUse = (event: ToolEvent, hearing: Hearing): Heard =>
  isForPeople(event)
    ? answersIn(event, hearing) === "PreToolUse"
      ? forPeople(event, hearing)
      : { kind: "nothing" }
    : {
        kind: "guard",
        tool: event.tool_name,
        command: typeof event.tool_input.command === "string" ? event.tool_input.command : null,
        deny: (reason) => deny(event, reason),
      };

function permissionRequest(event: ToolEvent, hearing: Hearing): Heard {
  if (!isForPeople(event)) return permission(event);
  return answersIn(event, hearing) === "PermissionRequest" ? forPeople(event, hearing) : { kind: "nothing" };
}

const isForPeople = ({ tool_name }: ToolEvent): boolean =>
  tool_name === "AskUserQuestion" || tool_name === "ExitPlanMode";

/**
 * The one hook that answers. PermissionRequest runs beside the terminal's own dialog, and the first answer wins; it comes
 * for questions in the default mode only, and for a plan also in plan mode. In the others PreToolUse waits instead of the
 * dialog.
 */
function answersIn({ tool_name, permission_mode }: ToolEvent, { chatOnly }: Hearing): string {
  const beside = tool_name === "ExitPlanMode" ? ["default", "plan"] : ["default"];
  return !chatOnly && beside.includes(permission_mode) ? "PermissionRequest" : "PreToolUse";
}

const forPeople = (event: ToolEvent, hearing: Hearing): Heard =>
  event.tool_name === "AskUserQuestion" ? askQuestions(event) : reviewPlan(event, hearing);

function askQuestions(event: ToolEvent): Heard {
  const asked = askedIn(event);
  const twice = repeated(asked);
  if (twice !== null) {
    const reason = `Two questions have the same text (“${twice}”), and answers are told apart by it. Ask again with different texts.`;
    return { kind: "decided", answer: deny(event, reason) };
  }
  const question: Matter = { kind: "clarity", payload: questionsPayload(asked, TITLE) };
  return { kind: "ask", asker: askerOf(event), question, answer: (result) => answered(event, asked, result) };
}

function answered(event: ToolEvent, asked: Asked[], result: Result): Answer {
  if (isOverBeside(event, result)) return null;
  const answers = result.status === "submitted" ? answersOf(asked, result) : null;
  if (answers !== null) return allow(event, { ...event.tool_input, answers });
  const picked = pickedSoFar(asked, result);
  return deny(event, picked === "" ? unanswered(result) : `${unanswered(result)}\nPicked so far:\n${picked}`);
}

function reviewPlan(event: ToolEvent, { acceptEdits, readText }: Hearing): Heard {
  const text = planIn(event, readText);
  if (text === null) return { kind: "decided", answer: deny(event, NO_PLAN) };
  const payload = planPayload(text, TITLE);
  if (payload === null) return { kind: "decided", answer: deny(event, tooLong(text)) };
  return {
    kind: "ask",
    asker: askerOf(event),
    question: { kind: "plan", payload },
    answer: (result) => reviewed(event, { result, text, acceptEdits }),
  };
}

const NO_PLAN =
  "The plan did not come along, so nobody could review it, and it is not approved. Show it to the user as text.";

interface Reviewed {
  result: Result;
  text: string;
  acceptEdits: boolean;
}

/** What was remarked on an approved plan goes along: beside it, or where nothing can stand beside it, under it. */
function reviewed(event: ToolEvent, { result, text, acceptEdits }: Reviewed): Answer {
  if (isOverBeside(event, result)) return null;
  if (result.status !== "submitted") return deny(event, unreviewed(result));
  if (result.decision !== "approve") {
    return deny(event, changesWanted(result, "Change the plan and present it again with ExitPlanMode."));
  }
  const remarks = remarksOf(result);
  const noted = remarks === "" ? "" : `The plan was approved with these remarks:\n${remarks}`;
  if (event.hook_event_name === "PreToolUse") {
    const beside = noted === "" ? {} : { additionalContext: noted };
    return allow(event, event.tool_input, beside);
  }
  const under = noted === "" ? {} : { plan: `${text.trimEnd()}\n\n---\n\n${noted}\n` };
  return allow(event, { ...event.tool_input, ...under }, acceptEdits ? ACCEPT_EDITS : {});
}

const ACCEPT_EDITS = {
  updatedPermissions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
};

function permission(event: ToolEvent): Heard {
  const payload = payloadOf(event);
  if (payload === null) return { kind: "decided", answer: leave(TOO_LONG) };
  return {
    kind: "ask",
    asker: askerOf(event),
    question: { kind: "permission", payload },
    answer: (result) => decided(event, result),
  };
}

const TOO_LONG = "askgate: this is too long to be shown in full in chat. Please decide here.";

function decided(event: ToolEvent, result: Result): Answer {
  if (isOverBeside(event, result)) return null;
  const allowed = result.status === "submitted" && result.decision === "allow";
  return allowed ? allow(event, event.tool_input) : deny(event, denied(result));
}

const payloadOf = ({ tool_name, tool_input, cwd }: ToolEvent): unknown =>
  permissionPayload({ tool: tool_name, input: tool_input, cwd }, TITLE);

/** What a tool that ran had been asked about; its input may have been changed on the way, so kinds are enough. */
function finished(event: ToolEvent): Matter | "clarity" | "plan" {
  if (event.tool_name === "AskUserQuestion") return "clarity";
  return event.tool_name === "ExitPlanMode" ? "plan" : { kind: "permission", payload: payloadOf(event) };
}

const askerOf = ({ agent_id }: ToolEvent): string => agent_id ?? MAIN;

/** Somebody answered the dialog that a PermissionRequest runs beside; nothing is beside a PreToolUse. */
const isOverBeside = ({ hook_event_name }: ToolEvent, result: Result): boolean =>
  hook_event_name === "PermissionRequest" && isElsewhere(result);

/** Without an answer a PreToolUse hook lets the call go on; all other events leave it to the person at the terminal. */
function refuse(input: unknown, reason: string): Answer {
  const hook_event_name = textIn(input, "hook_event_name");
  if (hook_event_name === "PreToolUse")
    return deny({ hook_event_name }, `${reason} ${instead(textIn(input, "tool_name"))}`);
  return hook_event_name === "PermissionRequest" ? leave(`askgate: ${reason} Please decide here.`) : null;
}

function instead(tool: string): string {
  if (tool === "AskUserQuestion") return GO_ON;
  return tool === "ExitPlanMode"
    ? "The plan is not approved: do not carry it out, show it to the user as text."
    : `Whether ${tool || "this tool"} may be used is not known, so it is denied.`;
}

function groups({ command, seconds, guard }: Installing): Groups {
  const asks = { type: "command" as const, command: command(seconds, false), timeout: seconds };
  const quick = { type: "command" as const, command: command(QUICK, false), timeout: QUICK };
  const guards = { type: "command" as const, command: command(QUICK, true), timeout: QUICK };
  const later = [{ hooks: [{ ...quick, async: true }] }];
  const people = {
    matcher: "AskUserQuestion|ExitPlanMode",
    hooks: [{ ...asks, statusMessage: "askgate: if it was asked in chat, it is answered there" }],
  };
  const held = guard === null ? [] : [{ matcher: guard.map(patternOf).join("|"), hooks: [guards] }];
  return {
    PreToolUse: [people, ...held],
    PermissionRequest: [{ matcher: "*", hooks: [asks] }],
    PostToolUse: [{ matcher: "*", hooks: [{ ...quick, async: true }] }],
    UserPromptSubmit: later,
    Stop: later,
    SubagentStop: later,
    SessionStart: [{ hooks: [quick] }],
  };
}

/** How long a hook may run that asks nobody, in seconds. */
const QUICK = 60;

export const claudeCode: Agent = {
  title: TITLE,
  covers: ["2.1.240"],
  seconds: 600,
  projectVariable: "CLAUDE_PROJECT_DIR",
  hear,
  refuse,
  install: {
    home: { variable: "CLAUDE_CONFIG_DIR", folder: ".claude" },
    settings: { user: "settings.json", project: ".claude/settings.json" },
    skill: { user: "skills/askgate/SKILL.md", project: ".claude/skills/askgate/SKILL.md" },
    groups,
    next: "Claude Code reads them at its next start; /hooks there lists them.",
  },
};
