/** Untrusted words stay words, and what must not reach a chat does not. */
import { expect, it } from "vitest";
import { THREE } from "./chat-payloads.ts";
import { last } from "./chat-reading.ts";
import type { OpenStage } from "./chat-stage.ts";

export function safetyCases(openStage: OpenStage): void {
  it("calls nobody whom an agent's or a person's words name", async () => {
    const { ana, ben, cho, channel, ...stage } = await openStage();
    const [, id = ""] = ben.account.split(":");
    const loud = `<!channel> <!here> @everyone @here <@${id}> <@!${id}>`;
    const asked = await stage.open({
      kind: "ask",
      payload: { question: `Now? ${loud}`, detail: loud, options: [loud.slice(0, 60), "No"] },
      policy: { responders: [cho.account] },
    });
    const card = await channel.card("Now?");
    expect([ana, ben, cho].map((person) => person.notifications().length)).toEqual([0, 0, 1]);
    await cho.presses(card, "Other…");
    const [field] = (await cho.form()).fields;
    await cho.sends({ [field?.label ?? ""]: `Later ${loud}` });
    await stage.outcome(asked);
    await stage.until(() => card.text.includes("Later"));
    expect([ana, ben, cho].map((person) => person.notifications().length)).toEqual([0, 0, 1]);
    expect(card.links).toEqual([]);
  });

  it("makes no link that says another address than it leads to", async () => {
    const { channel, ...stage } = await openStage({ haste: 20, unlimited: true });
    const plan = "See [https://good.example](https://evil.example/x) and <https://evil.example|good>.";
    await stage.open({ kind: "plan", payload: { title: "Links", plan } });
    const block = await channel.shown("¶1");
    for (const { label, url } of block.links) expect(label).toBe(url);
    expect(block.text).toContain("evil.example");
  });

  it("hides secrets of known shapes, visibly, and gives the agent's own words back unhidden", async () => {
    const { ana, channel, ...stage } = await openStage();
    const token = ["xoxb", "0123456789", "abcdefghijkl"].join("-");
    const asked = await stage.open({
      kind: "permission",
      payload: { title: "Call Slack", command: `curl -H 'Authorization: Bearer ${token}'` },
    });
    const card = await channel.card("Call Slack");
    expect(card.text).toContain("Bearer [Slack token hidden]");
    expect(channel.files().some(({ text }) => text.includes(token))).toBe(false);
    await ana.presses(card, "Deny");
    expect(await stage.outcome(asked)).toMatchObject({ decision: "deny" });
  });

  it("hides them in plans and their files, too", async () => {
    const { channel, ...stage } = await openStage({ haste: 20, unlimited: true });
    const key = ["AKIA", "ABCDEFGHIJKLMNOP"].join("");
    await stage.open({ kind: "plan", payload: { title: "Keys", plan: `Use ${key} here.` } });
    const block = await channel.shown("¶1");
    expect(block.text).toContain("Use [AWS key hidden] here.");
    expect(channel.files()).toEqual([{ name: "plan.md", text: "Use [AWS key hidden] here." }]);
  });

  it("keeps every question of a page with forty of them, with Send under the last", async () => {
    const { ana, channel, ...stage } = await openStage({ haste: 40, unlimited: true });
    const [one] = THREE.decisions;
    const decisions = Array.from({ length: 40 }, (_, at) => ({
      ...one,
      id: `q${at}`,
      question: `Question ${at + 1}, which is as long as they are: ${"so and so ".repeat(15)}?`,
    }));
    const asked = await stage.open({ payload: { ...THREE, decisions } });
    const cards = channel.cards();
    const text = cards.map((card) => card.text).join("\n");
    for (const { question } of decisions) expect(text).toContain(question);
    expect(cards.map(({ buttons }) => buttons.includes("Send to agent")).indexOf(true)).toBe(
      cards.length - 1,
    );
    await ana.presses(last(cards), "★ Accept recommended");
    await ana.presses(last(cards), "Send to agent");
    expect((await stage.outcome(asked)).result).toHaveLength(40);
  });
}
