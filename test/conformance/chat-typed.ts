/** Words in a channel: never an answer by themselves, never lost. */
import { expect, it } from "vitest";
import type { OpenStage } from "./chat-stage.ts";

const UI = { question: "Which UI?", options: ["Web UI", "Terminal"] };

export function typedCases(openStage: OpenStage): void {
  it("are offered as the answer, to their author alone", async () => {
    const { ana, ben, channel, ...stage } = await openStage();
    const asked = await stage.open({ kind: "ask", payload: UI });
    const card = await channel.card("Which UI?");
    const said = await ana.writesUnder(card, "neither, a bot");
    await stage.until(() => said.signs.includes("offered") && said.signs.includes("kept"));
    expect(ben.words(channel)).toEqual([]);
    expect(card.buttons).toContain("Web UI");
    await ana.takesOffer(said);
    expect(await stage.outcome(asked)).toMatchObject({ answer: "neither, a bot", option: null, by: "Ana" });
    await stage.until(() => card.text.includes("neither, a bot — Ana"));
    expect(await stage.engine().show(asked.session)).toMatchObject({ inbox: [] });
  });

  it("mean the option of their number, once they are the answer", async () => {
    const { ana, channel, ...stage } = await openStage();
    const asked = await stage.open({ kind: "ask", payload: UI });
    const said = await ana.writesUnder(await channel.card("Which UI?"), "2");
    await stage.until(() => said.signs.includes("offered"));
    await ana.takesOffer(said);
    expect(await stage.outcome(asked)).toMatchObject({ answer: "Terminal", option: 2 });
  });

  it("are offered in vain once somebody else has answered, and stay for the agent", async () => {
    const { ana, ben, channel, ...stage } = await openStage();
    const asked = await stage.open({ kind: "ask", payload: UI });
    const card = await channel.card("Which UI?");
    const said = await ana.writesUnder(card, "neither, a bot");
    await stage.until(() => said.signs.includes("offered"));
    await ben.picks(card, "Terminal");
    expect(await stage.outcome(asked)).toMatchObject({ answer: "Terminal", by: "Ben" });
    await ana.takesOffer(said);
    const more = await ana.writesUnder(card, "oh well");
    await stage.until(() => more.signs.includes("kept"));
    const inbox = [{ text: "neither, a bot" }, { text: "oh well" }];
    expect(await stage.engine().show(asked.session)).toMatchObject({ inbox });
    expect(more.signs).not.toContain("offered");
  });

  it("go to the agent where nothing open takes words, and follow their edits", async () => {
    const { ana, channel, ...stage } = await openStage();
    const payload = { title: "Drop the table", command: "psql -c 'drop table users'" };
    const asked = await stage.open({ kind: "permission", payload });
    const card = await channel.card("Drop the table");
    const kept = await ana.writesUnder(card, "wich database?");
    const dropped = await ana.writesUnder(card, "never mind");
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
    const said = await gus.writesUnder(await channel.card("Which UI?"), "a bot");
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
    const said = await ana.writesUnder(await channel.card("Build there"), "with tests, please");
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
