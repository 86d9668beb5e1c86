/** How often the platform is called: once for each card that is put up, changed or taken away, and never for nothing. */
import { expect, it } from "vitest";
import { example } from "../support/examples.ts";
import { THREE } from "./chat-payloads.ts";
import type { Change, OpenStage } from "./chat-stage.ts";

export function callCases(openStage: OpenStage): void {
  it("are as many as cards posted plus cards changed, for a whole run", async () => {
    const { ana, channel, ...stage } = await openStage();
    const done = stage.changes;
    const asked = await stage.open({ payload: example("login") });
    const home = await channel.card("Login PRD");
    expect(done()).toEqual(["post"]);
    await ana.picks(home, "Password + magic link");
    const reply = await channel.reply("Password policy?");
    await stage.until(() => home.text.includes("1 of 2"));
    expect(done()).toEqual(["post", "post", "update"]);
    await ana.picks(reply, "Strict");
    await stage.until(() => home.text.includes("2 of 2") && reply.text.includes("Strict — Ana"));
    expect(done().slice(3)).toEqual(["update", "update"]);
    await ana.picks(home, "Magic link only");
    await stage.until(() => home.text.includes("1 of 1") && reply.gone);
    expect(done().slice(5)).toEqual(["update", "remove"]);
    await ana.presses(home, "Send to agent");
    await stage.outcome(asked);
    await stage.until(() => home.text.includes("Sent to the agent by Ana"));
    await stage.stop();
    expect(done().slice(7)).toEqual(["update"]);
  });

  it("are one update for a pick on the home message, and none for the same pick again", async () => {
    const { ana, channel, ...stage } = await openStage();
    await stage.open({ payload: THREE });
    const home = await channel.card("Cache");
    await ana.picks(home, "Memory");
    await stage.until(() => home.text.includes("Memory — Ana"));
    await stage.stop();
    expect(stage.changes()).toEqual(["post", "update"]);
  });

  it("are coalesced while one is on its way", async () => {
    const { ana, ben, cho, channel, ...stage } = await openStage();
    await stage.open({ payload: THREE });
    const home = await channel.card("Cache");
    const { held, release } = stage.hold("update");
    await ana.picks(home, "Memory");
    await held;
    await ben.picks(home, "Day");
    await cho.picks(home, "US");
    await ana.picks(home, "Redis");
    release();
    await stage.until(() => home.text.includes("3 of 3"));
    for (const answer of ["Redis — Ana", "Day — Ben", "US — Cho"]) expect(home.text).toContain(answer);
    await stage.stop();
    expect(stage.changes()).toEqual(["post", "update", "update"]);
  });

  it("lose none of three selects set within two seconds", async () => {
    const { ana, channel, ...stage } = await openStage();
    const asked = await stage.open({ payload: THREE });
    const home = await channel.card("Cache");
    await Promise.all([ana.picks(home, "Memory"), ana.picks(home, "Day"), ana.picks(home, "US")]);
    await stage.until(() => home.text.includes("3 of 3"));
    await ana.presses(home, "Send to agent");
    expect(await stage.outcome(asked)).toMatchObject({
      result: [{ optionId: "memory" }, { optionId: "day" }, { optionId: "us" }],
    });
    await stage.until(() => home.buttons.length === 0);
    await stage.stop();
    expect(stage.changes().length).toBeLessThanOrEqual(5);
  });

  it("are one post a card and one file for a plan, one sign for a comment, and nothing after a restart", async () => {
    const { ana, channel, ...stage } = await openStage();
    const plan = "# Login\n\nWe send a link.";
    await stage.open({ kind: "plan", payload: { title: "Login flow", plan } });
    const header = await channel.card("Login flow");
    await stage.until(() => header.links.length > 0 && channel.files().length > 0);
    const said = await ana.repliesTo(await channel.shown("¶2"), "by e-mail?");
    await stage.until(() => said.signs.includes("kept") && header.text.includes("Ana: 1 comment"));
    await stage.restart();
    await ana.presses(header, "Request changes");
    await stage.until(() => channel.cards().every(({ buttons }) => buttons.length === 0));
    await stage.stop();
    const count = (wanted: Change) => stage.changes().filter((change) => change === wanted).length;
    expect([count("post"), count("file"), count("sign")]).toEqual([4, 1, 1]);
    // Links to and fro, the comment's count, and four cards that are settled.
    expect(count("update")).toBe(6);
  });

  it("are nothing but a private word for a press that changes nothing", async () => {
    const { gus, channel, ...stage } = await openStage();
    await stage.open({ payload: THREE });
    const home = await channel.card("Cache");
    await gus.picks(home, "Memory");
    await stage.until(() => gus.words(channel).length === 1);
    await stage.stop();
    expect(stage.changes()).toEqual(["post", "word"]);
  });
}
