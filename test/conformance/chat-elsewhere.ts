/** The same session in two places, after a restart, and in other languages. */
import { expect, it } from "vitest";
import { example } from "../support/examples.ts";
import { THREE } from "./chat-payloads.ts";
import type { OpenStage } from "./chat-stage.ts";

const UI = { question: "Which UI?", options: ["Web UI", "Terminal"] };

export function elsewhereCases(openStage: OpenStage): void {
  it("says on its card who answered on the page, and takes nothing more", async () => {
    const { ana, channel, surface, ...stage } = await openStage();
    const asked = await stage.open({ kind: "ask", payload: UI, via: [surface, "web"] });
    const card = await channel.card("Which UI?");
    const id = card.idOf("Web UI");
    await stage.engine().act(asked.session, {
      id: "press-1",
      surface: "web",
      button: `v1:st:answer:${asked.round}:0:-`,
      values: ["o1"],
      words: null,
    });
    await stage.until(() => card.text.includes("Answered by ana in the browser"));
    expect(card.buttons).toEqual([]);
    await ana.forges(card, id);
    await stage.until(() => ana.words(channel).length === 1);
    expect(ana.words(channel)[0]?.text).toContain("already settled, by ana in the browser.");
    expect(await stage.outcome(asked)).toMatchObject({ answer: "Terminal", where: "web" });
  });

  it("says on the page who answered in the chat", async () => {
    const { ana, channel, surface, ...stage } = await openStage();
    const asked = await stage.open({ kind: "ask", payload: UI, via: [surface, "web"] });
    await ana.picks(await channel.card("Which UI?"), "Terminal");
    expect(await stage.outcome(asked)).toMatchObject({ answer: "Terminal", by: "Ana", where: surface });
    const answer = await stage.engine().act(asked.session, {
      id: "press-1",
      surface: "web",
      button: `v1:st:answer:${asked.round}:0:-`,
      values: ["o0"],
      words: null,
    });
    expect(answer).toMatchObject({ text: `This is already settled, by Ana in ${stage.label}.` });
  });

  it("goes on after a restart as if nothing had been", async () => {
    const { ana, channel, ...stage } = await openStage();
    const asked = await stage.open({ payload: example("login") });
    const home = await channel.card("Login PRD");
    await ana.picks(home, "Password + magic link");
    const reply = await channel.reply("Password policy?");
    await stage.until(() => home.text.includes("1 of 2"));
    await stage.restart();
    await ana.picks(reply, "Strict");
    await stage.until(() => home.text.includes("2 of 2") && reply.text.includes("Strict — Ana"));
    await stage.restart();
    await ana.presses(reply, "Send to agent");
    expect(await stage.outcome(asked)).toMatchObject({ status: "submitted", by: "Ana" });
    await stage.until(() => home.text.includes("Password + magic link — Ana") && reply.buttons.length === 1);
    expect(channel.cards()).toHaveLength(2);
    expect(ana.notifications()).toHaveLength(1);
  });

  it.each([
    ["zh", "发送给智能体"],
    ["fr", "Envoyer à l’agent"],
    ["es", "Enviar al agente"],
  ])("speaks the session's language: %s", async (locale, send) => {
    const { ana, channel, ...stage } = await openStage();
    const asked = await stage.open({ payload: THREE, locale });
    const home = await channel.card("Cache");
    expect(home.buttons).toContain(send);
    expect(home.buttons).not.toContain("Send to agent");
    await ana.picks(home, "Memory");
    await ana.picks(home, "Day");
    await ana.picks(home, "US");
    await stage.until(() => home.text.includes("3"));
    await ana.presses(home, send);
    expect(await stage.outcome(asked)).toMatchObject({ status: "submitted" });
    await stage.until(() => home.buttons.length === 0);
    expect(home.text).not.toMatch(/Sent to|\bby\b|agent by/);
  });

  it("has a private word in the language of whoever pressed", async () => {
    const { ana, luc, channel, ...stage } = await openStage();
    await stage.open({ payload: THREE, locale: "zh" });
    const home = await channel.card("Cache");
    const [send = ""] = home.buttons.slice(-2);
    await luc.presses(home, send);
    await ana.presses(home, send);
    await stage.until(() => luc.words(channel).length === 1 && ana.words(channel).length === 1);
    expect(luc.words(channel)[0]?.text).toContain("Encore sans réponse");
    expect(ana.words(channel)[0]?.text).toContain("Still open");
  });
}
