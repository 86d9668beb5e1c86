/** Words in a channel: never an answer by themselves, never lost. */
import { expect, it } from "vitest";
import type { OpenStage } from "./chat-stage.ts";

const UI = { question: "Which UI?", options: ["Web UI", "Terminal"] };

export function typedCases(openStage: OpenStage): void {
  it("are offered as the answer, once and to their author alone", async () => {
    const { ana, ben, channel, ...stage } = await openStage();
    const asked = await stage.open({ kind: "ask", payload: UI });
    const card = await channel.card("Which UI?");
    const said = await ana.answers(card, "neither, a bot");
    await stage.until(() => ana.words(channel).length === 1 && said.signs.includes("kept"));
    const [word] = ana.words(channel);
    if (word === undefined) throw new Error("nothing was said");
    expect(word.text).toContain("Should this be your answer?");
    expect(word.buttons).toEqual(["Use as my answer"]);
    expect(ben.words(channel)).toEqual([]);
    expect(card.buttons).toContain("Web UI");
    await ana.presses(word, "Use as my answer");
    expect(await stage.outcome(asked)).toMatchObject({ answer: "neither, a bot", option: null, by: "Ana" });
    await stage.until(() => card.text.includes("neither, a bot — Ana"));
    expect(await stage.engine().show(asked.session)).toMatchObject({ inbox: [] });
  });

  it("mean the option of their number, once they are the answer", async () => {
    const { ana, channel, ...stage } = await openStage();
    const asked = await stage.open({ kind: "ask", payload: UI });
    await ana.answers(await channel.card("Which UI?"), "2");
    await stage.until(() => ana.words(channel).length === 1);
    const [word] = ana.words(channel);
    if (word === undefined) throw new Error("nothing was said");
    await ana.presses(word, "Use as my answer");
    expect(await stage.outcome(asked)).toMatchObject({ answer: "Terminal", option: 2 });
  });

  it("are offered in vain once somebody else has answered", async () => {
    const { ana, ben, channel, ...stage } = await openStage();
    const asked = await stage.open({ kind: "ask", payload: UI });
    const card = await channel.card("Which UI?");
    await ana.answers(card, "neither, a bot");
    await stage.until(() => ana.words(channel).length === 1);
    await ben.picks(card, "Terminal");
    await stage.outcome(asked);
    const [word] = ana.words(channel);
    if (word === undefined) throw new Error("nothing was said");
    await ana.presses(word, "Use as my answer");
    await stage.until(() => ana.words(channel).length === 2);
    expect(ana.words(channel)[1]?.text).toContain(`already settled, by Ben in ${stage.label}.`);
    expect(await stage.engine().show(asked.session)).toMatchObject({ inbox: [{ text: "neither, a bot" }] });
  });

  it("go to the agent where nothing open takes words, and follow their edits", async () => {
    const { ana, channel, ...stage } = await openStage();
    const payload = { title: "Drop the table", command: "psql -c 'drop table users'" };
    const asked = await stage.open({ kind: "permission", payload });
    const card = await channel.card("Drop the table");
    const kept = await ana.answers(card, "wich database?");
    const dropped = await ana.answers(card, "never mind");
    await stage.until(() => kept.signs.includes("kept") && dropped.signs.includes("kept"));
    await ana.edits(kept, "which database?");
    await ana.deletes(dropped);
    const inbox = async () => (await stage.engine().show(asked.session)).inbox;
    await expect.poll(inbox).toMatchObject([{ text: "which database?", by: { name: "Ana" } }]);
    expect(ana.words(channel)).toEqual([]);
  });

  it("go to the agent from whoever may not answer", async () => {
    const { gus, channel, ...stage } = await openStage();
    const asked = await stage.open({ kind: "ask", payload: UI });
    const said = await gus.answers(await channel.card("Which UI?"), "a bot");
    await stage.until(() => said.signs.includes("kept"));
    expect(await stage.engine().show(asked.session)).toMatchObject({ inbox: [{ text: "a bot" }] });
    expect(gus.words(channel)).toEqual([]);
  });

  it("reach the agent in whose thread they stand", async () => {
    const { ana, channel, ...stage } = await openStage();
    const payload = (title: string) => ({ title, command: "make" });
    const asked = [];
    for (const title of ["Build here", "Build there"])
      asked.push(await stage.open({ kind: "permission", payload: payload(title), project: `/${title}` }));
    const said = await ana.answers(await channel.card("Build there"), "with tests, please");
    await stage.until(() => said.signs.includes("kept"));
    const inboxes = await Promise.all(asked.map(({ session }) => stage.engine().show(session)));
    expect(inboxes).toMatchObject([{ inbox: [] }, { inbox: [{ text: "with tests, please" }] }]);
  });

  it("are nobody's business elsewhere in the channel", async () => {
    const { ana, channel, ...stage } = await openStage();
    const asked = await stage.open({ kind: "ask", payload: UI });
    await channel.card("Which UI?");
    await ana.writes(channel, "who wants coffee?");
    await ana.writes(channel, "2");
    await stage.restart();
    expect(await stage.engine().show(asked.session)).toMatchObject({ inbox: [] });
    expect(stage.changes()).toEqual(["post"]);
  });
}
