/** What the tools take and give, as zod schemas; clients see them as JSON Schema. Keys are the wire's own (snake_case). */
import { z } from "zod";
import { object } from "../../core/payload-fields.ts";
import { schemas } from "../../core/payload-schema.ts";

const described = <T extends z.ZodType>(schema: T, description: string): T => schema.meta({ description });

/** The longest patience of one call. */
const MAX_WAIT_S = 3600;

const waiting = {
  wait_seconds: described(
    z.number().min(0).max(MAX_WAIT_S).default(45),
    "How long this call waits for people. Then it returns status pending, and wait goes on. More than 45 only where your client lets a tool call take longer than 60 seconds.",
  ),
  on_cancel: described(
    z.enum(["keep", "close"]).default("keep"),
    "If this call is cancelled: keep leaves the question to people and gives you the answer later; close withdraws it. A time limit of your client never withdraws it.",
  ),
};

const session = described(
  z.string().min(1),
  "Only where several tasks run in this project: the session of an earlier result (s_…).",
).optional();

const asking = {
  ...waiting,
  timeout: described(
    z.string(),
    "Deadline for people: 30m (default), 2h, never. After it a question stays open and a late answer still reaches you.",
  ).optional(),
  to: described(
    z.array(z.string().min(1)),
    "Where to ask instead of the project's own place: #channel, @person, slack:#channel, me.",
  ).optional(),
  key: described(z.string().min(1), "Names the question: the same key is the same question.").optional(),
  session,
};

const { policy: _ask, option_ids: _ids, ...askFields } = schemas.ask.shape;
const { policy: _plan, ...planFields } = schemas.plan.shape;
const { policy: _permission, ...permissionFields } = schemas.permission.shape;

export const inputs = {
  ask: object({ ...askFields, ...asking }),
  clarify: object({
    ...schemas.clarity.shape,
    ...asking,
    next_page: described(
      z.boolean(),
      "True for the next page of a flow, after an answer with action continue.",
    ).optional(),
  }),
  review_plan: object({
    ...planFields,
    reviewers: described(
      z.array(z.string().min(1)),
      "Who may approve: slack:U…, discord:… or a name from the config's people. Adds to those whom the config names.",
    ).optional(),
    quorum: described(z.int().min(1), "How many people have to approve.").optional(),
    ...asking,
  }),
  request_permission: object({ ...permissionFields, ...asking }),
  wait: object({
    round: described(z.string().min(1), "The round of a pending result: r_…"),
    ...waiting,
  }),
  inbox: object({
    peek: described(z.boolean(), "Look without taking: it is given again.").optional(),
    session,
  }),
  say: object({
    text: described(z.string().min(1).max(20_000), "A short note, in Markdown."),
    session,
  }),
  brief_submit: object({
    markdown: described(z.string(), "The brief in Markdown with its four headings, each with text under it."),
  }),
};

const text = z.string();
const maybe = text.nullish();
const some = z.looseObject({}).array().optional();

/** What every result of a question has; `late` are results of earlier questions. */
const outcome = {
  status: described(
    z.enum([
      "submitted",
      "cancelled",
      "declined",
      "timeout",
      "pending",
      "over_quota",
      "unreachable",
      "invalid",
    ]),
    "submitted: people decided. pending: still asked, call wait. Anything else: no answer, go on by your own judgement.",
  ),
  round: described(maybe, "The question's id, for wait."),
  session: maybe,
  mode: text.optional(),
  by: described(text.optional(), "Who decided."),
  where: text.optional(),
  reason: text.optional(),
  help: text.optional(),
  advice: described(text.optional(), "What to do next."),
  items: described(some, "What is answered so far."),
  issues: some,
  links: described(some, "Where people answer, for people."),
  late: described(
    z.looseObject({ status: text }).array().optional(),
    "Results of earlier questions that came after their call was over.",
  ),
  unread: described(z.int().optional(), "Messages from people that wait in the inbox."),
};

const answer = { answer: maybe, option: z.int().nullish(), remaining: z.int().optional() };
const decisions = { title: text.optional(), action: text.optional(), result: some };
const verdict = {
  title: text.optional(),
  decision: described(text.optional(), "approve or revise"),
  annotations: some,
  generalFeedback: text.optional(),
  feedback: some,
  reviews: some,
};
const leave = { decision: described(text.optional(), "allow or deny") };

export const outputs = {
  ask: z.looseObject({ ...outcome, ...answer }),
  clarify: z.looseObject({ ...outcome, ...decisions }),
  review_plan: z.looseObject({ ...outcome, ...verdict }),
  request_permission: z.looseObject({ ...outcome, ...leave }),
  wait: z.looseObject({ ...outcome, ...answer, ...decisions, ...verdict, ...leave }),
  inbox: z.looseObject({
    session: text.nullable(),
    messages: described(z.looseObject({ text, by: text, at: text }).array(), "Oldest first."),
    late: described(z.looseObject({ status: text }).array(), "Results of earlier questions."),
    amendments: described(
      z.looseObject({ saved: z.boolean(), file: text }).nullable(),
      "Where the messages are kept; null where there was nothing to keep.",
    ),
  }),
  say: z.looseObject({ said: z.boolean(), session: text.nullable() }),
  brief_submit: z.looseObject({
    complete: z.boolean(),
    file: described(text.optional(), "Where the brief stands."),
    missing: described(text.array(), "Sections without text."),
  }),
};
