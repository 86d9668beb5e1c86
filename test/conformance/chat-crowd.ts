/** Several people on one card, people who may not act, and presses that nobody's screen shows. */
import { expect, it } from "vitest";
import { example } from "../support/examples.ts";
import { THREE } from "./chat-payloads.ts";
import type { OpenStage } from "./chat-stage.ts";

const NOT_ASKED = "Only the people who were asked can do that.";

export function crowdCases(openStage: OpenStage): void {
  it("shows everybody the last of two picks, and whose it is", async () => {
    const { ana, ben, channel, ...stage } = await openStage();
    const asked = await stage.open({ payload: THREE });
    const home = await channel.card("Cache");
    await ana.picks(home, "Memory");
    await ben.picks(home, "Redis");
    await stage.until(() => home.text.includes("Redis — Ben") && home.text.includes("1 of 3"));
    await ben.picks(home, "Memory");
    await stage.until(() => home.text.includes("Memory — Ben"));
    expect(ana.chosen(home, "Redis")).toEqual(["Memory"]);
    expect(ben.chosen(home, "Redis")).toEqual(["Memory"]);
    expect(asked.notes.join()).toContain("nobody is notified in #plans");
  });

  it("tells whoever sends what somebody else changed meanwhile; a second press sends", async () => {
    const { ana, ben, channel, ...stage } = await openStage();
    const asked = await stage.open({ payload: THREE });
    const home = await channel.card("Cache");
    await ana.presses(home, "★ Accept recommended");
    await stage.until(() => home.text.includes("3 of 3"));
    const send = home.idOf("Send to agent");
    await ben.picks(home, "Memory");
    await ana.forges(home, send);
    await stage.until(() => ana.words(channel).length === 1);
    expect(ana.words(channel)[0]?.text).toContain(
      "Ben changed “Where to cache?” to Memory. Press again to confirm.",
    );
    expect(ben.words(channel)).toEqual([]);
    await ana.forges(home, send);
    expect(await stage.outcome(asked)).toMatchObject({
      result: [{ optionId: "memory", by: "Ben" }, { by: "Ana" }, { by: "Ana" }],
      by: "Ana",
    });
  });

  it("names the open questions to whoever sends too early, with links to them", async () => {
    const { ana, channel, ...stage } = await openStage();
    await stage.open({ payload: { ...example("login"), flow: undefined } });
    const home = await channel.card("Login PRD");
    await ana.picks(home, "Password + magic link");
    const reply = await channel.reply("Password policy?");
    await stage.until(() => home.links.some(({ url }) => url === reply.url));
    await ana.presses(reply, "Send to agent");
    await stage.until(() => ana.words(channel).length === 1);
    const [word] = ana.words(channel);
    expect(word?.text).toMatch(/Still open:\s+\S? ?2 Password policy\?$/);
    expect(word?.links).toEqual([{ label: expect.stringContaining("2 Password policy?"), url: reply.url }]);
    expect(reply.buttons).toContain("Send to agent");
  });

  it("takes a pick from a card three revisions old", async () => {
    const { ana, ben, channel, ...stage } = await openStage();
    await stage.open({ payload: THREE });
    const home = await channel.card("Cache");
    const old = home.idOf("Memory");
    for (const [person, answer] of [
      [ana, "Memory"],
      [ben, "Redis"],
      [ana, "Day"],
    ] as const) {
      await person.picks(home, answer);
      await stage.until(() => home.text.includes(`${answer} — ${person.name}`));
    }
    expect(home.idOf("Memory")).not.toBe(old);
    await ben.forges(home, old, "o1");
    await stage.until(() => home.text.includes("Memory — Ben"));
    expect(home.text).toContain("2 of 3");
  });

  it("says that a question is no longer asked to whoever answers it on an old screen", async () => {
    const { ana, ben, channel, ...stage } = await openStage();
    await stage.open({ payload: example("login") });
    const home = await channel.card("Login PRD");
    await ana.picks(home, "Password + magic link");
    const reply = await channel.reply("Password policy?");
    const old = reply.idOf("Strict");
    await ana.picks(home, "Magic link only");
    await stage.until(() => reply.gone);
    await ben.forges(home, old, "o1");
    await stage.until(() => ben.words(channel).length === 1);
    expect(ben.words(channel)[0]?.text).toContain("This question is no longer asked.");
    expect(home.text).toContain("1 of 1");
  });

  it("takes nothing from a guest, a stranger, or whoever has left", async () => {
    const { ben, gus, sam, channel, ...stage } = await openStage();
    await stage.open({ payload: THREE });
    const home = await channel.card("Cache");
    const [pick, send] = [home.idOf("Memory"), home.idOf("Send to agent")];
    await ben.picks(home, "Day");
    await stage.until(() => home.text.includes("1 of 3"));
    await ben.leaves(channel);
    for (const person of [gus, sam, ben]) {
      await person.forges(home, pick, "o1");
      await person.forges(home, send);
    }
    await stage.until(() => gus.words(channel).length === 2);
    expect(gus.words(channel).map(({ text }) => text)).toEqual(
      Array.from({ length: 2 }, () => expect.stringContaining(NOT_ASKED)),
    );
    expect(home.text).toContain("1 of 3");
    expect(home.text).not.toContain("Memory —");
  });

  it("takes a guest who was named", async () => {
    const { ana, gus, channel, ...stage } = await openStage();
    const asked = await stage.open({ payload: THREE, policy: { responders: [gus.account] } });
    const home = await channel.card("Cache");
    expect(home.text).toContain("@Gus");
    await ana.presses(home, "★ Accept recommended");
    await stage.until(() => ana.words(channel).length === 1);
    expect(ana.words(channel)[0]?.text).toContain(NOT_ASKED);
    await gus.presses(home, "★ Accept recommended");
    await gus.presses(home, "Send to agent");
    expect(await stage.outcome(asked)).toMatchObject({ status: "submitted", by: "Gus" });
  });

  it.each([
    ["of a round that never was", (id: string) => id.replace(/r_\w+-1/, "r_zzzzzzzz-1")],
    ["of a later round", (id: string) => id.replace(/(r_\w+)-1/, "$1-7")],
    ["with a verb that is none", (id: string) => id.replace(":send:", ":settle:")],
    ["that is for another kind of round", (id: string) => id.replace(":send:", ":approve:")],
    ["of another version", (id: string) => id.replace("v1:", "v9:")],
    ["without any sense", () => "__proto__"],
  ])("takes nothing from a button %s", async (_, forge) => {
    const { ana, channel, ...stage } = await openStage();
    await stage.open({ payload: THREE });
    const home = await channel.card("Cache");
    await ana.forges(home, forge(home.idOf("Send to agent")));
    await stage.until(() => ana.words(channel).length === 1);
    expect(ana.words(channel)[0]?.text).toContain("This button no longer works.");
    expect(home.buttons).toContain("Send to agent");
  });

  it("takes nothing from a button of another store", async () => {
    const { ana, channel, ...stage } = await openStage();
    await stage.open({ payload: THREE });
    const home = await channel.card("Cache");
    const forged = ana.forges(home, home.idOf("Send to agent").replace(":st:", ":other:"));
    expect(
      await forged.then(
        () => "refused",
        () => "left",
      ),
    ).toBe(stage.othersButtons);
    expect(home.buttons).toContain("Send to agent");
    expect(home.text).toContain("0 of 3");
  });

  it("takes no option that is not there", async () => {
    const { ana, channel, ...stage } = await openStage();
    await stage.open({ payload: THREE });
    const home = await channel.card("Cache");
    await ana.forges(home, home.idOf("Memory"), "o7");
    await stage.until(() => ana.words(channel).length === 1);
    expect(ana.words(channel)[0]?.text).toContain("That is not one of the options.");
    expect(home.text).toContain("0 of 3");
  });
}
