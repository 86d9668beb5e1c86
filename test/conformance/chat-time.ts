/** What time and the agent do to open questions: deadlines that pass, commands that withdraw, sessions that end. */
import { expect, it } from "vitest";
import { example } from "../support/examples.ts";
import { THREE } from "./chat-payloads.ts";
import type { OpenStage } from "./chat-stage.ts";

const UI = { question: "Which UI?", options: ["Web UI", "Terminal"] };

export function timeCases(openStage: OpenStage): void {
  it("leaves a question open whose agent went on, says so, and hands the answer over with the next", async () => {
    const { ana, channel, ...stage } = await openStage();
    const late = await stage.open({ kind: "ask", payload: UI, timeoutMs: 50 });
    expect(await stage.outcome(late)).toMatchObject({ status: "timeout" });
    const card = await channel.card("Which UI?");
    await stage.until(() => card.text.includes("The agent went on at"));
    await ana.picks(card, "Terminal");
    await stage.until(() => card.text.includes(`Answered by Ana in ${stage.label}`));
    const next = await stage.open({
      kind: "ask",
      payload: { question: "Which port?" },
      session: late.session,
    });
    await ana.presses(await channel.reply("Which port?"), "Skip");
    expect(await stage.outcome(next)).toMatchObject({ late: [{ answer: "Terminal", by: "Ana" }] });
  });

  it("closes a permission that nobody gave in time, as denied", async () => {
    const { ana, channel, ...stage } = await openStage();
    const payload = { title: "Drop the table", command: "psql -c 'drop table users'" };
    const asked = await stage.open({ kind: "permission", payload, timeoutMs: 300 });
    const card = await channel.card("Drop the table");
    const allow = card.idOf("Allow once");
    expect(await stage.outcome(asked)).toMatchObject({ status: "timeout", decision: "deny" });
    await stage.until(() => card.text.includes("Nobody answered in time; closed at"));
    expect(card.buttons).toEqual([]);
    await ana.forges(card, allow);
    await stage.until(() => ana.words(channel).length === 1);
    expect(ana.words(channel)[0]?.text).toContain("This is already settled.");
  });

  it("answers what is open as recommended where that was agreed, and says that nobody did", async () => {
    const { channel, ...stage } = await openStage();
    const policy = { onTimeout: "recommended" as const };
    const asked = await stage.open({ payload: THREE, timeoutMs: 50, policy });
    expect(await stage.outcome(asked)).toMatchObject({
      status: "submitted",
      result: [{ optionId: "redis", status: "defaulted" }, { optionId: "hour" }, { optionId: "eu" }],
    });
    const home = await channel.card("Cache");
    await stage.until(() => home.text.includes("Sent to the agent with the recommended answers"));
    expect(home.text).toContain("Redis — recommended; nobody answered in time");
    expect(home.buttons).toEqual([]);
  });

  it("closes what its command withdraws", async () => {
    const { channel, ...stage } = await openStage();
    const asked = await stage.open({ payload: example("login") });
    const home = await channel.card("Login PRD");
    await stage.engine().cancel(asked.round);
    await stage.until(() => home.buttons.length === 0);
    expect(home.text).toContain("The agent withdrew");
  });

  it("closes everything of a session that ends, and takes nothing more", async () => {
    const { ana, channel, ...stage } = await openStage();
    const asked = await stage.open({ payload: example("login") });
    const home = await channel.card("Login PRD");
    await ana.picks(home, "Password + magic link");
    const reply = await channel.reply("Password policy?");
    const strict = reply.idOf("Strict");
    await stage.engine().down({ project: "/repo", session: asked.session, agentSession: null });
    await stage.until(() => channel.cards().every(({ ids }) => ids.length === 0));
    await ana.forges(reply, strict, "o1");
    await stage.until(() => ana.words(channel).length === 1);
    expect(await stage.outcome(asked)).toMatchObject({ status: "cancelled" });
  });

  it("gives a later plan a header of its own in the channel, which home leads to", async () => {
    const { ana, ben, channel, ...stage } = await openStage({ haste: 20, unlimited: true });
    const page = await stage.open({ payload: THREE });
    const home = await channel.card("Cache");
    await ana.presses(home, "★ Accept recommended");
    await ana.presses(home, "Send to agent");
    await stage.outcome(page);
    const plan = { title: "Cache plan", plan: "# Cache\n\nWith Redis." };
    await stage.open({ kind: "plan", payload: plan, session: page.session });
    const header = await channel.card("@Ana");
    await stage.until(() => home.links.length > 0);
    expect(home.links).toEqual([{ label: "plan: Cache plan", url: header.url }]);
    expect([ana, ben].map((person) => person.notifications().length)).toEqual([1, 0]);
  });
}
