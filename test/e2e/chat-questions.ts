/** What people do with questions in a direct message. */
import { expect } from "vitest";
import { ask, take } from "./books.ts";
import { fillIn, type Hand, settleBy, write } from "./chat-hands.ts";
import { type ChatLife, down, inChat } from "./chat-world.ts";

/** Questions in one session, answered by a button, by a form, or in plain words. */
export async function answerQuestions(life: ChatLife): Promise<void> {
  let session: string | null = null;
  for (let number = 1; !life.isOver(); number += 1) {
    const payload = { question: `${life.name} ${number}?`, options: ["By mail", "By post"] };
    const more = { kind: "ask" as const, payload, session: life.name, ...inChat(life) };
    const asked = await ask(life, more);
    session = asked.opened.session;
    const hand = { life, opened: asked.opened, person: life.people[0] };
    const expected =
      await ANSWER[life.random.of(["button", "form", "words", "digit", "skip"] as const)](hand);
    const waited = await asked.outcome;
    expect(waited).toMatchObject({ state: "settled", result: expected });
    await take(life, asked, waited);
  }
  if (session !== null) await down(life, session);
}

const ANSWER = {
  async button(hand: Hand) {
    await settleBy(hand, { verb: "answer", value: "o0" });
    return { status: "submitted", answer: "By mail", option: 1 };
  },
  async form(hand: Hand) {
    const answer = `form ${hand.life.presses}`;
    expect(await fillIn(hand, { verb: "answer" }, answer)).toBeNull();
    return { status: "submitted", answer, option: null };
  },
  async words(hand: Hand) {
    const answer = `words ${hand.life.presses}`;
    await writePlainly(hand, answer);
    return { status: "submitted", answer, option: null };
  },
  async digit(hand: Hand) {
    await writePlainly(hand, "2");
    return { status: "submitted", answer: "By post", option: 2 };
  },
  async skip(hand: Hand) {
    await settleBy(hand, { verb: "skip" });
    return { status: "declined" };
  },
};

async function writePlainly(hand: Hand, text: string): Promise<void> {
  const said = await write(hand, (who) => who.writes(hand.life.room, text));
  hand.life.typed.push({ said, delivered: false });
}
