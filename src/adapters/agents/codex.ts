/**
 * Codex's hooks. Shapes: codex-rs/hooks/schema/generated in openai/codex; each is pinned by a fixture under
 * test/fixtures/agents/codex. Codex asks its hooks before it shows a dialog, so no answer leaves it to the dialog.
 */
import { z } from "zod";
import type { Result } from "../../core/gate.ts";
import { type Agent, type Answer, type Event, type Heard, type Hearing, MAIN, textIn } from "./hook.ts";
import type { Groups, Installing } from "./hook-install.ts";
import { permissionPayload } from "./hook-permission.ts";
import { planPayload, tooLong } from "./hook-plan.ts";
import { changesWanted, denied, isElsewhere, remarksOf, unreviewed, whoSaid } from "./hook-words.ts";

const TITLE = "Codex";

const object = z.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "expected an object",
);

const common = z.looseObject({
  session_id: z.string().min(1),
  cwd: z.string().min(1),
  hook_event_name: z.string(),
});
const permissionEvent = common.extend({ tool_name: z.string().min(1), tool_input: object });
const stopEvent = common.extend({
  last_assistant_message: z.string().nullish(),
  transcript_path: z.string().nullish(),
});

function hear(input: unknown, hearing: Hearing): Event {
  const { session_id, cwd, hook_event_name } = common.parse(input);
  return { session: session_id, cwd, heard: heard(hook_event_name, input, hearing) };
}

function heard(name: string, input: unknown, hearing: Hearing): Heard {
  switch (name) {
    case "PermissionRequest":
      return permission(permissionEvent.parse(input));
    case "Stop":
      return reviewPlan(stopEvent.parse(input), hearing);
    default:
      return { kind: "nothing" };
  }
}

function permission({ tool_name, tool_input, cwd }: z.infer<typeof permissionEvent>): Heard {
  const payload = permissionPayload({ tool: tool_name, input: tool_input, cwd }, TITLE);
  if (payload === null) {
    const text = "askgate: this is too long to be shown in full in chat. Please decide here.";
    return { kind: "decided", answer: { systemMessage: text } };
  }
  return { kind: "ask", asker: MAIN, question: { kind: "permission", payload }, answer: decided };
}

/** Never `updatedInput`, `updatedPermissions` or `interrupt`: Codex denies where one of them is there. */
function decided(result: Result): Answer {
  if (isElsewhere(result)) return null;
  const allowed = result.status === "submitted" && result.decision === "allow";
  return decision(allowed ? { behavior: "allow" } : { behavior: "deny", message: denied(result) });
}

const decision = (value: Record<string, unknown>): Answer => ({
  hookSpecificOutput: { hookEventName: "PermissionRequest", decision: value },
});

/** Codex has no tool that ends planning: a plan is a marked part of what it says last. */
function reviewPlan(event: z.infer<typeof stopEvent>, { readText }: Hearing): Heard {
  const said = event.last_assistant_message ?? lastSaid(event.transcript_path ?? null, readText);
  const plan = said === null ? null : planIn(said);
  if (plan === null) return { kind: "nothing" };
  const payload = planPayload(plan, TITLE);
  if (payload === null) return { kind: "decided", answer: { decision: "block", reason: tooLong(plan) } };
  return { kind: "ask", asker: MAIN, question: { kind: "plan", payload }, answer: reviewed };
}

/** The last plan in a message; null where none is whole. */
function planIn(message: string): string | null {
  const plans = [...message.matchAll(/<proposed_plan>\s*(.*?)\s*<\/proposed_plan>/gs)];
  return plans.at(-1)?.[1] || null;
}

/** What the assistant said after the last prompt, in the transcript: one JSON value a line. */
function lastSaid(path: string | null, readText: Hearing["readText"]): string | null {
  const lines = (path === null ? null : readText(path))?.split("\n") ?? [];
  return lines.map(saidIn).reduce((last: string | null, said) => (said === undefined ? last : said), null);
}

const message = z.looseObject({
  type: z.literal("response_item"),
  payload: z.looseObject({
    type: z.literal("message"),
    role: z.string(),
    content: z.array(z.looseObject({ text: z.string().default("") })),
  }),
});

/** The assistant's words; null for a new prompt, undefined for anything else. */
function saidIn(line: string): string | null | undefined {
  const { data } = message.safeParse(parsed(line));
  if (data === undefined) return undefined;
  const { role, content } = data.payload;
  if (role === "assistant") return content.map(({ text }) => text).join("\n");
  return role === "user" ? null : undefined;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** Approved or not, the turn ends and Codex shows its own dialog; only changes send the agent back to work. */
function reviewed(result: Result): Answer {
  if (isElsewhere(result)) return null;
  if (result.status !== "submitted") return { systemMessage: `askgate: ${unreviewed(result)}` };
  if (result.decision !== "approve") {
    return { decision: "block", reason: changesWanted(result, "Change the plan and propose it again.") };
  }
  const remarks = remarksOf(result);
  const noted = remarks === "" ? "" : `\n${remarks}`;
  return { systemMessage: `askgate: the plan was approved: ${approvers(result)}.${noted}` };
}

function approvers({ reviews }: Result): string {
  const all = z.array(z.looseObject({ decision: z.string() })).safeParse(reviews).data ?? [];
  return all.flatMap((one) => (one.decision === "approve" ? [whoSaid(one)] : [])).join(", ");
}

/** Without an answer Codex asks in its own dialog, and the person there reads why. */
function refuse(input: unknown, reason: string): Answer {
  const name = textIn(input, "hook_event_name");
  const known = name === "PermissionRequest" || name === "Stop";
  return known ? { systemMessage: `askgate: ${reason} Please decide here.` } : null;
}

function groups({ command, seconds }: Installing): Groups {
  const asks = {
    type: "command" as const,
    command: command(seconds, false),
    timeout: seconds,
    statusMessage: "askgate: waiting for an answer in chat",
  };
  return { PermissionRequest: [{ hooks: [asks] }], Stop: [{ hooks: [asks] }] };
}

export const codex: Agent = {
  title: TITLE,
  covers: ["0.144"],
  seconds: 600,
  projectVariable: null,
  hear,
  refuse,
  install: {
    home: { variable: "CODEX_HOME", folder: ".codex" },
    settings: { user: "hooks.json", project: ".codex/hooks.json" },
    skill: { user: "~/.agents/skills/askgate/SKILL.md", project: ".agents/skills/askgate/SKILL.md" },
    groups,
    next: "Codex runs them once you trust them: /hooks there shows and trusts them.",
  },
};
