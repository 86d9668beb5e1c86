/** One-off questions and permissions: the first answer wins. */
import { expect, it } from "vitest";
import type { OpenStage } from "./chat-stage.ts";

const UI = { question: "Which UI?", options: ["Web UI", "Terminal"] };
const DROP = { title: "Drop the table", command: "psql -c 'drop table users'" };

export function askCases(openStage: OpenStage): void {
  it("takes an option by one press", async () => {
    const { ana, channel, ...stage } = await openStage();
    const asked = await stage.open({ kind: "ask", payload: UI });
    const card = await channel.card("Which UI?");
    expect(card.buttons).toEqual(["Web UI", "Terminal", "Other…", "Skip"]);
    await ana.picks(card, "Terminal");
    expect(await stage.outcome(asked)).toMatchObject({
      status: "submitted",
      answer: "Terminal",
      option: 2,
      by: "Ana",
      byId: ana.id,
    });
    await stage.until(() => card.text.includes(`Answered by Ana in ${stage.label}`));
    expect(card.text).toContain("Terminal — Ana");
    expect(card.buttons).toEqual([]);
  });

  it("takes an option from a menu where there are many", async () => {
    const { ana, channel, ...stage } = await openStage();
    const options = Array.from({ length: 25 }, (_, at) => `Region ${at + 1}`);
    const asked = await stage.open({ kind: "ask", payload: { question: "Which region?", options } });
    await ana.picks(await channel.card("Which region?"), "Region 24");
    expect(await stage.outcome(asked)).toMatchObject({ answer: "Region 24", option: 24 });
  });

  it("takes own words by a form, which stays open while they are blank", async () => {
    const { ana, channel, ...stage } = await openStage();
    const asked = await stage.open({ kind: "ask", payload: UI });
    const card = await channel.card("Which UI?");
    await ana.presses(card, "Other…");
    expect((await ana.form()).fields).toMatchObject([{ label: "Which UI?", value: "" }]);
    expect(await ana.sends({ "Which UI?": " " })).toBe(false);
    expect(await ana.sends({ "Which UI?": "Neither; a bot" })).toBe(true);
    expect(await stage.outcome(asked)).toMatchObject({ answer: "Neither; a bot", option: null });
    await stage.until(() => card.text.includes("Neither; a bot — Ana"));
  });

  it("is skipped, and the agent told to go on by itself", async () => {
    const { ana, channel, ...stage } = await openStage();
    const asked = await stage.open({ kind: "ask", payload: UI });
    const card = await channel.card("Which UI?");
    await ana.presses(card, "Skip");
    expect(await stage.outcome(asked)).toMatchObject({
      status: "declined",
      by: "Ana",
      advice: expect.stringContaining("the decision is yours"),
    });
    await stage.until(() => card.text.includes(`Skipped by Ana in ${stage.label}`));
  });

  it("stands in the thread once the session has a home, and mentions whoever acted last", async () => {
    const { ana, ben, channel, ...stage } = await openStage();
    const first = await stage.open({ kind: "ask", payload: UI });
    await ana.picks(await channel.card("Which UI?"), "Terminal");
    await stage.outcome(first);
    await stage.open({ kind: "ask", payload: { question: "Which colours?" }, session: first.session });
    const second = await channel.reply("Which colours?");
    expect(second.text).toContain("@Ana");
    expect([ana, ben].map((person) => person.notifications().length)).toEqual([1, 0]);
    await ben.presses(second, "Skip");
    await stage.until(() => second.text.includes("Skipped by Ben"));
    expect(second.text).toContain("@Ana");
    expect(second.text).not.toContain("@Ben");
  });

  it("belongs to the first who answers; the second hears privately who that was", async () => {
    const { ana, ben, channel, ...stage } = await openStage();
    const asked = await stage.open({ kind: "ask", payload: UI });
    const card = await channel.card("Which UI?");
    const late = card.idOf("Web UI");
    await Promise.all([ana.picks(card, "Terminal"), stage.outcome(asked)]);
    await ben.forges(card, late);
    await stage.until(() => ben.words(channel).length === 1);
    expect(ben.words(channel)[0]?.text).toContain(`already settled, by Ana in ${stage.label}.`);
    expect(ana.words(channel)).toEqual([]);
    expect(await stage.outcome(asked)).toMatchObject({ answer: "Terminal", by: "Ana" });
  });

  it("shows what the agent wants to run, and lets it", async () => {
    const { ana, channel, ...stage } = await openStage();
    const asked = await stage.open({
      kind: "permission",
      payload: DROP,
      policy: { responders: [ana.account] },
    });
    const card = await channel.card("Drop the table");
    expect(card.text).toContain("psql -c 'drop table users'");
    expect(card.buttons).toEqual(["Allow once", "Deny", "Deny with words"]);
    expect(ana.notifications()).toHaveLength(1);
    await ana.presses(card, "Allow once");
    expect(await stage.outcome(asked)).toMatchObject({ status: "submitted", decision: "allow", by: "Ana" });
    await stage.until(() => card.text.includes(`Allowed once by Ana in ${stage.label}`));
    expect(card.buttons).toEqual([]);
  });

  it("is denied, with words where there are some", async () => {
    const { ana, channel, ...stage } = await openStage();
    const asked = await stage.open({ kind: "permission", payload: DROP });
    const card = await channel.card("Drop the table");
    await ana.presses(card, "Deny with words");
    const [field] = (await ana.form()).fields;
    expect(await ana.sends({ [field?.label ?? ""]: "not on prod" })).toBe(true);
    expect(await stage.outcome(asked)).toMatchObject({
      status: "declined",
      decision: "deny",
      reason: "not on prod",
      by: "Ana",
    });
    await stage.until(() => card.text.includes("not on prod"));
  });

  it("is denied by one press", async () => {
    const { ben, channel, ...stage } = await openStage();
    const asked = await stage.open({ kind: "permission", payload: DROP });
    await ben.presses(await channel.card("Drop the table"), "Deny");
    expect(await stage.outcome(asked)).toMatchObject({ status: "declined", decision: "deny", by: "Ben" });
  });
}
