/** In Slack a word for its author's eyes alone offers to make a message the answer. */
import { expect, it } from "vitest";
import type { ChatWord } from "../../conformance/chat-stage.ts";
import { openSlackChat } from "../../support/slack-chat.ts";

const UI = { question: "Which UI?", options: ["Web UI", "Terminal"] };

async function offered() {
  const { ana, ben, channel, ...stage } = await openSlackChat();
  const asked = await stage.open({ kind: "ask", payload: UI });
  const card = await channel.card("Which UI?");
  await ana.writesUnder(card, "neither, a bot");
  await stage.until(() => ana.words(channel).length === 1);
  const words = (): ChatWord[] => ana.words(channel);
  const [word] = words();
  if (word === undefined) throw new Error("nothing was said");
  return { ana, ben, channel, stage, asked, card, word, words };
}

it("is a question with one button", async () => {
  const { ben, channel, word } = await offered();
  expect(word.text).toContain("Should this be your answer?");
  expect(word.buttons).toEqual(["Use as my answer"]);
  expect(ben.words(channel)).toEqual([]);
});

it("says who was first, once it comes too late", async () => {
  const { ana, ben, stage, asked, card, word, words } = await offered();
  await ben.picks(card, "Terminal");
  await stage.outcome(asked);
  await ana.presses(word, "Use as my answer");
  await stage.until(() => words().length === 2);
  expect(words()[1]?.text).toContain(`already settled, by Ben in ${stage.label}.`);
  expect(await stage.engine().show(asked.session)).toMatchObject({ inbox: [{ text: "neither, a bot" }] });
});
