/** What people do with questions in a direct message in Slack. */
import { expect } from "vitest";
import { ask, take } from "./books.ts";
import { fillIn, type Hand, settleBy, type } from "./slack-hands.ts";
import { down, inSlack, type SlackLife } from "./slack-world.ts";

/** Questions in one session, answered by a button, by a form, or in plain words. */
export async function answerQuestions(life: SlackLife): Promise<void> {
  let session: string | null = null;
  for (let number = 1; !life.isOver(); number += 1) {
    const payload = { question: `${life.name} ${number}?`, options: ["By mail", "By post"] };
    const more = { kind: "ask" as const, payload, session: life.name, ...inSlack(life) };
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
    hand.life.typed.push({ ts: await type(hand, answer), delivered: false });
    return { status: "submitted", answer, option: null };
  },
  async digit(hand: Hand) {
    hand.life.typed.push({ ts: await type(hand, "2"), delivered: false });
    return { status: "submitted", answer: "By post", option: 2 };
  },
  async skip(hand: Hand) {
    await settleBy(hand, { verb: "skip" });
    return { status: "declined" };
  },
};
