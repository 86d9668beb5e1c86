/** One person and the bot: plain words answer where exactly one open question takes them. */
import { expect, it } from "vitest";
import { example } from "../support/examples.ts";
import type { OpenStage } from "./chat-stage.ts";

export function directCases(openStage: OpenStage): void {
  it("takes plain words as the answer, and notifies once", async () => {
    const { ana, ...stage } = await openStage();
    const room = stage.direct(ana);
    const asked = await stage.open({ payload: example("login"), to: [room.to] });
    const home = await room.card("Login PRD");
    expect(ana.notifications()).toHaveLength(1);
    const said = await ana.writes(room, "Passkeys & nothing <else>");
    await stage.until(() => home.text.includes("Passkeys & nothing <else> — Ana"));
    await stage.until(() => said.signs.includes("kept"));
    await ana.presses(home, "Send to agent");
    expect(await stage.outcome(asked)).toMatchObject({
      result: [{ answer: "Passkeys & nothing <else>", custom: true, optionId: null }],
    });
    expect(ana.words(room)).toEqual([]);
  });

  it("takes a digit as the option of that number", async () => {
    const { ana, ...stage } = await openStage();
    const room = stage.direct(ana);
    const asked = await stage.open({ payload: example("login"), to: [room.to] });
    const home = await room.card("Login PRD");
    await ana.writes(room, "2");
    const reply = await room.reply("Password policy?");
    await stage.until(() => home.text.includes("Password + magic link — Ana"));
    await ana.presses(reply, "★ Accept recommended");
    await ana.presses(reply, "Send to agent");
    expect(await stage.outcome(asked)).toMatchObject({
      result: [{ optionId: "password", custom: false }, { optionId: "lenient" }],
    });
  });

  it("lets only that person decide", async () => {
    const { ana, ben, ...stage } = await openStage();
    const room = stage.direct(ana);
    const asked = await stage.open({ kind: "ask", payload: { question: "Ship it?" }, to: [room.to] });
    await room.card("Ship it?");
    await ben.writes(stage.direct(ben), "yes");
    await ana.writes(room, "not before Monday");
    expect(await stage.outcome(asked)).toMatchObject({ answer: "not before Monday", by: "Ana" });
  });

  it("keeps for the agent what answers nothing", async () => {
    const { ana, ...stage } = await openStage();
    const room = stage.direct(ana);
    const asked = await stage.open({ kind: "permission", payload: PERMISSION, to: [room.to] });
    const card = await room.card("Drop the table");
    const said = await ana.writes(room, "wait, which database?");
    await stage.until(() => said.signs.includes("kept"));
    expect(card.buttons).toEqual(["Allow once", "Deny", "Deny with words"]);
    expect(await stage.engine().show(asked.session)).toMatchObject({
      inbox: [{ text: "wait, which database?" }],
    });
  });

  it("does not guess which of two questions is meant", async () => {
    const { ana, ...stage } = await openStage();
    const room = stage.direct(ana);
    const first = await stage.open({ kind: "ask", payload: { question: "Which port?" }, to: [room.to] });
    const second = await stage.open({ kind: "ask", payload: { question: "Which host?" }, to: [room.to] });
    expect(second.session).toBe(first.session);
    const said = await ana.writes(room, "8080");
    await stage.until(() => said.signs.includes("kept"));
    expect(await stage.engine().show(first.session)).toMatchObject({ inbox: [{ text: "8080" }] });
  });

  it("shows a plan in few posts", async () => {
    const { ana, ...stage } = await openStage({ haste: 20, unlimited: true });
    const room = stage.direct(ana);
    const asked = await stage.open({ kind: "plan", payload: example("plan"), to: [room.to] });
    const header = await room.card("v1 · magic link");
    expect(room.cards().length).toBeLessThanOrEqual(8);
    await ana.presses(header, "Approve");
    expect(await stage.outcome(asked)).toMatchObject({ decision: "approve" });
  });
}

const PERMISSION = { title: "Drop the table", command: "psql -c 'drop table users'" };
