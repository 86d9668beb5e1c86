/** Decisions: picked, changed and sent; own words; pages that follow each other. */
import { expect, it } from "vitest";
import { example } from "../support/examples.ts";
import { THREE } from "./chat-payloads.ts";
import { last, withButton } from "./chat-reading.ts";
import type { OpenStage } from "./chat-stage.ts";

export function clarityCases(openStage: OpenStage): void {
  it("shows a follow-up to whoever picked, takes it back with its answer, and is sent", async () => {
    const { ana, ben, channel, ...stage } = await openStage();
    const asked = await stage.open({ payload: example("login") });
    const home = await channel.card("Login PRD");
    expect(home.text).toContain("0 of 1");
    expect(home.buttons).toContain("Send to agent");

    await ana.picks(home, "Password + magic link");
    const reply = await channel.reply("Password policy?");
    expect(reply.text).toContain("@Ana");
    expect(reply.buttons).toEqual(["★ Accept recommended", "Send to agent", "Send and finish", "Cancel"]);
    await stage.until(() => home.links.some(({ url }) => url === reply.url));
    expect(home.text).toContain("Password + magic link — Ana");
    expect(home.text).toContain("1 of 2");
    expect(home.buttons).toEqual(["Other…"]);
    expect(ana.notifications()).toHaveLength(1);
    expect(ben.notifications()).toEqual([]);

    await ana.picks(reply, "Strict");
    await stage.until(() => reply.text.includes("Strict — Ana") && home.text.includes("2 of 2"));
    expect(reply.buttons).toEqual(["Send to agent", "Send and finish", "Cancel"]);

    await ana.picks(home, "Magic link only");
    await stage.until(() => reply.gone && home.text.includes("removed: Password policy? — Strict"));
    expect(home.text).toContain("1 of 1");
    expect(home.links).toEqual([]);
    expect(home.buttons).toEqual(["Other…", "Send to agent", "Send and finish", "Cancel"]);

    await ana.presses(home, "Send to agent");
    expect(await stage.outcome(asked)).toMatchObject({
      mode: "clarity",
      title: "Login PRD",
      action: "continue",
      sessionId: "login-prd",
      pageId: "entry-path",
      result: [
        {
          decisionId: "auth-method",
          optionId: "magic-link",
          answer: "Magic link only",
          custom: false,
          status: "answered",
          by: "Ana",
          byId: ana.id,
          where: stage.surface,
        },
      ],
      status: "submitted",
      by: "Ana",
    });
    await stage.until(() => home.text.includes(`Sent to the agent by Ana in ${stage.label}`));
    expect(home.text).toContain("Magic link only — Ana");
    expect(home.text).toContain("The agent is working on the next step.");
    expect(home.buttons).toEqual(["Cancel"]);
    expect(ana.notifications()).toHaveLength(1);
  });

  it("takes two presses where one agrees", async () => {
    const { ana, channel, ...stage } = await openStage();
    const asked = await stage.open({ payload: THREE });
    const home = await channel.card("Cache");
    await ana.presses(home, "★ Accept recommended");
    await ana.presses(home, "Send to agent");
    expect(await stage.outcome(asked)).toMatchObject({
      action: "done",
      result: [{ optionId: "redis" }, { optionId: "hour" }, { optionId: "eu" }],
    });
    await stage.until(() => home.buttons.length === 0);
    expect(channel.cards()).toHaveLength(1);
  });

  it("asks for own words in a form, which has them when it is opened again", async () => {
    const { ana, channel, ...stage } = await openStage();
    await stage.open({ payload: example("login") });
    const home = await channel.card("Login PRD");
    await ana.presses(home, "Other…");
    expect((await ana.form()).fields).toMatchObject([{ label: "Which auth methods for v1?", value: "" }]);
    expect(await ana.sends({ "Which auth methods for v1?": "  \n " })).toBe(false);
    expect(await ana.sends({ "Which auth methods for v1?": "Passkeys only" })).toBe(true);
    await stage.until(() => home.text.includes("Passkeys only — Ana"));
    expect(home.text).toContain("1 of 1");
    await ana.presses(home, "Other…");
    expect((await ana.form()).fields).toMatchObject([{ value: "Passkeys only" }]);
    expect(await ana.sends({ "Which auth methods for v1?": "Passkeys, then e-mail" })).toBe(true);
    await stage.until(() => home.text.includes("Passkeys, then e-mail — Ana"));
    expect(ana.chosen(home, "Magic link only")).toEqual([]);
    await ana.picks(home, "Magic link only");
    await stage.until(() => home.text.includes("Magic link only — Ana"));
    expect(ana.chosen(home, "Magic link only")).toEqual(["Magic link only"]);
  });

  it("leaves words that come too late in their form, and says why", async () => {
    const { ana, ben, channel, ...stage } = await openStage();
    const asked = await stage.open({ payload: example("login") });
    const home = await channel.card("Login PRD");
    await ana.presses(home, "Other…");
    await ana.form();
    await ben.presses(home, "★ Accept recommended");
    await ben.presses(home, "Send to agent");
    await stage.outcome(asked);
    expect(await ana.sends({ "Which auth methods for v1?": "Passkeys only" })).toBe(false);
    expect((await ana.form()).complaint).toBe(
      `This is already settled, by Ben in ${stage.label}. Not saved. Your words: Passkeys only`,
    );
  });

  it("takes several options together, and none again", async () => {
    const { ana, channel, ...stage } = await openStage();
    const asked = await stage.open({ payload: { ...example("flow-1"), flow: undefined } });
    const home = await channel.card("Export service");
    await ana.picks(home, "Orders", "Attachments");
    const reply = await channel.reply("How much may the attachments of one export weigh?");
    await stage.until(() => home.text.includes("Orders, Attachments — Ana"));
    expect(ana.chosen(home, "Orders")).toEqual(["Orders", "Attachments"]);
    await ana.unpicks(home, "Orders");
    await stage.until(() => reply.gone && !home.text.includes("— Ana"));
    await ana.picks(home, "Invoices");
    await stage.until(() => home.text.includes("Invoices — Ana"));
    await ana.presses(home, "★ Accept recommended");
    await ana.presses(home, "Send to agent");
    expect(await stage.outcome(asked)).toMatchObject({
      result: [
        { decisionId: "export-scope", optionId: null, optionIds: ["invoices"], answer: "Invoices" },
        { decisionId: "file-format" },
      ],
    });
  });

  it("goes through two pages in one thread, with the agent's own words on the buttons", async () => {
    const { ana, channel, ...stage } = await openStage();
    const first = await stage.open({ payload: example("flow-1") });
    const home = await channel.card("Export service");
    expect(home.buttons).toContain("Next: delivery");
    expect(home.buttons).not.toContain("Send and finish");
    await ana.presses(home, "★ Accept recommended");
    await ana.presses(withButton(channel, "Next: delivery"), "Next: delivery");
    expect(await stage.outcome(first)).toMatchObject({ action: "continue", pageId: "scope" });
    await stage.until(() => last(channel.cards()).text.includes("The agent is working on the next step."));
    await stage.engine().acknowledge(first.session, { rounds: [first.round], messages: [] });

    const second = await stage.open({ payload: example("flow-2"), again: true });
    expect(second.session).toBe(first.session);
    const page = await channel.reply("How it is delivered");
    expect(page.text).toContain("@Ana");
    expect(ana.notifications().at(-1)).toContain("Export service needs");
    await stage.until(() => !home.buttons.includes("Cancel"));
    await ana.presses(page, "★ Accept recommended");
    await ana.presses(withButton(channel, "That is all"), "That is all");
    expect(await stage.outcome(second)).toMatchObject({ action: "done", pageId: "delivery" });
    await stage.until(() => last(channel.cards()).text.includes("All done. The agent has what it needs."));
    await stage.until(() => channel.cards().every(({ buttons }) => buttons.length === 0));
  });

  it("can be cancelled between two pages", async () => {
    const { ana, channel, ...stage } = await openStage();
    const first = await stage.open({ payload: example("flow-1") });
    const home = await channel.card("Export service");
    await ana.presses(home, "★ Accept recommended");
    await ana.presses(withButton(channel, "Next: delivery"), "Next: delivery");
    await stage.outcome(first);
    await stage.until(() => last(channel.cards()).text.includes("The agent is working on the next step."));
    await ana.presses(last(channel.cards()), "Cancel");
    await stage.until(() => channel.cards().every(({ buttons }) => buttons.length === 0));
    const second = await stage.open({ payload: example("flow-2"), again: true });
    expect(second.result).toMatchObject({ status: "cancelled" });
  });

  it("is cancelled for good", async () => {
    const { ana, channel, ...stage } = await openStage();
    const asked = await stage.open({ payload: example("login") });
    const home = await channel.card("Login PRD");
    await ana.presses(home, "Cancel");
    expect(await stage.outcome(asked)).toMatchObject({ status: "cancelled", by: "Ana", items: [] });
    await stage.until(() => home.text.includes(`Cancelled by Ana in ${stage.label}`));
    expect(home.buttons).toEqual([]);
  });
}
