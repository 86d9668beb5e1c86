/** The worst that agents and people can write, posted for real: nothing is refused, and nothing is cut without standing whole in a file. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import type { Opened, OpenRequest } from "../../src/core/gate.ts";
import {
  crumbs,
  hostileAsk,
  hostileClarity,
  hostilePermission,
  hostilePlan,
  nasty,
} from "../support/hostile.ts";
import { last } from "./chat-reading.ts";
import type { ChatCard, ChatStage, OpenStage } from "./chat-stage.ts";

const QUICK = { haste: 20, unlimited: true };
/** `npm test` looks at a few; more on demand. */
const RUNS = Number(process.env.RUNS ?? 3);

const samples = <T>(of: fc.Arbitrary<T>, runs: number): T[] => fc.sample(of, { numRuns: runs, seed: 7 });

interface Asked {
  opened: Opened;
  cards: () => ChatCard[];
  /** All that can be read of it, in cards and files. */
  read: () => string;
}

/** What is looked at of a page's payload. */
const text = z.string().default("");
const page = z.object({
  title: text,
  subtitle: text,
  context: text,
  decisions: z.array(
    z.object({
      question: text,
      recommendation_reason: text,
      options: z.array(z.object({ label: text, description: text, reason: text })),
      show_if: z.object({}).optional(),
    }),
  ),
});

let projects = 0;

/** Asks, in a session of its own. */
async function ask(stage: ChatStage, more: Partial<OpenRequest>): Promise<Asked> {
  const { channel } = stage;
  const before = new Set(channel.cards().map(({ url }) => url));
  const files = new Set(channel.files().map(({ text }) => text));
  projects += 1;
  const opened = await stage.open({ project: `/repo-${projects}`, ...more });
  // What stood there before may still be taken away.
  const cards = () => channel.cards().filter(({ url }) => !before.has(url));
  const added = () => channel.files().filter(({ text }) => !files.has(text));
  const read = () => flat([...cards(), ...added()].map(({ text }) => text).join("\n"));
  return { opened, cards, read };
}

/** Letters and digits: the rest may be drawn otherwise. */
const flat = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, "");

/** What stands nowhere of all that should. */
function missing({ read }: Asked, texts: string[]): string[] {
  const there = read();
  return texts.filter((one) => !there.includes(flat(one)));
}

/** A file may come behind the card that can be pressed already. */
async function whole(stage: ChatStage, asked: Asked, texts: string[]): Promise<void> {
  const stands = stage.until(() => missing(asked, texts).length === 0);
  await stands.catch(() => expect(missing(asked, texts)).toEqual([]));
}

function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(strings) : [];
}

const press = ({ opened }: Asked, verb: string): string => `v1:st:${verb}:${opened.round}:0:-`;

const isOver = ({ cards }: Asked): boolean =>
  cards().every(({ ids }) => ids.every((id) => id.includes(":session")));

export function corpusCases(openStage: OpenStage): void {
  it("is taken in pages of decisions: open, answered and sent", { timeout: 60_000 }, async () => {
    const stage = await openStage(QUICK);
    const pages: unknown[] = [...samples(hostileClarity, RUNS), ...samples(crumbs, 1)];
    for (const payload of pages) {
      const page = await ask(stage, { kind: "clarity", payload });
      await whole(stage, page, shown(payload));
      await stage.ana.forges(last(page.cards()), press(page, "accept"));
      await stage.ana.forges(last(page.cards()), press(page, "send"));
      expect(await stage.outcome(page.opened)).toMatchObject({ status: "submitted" });
      await stage.until(() => isOver(page));
    }
  });

  it("is taken in plans: read, commented on and settled", { timeout: 60_000 }, async () => {
    const stage = await openStage(QUICK);
    const [words = ""] = samples(nasty(2500), 1);
    for (const payload of samples(hostilePlan, RUNS)) {
      const plan = await ask(stage, { kind: "plan", payload });
      const [header] = plan.cards();
      if (header === undefined) throw new Error("nothing stands there");
      await whole(stage, plan, strings(payload));
      const said = await stage.ana.writesUnder(header, `w${words}`);
      await stage.until(() => said.signs.includes("kept"));
      await stage.ana.forges(header, press(plan, "revise"));
      expect(await stage.outcome(plan.opened)).toMatchObject({ decision: "revise" });
      await stage.until(() => isOver(plan));
    }
  });

  it("is taken in questions: open and answered", { timeout: 60_000 }, async () => {
    const stage = await openStage(QUICK);
    for (const payload of samples(hostileAsk, RUNS * 2)) {
      const question = await ask(stage, { kind: "ask", payload });
      await whole(stage, question, strings(payload));
      if (payload.options.length > 0)
        await stage.ana.forges(last(question.cards()), press(question, "answer"), "o0");
      else await stage.ana.forges(last(question.cards()), press(question, "skip"));
      await stage.outcome(question.opened);
      await stage.until(() => isOver(question));
    }
  });

  it("is taken in permissions: open and denied", { timeout: 60_000 }, async () => {
    const stage = await openStage(QUICK);
    for (const payload of samples(hostilePermission, RUNS * 2)) {
      const permission = await ask(stage, { kind: "permission", payload });
      await whole(stage, permission, strings(payload));
      await stage.ana.forges(last(permission.cards()), press(permission, "deny"));
      expect(await stage.outcome(permission.opened)).toMatchObject({ decision: "deny" });
      await stage.until(() => isOver(permission));
    }
  });
}

/** What a page shows of its payload at first: not the follow-ups, and nothing that is an id. */
function shown(payload: unknown): string[] {
  const { title, subtitle, context, decisions } = page.parse(payload);
  return [
    title,
    subtitle,
    context,
    ...decisions
      .filter(({ show_if }) => show_if === undefined)
      .flatMap(({ question, recommendation_reason, options }) => [
        question,
        recommendation_reason,
        ...options.flatMap(({ label, description, reason }) => [label, description, reason]),
      ]),
  ];
}
