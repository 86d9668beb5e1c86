/** What people do with plans in a chat: written and rewritten in threads and forms, reviewed, held against what the bot has of it. */
import { expect } from "vitest";
import { z } from "zod";
import type { Opened } from "../../src/core/gate.ts";
import { type Asked, ask, roundOf, take } from "./books.ts";
import { controlOf, fillIn, type Hand, settleBy, write } from "./chat-hands.ts";
import type { Post, Somebody } from "./chat-platform.ts";
import { appears, type ChatLife, down, eventually, inChat } from "./chat-world.ts";

interface Note {
  kind: "annotations" | "feedback";
  block: number;
  text: string;
  by: Somebody;
  /** Null where it was sent by a form. */
  said: Post | null;
}

/** A plan as its reviewers have made it so far. */
interface Review {
  life: ChatLife;
  opened: Opened;
  notes: Note[];
}

/** Plans in one session: comments in threads and forms, edits, deletions, feedback, and reviews that race. */
export async function review(life: ChatLife): Promise<void> {
  let session: string | null = null;
  for (let version = 1; !life.isOver(); version += 1) {
    const title = `${life.name} ${version}.`;
    const payload = { title, plan: `# Login\n\nWe send a link.\n\n- spam\n- replay\n\nDone.` };
    const quorum = life.random.chance(0.3) ? 2 : 1;
    const more = { kind: "plan" as const, payload, session: life.name, policy: { quorum }, ...inChat(life) };
    const asked = await ask(life, more);
    session = asked.opened.session;
    const on: Review = { life, opened: asked.opened, notes: [] };
    for (let left = life.random.below(8); left > 0; left -= 1) await comment(on);
    await verdict(on, asked, quorum);
  }
  if (session !== null) await down(life, session);
}

async function comment(on: Review): Promise<void> {
  const { random } = on.life;
  const what = random.of([
    "reply",
    "reply",
    "form",
    "both",
    "feedback",
    "general",
    "edit",
    "remove",
  ] as const);
  await NOTE[what](on);
  if (random.chance(0.5)) await kept(on);
}

const NOTE = {
  reply: (on: Review) => reply(on, on.life.random.below(4)),
  async form(on: Review): Promise<void> {
    const block = on.life.random.below(4);
    const note = newNote(on, { kind: "annotations", block });
    const wanted = { verb: "comment" as const, target: `b${block}` };
    expect(await fillIn(handOf(on, note.by), wanted, note.text)).toBeNull();
    on.notes.push(note);
  },
  async both(on: Review): Promise<void> {
    await Promise.all([reply(on, 1), reply(on, 2)]);
  },
  async feedback(on: Review): Promise<void> {
    const note = newNote(on, { kind: "feedback", block: -1 });
    expect(await fillIn(handOf(on, note.by), { verb: "feedback" }, note.text)).toBeNull();
    on.notes.push(note);
  },
  async general(on: Review): Promise<void> {
    const wanted = { verb: "feedback" as const };
    const { post } = await appears(on.life.world, () => controlOf(handOf(on, on.life.people[0]), wanted));
    await typedNote(on, { kind: "feedback", block: -1 }, (who, text) => who.remarks(post, text));
  },
  async edit(on: Review): Promise<void> {
    const note = anyTyped(on);
    if (note === null) return;
    note.text = `edited ${on.life.presses}`;
    on.life.begins();
    on.life.presses += 1;
    await note.by.edits(note.said, note.text);
  },
  async remove(on: Review): Promise<void> {
    const note = anyTyped(on);
    if (note === null) return;
    on.notes.splice(on.notes.indexOf(note), 1);
    on.life.begins();
    on.life.presses += 1;
    await note.by.deletes(note.said);
  },
};

const handOf = ({ life, opened }: Review, person: Somebody): Hand => ({ life, opened, person });

function newNote({ life }: Review, about: Pick<Note, "kind" | "block">): Note {
  return { ...about, by: life.random.of(life.people), text: `note ${life.presses}`, said: null };
}

type Writing = (who: Somebody, text: string) => Promise<Post>;

async function typedNote(on: Review, about: Pick<Note, "kind" | "block">, how: Writing): Promise<void> {
  const note = newNote(on, about);
  on.life.presses += 1;
  note.said = await write(handOf(on, note.by), (who) => how(who, note.text));
  on.notes.push(note);
}

async function reply(on: Review, block: number): Promise<void> {
  const wanted = { verb: "comment" as const, target: `b${block}` };
  const { post } = await appears(on.life.world, () => controlOf(handOf(on, on.life.people[0]), wanted));
  await typedNote(on, { kind: "annotations", block }, (who, text) => who.comments(post, text));
}

function anyTyped({ life, notes }: Review): (Note & { said: Post }) | null {
  const typed = notes.filter((note): note is Note & { said: Post } => note.said !== null);
  return typed.length === 0 ? null : life.random.of(typed);
}

/** Waits until the bot has what people said, and nothing else. */
async function kept({ life, opened, notes }: Review): Promise<void> {
  const of = (kind: Note["kind"]) => notes.filter((note) => note.kind === kind);
  await eventually(life.world, async () => {
    const { annotations, feedback } = await roundOf(life, opened);
    expect({
      annotations: annotations.map(({ blockIndex, comment: text }) => `${blockIndex} ${text}`).sort(),
      feedback: feedback.map(({ text }) => text).sort(),
    }).toEqual({
      annotations: of("annotations")
        .map(({ block, text }) => `${block} ${text}`)
        .sort(),
      feedback: of("feedback")
        .map(({ text }) => text)
        .sort(),
    });
  });
}

/** Two people settle it at the same moment, or together. */
async function verdict(on: Review, asked: Asked, quorum: number): Promise<void> {
  const { life, notes } = on;
  const [one, other = one] = life.people;
  await kept(on);
  const against = notes.length > 0 ? ("revise" as const) : ("cancel" as const);
  const second = quorum === 2 ? ("approve" as const) : against;
  await Promise.all([
    settleBy(handOf(on, one), { verb: "approve" }),
    settleBy(handOf(on, other), { verb: second }),
  ]);
  const waited = await asked.outcome;
  const { status, decision } = waited.result;
  expect([waited.state, status]).toEqual(["settled", decision === undefined ? "cancelled" : "submitted"]);
  expect(quorum === 2 ? ["approve"] : ["approve", second]).toContain(decision ?? "cancel");
  expect(said(waited.result.annotations)).toEqual(
    notes.flatMap(({ kind, text, by }) => (kind === "annotations" ? `${text} ${by.name}` : [])).sort(),
  );
  expect(said(waited.result.feedback)).toEqual(
    notes.flatMap(({ kind, text, by }) => (kind === "feedback" ? `${text} ${by.name}` : [])).sort(),
  );
  await take(life, asked, waited);
  life.typed.push(...notes.flatMap(({ said: at }) => (at === null ? [] : { said: at, delivered: true })));
}

const Said = z.array(
  z.object({ comment: z.string().optional(), text: z.string().optional(), by: z.string() }),
);

const said = (list: unknown): string[] =>
  Said.parse(list)
    .map(({ comment: words, text, by }) => `${words ?? text} ${by}`)
    .sort();
