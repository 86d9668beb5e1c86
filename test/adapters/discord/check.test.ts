import { beforeEach, describe, expect, it } from "vitest";
import { inviteLink } from "../../../src/adapters/discord/invite.ts";
import { type DiscordStage, discordStage } from "../../support/discord-stage.ts";

let stage: DiscordStage;
beforeEach(async () => {
  stage = await discordStage({ factor: Number.POSITIVE_INFINITY });
});

/** A line for each check, what to do behind an arrow. */
async function looked(...to: string[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const { name, state, detail, help } of stage.chat().check(stage.discord.appId, to))
    lines.push(`${state} ${name}: ${detail}${help === "" ? "" : ` → ${help}`}`);
  return lines;
}

/** Ana is `me`. */
async function pair(): Promise<void> {
  const { ana } = stage.team;
  const { pairing } = await stage.chat().pair(stage.discord.appId, "@ana");
  const asked = ana.dm().messages().at(-1);
  if (asked === undefined) throw new Error("nobody asked Ana");
  await ana.presses(asked, "Yes, that is me");
  expect(await stage.chat().paired(pairing, 10_000)).toBe(true);
}

describe("all that a connection needs", () => {
  it("is fine, in the person's direct message and in a channel", async () => {
    const { ana, plans } = stage.team;
    await pair();
    const before = [ana.dm().messages().length, ana.notifications().length];
    expect(await looked("#plans", "me")).toEqual([
      `ok bot token: askgate, application ${stage.discord.appId}`,
      "ok message content: the intent is switched on",
      "ok gateway: listens",
      "ok servers: acme",
      "ok /askgate: is registered",
      "ok me: direct message with Ana",
      "ok #plans: all 7 permissions",
      "ok round trip: posted, marked, read back and removed in Ana",
      "ok round trip: posted, marked, read back and removed in #plans",
    ]);
    expect(plans.messages()).toEqual([]);
    expect([ana.dm().messages().length, ana.notifications().length]).toEqual(before);
  });

  it("gets the command back that somebody removed", async () => {
    const { apiUrl, appId, token } = stage.discord;
    const headers = { authorization: `Bot ${token}`, "content-type": "application/json" };
    await fetch(`${apiUrl}/v10/applications/${appId}/commands`, { method: "PUT", headers, body: "[]" });
    expect(await looked()).toContain("ok /askgate: was missing, and is registered now");
    expect(await looked()).toContain("ok /askgate: is registered");
  });

  it("is not tried where nobody is paired and no place is named", async () => {
    expect((await looked()).slice(-2)).toEqual([
      "skipped me: nobody is paired → Pair yourself: askgate setup discord",
      "skipped round trip: there is no place to try → Name one: askgate doctor --to '#channel'",
    ]);
  });
});

describe("what is missing is named with what to do:", () => {
  it("a token that is worth nothing any more, and nothing else is looked at", async () => {
    stage.discord.expectError("GET /users/@me", 401);
    stage.discord.revoke();
    expect(await looked("#plans")).toEqual([
      "failed bot token: the bot token is not valid; run: askgate setup discord → Reset it and set it again: askgate setup discord",
    ]);
  });

  it("the intent", async () => {
    stage.discord.grants({ messageContent: false });
    const [, intent] = await looked();
    expect(intent).toMatch(
      /^failed message content: the intent is switched off → .*Message Content Intent on/,
    );
  });

  it("a server", async () => {
    stage.team.acme.kicksBot();
    expect(await looked()).toContain(
      `failed servers: the bot is in no server → Let it into one: ${inviteLink(stage.discord.appId)}`,
    );
  });

  it("permissions in a channel, by name; nothing is tried there", async () => {
    stage.team.plans.denies(["ATTACH_FILES", "CREATE_PUBLIC_THREADS"]);
    await expect.poll(async () => (await looked("#plans")).at(-2)).toMatch(/^failed #plans/);
    const [channel, roundTrip] = (await looked("#plans")).slice(-2);
    expect(channel).toMatch(/Create Public Threads, Attach Files.* → .*Edit Channel · Permissions.*https:/);
    expect(roundTrip).toMatch(/^skipped round trip/);
  });

  it("a place that is not there", async () => {
    expect((await looked("#gone")).at(-2)).toMatch(/^failed #gone: #gone: the bot sees no such channel/);
  });

  it("direct messages that somebody refuses", async () => {
    await pair();
    stage.team.ana.closesDms();
    stage.discord.expectError("POST /channels/:channel/messages", 50007);
    expect((await looked()).at(-1)).toMatch(
      /^failed round trip: posting in Ana: they take no direct messages from the bot/,
    );
  });
});
