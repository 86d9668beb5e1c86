/** A plan in a channel: read in few posts, commented on in place, reviewed by several, settled once. */
import { expect, it } from "vitest";
import { blockCard, last, withButton } from "./chat-reading.ts";
import type { ChatStage, OpenStage } from "./chat-stage.ts";

/** The pace of posts is looked at once; elsewhere nobody waits for it. */
const QUICK = { haste: 20, unlimited: true };

/** Twelve sections of five blocks each. */
const SIXTY = Array.from({ length: 12 }, (_, section) => [
  `## Step ${section + 1}`,
  ...["Why", "What", "How", "Check"].map(
    (word) => `${word} of step ${section + 1}: ${"so it is done. ".repeat(8)}`,
  ),
])
  .flat()
  .join("\n\n");

const SHORT = "# Login\n\nWe send a link.\n\n## Risks\n\n- spam\n- replay\n\n```ts\nsend(link);\n```";

const three = ({ ana, ben, cho }: ChatStage, quorum: number) => ({
  reviewers: [ana.account, ben.account, cho.account],
  quorum,
});

export function planCases(openStage: OpenStage): void {
  it("of sixty blocks takes ten posts and tells each reviewer once; one approves what two commented on", async () => {
    const stage = await openStage();
    const { ana, ben, cho, gus, channel } = stage;
    const asked = await stage.open({
      kind: "plan",
      payload: { title: "Login flow", plan: SIXTY },
      policy: three(stage, 1),
    });
    const header = await channel.card("Login flow");
    await stage.until(() => header.links.length > 0);
    const posts = channel.cards();
    expect(posts.length).toBeLessThanOrEqual(10);
    expect(posts.map(({ isReply }) => isReply)).toEqual(
      posts.map((_, at) => at > 0 && stage.blocksStand === "thread"),
    );
    expect([ana, ben, cho, gus].map((person) => person.notifications().length)).toEqual([1, 1, 1, 0]);
    expect(ana.notifications()[0]).toContain(
      "Login flow needs review (plan, 60 blocks) · shop@main · Claude",
    );
    expect(header.text).toContain("needs 1 of 3");
    expect(header.links).toEqual([{ label: "↓ start reading", url: posts[1]?.url }]);
    expect(last(posts).links).toEqual([{ label: "↑ back to the top", url: header.url }]);
    expect(last(posts).buttons).toEqual(header.buttons);
    const numbers = posts.flatMap(({ text }) =>
      [...text.matchAll(/¶(\d+) /g)].map(([, number]) => Number(number)),
    );
    expect(numbers).toEqual(Array.from({ length: 60 }, (_, at) => at + 1));
    expect(channel.files()).toEqual([{ name: "plan.md", text: SIXTY }]);

    const said = await ana.repliesTo(blockCard(channel, 1), "4: use Redis");
    await ben.repliesTo(blockCard(channel, 60), "> Check of step 12\nby whom?");
    await ben.repliesTo(blockCard(channel, 30), "too long");
    await stage.until(
      () => header.text.includes("Ben: 2 comments") && header.text.includes("Ana: 1 comment"),
    );
    await stage.until(() => said.signs.includes("kept"));
    await cho.presses(last(posts), "Approve");
    const outcome = await stage.outcome(asked);
    expect(outcome).toMatchObject({
      decision: "approve",
      annotations: [
        { blockIndex: 3, quote: expect.stringContaining("How of step 1"), comment: "use Redis", by: "Ana" },
        { comment: "too long", by: "Ben", span: expect.any(Array) },
        { blockIndex: 59, comment: expect.stringContaining("by whom?"), by: "Ben", byId: ben.id },
      ],
      reviews: [{ by: "Cho", decision: "approve" }],
    });
    await stage.until(() => channel.cards().every(({ buttons }) => buttons.length === 0));
    expect(header.text).toContain(`Approved by Cho in ${stage.label}`);
    expect(last(posts).text).toContain(`Approved by Cho in ${stage.label}`);
    expect([ana, ben, cho].map((person) => person.notifications().length)).toEqual([1, 1, 1]);
    await stage.engine().acknowledge(asked.session, { rounds: [asked.round], messages: [] });
    await stage.until(() => said.signs.includes("delivered"));
  });

  it("keeps what is written in a block's thread, as it is edited and deleted", async () => {
    const stage = await openStage(QUICK);
    const { ana, ben, channel } = stage;
    const asked = await stage.open({ kind: "plan", payload: { title: "Login flow", plan: SHORT } });
    const header = await channel.card("Login flow");
    const block = await channel.shown("¶2");
    expect(block.buttons).toEqual(["Comment on ¶2"]);
    const kept = await ana.repliesTo(block, "by e-mail?");
    const dropped = await ben.repliesTo(block, "never mind");
    await stage.until(() => header.text.includes("Ana: 1 comment") && header.text.includes("Ben: 1 comment"));
    await ana.edits(kept, "by e-mail, not by text message");
    await ben.deletes(dropped);
    await stage.until(() => header.text.includes("Ana: 1 comment") && !header.text.includes("Ben"));
    await ana.presses(last(channel.cards()), "Request changes");
    expect(await stage.outcome(asked)).toMatchObject({
      decision: "revise",
      annotations: [
        { blockIndex: 1, quote: "We send a link.", comment: "by e-mail, not by text message", by: "Ana" },
      ],
      reviews: [{ by: "Ana", decision: "revise" }],
    });
  });

  it("takes comments by a form, which asks for the block where a post has several", async () => {
    const stage = await openStage(QUICK);
    const { ana, channel } = stage;
    const asked = await stage.open({ kind: "plan", payload: { title: "Login flow", plan: SIXTY } });
    const header = await channel.card("Login flow");
    const packed = blockCard(channel, 3);
    await ana.presses(packed, "Comment");
    const form = await ana.form();
    const [which, words] = form.fields;
    const entry = which?.options.find((option) => option.startsWith("¶3 ")) ?? "";
    expect(await ana.sends({ [which?.label ?? ""]: entry, [words?.label ?? ""]: "what of it?" })).toBe(true);
    await stage.until(() => header.text.includes("Ana: 1 comment"));
    await ana.presses(header, "Request changes");
    expect(await stage.outcome(asked)).toMatchObject({
      annotations: [
        { blockIndex: 2, quote: expect.stringContaining("What of step 1"), comment: "what of it?" },
      ],
    });
  });

  it("takes feedback on the whole, under its header and by a form", async () => {
    const stage = await openStage(QUICK);
    const { ana, ben, channel } = stage;
    const asked = await stage.open({ kind: "plan", payload: { title: "Login flow", plan: SHORT } });
    const header = await channel.card("Login flow");
    const said = await ana.writesUnder(header, "tighten the token TTL");
    await stage.until(() => said.signs.includes("kept"));
    await ben.presses(header, "Feedback");
    expect(await ben.sends({ [(await ben.form()).fields[0]?.label ?? ""]: "name an owner" })).toBe(true);
    await stage.until(() => header.text.includes("Ana: 1 comment · Ben: 1 comment"));
    await ben.presses(header, "Request changes");
    expect(await stage.outcome(asked)).toMatchObject({
      decision: "revise",
      annotations: [],
      generalFeedback: "tighten the token TTL\n\nname an owner",
      feedback: [{ by: "Ana", text: "tighten the token TTL" }, { by: "Ben" }],
    });
  });

  it("asks for words with the changes only where nobody has commented", async () => {
    const stage = await openStage(QUICK);
    const { ana, channel } = stage;
    const asked = await stage.open({ kind: "plan", payload: { title: "Login flow", plan: SHORT } });
    const header = await channel.card("Login flow");
    await ana.presses(header, "Request changes");
    const form = await ana.form();
    expect(form.title).toBe("What should change?");
    expect(await ana.sends({ [form.fields[0]?.label ?? ""]: "all of it" })).toBe(true);
    expect(await stage.outcome(asked)).toMatchObject({ decision: "revise", generalFeedback: "all of it" });
    await stage.until(() => header.text.includes(`Changes requested by Ana in ${stage.label}`));
  });

  it("waits for the quorum; a review can be changed until then", async () => {
    const stage = await openStage(QUICK);
    const { ana, ben, cho, channel } = stage;
    const asked = await stage.open({
      kind: "plan",
      payload: { title: "Login flow", plan: SHORT },
      policy: three(stage, 2),
    });
    const header = await channel.card("Login flow");
    await ben.presses(header, "Approve");
    await stage.until(() => header.text.includes("Ben: approved"));
    expect(header.buttons).toContain("Approve");
    await ana.writesUnder(header, "who pays?");
    await stage.until(() => header.text.includes("Ana: 1 comment"));
    await ana.presses(header, "Request changes");
    await stage.until(() => header.text.includes("Ana asked for changes · waiting for Cho"));
    expect(header.buttons).toContain("Send to agent now");
    await ana.presses(header, "Approve");
    expect(await stage.outcome(asked)).toMatchObject({
      decision: "approve",
      reviews: [
        { by: "Ben", decision: "approve" },
        { by: "Ana", decision: "approve" },
      ],
    });
    expect(cho.notifications()).toHaveLength(1);
    await stage.until(() => header.text.includes(`Approved by Ben, Ana in ${stage.label}`));
  });

  it("goes back to the agent when all have reviewed and one asks for changes", async () => {
    const stage = await openStage(QUICK);
    const { ana, ben, channel } = stage;
    const policy = { reviewers: [ana.account, ben.account], quorum: 1 };
    const asked = await stage.open({ kind: "plan", payload: { title: "Login flow", plan: SHORT }, policy });
    const header = await channel.card("Login flow");
    await ana.repliesTo(blockCard(channel, 4), "replay needs a nonce");
    await stage.until(() => header.text.includes("Ana: 1 comment"));
    await ana.presses(header, "Request changes");
    await stage.until(() => header.text.includes("waiting for Ben"));
    await ben.presses(header, "Approve");
    expect(await stage.outcome(asked)).toMatchObject({
      decision: "revise",
      reviews: [{ by: "Ana" }, { by: "Ben" }],
    });
  });

  it("is sent back at once by whoever does not want to wait", async () => {
    const stage = await openStage(QUICK);
    const { ana, cho, channel } = stage;
    const policy = three(stage, 2);
    const asked = await stage.open({ kind: "plan", payload: { title: "Login flow", plan: SHORT }, policy });
    const header = await channel.card("Login flow");
    await ana.repliesTo(blockCard(channel, 2), "by e-mail?");
    await stage.until(() => header.text.includes("Ana: 1 comment"));
    await ana.presses(header, "Request changes");
    await stage.until(() => header.buttons.includes("Send to agent now"));
    await cho.presses(withButton(channel, "Send to agent now"), "Send to agent now");
    expect(await stage.outcome(asked)).toMatchObject({ decision: "revise", reviews: [{ by: "Ana" }] });
  });

  it("is for the named alone to approve, and for others in the channel to leave alone", async () => {
    const stage = await openStage(QUICK);
    const { ana, cho, channel } = stage;
    const policy = { reviewers: [ana.account] };
    await stage.open({ kind: "plan", payload: { title: "Login flow", plan: SHORT }, policy });
    const header = await channel.card("Login flow");
    await cho.presses(header, "Approve");
    await stage.until(() => cho.words(channel).length === 1);
    expect(cho.words(channel)[0]?.text).toContain("Only the people who were asked can do that.");
    expect(header.buttons).toContain("Approve");
  });
}
