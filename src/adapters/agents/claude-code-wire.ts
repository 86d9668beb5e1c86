/** The shapes of Claude Code's hook events, and of what it reads. */
import { z } from "zod";
import type { Answer, Hearing } from "./hook.ts";
import type { Asked } from "./hook-questions.ts";

const object = z.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "expected an object",
);

export const common = z.looseObject({
  session_id: z.string().min(1),
  cwd: z.string().min(1),
  hook_event_name: z.string(),
  permission_mode: z.string().default("default"),
  /** Of a subagent; the main thread has none. */
  agent_id: z.string().optional(),
});

export type Common = z.infer<typeof common>;

/** `tool_input` is kept as it came: it is echoed in full. */
export const toolEvent = common.extend({ tool_name: z.string().min(1), tool_input: object });
export type ToolEvent = z.infer<typeof toolEvent>;

const questions = z.looseObject({
  questions: z
    .array(
      z.looseObject({
        question: z.string().min(1),
        header: z.string().default(""),
        multiSelect: z.boolean().default(false),
        options: z
          .array(
            z.looseObject({
              label: z.string().min(1),
              description: z.string().default(""),
              preview: z.string().default(""),
            }),
          )
          .min(2),
      }),
    )
    .min(1),
});

const plan = z.looseObject({ plan: z.string().optional(), planFilePath: z.string().optional() });

/** The questions of an AskUserQuestion call. */
export const askedIn = ({ tool_input }: ToolEvent): Asked[] =>
  questions.parse(tool_input).questions.map(({ question, header, multiSelect, options }) => ({
    question,
    header,
    multi: multiSelect,
    options: options.map(({ label, description, preview }) => ({ label, description, preview })),
  }));

/** The plan of an ExitPlanMode call, or of the file that it names; null where there is none. */
export function planIn({ tool_input }: ToolEvent, readText: Hearing["readText"]): string | null {
  const { plan: text, planFilePath } = plan.parse(tool_input);
  const found = text ?? (planFilePath === undefined ? null : readText(planFilePath));
  return found === null || found.trim() === "" ? null : found;
}

export const specific = (output: Record<string, unknown>): Answer => ({ hookSpecificOutput: output });

type Named = Pick<ToolEvent, "hook_event_name">;

/** Always with the whole input: from 2.1.199 an allow without it is dropped. */
export function allow(
  { hook_event_name: hookEventName }: Named,
  updatedInput: Record<string, unknown>,
  more: Record<string, unknown> = {},
): Answer {
  return hookEventName === "PreToolUse"
    ? specific({ hookEventName, permissionDecision: "allow", updatedInput, ...more })
    : specific({ hookEventName, decision: { behavior: "allow", updatedInput, ...more } });
}

export function deny({ hook_event_name: hookEventName }: Named, reason: string): Answer {
  return hookEventName === "PreToolUse"
    ? specific({ hookEventName, permissionDecision: "deny", permissionDecisionReason: reason })
    : specific({ hookEventName, decision: { behavior: "deny", message: reason } });
}

/** No decision: the dialog in the terminal stays, and whoever sits there reads this. */
export const leave = (systemMessage: string): Answer => ({ systemMessage });
