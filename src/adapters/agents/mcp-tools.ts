/** The tools: what an agent reads about them, and what they do. */
import type { ToolAnnotations } from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";
import { explain, inOrder } from "../../core/payload-issues.ts";
import { ask, goOnWaiting } from "./mcp-asking.ts";
import { readInbox } from "./mcp-inbox.ts";
import { leftovers } from "./mcp-late.ts";
import type { Call, Reply, Wish } from "./mcp-ports.ts";
import { invalid, plain, withLeftovers } from "./mcp-reply.ts";
import { inputs, outputs } from "./mcp-schema.ts";

interface About<Input> {
  name: string;
  title: string;
  description: string;
  annotations: ToolAnnotations;
  input: z.ZodType<Input>;
  output: z.ZodType;
}

export interface Tool extends About<unknown> {
  /** Runs it with the arguments as they came. */
  run(call: Call, input: unknown): Promise<Reply>;
}

const tool = <Input>(about: About<Input>, run: (call: Call, input: Input) => Promise<Reply>): Tool => ({
  ...about,
  async run(call, input) {
    const checked = about.input.safeParse(input, { error: explain });
    return checked.success ? run(call, checked.data) : invalid(inOrder(checked.error.issues));
  },
});

/** Asks people: not read-only, harms nothing, the same call again is the same question, reaches other people. */
const ASKS = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true };
const LOOKS = { readOnlyHint: true, idempotentHint: true, openWorldHint: true };

type Beside = Pick<Wish, "timeout" | "to" | "key" | "session"> & {
  wait_seconds: number;
  on_cancel: "keep" | "close";
};

/** What is asked apart from how. */
function apart<Input extends Beside>({
  wait_seconds,
  on_cancel,
  timeout,
  to,
  key,
  session,
  ...payload
}: Input) {
  const waiting = { seconds: wait_seconds, onCancel: on_cancel };
  return { payload, waiting, wish: { again: false, timeout, to, key, session } };
}

export const TOOLS: Tool[] = [
  tool(
    {
      name: "ask",
      title: "Ask people one question",
      description:
        "Ask one concrete question when the answer changes what you do and you cannot find it out yourself. Offer options where you can. People answer in their chat and may be away. Result: answer, or a status that says why there is none.",
      annotations: ASKS,
      input: inputs.ask,
      output: outputs.ask,
    },
    (call, input) => {
      const { payload, waiting, wish } = apart(input);
      return ask(call, { kind: "ask", payload, ...wish }, waiting);
    },
  ),
  tool(
    {
      name: "clarify",
      title: "Have several decisions made",
      description:
        "Before you build: put all open decisions on one page, each with options and your recommendation; show_if asks a follow-up only after certain picks. Better than several asks. Result: one item for each decision.",
      annotations: ASKS,
      input: inputs.clarify,
      output: outputs.clarify,
    },
    (call, { next_page: again = false, ...input }) => {
      const { payload, waiting, wish } = apart(input);
      return ask(call, { kind: "clarity", payload, ...wish, again }, waiting);
    },
  ),
  tool(
    {
      name: "review_plan",
      title: "Have a plan reviewed",
      description:
        "Show a plan in Markdown before you carry it out. decision approve: go on. decision revise: work the annotations and the feedback in and submit the new plan.",
      annotations: ASKS,
      input: inputs.review_plan,
      output: outputs.review_plan,
    },
    (call, { reviewers, quorum, ...input }) => {
      const { payload, waiting, wish } = apart(input);
      return ask(call, { kind: "plan", payload, ...wish, reviewers, quorum }, waiting);
    },
  ),
  tool(
    {
      name: "request_permission",
      title: "Ask leave to run a command",
      description:
        "Before a command that cannot be undone or touches what others use. Run it only after status submitted with decision allow. No answer is a denial.",
      annotations: ASKS,
      input: inputs.request_permission,
      output: outputs.request_permission,
    },
    (call, input) => {
      const { payload, waiting, wish } = apart(input);
      return ask(call, { kind: "permission", payload, ...wish }, waiting);
    },
  ),
  tool(
    {
      name: "wait",
      title: "Go on waiting",
      description:
        "Go on waiting for a question whose result was pending. Nobody is asked anew. May be called any number of times.",
      annotations: LOOKS,
      input: inputs.wait,
      output: outputs.wait,
    },
    (call, { round, wait_seconds: seconds, on_cancel: onCancel }) =>
      goOnWaiting(call, round, { seconds, onCancel }),
  ),
  tool(
    {
      name: "inbox",
      title: "Read what people wrote",
      description:
        "What people wrote to you outside of any question, and answers that came late. Never blocks. Look in after each stage of your work; what you read here is not given again.",
      annotations: LOOKS,
      input: inputs.inbox,
      output: outputs.inbox,
    },
    readInbox,
  ),
  tool(
    {
      name: "say",
      title: "Tell people something",
      description:
        "Put a note into the thread of your questions: progress, or what came of an answer. Asks nothing and waits for nobody.",
      annotations: { ...ASKS, idempotentHint: false },
      input: inputs.say,
      output: outputs.say,
    },
    say,
  ),
  tool(
    {
      name: "brief_submit",
      title: "Submit the brief",
      description:
        "Once all is clear: freeze the task as a brief with four sections, Goal, Acceptance criteria, Boundaries, Unknowns and assumptions. What nobody answered belongs under the last. Complete: it is written into the project. Otherwise the result names what is missing.",
      annotations: { ...ASKS, openWorldHint: false },
      input: inputs.brief_submit,
      output: outputs.brief_submit,
    },
    submit,
  ),
];

async function say(call: Call, { text, session }: z.infer<typeof inputs.say>): Promise<Reply> {
  const { parts, client } = call;
  const gate = await parts.gate();
  const said = await gate.say(await parts.selector(client, session), text);
  if (said === null)
    return plain(
      { said: false, session: null },
      "No question was asked yet: there is no thread to say it in.",
    );
  const reply = plain({ said: true, session: said.session }, "Said.");
  return withLeftovers(reply, await leftovers(call, [said.session], null));
}

async function submit({ parts }: Call, { markdown }: z.infer<typeof inputs.brief_submit>): Promise<Reply> {
  const submitted = await parts.submitBrief(markdown);
  if ("file" in submitted)
    return plain(
      { complete: true, file: submitted.file, missing: [] },
      `The brief stands in ${submitted.file}.`,
    );
  const { missing } = submitted;
  return plain(
    { complete: false, missing },
    `Nothing was written: there is no text under ${missing.join(", ")}. Submit all four sections again.`,
  );
}
