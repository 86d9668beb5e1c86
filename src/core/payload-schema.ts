/**
 * What agents submit, as zod schemas: shape, limits, and the descriptions that teach an agent to write a good payload.
 * What the parts of a payload mean to each other (unique ids, guards) is checked in `payload-relations`. Keys are the
 * payload's own (snake_case).
 */
import { z } from "zod";
import { count, flag, kebab, list, object, text, trimmed } from "./payload-fields.ts";

const names = (who: string) =>
  list(text(1, 200, "slack:U…, discord:… or a name from the config's people"), [0, Infinity], who).optional();

const policy = object({
  reviewers: names("Who may approve a plan. Adds to those whom the config names."),
  responders: names("Who may answer. Adds to those whom the config names."),
  quorum: z.int().min(1).meta({ description: "How many people have to approve." }).optional(),
  veto: flag("Whether a change request stops an approval (default true)."),
  on_timeout: z
    .enum(["keep", "recommended", "fail"])
    .meta({
      description:
        "At the deadline: keep the question open and let a late answer through (default), take the recommended options, or fail.",
    })
    .optional(),
});
const tightened = policy
  .meta({
    description: "Who has to answer, and what the deadline does. Only ever tightens the configuration.",
  })
  .optional();

const flow = object({
  session_id: kebab(80, "Name of the whole flow, the same on each of its pages.").optional(),
  page_id: kebab(80, "Name of this page, echoed in the result.").optional(),
  page_title: text(1, 120, "Heading of this page.").optional(),
  continue_label: text(1, 40, "Words on the button that sends this page.").optional(),
  done_label: text(1, 40, "Words on the button that sends it and ends the flow.").optional(),
  allow_done: flag("Whether people may end the flow here (default true)."),
});

const option = object({
  id: kebab(48, "Unique in its decision; comes back as optionId. Say what it is: magic-link, not a."),
  label: text(1, 80, "The answer in a few words. Under 75 characters it is never shortened on a phone."),
  description: text(
    0,
    400,
    "What choosing it means in practice: cost, consequence, what it rules out.",
  ).optional(),
  recommended: z.boolean().meta({
    description: "True for the option you would take: exactly one per decision, one or more with multi.",
  }),
  reason: text(0, 400, "Why, in one line: what speaks for it or against it.").optional(),
});

const showIf = object({
  decision: kebab(64, "Id of a decision earlier in the list."),
  in: list(
    text(1, 48, "An option id of that decision."),
    [1, Infinity],
    "Any of these picked reveals this decision.",
  ),
});

const decision = object({
  id: kebab(64, "Unique in the payload; comes back as decisionId. Say what is decided: auth-method, not q1."),
  question: text(6, 240, "One question with one answer, understandable without the code at hand."),
  options: list(option, [2, 25], "2 to 5 read best; options must exclude each other unless multi is true."),
  recommendation_reason: text(
    12,
    600,
    "Why you recommend what you recommend: evidence from the task or the code.",
  ),
  allow_custom: flag("Whether people may answer in their own words instead."),
  multi: flag("Whether several options may be picked together."),
  show_if: showIf
    .meta({ description: "Ask only after certain picks. Own words never reveal anything." })
    .optional(),
});

const title = text(1, 120, "What this is about, as a heading; it is also the notification.");
const subtitle = text(0, 160, "A short line beside the title: version, scope, state.").optional();
const detail = text(0, 20_000, "More to read before answering, in Markdown.").optional();

/** The schemas by kind of payload. */
export const schemas = {
  clarity: object({
    title,
    subtitle,
    context: text(
      1,
      1200,
      "What a person needs to know to decide: what you found, what is settled, what is not.",
    ),
    flow: flow.meta({ description: "Set it when more pages of questions follow this one." }).optional(),
    decisions: list(
      decision,
      [1, 40],
      "Only what you cannot find out and what changes the work; parents first.",
    ),
    policy: tightened,
  }).meta({ description: "A branching page of decisions for people to make before you build." }),
  plan: object({
    title,
    subtitle,
    plan: text(
      1,
      100_000,
      "The plan in Markdown. People comment on each heading, paragraph, list, table or code block.",
    ),
    policy: tightened,
  }).meta({ description: "A plan for people to comment on and to approve before you carry it out." }),
  ask: object({
    question: trimmed(1, 2000, "One concrete question."),
    options: z
      .array(trimmed(0, 200, "A possible answer."))
      .transform((options) => options.filter((text) => text !== ""))
      .refine(({ length }) => length <= 25, {
        error: ({ input }) => `expected at most 25 items, found ${count(input)}`,
      })
      .meta({
        description: "Possible answers, offered as buttons. Leave out for a free answer.",
        maxItems: 25,
      })
      .optional(),
    option_ids: list(
      kebab(48, "Unique; comes back as optionId. Say what it is: accept, not a."),
      [1, 25],
      "One for each option, in the same order, where your program acts on the answer: never match labels.",
    ).optional(),
    allow_custom: flag("Whether people may answer in their own words beside the options (default true)."),
    detail,
    policy: tightened,
  }).meta({ description: "One question to people, answered by an option or in their own words." }),
  permission: object({
    title: text(1, 120, "What you want to do, in plain words."),
    command: text(1, 20_000, "Exactly what will be run."),
    detail,
    policy: tightened,
  }).meta({ description: "Leave to run one command. Without an answer it is denied." }),
};
